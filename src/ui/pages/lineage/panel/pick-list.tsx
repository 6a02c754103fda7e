/** Assets and metrics of the picture. A click selects one. */
import { parentOf } from "../../../assets/asset-row.ts";
import { RiskMark, TypeIcon } from "../../../parts/badge.tsx";
import type { NodeType } from "../../../parts/node-types.ts";
import { useActions } from "../canvas/actions.ts";
import styles from "./side-panel.module.css";

interface Pick {
  id: string;
  type: NodeType;
  name: string;
  fqn: string;
  /** Of a change that is assessed. */
  risk?: Parameters<typeof RiskMark>[0]["risk"];
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
              {node.name} {node.risk && <RiskMark risk={node.risk} />}
            </span>
            <span className={`faint ${styles["within"]}`}>{parentOf(node)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
