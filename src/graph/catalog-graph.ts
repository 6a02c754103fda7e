/**
 * The contract of the graph store: every fact about assets and metrics, and the lineage between them.
 * Reading is here, writing in `catalog-writes.ts`.
 * Two engines keep it, `sqlite/` and `memgraph/`; `test/contract/catalog-graph.ts` holds both to it.
 *
 * Every call names a workspace, and what lies in another workspace does not exist for it.
 * Only nodes that some connector holds or names are seen; a removed node keeps its id, `createdAt` and curation for its
 * return. What connectors only name is found by its id, beside its table, and in lineage: no list, search, count, fqn or
 * value of a filter finds it.
 * What an asset is made from is one connector's word, its lineage holder's (see `layers.ts`): of all that say it, only that
 * one's edges and references into the asset and its columns are shown. The others' are kept, and are shown as soon as they
 * become the holder.
 * Every method rejects with an `unavailable` AppError when the store is away. Acknowledged writes survive `kill -9`.
 */
import type { CatalogNode, Certification, NodeType } from "../catalog/asset.ts";
import type { Trail } from "../catalog/certification.ts";
import type { Check, CheckStatus } from "../catalog/check.ts";
import type { ColumnUse, Direction, EdgeKind, Level } from "../catalog/edge.ts";
import type { Edit } from "../catalog/edits.ts";
import type { StatedNode } from "../catalog/layers.ts";
import type { Impact, ImpactQuery } from "../catalog/impact.ts";
import type { Lineage } from "../catalog/lineage.ts";
import type { SearchPosition, SearchQuery } from "../catalog/search.ts";
import type { Caller } from "../work/caller.ts";
import type { GraphWriter } from "./catalog-writes.ts";

export interface NodeFilter {
  /** `asset`: all but metrics. */
  types: readonly NodeType[] | "asset";
  tag?: string | undefined;
  certification?: Certification | undefined;
  /** The owner's e-mail address, folded. */
  owner?: string | undefined;
  /** A connector's name: nodes that it holds. */
  connector?: string | undefined;
  /** The first parts of fully qualified names, such as `shop.marts`, in any case; see `keysWithin`. */
  schema?: string | undefined;
}

/**
 * Which neighbours are shown and counted: those that pass all that is given. What is only named passes no filter by tag,
 * certification, owner or connector.
 */
export interface NeighbourFilter extends Omit<NodeFilter, "types"> {
  types?: readonly NodeType[] | undefined;
  /** Neighbours to which an edge of one of these kinds leads; the answer tells all kinds and uses between the two. */
  kinds?: readonly EdgeKind[] | undefined;
  /** Parts that all occur in the name; see `namePartsOf`. */
  nameParts?: readonly string[] | undefined;
}

/** What nodes are counted by. */
export type Facet = "tag" | "owner" | "certification" | "connector";

/** How many nodes have a value. Owners are folded, as a filter names them; "" is none. */
export interface ValueCount {
  value: string;
  amount: number;
}

/** Whose statements are asked for, and of which types of nodes. */
export interface StatementQuery {
  connector: { id: string; name: string };
  types: readonly NodeType[];
}

export interface Page<T> {
  items: T[];
  hasMore: boolean;
}

/** A direct neighbour: one node, however many kinds of edge lead to it. */
export interface Neighbour {
  /** In the order of EDGE_KINDS. */
  kinds: EdgeKind[];
  /** The evidence of all edges between the two that are shown, from all claims, as `joinUses` orders it. */
  uses: ColumnUse[];
  node: CatalogNode;
}

/** Direct neighbours of one node at one level, in the order of their keys. A self-loop counts the node itself. */
export interface Neighbours {
  items: Neighbour[];
  /** All distinct neighbours that pass the filter, whatever the page. */
  total: number;
  hasMore: boolean;
}

export interface NeighbourQuery {
  /** The node whose neighbours are asked for. An unknown one has none. */
  id: string;
  direction: Direction;
  /** Which of the two levels that a metric, dashboard or pipeline belongs to; the one at which a walk from it goes unless told. */
  level?: Level | undefined;
  /** Of a column's edges only those that carry values, by `carriesValues`; without effect at the level of assets. */
  directOnly?: boolean | undefined;
  /** Which neighbours are shown and counted; all if it is left out. */
  only?: NeighbourFilter | undefined;
  /** At most this many; 0 asks for the total alone. */
  first: number;
  /** Begin behind this neighbour's key. */
  after: string | null;
}

/** Asks for the checks that need one asset or column, one page in the order of `checkKey`. */
export interface CheckQuery {
  /** The id of an asset or a column. An unknown one has no checks. */
  node: string;
  /** Only checks whose last run came to this; all unless told. */
  status?: CheckStatus | undefined;
  /** Of a column's edges only those that carry values, by `carriesValues`; without effect at the level of assets. */
  directOnly?: boolean | undefined;
  /** At most this many; 0 asks for the total alone. */
  first: number;
  /** Begin behind this check's key. */
  after: string | null;
}

