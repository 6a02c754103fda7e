import { describe, expect, it, test } from "vitest";

import { MEASURED } from "../../../src/catalog/statement.ts";
import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import { openCertified } from "../../support/certified.ts";
import { metricRef, type Payments, payments } from "../../support/payments.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import { edge, scope, table, tableRef } from "../../support/scripted-connector.ts";
import { getSharedGraph } from "../../support/shared-graph.ts";

const MEASURE = `select sum(amount) from ${MEASURED}`;
const STAGED_NET = "select gross, net, status from raw_payments where net > 0";
const ORDERS = "select status, sum(gross) as amount from stg_payments where status <> 'test' group by status";
const ORDERS_NET = "select status, sum(net) as amount from stg_payments where status <> 'test' group by status";

/**
 * The last step of a certified metric's trail after a crawl of the changed payments. The certification lapses exactly if
 * there is a cause why the metric's value may have changed.
 */
async function changeBy(change: Partial<Payments>, before: Partial<Payments> = {}) {
  const bench = await openCertified(await getSharedGraph());
  const { crawlPayments, certify, lastOf, causesOf, idOf, clock } = bench;
  await crawlPayments(before);
  await certify();
  const since = clock.now().toISOString();
  await crawlPayments({ ...before, ...change });
  const last = await lastOf();
  const { items } = await causesOf(idOf("revenue"), since);
  expect({ last, hasCauses: items.length > 0 }).toEqual({ last, hasCauses: last?.startsWith("lapse") });
  return last;
}

/** A table from which the orders are made. */
function refunds(sql: string) {
  return [table("refunds", { sql }), edge("refunds", "fct_orders")];
}

/** A metric of three measures, in this order, of which the second may be of another table. */
function mix(second: string, order: readonly number[]): CrawlEvent[] {
  const measures = [
    { relation: tableRef("fct_orders"), sql: MEASURE },
    { relation: tableRef(second), sql: `select count(status) from ${MEASURED}` },
    { relation: tableRef("stg_payments"), sql: `select sum(net) from ${MEASURED}` },
  ];
  const reads = order.flatMap((at) => measures[at] ?? []);
  const definition = { expression: "a / b / c", grain: "", dimensions: [], filters: [] };
  const metric = { ...definition, displayName: "Mix", kind: "ratio" } as const;
  return [
    { kind: "asset", asset: { ref: metricRef("mix"), name: "mix", facts: { metric }, columns: [], reads } },
    ...["fct_orders", "stg_payments"].map((name): CrawlEvent => {
      return { kind: "edge", edge: { from: tableRef(name), to: metricRef("mix"), kind: "defines" }, object: name };
    }),
  ];
}

