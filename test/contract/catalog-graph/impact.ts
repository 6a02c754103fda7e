/** The impact of a change. `test/unit/catalog/impact` tests how it spreads; `random-impacts.ts` does so on random lineages. */
import { expect, it } from "vitest";

import type { ColumnUse } from "../../../src/catalog/edge.ts";
import type { ImpactQuery } from "../../../src/catalog/impact.ts";
import { isFull } from "../../support/depth.ts";
import { draw } from "../../support/drawn-lineage.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf, UNKNOWN } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const SHOP = `
  table payments(amount, method)
  model stg_payments(amount known, method known) known
  model fct_orders(amount known, is_gift known) known
  model odd(x) unknown: no such function
  metric revenue known certified
  dashboard board
  payments > stg_payments
  payments > odd
  payments.amount > stg_payments.amount IDENTITY amount
  payments.method > stg_payments.method IDENTITY method
  stg_payments > fct_orders
  stg_payments.amount > fct_orders.amount AGGREGATION sum(amount) | FILTER amount > 0
  stg_payments.amount > fct_orders.is_gift CONDITIONAL amount = 0
  fct_orders > revenue
  fct_orders.amount > revenue AGGREGATION sum(amount)
  revenue > board
`;
const DROP = { change: "column_drop", newType: null, maxAffected: 100 } as const satisfies Partial<ImpactQuery>;
const FILTER: ColumnUse = { kind: "INDIRECT", transformation: "FILTER", expression: "id > 0" };

export function describeImpact(open: OpenGraph): void {
  it("An impact lists everything affected by risk, hops and key, with path, evidence and reason", async () => {
    const { assess, idOf, nameOf } = await draw(SHOP, {}, open());
    const impact = await assess("payments.amount", "column_drop");
    expect(impact).toMatchObject({
      root: idOf("payments.amount"),
      change: "column_drop",
      newType: null,
      effect: "breaks",
      summary: { total: 8, high: 6, medium: 2, low: 0 },
      truncated: false,
    });
    expect(impact.affected.map(({ id, risk, hops }) => `${nameOf(id)} ${risk} ${hops}`)).toEqual([
      "stg_payments high 1",
      "stg_payments.amount high 1",
      "fct_orders high 2",
      "fct_orders.amount high 2",
      "revenue high 3",
      "board high 4",
      "odd medium 1",
      "fct_orders.is_gift medium 2",
    ]);
    expect(impact.affected[4]).toEqual({
      id: idOf("revenue"),
      parentId: null,
      name: "revenue",
      fqn: "shop.revenue",
      type: "metric",
      certification: "certified",
      risk: "high",
      reason:
        "Certified metric `revenue` sums `fct_orders.amount` (AGGREGATION), 3 hops: " +
        "`payments.amount` → `stg_payments.amount` → `fct_orders.amount` → `revenue`.",
      hops: 3,
      path: ["payments.amount", "stg_payments.amount", "fct_orders.amount", "revenue"].map(idOf),
      evidence: [
        {
          kind: "DIRECT",
          level: "column",
          transformation: "IDENTITY",
          expression: "amount",
          from: idOf("payments.amount"),
          to: idOf("stg_payments.amount"),
        },
        {
          kind: "DIRECT",
          level: "column",
          transformation: "AGGREGATION",
          expression: "sum(amount)",
          from: idOf("stg_payments.amount"),
          to: idOf("fct_orders.amount"),
        },
        {
          kind: "DIRECT",
          level: "column",
          transformation: "AGGREGATION",
          expression: "sum(amount)",
          from: idOf("fct_orders.amount"),
          to: idOf("revenue"),
        },
      ],
      owner: "",
      ownerName: "",
      usage: null,
    });
    expect(impact.affected.find(({ name }) => name === "odd")?.evidence).toEqual([
      {
        kind: "UNKNOWN",
        level: "asset",
        transformation: "",
        expression: "",
        from: idOf("payments.amount"),
        to: idOf("odd"),
      },
    ]);
  });

  it("An impact with too many affected assets keeps the first, and counts risks and owners of all", async () => {
    const said = {
      fct_orders: { owner: "Ada@example.com" },
      "fct_orders.amount": { ownerName: "Finance" },
      revenue: { owner: "ada@example.com", ownerName: "Ada" },
      odd: { owner: "bob@example.com" },
    };
    const { assess } = await draw(SHOP, said, open());
    const all = await assess("payments.amount", "column_drop");
    const few = await assess("payments.amount", "column_drop", { maxAffected: 3 });
    expect(few).toEqual({ ...all, affected: all.affected.slice(0, 3), truncated: true });
    expect(all.owners).toEqual([
      { owner: "Ada@example.com", ownerName: "Ada", total: 3, high: 2, medium: 1, low: 0 },
      { owner: "", ownerName: "Finance", total: 1, high: 1, medium: 0, low: 0 },
      { owner: "bob@example.com", ownerName: "", total: 1, high: 0, medium: 1, low: 0 },
      { owner: "", ownerName: "", total: 3, high: 3, medium: 0, low: 0 },
    ]);
    // A column without an owner has its table's owner.
    const ownerOf = (name: string) => all.affected.find(({ fqn }) => fqn === `shop.${name}`)?.owner;
    expect(ownerOf("fct_orders.is_gift")).toBe("Ada@example.com");
    expect(ownerOf("fct_orders.amount")).toBe("");
    expect(await assess("payments.amount", "column_drop", { maxAffected: 8 })).toEqual(all);
  });

  it("An impact is empty if nothing uses the asset, and null if the asset does not exist", async () => {
    const { assess, workspace, idOf, graph } = await draw(SHOP, {}, open());
    expect(await assess("board", "deprecate")).toEqual({
      root: idOf("board"),
      change: "deprecate",
      newType: null,
      effect: "deprecates",
      groups: [],
      summary: { total: 0, high: 0, medium: 0, low: 0 },
      affected: [],
      owners: [],
      truncated: false,
      coverage: { connectors: [stampOf(workspace, "drawn", 1).connectorId], gaps: [], gapsTotal: 0 },
    });
    expect(await graph.assessImpact(workspace, { root: UNKNOWN, ...DROP })).toBeNull();
    expect(await graph.assessImpact(newWorkspace(), { root: idOf("payments.amount"), ...DROP })).toBeNull();
    await graph.sweep(stampOf(workspace, "drawn", 2), "all");
    expect(await graph.assessImpact(workspace, { root: idOf("payments.amount"), ...DROP })).toBeNull();
  });

  it("An impact refuses a change that cannot happen to an asset of that type", async () => {
    const { assess } = await draw(SHOP, {}, open());
    await expect(assess("revenue", "column_drop")).rejects.toThrow("no column_drop can happen to a metric");
  });

  it("An impact follows the whole closure, however deep", async () => {
    const names = Array.from({ length: 40 }, (_, i) => `m${String(i).padStart(2, "0")}`);
    const { assess, idOf } = await draw(
      [
        ...names.map((name) => `model ${name}(id known) known`),
        ...names.slice(1).flatMap((name, i) => [`${names[i]} > ${name}`, `${names[i]}.id > ${name}.id IDENTITY id`]),
      ].join("\n"),
      {},
      open(),
    );
    const { summary, affected } = await assess("m00.id", "column_rename");
    expect(summary).toEqual({ total: 78, high: 78, medium: 0, low: 0 });
    expect(affected.at(-1)).toMatchObject({ hops: 39, path: names.map((name) => idOf(`${name}.id`)) });
  });

  it("An impact joins what several scopes of a connector say about an edge", async () => {
    const w = newWorkspace();
    const [a, b] = [
      nodeOf(w, "table", "a"),
      nodeOf(w, "model", "b", { columnLineage: { status: "known", reason: "" } }),
    ];
    const [x, y] = [columnOf(w, a, "x", 0), columnOf(w, b, "y", 0)];
    const crawl = stampOf(w, "dbt", 1);
    await open().writeNodes(crawl, "all", [a, b, x, y]);
    const kindOf = async () =>
      present(await open().assessImpact(w, { root: x.id, ...DROP })).affected.map(({ evidence: [hop] }) => hop?.kind);
    await open().writeEdges(crawl, "all", [edgeOf(x, y, "derives")]);
    expect(await kindOf()).toEqual(["DIRECT", "DIRECT"]);
    // A scope without evidence does not hide the evidence of another scope.
    await open().writeEdges(crawl, "other", [edgeOf(x, y, "derives", [FILTER])]);
    expect(await kindOf()).toEqual(["INDIRECT", "INDIRECT"]);
    const quoted: ColumnUse = { ...FILTER, expression: `'"kind":"DIRECT"' = x` };
    await open().writeEdges(crawl, "other", [edgeOf(x, y, "derives", [quoted])]);
    expect(await kindOf()).toEqual(["INDIRECT", "INDIRECT"]);
    const direct: ColumnUse = { kind: "DIRECT", transformation: "IDENTITY", expression: "x" };
    await open().writeEdges(crawl, "more", [edgeOf(x, y, "derives", [direct])]);
    expect(await kindOf()).toEqual(["DIRECT", "DIRECT"]);
  });

  it("An impact stays within its workspace if two workspaces hold the same", async () => {
    const [here, there] = [await draw(SHOP, {}, open()), await draw(SHOP, {}, open())];
    const paths = async (drawn: typeof here) =>
      (await drawn.assess("payments", "deprecate")).affected.map(({ path }) => path.map(drawn.nameOf));
    expect(await paths(here)).toEqual(await paths(there));
  });

  it.runIf(isFull)("An impact follows a hub of three thousand exactly", async () => {
    const w = newWorkspace();
    const hub = nodeOf(w, "table", "hub");
    const id = columnOf(w, hub, "id", 0);
    const known = { columnLineage: { status: "known", reason: "" } } as const;
    const spokes = Array.from({ length: 1_000 }, (_, i) => nodeOf(w, "model", `spoke_${i}`, known));
    const ids = spokes.map((spoke) => columnOf(w, spoke, "id", 0, known));
    const boards = Array.from({ length: 2_000 }, (_, i) => nodeOf(w, "dashboard", `board_${i}`));
    const stamp = stampOf(w, "dbt", 1);
    await open().writeNodes(stamp, "all", [hub, id, ...spokes, ...ids, ...boards]);
    await open().writeEdges(stamp, "all", [
      ...spokes.map((spoke) => edgeOf(hub, spoke, "derives")),
      ...ids.slice(0, 500).map((one) => edgeOf(id, one, "derives")),
      ...boards.map((board) => edgeOf(hub, board, "powers")),
    ]);
    const impact = present(await open().assessImpact(w, { root: id.id, ...DROP, maxAffected: 10 }));
    expect(impact.summary).toEqual({ total: 3_000, high: 1_000, medium: 2_000, low: 0 });
    expect([impact.affected.length, impact.truncated]).toEqual([10, true]);
  });
}
