/** Finds a node in the picture, the path to another asset, or what a selector of dbt chooses. */
import { useState } from "react";
import { useLocation } from "wouter";

import type { NodeRow } from "../../assets/asset-row.ts";
import { useFoundNodes } from "../../assets/find-nodes.tsx";
import { TypeIcon } from "../../parts/marks.tsx";
import { Combobox, type Option } from "../../parts/combobox.tsx";
import { BROWSED } from "../catalog/filters.ts";
import { useActions } from "./canvas/actions.ts";
import type { Picture } from "./model/picture.ts";
import { readSelector, type Selector } from "./model/selector.ts";
import { createView, MAX_HOPS, showHops } from "./model/view.ts";
import { pathOfView } from "./model/url-state.ts";
import styles from "./toolbar.module.css";

/** So many nodes of the picture are offered at once. */
const OFFERED = 6;

const ALL = <span className="soft small">More are found: see all in the catalog</span>;

type Choice = Option & { choose: () => void };

export function FindBox({ picture }: { picture: Picture }) {
  const { select, showPath } = useActions();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const typed = text.trim();
  const selector = readSelector(typed);
  const wrong = typeof selector === "string" ? selector : null;
  const chosen = typeof selector === "string" ? null : selector;
  const wanted = wrong === null ? (chosen?.name ?? typed) : "";
  const found = useFoundNodes(wanted, BROWSED);
  const options =
    typed === "" || wrong !== null ? [] : chosen === null ? [...listShown(), ...listOthers()] : listSelected(chosen);
  const isNothing = wanted !== "" && options.length === 0 && !found.isPending;
  const remark = wrong ?? found.fault ?? (isNothing ? `Nothing is found for ${wanted}.` : null);
  return (
    <div className={`relative ${styles["find"]}`}>
      <Combobox
        floats
        label="Find in the lineage"
        placeholder="Find a node, +model+2, or tag:daily+"
        text={text}
        onType={setText}
        options={options}
        isPending={found.isPending && options.length === 0}
        isOpen={options.length > 0}
        onChoose={({ choose }) => {
          setText("");
          choose();
        }}
      />
      <p role="status" className={remark === null ? "unseen" : `popup line small ${styles["remark"]}`}>
        {remark}
      </p>
    </div>
  );

  /** The search finds what has some of the words, too. A selector means one name, unless it is a filter. */
  function isMeant({ fqn, name }: NodeRow): boolean {
    return wanted.includes(":") || `${fqn} ${name}`.toLowerCase().includes(wanted.toLowerCase());
  }

  function listShown(): Choice[] {
    const words = typed.toLowerCase().split(/\s+/);
    const fits = [...picture.nodes.values()].filter(({ fqn, name }) =>
      words.every((word) => `${fqn} ${name}`.toLowerCase().includes(word)),
    );
    return fits.slice(0, OFFERED).map((node) => toChoice(node, "in the picture", () => select(node.id)));
  }

  function listOthers(): Choice[] {
    const others = found.options.filter(({ node }) => !picture.nodes.has(node.id));
    return others.map(({ node }) => toChoice(node, "show the path to it", () => showPath(node.id)));
  }

  function listSelected({ hops }: Selector): Choice[] {
    const nodes = found.options.map(({ node }) => node).filter(isMeant);
    const exact = nodes.filter(({ name, fqn }) => [name, fqn, fqn.split(".").at(-1)].includes(wanted));
    const choices = (exact.length > 0 ? exact : nodes).map((node) =>
      toChoice(node, describeHops(hops), () => navigate(pathOfView(showHops(createView(node.id), hops)))),
    );
    const isAll = !found.hasMore || nodes.length === 0 || exact.length > 0;
    return isAll ? choices : [...choices, { key: "all", content: ALL, choose: goToCatalog }];
  }

  function goToCatalog(): void {
    navigate(`/catalog?q=${encodeURIComponent(wanted)}`);
  }
}

function toChoice(
  { id, type, name }: Pick<NodeRow, "id" | "type" | "name">,
  remark: string,
  choose: () => void,
): Choice {
  const content = (
    <>
      <TypeIcon type={type} />
      <span className="medium wrap grow">{name}</span>
      <span className="soft small nowrap">{remark}</span>
    </>
  );
  return { key: id, choose, content };
}

function describeHops({ up, down }: Selector["hops"]): string {
  const parts = [
    up > 0 && `${up === MAX_HOPS ? "up to " : ""}${up} upstream`,
    down > 0 && `${down === MAX_HOPS ? "up to " : ""}${down} downstream`,
  ];
  return parts.filter(Boolean).join(", ");
}
