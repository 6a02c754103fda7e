/** The checks that a project's artifacts state: what they need, and how they went. */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { CheckStatement } from "../../../../src/catalog/check.ts";
import { toFqn } from "../../../../src/catalog/identity.ts";
import { present } from "../../../support/present.ts";
import { crawl, crawlArtifacts, entries, manifest, MODEL, runResults, sourceResults } from "./project.ts";

const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", source_name: "erp", config: {} };
const PROJECT = {
  "model.shop.orders": {},
  "model.shop.customers": {},
  "seed.shop.countries": {},
};
const RAW = entries({ "source.shop.erp.sales": {} }, SOURCE);

const metadataOf = (name: string, kwargs: object = {}, namespace: string | null = null) => ({
  test_metadata: { name, kwargs: { model: "{{ get_where_subquery(ref('orders')) }}", ...kwargs }, namespace },
});
const on = (...nodes: string[]) => ({ depends_on: { nodes } });
const ORDERS = { attached_node: "model.shop.orders", ...on("model.shop.orders") };

async function crawlTests(tests: Record<string, object>, more: { unit_tests?: object; sources?: object } = {}) {
  const nodes = entries({ ...PROJECT, ...(tests as Record<string, Record<string, unknown>>) });
  return await crawlArtifacts({ manifest: manifest({ nodes, sources: RAW, ...more }) });
}

async function stateOne(test_: object): Promise<CheckStatement> {
  const { checks, errors } = await crawlTests({ "test.shop.t.1": test_ });
  expect(errors).toEqual([]);
  expect(checks).toHaveLength(1);
  return present(checks[0]);
}

/** The assets and columns that a check needs, as text. */
const needsOf = ({ assets, columns }: CheckStatement) => ({
  assets: assets.map(toFqn),
  columns: columns.map(({ asset, name, type }) => `${toFqn(asset)}.${name}${type === "" ? "" : ` ${type}`}`),
});

describe("Generic tests", () => {
  test("A generic test needs its asset and its column", async () => {
    const check = await stateOne({
      ...metadataOf("not_null", { column_name: "id" }),
      ...ORDERS,
      column_name: "id",
      config: { severity: "WARN", where: null, enabled: true },
      compiled_code: "select id from wh.mart.orders where id is null",
    });
    expect(check).toMatchObject({
      object: "test.shop.t.1",
      name: "1",
      kind: "generic",
      test: "not_null",
      severity: "warn",
      sql: null,
      texts: [],
      result: null,
    });
    expect(needsOf(check)).toEqual({ assets: ["wh.mart.orders"], columns: ["wh.mart.orders.id"] });
  });

  test("A relationships test needs both ends, whichever dbt names first", async () => {
    const kwargs = { to: "ref('customers')", field: "id", column_name: "customer_id" };
    const check = await stateOne({
      ...metadataOf("relationships", kwargs),
      column_name: "customer_id",
      ...ORDERS,
      ...on("model.shop.customers", "model.shop.orders"),
    });
    expect(needsOf(check)).toEqual({
      assets: ["wh.mart.orders", "wh.mart.customers"],
      columns: ["wh.mart.orders.customer_id", "wh.mart.customers.id"],
    });
  });

  test("A test of a source finds its asset by its dependencies, because dbt attaches it to nothing", async () => {
    const check = await stateOne({
      ...metadataOf("relationships", { to: "ref('countries')", field: "code", column_name: "country" }),
      column_name: "country",
      attached_node: null,
      ...on("seed.shop.countries", "source.shop.erp.sales"),
    });
    expect(needsOf(check)).toEqual({
      assets: ["wh.raw.sales", "wh.mart.countries"],
      columns: ["wh.raw.sales.country", "wh.mart.countries.code"],
    });
  });

  test("A test from a package has the package in its name, and its SQL and arguments name further columns", async () => {
    const check = await stateOne({
      ...metadataOf("unique_combination_of_columns", { combination_of_columns: ["day", "shop_id"] }, "dbt_utils"),
      ...ORDERS,
      compiled_code: "select day, shop_id from wh.mart.orders group by 1, 2",
    });
    expect(check.test).toBe("dbt_utils.unique_combination_of_columns");
    expect(check.sql).toBe("select day, shop_id from wh.mart.orders group by 1, 2");
    expect(check.texts).toHaveLength(1);
    expect(check.texts[0]).toMatchObject({ instead: true, text: expect.stringContaining("day shop_id") });
    expect(check.texts[0]?.text).not.toContain("get_where_subquery");
  });

  test("A test with a filter keeps its SQL, because the filter may name columns", async () => {
    const check = await stateOne({
      ...metadataOf("not_null", { column_name: "id" }),
      column_name: "id",
      ...ORDERS,
      config: { where: "is_paid" },
      compiled_code: "select id from (select * from wh.mart.orders where is_paid) s where id is null",
    });
    expect(check.sql).toContain("is_paid");
    expect(check.texts[0]?.text).toContain("is_paid");
  });

  test("A disabled test states no check", async () => {
    const off = { ...metadataOf("not_null"), ...ORDERS, config: { enabled: false } };
    expect((await crawlTests({ "test.shop.t.1": off })).checks).toEqual([]);
  });
});

