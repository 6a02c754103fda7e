/** run_results.json of the night's `dbt test`: every test passed but one. */
import { DBT_VERSION, GENERATED_AT, INVOCATION_ID } from "./names.ts";
import type { Project } from "./read-project.ts";
import type { Relations } from "./relations.ts";
import { testNodes } from "./test-nodes.ts";

/** Stripe sent two refunds twice, so that the refunds and what is made from them are too high. */
const FAILED = { name: "unique_fct_refunds_refund_id", failures: 2 };

export function buildRunResults(project: Project, relations: Relations) {
  const tested = [...project.seeds, ...project.snapshots, ...project.models];
  const tests = tested.flatMap((relation) => testNodes(relation, relations));
  const results = tests.map(({ unique_id, name, compiled_code, relation_name }) => {
    const failures = name === FAILED.name ? FAILED.failures : 0;
    return {
      status: failures > 0 ? "fail" : "pass",
      timing: [{ name: "execute", started_at: GENERATED_AT, completed_at: GENERATED_AT }],
      thread_id: "Thread-1",
      execution_time: 0.1,
      adapter_response: {},
      message: failures > 0 ? `Got ${failures} results, configured to fail if != 0` : null,
      failures,
      unique_id,
      compiled: true,
      compiled_code,
      relation_name,
      batch_results: null,
    };
  });
  return {
    metadata: {
      dbt_schema_version: "https://schemas.getdbt.com/dbt/run-results/v6.json",
      dbt_version: DBT_VERSION,
      generated_at: GENERATED_AT,
      invocation_id: INVOCATION_ID,
      invocation_started_at: GENERATED_AT,
      env: {},
    },
    results: results.toSorted((a, b) => (a.unique_id < b.unique_id ? -1 : 1)),
    elapsed_time: 3.6,
    args: { which: "test" },
  };
}
