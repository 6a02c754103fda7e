/** Changes of the catalog, as rules tell them. */
import { expect, it } from "vitest";

import { CHANGE_ENTRY_KINDS } from "../../../src/catalog/changes/change.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { openCertified } from "../../support/certified.ts";
import { openNotices, openReceiver } from "../../support/notices.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import { scope, table } from "../../support/scripted-connector.ts";

interface Body {
  data: { sync: string | null; more: number; events: { kind: string; name: string; note: string; risk: string }[] };
}

async function setUp() {
  const server = await openReceiver();
  const bench = await openCertified(createReferenceGraph({ keepsPast: true }));
  const notices = openNotices(bench);
  await bench.crawlPayments();
  bench.clock.advance(MINUTE_MS);
  return {
    ...bench,
    ...notices,
    server,
    addRule: (rule: Partial<Parameters<typeof notices.addRule>[0]> = {}) =>
      notices.addRule({ url: server.url, kinds: CHANGE_ENTRY_KINDS, ...rule }),
    /** What arrived until now, each message as its events in short. */
    async told() {
      await notices.work();
      const bodies = server.received.splice(0).map(({ body }) => (JSON.parse(body) as Body).data);
      return bodies.map(({ events }) => events.map(({ kind, name }) => `${kind} ${name.split(".").at(-1)}`));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const NEW_SQL = "select gross, net, status from raw_payments where gross > 1";

it("What one sync changed is one message, with the riskiest change first, and is not told again", async () => {
  await using bench = await setUp();
  await bench.addRule();
  await bench.crawlPayments({
    rawTypes: { gross: "text", net: "numeric" },
    staging: NEW_SQL,
    others: [table("added")],
  });
  await bench.work();
  expect(bench.server.received).toHaveLength(1);
  const { data } = JSON.parse(bench.server.received.splice(0)[0]?.body ?? "") as Body;
  expect(data.sync).toMatch(/^syn_/);
  expect(data.more).toBe(0);
  expect(data.events[0]).toMatchObject({ kind: "column_retyped", risk: "medium" });
  expect(data.events[0]?.note).toBe("Risk: medium. “numeric” → “text”");
  expect(data.events.map(({ kind }) => kind).toSorted()).toEqual(["asset_added", "column_retyped", "sql_changed"]);
  expect(await bench.told()).toEqual([]);
});

it("A first sync, and what happened before a rule was added, is not told", async () => {
  await using bench = await setUp();
  await bench.crawlPayments({ staging: NEW_SQL });
  bench.clock.advance(MINUTE_MS);
  await bench.addRule();
  await bench.crawlAs("other", scope("all", [table("elsewhere")]));
  expect(await bench.told()).toEqual([]);
});

it("A lapse and the change that caused it are one message, and the lapse is told once", async () => {
  await using bench = await setUp();
  await bench.certify();
  bench.clock.advance(MINUTE_MS);
  await bench.addRule({ kinds: ["certification_lapsed", ...CHANGE_ENTRY_KINDS] });
  await bench.crawlPayments({ staging: NEW_SQL });
  bench.clock.advance(MINUTE_MS);
  expect(await bench.told()).toEqual([["certification_lapsed Revenue", "sql_changed stg_payments"]]);
});

it("The messages of two syncs come in the order of what they tell, also if only the later one found something", async () => {
  await using bench = await setUp();
  await bench.certify();
  bench.clock.advance(MINUTE_MS);
  await bench.addRule({ kinds: ["certification_lapsed", ...CHANGE_ENTRY_KINDS] });
  await bench.crawlAs("other", scope("all", [table("elsewhere")]));
  bench.clock.advance(MINUTE_MS);
  await bench.crawlAs("other", scope("all", [table("elsewhere"), table("more")]));
  bench.clock.advance(MINUTE_MS);
  await bench.crawlPayments({ staging: NEW_SQL });
  bench.clock.advance(MINUTE_MS);
  expect(await bench.told()).toEqual([
    ["asset_added more"],
    ["certification_lapsed Revenue", "sql_changed stg_payments"],
  ]);
});

it.each([
  ["an asset alone", "asset", "fct_orders", 0],
  ["an asset and what is upstream", "upstream", "fct_orders", 1],
  ["an asset and what is downstream", "downstream", "raw_payments", 1],
  ["what is downstream of another one", "downstream", "fct_orders", 0],
] as const)("A rule about %s gets its changes alone", async (_what, aboutBy, name, messages) => {
  await using bench = await setUp();
  await bench.addRule({ aboutBy, about: bench.tableIdOf(name) });
  await bench.crawlPayments({ staging: NEW_SQL });
  expect(await bench.told()).toHaveLength(messages);
});

it.each([
  ["the owner", { aboutBy: "person", about: "Grace@example.com" }, 1],
  ["another person", { aboutBy: "person", about: "ida@example.com" }, 0],
  ["a tag", { aboutBy: "tag", about: "pii" }, 1],
  ["changes that break much", { minRisk: "high" }, 0],
] as const)("A rule about %s gets the changes of assets that match", async (_what, rule, messages) => {
  await using bench = await setUp();
  const rawFacts = { owner: "grace@example.com", tags: ["pii"] };
  await bench.crawlPayments({ rawFacts });
  bench.clock.advance(MINUTE_MS);
  await bench.addRule(rule);
  await bench.crawlPayments({ rawFacts: { ...rawFacts, description: "New." } });
  expect(await bench.told()).toHaveLength(messages);
});

it("A change is told once if the process died before it was noted, and by one of two processes", async () => {
  await using bench = await setUp();
  await bench.addRule();
  await bench.crawlPayments({ staging: NEW_SQL });
  const { store } = bench;
  const dying = { ...store, noticeEvents: { ...store.noticeEvents, tell: () => Promise.reject(new Error("killed")) } };
  await bench.createWorker(dying).tell();
  await Promise.all([bench.worker.tell(), bench.createWorker().tell()]);
  expect(await bench.told()).toEqual([["sql_changed stg_payments"]]);
});

it("What a sync changes is told when it has ended, and does not hold up what another one changed", async () => {
  await using bench = await setUp();
  await bench.crawlAs("other", scope("all", [table("elsewhere")]));
  bench.clock.advance(MINUTE_MS);
  await bench.addRule();
  const told: string[][][] = [];
  await bench.crawlPayments({
    staging: NEW_SQL,
    others: [table("added")],
  });
  await bench.crawlAs("other", scope("all", [table("elsewhere", { description: "New." })]));
  const find = bench.store.syncs.findById;
  // The first of the two still runs.
  bench.store.syncs.findById = async (...args) => {
    const sync = await find(...args);
    return sync?.connectorId === bench.connector.id ? { ...sync, status: "running" } : sync;
  };
  told.push(await bench.told());
  bench.store.syncs.findById = find;
  told.push(await bench.told(), await bench.told());
  expect(told).toEqual([[["description_changed elsewhere"]], [["sql_changed stg_payments", "asset_added added"]], []]);
});
