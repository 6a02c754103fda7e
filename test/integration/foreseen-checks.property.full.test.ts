/**
 * A manifest without a column fails the same tests as the drop of the column, if the manifest still has the tests and
 * they still name the column.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { nameChange } from "../../src/catalog/change-set/change.ts";
import { THE_SERVICE } from "../../src/work/caller.ts";
import { openDbtWhatIf } from "../support/dbt-what-if.ts";
import { catalog, entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

type Json = Record<string, unknown>;

const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", source_name: "erp", config: {} };
const COLUMNS = ["a", "b", "c"] as const;
const documented = { columns: Object.fromEntries(COLUMNS.map((name) => [name, { name, data_type: "integer" }])) };
const on = (...models: string[]) => ({ depends_on: { nodes: models.map((name) => `model.shop.${name}`) } });

/** The column `b` of model `m` and of models that pass it on, as a test names it. */
const TESTS: Record<string, (model: string, b: string, other: string) => Json> = {
  not_null: (model, b) => ({
    test_metadata: { name: "not_null", kwargs: { column_name: b } },
    column_name: b,
    attached_node: `model.shop.${model}`,
    ...on(model),
  }),
  not_null_of_expression: (model, b) => ({
    test_metadata: { name: "not_null", kwargs: { column_name: `lower(${b})` } },
    column_name: `lower(${b})`,
    attached_node: `model.shop.${model}`,
    ...on(model),
  }),
  not_null_where: (model, b) => ({
    test_metadata: { name: "not_null", kwargs: { column_name: "a" } },
    column_name: "a",
    attached_node: `model.shop.${model}`,
    config: { where: `${b} > 0` },
    compiled_code: `select a from (select * from wh.mart.${model} where ${b} > 0) dbt_subquery where a is null`,
    ...on(model),
  }),
  expression: (model, b) => ({
    test_metadata: { name: "expression_is_true", namespace: "dbt_utils", kwargs: { expression: `not(a = ${b})` } },
    attached_node: `model.shop.${model}`,
    compiled_code: `select 1 from wh.mart.${model} where not(not(a = ${b}))`,
    ...on(model),
  }),
  uncompiled_expression: (model, b) => ({
    test_metadata: { name: "expression_is_true", namespace: "dbt_utils", kwargs: { expression: `${b} > a` } },
    attached_node: `model.shop.${model}`,
    ...on(model),
  }),
  several_columns: (model, b) => ({
    test_metadata: {
      name: "unique_combination_of_columns",
      namespace: "dbt_utils",
      kwargs: { combination_of_columns: ["a", b] },
    },
    attached_node: `model.shop.${model}`,
    compiled_code: `select a, ${b} from wh.mart.${model} group by a, ${b} having count(*) > 1`,
    ...on(model),
  }),
  singular: (model, b) => ({ compiled_code: `select * from wh.mart.${model} where a <> ${b}`, ...on(model) }),
  singular_cte: (model, b) => ({
    compiled_code: `with s as (select * from wh.mart.${model}) select s.${b} from s where s.${b} is null`,
    ...on(model),
  }),
  uncompiled_singular: (model, b) => ({ raw_code: `select * from {{ ref('${model}') }} where ${b} < 0`, ...on(model) }),
  unreadable: (model, b) => ({ compiled_code: `select ((( ${b} from wh.mart.${model}`, ...on(model) }),
  two_models: (model, b, other) => ({
    compiled_code: `select x.a from wh.mart.${model} x join wh.mart.${other} y on x.a = y.a where x.${b} > y.c`,
    ...on(model, other),
  }),
  two_models_unqualified: (model, b) => ({
    compiled_code: `select ${b} from wh.mart.${model} join wh.mart.apart on wh.mart.${model}.a = apart.key`,
    ...on(model, "apart"),
  }),
  relationships: (model, b, other) => ({
    test_metadata: {
      name: "relationships",
      kwargs: { column_name: "a", field: b, to: `ref('${model}')` },
    },
    column_name: "a",
    attached_node: `model.shop.${other}`,
    ...on(model, other),
  }),
  another_column: (model) => ({ compiled_code: `select * from wh.mart.${model} where a < 0`, ...on(model) }),
};

/** SQL of models downstream of `m`. Each passes `b` on as `b` or `bb`, or does not. */
const PASSING = {
  star: { sql: "select * from wh.mart.m", b: "b" },
  named: { sql: "select a, b, c from wh.mart.m", b: "b" },
  renamed: { sql: "select a, b as bb, c from wh.mart.m", b: "bb" },
  computed: { sql: "select a, b + 1 as bb, c from wh.mart.m", b: "bb" },
  filtered: { sql: "select a, c from wh.mart.m where b > 0", b: "c" },
  without: { sql: "select a, c from wh.mart.m", b: "c" },
} as const;

