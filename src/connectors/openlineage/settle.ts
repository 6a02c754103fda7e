/**
 * What the kept messages of one subject state together. The order in which they arrived does not count. A subject is a
 * job, the events of one dataset, or a dataset about which these two say something.
 */
import type { Kept, Settled } from "../connector.ts";
import { nothing } from "./bodies.ts";
import type { PlacedNote } from "./kept.ts";
import type { OpenLineageOptions } from "./options.ts";
import { DATASET_EVENTS, JOB } from "./read-event.ts";
import { settleDataset } from "./settle-dataset.ts";
import { settleDatasetEvents } from "./settle-dataset-events.ts";
import { settleJob } from "./settle-job.ts";

export function settle(subject: string, kept: readonly Kept[], options: OpenLineageOptions, now: Date): Settled {
  const [first] = kept;
  if (first === undefined) return nothing(subject);
  if (subject.startsWith(JOB)) return settleJob(subject, kept, options, now);
  if (subject.startsWith(DATASET_EVENTS)) return settleDatasetEvents(subject, kept, options, now);
  // Only this connector writes notes.
  return settleDataset(
    subject,
    kept.map(({ body }) => JSON.parse(body) as PlacedNote),
  );
}
