import { describe, expect, test } from "vitest";

import { assetShape, dagShape, taskShape } from "../../../../src/connectors/airflow/shapes.ts";

const asset = (fields: Record<string, unknown>) => assetShape.parse({ id: 1, uri: "s3://b/k", ...fields });
const dag = (fields: Record<string, unknown>) => dagShape.parse({ dag_id: "d", ...fields });

describe("DAGs of either version", () => {
  test.each([
    [{ timetable_summary: "0 3 * * *" }, "0 3 * * *"],
    [{ timetable_summary: null }, ""],
    [{ schedule_interval: { __type: "CronExpression", value: "@daily" } }, "@daily"],
    [
      { schedule_interval: { __type: "TimeDelta", days: 1, seconds: 7200, microseconds: 0 } },
      "every 1 days 7200 seconds",
    ],
    [{ schedule_interval: { __type: "RelativeDelta", months: 1, days: 0, leapdays: 0, day: null } }, "every 1 months"],
    [{ schedule_interval: { __type: "TimeDelta", days: 0, seconds: 0, microseconds: 0 } }, ""],
    [{ schedule_interval: null }, ""],
    [{ schedule_interval: 7 }, ""],
    [{}, ""],
  ])("The schedule of a DAG is read from the fields of its Airflow version: %j", (fields, schedule) => {
    expect(dag(fields).schedule).toBe(schedule);
  });

  test.each([
    ["next_dagrun_logical_date", "next_dagrun_run_after"],
    ["next_dagrun", "next_dagrun_create_after"],
  ])("The time of a DAG's next run is read from %s and %s", (run, due) => {
    const at = "2026-05-04T03:02:01.123456+00:00";
    expect(dag({ [run]: at, [due]: at })).toMatchObject({ isTimed: true, nextRunAt: at });
    expect(dag({ [run]: at, [due]: null })).toMatchObject({ isTimed: true, nextRunAt: null });
    expect(dag({ [run]: "soon", [due]: 7 })).toMatchObject({ isTimed: false, nextRunAt: null });
  });

  test("A DAG needs only an id", () => {
    expect(dag({ owners: null, tags: null, description: null, is_paused: null })).toEqual({
      id: "d",
      name: "d",
      description: "",
      isPaused: false,
      schedule: "",
      scheduleDescription: "",
      file: "",
      hasImportErrors: false,
      isTimed: false,
      nextRunAt: null,
      owners: [],
      tags: [],
    });
    expect(dag({ owners: "ada", tags: [{ label: "x" }], description: 7 })).toMatchObject({
      owners: [],
      tags: [],
      description: "",
    });
    expect(dagShape.safeParse({ dag_id: null }).success).toBe(false);
  });
});

describe("Tasks of either version", () => {
  test("The operator of a task is read from the fields of its Airflow version", () => {
    const class_ref = { module_path: "airflow.operators.bash", class_name: "BashOperator" };
    expect(taskShape.parse({ task_id: "t", class_ref })).toMatchObject({
      operator: "BashOperator",
      module: "airflow.operators.bash",
    });
    expect(taskShape.parse({ task_id: "t", class_ref, operator_name: "@task.bash" }).operator).toBe("@task.bash");
    expect(taskShape.parse({ task_id: "t", class_ref: null, owner: "ada,bob" })).toMatchObject({
      operator: "",
      owners: ["ada", "bob"],
    });
  });
});

describe("Assets of any version", () => {
  test("An asset's readers and writers are read under the names of each Airflow version", () => {
    const dags = [{ dag_id: "d", created_at: "x" }];
    const tasks = [{ dag_id: "d", task_id: "t" }];
    expect(asset({ consuming_dags: dags, producing_tasks: tasks })).toMatchObject({
      scheduledDags: [{ dag: "d" }],
      producers: [{ dag: "d", task: "t" }],
      consumers: [],
    });
    expect(asset({ scheduled_dags: dags, producing_tasks: [], consuming_tasks: tasks })).toMatchObject({
      scheduledDags: [{ dag: "d" }],
      producers: [],
      consumers: [{ dag: "d", task: "t" }],
    });
  });

  test("An asset leaves out references to a DAG or task that no longer exists", () => {
    const producing_tasks = [
      { dag_id: null, task_id: "t" },
      { dag_id: "d", task_id: null },
    ];
    expect(asset({ consuming_dags: [{ dag_id: null }], producing_tasks })).toMatchObject({
      scheduledDags: [],
      producers: [],
    });
  });

  test("An asset's last write is read under the names of each Airflow version", () => {
    expect(asset({ last_asset_event_id: 7, last_asset_event_timestamp: "2026-01-01" }).lastEventAt).toBe("2026-01-01");
    expect(asset({ last_asset_event: { id: 7, timestamp: "2026-01-01" } }).lastEventAt).toBe("2026-01-01");
    expect(asset({ last_asset_event: null }).lastEventAt).toBe("");
  });

  test("An asset with references of another form is refused, because its lineage would be lost silently", () => {
    expect(assetShape.safeParse({ id: 1, uri: "s3://b/k", producing_tasks: [{ dag: "d" }] }).success).toBe(false);
  });
});
