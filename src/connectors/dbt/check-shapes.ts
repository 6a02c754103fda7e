/**
 * The shapes of dbt's checks, as far as they are read. They are lenient, because packages define their own tests.
 * Source: https://schemas.getdbt.com/dbt/manifest/v10.json to v12.json, run-results/v4.json to v6.json,
 * sources/v3.json.
 */
import { z } from "zod";

import { lenient, lenientOrNull, orElse } from "../shapes.ts";
import type { CheckStatement } from "../../catalog/check.ts";
import { text } from "./shapes.ts";

/** A check that names its assets by dbt's unique ids, because their identity is known only when the whole project is read. */
export interface PendingCheck extends Omit<CheckStatement, "assets" | "columns" | "texts"> {
  assets: string[];
  columns: { asset: string; name: string; type: string }[];
  texts: { assets: readonly string[]; text: string; instead: boolean }[];
}

const nodes = z.object({ nodes: lenient(z.array(z.string()), []) });
const dependsOn = orElse(nodes, { nodes: [] }).transform((value) => value.nodes);

const testConfig = orElse(
  z.object({ severity: text.catch(""), where: text.catch(""), enabled: lenient(z.boolean(), true) }),
  { severity: "", where: "", enabled: true },
);

/** A data test. With `test_metadata` it is generic; without, it is singular: a query of its own. */
export const testShape = z.object({
  name: z.string().min(1),
  package_name: text,
  column_name: text.catch(""),
  attached_node: text.catch(""),
  test_metadata: z
    .object({
      name: z.string(),
      namespace: text,
      kwargs: z.record(z.string(), z.unknown()).nullish().catch(null),
    })
    .nullish(),
  config: testConfig,
  depends_on: dependsOn,
  compiled_code: text,
  compiled_sql: text,
  raw_code: text,
  raw_sql: text,
});
export type DbtTest = z.infer<typeof testShape>;

/** Given or expected rows: a list of objects, or SQL or CSV as text. */
const rows = lenientOrNull(z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]));

export const unitTestShape = z.object({
  name: z.string().min(1),
  package_name: text,
  model: text,
  given: orElse(z.array(z.object({ input: text, rows })), []),
  expect: z.object({ rows }).nullish(),
  config: testConfig,
  depends_on: dependsOn,
});
export type DbtUnitTest = z.infer<typeof unitTestShape>;

const contract = lenientOrNull(z.object({ enforced: z.boolean().nullish() }));

/** Whether a model has a contract. */
export const contractShape = z.object({
  name: z.string(),
  contract,
  config: z.object({ contract }).nullish().catch(null),
});
export const contractColumnsShape = z.object({
  columns: z.record(z.string(), z.object({ name: text, data_type: text })).nullish(),
});

const threshold = z
  .object({ count: z.number().nullish(), period: text })
  .nullish()
  .catch(null)
  .transform((value) => (value?.count ? { count: value.count, period: value.period } : null));

const freshness = lenientOrNull(z.object({ warn_after: threshold, error_after: threshold, filter: text.catch("") }));

const loaded = { freshness, loaded_at_field: text.catch(""), loaded_at_query: text.catch("") };

/** The parts of a source that a freshness check needs. From dbt 1.9 on, they may be in `config` too. */
export const freshSourceShape = z.object({
  name: z.string(),
  source_name: text,
  ...loaded,
  config: z.object(loaded).nullish().catch(null),
});
export type Threshold = NonNullable<z.infer<typeof threshold>>;

const timing = lenient(z.array(z.object({ name: text, completed_at: text })), []);

/** One result of run_results.json. */
export const runResultShape = z.object({
  unique_id: z.string(),
  status: z.string(),
  message: text.catch(""),
  failures: z.number().int().nullish().catch(null),
  timing,
});

/** One result of sources.json. */
export const sourceResultShape = z.object({
  unique_id: z.string(),
  status: z.string(),
  /** Set if the query failed. */
  error: lenientOrNull(z.union([z.string(), z.number().transform(String)])),
  max_loaded_at: text.catch(""),
  snapshotted_at: text.catch(""),
  criteria: freshness,
  timing,
});
