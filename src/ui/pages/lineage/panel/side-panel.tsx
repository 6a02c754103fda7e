/** What is selected, beside the canvas. */
import type { ReactNode } from "react";

import { IconButton } from "../../../parts/button.tsx";
import styles from "./side-panel.module.css";
import { parentOf } from "../../../assets/asset-row.ts";
import { type Risk, RiskBadge, TypeIcon } from "../../../parts/marks.tsx";
import type { NodeType } from "../../../parts/node-types.ts";
import { useActions } from "../canvas/actions.ts";

interface SidePanelProps {
  title: ReactNode;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** In a narrow window the panel is below the canvas. */
const bringIntoSight = (header: HTMLElement | null): void => header?.scrollIntoView({ block: "nearest" });

export function SidePanel({ title, label, onClose, children }: SidePanelProps) {
  return (
    <aside className={`stack dialog-body ${styles["panel"]}`} aria-label={label}>
      <header key={label} ref={bringIntoSight} className="row top spread">
        <h2 className="row">{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}

/** Assets and metrics of the picture. A click selects one. */
interface Pick {
  id: string;
  type: NodeType;
  name: string;
  fqn: string;
  /** Of a change that is assessed. */
  risk?: Risk;
}

export function PickList({ nodes }: { nodes: readonly Pick[] }) {
  const { select } = useActions();
  return (
    <ul className="lines">
      {nodes.map((node) => (
        <li key={node.id}>
          <button
            type="button"
            className={`line beside-icon snug pick ${styles["pick"]}`}
            onClick={() => select(node.id)}
          >
            <TypeIcon type={node.type} />
            <span className="wrap">
              {node.name} {node.risk && <RiskBadge risk={node.risk} hasHint={false} />}
            </span>
            <span className={`faint ${styles["within"]}`}>{parentOf(node)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