test("A singular test needs all that it depends on, and its SQL names the columns", async () => {
  const check = await stateOne({
    ...on("model.shop.orders", "source.shop.erp.sales", "model.shop.missing"),
    compiled_code: "",
    raw_code: "select * from {{ ref('orders') }} where amount < 0",
  });
  expect(check).toMatchObject({ kind: "singular", test: "", sql: null });
  expect(check.assets.map(toFqn)).toEqual(["wh.mart.orders", "wh.raw.sales"]);
  expect(check.texts.map(({ assets, text }) => [assets.map(toFqn), text.includes("amount")])).toEqual([
    [["wh.mart.orders", "wh.raw.sales"], true],
  ]);
});

test("A test of nothing in the catalog states no check", async () => {
  expect((await crawlTests({ "test.shop.macro": { ...on(), compiled_code: "select 1" } })).checks).toEqual([]);
});

const unit = (own: object) => ({
  "unit_test.shop.orders.adds_up": {
    name: "adds_up",
    package_name: "shop",
    model: "orders",
    ...on("model.shop.orders"),
    ...own,
  },
});

describe("Unit tests", () => {
  test("A unit test needs the model's expected columns and the given columns", async () => {
    const given = [
      { input: "ref('customers')", rows: [{ id: 1 }, { id: 2, name: "a" }], format: "dict" },
      { input: "source('erp', 'sales')", rows: "select 1 as amount", format: "sql" },
      { input: "this", rows: [{ id: 0 }] },
      { input: "ref('nowhere')", rows: [{ id: 0 }] },
    ];
    const { checks } = await crawlTests({}, { unit_tests: unit({ given, expect: { rows: [{ total: 3 }] } }) });
    const check = present(checks[0]);
    expect(check).toMatchObject({ object: "unit_test.shop.orders.adds_up", name: "adds_up", kind: "unit" });
    expect(needsOf(check)).toEqual({
      assets: ["wh.mart.orders", "wh.mart.customers", "wh.raw.sales"],
      columns: ["wh.mart.orders.total", "wh.mart.customers.id", "wh.mart.customers.name", "wh.mart.orders.id"],
    });
    expect(check.texts.map(({ assets, text }) => `${assets.map(toFqn).join()}: ${text}`)).toEqual([
      "wh.raw.sales: select 1 as amount",
    ]);
  });

  test.each([
    ["ref('shop', 'customers')", "wh.mart.customers"],
    ['ref("customers")', "wh.mart.customers"],
    ["ref('customers', v=2)", null],
    ["ref('elsewhere', 'customers')", null],
    ["source('erp','SALES')", "wh.raw.sales"],
  ])("A unit test finds its input %s", async (input, found) => {
    const unit_tests = unit({ given: [{ input, rows: [{ x: 1 }] }], expect: { rows: [] } });
    const [check] = (await crawlTests({}, { unit_tests })).checks;
    expect(present(check).assets.map(toFqn)).toEqual(["wh.mart.orders", ...(found === null ? [] : [found])]);
  });
});

test("An enforced contract states every column with its type", async () => {
  const columns = { id: { name: "id", data_type: "bigint" }, Total: { data_type: "numeric(12,2)" } };
  const nodes = entries({
    "model.shop.a": { columns, config: { contract: { enforced: true } } },
    "model.shop.b": { columns, contract: { enforced: true } },
    "model.shop.c": { columns, config: { contract: { enforced: false } } },
    "seed.shop.d": { columns, config: { contract: { enforced: true } } },
  });
  const { checks } = await crawlArtifacts({ manifest: manifest({ nodes }) });
  expect(checks.map(({ object, name, kind }) => [object, name, kind])).toEqual([
    ["contract.model.shop.a", "contract of a", "contract"],
    ["contract.model.shop.b", "contract of b", "contract"],
  ]);
  expect(checks.map(needsOf)[0]).toEqual({
    assets: ["wh.mart.a"],
    columns: ["wh.mart.a.id bigint", "wh.mart.a.Total numeric(12,2)"],
  });
});

