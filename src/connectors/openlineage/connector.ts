/** The OpenLineage connector: jobs, datasets and lineage from the events that schedulers and engines send. */
import type { AskSql, ConnectorType, Kept, SubjectStatements } from "../connector.ts";
import { nothing } from "./bodies.ts";
import type { PlacedNote } from "./kept.ts";
import { OWN_PLATFORM } from "./naming.ts";
import { type OpenLineageOptions, openLineageOptions } from "./options.ts";
import { PATH, statePath } from "./paths.ts";
import { DATASET_EVENTS, JOB, readEvent } from "./read-event.ts";
import { stateDataset } from "./state-dataset.ts";
import { stateDatasetEvents } from "./state-dataset-events.ts";
import { stateJob } from "./state-job.ts";

export const openLineageConnector = {
  type: OWN_PLATFORM,
  description: "OpenLineage events: jobs, datasets and lineage as Airflow, Spark, dbt and others report them.",
  precedence: 40,
  lineagePrecedence: 200,
  options: openLineageOptions,
  secretOptions: [],
  receive: { read: readEvent, stateSubject },
} satisfies ConnectorType<OpenLineageOptions>;

/**
 * What the kept messages of one subject state together. The order in which they arrived does not count. A subject is a
 * job, the events of one dataset, a dataset about which these two say something, or a path that they name.
 */
function* stateSubject(
  subject: string,
  kept: readonly Kept[],
  options: OpenLineageOptions,
  now: Date,
  ask: AskSql,
): Generator<void, SubjectStatements> {
  if (subject.startsWith(PATH)) return statePath(subject, kept);
  if (kept.length === 0) return nothing(subject);
  if (subject.startsWith(JOB)) return yield* stateJob(subject, kept, options, now, ask);
  if (subject.startsWith(DATASET_EVENTS)) return yield* stateDatasetEvents(subject, kept, options, now);
  // Only this connector writes notes.
  return stateDataset(
    subject,
    kept.map(({ body }) => JSON.parse(body) as PlacedNote),
  );
}
