/** Reads proposals in all forms: those of a file, those that were posted, and the older events with snapshots. */
import { z } from "zod";

import { parsingJson } from "../../work/json-values.ts";
import { lenientOrNull, lenientText } from "../shapes.ts";
import { typeOf } from "./urn.ts";

/** What somebody says about one aspect of one entity. */
export interface Proposal {
  urn: string;
  /** Such as `dataset`. */
  entity: string;
  aspect: string;
  change: "upsert" | "patch" | "delete";
  /** When the client saw it, in milliseconds; 0 if it does not say. */
  at: number;
  /** Undefined if it came as a text that is not JSON, or that has too many values. */
  value: unknown;
  /** The recipe that sends it; "" if it does not say. */
  pipeline: string;
}

const system = lenientOrNull(z.object({ lastObserved: lenientOrNull(z.number()), pipelineName: lenientText }));

const proposalShape = z.object({
  entityType: z.string(),
  entityUrn: z.string(),
  changeType: z.string(),
  aspectName: z.string(),
  aspect: z.unknown().optional(),
  systemMetadata: system,
});

const snapshotShape = z.object({
  urn: z.string(),
  aspects: z.array(z.record(z.string(), z.unknown())),
});

const eventShape = z.object({
  proposedSnapshot: z.record(z.string(), snapshotShape),
  systemMetadata: system,
});

/** An event as it is posted. */
const postedShape = z.object({
  entity: z.object({ value: z.record(z.string(), snapshotShape) }),
  systemMetadata: system,
});

/** Of one aspect. A table with ten thousand columns has some hundred thousand. */
const MAX_VALUES = 500_000;

/**
 * Yields while it reads a long value.
 * @returns null if the message has none of the forms
 */
export function* readingProposals(message: unknown): Generator<void, Proposal[] | null> {
  const proposal = proposalShape.safeParse(message);
  if (proposal.success) return yield* fromProposal(proposal.data);
  const event = eventShape.safeParse(message);
  if (event.success) return fromEvent(event.data);
  const { data: posted } = postedShape.safeParse(message);
  if (posted === undefined) return null;
  return fromEvent({ proposedSnapshot: posted.entity.value, systemMetadata: posted.systemMetadata });
}

function* fromProposal(given: z.infer<typeof proposalShape>): Generator<void, Proposal[] | null> {
  const { entityUrn: urn, aspectName: aspect, systemMetadata } = given;
  const entity = typeOf(urn);
  const value = yield* unwrapping(given.aspect);
  if (entity === undefined) return null;
  const change = given.changeType === "PATCH" ? "patch" : given.changeType === "DELETE" ? "delete" : "upsert";
  return [{ urn, entity, aspect, change, ...seen(systemMetadata), value }];
}

function fromEvent({ proposedSnapshot, systemMetadata }: z.infer<typeof eventShape>): Proposal[] | null {
  const [snapshot] = Object.values(proposedSnapshot);
  const entity = snapshot && typeOf(snapshot.urn);
  if (snapshot === undefined || entity === undefined) return null;
  const { urn, aspects } = snapshot;
  const { at, pipeline } = seen(systemMetadata);
  return aspects.flatMap((each) =>
    Object.entries(each).map(([name, value]): Proposal => {
      return { urn, entity, aspect: toAspectName(name), change: "upsert", at, pipeline, value };
    }),
  );
}

function seen(metadata: z.infer<typeof system>): Pick<Proposal, "at" | "pipeline"> {
  return { at: metadata?.lastObserved ?? 0, pipeline: metadata?.pipelineName ?? "" };
}

/** A file has `{ json }`, a posted proposal `{ contentType, value }` with the JSON as a text. */
function* unwrapping(aspect: unknown): Generator<void, unknown> {
  if (typeof aspect !== "object" || aspect === null) return aspect ?? {};
  if ("json" in aspect) return aspect.json;
  if (!("value" in aspect) || typeof aspect.value !== "string") return aspect;
  try {
    return yield* parsingJson(aspect.value, MAX_VALUES);
  } catch {
    return undefined;
  }
}

/** `com.linkedin.pegasus2avro.schema.SchemaMetadata` is `schemaMetadata`, and `MLFeatureProperties` `mlFeatureProperties`. */
function toAspectName(type: string): string {
  const name = type.slice(type.lastIndexOf(".") + 1);
  return name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, (start) => start.toLowerCase());
}
