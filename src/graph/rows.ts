/**
 * The rows that the graph is made of, and what an engine must do with them. `core/` says once what each write means: it
 * loads the rows that a write touches, works out what they shall be, and saves the difference. An engine is a
 * `RowStore`, which knows nothing of the meaning. Each chunk of a write is one transaction, which the engine opens.
 * Reading (lists, search, walks) is each engine's own.
 */
import type { Answer } from "../catalog/impact/source.ts";
import type { NodeType } from "../catalog/node-types.ts";
import type { ResultChange } from "../catalog/changes/result-change.ts";
import type { Check, CheckResult } from "../catalog/check.ts";
import type { CertificationStep, KeptDependencies } from "../catalog/certification.ts";
import type { Edge, Level } from "../catalog/edge.ts";
import type { ConnectorLayer, Curation, NodeIdentity, ShownNode } from "../catalog/layers.ts";
import type { Reference } from "../catalog/reference.ts";
import type { AssetUsage } from "../catalog/usage.ts";
import type { ConnectorId, NodeId } from "../ids.ts";
import type { CrawlStamp, GraphWriter } from "./catalog-writes.ts";
import type { CopyRows, KeptLink, Stated } from "./graph-copy.ts";
import type { KeptNode, NodeState } from "./history/kept-node.ts";
import type { Moment } from "./history/moments.ts";

/** What is kept of a node while it is visible, and after its removal. */
export interface NodePast {
  identity: NodeIdentity;
  createdAt: string;
  curation: Curation;
}

/** A visible node. */
export interface NodeRow extends NodePast {
  updatedAt: string;
  /** The moment from which on the node has been shown like this, with this lineage owner; 0 if history began later. */
  since: number;
  /** The connector whose SQL and lineage are shown for the node and its columns. */
  lineageOwner: ConnectorId | null;
  /** It is apart from the fingerprint, because a change of it is no change of the node. */
  usage: AssetUsage | null;
  /** What is shown and searched of the node, as `fingerprintOf` gives it. */
  fingerprint: string;
  /** The scopes that state the node, as `sourcesOf` gives them. */
  sources: string | number;
}

/** What one connector states about a node in one scope. A node is visible while it has a claim. */
export interface ClaimRow extends Stated, Omit<ConnectorLayer, "facts"> {
  nodeId: NodeId;
  /** JSON. Most crawls state the same as before, and the texts are then equal: nothing needs to be parsed. */
  facts: string;
  /** The sync that stated the node first in this scope, and when. */
  firstSyncId: string | null;
  since: string;
  /** The last sync in which this claim changed what is shown. */
  changedBy: string | null;
}

/** A check that one connector states in one scope. */
export interface CheckRow extends Stated {
  precedence: number;
  check: Check;
  /** JSON of the check without its result. */
  definition: string;
}

/** One end of an edge. */
export interface End {
  type: NodeType;
  /** That of the node; for a column, that of its parent. */
  lineageOwner: ConnectorId | null;
}

/** An edge with the text of its uses, which many edges share. */
export interface EdgeText extends Edge {
  /** As `usesText` writes it. */
  uses: string;
  carriesValues: boolean;
}

/** An edge that one connector states in one scope. */
export interface EdgeRow extends EdgeText, Stated {
  /** The moment from which on it was stated like this; absent: this one. */
  since?: number;
  levels: readonly Level[];
  /** The connector whose edges of this kind into the node are shown; null shows those of all. */
  owner: ConnectorId | null;
}

/** A reference that one connector states in one scope, with the connector whose references are shown, as in `EdgeRow`. */
export type ReferenceRow = Reference & Stated & Pick<EdgeRow, "owner" | "since">;

/** A node that is new, or whose row changes. */
export interface NodeChange {
  before: NodeRow | null;
  now: NodeRow;
  shown: ShownNode;
  statedBy: NodeState["statedBy"];
}

/** A node whose lineage comes from another connector than before. */
export interface OwnerChange {
  id: NodeId;
  parentId: NodeId | null;
  before: ConnectorId | null;
  now: ConnectorId | null;
}

