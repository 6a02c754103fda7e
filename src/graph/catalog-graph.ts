/**
 * The contract of the graph store: it holds every fact about assets and metrics, and the lineage between them. Reading
 * is in this file, writing in `catalog-writes.ts`. `core/` says what each write means. Two engines store the rows and read them, `sqlite/`
 * and `memgraph/`; `test/contract/catalog-graph.ts` tests both.
 *
 * Every call names a workspace. It cannot see anything of another workspace. Only nodes that a connector states or
 * names are visible. A removed node keeps its id, `createdAt` and curation, in case it returns. A node that connectors
 * only name is found by its id, among the columns of its table, and in lineage. It is in no list, search, count,
 * look-up by fqn or list of filter values.
 * What an asset is made from comes from one connector, the lineage owner (see `layers.ts`). Only the owner's edges
 * and references into the asset and its columns are shown. Those of other connectors are kept, and are shown as soon as
 * their connector becomes the owner.
 * Every method rejects with `unavailable` if the store cannot be reached. Acknowledged writes survive `kill -9`.
 */
import type { CatalogNode, Certification } from "../catalog/asset.ts";
import type { NodeType } from "../catalog/node-types.ts";
import type { Trail } from "../catalog/certification.ts";
import type { Check, CheckStatus } from "../catalog/check.ts";
import type { ColumnUse, Direction, EdgeKind, Level } from "../catalog/edge.ts";
import type { Edit } from "../catalog/edits.ts";
import type { NodeSource } from "../catalog/node-source.ts";
import type { FolderPath } from "../catalog/identity.ts";
import type { StatedNode, StatementQuery } from "../catalog/layers.ts";
import type { Impact, ImpactQuery } from "../catalog/impact.ts";
import type { Lineage } from "../catalog/lineage.ts";
import type { NodeOrder, NodePlace, SortedPage } from "../catalog/node-order.ts";
import type { SearchPosition, SearchQuery } from "../catalog/search.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { CausesReader } from "./history/causes-reader.ts";
import type { Caller } from "../work/caller.ts";
import type { GraphWriter } from "./catalog-writes.ts";
import type { ChangeReader } from "./history/list-changes.ts";

export interface NodeFilter {
  /** `asset`: every type but metrics. */
  types: readonly NodeType[] | "asset";
  tag?: string | undefined;
  certification?: Certification | undefined;
  /** The owner's e-mail address, in any case; "" for nodes without one. */
  owner?: string | undefined;
  /** A connector's name. Only nodes that this connector holds pass. */
  connector?: string | undefined;
  /** A person or team: the owner's address, the owner's name, or the certifier's address, in any case. */
  responsible?: string | undefined;
  /** Whether the node has a description. */
  described?: boolean | undefined;
  /** Only nodes with a check whose last run failed or was not completed. */
  failing?: true | undefined;
  /** The first parts of fully qualified names, such as `shop.marts`, in any case; see `keysWithin`. */
  schema?: string | undefined;
  /** Only nodes whose schema is exactly `schema`, not those of schemas within. A schema of "" is none. */
  directly?: true | undefined;
  /** The platform, as a node says it. */
  platform?: string | undefined;
}

/**
 * Which neighbours are shown and counted: those that pass all that is given. What is only named passes no filter by tag,
 * certification, owner or connector.
 */
export interface NeighbourFilter extends Omit<
  NodeFilter,
  "types" | "responsible" | "described" | "failing" | "directly" | "platform"
> {
  types?: readonly NodeType[] | undefined;
  /** Neighbours to which an edge of one of these kinds leads; the answer tells all kinds and uses between the two. */
  kinds?: readonly EdgeKind[] | undefined;
  /** Parts that all occur in the name; see `namePartsOf`. */
  nameParts?: readonly string[] | undefined;
}

/** A property that a filter can name, by which nodes are counted. */
export type Facet = "tag" | "owner" | "certification" | "connector" | "responsible";

/** What nodes are counted by. `schema` is the folded path of the schema, as `schemaOf` of a sort key says. */
export type CountedBy = Exclude<Facet, "responsible"> | "schema";

/** How many nodes have a value. Owners are folded, as in a filter. "" means no value. */
export interface ValueCount {
  value: string;
  amount: number;
}

/** Which page of a list in the order of keys or values. */
interface PageAfter {
  after: string | null;
  limit: number;
}

export interface Page<T> {
  items: T[];
  hasMore: boolean;
}

