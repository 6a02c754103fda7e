/** What the agent knows of the catalog: assets, walks, impacts, checks and connectors, as answers tell of them. */
import type { Certification } from "../catalog/asset.ts";
import type { NodeType } from "../catalog/node-types.ts";

/** An asset or metric, as answers tell of it. Empty texts are unknown. */
export interface Thing {
  id: string;
  type: NodeType;
  name: string;
  fqn: string;
  /** A metric's name for people; else empty. */
  displayName: string;
  description: string;
  tags: readonly string[];
  owner: string;
  ownerName: string;
  connectors: readonly string[];
  url: string | null;
  /** When the catalog first saw it. */
  createdAt: string;
  updatedAt: string;
  certification: Certification;
  certifiedBy: string | null;
  certifiedAt: string | null;
  materialization: string;
  /** Such as `model`, or `seed` and `source`. */
  resourceTypes: readonly string[];
  dataType: string;
  parentId: string | null;
  definition: { expression: string; grain: string; dimensions: readonly string[]; filters: readonly string[] } | null;
}

export interface Filter {
  types?: readonly NodeType[] | undefined;
  tag?: string | undefined;
  /** An e-mail address. */
  owner?: string | undefined;
  certification?: Certification | undefined;
  connector?: string | undefined;
}

export interface Listed {
  items: Thing[];
  /** All that pass the filter. */
  total: number;
}

export interface Walked {
  nodes: { id: string; type: NodeType; depth: number }[];
  edges: { from: string; to: string }[];
  /** Whether more was within reach than a walk holds. */
  isCut: boolean;
  isComplete: boolean;
}

export interface Affected {
  affected: { id: string; type: NodeType; risk: "high" | "medium" | "low"; reason: string }[];
  summary: Record<"total" | "high" | "medium" | "low", number>;
  owners: { owner: string | null; ownerName: string | null; summary: { total: number } }[];
  checks: { total: number };
  isComplete: boolean;
}

export interface CauseSeen {
  node: Pick<Thing, "id" | "type" | "name" | "fqn">;
  /** How many edges are between it and what was asked about. */
  distance: number;
  sentence: string;
  /** What exactly changed in SQL. */
  details: string[];
  /** `direct`, `indirect` or `unknown`, in upper or lower case. */
  evidence: string;
  at: string;
  /** The person who made it; null if a sync found it. */
  actor: string | null;
  connector: { name: string } | null;
}

/** What can have changed a value within a span of time, the nearest first. */
export interface CausesSeen {
  nodes: CauseSeen[];
  total: number;
  /** Changes upstream that cannot have changed it. */
  others: number;
  since: string;
  isComplete: boolean;
}

export interface CheckSeen {
  name: string;
  /** `generic`, `singular`, `unit`, `contract` or `freshness`, in upper or lower case. */
  kind: string;
  /** The type of a generic check, such as `not_null`. */
  test: string | null;
  status: string;
  /** What it needs, the one that it belongs to first. */
  assets: readonly { id: string }[];
}

export interface ConnectorSeen {
  id: string;
  name: string;
  type: string;
  health: string;
  disabledAt: string | null;
  schedule: { cron: string } | null;
  lastSync: SyncSeen | null;
}

export interface SyncSeen {
  status: string;
  startedAt: string | null;
  completedAt: string | null;
  queuedAt: string;
  assetsDiscovered: number;
  errorsTotal: number;
  errors: { message: string; severity: string }[];
}

export interface TrailStep {
  action: string;
  actor: string;
  at: string;
  note: string;
  to: string;
}

/** Everything but columns, which are many. */
export const NAMED_TYPES: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table"];
