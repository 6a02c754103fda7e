/** What the operations of `schema/tools/agent.graphql` answer, as far as the agent reads it. */
import type { Affected, CausesSeen, CheckSeen, ConnectorSeen, Thing, TrailStep, Walked } from "./catalog.ts";

export interface Answer {
  [field: string]: unknown;
  assets?: Connection;
  metrics?: Connection;
  nodes?: (Raw | null)[];
  lineage?: {
    nodes: Walked["nodes"];
    edges: Walked["edges"];
    truncated: boolean;
    completeness: { complete: boolean };
  } | null;
  impact?: (Omit<Affected, "isComplete"> & { truncated: boolean; completeness: { complete: boolean } }) | null;
  metric?: { audit: TrailStep[]; sourceColumns?: { column: { id: string } | null }[] } | null;
  causes?: (Omit<CausesSeen, "isComplete"> & { truncated: boolean; completeness: { complete: boolean } }) | null;
  connectors?: { totalCount: number; nodes: ConnectorSeen[] };
}

interface Connection {
  totalCount?: number | null;
  nodes?: Raw[];
  pageInfo?: { hasNextPage: boolean; endCursor: string };
  facets?: Record<"owners" | "tags" | "connectors", { value: string | null }[]> | null;
}

export type Raw = Partial<Omit<Thing, "parentId">> &
  Pick<Thing, "id" | "type" | "name" | "fqn"> & {
    parent?: { id: string } | null;
    columns?: Raw[];
    lineageSummary?: { upstream: number; downstream: number };
    checks?: { totalCount: number; nodes: CheckSeen[] };
  };

/** Operations answer times as dates, since nothing has written them as text yet. */
export function toTime(at: unknown): string | null {
  if (at instanceof Date) return at.toISOString();
  return typeof at === "string" ? at : null;
}

export function toThing(raw: Raw): Thing {
  return {
    id: raw.id,
    type: raw.type,
    name: raw.name,
    fqn: raw.fqn,
    displayName: raw.displayName ?? "",
    description: raw.description ?? "",
    tags: raw.tags ?? [],
    owner: raw.owner ?? "",
    ownerName: raw.ownerName ?? "",
    connectors: raw.connectors ?? [],
    url: raw.url ?? null,
    createdAt: toTime(raw.createdAt) ?? "",
    updatedAt: toTime(raw.updatedAt) ?? "",
    certification: raw.certification ?? "none",
    certifiedBy: raw.certifiedBy ?? null,
    certifiedAt: toTime(raw.certifiedAt),
    materialization: raw.materialization ?? "",
    resourceTypes: raw.resourceTypes ?? [],
    dataType: raw.dataType ?? "",
    parentId: raw.parent?.id ?? null,
    definition: raw.definition ?? null,
  };
}

export function withTimes({ lastSync, ...connector }: ConnectorSeen): ConnectorSeen {
  const sync = lastSync && {
    ...lastSync,
    startedAt: toTime(lastSync.startedAt),
    completedAt: toTime(lastSync.completedAt),
    queuedAt: toTime(lastSync.queuedAt) ?? "",
  };
  return { ...connector, disabledAt: toTime(connector.disabledAt), lastSync: sync };
}