describe("Certifications that lapse", () => {
  test.each<[what: string, change: Partial<Payments>, note: string]>([
    [
      "when the SQL of something upstream changes",
      { staging: STAGED_NET },
      "Table `stg_payments` changed its SQL; the rows of `stg_payments` now depend on `FILTER net > 0` instead of nothing.",
    ],
    [
      "when rows are filtered, and sorted without a limit",
      { staging: `${STAGED_NET} order by status` },
      "Table `stg_payments` changed its SQL; the rows of `stg_payments` now depend on `FILTER net > 0` instead of nothing.",
    ],
    [
      "when rows are sorted with a limit",
      { staging: "select gross, net, status from raw_payments order by net limit 9" },
      "Table `stg_payments` changed its SQL; the rows of `stg_payments` now depend on `SORT net` instead of nothing.",
    ],
    [
      "when a column upstream is computed differently",
      { orders: ORDERS_NET },
      "Table `fct_orders` changed its SQL; column `amount` of `fct_orders` is now `SUM(net)` instead of `SUM(gross)`.",
    ],
    [
      "when a name in its definition stands for another column",
      { measure: `${MEASURE} where status = 'paid'` },
      "The metric's own definition changed: the names in it now stand for `FILTER status = 'paid'` instead of nothing.",
    ],
    [
      "when a name in its definition stands for an expression without a column",
      { measure: `${MEASURE} having count(*) > 1` },
      "The metric's own definition changed: the names in it now stand for other SQL than before.",
    ],
    [
      "when a quoted name changes its case",
      { staging: 'select gross, net, "Status" as status from raw_payments' },
      "Table `stg_payments` changed its SQL.",
    ],
    [
      "when a string changes its case",
      { orders: "select status, sum(gross) as amount from stg_payments where status <> 'TEST' group by status" },
      "Table `fct_orders` changed its SQL; the rows of `fct_orders` now depend on `FILTER status <> 'TEST'` instead of `FILTER status <> 'test'`.",
    ],
    [
      "when an alias changes that another model reads",
      { staging: "select gross, net, status as state from raw_payments" },
      "Table `stg_payments` changed its SQL; column `status` of `stg_payments` is gone.",
    ],
    [
      "when a column upstream has another type",
      { rawTypes: { gross: "text", net: "numeric" } },
      "Column `gross` of `raw_payments` is now of type text instead of numeric.",
    ],
    [
      "when a column upstream is gone",
      { rawColumns: ["net", "status"] },
      "Column `gross` of `raw_payments` is gone: only SQL still names it.",
    ],
    [
      "when its own definition changes",
      { revenue: { expression: "sum(amount) - 1", filters: ["status = 'paid'"] } },
      "The metric's own definition changed: its expression is now `sum(amount) - 1` instead of `sum(amount)`, its filters are now `status = 'paid'` instead of nothing.",
    ],
  ])("A certification lapses %s, and the trail says so", async (_what, change, note) => {
    expect(await changeBy(change)).toBe(`lapse: ${note}`);
  });

  it.each([
    ["lapses when one of its measures moves to another table that it reads", "stg_payments", [0, 1, 2], /^lapse: /],
    ["stays when its measures are stated in another order", "fct_orders", [2, 0, 1], /^certify: /],
  ])("A certification %s", async (_what, second, order, last) => {
    const { crawlPayments, certify, lastOf } = await openCertified();
    await crawlPayments({ others: mix("fct_orders", [0, 1, 2]) });
    await certify("mix");
    await crawlPayments({ others: mix(second, order) });
    expect(await lastOf("mix")).toMatch(last);
  });

  it("A certification lapses when an inner join becomes a left join, and the trail names both", async () => {
    const join = "raw_payments r join refunds f on f.status = r.status";
    const staging = `select r.gross, r.net, r.status from ${join}`;
    const others = [table("refunds", {}, ["status"])];
    expect(await changeBy({ staging: staging.replace(" join", " left join") }, { staging, others })).toBe(
      "lapse: Table `stg_payments` changed its SQL; the rows of `stg_payments` now depend on `JOIN f.status = r.status (left join)` instead of `JOIN f.status = r.status`.",
    );
  });

  test.each<[where: string, orders: string]>([
    ["in a cross join", "select status, gross as amount from stg_payments cross join refunds"],
    ["behind a comma", "select status, gross as amount from stg_payments, refunds"],
    ["in a join on true", "select status, gross as amount from stg_payments left join refunds on true"],
    ["in exists", "select status, gross as amount from stg_payments where exists (select 1 from refunds)"],
    ["in a count", "select status, gross as amount from stg_payments where (select count(*) from refunds) > 1"],
    ["in a union", "select status, gross as amount from stg_payments union all select '', 0 from refunds"],
    [
      "in a CTE",
      "with r as (select 1 as k from refunds) select status, gross as amount from stg_payments cross join r",
    ],
  ])(
    "A certification lapses when a table changes that decides rows %s, even if none of its columns is read",
    async (_w, orders) => {
      const before = { orders, others: refunds("select 1 as one") };
      expect(await changeBy({ others: refunds("select 1 as one union all select 2") }, before)).toBe(
        "lapse: Table `refunds` changed its SQL.",
      );
    },
  );

  test.each<[what: string, orders: string]>([
    ["distinct rows", "select distinct gross as amount, net from stg_payments"],
    ["a union of distinct rows", "select gross as amount, net from stg_payments union select 0, 0 from stg_payments"],
  ])(
    "A certification lapses if an upstream column changes that matters for %s, even if it is not read",
    async (_what, orders) => {
      const staging = "select gross, net + 1 as net, status from raw_payments";
      expect(await changeBy({ staging }, { orders })).toMatch(/^lapse: Table `stg_payments` changed its SQL/);
    },
  );

  test.each<[where: string, orders: string, note: RegExp]>([
    [
      "in a correlated subquery",
      "select status, gross as amount, net from stg_payments where exists (select 1 from refunds where one = net)",
      /^lapse: Table `fct_orders` is decided by other columns than before/,
    ],
    [
      "that joins naturally within parentheses",
      "select gross as amount from (stg_payments natural join refunds)",
      /^lapse: /,
    ],
    [
      "in a condition of a value",
      "select net, case when (select max(one) from refunds where one > net) > 1 then gross end as amount from stg_payments",
      /^lapse: Column `amount` of `fct_orders` is decided by other columns than before/,
    ],
  ])(
    "A certification lapses when a table upstream gets a column that takes the meaning of a name %s",
    async (_where, orders, note) => {
      const before = { orders, others: refunds("select 1 as one") };
      expect(await changeBy({ others: refunds("select 1 as one, 2 as net") }, before)).toMatch(note);
    },
  );

  it("A certification lapses after a change that a crawl wrote before it failed", async () => {
    const { crawl, crawlPayments, certify, lastOf } = await openCertified();
    await crawlPayments();
    await certify();
    const outcome = await crawl(function* () {
      yield* payments({ staging: STAGED_NET });
      throw new Error("the source is gone");
    });
    expect(outcome.status).toBe("failed");
    expect(await lastOf()).toMatch(/^lapse: Table `stg_payments` changed its SQL/);
  });

  it("A certification lapses if a metric that it is computed from lapses", async () => {
    const { crawlPayments, certify, lastOf, certificationOf } = await openCertified();
    await crawlPayments();
    await certify("share");
    await crawlPayments({ revenue: { grain: "month" } });
    expect(await lastOf("share")).toBe("lapse: Metric `revenue` changed: its grain is now `month` instead of `day`.");
    expect([await certificationOf("share"), await certificationOf("revenue")]).toEqual(["pending", "pending"]);
  });

  it("A certification lapses once, at the crawl that changes it, with a step of the trail in the connector's name", async () => {
    const { crawlPayments, certify, stepsOf, find, idOf, clock } = await openCertified();
    await crawlPayments();
    await certify("revenue", "As agreed with finance.");
    await crawlPayments({ orders: ORDERS_NET });
    await crawlPayments({ orders: ORDERS_NET });
    const [first, second, ...more] = await stepsOf();
    expect(first).toMatchObject({ action: "certify", actor: "ada@example.com", note: "As agreed with finance." });
    expect(second).toMatchObject({ action: "lapse", from: "certified", to: "pending", actor: "connector shop" });
    expect(second?.definitionHash).toMatch(/^[0-9a-f]{64}$/);
    expect(second?.definitionHash).toBe(first?.definitionHash);
    expect(more).toEqual([]);
    const metric = await find(idOf("revenue"));
    expect(metric).toMatchObject({ certification: "pending", certifiedBy: null, certifiedAt: null });
    expect(metric?.updatedAt).toBe(second?.at);
    expect(Date.parse(second?.at ?? "")).toBeLessThan(clock.now().getTime() + 1);
  });

  it("A certification does not lapse again after a person certifies the metric as it is now", async () => {
    const { crawlPayments, certify, certificationOf } = await openCertified();
    await crawlPayments();
    await certify();
    await crawlPayments({ orders: ORDERS_NET });
    await certify();
    await crawlPayments({ orders: ORDERS_NET });
    expect(await certificationOf()).toBe("certified");
    await crawlPayments();
    expect(await certificationOf()).toBe("pending");
  });
});

