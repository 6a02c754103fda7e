/**
 * What the kept messages of one subject state together. The order in which they arrived does not count. A subject is a
 * job, the events of one dataset, a dataset about which these two say something, or a path that they name.
 */
import type { Kept, Settled } from "../connector.ts";
import { nothing } from "./bodies.ts";
import type { PlacedNote } from "./kept.ts";
import type { OpenLineageOptions } from "./options.ts";
import { PATH, settlePath } from "./paths.ts";
import { DATASET_EVENTS, JOB } from "./read-event.ts";
import { settleDataset } from "./settle-dataset.ts";
import { settleDatasetEvents } from "./settle-dataset-events.ts";
import { settleJob } from "./settle-job.ts";

export function* settle(
  subject: string,
  kept: readonly Kept[],
  options: OpenLineageOptions,
  now: Date,
): Generator<void, Settled> {
  if (subject.startsWith(PATH)) return settlePath(subject, kept);
  if (kept.length === 0) return nothing(subject);
  if (subject.startsWith(JOB)) return yield* settleJob(subject, kept, options, now);
  if (subject.startsWith(DATASET_EVENTS)) return yield* settleDatasetEvents(subject, kept, options, now);
  // Only this connector writes notes.
  return settleDataset(
    subject,
    kept.map(({ body }) => JSON.parse(body) as PlacedNote),
  );
}
