/** What the agent knows of the catalog, as the operations of `schema/tools/agent.graphql` answer it. */
import type { Certification } from "../catalog/asset.ts";
import { schemaIn } from "../catalog/identity.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { isDataset, type NodeType } from "../catalog/node-types.ts";
import type { Answer } from "../operations.ts";

/** A moment: a date, since nothing has written the answer as text yet, or what a connector said. */
export type Time = Date | string;

/** What may be unknown of an asset or metric, or what its type has not. */
const UNKNOWN = {
  /** A metric's name for people. */
  displayName: "",
  description: "",
  tags: [] as readonly string[],
  owner: "",
  ownerName: "",
  connectors: [] as readonly string[],
  url: null as string | null,
  certification: "none" as Certification,
  certifiedBy: null as string | null,
  certifiedAt: null as Time | null,
  materialization: "",
  /** Such as `model`, or `seed` and `source`. */
  resourceTypes: [] as readonly string[],
  dataType: "",
  /** Whether something else that was found has the same full name. */
  hasNamesake: false,
  definition: null as Pick<MetricDefinition, "expression" | "grain" | "dimensions" | "filters"> | null,
};

/** An asset or metric, as answers tell of it. */
export type Thing = typeof UNKNOWN & {
  id: string;
  type: NodeType;
  name: string;
  fqn: string;
  /** When the catalog first saw it. */
  createdAt: Time;
  updatedAt: Time;
  parentId: string | null;
};

/** A node as the fragment `AgentNode` selects it: what is not known is null, and what its type has not is missing. */
export type Raw = { [Field in keyof Thing]?: Thing[Field] | null } & { parent?: { id: string } | null };

export function toThing({ parent, ...node }: Raw): Thing {
  const known = Object.fromEntries(Object.entries(node).filter(([, value]) => value !== null));
  // The fragment selects all other fields, and none of them may be null.
  return { ...UNKNOWN, ...known, parentId: parent?.id ?? null } as Thing;
}

export type Way = "upstream" | "downstream";

export function inverse(way: Way): Way {
  return way === "upstream" ? "downstream" : "upstream";
}

/** What a search leaves open. */
export interface Doubts {
  isExact: boolean;
  /** Whether the lineage that was walked is known without gaps. */
  isComplete: boolean;
}

export type Walked = Pick<Answer<"AgentWalk", Time>["lineage"], "nodes" | "edges"> & Doubts;
export type Affected = Answer<"AgentImpact", Time>["impact"];
export type CausesSeen = Answer<"AgentCauses", Time>["causes"];
export type ConnectorSeen = Answer<"AgentConnectors", Time>["connectors"]["items"][number];
export type ChecksSeen = Extract<Answer<"AgentChecks", Time>["nodes"][number], { checks: unknown }>["checks"];
export type CheckSeen = ChecksSeen["seen"][number];

type Bounded = Pick<Affected, "truncated" | "completeness">;

/** Whether an answer holds all that there is, and all of it is known. */
export function isWhole({ truncated, completeness }: Bounded): boolean {
  return completeness.complete && !truncated;
}

/** What an answer of the catalog leaves open. */
export function doubtsOf({ truncated, completeness }: Bounded): Doubts {
  return { isExact: !truncated, isComplete: completeness.complete };
}

/** Adds what one part of a search leaves open. */
export function addDoubts<Part extends Doubts>(doubts: Doubts, part: Part): Part {
  doubts.isExact &&= part.isExact;
  doubts.isComplete &&= part.isComplete;
  return part;
}

/** Everything but columns, which are many. */
export const NAMED_TYPES: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table"];
/** Those that people ask for first come first. */
export const ALL_TYPES: readonly NodeType[] = [...NAMED_TYPES, "column"];

/** The day of a moment, as `2026-03-24`. */
export function dayOf(at: Time): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** What reads tables and has no columns. */
export function isReport(type: NodeType): boolean {
  return type !== "column" && !isDataset(type);
}

export function isColumn({ type }: Pick<Thing, "type">): boolean {
  return type === "column";
}

export function idsOf(things: readonly Pick<Thing, "id">[]): Set<string> {
  return new Set(things.map(({ id }) => id));
}

/** A table that no connector calls anything else is a source: something outside of the catalog fills it. */
export function kindsOf({ type, resourceTypes }: Thing): readonly string[] {
  if (resourceTypes.length > 0) return resourceTypes;
  if (type === "table") return ["source"];
  return type === "model" ? ["model"] : [];
}

/** What a thing has of each field, as texts; "" is nothing. */
const VALUES = {
  owner: ({ owner, ownerName }) => [owner || ownerName],
  certifier: ({ certifiedBy }) => [certifiedBy ?? ""],
  type: ({ type }) => [type],
  schema: (thing) => [isReport(thing.type) ? "" : schemaIn(thing)],
  tag: ({ tags }) => tags,
  tags: ({ tags }) => tags,
  certification: ({ certification }) => [certification],
  connector: ({ connectors }) => connectors,
  materialization: ({ materialization }) => [materialization],
  kind: kindsOf,
  name: ({ name, displayName }) => [name, displayName],
  description: ({ description }) => [description.trim()],
  url: ({ url }) => [url ?? ""],
  dimensions: ({ definition }) => definition?.dimensions ?? [],
  filters: ({ definition }) => definition?.filters ?? [],
  grain: ({ definition }) => [definition?.grain ?? ""],
  // The days when something happened to it.
  certified: ({ certifiedAt }) => [certifiedAt === null ? "" : dayOf(certifiedAt)],
  added: ({ createdAt }) => [dayOf(createdAt)],
  updated: ({ updatedAt }) => [dayOf(updatedAt)],
} as const satisfies Record<string, (thing: Thing) => readonly string[]>;

/** What is known of a field of a thing: what conditions ask for, sets are counted by, and answers list. */
export function valuesIn(field: keyof typeof VALUES, thing: Thing): string[] {
  return VALUES[field](thing).filter((value) => value !== "");
}