/** What a write changes, in the order in which it is saved. `core/save-change.ts` keeps what it replaces. */
export interface Difference {
  /** Removed nodes that are visible again: what was kept of them is in `nodes` now. */
  returned?: readonly NodeId[];
  nodes?: readonly NodeChange[];
  /** Claims that are new or say something else than before. */
  claims?: readonly ClaimRow[];
  /** Claims that say the same as before: only the sync that stated them last changes. */
  restated?: readonly ClaimRow[];
  /** Nodes about which the connector says nothing any more: its edges and references there are removed. */
  left?: { by: CrawlStamp; nodes: readonly NodeId[] };
  /** Nodes that nobody states or names any more. */
  gone?: readonly NodeRow[];
  /** Nodes that the sync changed by something else than a claim. It is noted at all claims of its connector. */
  changed?: { by: CrawlStamp; nodes: readonly NodeId[] };
  /** From now on, the edges and references into these nodes are shown if they come from the new owner. */
  owners?: readonly OwnerChange[];
}

/** A connector of the store's workspace. */
export type Owner = Pick<CrawlStamp, "connectorId">;

/** What was deleted in one step. */
export interface Taken {
  /** Nodes that have lost a claim. */
  nodes: readonly NodeId[];
  /** Whether nothing is left to delete. */
  isAll: boolean;
}

/** One scope of a connector. */
export type Scope = Pick<Stated, "connectorId" | "scope">;

/** What is known of connectors and their scopes. */
export interface SourceRows {
  /**
   * Makes the scope one of the connector's, if it is not.
   * @returns whether the connector was removed, and the last run that wrote: in the scope if it has runs of its own,
   * else in any
   */
  openSource: (stamp: CrawlStamp, scope: string) => Answer<{ isRemoved: boolean; lastRun: number }>;
  /** Makes the scopes, if they are not there. */
  makeSources: (scopes: readonly Scope[]) => Answer<void>;
  /** Notes the last runs of connectors. No run is set back. */
  noteRuns: (runs: readonly (Owner & { run: number })[]) => Answer<void>;
  /** The same for scopes with runs of their own. */
  noteScopeRuns: (runs: readonly (Scope & { run: number })[]) => Answer<void>;
  /** Notes whether the last crawl of each scope has read everything. */
  noteCompleteness: (scopes: readonly Scope[], isComplete: boolean) => Answer<void>;
  isRemoved: (owner: Owner) => Answer<boolean>;
  /** From then on, nothing is written in the connector's name. */
  markRemoved: (owner: Owner) => Answer<void>;
}

/** Steps that delete or rename some of what a connector stated. */
export interface TakenRows {
  /**
   * Deletes what this sync did not state in the scope: claims, edges, references and checks. It may leave some for the
   * next step.
   */
  takeUnseen: (stamp: CrawlStamp, scope: string) => Answer<Taken>;
  /** Deletes some of what the connector stated. */
  takeStated: (owner: Owner) => Answer<Taken>;
  /** Writes the connector's name to some claims that have another one. `next` is null at the end. */
  renameSomeClaims: (stamp: CrawlStamp, after: string | null) => Answer<{ nodes: NodeId[]; next: string | null }>;
}

interface NodeRows {
  /** A text that differs if anything differs that is shown or searched. */
  fingerprintOf: (node: ShownNode) => string;
  /** A value that differs if other scopes state the node. Scopes of people do not count, because they have no crawls. */
  sourcesOf: (claims: readonly ClaimRow[]) => string | number;
  /** An id without a visible node has no entry. */
  loadNodes: (ids: readonly NodeId[]) => Answer<ReadonlyMap<NodeId, NodeRow>>;
  /** What is kept of those that were removed. */
  loadRemoved: (ids: readonly NodeId[]) => Answer<ReadonlyMap<NodeId, NodePast>>;
  /** Keeps what nodes need if they return. They must not be visible. */
  keepRemoved: (nodes: readonly NodePast[]) => Answer<void>;
  /** What all connectors state about the nodes. An id without a visible node has no entry. */
  loadClaims: (ids: readonly NodeId[]) => Answer<ReadonlyMap<NodeId, ClaimRow[]>>;
  loadLineageOwners: (ids: readonly NodeId[]) => Answer<ReadonlyMap<NodeId, ConnectorId | null>>;
  /** Columns of these nodes that may look different under the new owner. */
  findSwitchedColumns: (changes: readonly OwnerChange[]) => Answer<NodeId[]>;
}

