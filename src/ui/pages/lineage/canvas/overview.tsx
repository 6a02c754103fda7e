/** The whole picture, small, with the part that is in the window. Dragging in it moves the window. */
import { MiniMap } from "@xyflow/react";

import { classNames } from "../../../parts/class-names.ts";
import { effectOn } from "../model/impact.ts";
import type { FlowNode } from "./flow-nodes.ts";
import styles from "./overview.module.css";

const SIZE = { width: 132, height: 80 };

export function Overview() {
  return (
    <MiniMap<FlowNode>
      className={styles["overview"] ?? ""}
      style={SIZE}
      ariaLabel="Overview of the picture"
      nodeClassName={classOf}
      nodeBorderRadius={10}
      pannable
      zoomable
    />
  );
}

/** As on the canvas itself. */
function classOf(node: FlowNode): string {
  if (node.type === "fold") return styles["node"] ?? "";
  const { node: asset, isRoot, impact } = node.data;
  const effect = effectOn(asset.id, impact);
  return classNames(styles["node"], isRoot && styles["root"], effect !== null && styles[effect]);
}
