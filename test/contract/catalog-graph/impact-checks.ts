/** The checks that a change would make fail. */
import { expect, it } from "vitest";

import type { Check } from "../../../src/catalog/check.ts";
import type { FailingChecks, ImpactQuery } from "../../../src/catalog/impact.ts";
import { draw } from "../../support/drawn-lineage.ts";
import { checkOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

/** `stg` selects all columns of `raw`; `fct` sums the amount, and names no other column; `late` only filters by the id. */
const SHOP = `
  table raw(id integer, amount numeric)
  model stg(id integer known, amount numeric known) known
  model fct(total numeric known, n known) known
  model late(n known) known
  model other(x known) known
  raw > stg
  stg > fct
  stg > late
  raw > other
  raw.id > stg.id IDENTITY id
  raw.amount > stg.amount IDENTITY amount
  stg.amount > fct.total AGGREGATION sum(amount)
  stg.id > late.n FILTER id > 0
  stg.amount ~ fct
  stg.id ~ late
`;
const CHECKS: Record<string, [asset: string, columns: string[], more?: Partial<Check>]> = {
  "raw amount": ["raw", ["raw.amount"]],
  "raw rows": ["raw", []],
  "stg amount": ["stg", ["stg.amount"], { severity: "warn" }],
  "stg id": ["stg", ["stg.id"]],
  "fct total": ["fct", ["fct.total"]],
  "fct n": ["fct", ["fct.n"]],
  "late n": ["late", ["late.n"]],
  "other x": ["other", ["other.x"]],
};

export function describeImpactChecks(open: OpenGraph): void {
  async function shop(drawn = SHOP) {
    const { workspace, idOf, assess } = await draw(drawn, {}, open());
    const node = (name: string) => ({ id: idOf(name) });
    const state = async (checks: typeof CHECKS, connector = "dbt"): Promise<void> => {
      const stated = Object.entries(checks).map(([name, [asset, columns, more]]) =>
        checkOf(workspace, name, [node(asset)], columns.map(node), more),
      );
      await open().writeChecks(stampOf(workspace, connector, 1), "checks", stated);
    };
    const failingBy = async (
      root: string,
      change: ImpactQuery["change"],
      more: Partial<ImpactQuery> = {},
    ): Promise<FailingChecks> => present((await assess(root, change, { maxChecks: 100, ...more })).checks);
    const reasonsBy = async (...args: Parameters<typeof failingBy>): Promise<string[]> => {
      const { failing } = await failingBy(...args);
      return failing.map(({ check, reason }) => `${check.name}: ${reason}`);
    };
    return { workspace, idOf, assess, state, failingBy, reasonsBy };
  }

  it("A dropped column fails the checks that need it, a copy of it, something made from it, or a model that names it", async () => {
    const { state, reasonsBy } = await shop();
    await state(CHECKS);
    expect(await reasonsBy("raw.amount", "column_drop")).toEqual([
      "raw amount: It needs `raw.amount`, which goes away.",
      "stg amount: It needs `stg.amount`, which is made from `raw.amount`.",
      "fct total: It needs `fct.total`, which is made from `stg.amount`.",
      "fct n: It needs model `fct`, which cannot be built without `stg.amount`.",
    ]);
  });

  it("A dropped column fails all checks of a model whose SQL uses it only to decide the rows", async () => {
    const { state, reasonsBy } = await shop();
    await state(CHECKS);
    expect(await reasonsBy("raw.id", "column_rename")).toEqual([
      "stg id: It needs `stg.id`, which is made from `raw.id`.",
      "late n: It needs model `late`, which cannot be built without `stg.id`.",
    ]);
  });

  it("A dropped column names the models that cannot be built, and what dbt skips after them", async () => {
    const { idOf, state, failingBy } = await shop(
      `${SHOP}  model mart(n known) known\n  dashboard board\n  late > mart\n  mart > board\n  late.n > mart.n FILTER n\n`,
    );
    await state({ ...CHECKS, "mart n": ["mart", ["mart.n"]], "mart rows": ["mart", []] });
    const { unbuilt, skipped, failing } = await failingBy("raw.id", "column_drop");
    expect(unbuilt.map(({ id }) => id)).toEqual([idOf("late")]);
    expect(skipped.models).toEqual([idOf("mart")]);
    expect(skipped.checks).toHaveLength(2);
    expect(failing.map(({ check }) => check.name)).toEqual(["stg id", "late n"]);
    const whole = await failingBy("raw", "asset_drop");
    expect(whole.unbuilt.map(({ name }) => name)).toEqual(["other", "stg"]);
    expect(whole.skipped.models).toEqual([idOf("fct"), idOf("late"), idOf("mart")].toSorted());
    expect(await failingBy("raw.id", "deprecate")).toMatchObject({ unbuilt: [], skipped: { models: [], checks: [] } });
  });

  it("A dropped column names what is not affected and gets no new data, because a model before it cannot be built", async () => {
    const { idOf, failingBy } = await shop(`${SHOP}
  model mart(n known) known
  dashboard board
  dashboard peek
  metric revenue
  fct > mart
  fct.n > mart.n IDENTITY n
  mart > board
  fct > peek
  fct.n > peek
  fct.total > revenue AGGREGATION sum(total)
  fct > revenue
`);
    const { unbuilt, unrefreshed } = await failingBy("raw.amount", "column_drop");
    expect(unbuilt.map(({ id }) => id)).toEqual([idOf("fct")]);
    expect(unrefreshed.nodes.map(({ reason }) => reason)).toEqual([
      "Dashboard `peek` reads `fct`, which cannot be built.",
      "Dashboard `board` reads `mart`, which gets no new data because `fct` cannot be built.",
      "Model `mart` reads `fct`, which cannot be built.",
    ]);
    expect(unrefreshed.groups).toEqual([
      { type: "dashboard", owner: "", ownerName: "", count: 2 },
      { type: "model", owner: "", ownerName: "", count: 1 },
    ]);
    const cut = await failingBy("raw.amount", "column_drop", { maxAffected: 1 });
    expect(cut.unrefreshed.nodes.map(({ name }) => name)).toEqual(["peek"]);
    expect(cut.unrefreshed.groups).toEqual(unrefreshed.groups);
    expect([unrefreshed.truncated, cut.unrefreshed.truncated]).toEqual([false, true]);
    const gone = [{ from: idOf("fct"), to: idOf("mart") }];
    const { unrefreshed: left } = await failingBy("raw.amount", "column_drop", { supposing: { gone, known: [] } });
    expect(left.nodes.map(({ name }) => name)).toEqual(["peek"]);
    expect((await failingBy("raw.amount", "type_change")).unrefreshed).toEqual({
      groups: [],
      nodes: [],
      truncated: false,
    });
  });

  it("A dropped table fails all its checks and those of what reads it, and skips those of what is built from that", async () => {
    const { state, failingBy } = await shop();
    await state(CHECKS);
    const { failing, skipped } = await failingBy("raw", "column_drop", { asWhole: true });
    const names = failing.map(({ check }) => check.name);
    expect(names.toSorted()).toEqual(["other x", "raw amount", "raw rows", "stg amount", "stg id"]);
    expect(skipped.checks).toHaveLength(3);
  });

  it("A check of a skipped model is skipped, whatever it needs of what goes away", async () => {
    const { idOf, state, failingBy } = await shop(`${SHOP}
  model mart(total numeric known, twice numeric known) known
  fct > mart
  fct.total > mart.total IDENTITY total
  fct.total > mart.twice TRANSFORMATION total * 2
  fct.total ~ mart
`);
    await state({
      "raw amount": ["raw", ["raw.amount"]],
      "fct n": ["fct", ["fct.n"]],
      "mart total": ["mart", ["mart.total"]],
      "mart twice": ["mart", ["mart.twice"]],
      "mart rows": ["mart", []],
      "fct to mart": ["mart", ["fct.total"], { assets: [idOf("mart"), idOf("fct")] }],
    });
    const { skipped, failing, total } = await failingBy("raw.amount", "column_drop");
    expect(skipped.models).toEqual([idOf("mart")]);
    expect(failing.map(({ check }) => check.name)).toEqual(["raw amount", "fct n"]);
    expect(total).toBe(2);
    expect(skipped.checks).toHaveLength(4);
  });

  it("A dropped column fails the checks that need any column of the table, and not those that need only its rows", async () => {
    const { state, failingBy } = await shop();
    await state(CHECKS);
    const { failing } = await failingBy("raw", "column_drop");
    expect(failing.map(({ check }) => check.name)).not.toContain("raw rows");
    expect(failing.map(({ check }) => check.name)).toContain("raw amount");
  });

  it("A changed type fails the contracts of the column and of its copies, unless they promise the new type", async () => {
    const { idOf, state, reasonsBy } = await shop();
    const contract = (column: string, type: string): Partial<Check> => ({
      kind: "contract",
      columns: [{ id: idOf(column), type }],
    });
    await state({
      "raw contract": ["raw", [], contract("raw.amount", "numeric")],
      "stg contract": ["stg", [], contract("stg.amount", "numeric")],
      "fct contract": ["fct", [], contract("fct.total", "numeric")],
      "raw amount": ["raw", ["raw.amount"]],
    });
    expect(await reasonsBy("raw.amount", "type_change", { newType: "text" })).toEqual([
      "raw contract: It promises the data type of `raw.amount`, which changes.",
      "stg contract: It promises the data type of `stg.amount`, which changes with `raw.amount`.",
    ]);
    expect(await reasonsBy("raw.amount", "type_change", { newType: "decimal" })).toEqual([]);
    expect(await reasonsBy("raw.amount", "type_change")).toHaveLength(2);
  });

  it("A deprecation fails no checks, and checks are looked for only if they are requested", async () => {
    const { assess, state, failingBy } = await shop();
    await state(CHECKS);
    expect(await failingBy("raw", "deprecate")).toMatchObject({ total: 0, failing: [], truncated: false });
    expect(await assess("raw.amount", "column_drop")).not.toHaveProperty("checks");
  });

  it("An impact counts all failing checks, and keeps the nearest with their connectors", async () => {
    const { workspace, idOf, state, failingBy } = await shop();
    const result = { status: "fail", message: "Got 3 results", failures: 3, ranAt: null } as const;
    await state({ ...CHECKS, "raw amount": ["raw", ["raw.amount"], { result }] });
    await state({ "raw amount": ["raw", ["raw.amount"]] }, "soda");
    const found = await failingBy("raw.amount", "column_drop", { maxChecks: 1 });
    expect(found).toMatchObject({
      total: 4,
      truncated: true,
      failing: [
        {
          check: checkOf(workspace, "raw amount", [{ id: idOf("raw") }], [{ id: idOf("raw.amount") }], { result }),
          on: idOf("raw.amount"),
          why: "changed",
          reason: "It needs `raw.amount`, which goes away.",
          connectorIds: [`${workspace}:dbt`, `${workspace}:soda`],
        },
      ],
    });
  });

  it("A check does not fail along edges that are supposed gone", async () => {
    const { idOf, state, failingBy } = await shop();
    await state(CHECKS);
    const gone = [{ from: idOf("stg.amount"), to: idOf("fct.total") }].concat([
      { from: idOf("stg.amount"), to: idOf("fct") },
    ]);
    const { failing } = await failingBy("raw.amount", "column_drop", { supposing: { gone, known: [] } });
    expect(failing.map(({ check }) => check.name)).toEqual(["raw amount", "stg amount"]);
  });
}
