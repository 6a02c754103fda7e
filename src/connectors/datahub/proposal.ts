/** Reads proposals in all forms: those of a file, those that were posted, and the older events with snapshots. */
import { z } from "zod";

import { MAX_LISTED } from "../../catalog/limits.ts";
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
  /** Whether members of its objects are left out, because there are too many. */
  isCut: boolean;
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

/** Its aspects are read one by one, because there may be many. */
const snapshotShape = z.object({ urn: z.string(), aspects: z.custom<unknown[]>(Array.isArray) });

const snapshotsShape = z.record(z.string(), snapshotShape);

/** Of one aspect. A table with ten thousand columns has some hundred thousand. */
const MAX_VALUES = 500_000;

/**
 * Yields while it reads a long value.
 * @returns null if the message has none of the forms
 */
export function* readingProposals(message: unknown): Generator<void, Proposal[] | null> {
  const proposal = proposalShape.safeParse(message);
  if (proposal.success) return yield* fromProposal(proposal.data);
  // Of an event in a file, and of one that was posted.
  const { proposedSnapshot, entity, systemMetadata } = Object(message);
  const { data = {} } = snapshotsShape.safeParse(proposedSnapshot ?? Object(entity).value);
  const proposals = Object.values(data).flatMap((snapshot) => fromSnapshot(snapshot, system.parse(systemMetadata)));
  return proposals.length === 0 ? null : proposals;
}

function* fromProposal(given: z.infer<typeof proposalShape>): Generator<void, Proposal[] | null> {
  const { entityUrn: urn, aspectName: aspect, systemMetadata } = given;
  const entity = typeOf(urn);
  const unwrapped = yield* unwrapping(given.aspect);
  if (entity === undefined) return null;
  const change = given.changeType === "PATCH" ? "patch" : given.changeType === "DELETE" ? "delete" : "upsert";
  return [{ urn, entity, aspect, change, ...seen(systemMetadata), ...unwrapped }];
}

/** Each aspect is one proposal, also those that cannot be read, so that they do not lose the others. */
function fromSnapshot({ urn, aspects }: z.infer<typeof snapshotShape>, metadata: z.infer<typeof system>): Proposal[] {
  const entity = typeOf(urn);
  if (entity === undefined) return [];
  const named = aspects.slice(0, MAX_LISTED).flatMap((each): [string, unknown][] => {
    const entries = Object.entries<unknown>(Object(each)).slice(0, MAX_LISTED);
    return entries.length === 0 ? [["aspect", undefined]] : entries;
  });
  if (aspects.length > MAX_LISTED) named.push(["further aspects", undefined]);
  const { at, pipeline } = seen(metadata);
  return named.map(([name, value]): Proposal => {
    return { urn, entity, aspect: toAspectName(name), change: "upsert", at, pipeline, value, isCut: false };
  });
}

function seen(metadata: z.infer<typeof system>): Pick<Proposal, "at" | "pipeline"> {
  return { at: metadata?.lastObserved ?? 0, pipeline: metadata?.pipelineName ?? "" };
}

/** A file has `{ json }`, a posted proposal `{ contentType, value }` with the JSON as a text. */
function* unwrapping(aspect: unknown): Generator<void, Pick<Proposal, "value" | "isCut">> {
  let isCut = false;
  if (typeof aspect !== "object" || aspect === null) return { value: aspect ?? {}, isCut };
  if ("json" in aspect) return { value: aspect.json, isCut };
  if (!("value" in aspect) || typeof aspect.value !== "string") return { value: aspect, isCut };
  const told = (): void => {
    isCut = true;
  };
  try {
    return {
      value: yield* parsingJson(aspect.value, { maxValues: MAX_VALUES, cut: { members: MAX_LISTED, told } }),
      isCut,
    };
  } catch {
    return { value: undefined, isCut };
  }
}

/** `com.linkedin.pegasus2avro.schema.SchemaMetadata` is `schemaMetadata`, and `MLFeatureProperties` `mlFeatureProperties`. */
function toAspectName(type: string): string {
  const name = type.slice(type.lastIndexOf(".") + 1);
  return name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, (start) => start.toLowerCase());
}
