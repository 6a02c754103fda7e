import { describe, expect, it, test } from "vitest";

import { parseSearch } from "../../../src/catalog/search.ts";
import { AppError } from "../../../src/errors.ts";
import { toNodeId } from "../../../src/ids.ts";
import type { GivenMetric } from "../../../src/metrics/metric-input.ts";
import { openCertified } from "../../support/certified.ts";
import { present } from "../../support/present.ts";
import { scope, table } from "../../support/scripted-connector.ts";

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => "nothing",
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? error.code : String(error);
}

const ORDERS_WITHOUT_AMOUNT = "select status from stg_payments where status <> 'test' group by status";
const ORDERS_NET = "select status, sum(net) as amount from stg_payments where status <> 'test' group by status";

describe("Metrics that people define", () => {
  it("A defined metric is listed, searched and walked like any other", async () => {
    const { crawlPayments, define, graph, workspace, columnIdOf, idOf } = await openCertified();
    await crawlPayments();
    const owner = "ada@example.com";
    const said = { description: "What is left.", owner, tags: ["finance"], grain: "month", dimensions: ["status"] };
    const margin = await define({ ...said, sources: [columnIdOf("fct_orders", "amount"), idOf("revenue")] });
    expect(margin).toMatchObject({
      name: "margin",
      fqn: "margin",
      platform: "people",
      connectors: ["people"],
      description: said.description,
      owner,
      tags: said.tags,
      certification: "pending",
      metric: { displayName: "Margin", kind: "simple", expression: "sum(amount)", grain: "month", filters: [] },
    });
    const found = await graph.searchNodes(workspace.id, { types: ["metric"] }, present(parseSearch("margin")), {
      after: null,
      limit: 5,
    });
    expect(found.items.map(({ node }) => node.id)).toEqual([margin.id]);
    const walk = { root: margin.id, direction: "upstream", depth: 10, maxNodes: 100 } as const;
    const names = (await graph.walk(workspace.id, walk))?.nodes.map(({ name }) => name);
    expect(names).toEqual(["fct_orders", "revenue", "stg_payments", "raw_payments"]);
  });

  it("A defined metric shows how it uses the columns of one relation, and no uses if there are several relations", async () => {
    const { crawlPayments, define, update, columnIdOf, idOf, sourcesOf } = await openCertified();
    await crawlPayments();
    const columns = ["gross", "net", "status"].map((name) => columnIdOf("raw_payments", name));
    const said = { expression: "sum(gross - net)", filters: ["status = 'paid'"], sources: columns };
    const margin = await define(said);
    expect(margin.columnLineage).toEqual({ status: "known", reason: "", basis: expect.any(String) });
    expect(await sourcesOf(margin.id, "column")).toEqual(["gross AGGREGATION", "net AGGREGATION", "status FILTER"]);
    expect(await sourcesOf(margin.id, "asset")).toEqual(["raw_payments"]);
    const partly = await update(margin.id, { sources: columns.slice(0, 1) });
    expect(partly.columnLineage).toMatchObject({
      status: "partial",
      reason: "the column net is not among its sources",
    });
    await update(margin.id, { sources: [...columns, idOf("revenue")] });
    expect(await sourcesOf(margin.id, "column")).toEqual(["gross", "net", "status", "revenue"]);
    expect((await update(margin.id, { expression: "sum((", sources: columns })).columnLineage?.status).toBe("unknown");
  });

  it("A defined metric keeps its edges while no connector states its sources, which are then only referenced", async () => {
    const { crawl, crawlPayments, define, columnIdOf, tableIdOf, sourcesOf, find } = await openCertified();
    await crawlPayments();
    const amount = columnIdOf("fct_orders", "amount");
    const margin = await define({ sources: [amount] });
    const isAsDefined = async () => {
      expect(await find(margin.id)).toMatchObject({ name: "margin", meta: margin.meta, existence: "held" });
      expect(await sourcesOf(margin.id, "asset")).toEqual(["fct_orders"]);
      expect(await sourcesOf(margin.id, "column")).toEqual(["amount AGGREGATION"]);
    };
    const existences = async () => [await find(tableIdOf("fct_orders")), await find(amount)].map((n) => n?.existence);
    await isAsDefined();
    await crawl(scope("all", [table("other")]));
    await isAsDefined();
    expect(await existences()).toEqual(["referenced", "referenced"]);
    await crawlPayments({ orders: ORDERS_WITHOUT_AMOUNT });
    await isAsDefined();
    expect(await existences()).toEqual(["held", "referenced"]);
    await crawlPayments();
    await isAsDefined();
    expect(await existences()).toEqual(["held", "held"]);
    expect(await find(amount)).toMatchObject({ connectors: ["shop"], sourceConnector: "shop" });
  });

  it("A defined metric references a source until the source is left out, even if other fields change", async () => {
    const { crawl, crawlPayments, define, update, columnIdOf, idOf, tableIdOf, find, sourcesOf } =
      await openCertified();
    await crawlPayments();
    const sources = [columnIdOf("fct_orders", "amount"), idOf("revenue")];
    const margin = await define({ sources });
    await crawl(scope("all", [table("other")]));
    expect(await update(margin.id, { description: "new" })).toMatchObject({ description: "new", meta: { sources } });
    expect(await sourcesOf(margin.id, "asset")).toEqual(["fct_orders", "revenue"]);
    expect(await find(idOf("revenue"))).toMatchObject({ existence: "referenced", type: "metric" });
    const another = await define({ name: "another", sources: [tableIdOf("fct_orders")] });
    await update(margin.id, { sources: [] });
    const left = await Promise.all([tableIdOf("fct_orders"), ...sources].map(find));
    expect(left.map((node) => node?.existence)).toEqual(["referenced", undefined, undefined]);
    await update(another.id, { sources: [] });
    expect(await find(tableIdOf("fct_orders"))).toBeNull();
  });

  it("Removing a defined metric removes the nodes that only it references", async () => {
    const { crawl, crawlPayments, define, remove, columnIdOf, tableIdOf, find } = await openCertified();
    await crawlPayments();
    const margin = await define({ sources: [columnIdOf("fct_orders", "amount")] });
    await remove(margin.id);
    expect(await find(tableIdOf("fct_orders"))).toMatchObject({ existence: "held" });
    const again = await define({ sources: [columnIdOf("fct_orders", "amount")] });
    await crawl(scope("all", [table("other")]));
    expect(await find(tableIdOf("fct_orders"))).toMatchObject({ existence: "referenced" });
    await remove(again.id);
    expect(await find(tableIdOf("fct_orders"))).toBeNull();
    expect(await find(columnIdOf("fct_orders", "amount"))).toBeNull();
  });

  it("A defined metric names its sources by their known names and platform instance", async () => {
    const { crawlPayments, define, columnIdOf, tableIdOf, graph, workspace } = await openCertified();
    await crawlPayments();
    await define({ sources: [columnIdOf("fct_orders", "amount")] });
    const [names] = await graph.loadSources(workspace.id, [tableIdOf("fct_orders")]);
    const spelled = { fqn: "shop.public.fct_orders", instance: "", type: "table" };
    expect(names).toMatchObject([
      { connectorName: "shop", existence: "held", ...spelled },
      { connectorName: "people", existence: "referenced", ...spelled },
    ]);
  });

  it("A defined metric's certification lapses by the loss of its sources, even if they are still referenced", async () => {
    const { crawl, crawlPayments, define, certifyById, lastOfId, columnIdOf } = await openCertified();
    await crawlPayments();
    const margin = await define({ sources: [columnIdOf("fct_orders", "amount")] });
    await certifyById(margin.id);
    await crawlPayments({ orders: ORDERS_WITHOUT_AMOUNT });
    expect(await lastOfId(margin.id)).toBe(
      "connector shop lapse: Table `fct_orders` changed its SQL; column `amount` of `fct_orders` is gone.",
    );
    await crawlPayments();
    await certifyById(margin.id);
    await crawl(scope("all", [table("other")]));
    const note = present(await lastOfId(margin.id));
    expect(note).toMatch(/^connector shop lapse: .* is gone\.$/);
    const gone = ["fct_orders", "raw_payments", "stg_payments"].map((name) => `table \`${name}\` is gone`);
    expect(note.slice("connector shop lapse: ".length, -1).toLowerCase().split("; ").toSorted()).toEqual(gone);
    // A source that was gone when the metric was certified is no loss, and neither is its return.
    await certifyById(margin.id);
    await crawl(scope("all", [table("another")]));
    await crawlPayments();
    expect(await lastOfId(margin.id)).toBe("ada@example.com certify: ");
  });

  it("A defined metric's certification lapses if its definition or something upstream changes", async () => {
    const { crawlPayments, define, update, certifyById, lastOfId, columnIdOf } = await openCertified();
    await crawlPayments();
    const margin = await define({ sources: [columnIdOf("fct_orders", "amount")] });
    await certifyById(margin.id);
    await update(margin.id, { description: "In other words.", displayName: "The margin" });
    expect(await lastOfId(margin.id)).toBe("ada@example.com certify: ");
    expect(await update(margin.id, { expression: "avg(amount)" })).toMatchObject({ certification: "pending" });
    expect(await lastOfId(margin.id)).toBe(
      "ada@example.com lapse: The metric's own definition changed: its expression is now `avg(amount)` instead of `sum(amount)`.",
    );
    await certifyById(margin.id);
    await crawlPayments({ orders: ORDERS_NET });
    expect(await lastOfId(margin.id)).toMatch(/^connector shop lapse: Table `fct_orders` changed its SQL; column/);
  });

  it("A defined metric's certification lapses if its sources change, even if its expression is the same", async () => {
    const { crawlPayments, define, update, certifyById, lastOfId, columnIdOf } = await openCertified();
    await crawlPayments();
    const [gross, amount] = [columnIdOf("raw_payments", "gross"), columnIdOf("fct_orders", "amount")];
    const margin = await define({ sources: [gross] });
    const double = await define({ name: "double", kind: "derived", expression: "margin * 2", sources: [margin.id] });
    await certifyById(margin.id);
    await certifyById(double.id);
    expect(await update(margin.id, { sources: [gross, amount] })).toMatchObject({ certification: "pending" });
    const note = "its sources are now `raw_payments.gross, fct_orders.amount` instead of `raw_payments.gross`";
    const sorted = gross < amount ? note : note.replace(/`(\S+), (\S+)`/, "`$2, $1`");
    expect(await lastOfId(margin.id)).toContain(`The metric's own definition changed: ${sorted}`);
    expect(await lastOfId(double.id)).toContain(`Metric \`margin\` changed: ${sorted}`);
    await certifyById(margin.id);
    expect(await update(margin.id, { sources: [amount, gross] })).toMatchObject({ certification: "certified" });
    expect(await update(margin.id, { sources: [amount] })).toMatchObject({ certification: "pending" });
  });

  it("A change of a defined metric lapses the certifications of metrics that are computed from it", async () => {
    const { crawlPayments, define, update, remove, certifyById, lastOfId, find, sourcesOf } = await openCertified();
    await crawlPayments();
    const margin = await define({});
    const share = await define({ name: "share", kind: "ratio", expression: "margin / 2", sources: [margin.id] });
    await certifyById(share.id);
    await update(margin.id, { grain: "day" });
    expect(await lastOfId(share.id)).toMatch(
      /lapse: Metric `margin` changed: its grain is now `day` instead of nothing\.$/,
    );
    await certifyById(share.id);
    await remove(margin.id);
    expect(await lastOfId(share.id)).toBe("ada@example.com lapse: Metric `margin` is gone.");
    expect(await find(margin.id)).toMatchObject({ existence: "referenced", type: "metric", metric: null });
    expect(await codeOf(remove(margin.id))).toBe("not_found");
    expect(await codeOf(update(margin.id, { grain: "day" }))).toBe("not_found");
    expect(await codeOf(define({ sources: [share.id] }))).toBe("bad_request");
    expect(await define({})).toMatchObject({ id: margin.id, existence: "held" });
    expect(await sourcesOf(share.id, "asset")).toEqual(["margin"]);
  });

  it("A removed metric is gone, and returns with its trail when it is defined again", async () => {
    const { crawlPayments, define, remove, update, certifyById, find, lastOfId } = await openCertified();
    await crawlPayments();
    const margin = await define({});
    await certifyById(margin.id);
    await remove(margin.id);
    expect(await find(margin.id)).toBeNull();
    expect(await codeOf(remove(margin.id))).toBe("not_found");
    expect(await codeOf(update(margin.id, { grain: "day" }))).toBe("not_found");
    expect(await define({})).toMatchObject({ id: margin.id, certification: "certified" });
    await remove(margin.id);
    expect(await define({ expression: "other" })).toMatchObject({ certification: "pending" });
    expect(await lastOfId(margin.id)).toMatch(/lapse: The metric's own definition changed/);
  });

  it("A defined metric needs a unique name, and sources that exist and are not computed from it", async () => {
    const { crawlPayments, define, update, remove, idOf } = await openCertified();
    await crawlPayments();
    const margin = await define({});
    const share = await define({ name: "share", sources: [margin.id] });
    expect(await codeOf(define({}))).toBe("conflict");
    expect(await codeOf(define({ name: "other", sources: ["unknown"] }))).toBe("bad_request");
    expect(await codeOf(update(margin.id, { sources: [margin.id] }))).toBe("bad_request");
    expect(await codeOf(update(margin.id, { sources: [share.id] }))).toBe("bad_request");
    expect(await codeOf(update(idOf("revenue"), { grain: "day" }))).toBe("conflict");
    expect(await codeOf(remove(idOf("revenue")))).toBe("conflict");
    expect(await codeOf(remove(toNodeId("unknown")))).toBe("not_found");
  });

  test.each<[what: string, said: Partial<GivenMetric>]>([
    ["a blank name", { name: " " }],
    ["a name with a line break", { name: "a\nb" }],
    ["a long name", { name: "x".repeat(201) }],
    ["no expression", { expression: "\n" }],
    ["a long expression", { expression: "x".repeat(10_001) }],
    ["an expression with control characters", { expression: "sum(\u0000)" }],
    ["a name that changes the direction of text", { name: "net\u202eeuneveR" }],
    ["a name that shows nothing", { name: "\u200b" }],
    ["a dimension with a line separator", { dimensions: ["country\u2028"] }],
    ["an owner that is not an address", { owner: "Ada" }],
    ["a blank tag", { tags: [""] }],
    ["too many dimensions", { dimensions: Array.from({ length: 201 }, (_, i) => `d${i}`) }],
    ["broken Unicode", { description: "\ud800" }],
  ])("A metric cannot be defined with %s", async (_what, said) => {
    const { define } = await openCertified();
    expect(await codeOf(define(said))).toBe("bad_request");
  });
});
