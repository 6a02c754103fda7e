/** The part of a lineage that has been loaded: nodes, links, and how far each list of neighbours is known. */
import type { NodeRow, Person } from "../../../assets/asset-row.ts";
import type { Change } from "../../impact/change.ts";
import type { NodeType } from "../../../parts/node-types.ts";
import type { Affected } from "../../impact/documents.ts";

export type Side = "up" | "down";
export const SIDES: readonly Side[] = ["up", "down"];

export type EdgeKind = "defines" | "derives" | "exports" | "materializes" | "powers" | "reads";
/** How an upstream column is used: its values are passed on, or they decide which values are. */
export type UseKind = "DIRECT" | "INDIRECT";

export interface LineageNode extends Pick<NodeRow, "id" | "type" | "name" | "fqn" | "certification"> {
  ownedBy: Person | null;
  /** No connector has it; only the lineage of others names it. */
  isReferenced: boolean;
  /** The catalog does not have it: it is gone, or a pull request adds it. */
  isAbsent: boolean;
  /** Why its lineage may be incomplete; null if there is no gap. */
  gap: string | null;
  /** The table of a column. */
  parent: { id: string; name: string } | null;
  /** How many direct neighbours it has, loaded or not. */
  totals: Readonly<Record<Side, number>>;
}

export interface Link {
  from: string;
  to: string;
  kinds: readonly EdgeKind[];
  /** If both ends are columns: how the upstream one is used. */
  uses: readonly UseKind[];
}

export type Ends = Pick<Link, "from" | "to">;

/** The part of a list of neighbours that has been loaded, in the order of the list. */
interface Listed {
  ids: readonly string[];
  /** Where the next page begins; null if there is none. */
  cursor: string | null;
}

export interface LineageGraph {
  nodes: ReadonlyMap<string, LineageNode>;
  /** By `linkKey`. */
  links: ReadonlyMap<string, Link>;
  /** By `sideKey`. */
  lists: ReadonlyMap<string, Listed>;
  /** The columns of the tables and models whose columns were asked for. */
  columns: ReadonlyMap<string, readonly Column[]>;
  /** What changes affect, by `changeKey`. */
  impacts: ReadonlyMap<string, KnownImpact>;
  /** What walks from a node have found, by `walkKey`. */
  walks: ReadonlyMap<string, Walk>;
  /** How the lineage differs from earlier days and manifests, by `diffKey`. */
  diffs: ReadonlyMap<string, KnownDiff>;
}

/** What is within some hops of a node. */
export interface Walk {
  /** The nearest first. */
  ids: readonly string[];
  links: readonly Link[];
  /** How many nodes are within these hops, whether among `ids` or not. */
  total: number;
}

/** How a node or link differs from an earlier time, or would with a manifest. */
export type Difference = "added" | "removed" | "changed";

/** What differs from an earlier time, or would with a manifest. */
export interface KnownDiff {
  /** The earlier time, or when the manifest was checked. */
  before: string;
  /** The later time; null with a manifest. */
  after: string | null;
  /** The name of the connector of the manifest's project; null between two times. */
  connector: string | null;
  nodes: ReadonlyMap<string, { difference: Difference; details: readonly string[] }>;
  /** What the catalog does not have now. */
  absent: readonly LineageNode[];
  /** By `linkKey`. */
  links: ReadonlyMap<string, { difference: Difference; link: Link }>;
  isTruncated: boolean;
}

/** What a change affects. */
export interface KnownImpact {
  of: { id: string; type: NodeType; name: string; parent: { id: string; name: string } | null };
  /** The affected assets and metrics: what people look at first. */
  assets: readonly Affected[];
  /** The affected columns, by their ids. */
  columns: ReadonlyMap<string, Affected>;
  /** The tables of these. */
  tables: ReadonlyMap<string, string>;
  /** How many are affected, in `assets` or not. */
  counts: { total: number; columns: number };
  /** True if more assets are affected than these. */
  isTruncated: boolean;
}

export interface Column {
  id: string;
  name: string;
  dataType: string | null;
  hasGap: boolean;
  /** Its links to columns of other nodes. */
  links: readonly ColumnLink[];
}

export interface ColumnLink {
  from: ColumnEnd;
  to: ColumnEnd;
  uses: readonly UseKind[];
}

export interface ColumnEnd {
  /** The node in the picture: the table of a column, or `id` if it is no column. */
  node: string;
  id: string;
}

export const EMPTY_GRAPH: LineageGraph = {
  nodes: new Map(),
  links: new Map(),
  lists: new Map(),
  columns: new Map(),
  impacts: new Map(),
  walks: new Map(),
  diffs: new Map(),
};

export function linkKey({ from, to }: Ends): string {
  return `${from} ${to}`;
}

export function sideKey(id: string, side: Side): string {
  return `${id} ${side}`;
}

/** A link of a node and its neighbour on a side. */
export function linkTo(id: string, side: Side, neighbour: string, rest: Pick<Link, "kinds" | "uses">): Link {
  return side === "up" ? { from: neighbour, to: id, ...rest } : { from: id, to: neighbour, ...rest };
}

export interface Loaded {
  nodes: readonly LineageNode[];
  links: readonly Link[];
}

export function addLoaded(graph: LineageGraph, { nodes, links }: Loaded): LineageGraph {
  return {
    ...graph,
    nodes: new Map([...graph.nodes, ...nodes.map((node) => [node.id, node] as const)]),
    links: new Map([...graph.links, ...links.map((link) => [linkKey(link), link] as const)]),
  };
}

type Part = Exclude<keyof LineageGraph, "nodes" | "links" | "lists">;
type ValueOf<Map> = Map extends ReadonlyMap<string, infer Value> ? Value : never;

/** Adds what was loaded to one of the graph's maps. */
export function add<Of extends Part>(
  graph: LineageGraph,
  part: Of,
  entries: Iterable<readonly [string, ValueOf<LineageGraph[Of]>]>,
): LineageGraph {
  return { ...graph, [part]: new Map<string, unknown>([...graph[part], ...entries]) };
}

export interface Page extends Loaded, Listed {}

/** Adds the next page of a list of neighbours. */
export function addPage(graph: LineageGraph, id: string, side: Side, page: Page): LineageGraph {
  const key = sideKey(id, side);
  const known = graph.lists.get(key)?.ids ?? [];
  const ids = [...new Set([...known, ...page.ids])];
  return {
    ...addLoaded(graph, page),
    lists: new Map([...graph.lists, [key, { ids, cursor: page.cursor }]]),
  };
}

export function changeKey({ of, type, newType }: Change): string {
  return `${of} ${type} ${newType ?? ""}`;
}

export function walkKey(id: string, side: Side, hops: number): string {
  return `${sideKey(id, side)} ${hops}`;
}