test("A source with a freshness limit has a freshness check, which needs its load time column", async () => {
  const limit = { warn_after: { count: 12, period: "hour" }, error_after: { count: 1, period: "day" } };
  const none = { warn_after: { count: null, period: null }, error_after: {} };
  const sources = entries(
    {
      "source.shop.erp.a": { freshness: { ...limit, filter: "not deleted" }, loaded_at_field: "loaded_at" },
      "source.shop.erp.b": { config: { freshness: { warn_after: limit.warn_after } } },
      "source.shop.erp.c": { freshness: none, loaded_at_field: "loaded_at" },
      "source.shop.erp.d": { freshness: null },
    },
    SOURCE,
  );
  const { checks } = await crawlArtifacts({ manifest: manifest({ sources }) });
  expect(checks).toMatchObject([
    {
      object: "freshness.source.shop.erp.a",
      name: "freshness of erp.a",
      kind: "freshness",
      severity: "error",
      columns: [{ name: "loaded_at" }],
      texts: [{ text: "not deleted", instead: false }],
    },
    { object: "freshness.source.shop.erp.b", severity: "warn", columns: [] },
  ]);
});

test("A test that cannot be read is named in an error, and the rest is loaded", async () => {
  const { checks, errors, assets } = await crawlTests({ "test.shop.broken": { name: 3 }, "test.shop.t.1": ORDERS });
  expect(errors).toMatchObject([{ code: "malformed_node", object: "test.shop.broken" }]);
  expect(checks.map(({ object }) => object)).toEqual(["test.shop.t.1"]);
  expect(assets.size).toBe(4);
});

const AGE = "newest row: 2026-05-01T00:00:00.000Z; warn after 12 hours; error after 1 day";

