/** What the reader chose to see of a lineage. All of it is in the URL. */
import type { Change } from "../../impact/change.ts";
import type { NodeType } from "../../../parts/node-types.ts";
import { type Side, sideKey } from "./graph.ts";

export interface View {
  root: string;
  /** How many neighbours are shown of each opened list, by `sideKey`, in the order in which they were opened. */
  open: ReadonlyMap<string, number>;
  /** Neighbours that were chosen from a list, beyond those that are shown. */
  picked: ReadonlyMap<string, readonly string[]>;
  hidden: ReadonlySet<NodeType>;
  /** All that is within this many hops of the root is shown; 0 for only what is open. */
  hops: Readonly<Record<Side, number>>;
  /** What is on the paths between the root and this asset is shown too. */
  pathTo: string | null;
  /** The nodes whose columns are shown. */
  columns: ReadonlySet<string>;
  selected: string | null;
  /** A column of the selected node. */
  column: string | null;
  /** What is affected by this change is shown too. */
  change: Change | null;
  /**
   * The earlier time with which the lineage is compared, such as `2026-05-31` or `7d`; or the id of a saved impact, with
   * whose manifest it is.
   */
  compareWith: string | null;
  /** The day whose end is shown, or the time that is, in UTC; null for now. */
  asOf: string | null;
  form: "canvas" | "table";
}

/** How many neighbours a list shows when it is opened. A laptop shows a column of so many at once. */
export const FIRST_SHOWN = 8;
/** How many more it shows each time. */
export const MORE_SHOWN = 48;

/** So that a link stays short enough for every program, and a picture readable. */
export const MAX_OPEN = 60;
export const MAX_PICKED = 30;
export const MAX_COLUMNS = 12;
export const MAX_SHOWN = 600;
/** The most nodes that a change, hops or a path add. A change adds the worst hit first, hops add the nearest first. */
export const MAX_ADDED = 200;
/** The service walks no further. */
export const MAX_HOPS = 10;
/** The longest name of a data type that a link holds. */
export const MAX_TYPE_NAME = 100;

/** Whether the lineage is compared with a manifest, by the id of its saved impact. */
export function isSavedImpact(compareWith: string): boolean {
  return /^[\da-f]{32}$/.test(compareWith);
}

export function createView(root: string): View {
  return {
    root,
    open: new Map([
      [sideKey(root, "up"), FIRST_SHOWN],
      [sideKey(root, "down"), FIRST_SHOWN],
    ]),
    picked: new Map(),
    hidden: new Set(),
    hops: { up: 0, down: 0 },
    pathTo: null,
    columns: new Set(),
    selected: null,
    column: null,
    change: null,
    compareWith: null,
    asOf: null,
    form: "canvas",
  };
}

export function isOpen(view: View, id: string, side: Side): boolean {
  return view.open.has(sideKey(id, side));
}

export function openSide(view: View, id: string, side: Side): View {
  const key = sideKey(id, side);
  if (view.open.has(key) || view.open.size >= MAX_OPEN) return view;
  return { ...view, open: new Map([...view.open, [key, FIRST_SHOWN]]) };
}

export function closeSide(view: View, id: string, side: Side): View {
  const key = sideKey(id, side);
  const without = <T>(map: ReadonlyMap<string, T>): Map<string, T> => new Map([...map].filter(([it]) => it !== key));
  return { ...view, open: without(view.open), picked: without(view.picked) };
}

export function showMore(view: View, id: string, side: Side): View {
  const key = sideKey(id, side);
  const shown = view.open.get(key);
  if (shown === undefined) return openSide(view, id, side);
  return { ...view, open: new Map([...view.open, [key, Math.min(shown + MORE_SHOWN, MAX_SHOWN)]]) };
}

/** Shows one neighbour of a list, or takes it away again. */
export function togglePicked(view: View, id: string, side: Side, neighbour: string): View {
  const key = sideKey(id, side);
  const before = view.picked.get(key) ?? [];
  const after = before.includes(neighbour) ? before.filter((it) => it !== neighbour) : [...before, neighbour];
  if (after.length > before.length && [...view.picked.values()].flat().length >= MAX_PICKED) return view;
  const picked = new Map([...view.picked, [key, after]]);
  if (after.length === 0) picked.delete(key);
  return { ...view, picked };
}

/** Shows all within these hops, and closes what was opened one by one. */
export function showHops(view: View, hops: View["hops"]): View {
  return { ...view, open: new Map(), picked: new Map(), hops, pathTo: null };
}

/** Shows the neighbours of the root, as at first. */
export function showNeighbours(view: View): View {
  return { ...showHops(view, { up: 0, down: 0 }), open: createView(view.root).open };
}

/** Shows the paths between the root and an asset, and nothing else. */
export function showPath(view: View, to: string): View {
  return { ...showHops(view, { up: 0, down: 0 }), pathTo: to, change: null };
}

export function toggleType(view: View, type: NodeType): View {
  return { ...view, hidden: toggled(view.hidden, type) };
}

export function toggleColumns(view: View, id: string): View {
  if (!view.columns.has(id) && view.columns.size >= MAX_COLUMNS) return view;
  return { ...view, column: null, columns: toggled(view.columns, id) };
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  return set.symmetricDifference(new Set([value]));
}