/** A direct neighbour. It is listed once, even if several kinds of edges lead to it. */
export interface Neighbour {
  /** In the order of EDGE_KINDS. */
  kinds: EdgeKind[];
  /** The evidence of all shown edges between the two nodes, from all connectors, in the order of `joinUses`. */
  uses: ColumnUse[];
  node: CatalogNode;
}

/**
 * Direct neighbours of one node at one level, in the order of their keys. If an edge leads from the node to itself, the
 * node is its own neighbour.
 */
export interface Neighbours {
  items: Neighbour[];
  /** The number of all distinct neighbours that pass the filter, not only those of this page. */
  total: number;
  hasMore: boolean;
}

export interface NeighbourQuery {
  /** The node whose neighbours are listed. An unknown id has no neighbours. */
  id: NodeId;
  direction: Direction;
  /**
   * The level, for a metric, dashboard or pipeline, which belongs to both. If absent, it is the level of a walk from
   * the node.
   */
  level?: Level | undefined;
  /**
   * If true, only edges of a column that carry values (see `carriesValues`). It has no effect at the level of assets.
   */
  directOnly?: boolean | undefined;
  /** Which neighbours are shown and counted; all if it is left out. */
  only?: NeighbourFilter | undefined;
  /** At most this many; 0 returns only the total. */
  first: number;
  /** Starts after the neighbour with this key. */
  after: string | null;
}

/** Asks for one page of the checks that need an asset or column, in the order of `checkKey`. */
export interface CheckQuery {
  /** The id of an asset or a column. An unknown one has no checks. */
  node: NodeId;
  /** Only checks with this status; all if absent. */
  status?: CheckStatus | undefined;
  /** At most this many; 0 returns only the total. */
  first: number;
  /** Starts after the check with this key. */
  after: string | null;
}

export interface CheckPage extends Page<Check> {
  /** The number of all checks that match, not only those of this page. */
  total: number;
}

export interface WalkQuery {
  root: NodeId;
  direction: Direction;
  /** 1 to `MAX_DEPTH + 1` hops. */
  depth: number;
  /**
   * If true, a walk from a column follows only edges that carry values (see `carriesValues`). It has no effect on other
   * walks.
   */
  directOnly?: boolean | undefined;
  /** Keeps at most this many nodes, the nearest first; 0 only counts them. */
  maxNodes: number;
  /** Refuses a walk that keeps more edges than this; no limit if absent. */
  maxEdges?: number | undefined;
}

export type NodeCounts = Record<NodeType, number>;

