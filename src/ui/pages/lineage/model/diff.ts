/** How the lineage differs from that of an earlier day, or would with a manifest, as it is drawn. */
import { countOf } from "../../../parts/count.ts";
import type { DiffAnswer } from "../documents.ts";
import { add, type Difference, type KnownDiff, type LineageGraph, linkKey } from "./graph.ts";
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
  /** The nodes that differ, or whose links do, and are drawn. */
  drawn: ReadonlySet<string>;
  hops: number;
  /** The time that is shown; null for now. */
  asOf: string | null;
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

/** @returns null if it is compared with nothing */
export function needOfDiff({ root, compareWith, hops }: View): DiffNeed | null {
  if (compareWith === null) return null;
  return { what: "diff", id: root, compareWith, hops: Math.max(LEAST_HOPS, hops.up, hops.down) };
}

/** @returns null if it is compared with nothing, or it is not known yet what differs */
export function drawDiff(graph: LineageGraph, view: View): DrawnDiff | null {
  const need = needOfDiff(view);
  const known = need === null ? undefined : graph.diffs.get(diffKey(need));
  if (need === null || known === undefined) return null;
  const ends = Array.from(known.links.values(), ({ link: { from, to } }) => [from, to]).flat();
  const drawn = new Set([...new Set([...known.nodes.keys(), ...ends])].slice(0, MAX_ADDED));
  return { ...known, drawn, hops: need.hops, asOf: view.asOf };
}

export function addDiff(graph: LineageGraph, need: DiffNeed, diff: KnownDiff): LineageGraph {
  const absent = diff.absent.filter(({ id }) => !graph.nodes.has(id)).map((node) => [node.id, node] as const);
  return add({ ...graph, nodes: new Map([...graph.nodes, ...absent]) }, "diffs", [[diffKey(need), diff]]);
}

export function readDiff({ before, after, connector, nodes, edges, truncated }: DiffAnswer): KnownDiff {
  const links = edges.map(({ difference, from, to, ...kinds }) => {
    const link = { from: from.id, to: to.id, kinds: difference === "removed" ? kinds.before : kinds.after, uses: [] };
    return [linkKey(link), { difference, link }] as const;
  });
  /** What a manifest adds is not in the catalog yet. */
  const isAbsent = (difference: Difference): boolean =>
    difference === "removed" || (difference === "added" && connector !== null);
  return {
    before,
    after,
    connector,
    nodes: new Map(
      nodes.map(({ difference, asset, details }) => [
        asset.id,
        { difference, details: details.map(({ kind, name }) => describeDetail(kind, name)) },
      ]),
    ),
    absent: nodes.flatMap(({ difference, asset: { id, name, fqn, type } }) =>
      isAbsent(difference) ? [{ ...ABSENT, id, name, fqn, type }] : [],
    ),
    links: new Map(links),
    isTruncated: truncated,
  };
}

function describeDetail(kind: string, name: string): string {
  return kind === "sql_changed" ? "SQL changed" : `${kind.replaceAll("_", " ")}: ${name}`;
}

const ABSENT = {
  certification: "none",
  ownedBy: null,
  isReferenced: false,
  isAbsent: true,
  gap: null,
  parent: null,
  totals: { up: 0, down: 0 },
} as const;

export function differenceOf(id: string, diff: DrawnDiff | null): Difference | null {
  return diff?.nodes.get(id)?.difference ?? null;
}

/** Such as `added since then`; null if it does not differ. */
export function describeDifference(id: string, diff: DrawnDiff | null): string | null {
  const difference = differenceOf(id, diff);
  return difference === null || diff === null ? null : `${difference} ${describeWhen(diff)}`;
}

export function describeWhen({ connector }: Pick<DrawnDiff, "connector">): string {
  return connector === null ? "since then" : "by the manifest";
}

/** The two states that are compared, such as `From 2026-05-31 10:00 UTC to now, within 3 hops`. */
export function describeSides({ before, after, connector, asOf, hops }: DrawnDiff): string {
  const shown = asOf === null ? "now" : toMinute(after ?? asOf);
  const at = asOf === null && after !== null ? `now, ${toMinute(after)}` : shown;
  const sides =
    connector === null
      ? `From ${toMinute(before)} to ${at}`
      : `From ${shown} to the manifest of ${connector}, checked ${toMinute(before)}`;
  return `${sides}, within ${countOf(hops, "hop")}`;
}

/** Which states are compared, how they differ, and what of that is not drawn. */
export function describeDiff(diff: DrawnDiff): string[] {
  const sentences = [`${describeSides(diff)}: ${describeCounts(diff)}.`];
  if (diff.nodes.size > diff.drawn.size) sentences.push(`The first ${diff.drawn.size} assets are drawn.`);
  if (diff.isTruncated) {
    sentences.push(
      diff.connector === null
        ? "Of what was there then and is there now, only the nearest were compared."
        : "The manifest changes more than is kept: only the first changes are shown.",
    );
  }
  return sentences;
}

function toMinute(time: string): string {
  return `${time.slice(0, "2026-05-31T10:00".length).replace("T", " ")} UTC`;
}

/** Such as `assets 2 added, 1 removed; links 3 added`. */
function describeCounts({ nodes, links, connector }: DrawnDiff): string {
  if (nodes.size + links.size > 0) return `assets ${count(nodes.values())}; links ${count(links.values())}`;
  return connector === null ? "nothing has changed here" : "this manifest changes nothing here";
}

function count(all: Iterable<{ difference: Difference }>): string {
  const counts = Map.groupBy(all, ({ difference }) => difference);
  const words = DIFFERENCES.flatMap((word) => (counts.has(word) ? [`${counts.get(word)?.length} ${word}`] : []));
  return words.length === 0 ? "none" : words.join(", ");
}
