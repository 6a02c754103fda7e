/** States DAGs and their tasks. */
import type { CheckResult, CheckStatement } from "../../catalog/check.ts";
import { isEmailAddress } from "../../catalog/email.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { PLAIN_CHECK } from "../connector.ts";
import { NOBODY } from "../openlineage/plain-facets.ts";
import { withoutEmpty } from "../shapes.ts";
import type { Naming, PageUrls } from "./naming.ts";
import type { ReadDag } from "./read-source.ts";
import type { Dag, Task } from "./shapes.ts";

export interface PipelineContext {
  naming: Naming;
  pages: PageUrls;
  /** Why lineage of all pipelines may be missing; "" if it is not. */
  gap: string;
  /** When the crawl began to read. */
  now: Date;
  /** Whether Airflow tells the states of last runs. */
  knowsRuns: boolean;
}

/** @param lastRun the state of its last run; undefined if it is not known */
export function stateDag(
  { dag, doc, items: tasks, isWhole }: ReadDag,
  lastRun: string | undefined,
  { naming, pages, gap }: PipelineContext,
): AssetStatement {
  const owners = inOrder(dag.owners, tasks);
  return toStatement(naming.dag(dag.id), dag.name, {
    gap: isWhole ? gap : "its tasks could not be read in full",
    description: joinTexts(dag.description, doc),
    tags: [...new Set(dag.tags)],
    ...toOwnership(owners),
    url: pages.dag(dag.id),
    meta: withoutEmpty({
      kind: "dag",
      dag_id: dag.id,
      schedule: dag.schedule,
      schedule_description: dag.scheduleDescription === dag.schedule ? "" : dag.scheduleDescription,
      paused: dag.isPaused,
      file: dag.file,
      owners: owners.length > 1 ? owners : "",
      tasks: isWhole ? tasks.length : "",
      import_errors: dag.hasImportErrors || "",
    }),
    ...(lastRun === undefined ? {} : { latest: { last_run_state: lastRun } }),
  });
}

/** A scheduler that has much to do starts runs some minutes late. */
const GRACE_MS = 15 * 60 * 1_000;

/**
 * A DAG that runs at set times has a check: whether the run that is due has begun.
 * @param lastRun the state of its last run; undefined if it is not known
 * @returns null for a DAG that is paused, or runs at no set times
 */
export function stateSchedule(
  { dag }: ReadDag,
  lastRun: string | undefined,
  { naming, now }: PipelineContext,
): CheckStatement | null {
  if (dag.isPaused || !dag.isTimed) return null;
  return {
    ...PLAIN_CHECK,
    object: `schedule.${dag.id}`,
    name: dag.schedule === "" ? "schedule" : `schedule ${dag.schedule}`,
    kind: "schedule",
    assets: [naming.dag(dag.id)],
    result: dag.nextRunAt === null ? null : judge(dag.nextRunAt, lastRun, now),
  };
}

/**
 * While as many runs are active as may be, Airflow starts none. It then names no time, or since 3.2 a time that may have passed.
 * @returns null if that may be why the run has not begun
 */
function judge(due: string, lastRun: string | undefined, now: Date): CheckResult | null {
  const isLate = now.getTime() > Date.parse(due) + GRACE_MS;
  if (isLate && (lastRun === "running" || lastRun === "queued")) return null;
  const at = new Date(due).toISOString();
  const message = isLate ? `The run that was due at ${at} has not begun.` : `The next run is due at ${at}.`;
  return { status: isLate ? "fail" : "pass", message, failures: null, ranAt: now.toISOString() };
}

/** A DAG has a check whose result is that of its last run. While a run is active, the check stays as it was. */
export function stateLastRun(
  { id }: Dag,
  lastRun: string | undefined,
  { naming }: Pick<PipelineContext, "naming">,
): CheckStatement {
  const result = { message: `The last run ended with the state ${lastRun}.`, failures: null, ranAt: null };
  const status = lastRun === "success" ? "pass" : lastRun === "failed" ? "fail" : null;
  return {
    ...PLAIN_CHECK,
    object: `run.${id}`,
    name: "last run",
    kind: "run",
    assets: [naming.dag(id)],
    result: status && { status, ...result },
  };
}

/** A task belongs to its DAG by its name and its meta. No edge leads to the DAG, because no data flows there. */
export function stateTask(dag: Dag, task: Task, { naming, pages, gap }: PipelineContext): AssetStatement {
  return toStatement(naming.task(dag.id, task.id), task.name, {
    gap,
    description: task.doc,
    ...toOwnership(task.owners),
    url: pages.task(dag.id, task.id),
    meta: withoutEmpty({
      kind: "task",
      dag_id: dag.id,
      task_id: task.id,
      operator: task.operator,
      operator_module: task.module,
      mapped: task.isMapped || "",
      next_tasks: task.downstream,
    }),
  });
}

function toStatement(ref: NodeRef, name: string, facts: AssetStatement["facts"]): AssetStatement {
  return { ref, name, facts, columns: [] };
}

function joinTexts(short: string, long: string): string {
  if (long.trim().startsWith(short.trim())) return long.trim();
  return [short.trim(), long.trim()].filter((text) => text !== "").join("\n\n");
}

/** Airflow names the owners of a DAG in a random order. Here the owners of the most tasks come first, equals by name. */
function inOrder(owners: readonly string[], tasks: readonly Task[]): string[] {
  const owned = new Map<string, number>();
  for (const owner of tasks.flatMap((task) => task.owners)) owned.set(owner, (owned.get(owner) ?? 0) + 1);
  return owners.toSorted((a, b) => (owned.get(b) ?? 0) - (owned.get(a) ?? 0) || compareCodePoints(a, b));
}

/** The first e-mail address is the owner, the first other name the owner's name. */
function toOwnership(owners: readonly string[]): { owner: string; ownerName: string } {
  const known = owners.filter((owner) => owner !== "" && owner !== NOBODY);
  return {
    owner: known.find(isEmailAddress) ?? "",
    ownerName: known.find((owner) => !isEmailAddress(owner)) ?? "",
  };
}
