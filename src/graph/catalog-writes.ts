/** The contract of the graph store, second half: writing. See `catalog-graph.ts`. */
import type { CatalogNode, Existence } from "../catalog/asset.ts";
import type { NodeType } from "../catalog/node-types.ts";
import type { CertificationChange } from "../catalog/certification.ts";
import type { Check } from "../catalog/check.ts";
import type { ColumnUse, Edge } from "../catalog/edge.ts";
import type { EditStamp, SeenFields } from "../catalog/edits.ts";
import type { Curation } from "../catalog/layers.ts";
import type { Reference } from "../catalog/reference.ts";
import type { NodeFacts } from "../catalog/statement.ts";
import type { ConnectorId, NodeId, WorkspaceId } from "../ids.ts";

/** Says which connector and which crawl a write belongs to. */
export interface CrawlStamp {
  workspace: WorkspaceId;
  connectorId: ConnectorId;
  connectorName: string;
  /** If connectors disagree, the higher one wins. If two are equal, the connector that was created first wins. */
  precedence: number;
  /** The same for SQL and lineage. These come from one connector and are never mixed. */
  lineagePrecedence: number;
  /** ISO 8601, UTC. */
  connectorCreatedAt: string;
  /** The id of the sync. Other work than a crawl uses a text of its own. */
  syncId: string;
  /**
   * The number of this run of the connector. From the first write of a later run on, writes of earlier ones are refused
   * with `conflict`, so that a worker that was frozen cannot undo what another one wrote. 0 for other work.
   */
  run: number;
  /** Whether each scope has runs of its own, as what others send is written in. False if absent. */
  runsByScope?: boolean;
  /** The time of the statement: ISO 8601, UTC. It becomes `createdAt` and `updatedAt`. */
  at: string;
  /** Who stated it, if that was a person. */
  actor?: string;
}

/** One node with its id and its parent's id. */
export interface NodeWrite {
  id: NodeId;
  /** The type that the connector gives the node. Connectors may disagree whether it is a table or a model. */
  type: NodeType;
  /** Whether the connector states the node, or only names it in statements about other nodes. `held` if absent. */
  existence?: Existence;
  platform: string;
  parentId: NodeId | null;
  facts: NodeFacts;
}

export interface EdgeWrite extends Edge {
  /** The evidence of the edge; [] if it is not an edge between columns. */
  uses: readonly ColumnUse[];
}

/**
 * The result of one crawl, in assets that the connector states. Metrics do not count. Repeated steps of the crawl do
 * not change the numbers. If it is asked again later, it leaves out what another sync of the connector has stated or
 * removed since.
 */
export interface CrawlTally {
  /** Assets that the sync stated. */
  discovered: number;
  /** Those assets that the sync created, brought back, or changed in what is shown. */
  updated: number;
}

/** In assets and metrics that one connector states. */
export interface CrawlLosses {
  /** Those that it stated before this sync. 0 if nothing is lost. */
  known: number;
  /** Those among them that no scope of the connector states any more after the sweeps. */
  lost: number;
}

/**
 * Writing, by a crawl or a person. Every call may be repeated. What a crawl writes is safe from a power failure once a
 * later `sweep`, `markIncomplete` or `tally` has returned; it is safe from the end of the process at once.
 */
