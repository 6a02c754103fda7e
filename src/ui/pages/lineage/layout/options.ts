/** The options of the layout engine. `bench/ui/layout.ts` measures it. */
import type { LayoutOptions } from "elkjs/lib/elk-api.js";

/** The lines are drawn as curves, so the engine need not route them well: only past the nodes in their way. */
const OPTIONS: LayoutOptions = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.edgeRouting": "POLYLINE",
  "elk.spacing.nodeNode": "16",
  "elk.spacing.edgeNode": "12",
  "elk.spacing.componentComponent": "48",
  "elk.layered.spacing.nodeNodeBetweenLayers": "76",
  "elk.layered.spacing.edgeNodeBetweenLayers": "16",
  "elk.layered.thoroughness": "2",
  "elk.layered.crossingMinimization.greedySwitch.type": "OFF",
};

/** Nodes are near what they are made from, in the order of their names, and lines are straight where they can be. */
const CAREFUL: LayoutOptions = {
  ...OPTIONS,
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
};

/**
 * With 500 nodes and 1,480 lines, this takes three quarters of the processor's time that straight lines
 * (`BRANDES_KOEPF`) and layers by network simplex take the first time, and 60 % once the engine is warm. The picture has
 * a sixth of the area, lines a quarter as long, and 40 % fewer crossings.
 */
export const LARGE: LayoutOptions = {
  ...OPTIONS,
  "elk.layered.layering.strategy": "LONGEST_PATH",
  "elk.layered.nodePlacement.strategy": "SIMPLE",
};

/** Nodes keep their order from top to bottom, so that a picture which grows can be recognised. */
const KEPT_ORDER: LayoutOptions = {
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.crossingMinimization.forceNodeModelOrder": "true",
};

/** What people look at is close together, so that it can be seen at once. */
const PACKED: LayoutOptions = { "elk.layered.nodePlacement.strategy": "SIMPLE" };
export const LAST_COLUMN: LayoutOptions = { "elk.layered.layering.layerConstraint": "LAST" };

interface Picture {
  /** True if the nodes are in the order in which they were drawn before. */
  isOrdered: boolean;
  /** True if the nodes of a column are to be close together. */
  isPacked: boolean;
}

/** Up to this many lines, there is time and room for care. */
const CAREFUL_UP_TO = 250;

export function isCareful(lines: number): boolean {
  return lines <= CAREFUL_UP_TO;
}

/** @param lines how many there are */
export function toOptions(lines: number, { isOrdered, isPacked }: Picture): LayoutOptions {
  return { ...(isCareful(lines) ? CAREFUL : LARGE), ...(isOrdered && KEPT_ORDER), ...(isPacked && PACKED) };
}
