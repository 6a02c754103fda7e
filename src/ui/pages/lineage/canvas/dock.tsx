/** Below the canvas, so that it covers no node: what is outside of the window, the zoom, the legend and the overview. */
import { MiniMap, useStore } from "@xyflow/react";
import type { ReactNode } from "react";

import { Button, IconButton } from "../../../parts/button.tsx";
import { formatCount } from "../../../parts/count.ts";
import type { Drawn } from "../layout/use-layout.ts";
import { type Edge, EDGES, listOutside } from "../model/fit.ts";
import { SIDES } from "../model/graph.ts";
import { EFFECT_COLOURS, effectOn } from "../model/impact.ts";
import styles from "./dock.module.css";
import type { CanvasWindow } from "./use-window.ts";
import type { FlowNode } from "./flow-nodes.ts";

export const ZOOM_STEP = 1.3;

interface DockProps {
  drawn: Drawn;
  canvasWindow: CanvasWindow;
  hasOverview: boolean;
  onToggleOverview: () => void;
  /** The legend. */
  children: ReactNode;
}

export function Dock({ drawn, canvasWindow, hasOverview, onToggleOverview, children }: DockProps) {
  const { undrawn } = drawn.picture;
  return (
    <div className={`row roomy small ${styles["dock"]}`}>
      <div className="stack tight grow">
        <div className={`row ${styles["tools"]}`}>
          <div className="row tight" role="group" aria-label="Window">
            <IconButton icon="plus" label="Zoom in" onClick={() => canvasWindow.zoomBy(ZOOM_STEP)} />
            <IconButton icon="minus" label="Zoom out" onClick={() => canvasWindow.zoomBy(1 / ZOOM_STEP)} />
            <IconButton icon="fit" label="Fit into the window (F)" onClick={canvasWindow.fit} />
            <IconButton icon="map" label="Overview" aria-pressed={hasOverview} onClick={onToggleOverview} />
          </div>
          <Outside drawn={drawn} canvasWindow={canvasWindow} />
        </div>
        {SIDES.filter((side) => undrawn[side] > 0).map((side) => (
          <p key={side}>
            {formatCount(undrawn[side])} more {side === "up" ? "upstream" : "downstream"} are within these hops, but not
            drawn: the nearest come first.
          </p>
        ))}
        {children}
      </div>
      {hasOverview && <Overview />}
    </div>
  );
}

const WAYS: Readonly<Record<Edge, { arrow: string; words: string }>> = {
  left: { arrow: "←", words: "to the left" },
  above: { arrow: "↑", words: "above" },
  below: { arrow: "↓", words: "below" },
  right: { arrow: "→", words: "to the right" },
};

/** How many nodes the window does not show, by where they are. A click shows the nearest of them. */
function Outside({ drawn: { boxes }, canvasWindow }: Pick<DockProps, "drawn" | "canvasWindow">) {
  const counts = useStore(({ transform: [x, y, zoom], width, height }) => {
    const outside = listOutside({ x, y, zoom }, boxes, { width, height });
    return EDGES.map((edge) => outside[edge].length).join(" ");
  }).split(" ");
  if (counts.every((count) => count === "0")) return null;
  return (
    <div className="row tight" role="group" aria-label="Outside of the window">
      {EDGES.map((edge, place) =>
        counts[place] === "0" ? null : (
          <Button
            key={edge}
            label={`${WAYS[edge].arrow} ${counts[place]} more`}
            look="quiet"
            aria-label={`${counts[place]} more ${WAYS[edge].words}`}
            onClick={() => canvasWindow.showOutside(edge)}
          />
        ),
      )}
    </div>
  );
}

/** The whole picture, small, with the part that is in the window. Dragging in it moves the window. */
const SIZE = { width: 132, height: 80 };

function Overview() {
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

/** As on the canvas itself. */
function colourOf(node: FlowNode): string {
  if (node.type === "fold") return "var(--line-strong)";
  const { node: asset, isRoot, impact } = node.data;
  const effect = effectOn(asset.id, impact);
  return `var(${effect === null ? (isRoot ? "--accent" : "--line-strong") : EFFECT_COLOURS[effect]})`;
}
