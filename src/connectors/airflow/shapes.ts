/** The forms of Airflow's answers, in one form for both versions of its API. What Tributary does not show is left out. */
import { z } from "zod";

import { lenient, lenientFlag as flag, lenientOrNull, lenientText as text, orElse } from "../shapes.ts";

const texts = lenient(z.array(z.string()), []);

const trimmed = (all: string[]): string[] => all.map((each) => each.trim());

const names = lenient(z.array(z.object({ name: z.string() })), []).transform((all) => all.map(({ name }) => name));

const nullableTime = lenientOrNull(z.iso.datetime({ offset: true }));

const id = z.string().min(1);

export const versionShape = z.object({ version: z.string().max(100) });

export const tokenShape = z.object({ access_token: z.string().min(1) });

/**
 * Airflow 2: a cron expression, a time delta or a relative delta. All fields of the deltas but those that are not 0 are
 * left out of the text.
 */
const scheduleInterval = lenient(
  z.union([
    z.object({ value: z.string() }).transform(({ value }) => value),
    z.record(z.string(), z.unknown()).transform((delta) => {
      const units = ["years", "months", "days", "hours", "minutes", "seconds"];
      const parts = units.filter((unit) => typeof delta[unit] === "number" && delta[unit] !== 0);
      return parts.length === 0 ? "" : `every ${parts.map((unit) => `${String(delta[unit])} ${unit}`).join(" ")}`;
    }),
  ]),
  "",
);

export const dagShape = z
  .object({
    dag_id: id,
    dag_display_name: text,
    is_paused: flag,
    description: text,
    timetable_summary: text,
    timetable_description: text,
    schedule_interval: scheduleInterval,
    relative_fileloc: text,
    fileloc: text,
    has_import_errors: flag,
    // Airflow 3, then Airflow 2.
    next_dagrun_logical_date: nullableTime,
    next_dagrun: nullableTime,
    next_dagrun_run_after: nullableTime,
    next_dagrun_create_after: nullableTime,
    owners: texts,
    tags: names,
  })
  .transform((dag) => ({
    id: dag.dag_id,
    name: dag.dag_display_name || dag.dag_id,
    description: dag.description,
    isPaused: dag.is_paused,
    schedule: dag.timetable_summary || dag.schedule_interval,
    scheduleDescription: dag.timetable_description,
    file: dag.relative_fileloc || dag.fileloc,
    hasImportErrors: dag.has_import_errors,
    isTimed: (dag.next_dagrun_logical_date ?? dag.next_dagrun) !== null,
    nextRunAt: dag.next_dagrun_run_after ?? dag.next_dagrun_create_after,
    owners: trimmed(dag.owners),
    tags: dag.tags,
  }));
export type Dag = z.infer<typeof dagShape>;

/** What only the details of a DAG have. */
export const dagDetailsShape = z.object({ doc_md: text }).transform(({ doc_md: doc }) => ({ doc }));

export const taskListShape = z.object({ tasks: z.array(z.unknown()) });

export const taskShape = z
  .object({
    task_id: id,
    task_display_name: text,
    owner: text,
    doc_md: text,
    operator_name: text,
    class_ref: lenient(z.object({ module_path: text, class_name: text }), { module_path: "", class_name: "" }),
    is_mapped: flag,
    downstream_task_ids: texts,
  })
  .transform((task) => ({
    id: task.task_id,
    name: task.task_display_name || task.task_id,
    owners: trimmed(task.owner.split(",")),
    doc: task.doc_md,
    operator: task.operator_name || task.class_ref.class_name,
    module: task.class_ref.module_path,
    isMapped: task.is_mapped,
    downstream: task.downstream_task_ids,
  }));
export type Task = z.infer<typeof taskShape>;

const nullable = z.string().nullable();

const dagReferences = orElse(z.array(z.object({ dag_id: nullable })), []).transform((dags) =>
  dags.flatMap(({ dag_id: dag }) => (dag === null ? [] : [{ dag }])),
);

const taskReferences = orElse(z.array(z.object({ dag_id: nullable, task_id: nullable })), []).transform((tasks) =>
  tasks.flatMap(({ dag_id: dag, task_id: task }) => (dag === null || task === null ? [] : [{ dag, task }])),
);

/** An asset, which Airflow 2 calls a dataset. Airflow 3.1 renamed `consuming_dags`, and added `consuming_tasks`. */
export const assetShape = z
  .object({
    id: z.int(),
    uri: id,
    name: text,
    group: text,
    aliases: names,
    scheduled_dags: dagReferences,
    consuming_dags: dagReferences,
    producing_tasks: taskReferences,
    consuming_tasks: taskReferences,
    last_asset_event: z.object({ timestamp: text }).nullish().catch(null),
    last_asset_event_timestamp: text,
  })
  .transform((asset) => ({
    id: asset.id,
    uri: asset.uri,
    name: asset.name,
    group: asset.group,
    aliases: asset.aliases,
    lastEventAt: asset.last_asset_event?.timestamp || asset.last_asset_event_timestamp,
    scheduledDags: [...asset.scheduled_dags, ...asset.consuming_dags],
    producers: asset.producing_tasks,
    consumers: asset.consuming_tasks,
  }));
export type AirflowAsset = z.infer<typeof assetShape>;
