/** The command palette: finds assets and pages from anywhere. */
import { useState } from "react";
import { useLocation } from "wouter";

import { pathOfNode } from "../../assets/asset-row.ts";
import { useFoundNodes } from "../../assets/find-nodes.tsx";
import { Combobox, type Option } from "../../parts/combobox.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon, type IconName } from "../../parts/marks.tsx";
import { PAGES } from "../pages.ts";
import styles from "./palette.module.css";

type Target = Option & { target: string };

export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [, navigate] = useLocation();
  const { options, isPending, fault } = useTargets(text.trim());
  return (
    <Dialog title="Search" hidesTitle onClose={onClose} className={styles["palette"]}>
      <Combobox
        label="Search assets and pages"
        placeholder="Find tables, models, columns, dashboards …"
        text={text}
        onType={setText}
        options={options}
        isPending={isPending}
        autoFocus
        onChoose={({ target }) => {
          onClose();
          navigate(target);
        }}
      />
      {fault && <p className="line bad">{fault}</p>}
      <p className={"line hint line-above"}>
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
      </p>
    </Dialog>
  );
}

/** The assets and metrics that are found, the pages that have the text in their names, and the whole search at last. */
function useTargets(text: string): { options: Target[]; isPending: boolean; fault: string | null } {
  const { options: found, isPending, fault } = useFoundNodes(text);
  if (text === "") return { options: listPages(text), isPending: false, fault: null };
  const nodes = found.map(({ key, content, node }) => ({ key, content, target: pathOfNode(node) }));
  const all = {
    key: "all",
    target: `/catalog?q=${encodeURIComponent(text)}`,
    content: <Line icon="search" text={`Search the catalog for “${text}”`} />,
  };
  return { options: [...nodes, ...listPages(text), all], isPending, fault };
}

function listPages(text: string): Target[] {
  return PAGES.flatMap(({ path, label, icon }) =>
    label === undefined || icon === undefined || !label.toLowerCase().includes(text.toLowerCase())
      ? []
      : [{ key: path, target: path, content: <Line icon={icon} text={`Go to ${label}`} /> }],
  );
}

function Line({ icon, text }: { icon: IconName; text: string }) {
  return (
    <>
      <Icon name={icon} />
      <span className="medium nowrap">{text}</span>
    </>
  );
}