describe("Results", () => {
  const NODES = entries({
    ...PROJECT,
    "test.shop.t.1": { ...metadataOf("not_null"), ...ORDERS, column_name: "id" },
    "model.shop.kept": { config: { contract: { enforced: true } } },
  });
  const timing = [
    { name: "compile", started_at: "2026-05-01T08:00:00Z", completed_at: "2026-05-01T08:00:01Z" },
    { name: "execute", started_at: "2026-05-01T08:00:01Z", completed_at: "2026-05-01T08:00:02.123456Z" },
  ];
  const resultsOf = async (results: readonly Record<string, unknown>[], which?: string, version?: number) => {
    const artifacts = { manifest: manifest({ nodes: NODES }), run_results: runResults(results, which, version) };
    const { checks, errors } = await crawlArtifacts(artifacts);
    expect(errors).toEqual([]);
    return Object.fromEntries(checks.map(({ object, result }) => [object, result]));
  };

  test.each([4, 5, 6])("The result of a test is read from run_results.json v%i", async (version) => {
    const message = "\u001b[31mGot 3 results\u001b[0m,\tconfigured to fail if != 0\nsecond line\u0000";
    const result = { unique_id: "test.shop.t.1", status: "fail", failures: 3, message, timing, thread_id: "T" };
    expect(await resultsOf([result], "test", version)).toEqual({
      "test.shop.t.1": {
        status: "fail",
        message: "Got 3 results, configured to fail if != 0\nsecond line",
        failures: 3,
        ranAt: "2026-05-01T08:00:02.123Z",
      },
      "contract.model.shop.kept": null,
    });
  });

  test.each([
    ["pass", "pass"],
    ["warn", "warn"],
    ["error", "error"],
    ["skipped", "skipped"],
    ["success", undefined],
    ["no-op", undefined],
  ])("A test result of the status %s is read", async (status, outcome) => {
    const found = await resultsOf([{ unique_id: "test.shop.t.1", status, message: null, failures: null, timing: [] }]);
    expect(found["test.shop.t.1"]?.status).toBe(outcome);
  });

  test.each([
    ["success", "OK", "build", ["pass", ""]],
    [
      "error",
      "This model has an enforced contract that failed.",
      "run",
      ["fail", "This model has an enforced contract that failed."],
    ],
    ["error", "relation does not exist", "run", ["error", "relation does not exist"]],
    ["skipped", "", "build", ["skipped", ""]],
    ["success", "OK", "compile", [null, null]],
    ["success", "OK", "test", [null, null]],
  ])(
    "The result of a contract is read from its model, which ended as %s (%s) by dbt %s",
    async (status, message, which, to) => {
      const found = await resultsOf([{ unique_id: "model.shop.kept", status, message, timing }], which);
      const { status: outcome = null, message: told = null } = found["contract.model.shop.kept"] ?? {};
      expect([outcome, told]).toEqual(to);
    },
  );

  test("A very long message of a result is cut", async () => {
    const message = "😀".repeat(10_000);
    const found = await resultsOf([{ unique_id: "test.shop.t.1", status: "error", message, timing }]);
    expect([...(found["test.shop.t.1"]?.message ?? "")]).toHaveLength(2_001);
  });

  test.each([
    ["pass", null, "pass", AGE],
    ["warn", null, "warn", AGE],
    ["error", null, "fail", AGE],
    ["runtime error", "no such table", "error", "no such table"],
  ])(
    "The result of a freshness check is read from sources.json with the status %s",
    async (status, error, outcome, message) => {
      const limit = { warn_after: { count: 12, period: "hour" }, error_after: { count: 1, period: "day" } };
      const sources = entries({ "source.shop.erp.a": { freshness: limit, loaded_at_field: "at" } }, SOURCE);
      const told = { unique_id: "source.shop.erp.a", status, error, criteria: limit };
      const times = { max_loaded_at: "2026-05-01T00:00:00+00:00", snapshotted_at: "2026-05-02T00:00:00Z" };
      const { checks } = await crawlArtifacts({
        manifest: manifest({ sources }),
        sources: sourceResults([{ ...told, ...(error === null ? times : {}) }]),
      });
      expect(checks[0]?.result).toMatchObject({
        status: outcome,
        message,
        failures: null,
        ranAt: error === null ? "2026-05-02T00:00:00.000Z" : null,
      });
    },
  );

  test("Results are found in the target folder, and new ones are stated by an incremental crawl", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "dbt-test-"));
    const options = { target: folder.path };
    await writeFile(join(folder.path, "manifest.json"), JSON.stringify(manifest({ nodes: NODES })));
    const first = await crawl(options);
    expect(first.checks[0]?.result).toBeNull();
    const result = { unique_id: "test.shop.t.1", status: "pass", timing };
    await writeFile(join(folder.path, "run_results.json"), JSON.stringify(runResults([result])));
    const second = await crawl(options, { mode: "incremental", previousState: first.state });
    expect(second.checks[0]?.result?.status).toBe("pass");
    const third = await crawl(options, { mode: "incremental", previousState: second.state });
    expect(third.events.map(({ kind }) => kind)).toEqual(["progress", "progress"]);
  });

  test("Results in the target folder that cannot be read cause a warning, and all else is stated", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "dbt-test-"));
    const options = { target: folder.path };
    await writeFile(join(folder.path, "manifest.json"), JSON.stringify(manifest({ nodes: NODES })));
    await writeFile(join(folder.path, "run_results.json"), "{ half");
    const { errors, checks, complete } = await crawl(options);
    expect(errors).toMatchObject([{ code: "malformed_json", object: "run_results.json", severity: "warning" }]);
    expect([checks.length, complete]).toEqual([2, true]);
  });

  test("Results named in the options that cannot be read cause an error, and a sweep still removes what is gone", async () => {
    const { errors, complete } = await crawlArtifacts({
      manifest: manifest({ nodes: NODES }),
      run_results: manifest(),
      sources: "[]",
    });
    expect(errors.map(({ code, object, severity }) => [code, object, severity])).toEqual([
      ["not_results", "run_results.json", "error"],
      ["malformed_json", "sources.json", "error"],
    ]);
    expect(complete).toBe(true);
  });

  test("A result that cannot be read does not affect the other results", async () => {
    const artifacts = {
      manifest: manifest({ nodes: NODES }),
      run_results: runResults([{ status: 3 }, { unique_id: "test.shop.t.1", status: "pass", failures: "many" }]),
    };
    const { checks, errors } = await crawlArtifacts(artifacts);
    expect(errors).toMatchObject([{ severity: "warning", code: "malformed_node" }]);
    expect(checks.find(({ object }) => object === "test.shop.t.1")?.result?.status).toBe("pass");
  });
});
