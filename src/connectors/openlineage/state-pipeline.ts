/** States the pipeline of a job: its properties, and what was too much of its events to be kept. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import type { CrawlEvent, SubjectStatements } from "../connector.ts";
import { withoutEmpty } from "../shapes.ts";
import { inScope, nothing, warning } from "./bodies.ts";
import { isStatic, type JobRun, MAX_KEPT } from "./choose-run.ts";
import type { JobFacts } from "./kept.ts";
import { type DatasetName, nameKey, toJobRef } from "./naming.ts";
import type { OpenLineageOptions } from "./options.ts";
import { jobOfSubject, metaOfParts, type OtherJobs } from "./whole-jobs.ts";

/**
 * @param whole the nearest job that it is a part of; null if it is none
 * @param run what decides
 */
export function statePipeline(
  ref: NodeRef,
  { namespace, name }: DatasetName,
  { facts, whole, run, others }: { facts: JobFacts; whole: DatasetName | null; run: JobRun; others: OtherJobs },
): AssetStatement {
  const { description, owners, tags, sql, type, url, parent } = facts;
  const starter = whole === null ? parent?.value?.job : undefined;
  const startedBy = starter && nameKey(starter) !== nameKey({ namespace, name }) ? { started_by: starter } : {};
  const { integration = "", jobType = "", processingType = "" } = type?.value ?? {};
  const [owner = "", ...otherOwners] = owners?.value ?? [];
  const meta = withoutEmpty({
    namespace,
    integration,
    job_type: jobType,
    processing_type: processingType,
    parent: whole,
    other_owners: otherOwners,
    ...metaOfParts(others),
  });
  return {
    ref,
    name,
    columns: [],
    facts: {
      description: description?.value ?? "",
      owner,
      tags: [...new Set((tags?.value ?? []).map(({ label }) => label))],
      sql: sql?.value || null,
      url: url?.value || null,
      ...(run.isCut ? { gap: "its last run reported more than is kept of one run" } : {}),
      meta,
      ...(run.rank > 1
        ? { latest: { last_run: { ...(isStatic(run) ? {} : { run_id: run.id }), at: run.at, ...startedBy } } }
        : {}),
    },
  };
}

/** A job that sends no events itself. Its parts write for it. */
export function stateSilent(subject: string, others: OtherJobs, options: OpenLineageOptions): SubjectStatements {
  const job = jobOfSubject(subject);
  const facts = { meta: withoutEmpty({ namespace: job.namespace, ...metaOfParts(others) }) };
  const asset: AssetStatement = { ref: toJobRef(job, options), name: job.name, columns: [], facts };
  return { ...nothing(subject), events: inScope(subject, [{ kind: "asset", asset }]) };
}

/** Warns of messages that were dropped. */
export function dropWarnings(object: string, dropped: number, { isCut }: JobRun): CrawlEvent[] {
  const tooMany = `More than ${MAX_KEPT} messages of runs of ${object} that have not completed were waiting; the oldest were dropped.`;
  const tooMuch = `The last run of ${object}, or the runs that decide with it, reported more than is kept; the oldest of its messages were dropped.`;
  return [
    ...(dropped > 0 ? [warning("unfinished_runs_dropped", object, tooMany)] : []),
    ...(isCut ? [warning("run_too_large", object, tooMuch)] : []),
  ];
}
