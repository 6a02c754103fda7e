/**
 * What the kept messages of one subject state together. The order in which they arrived does not count. A subject is a
 * job, the events of one dataset, a dataset about which these two say something, or a path that they name.
 */
import type { Kept, SubjectStatements } from "../connector.ts";
import { nothing } from "./bodies.ts";
import type { PlacedNote } from "./kept.ts";
import type { OpenLineageOptions } from "./options.ts";
import { PATH, statePath } from "./paths.ts";
import { DATASET_EVENTS, JOB } from "./read-event.ts";
import { stateDataset } from "./state-dataset.ts";
import { stateDatasetEvents } from "./state-dataset-events.ts";
import { stateJob } from "./state-job.ts";

export function* stateSubject(
  subject: string,
  kept: readonly Kept[],
  options: OpenLineageOptions,
  now: Date,
): Generator<void, SubjectStatements> {
  if (subject.startsWith(PATH)) return statePath(subject, kept);
  if (kept.length === 0) return nothing(subject);
  if (subject.startsWith(JOB)) return yield* stateJob(subject, kept, options, now);
  if (subject.startsWith(DATASET_EVENTS)) return yield* stateDatasetEvents(subject, kept, options, now);
  // Only this connector writes notes.
  return stateDataset(
    subject,
    kept.map(({ body }) => JSON.parse(body) as PlacedNote),
  );
}