export interface ConnectionRows {
  /**
   * Stamps what a scope states exactly as before, of which nothing else needs to be written. Each item is an edge or a
   * reference.
   * @returns for each, whether it was. An engine that does not know says no.
   */
  restate: (stated: Stated, items: readonly (EdgeText | Reference)[]) => Answer<boolean[]>;
  /** The ends among these nodes: those that the connector states or names in any scope. */
  loadEnds: (connector: ConnectorId, ids: readonly NodeId[]) => Answer<ReadonlyMap<NodeId, End>>;
  /** Saves edges in the form in which the engine walks them. If an edge occurs twice, the last one wins. */
  saveEdges: (edges: readonly EdgeRow[]) => Answer<void>;
  saveReferences: (references: readonly ReferenceRow[]) => Answer<void>;
}

export interface StoredCheck extends Pick<CheckRow, "definition"> {
  result: CheckResult | null;
}

export interface CheckRows {
  /** What is stored of these checks, as far as they are. */
  loadStoredChecks: (checks: readonly CheckRow[]) => Answer<ReadonlyMap<CheckRow, StoredCheck>>;
  /** Those of these that are shown if several connectors or scopes state the same check. All must be stored. */
  findShownChecks: (checks: readonly CheckRow[]) => Answer<ReadonlySet<CheckRow>>;
  /**
   * A check without a result keeps its previous one.
   * @param redefined those whose definition is new or changed, with what they need now
   */
  saveChecks: (
    checks: readonly CheckRow[],
    redefined: readonly { row: CheckRow; needs: ReadonlyMap<NodeId, string> }[],
  ) => Answer<void>;
}

export interface TrailRows {
  countSteps: (metric: NodeId) => Answer<number>;
  /** Adds the step at this place, from 1. */
  addStep: (metric: NodeId, place: number, step: CertificationStep) => Answer<void>;
  replaceSteps: (trails: readonly Pick<CopyRows["certifications"], "metric" | "steps">[]) => Answer<void>;
  /** Null removes what was kept. */
  keepDependencies: (metric: NodeId, dependencies: KeptDependencies | null) => Answer<void>;
}

/**
 * The history of a workspace. The engine itself keeps edges and references that are replaced or deleted, because no
 * write loads them before.
 */
export interface HistoryRows {
  /** The moment of this transaction. It is made if the last moment has another author. */
  openMoment: () => Answer<Moment>;
  /** The states in which these nodes are stored. */
  loadStates: (rows: readonly NodeRow[]) => Answer<ReadonlyMap<NodeId, NodeState>>;
  /** What was kept of these nodes until this moment. */
  loadKept: (ids: readonly NodeId[], until: number) => Answer<ReadonlyMap<NodeId, KeptNode>>;
  /** A row replaces the one that ends at the same moment. */
  saveKept: (rows: readonly KeptNode[]) => Answer<void>;
  saveKeptLinks: (rows: readonly KeptLink[]) => Answer<void>;
  /** In ascending order. They replace the history from the first of them on. */
  saveMoments: (moments: readonly Moment[]) => Answer<void>;
  dropKept: (ids: readonly NodeId[], until: number) => Answer<void>;
  /** A row replaces the one of the same check and moment. */
  saveResultChanges: (rows: readonly ResultChange[]) => Answer<void>;
  /** @returns the checks among these whose result had changed at the moment, without that change now */
  dropResultChanges: (checks: readonly string[], moment: number) => Answer<ReadonlySet<string>>;
}

/** The rows of one workspace, in one transaction. */
export interface RowStore extends SourceRows, TakenRows, NodeRows, ConnectionRows, CheckRows, TrailRows, HistoryRows {
  save: (difference: Difference) => Answer<void>;
}

/** What a write of the contract means, in rows. It runs in one transaction, which the store serves. */
export type Write<Name extends keyof GraphWriter> = GraphWriter[Name] extends (...args: infer Args) => infer Answer
  ? (store: RowStore, ...args: Args) => Answer
  : never;
