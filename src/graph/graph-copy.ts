/**
 * The graph of one workspace as rows that belong to no engine: how it moves from one store to another. The rows are what
 * connectors and people stated. What follows from them (the nodes as shown, search, which lineage is hidden) is worked
 * out again by the store that takes them.
 */
import type { ResultChange } from "../catalog/changes/result-change.ts";
import type { Check } from "../catalog/check.ts";
import type { CertificationStep, KeptDependencies } from "../catalog/certification.ts";
import type { ColumnUse, Edge, EdgeKind } from "../catalog/edge.ts";
import type { ConnectorLayer, Curation } from "../catalog/layers.ts";
import type { Reference } from "../catalog/reference.ts";
import type { ConnectorId, NodeId, WorkspaceId } from "../ids.ts";
import type { CatalogGraph } from "./catalog-graph.ts";
import type { KeptNode } from "./history/kept-node.ts";
import type { Moment } from "./history/moments.ts";

/** Who stated something: a connector in one of its scopes, last in this sync. */
export interface Stated {
  connectorId: ConnectorId;
  scope: string;
  syncId: string;
}

/** What one connector states about a node in one scope. */
export interface CopiedClaim extends Stated {
  /** The sync that stated the node first in this scope, and when: ISO 8601, UTC. */
  firstSyncId: string | null;
  since: string;
  /** The last sync in which this claim changed what is shown; null if none did. */
  changedBy: string | null;
  layer: Omit<ConnectorLayer, "connectorId" | "scope">;
}

export interface CopiedNode {
  id: NodeId;
  platform: string;
  parentId: NodeId | null;
  createdAt: string;
  updatedAt: string;
  /** As in `NodeRow`. Exports of earlier versions have none. */
  since?: number;
  curation: Curation;
  /** [] for a node that was removed, of which only this is kept. */
  claims: CopiedClaim[];
}

/** An edge, or a reference if it has no kind, that one connector stated from one moment until another. */
export interface KeptLink {
  connectorId: ConnectorId;
  from: NodeId;
  to: NodeId;
  kind: EdgeKind | null;
  uses: ColumnUse[];
  since: number;
  until: number;
}

interface CopiedScope {
  connectorId: ConnectorId;
  scope: string;
  /** Whether its last crawl ended early. */
  incomplete: boolean;
  /** The last run that wrote in it, if each scope has runs of its own; else 0. */
  run: number;
}

/** The rows of each part. Those of a part need the parts before it. */
export interface CopyRows {
  /** The last run of each connector that wrote something. */
  runs: { connectorId: ConnectorId; run: number };
  scopes: CopiedScope;
  removedNodes: CopiedNode;
  /** Everything but columns. */
  assets: CopiedNode;
  columns: CopiedNode;
  /** `since` is the moment from which on it has been stated like this, as in a node. */
  edges: Edge & Stated & { uses: ColumnUse[]; since?: number };
  references: Reference & Stated & { since?: number };
  checks: Stated & { precedence: number; check: Check };
  certifications: { metric: NodeId; steps: CertificationStep[]; dependencies: KeptDependencies | null };
  /** Exports of earlier versions do not have `isFirst`. */
  moments: Omit<Moment, "isFirst"> & Partial<Pick<Moment, "isFirst">>;
  /** What was shown and stated before. */
  keptNodes: KeptNode;
  keptLinks: KeptLink;
  /** How results of checks changed. */
  resultChanges: ResultChange;
  /** Removed connectors. Nothing can be written in their names any more. */
  removedConnectors: { connectorId: ConnectorId };
}

export type CopyPart = keyof CopyRows;

/** In the order in which they are written. */
export const COPY_PARTS = [
  "runs",
  "scopes",
  "removedNodes",
  "assets",
  "columns",
  "edges",
  "references",
  "checks",
  "certifications",
  "moments",
  "keptNodes",
  "keptLinks",
  "resultChanges",
  "removedConnectors",
] as const satisfies readonly CopyPart[];

export interface CopyPage<P extends CopyPart> {
  rows: CopyRows[P][];
  /** Where the next page begins; null after the last one. */
  next: string | null;
}

/** Copies are made while nothing else writes to the workspace. */
interface GraphCopier {
  /**
   * One page of a part, in an order that is always the same.
   * @param after `next` of the page before it; null for the first
   */
  copyOut<P extends CopyPart>(
    workspace: WorkspaceId,
    part: P,
    page: { after: string | null; limit: number },
  ): Promise<CopyPage<P>>;
  /** How many rows all pages of a part have together. */
  countRows(workspace: WorkspaceId, part: CopyPart): Promise<number>;
  /**
   * Writes rows of a part. It may be repeated: a row replaces the one that is there, but sets no run back.
   * @param rows one page, as `copyOut` returned it: a store may write all of them in one transaction
   * @returns how many were refused, because what they belong to is not there
   */
  copyIn<P extends CopyPart>(workspace: WorkspaceId, part: P, rows: readonly CopyRows[P][]): Promise<number>;
}

export type CopyableGraph = CatalogGraph & GraphCopier;
