/** The history of a metric's certification. */
import type { CatalogNode } from "../catalog/asset.ts";
import { type CertificationStep, unrecordedStep } from "../catalog/certification.ts";
import { badField } from "../errors.ts";
import type { NodeId } from "../ids.ts";
import { emptyAsNull, objectType, typed, typedOrNull } from "./builder.ts";
import { parsePageSize } from "./connection.ts";
import type { GraphqlContext } from "./context.ts";
import { CertificationAction } from "./enums.ts";
import { createLoader } from "./loaders.ts";
import { PersonType, toPerson } from "./person.ts";

interface CertificationEvent extends CertificationStep {
  /** From 1. */
  place: number;
}

export const CertificationEventType = objectType<CertificationEvent>(
  "CertificationEvent",
  "One step in the history of a metric's certification. It never changes.",
).with({
  place: typed("Int", "Its place in the history, from 1."),
  action: typed(CertificationAction, "What was done."),
  from: typed("String", "The certification before: `certified` or `pending`."),
  to: typed("String", "The certification after."),
  actor: typed("String", "Who did it: an e-mail address, or a program such as `connector shop` or `command line`."),
  by: {
    ...typedOrNull(PersonType, "Who did it, by name; null if it is unknown."),
    resolve: ({ actor }) => toPerson(actor),
  },
  at: typed("DateTime", "When."),
  note: emptyAsNull(
    "Why: a note of the person who did it, or what had changed, or which source says so. Null if no reason was given.",
  ),
  definitionHash: typed("String", "SHA-256, in hexadecimal digits, of the definition at that time."),
});

const trailsOf = createLoader(({ graph }, ws, metrics: readonly NodeId[]) => graph.loadTrails(ws, metrics), {
  weigh: ({ steps }) => steps.length,
});

/** @throws AppError `bad_request` for a bad page size or place */
export async function listAudit(
  metric: CatalogNode,
  { first, after }: { first?: number | null | undefined; after?: number | null | undefined },
  context: GraphqlContext,
): Promise<CertificationEvent[]> {
  const begin = after ?? 0;
  if (begin < 0) throw badField("after", "must not be negative");
  const { steps } = await trailsOf(context).load(metric.id);
  const unrecorded = unrecordedStep(metric, steps);
  const all = unrecorded === null ? steps : [...steps, unrecorded];
  const asked = all.slice(begin, first == null ? undefined : begin + parsePageSize(first));
  return asked.map((step, i) => Object.assign({ place: begin + i + 1 }, step));
}

/** Why the certification of a metric changed at a time; null if no reason is known. */
export async function findCertificationNote(
  metric: NodeId,
  { at, certification }: { at: string; certification: string | null },
  context: GraphqlContext,
): Promise<string | null> {
  const { steps } = await trailsOf(context).load(metric);
  return steps.findLast((step) => step.at === at && step.to === certification)?.note || null;
}