interface Project {
  passing: keyof typeof PASSING;
  tests: { test: string; isBehind: boolean }[];
  isDocumented: boolean;
  hasCatalog: boolean;
  contract: boolean;
}

const test = fc.record({ test: fc.constantFrom(...Object.keys(TESTS)), isBehind: fc.boolean() });
const project: fc.Arbitrary<Project> = fc.record({
  passing: fc.constantFrom(...(Object.keys(PASSING) as (keyof typeof PASSING)[])),
  tests: fc.uniqueArray(test, { selector: (each) => JSON.stringify(each), minLength: 6, maxLength: 28 }),
  isDocumented: fc.boolean(),
  hasCatalog: fc.boolean(),
  contract: fc.boolean(),
});

/** @param sql the SQL of `m` */
function manifestOf({ passing, tests, isDocumented, contract }: Project, sql: string): Json {
  const { sql: behind, b } = PASSING[passing];
  const checks = tests.map(({ test: name, isBehind }) => {
    const [model, column, other] = isBehind ? (["k", b, "m"] as const) : (["m", "b", "k"] as const);
    return [`test.shop.${name}_of_${model}`, TESTS[name]?.(model, column, other) ?? {}] as const;
  });
  const columns = isDocumented ? documented : {};
  return manifest({
    sources: entries({ "source.shop.erp.t": documented }, SOURCE),
    nodes: entries({
      "model.shop.m": {
        compiled_code: sql,
        ...columns,
        config: { materialized: "table", contract: { enforced: contract } },
        depends_on: { nodes: ["source.shop.erp.t"] },
      },
      "model.shop.k": { compiled_code: behind, ...columns, ...on("m") },
      "model.shop.apart": {
        compiled_code: "select a as key, 1 as other from wh.raw.t",
        depends_on: { nodes: ["source.shop.erp.t"] },
      },
      ...Object.fromEntries(checks),
    }),
  });
}

const BEFORE = "select a, b, c from wh.raw.t";
const AFTER = {
  dropped: "select a, c from wh.raw.t",
  renamed: "select a, b as b_renamed, c from wh.raw.t",
};

/** Two models and two tests over both. One test does not say which model's column `b` is. */
const projectWith = (m: string, apart: string): Json =>
  manifest({
    sources: entries({ "source.shop.erp.t": documented }, SOURCE),
    nodes: entries({
      "model.shop.m": { compiled_code: m, depends_on: { nodes: ["source.shop.erp.t"] } },
      "model.shop.apart": { compiled_code: apart, depends_on: { nodes: ["source.shop.erp.t"] } },
      "test.shop.unqualified": {
        compiled_code: "select b from wh.mart.m join wh.mart.apart on m.a = apart.key",
        ...on("m", "apart"),
      },
      "test.shop.qualified": {
        compiled_code: "select m.b from wh.mart.m join wh.mart.apart on m.a = apart.key",
        ...on("m", "apart"),
      },
    }),
  });

describe("tests that fail by a manifest without a column", () => {
  it("A manifest without a column fails the same tests as the drop of the column", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(project, async (drawn) => {
        const listed = { a: "integer", b: "integer", c: "integer" };
        const { check, whatIf, findNode, workspace } = await openDbtWhatIf({
          manifest: manifestOf(drawn, BEFORE),
          catalog: drawn.hasCatalog ? catalog({ "source.shop.erp.t": listed, "model.shop.m": listed }) : undefined,
        });
        const namesOf = ({ checks }: Awaited<ReturnType<typeof check>>): string[] =>
          checks.wouldFail.map(({ name }) => name).toSorted();
        const change = nameChange(await findNode("wh.mart.m.b", "column"), "column_drop", "");
        const single = namesOf(await whatIf.assessChanges(workspace, [change], THE_SERVICE));
        for (const sql of Object.values(AFTER)) {
          const report = await check({ manifest: manifestOf(drawn, sql) });
          expect(report.changes.map(({ fqn }) => fqn)).toContain("wh.mart.m.b");
          expect(namesOf(report)).toEqual(single);
        }
      }),
      { numRuns: 12 },
    );
  });

  it("A manifest without a column does not fail a test whose name is now in another model", async () => {
    const { check } = await openDbtWhatIf({ manifest: projectWith(BEFORE, "select a as key from wh.raw.t") });
    const next = projectWith("select a, c from wh.raw.t", "select a as key, b from wh.raw.t");
    const { checks } = await check({ manifest: next });
    expect(checks.wouldFail.map(({ name }) => name)).toEqual(["qualified"]);
  });
});