export interface CheckPage extends Page<Check> {
  /** All that pass, whatever the page. */
  total: number;
}

export interface WalkQuery {
  root: string;
  direction: Direction;
  /** 1 to 10 hops. */
  depth: number;
  /** From a column, follow only edges that carry values, by `carriesValues`; without effect from anything else. */
  directOnly?: boolean | undefined;
  /** Keep at most this many nodes, the nearest first. */
  maxNodes: number;
  /** A walk with more edges than this among what it keeps is refused; any number unless told. */
  maxEdges?: number | undefined;
}

export type NodeCounts = Record<NodeType, number>;

/** Reading. Nothing here can change the graph. */
export interface GraphReader {
  /** The nodes in the order of `ids`, null where there is none. Any number of ids, repeated ones too. */
  loadNodes(workspace: string, ids: readonly string[]): Promise<(CatalogNode | null)[]>;
  /** The first by key that some connector states whose fqn is this one, folded; of a given type and platform where these are named. */
  findByFqn(
    workspace: string,
    fqn: string,
    only: { type?: NodeType | undefined; platform?: string | undefined },
  ): Promise<CatalogNode | null>;
  /** Columns of each table or model in the order (ordinal, key), unknown ordinals last; [] where there are none. One list an id. */
  loadColumns(workspace: string, parentIds: readonly string[]): Promise<CatalogNode[][]>;
  /** One page in the order of keys, behind the key `after`. */
  listNodes(
    workspace: string,
    filter: NodeFilter,
    page: { after: string | null; limit: number },
  ): Promise<Page<CatalogNode>>;
  /**
   * What one connector states, without what others and people say of the same nodes: one page in the order of keys,
   * behind the key `after`.
   */
  listStatements(
    workspace: string,
    query: StatementQuery,
    page: { after: string | null; limit: number },
  ): Promise<Page<StatedNode>>;
  /**
   * One page in the order of `comparePositions`, behind the position `after`.
   * Without `after` the mode is `all`; `any` if no row matches all within the filter; if none matches any, unknown words are
   * corrected by `search-spelling.ts`. A position carries the mode and the corrections on.
   */
  searchNodes(
    workspace: string,
    filter: NodeFilter,
    query: SearchQuery,
    page: { after: SearchPosition | null; limit: number },
  ): Promise<Page<{ node: CatalogNode; position: SearchPosition }>>;
  /** One answer a query, in the same order, in one round trip. */
  loadNeighbours(workspace: string, queries: readonly NeighbourQuery[]): Promise<Neighbours[]>;
  /**
   * The walk from a root, or null where the root does not exist.
   * @throws AppError `bad_request` with the reason `budget` where it has more edges than asked for
   */
  walk(workspace: string, query: WalkQuery): Promise<Lineage | null>;
  /** The last edit of each field that people edited; one list an id, [] of a node that nobody edited or that is not there. */
  loadEdits(workspace: string, ids: readonly string[]): Promise<Edit[][]>;
  /** One page a query. Of a check that several connectors state, the word of the highest precedence is shown. */
  loadChecks(workspace: string, queries: readonly CheckQuery[]): Promise<CheckPage[]>;
  /** One trail an id; an empty one where nothing was ever recorded, even of a metric that is unknown. */
  loadTrails(workspace: string, metricIds: readonly string[]): Promise<Trail[]>;
  /** The text of what each metric depends on; null where none is kept. One answer an id. */
  loadDependencies(workspace: string, metricIds: readonly string[]): Promise<(string | null)[]>;
  /**
   * What a change would affect, over the whole closure, by the rules of `catalog/impact`; null where the root does not exist.
   * The change must be one that `canChange` allows for the root's type.
   */
  assessImpact(workspace: string, query: ImpactQuery): Promise<Impact | null>;
  /** How many nodes of each type there are; of those that pass, where a filter is given. */
  countNodes(workspace: string, filter?: NodeFilter): Promise<NodeCounts>;
  /** Of those that pass: how many have each value, the most frequent first, then in the order of code points. */
  countValues(workspace: string, filter: NodeFilter, facet: Facet, limit: number): Promise<ValueCount[]>;
  /** The values that a filter could ask for, in the order of code points; "" is none. Owners are folded, as a filter names them. */
  listValues(workspace: string, facet: "tag" | "owner", limit: number): Promise<string[]>;
  /** Resolves when the store answers. */
  check(): Promise<void>;
}

export interface CatalogGraph extends GraphReader, GraphWriter {
  /**
   * Reads on somebody's behalf: long reads take turns with those of other holders, and end when the caller is gone.
   * What is read of the graph itself is read in the service's own name.
   */
  readerFor(caller: Caller): GraphReader;
  /** Finishes what is under way and lets the store go. */
  close(): Promise<void>;
}
