/** The lineage as a picture, with the tools below it. */
import "@xyflow/react/dist/base.css";
import { type NodeTypes, ReactFlow, useStore, MiniMap } from "@xyflow/react";
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from "react";

import { classNames } from "../../../parts/class-names.ts";
import type { Drawn } from "../layout/use-layout.ts";
import { isWithin, MAX_ZOOM, MIN_ZOOM, type Edge, EDGES, listOutside } from "../model/fit.ts";
import { type LineageGraph, type LineageNode, sideKey } from "../model/graph.ts";
import type { Line } from "../model/lines.ts";
import { type Arrow, findNext } from "../model/move.ts";
import { type View, isOpen } from "../model/view.ts";
import { useActions } from "./actions.ts";
import { AssetNode, elementIdOf, FoldNode, type AssetFlowNode, type FoldFlowNode } from "./asset-node.tsx";
import styles from "./canvas.module.css";
import { highlight, HighlightProvider } from "./highlight.ts";
import { LinesLayer } from "./lines-layer.tsx";
import type { CanvasWindow } from "./use-window.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { EFFECT_COLOURS, effectOn } from "../model/impact.ts";
import { describeUndrawn, type Fold } from "../model/picture.ts";
import { breakName } from "../model/names.ts";
import { charactersFor } from "../model/sizes.ts";

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

const ZOOM_STEP = 1.3;

interface DockProps {
  drawn: Drawn;
  canvasWindow: CanvasWindow;
  /** The legend. */
  children: ReactNode;
}

/** Below the canvas, so that it covers no node: what is outside of the window, the zoom, the legend and the overview. */
export function Dock({ drawn, canvasWindow, children }: DockProps) {
  const [hasOverview, toggleOverview] = useOverview();
  return (
    <div className={`row roomy small line-above ${styles["dock"]}`}>
      <div className="stack tight grow">
        <div className={`row ${styles["tools"]}`}>
          <div className="row tight" role="group" aria-label="Window">
            <IconButton icon="plus" label="Zoom in" onClick={() => canvasWindow.zoomBy(ZOOM_STEP)} />
            <IconButton icon="minus" label="Zoom out" onClick={() => canvasWindow.zoomBy(1 / ZOOM_STEP)} />
            <IconButton icon="fit" label="Fit into the window (F)" onClick={canvasWindow.fit} />
            <IconButton icon="map" label="Overview" aria-pressed={hasOverview} onClick={toggleOverview} />
          </div>
          <Outside drawn={drawn} canvasWindow={canvasWindow} />
        </div>
        {describeUndrawn(drawn.picture).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {children}
      </div>
      {hasOverview && <Overview />}
    </div>
  );
}

/** Whether the overview is shown. The browser remembers it for all lineages. */
const OVERVIEW_KEY = "tributary.lineage-overview";
const OFF = "off";

function useOverview(): [isShown: boolean, toggle: () => void] {
  const [isShown, setShown] = useState(() => localStorage.getItem(OVERVIEW_KEY) !== OFF);
  return [
    isShown,
    () => {
      if (isShown) localStorage.setItem(OVERVIEW_KEY, OFF);
      else localStorage.removeItem(OVERVIEW_KEY);
      setShown(!isShown);
    },
  ];
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

export type FlowNode = AssetFlowNode | FoldFlowNode;

function placeOf(boxes: Drawn["boxes"], id: string) {
  const { x, y, width, height } = boxes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { id, position: { x, y }, width, height };
}

/** The picture in the form that React Flow draws. */
function toFlowNodes({ picture, boxes, columns }: Drawn, graph: LineageGraph, view: View): FlowNode[] {
  const unseen = (id: string, side: "up" | "down"): number => picture.unseen.get(sideKey(id, side)) ?? 0;
  // The lists of the root are open at first; a button closes them like the others.
  const mayClose = (id: string, side: "up" | "down"): boolean =>
    isOpen(view, id, side) && graph.nodes.get(id)?.totals[side] !== 0;
  const names = Array.from(picture.nodes.values(), ({ name }) => name);
  const toAsset = (node: LineageNode): AssetFlowNode => ({
    ...placeOf(boxes, node.id),
    type: "asset",
    data: {
      node,
      label: breakName(node.name, names, charactersFor(node)),
      isRoot: node.id === picture.root,
      unseen: { up: unseen(node.id, "up"), down: unseen(node.id, "down") },
      isOpen: { up: mayClose(node.id, "up"), down: mayClose(node.id, "down") },
      columns: columns.has(node.id) ? graph.columns.get(node.id) : undefined,
      impact: picture.impact,
      diff: picture.diff,
    },
  });
  const toFold = (fold: Fold): FoldFlowNode => ({
    ...placeOf(boxes, fold.id),
    type: "fold",
    data: { fold, name: picture.nodes.get(fold.of)?.name ?? "" },
  });
  return [...Array.from(picture.nodes.values(), toAsset), ...picture.folds.map(toFold)];
}
