/** The picture in the form that React Flow draws. */
import type { Drawn } from "../layout/use-layout.ts";
import { type LineageGraph, type LineageNode, sideKey } from "../model/graph.ts";
import type { Fold } from "../model/picture.ts";
import { shortenName } from "../model/names.ts";
import { charactersFor } from "../model/sizes.ts";
import { isOpen, type View } from "../model/view.ts";
import type { AssetFlowNode, FoldFlowNode } from "./asset-node.tsx";

export type FlowNode = AssetFlowNode | FoldFlowNode;

function placeOf(boxes: Drawn["boxes"], id: string) {
  const { x, y, width, height } = boxes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { id, position: { x, y }, width, height };
}

export function toFlowNodes({ picture, boxes, columns }: Drawn, graph: LineageGraph, view: View): FlowNode[] {
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
      label: shortenName(node.name, names, charactersFor(node)),
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
