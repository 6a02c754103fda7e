/** The lineage as a picture. */
import "@xyflow/react/dist/base.css";
import { type NodeTypes, ReactFlow, useStore } from "@xyflow/react";
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useState } from "react";

import { classNames } from "../../../parts/class-names.ts";
import type { Drawn } from "../layout/use-layout.ts";
import { isWithin, MAX_ZOOM, MIN_ZOOM } from "../model/fit.ts";
import type { LineageGraph } from "../model/graph.ts";
import type { Line } from "../model/lines.ts";
import { type Arrow, findNext } from "../model/move.ts";
import type { View } from "../model/view.ts";
import { useActions } from "./actions.ts";
import { AssetNode, elementIdOf, FoldNode } from "./asset-node.tsx";
import styles from "./canvas.module.css";
import { ZOOM_STEP } from "./dock.tsx";
import { highlight, HighlightProvider } from "./highlight.ts";
import { LinesLayer } from "./lines-layer.tsx";
import { toFlowNodes } from "./flow-nodes.ts";
import type { CanvasWindow } from "./use-window.ts";

const NODE_TYPES: NodeTypes = { asset: AssetNode, fold: FoldNode };
const ARROWS: ReadonlySet<string> = new Set<Arrow>(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
/** Below these zooms, only names are drawn, and only boxes. */
const FAR = 0.35;
const TINY = 0.15;

interface CanvasProps {
  drawn: Drawn;
  lines: readonly Line[];
  graph: LineageGraph;
  view: View;
  /** The selected node or fold. */
  selected: string | null;
  /** The chosen column of the selected node. */
  column: string | null;
  canvasWindow: CanvasWindow;
  onOpenWay: (id: string) => void;
}

export function Canvas({ drawn, lines, graph, view, selected, column, canvasWindow, onOpenWay }: CanvasProps) {
  const actions = useActions();
  const pointed = useHovered();
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < FAR);
  const isTiny = useStore(({ transform: [, , zoom] }) => zoom < TINY);
  const { picture, boxes } = drawn;
  // A node can be taken away from under the pointer.
  const hovered = pointed !== null && boxes.has(pointed) ? pointed : null;
  const nodes = useMemo(() => toFlowNodes(drawn, graph, view), [drawn, graph, view]);
  const lit = useMemo(
    () =>
      highlight(lines, picture, {
        node: hovered ?? selected,
        // The pointer is still on the node when a column of it is clicked.
        column: hovered === null || hovered === selected ? column : null,
        selected,
      }),
    [lines, picture, hovered, selected, column],
  );
  const show = useEffectEvent((id: string) => canvasWindow.show(id));
  // After the panel beside the canvas has taken its place.
  useEffect(() => {
    if (selected !== null) show(selected);
  }, [selected]);
  const selectedBox = selected === null ? undefined : boxes.get(selected);
  // Only what is in the window is in the document.
  const isInWindow = useStore(
    ({ transform: [x, y, zoom], width, height }) =>
      selectedBox !== undefined && isWithin({ x, y, zoom }, selectedBox, { width, height }),
  );
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = selected !== null && boxes.has(selected) ? selected : picture.root;
    const { key } = event;
    if (ARROWS.has(key)) {
      const next = selected === null ? at : findNext(at, key as Arrow, lines, boxes);
      if (next !== null) actions.select(next);
    } else if (key === "Enter") onOpenWay(at);
    else if (key === "f") canvasWindow.fit();
    else if (key === "+" || key === "=") canvasWindow.zoomBy(ZOOM_STEP);
    else if (key === "-") canvasWindow.zoomBy(1 / ZOOM_STEP);
    else if (key === "c" && picture.nodes.has(at)) actions.toggleColumns(at);
    else if (key === "Home") actions.select(picture.root);
    else if (key === "Escape") actions.select(null);
    else return;
    event.preventDefault();
  };
  return (
    <HighlightProvider value={lit}>
      <ReactFlow
        className={classNames(styles["canvas"], isFar && styles["far"], isTiny && styles["tiny"])}
        aria-label="Lineage. Arrow keys move along it, Enter opens more, C shows columns, F fits it into the window."
        aria-activedescendant={selected !== null && isInWindow ? elementIdOf(selected) : undefined}
        tabIndex={0}
        onKeyDown={press}
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        minZoom={MIN_ZOOM}
        maxZoom={MAX_ZOOM}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        onNodeClick={(_event, { id }) => actions.select(id)}
        onNodeDoubleClick={(_event, { id }) => onOpenWay(id)}
        onPaneClick={() => actions.select(null)}
      >
        <LinesLayer lines={lines} />
      </ReactFlow>
    </HighlightProvider>
  );
}

/** The node or fold that the pointer moved to last: one that the window brings under a resting pointer was not pointed at. */
function useHovered(): string | null {
  const [hovered, setHovered] = useState<string | null>(null);
  useEffect(() => {
    const look = ({ target }: Event): void => {
      const node = target instanceof Element ? target.closest<HTMLElement>(".react-flow__node") : null;
      setHovered(node?.dataset["id"] ?? null);
    };
    document.addEventListener("mousemove", look);
    return () => document.removeEventListener("mousemove", look);
  }, []);
  return hovered;
}
