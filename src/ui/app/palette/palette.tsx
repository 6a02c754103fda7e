/** The command palette: finds assets and pages from anywhere. */
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useQuery } from "urql";
import { useLocation } from "wouter";

import { ASSET_ROW, parentOf, pathOfAsset } from "../../assets/asset-row.ts";
import { Highlight } from "../../assets/highlight.tsx";
import { graphql } from "../../graphql/graphql.ts";
import { CertificationBadge, TypeIcon } from "../../parts/badge.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { describeError } from "../../parts/panel.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { PAGES } from "../pages.ts";
import styles from "./palette.module.css";

const FIND = graphql(
  `
    query FindAssets($search: String!) {
      assets(search: $search, first: 8) {
        nodes {
          ...AssetRow
        }
      }
    }
  `,
  [ASSET_ROW],
);

const REST_MS = 120;

interface PaletteProps {
  isOpen: boolean;
  onClose: () => void;
}

export function Palette({ isOpen, onClose }: PaletteProps) {
  return (
    <Dialog title="Search" hidesTitle isOpen={isOpen} onClose={onClose} className={styles["palette"]}>
      <Finder onClose={onClose} />
    </Dialog>
  );
}

interface Option {
  key: string;
  target: string;
  content: ReactNode;
}

function Finder({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  const [, navigate] = useLocation();
  const id = useId();
  const { options, fault } = useOptions(text.trim());
  const chosen = Math.min(place, options.length - 1);

  const open = (option: Option | undefined): void => {
    if (option === undefined) return;
    onClose();
    navigate(option.target);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") open(options[chosen]);
    else if (step !== undefined && options.length > 0) setPlace((chosen + step + options.length) % options.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles["field"]}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search assets and pages"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
          placeholder="Find tables, models, columns, dashboards …"
          value={text}
          autoFocus
          onChange={(event) => {
            setText(event.target.value);
            setPlace(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className={styles["list"]}>
        {options.map((option, index) => (
          // The keys of the text field choose among them.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={styles["option"]}
            onPointerMove={() => setPlace(index)}
            onClick={() => open(option)}
          >
            {option.content}
          </div>
        ))}
      </div>
      {fault && <p className={styles["fault"]}>{fault}</p>}
      <p className={styles["keys"]}>
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
      </p>
    </>
  );
}

/** Without a text, the pages; else the assets that are found, and the whole search as the last one. */
function useOptions(text: string): { options: Option[]; fault: string | null } {
  const search = useDebounced(text, REST_MS);
  const [{ data, error }] = useQuery({ query: FIND, variables: { search }, pause: search === "" });
  if (text === "") return { options: listPages(), fault: null };
  const found = search === "" ? [] : (data?.assets?.nodes ?? []);
  const words = text.toLowerCase().split(/[\s.]+/);
  const assets = found.map((asset) => ({
    key: asset.id,
    target: pathOfAsset(asset.id),
    content: (
      <>
        <TypeIcon type={asset.type} />
        <span className={styles["name"]}>
          <Highlight text={asset.name} words={words} />
        </span>
        <span className={styles["path"]}>{parentOf(asset)}</span>
        <CertificationBadge certification={asset.certification} />
      </>
    ),
  }));
  const all = {
    key: "all",
    target: `/catalog?q=${encodeURIComponent(text)}`,
    content: <Line icon="search" text={`Search the catalog for “${text}”`} />,
  };
  return { options: [...assets, all], fault: error ? describeError(error) : null };
}

function listPages(): Option[] {
  return PAGES.flatMap(({ path, label, icon }) =>
    label === undefined || icon === undefined
      ? []
      : [{ key: path, target: path, content: <Line icon={icon} text={`Go to ${label}`} /> }],
  );
}

function Line({ icon, text }: { icon: IconName; text: string }) {
  return (
    <>
      <Icon name={icon} />
      <span className={styles["name"]}>{text}</span>
    </>
  );
}
