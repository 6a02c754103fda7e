/** The whole picture, small, with the part that is in the window. Dragging in it moves the window. */
import { MiniMap } from "@xyflow/react";

import { effectOn } from "../model/impact.ts";
import type { FlowNode } from "./flow-nodes.ts";
import styles from "./overview.module.css";

const SIZE = { width: 132, height: 80 };

export function Overview() {
  return (
    <MiniMap<FlowNode>
      className={`wide-only ${styles["overview"]}`}
      style={SIZE}
      ariaLabel="Overview of the picture"
      nodeColor={colourOf}
      nodeBorderRadius={10}
      pannable
      zoomable
    />
  );
}

const COLOURS = { changed: "--ink", high: "--bad", medium: "--warn", low: "--ink-faint" } as const;

/** As on the canvas itself. */
function colourOf(node: FlowNode): string {
  if (node.type === "fold") return "var(--line-strong)";
  const { node: asset, isRoot, impact } = node.data;
  const effect = effectOn(asset.id, impact);
  return `var(${effect === null ? (isRoot ? "--accent" : "--line-strong") : COLOURS[effect]})`;
}
