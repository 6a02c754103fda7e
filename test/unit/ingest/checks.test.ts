/** Which columns the checks of a crawl need, and how many checks are kept. */
import { describe, expect, it } from "vitest";

import type { Check, CheckStatement } from "../../../src/catalog/check.ts";
import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import type { LineageAnswer } from "../../../src/sql-lineage/request.ts";
import { openCrawlBench } from "../../support/crawl-bench.ts";
import { scope, table, tableRef } from "../../support/scripted-connector.ts";

const ORDERS = table("orders", {}, ["id", "Amount", "order date", "status"]);
const PAYMENTS = table("payments", {}, ["id", "order_id", "amount"]);

function check(more: Partial<CheckStatement> = {}): CrawlEvent & { kind: "check" } {
  const stated = {
    object: "test.shop.t",
    name: "t",
    kind: "generic",
    test: "not_null",
    severity: "error",
    assets: [tableRef("orders")],
    columns: [],
    sql: null,
    texts: [],
    result: null,
  } as const;
  return { kind: "check", check: { ...structuredClone(stated), ...more } as CheckStatement };
}

const column = (name: string, type = "") => ({ asset: tableRef("orders"), name, type });
const words = (text: string, asset = "orders", instead = false) => ({ assets: [tableRef(asset)], text, instead });

/** Gives the test's answer for each statement. */
function answerWith(answer: Partial<Extract<LineageAnswer, { columns: unknown }>>): () => Promise<LineageAnswer> {
  const nothing = { columns: [], incomplete: null, notes: [], named: [], unresolvedUse: null, unfound: [] };
  return () => Promise.resolve({ ...nothing, ...answer });
}

/** The columns of the check's assets that it needs, by their names. */
async function needsOf(statement: Partial<CheckStatement>, read?: () => Promise<LineageAnswer>): Promise<string[]> {
  const bench = await openCrawlBench(undefined, read);
  const outcome = await bench.crawl(scope("all", [ORDERS, PAYMENTS, check(statement)]));
  expect(outcome).toMatchObject({ status: "completed", errors: [] });
  const [page] = await bench.graph.loadChecks(bench.workspace.id, [
    { node: bench.idOf("orders"), first: 5, after: null },
  ]);
  const names = [ORDERS, PAYMENTS].flatMap(({ asset: { name, columns } }) =>
    [...columns, { name: "unlisted" }].map(
      (each) => [bench.columnIdOf(name, each.name), `${name}.${each.name}`] as const,
    ),
  );
  const byId = new Map(names);
  return (page?.items[0]?.columns ?? []).map(({ id, type }) => `${byId.get(id)}${type === "" ? "" : ` ${type}`}`);
}

describe("Columns that a check needs", () => {
  it.each([
    ["in any case", [column("ID"), column("amount")], ["orders.id", "orders.Amount"]],
    [
      "in quotes",
      [column('"order date"'), column("`status`"), column("[id]")],
      ["orders.order date", "orders.status", "orders.id"],
    ],
    ["that the catalog does not list", [column("unlisted")], ["orders.unlisted"]],
    ["within an expression", [column("lower(status) || amount::text")], ["orders.Amount", "orders.status"]],
    ["twice", [column("id", "bigint"), column("id")], ["orders.id bigint"]],
  ])("A check needs the columns that its source names %s", async (_, columns, expected) => {
    expect(await needsOf({ columns })).toEqual(expected);
  });

  it("A check needs the columns that its SQL names, of each of its assets", async () => {
    const named = [
      { relation: 1, column: "order_id" },
      { relation: 0, column: "id" },
    ];
    const assets = [tableRef("orders"), tableRef("payments")];
    const texts = [words("amount", "orders", true)];
    expect(await needsOf({ assets, sql: "select 1", texts }, answerWith({ named }))).toEqual([
      "payments.order_id",
      "orders.id",
    ]);
  });

  it.each<[string, () => Promise<LineageAnswer>, string[]]>([
    [
      "not at all",
      () => Promise.resolve({ unresolved: "it is no SQL", unfound: [] }),
      ["orders.status", "payments.amount"],
    ],
    [
      "in part",
      answerWith({ named: [{ relation: 0, column: "id" }], unresolvedUse: "x is ambiguous" }),
      ["orders.id", "orders.status", "payments.amount"],
    ],
  ])(
    "The columns that a check needs are searched for in its texts if the SQL was read %s",
    async (_, read, expected) => {
      const assets = [tableRef("orders"), tableRef("payments")];
      const texts = [words("where STATUS <> ''", "orders", true), words("sum(Amount)", "payments", true)];
      expect(await needsOf({ assets, sql: "select", texts }, read)).toEqual(expected);
    },
  );

  it("The columns that a check needs are found in texts that are not SQL, even if their names contain a space", async () => {
    expect(await needsOf({ texts: [words('{"order date": 1, "id": 2, "identity": 3}')] })).toEqual([
      "orders.id",
      "orders.order date",
    ]);
  });
});

describe("Checks that are kept", () => {
  it("The last result of a check is kept, and at most ten thousand checks of one asset", async () => {
    const { crawl, graph, workspace, idOf } = await openCrawlBench();
    const many = Array.from({ length: 10_002 }, (_, i) => check({ object: `t${i}`, columns: [column("id")] }));
    const outcome = await crawl(scope("all", [ORDERS, ...many]));
    expect(outcome.errors).toMatchObject([{ code: "too_many", object: "shop.public.orders", severity: "error" }]);
    const [page] = await graph.loadChecks(workspace.id, [{ node: idOf("orders"), first: 0, after: null }]);
    expect(page?.total).toBe(10_000);
  });

  it("A check that is too long is cut and reported", async () => {
    const { crawl, graph, workspace, idOf } = await openCrawlBench();
    const columns = Array.from({ length: 1_001 }, (_, i) => column(`c${i}`));
    const result = { status: "fail", message: "\ud800\0x", failures: 1, ranAt: null } as const;
    const outcome = await crawl(scope("all", [ORDERS, check({ columns, result, name: "n".repeat(2_000) })]));
    expect(outcome.errors).toMatchObject([{ code: "check_too_long", object: "test.shop.t" }]);
    const [page] = await graph.loadChecks(workspace.id, [{ node: idOf("orders"), first: 1, after: null }]);
    const [kept] = page?.items ?? [];
    expect(kept?.columns).toHaveLength(1_000);
    expect(kept?.name).toHaveLength(1_000);
    expect(kept?.result).toEqual({ ...result, message: "\ufffdx" });
  });

  it("A check is removed with its result when its source no longer has it", async () => {
    const { crawl, graph, workspace, idOf } = await openCrawlBench();
    const names = async (): Promise<string[]> => {
      const [page] = await graph.loadChecks(workspace.id, [{ node: idOf("orders"), first: 5, after: null }]);
      return (page?.items ?? []).map((each: Check) => each.object);
    };
    await crawl(scope("all", [check({ object: "a" }), ORDERS, check({ object: "b" })]));
    expect(await names()).toHaveLength(2);
    await crawl(scope("all", [ORDERS, check({ object: "b" })]));
    expect(await names()).toEqual(["b"]);
  });
});
