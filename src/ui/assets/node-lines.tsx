/** A short list of assets and metrics, one line each. */
import type { ReactNode } from "react";

import { CertificationBadge, TypeIcon } from "../parts/marks.tsx";
import { type NodeRow, parentOf } from "./asset-row.ts";
import { NodeName } from "./names.tsx";
import styles from "./node-lines.module.css";

export interface NodeLinesProps<N extends NodeRow> {
  label: string;
  nodes: readonly N[];
  /** What the list says about a node, beside its name; else its place. */
  detail?: (node: N) => ReactNode;
}

export function NodeLines<N extends NodeRow>({ label, nodes, detail = parentOf }: NodeLinesProps<N>) {
  return (
    <ul aria-label={label}>
      {nodes.map((node) => (
        <li key={node.id} className={`row hoverable relative ${styles["line"]}`}>
          <TypeIcon type={node.type} />
          <NodeName node={node} className={`ink medium cut whole-line ${styles["name"]}`} />
          <span className="hint cut grow">{detail(node)}</span>
          <CertificationBadge certification={node.certification} />
        </li>
      ))}
    </ul>
  );
}