/** Reading. Nothing here changes the graph. */
export interface GraphReader extends CausesReader, ChangeReader {
  /** The nodes in the order of `ids`; null for an id without a node. Ids may be repeated, and there is no limit. */
  loadNodes(workspace: WorkspaceId, ids: readonly NodeId[]): Promise<(CatalogNode | null)[]>;
  /**
   * The nodes with this folded fqn that a connector states, in the order of keys: at most `MAX_NAMESAKES`. `type` and
   * `platform` restrict them further.
   */
  loadByFqn(
    workspace: WorkspaceId,
    fqn: string,
    only: { type?: NodeType | undefined; platform?: string | undefined },
  ): Promise<CatalogNode[]>;
  /**
   * Columns of each table or model in the order (ordinal, key), unknown ordinals last. One list for each id; [] if
   * there are none.
   */
  loadColumns(workspace: WorkspaceId, parentIds: readonly NodeId[]): Promise<CatalogNode[][]>;
  /** One page in the order of keys. It starts after the key `after`. */
  listNodes(workspace: WorkspaceId, filter: NodeFilter, page: PageAfter): Promise<Page<CatalogNode>>;
  /**
   * One page in an order that changes with the nodes, so a node that is written between two pages may be on both or on
   * neither. It starts after the place `after`. Columns are left out: see `sortedTypes`.
   */
  sortNodes(
    workspace: WorkspaceId,
    filter: NodeFilter,
    order: NodeOrder,
    page: SortedPage,
  ): Promise<Page<{ node: CatalogNode; place: NodePlace }>>;
  /**
   * What one connector states, without what others and people say about the same nodes: one page in the order of keys.
   * It starts after the key `after`.
   */
  listStatements(workspace: WorkspaceId, query: StatementQuery, page: PageAfter): Promise<Page<StatedNode>>;
  /**
   * One page in the order of `comparePositions`. It starts after the position `after`. Without `after`, the mode is
   * first `all`. If no row within the filter matches all terms, it is `any`. If no row matches any term, unknown words
   * are corrected by `search-spelling.ts`. Each position contains the mode and the corrections for the next page.
   */
  searchNodes(
    workspace: WorkspaceId,
    filter: NodeFilter,
    query: SearchQuery,
    page: { after: SearchPosition | null; limit: number },
  ): Promise<Page<{ node: CatalogNode; position: SearchPosition }>>;
  /** One answer for each query, in the same order, in one round trip. */
  loadNeighbours(workspace: WorkspaceId, queries: readonly NeighbourQuery[]): Promise<Neighbours[]>;
  /**
   * The walk from a root. Returns null if the root does not exist.
   * @throws AppError `bad_request` with the reason `budget` if it has more edges than `maxEdges`
   */
  walk(workspace: WorkspaceId, query: WalkQuery): Promise<Lineage | null>;
  /**
   * The last edit of each field that people edited. One list for each id; [] if nobody edited the node or if it does
   * not exist.
   */
  loadEdits(workspace: WorkspaceId, ids: readonly NodeId[]): Promise<Edit[][]>;
  /** Which connectors state or name each node, and how. One list for each id; [] if the node does not exist. */
  loadSources(workspace: WorkspaceId, ids: readonly NodeId[]): Promise<NodeSource[][]>;
  /** One page for each query. If several connectors state a check, the one with the highest precedence is shown. */
  loadChecks(workspace: WorkspaceId, queries: readonly CheckQuery[]): Promise<CheckPage[]>;
  /** One trail for each id. It is empty if nothing was recorded, or if the metric is unknown. */
  loadTrails(workspace: WorkspaceId, metricIds: readonly NodeId[]): Promise<Trail[]>;
  /** The text of what each metric depends on; null if none is kept. One answer for each id. */
  loadDependencies(workspace: WorkspaceId, metricIds: readonly NodeId[]): Promise<(string | null)[]>;
  /**
   * What a change would affect, over the whole lineage, by the rules of `catalog/impact`. Returns null if the root does
   * not exist. `canChange` must allow the change for the root's type, unless it has `otherRows`.
   */
  assessImpact(workspace: WorkspaceId, query: ImpactQuery): Promise<Impact | null>;
  /** How many nodes of each type there are. If a filter is given, only nodes that pass it count. */
  countNodes(workspace: WorkspaceId, filter?: NodeFilter): Promise<NodeCounts>;
  /**
   * How many nodes that pass the filter have each value: the most frequent value first, then in the order of code
   * points.
   */
  countValues(workspace: WorkspaceId, filter: NodeFilter, facet: CountedBy, limit: number): Promise<ValueCount[]>;
  /**
   * The values that a filter can name, in the order of code points. "" is left out. Owners are folded, as in a filter.
   */
  listValues(workspace: WorkspaceId, facet: "tag" | "owner", limit: number): Promise<string[]>;
  /**
   * The name that sources state with each owner's address, in any case: the first in the order of code points, "" if none
   * does.
   */
  loadOwnerNames(workspace: WorkspaceId, addresses: readonly string[]): Promise<string[]>;
  /**
   * One page of the folders at a place, with how many assets are in each, in the order of code points: platforms, the
   * databases of a platform, or the whole schemas of a database. Columns and metrics do not count. It starts after the
   * value `after`.
   */
  listFolders(workspace: WorkspaceId, path: FolderPath, page: PageAfter): Promise<Page<ValueCount>>;
  /**
   * Answers as the graph was at a time (ISO 8601, UTC).
   * @throws AppError `bad_request` if history begins later, or if more rows must be read than the caller may read
   */
  readPast<K extends keyof PastReader>(
    at: string,
    read: K,
    ...args: Parameters<PastReader[K]>
  ): Promise<Awaited<ReturnType<PastReader[K]>>>;
  /** Resolves when the store answers. */
  check(): Promise<void>;
}

/** The reads that can be asked about an earlier time. Checks and usage have no history: they are absent, and null. */
export type PastReader = Pick<
  GraphReader,
  | "loadNodes"
  | "loadByFqn"
  | "loadColumns"
  | "listNodes"
  | "sortNodes"
  | "countNodes"
  | "loadNeighbours"
  | "walk"
  | "assessImpact"
>;

export interface CatalogGraph extends GraphReader, GraphWriter {
  /**
   * A reader for one caller. Its long reads take turns with those of other tenants, and end when the caller is gone.
   * Reads on the graph itself run in the name of the service.
   */
  readerFor(caller: Caller): GraphReader;
  /** Finishes the work in progress and closes the store. */
  close(): Promise<void>;
}
