/** What the agent knows of the catalog: assets, walks, impacts, checks and connectors, as the operations answer them. */
import type { Certification } from "../catalog/asset.ts";
import type { AffectedNode, RiskCounts } from "../catalog/impact.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import type { NodeType } from "../catalog/node-types.ts";

/** A moment: a date, since nothing has written the answer as text yet, or what a connector said. */
export type Time = Date | string;

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
  createdAt: Time;
  updatedAt: Time;
  certification: Certification;
  certifiedBy: string | null;
  certifiedAt: Time | null;
  materialization: string;
  /** Such as `model`, or `seed` and `source`. */
  resourceTypes: readonly string[];
  dataType: string;
  parentId: string | null;
  definition: Pick<MetricDefinition, "expression" | "grain" | "dimensions" | "filters"> | null;
}

/** A node as the fragment `AgentNode` selects it: what is not known is null, and what its type has not is missing. */
export type Raw = { [Field in keyof Thing]?: Thing[Field] | null } & { parent?: { id: string } | null };

const UNKNOWN: Partial<Thing> = {
  displayName: "",
  description: "",
  tags: [],
  owner: "",
  ownerName: "",
  connectors: [],
  url: null,
  certification: "none",
  certifiedBy: null,
  certifiedAt: null,
  materialization: "",
  resourceTypes: [],
  dataType: "",
  definition: null,
};

export function toThing({ parent, ...node }: Raw): Thing {
  const known = Object.fromEntries(Object.entries(node).filter(([, value]) => value !== null));
  // The fragment selects all other fields, and none of them may be null.
  return { ...UNKNOWN, ...known, parentId: parent?.id ?? null } as Thing;
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
  affected: (Pick<AffectedNode, "name" | "fqn" | "type" | "risk" | "reason"> & { id: string })[];
  /** Assets and metrics, and their columns beside them: the numbers of every page. */
  assets: RiskCounts & {
    columns: number;
    owners: { owner: string | null; ownerName: string | null; summary: { total: number } }[];
  };
  /** What is not affected, and gets no new data. */
  unrefreshed: {
    total: number;
    owners: { owner: string | null; ownerName: string | null }[];
    nodes: (Pick<Thing, "id" | "name" | "type" | "fqn"> & { reason: string })[];
  };
  /** Whether more is affected than is listed. */
  truncated: boolean;
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
  at: Time;
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
  since: Time;
  isComplete: boolean;
}

export interface CheckSeen {
  name: string;
  /** A `CheckKind`, in upper or lower case. */
  kind: string;
  /** The type of a generic check, such as `not_null`. */
  test: string | null;
  status: string;
  /** What it needs, the one that it belongs to first. */
  assets: readonly { id: string }[];
}

export interface ChecksSeen {
  total: number;
  /** The first of them. */
  seen: CheckSeen[];
}

export interface ConnectorsSeen {
  total: number;
  items: ConnectorSeen[];
}

export interface ConnectorSeen {
  id: string;
  name: string;
  type: string;
  health: string;
  disabledAt: Time | null;
  schedule: { cron: string } | null;
  lastSync: SyncSeen | null;
}

export interface SyncSeen {
  status: string;
  startedAt: Time | null;
  completedAt: Time | null;
  queuedAt: Time;
  assetsDiscovered: number;
  errorsTotal: number;
  errors: { message: string; severity: string }[];
}

export interface TrailStep {
  action: string;
  actor: string;
  at: Time;
  note: string;
}

/** Everything but columns, which are many. */
export const NAMED_TYPES: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table"];

/** The day of a moment, as `2026-03-24`. */
export function dayOf(at: Time): string {
  return new Date(at).toISOString().slice(0, 10);
}
