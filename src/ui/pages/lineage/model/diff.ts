/** How the lineage differs from that of an earlier day, as it is drawn. */
import type { DiffAnswer } from "../documents.ts";
import { type Difference, type KnownDiff, type LineageGraph, linkKey } from "./graph.ts";
import { MAX_ADDED, type View } from "./view.ts";

export const DIFFERENCES: readonly Difference[] = ["added", "removed", "changed"];

/** The mark beside the word, so that no difference is told by its colour alone. */
export const DIFFERENCE_MARKS = {
  added: { icon: "plus", tone: "good" },
  removed: { icon: "minus", tone: "bad" },
  changed: { icon: "edit", tone: "warn" },
} as const;

/** The comparison reaches at least so many hops. */
const LEAST_HOPS = 3;

export interface DrawnDiff extends KnownDiff {
  /** The nodes that differ and are drawn. */
  drawn: ReadonlySet<string>;
  hops: number;
}

export interface DiffNeed {
  what: "diff";
  id: string;
  compareWith: string;
  hops: number;
}

export function diffKey({ id, compareWith, hops }: Omit<DiffNeed, "what">): string {
  return `${id} ${compareWith} ${hops}`;
}

/** @returns null if no day is chosen */
export function needOfDiff({ root, compareWith, hops }: View): DiffNeed | null {
  if (compareWith === null) return null;
  return { what: "diff", id: root, compareWith, hops: Math.max(LEAST_HOPS, hops.up, hops.down) };
}

/** @returns null if no day is chosen, or it is not known yet what differs */
export function drawDiff(graph: LineageGraph, view: View): DrawnDiff | null {
  const need = needOfDiff(view);
  const known = need === null ? undefined : graph.diffs.get(diffKey(need));
  if (need === null || known === undefined) return null;
  return { ...known, drawn: new Set([...known.nodes.keys()].slice(0, MAX_ADDED)), hops: need.hops };
}

export function addDiff(graph: LineageGraph, need: DiffNeed, diff: KnownDiff): LineageGraph {
  const gone = diff.removed.filter(({ id }) => !graph.nodes.has(id)).map((node) => [node.id, node] as const);
  return {
    ...graph,
    nodes: new Map([...graph.nodes, ...gone]),
    diffs: new Map([...graph.diffs, [diffKey(need), diff]]),
  };
}

export function readDiff({ before, nodes, edges, truncated }: DiffAnswer): KnownDiff {
  const links = edges.map(({ difference, from, to, before: was, after }) => {
    const link = { from: from.id, to: to.id, kinds: difference === "removed" ? was : after, uses: [] };
    return [linkKey(link), { difference, link }] as const;
  });
  return {
    before,
    nodes: new Map(
      nodes.map(({ difference, asset, details }) => [
        asset.id,
        { difference, details: details.map(({ kind, name }) => describeDetail(kind, name)) },
      ]),
    ),
    removed: nodes.flatMap(({ difference, asset: { id, name, fqn, type } }) =>
      difference === "removed" ? [{ ...GONE, id, name, fqn, type }] : [],
    ),
    links: new Map(links),
    isTruncated: truncated,
  };
}

function describeDetail(kind: string, name: string): string {
  return kind === "sql_changed" ? "SQL changed" : `${kind.replaceAll("_", " ")}: ${name}`;
}

const GONE = {
  certification: "none",
  owner: null,
  ownerName: null,
  isReferenced: false,
  gap: null,
  parent: null,
  totals: { up: 0, down: 0 },
} as const;

export function differenceOf(id: string, diff: DrawnDiff | null): Difference | null {
  return diff?.nodes.get(id)?.difference ?? null;
}

/** Such as `2 added, 1 removed, 3 changed`. */
export function countDifferences(all: Iterable<{ difference: Difference }>): string {
  const counts = Map.groupBy(all, ({ difference }) => difference);
  const words = DIFFERENCES.flatMap((word) => (counts.has(word) ? [`${counts.get(word)?.length} ${word}`] : []));
  return words.length === 0 ? "none" : words.join(", ");
}
