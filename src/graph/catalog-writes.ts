/** The writing half of the contract of the graph store: see `catalog-graph.ts`. */
import type { CatalogNode, Existence, NodeType } from "../catalog/asset.ts";
import type { CertificationChange } from "../catalog/certification.ts";
import type { Check } from "../catalog/check.ts";
import type { ColumnUse, Edge } from "../catalog/edge.ts";
import type { EditStamp } from "../catalog/edits.ts";
import type { Curation } from "../catalog/layers.ts";
import type { Reference } from "../catalog/reference.ts";
import type { NodeFacts } from "../catalog/statement.ts";

/** Whose word a write is, and of which crawl. */
export interface CrawlStamp {
  workspace: string;
  connectorId: string;
  connectorName: string;
  /** Higher wins where connectors differ; of equal ones the connector that was created first. */
  precedence: number;
  /** The same for SQL and lineage, of which nothing is mixed. */
  lineagePrecedence: number;
  /** ISO 8601, UTC. */
  connectorCreatedAt: string;
  syncId: string;
  /** When the crawl says so: ISO 8601, UTC. Becomes `createdAt` and `updatedAt`. */
  at: string;
}

/** One node with its identity worked out. */
export interface NodeWrite {
  id: string;
  /** What the connector takes it for: other holders may differ on tables and models. */
  type: NodeType;
  /** Whether the connector states it, or only names it in what it states of others; held unless told. */
  existence?: Existence;
  platform: string;
  parentId: string | null;
  facts: NodeFacts;
}

export interface EdgeWrite extends Edge {
  /** Its evidence; [] for all but edges of columns. */
  uses: readonly ColumnUse[];
}

/**
 * What one crawl came to, in assets that the connector states; exact however often its steps were repeated. Assets only: metrics are not counted.
 * Asked again later, it counts what no other sync of the connector stated or took back since.
 */
export interface CrawlTally {
  /** Assets that the sync stated. */
  discovered: number;
  /** Of these, the ones that the sync created, brought back, or changed in what is shown. */
  updated: number;
}

/** Writing, as a crawl or a person does it. Every call may be repeated. */
export interface GraphWriter {
  /** Records the connector's word on each node in this scope and stamps it as seen by this sync. The last of equal ids wins. */
  writeNodes(stamp: CrawlStamp, scope: string, nodes: readonly NodeWrite[]): Promise<void>;
  /**
   * Records edges with their uses and stamps them. Stated again by the same connector in the same scope, an edge's uses
   * are replaced; the last of equal edges wins. An edge is refused, and answered, where this connector does not state or name both ends,
   * or where there is no such level of edge between their types.
   */
  writeEdges(stamp: CrawlStamp, scope: string, edges: readonly EdgeWrite[]): Promise<EdgeWrite[]>;
  /**
   * Records the connector's checks in this scope. A check that is stated without a result keeps the last one that it had:
   * what ran last may have left it out.
   */
  writeChecks(stamp: CrawlStamp, scope: string, checks: readonly Check[]): Promise<void>;
  /**
   * Records which columns the SQL of assets names. Only an impact follows these: no walk, no neighbours and no count of
   * them shows one. Refused, and answered, where this connector does not state or name both ends or `canReference` forbids it.
   */
  writeReferences(stamp: CrawlStamp, scope: string, references: readonly Reference[]): Promise<Reference[]>;
  /**
   * Takes back the connector's word in this scope on every node, edge, reference and check that this sync did not state.
   * An edge or reference also goes when its connector has no word on one of its ends left in any scope.
   * A node of which no connector says anything any more vanishes from sight. Answers how many did.
   */
  sweep(stamp: CrawlStamp, scope: string): Promise<{ removed: number }>;
  /**
   * Notes that the crawl of this scope ended before all was read: what the connector states in it may lack lineage, until
   * the scope is swept.
   */
  markIncomplete(stamp: CrawlStamp, scope: string): Promise<void>;
  tally(stamp: CrawlStamp): Promise<CrawlTally>;
  /**
   * Gives what the connector said before the name that the stamp bears: one bounded step. What was renamed is left alone.
   * @param after where the step before ended; null at the beginning
   * @returns where the next step goes on; null where nothing is left to rename
   */
  renameConnector(stamp: CrawlStamp, after: string | null): Promise<string | null>;
  /**
   * Takes back all that the connector ever said, in every scope: one bounded step, to be repeated until it is done. From the
   * first step on, whatever is written in the connector's name is refused with `conflict`, so that a crawl under way brings
   * nothing back. Nodes vanish as by `sweep`.
   */
  removeConnector(stamp: CrawlStamp): Promise<RemovalStep>;
  /**
   * Lays a person's word over a node: given keys are set, keys given as null go back to the connectors' word. Each given
   * field keeps who edited it last. Null where there is no such node.
   */
  curate(workspace: string, id: string, change: CurationChange, edit: EditStamp): Promise<CatalogNode | null>;
  /**
   * Records people's own word on a node and its edges, in place of what they said of it before: all of it at once. Edges
   * are refused as by `writeEdges`, and left out. The scope is the node's id, by which `sweep` takes the word back.
   * @param stamp of `PEOPLE`
   * @param expected whether people's word on it is a new one
   */
  stateByHand(
    stamp: CrawlStamp,
    node: NodeWrite,
    edges: readonly EdgeWrite[],
    expected: "new" | "known",
  ): Promise<StatementOutcome>;
  /**
   * Changes a metric's certification, its trail and what it depends on: all of it or nothing, and only where the metric is
   * as the caller saw it. A trail outlives crawls, and the metric's removal and return.
   */
  certify(workspace: string, id: string, change: CertificationChange): Promise<CertificationOutcome>;
  /** Resolves when the store takes writes; it tries one that changes nothing. */
  checkWrites(): Promise<void>;
}

/** `exists`: the node is there already. `missing`: people have not said anything of such a node. */
export type StatementOutcome = "done" | "exists" | "missing";

/** `overtaken`: somebody else acted since the caller looked. `missing`: there is no such metric. */
export type CertificationOutcome = "done" | "overtaken" | "missing";

export interface RemovalStep {
  /** Nodes that nobody holds any more. */
  removed: number;
  done: boolean;
}

export type CurationChange = { [K in Exclude<keyof Curation, "pendingOver" | "edits">]?: Curation[K] | null };