export interface GraphWriter {
  /**
   * Records what the connector states about each node in this scope, and stamps it as seen by this sync. If an id
   * occurs twice, the last one wins.
   */
  writeNodes(stamp: CrawlStamp, scope: string, nodes: readonly NodeWrite[]): Promise<void>;
  /**
   * Records edges with their uses and stamps them. If the same connector states an edge again in the same scope, the
   * uses are replaced. If an edge occurs twice, the last one wins. Edges are refused and returned if this connector
   * does not state or name both ends, or if no edge can exist between their types.
   */
  writeEdges(stamp: CrawlStamp, scope: string, edges: readonly EdgeWrite[]): Promise<EdgeWrite[]>;
  /**
   * Records the connector's checks in this scope. A check that is stated without a result keeps its previous result,
   * because the last run may have left the check out.
   */
  writeChecks(stamp: CrawlStamp, scope: string, checks: readonly Check[]): Promise<void>;
  /**
   * Records which columns the SQL of assets names. Only impacts read these references. They are in no walk, in no list
   * of neighbours and in no count of them. References are refused and returned if this connector does not state or name
   * both ends, or if `canReference` forbids it.
   */
  writeReferences(stamp: CrawlStamp, scope: string, references: readonly Reference[]): Promise<Reference[]>;
  /**
   * Removes what the connector stated in this scope about every node, edge, reference and check that this sync did not
   * state. An edge or reference is also removed if its connector states nothing about one of its ends any more, in any
   * scope. A node disappears if no connector states or names it any more. Returns how many nodes disappeared.
   */
  sweep(stamp: CrawlStamp, scope: string): Promise<{ removed: number }>;
  /**
   * Notes that the crawl of this scope ended before everything was read. Until the scope is swept, what the connector
   * states in it may lack lineage.
   */
  markIncomplete(stamp: CrawlStamp, scope: string): Promise<void>;
  /** The scopes in which the connector has stated something, in the order of code points. */
  listScopes(stamp: CrawlStamp): Promise<string[]>;
  /**
   * Counts what sweeps of these scopes would remove of what the connector stated before this sync: assets and metrics,
   * without columns.
   */
  countLosses(stamp: CrawlStamp, scopes: readonly string[]): Promise<CrawlLosses>;
  tally(stamp: CrawlStamp): Promise<CrawlTally>;
  /**
   * Writes the name in the stamp to everything that the connector stated: one bounded step. Statements that have the
   * name already are skipped.
   * @param after where the previous step ended; null at the beginning
   * @returns where the next step starts; null if nothing is left to rename
   */
  renameConnector(stamp: CrawlStamp, after: string | null): Promise<string | null>;
  /**
   * Removes everything that the connector stated, in every scope: one bounded step, to be repeated until it is done.
   * From the first step on, writes in the connector's name are refused with `conflict`, so that a running crawl brings
   * nothing back. Nodes disappear as in `sweep`.
   */
  removeConnector(stamp: CrawlStamp): Promise<RemovalStep>;
  /**
   * Records what a person says about a node. Keys with a value are set. Keys with null return to what the connectors
   * say. Each given field keeps who edited it last. Returns null if the node does not exist.
   * @param seen what the fields showed to the editor, because two people may edit at the same time
   * @throws AppError `conflict` if a field that is changed shows something else; then nothing is changed
   */
  curate(
    workspace: WorkspaceId,
    id: NodeId,
    change: CurationChange,
    edit: EditStamp,
    seen?: SeenFields,
  ): Promise<CatalogNode | null>;
  /**
   * Records what people state about a node. It replaces what they stated before, all at once. Edges that `writeEdges`
   * would refuse are left out. The scope is the node's id, so `sweep` with that scope removes the statement.
   * @param stamp a stamp of `PEOPLE`
   * @param expected whether people state this node for the first time
   */
  stateByHand(stamp: CrawlStamp, statement: HandStatement, expected: "new" | "known"): Promise<StatementOutcome>;
  /**
   * Changes a metric's certification, its trail and its dependencies: all of it or nothing, and only if the metric is
   * as the caller saw it. The trail survives crawls, and the removal and return of the metric.
   */
  certify(workspace: WorkspaceId, id: NodeId, change: CertificationChange): Promise<CertificationOutcome>;
  /**
   * Removes the history that is only needed for times before `before`: one bounded step, to be repeated until it is done.
   * Certification trails stay.
   * @returns whether nothing is left to remove
   */
  sweepHistory(workspace: WorkspaceId, before: string): Promise<boolean>;
  /** Resolves if the store accepts writes. It tries one that changes nothing. */
  checkWrites(): Promise<void>;
}

/** What people state about a node of their own. */
interface HandStatement {
  node: NodeWrite;
  /** The nodes at the other ends of its edges, as `referenced`. A column's relation comes before it. */
  named: readonly NodeWrite[];
  edges: readonly EdgeWrite[];
}

/** `exists`: somebody states the node already. `missing`: people have not stated such a node. */
type StatementOutcome = "done" | "exists" | "missing";

/** `overtaken`: somebody else changed it after the caller looked. `missing`: the metric does not exist. */
export type CertificationOutcome = "done" | "overtaken" | "missing";

export interface RemovalStep {
  /** Nodes that no connector states or names any more. */
  removed: number;
  done: boolean;
}

export type CurationChange = { [K in Exclude<keyof Curation, "pendingOver" | "edits">]?: Curation[K] | null };