describe("Certifications that stay", () => {
  test.each<[what: string, change: Partial<Payments>]>([
    ["when nothing changes", {}],
    [
      "when descriptions, tags and owners change",
      { rawFacts: { description: "new", tags: ["pii"], owner: "eve@example.com" } },
    ],
    [
      "when SQL is formatted and commented differently",
      { staging: "-- staged\nselect gross,\n  net, status\nfrom raw_payments" },
    ],
    ["when keywords and names change their case", { staging: "SELECT Gross, Net, Status FROM RAW_PAYMENTS" }],
    [
      "when the SQL of a column changes only its case",
      { orders: "SELECT status, SUM(Gross) amount FROM stg_payments WHERE Status != 'test' GROUP BY STATUS;" },
    ],
    [
      "when its own definition is spelled differently",
      { revenue: { expression: "SUM( Amount )" }, share: { expression: "revenue /  2 -- half" } },
    ],
    ["when the SQL that computes it is spelled differently", { measure: `SELECT SUM( Amount ) FROM ${MEASURED}` }],
    ["when its display name changes", { revenue: { displayName: "Turnover" } }],
    [
      "when something changes that does not feed it",
      { others: [table("refunds", { sql: "select 2 as two" })], share: { grain: "month" } },
    ],
    ["when all of its rows are sorted", { orders: `${ORDERS} order by 1` }],
    ["when a CTE is new that nothing reads", { orders: `with r as (select two from refunds) ${ORDERS}` }],
    ["when a type is no longer known", { rawTypes: {} }],
    ["when a type is called by another of its names", { rawTypes: { gross: "decimal", net: "NUMERIC" } }],
  ])("A certification stays %s", async (_what, change) => {
    expect(await changeBy(change, { others: [table("refunds", { sql: "select 1 as one" })] })).toBe("certify: ");
  });

  it("A certification stays if a statement that counts as a whole is spelled differently", async () => {
    const before = { staging: "select distinct gross, net, status from raw_payments" };
    expect(await changeBy({ staging: "SELECT DISTINCT gross, net, status FROM raw_payments" }, before)).toBe(
      "certify: ",
    );
    const filtered = { staging: "select distinct gross, net, status from raw_payments where status = 'paid'" };
    expect(await changeBy({ staging: filtered.staging.toUpperCase() }, filtered)).toMatch(/^lapse: /);
  });

  it("A certification stays if the SQL that decides its rows is spelled differently, but not if a filter changes", async () => {
    const { crawlPayments, certify, lastOf } = await openCertified();
    await crawlPayments();
    await certify();
    await crawlPayments({
      staging: STAGED_NET,
      orders: "select status, SUM(gross) as amount from stg_payments where STATUS <> 'test' group by status",
    });
    expect(await lastOf()).toBe(
      "lapse: Table `stg_payments` changed its SQL; the rows of `stg_payments` now depend on `FILTER net > 0` instead of nothing.",
    );
  });

  it("A certification stays if more becomes known, and what became known counts from then on", async () => {
    const { crawlPayments, certify, lastOf } = await openCertified();
    await crawlPayments({ rawTypes: {} });
    await certify();
    await crawlPayments();
    expect(await lastOf()).toBe("certify: ");
    await crawlPayments({ rawTypes: {} });
    expect(await lastOf()).toBe("certify: ");
    await crawlPayments({ rawTypes: { gross: "text" } });
    expect(await lastOf()).toBe("lapse: Column `gross` of `raw_payments` is now of type text instead of numeric.");
  });

  test.each<[what: string, staging: string]>([
    ["is new", "select gross, net, status, 1 as extra from raw_payments"],
    ["is computed differently", "select gross, net * 2 as net, status from raw_payments"],
    ["is gone", "select gross, status from raw_payments"],
  ])(
    "A certification stays if a column that the metric does not read %s in an upstream model",
    async (_what, staging) => {
      const { crawlPayments, certify, lastOf } = await openCertified();
      await crawlPayments();
      await certify();
      await crawlPayments({ staging });
      expect(await lastOf()).toBe("certify: ");
      await crawlPayments({ staging: `${staging} where gross > 0` });
      expect(await lastOf()).toMatch(
        /^lapse: Table `stg_payments` changed its SQL; the rows of `stg_payments` now depend/,
      );
    },
  );

  it("A certification stays if the metric only counts rows and the changed column decides no row", async () => {
    const counting = { orders: "select count(*) as amount from stg_payments where status <> 'test'" };
    const staging = "select gross, net * 2 as net, status from raw_payments";
    expect(await changeBy({ staging }, counting)).toBe("certify: ");
    const status = "select gross, net, lower(status) as status from raw_payments";
    expect(await changeBy({ staging: status }, counting)).toMatch(
      /^lapse: Table `stg_payments` changed its SQL; column `status` of `stg_payments` is now `LOWER\(status\)`/,
    );
    expect(await changeBy({ staging: STAGED_NET }, counting)).toMatch(/^lapse: Table `stg_payments` changed its SQL/);
  });

  it("A certification stays if a column changes that the metric's columns are not made from", async () => {
    expect(await changeBy({ rawTypes: { gross: "numeric", net: "text" } })).toBe("certify: ");
    expect(await changeBy({ rawColumns: ["gross", "status"] })).toBe("certify: ");
    expect(await changeBy({ rawColumns: ["tax", "status", "net", "gross"] })).toBe("certify: ");
    // Here it is not known what the metric reads.
    const unreadable = { orders: "select ((( from", others: refunds("select 1 as one") };
    expect(await changeBy({ others: refunds("select 2 as one") }, unreadable)).toBe(
      "lapse: Table `refunds` changed its SQL.",
    );
  });

  it("A certification stays while its SQL cannot be read, and depends on the whole SQL", async () => {
    const unreadable = { orders: "select ((( from", staging: "select gross, net, status from raw_payments" };
    expect(await changeBy({}, unreadable)).toBe("certify: ");
    expect(await changeBy({ orders: "SELECT ( ((  from -- it" }, unreadable)).toBe("certify: ");
    expect(await changeBy({ orders: "select ((( from it" }, unreadable)).toBe(
      "lapse: Table `fct_orders` changed its SQL.",
    );
  });

  it("A certification stays if the metric is removed and returns, and lapses if it returns with a change", async () => {
    const { crawl, crawlPayments, certify, certificationOf, lastOf } = await openCertified();
    await crawlPayments();
    await certify();
    await crawl(scope("all", [table("other")]));
    await crawlPayments();
    expect(await certificationOf()).toBe("certified");
    await crawl(scope("all", [table("other")]));
    await crawlPayments({ revenue: { expression: "sum(2 * amount)" } });
    expect(await lastOf()).toMatch(/^lapse: The metric's own definition changed/);
  });
});

/** The orders, made from a table without SQL. */
function landed(name: string): Partial<Payments> {
  return {
    orders: `select status, sum(gross) as amount from ${name} group by status`,
    others: [table(name, {}, ["gross", "status"]), edge(name, "fct_orders")],
  };
}

/** The orders, made from two models. */
function joined(first: string, second: string): Partial<Payments> {
  const sources = ["base", "net"].flatMap((name) => [edge("raw_payments", name), edge(name, "fct_orders")]);
  return {
    orders: `select a.status, a.gross as amount from ${first} a join ${second} b on a.status = b.status`,
    others: [
      table("base", { sql: "select gross, status from raw_payments" }),
      table("net", { sql: STAGED_NET }),
      ...sources,
    ],
  };
}

describe("Models that are renamed together with all references to them", () => {
  const STAGED = "select gross, net, status from raw_payments";
  const STAGED_ORDERS = "select status, sum(gross) as amount from stg where status <> 'test' group by status";

  /** The payments, staged by a model of this name. */
  function staged(name: string, sql = STAGED, orders = STAGED_ORDERS): Partial<Payments> {
    return {
      orders: orders.replaceAll("stg", name),
      others: [table(name, { sql }), edge("raw_payments", name), edge(name, "fct_orders")],
    };
  }

  test.each<[what: string, orders: string]>([
    ["by its SQL", STAGED_ORDERS],
    [
      "by names that qualify its columns",
      STAGED_ORDERS.replaceAll("status", "stg.status").replace("gross", "stg.gross"),
    ],
    ["by SQL that counts as a whole", "select distinct gross as amount, status from stg"],
    ["by a count of its rows", "select count(*) as amount from stg"],
  ])("Renaming a model that is read %s keeps certifications", async (_what, orders) => {
    expect(await changeBy(staged("staged", STAGED, orders), staged("base", STAGED, orders))).toBe("certify: ");
  });

  it("A second rename of a model keeps certifications, and a change of its computation still counts", async () => {
    const { crawlPayments, certify, lastOf } = await openCertified();
    await crawlPayments(staged("base"));
    await certify();
    await crawlPayments(staged("staged"));
    await crawlPayments(staged("payments"));
    expect(await lastOf()).toBe("certify: ");
    await crawlPayments(staged("payments", STAGED_NET));
    expect(await lastOf()).toBe(
      "lapse: Table `payments` changed its SQL; the rows of `payments` now depend on `FILTER net > 0` instead of nothing.",
    );
  });

  it("Renaming a model that is also computed differently lapses certifications, and the trail gives both names", async () => {
    const doubled = "select gross * 2 as gross, net, status from raw_payments";
    expect(await changeBy(staged("staged", doubled), staged("base"))).toBe(
      "lapse: Table `staged`, which replaces `base`, changed its SQL; " +
        "column `gross` of `staged`, which replaces `base`, is now `gross * 2` instead of `gross`.",
    );
    const unused = "select gross, net * 2 as net, status from raw_payments";
    expect(await changeBy(staged("staged", unused), staged("base"))).toBe("certify: ");
  });

  it("Renaming a model lapses certifications if nothing shows that the new one has the same rows", async () => {
    expect(await changeBy(landed("landed"), landed("raw"))).toMatch(
      /^lapse: Table `raw` is gone; table `fct_orders` now reads/,
    );
  });

  it("Two models that swap their names lapse certifications", async () => {
    expect(await changeBy(joined("net", "base"), joined("base", "net"))).toMatch(
      /^lapse: Table `fct_orders` now reads `net, base` instead of `base, net`/,
    );
  });
});

it("A certification lapses if the metric is computed from another table that has the same columns", async () => {
  const { crawl, crawlPayments, certify, lastOf } = await openCertified();
  const copy = [
    table("fct_copy", { sql: "select status, net as amount from stg_payments" }),
    edge("stg_payments", "fct_copy"),
  ];
  await crawlPayments({ others: copy });
  await certify();
  const moved = payments({ others: copy }).map((event): typeof event =>
    JSON.parse(JSON.stringify(event), (_key, value: unknown) =>
      Array.isArray(value) && value.includes("fct_orders") && isOfRevenue(event) ? tableRef("fct_copy").parts : value,
    ),
  );
  await crawl(moved);
  expect(await lastOf()).toMatch(
    /^lapse: Table `fct_copy`, which replaces `fct_orders`, changed its SQL; column `amount` of `fct_copy`/,
  );
});

function isOfRevenue(event: ReturnType<typeof payments>[number]): boolean {
  return JSON.stringify(event).includes('"revenue"') && !JSON.stringify(event).includes('"share"');
}

it("Dependencies are stored for a metric that was certified before dependencies existed", async () => {
  const { graph, crawlPayments, workspace, idOf, certificationOf, lastOf } = await openCertified();
  await crawlPayments();
  const at = "2026-01-01T00:00:00.000Z";
  const seen = { certification: "pending", certifiedBy: null, certifiedAt: null, steps: 0 } as const;
  const step = {
    action: "certify",
    from: "pending",
    to: "certified",
    actor: "ada@example.com",
    at,
    note: "",
    definitionHash: "",
  } as const;
  const decision = { says: "certified", by: "ada@example.com", at } as const;
  await graph.certify(workspace.id, idOf("revenue"), { seen, decision, step, dependencies: null, at });
  await crawlPayments();
  expect(await certificationOf()).toBe("certified");
  await crawlPayments({ staging: STAGED_NET });
  expect(await lastOf()).toMatch(/^lapse: Table `stg_payments` changed its SQL/);
});

it("Rechecking certifications costs one list if a crawl read nothing, and reads each shared node once", async () => {
  const graph = createReferenceGraph();
  const calls: string[] = [];
  const asked: number[] = [];
  const counting = new Proxy(graph, {
    get(target, name, receiver) {
      if (name === "listNodes" || name === "loadTrails") calls.push(name);
      if (name !== "loadNeighbours") return Reflect.get(target, name, receiver);
      return (...args: Parameters<typeof graph.loadNeighbours>) => {
        asked.push(args[1].length);
        return graph.loadNeighbours(...args);
      };
    },
  });
  const { crawl, crawlPayments, certify } = await openCertified(counting);
  await crawlPayments();
  await certify("revenue");
  await certify("share");
  asked.length = 0;
  await crawlPayments();
  // Two metrics at two levels, three tables, and five columns: amount, gross and status, the last two twice.
  const once = asked.reduce((sum, count) => sum + count, 0);
  expect(once).toBe(12);
  calls.length = 0;
  asked.length = 0;
  await crawl([]);
  // The metrics that were certified before it.
  expect([...calls, ...asked]).toEqual(["listNodes"]);
});
