/** What an impact affects in the sample, filtered, and counted alike for one change and for a change set. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";

let running: RunningApp;
let ask: GraphqlClient;
beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createGraphqlClient(running);
});
afterAll(() => running.close());

const DROPPED = 'impact(fqn: "Shop.raw_stripe.refunds.AMOUNT", changeType: column_drop)';
const COUNTS = "total high medium low columns types { type count }";

it("An impact by name counts assets and metrics, with columns beside them, and dashboards come first", async () => {
  const { data } = await ask(`{ ${DROPPED} { assets { ${COUNTS} nodes(first: 5) { impact { name type risk } } } } }`);
  expect(data).toEqual({
    impact: {
      assets: {
        total: 28,
        high: 24,
        medium: 4,
        low: 0,
        columns: 31,
        types: [
          { type: "dashboard", count: 4 },
          { type: "metric", count: 7 },
          { type: "pipeline", count: 2 },
          { type: "model", count: 15 },
        ],
        nodes: [
          { impact: { name: "Board revenue report", type: "dashboard", risk: "high" } },
          { impact: { name: "Marketing cockpit", type: "dashboard", risk: "high" } },
          { impact: { name: "Month-end close", type: "dashboard", risk: "medium" } },
          { impact: { name: "Trading floor", type: "dashboard", risk: "medium" } },
          { impact: { name: "refunded_amount", type: "metric", risk: "high" } },
        ],
      },
    },
  });
});

it("A filtered impact has filtered sums, owners and lists", async () => {
  const filter = 'types: [dashboard, metric], risks: [high], owner: "INES.moreau@example.com"';
  const { data } = await ask(
    `{ ${DROPPED} {
      assets(${filter}) { ${COUNTS} owners { owner summary { totalAffected } } nodes { impact { name } } }
      affected(${filter}, first: 2) { name }
      all: affected { id }
      summary { totalAffected }
    } }`,
  );
  expect(at(data, "impact", "assets")).toEqual({
    total: 4,
    high: 4,
    medium: 0,
    low: 0,
    columns: 0,
    types: [
      { type: "dashboard", count: 1 },
      { type: "metric", count: 3 },
    ],
    owners: [{ owner: "ines.moreau@example.com", summary: { totalAffected: 4 } }],
    nodes: ["Board revenue report", "refunded_amount", "net_revenue", "refund_rate"].map((name) => ({
      impact: { name },
    })),
  });
  expect(at(data, "impact", "affected")).toEqual([{ name: "refunded_amount" }, { name: "net_revenue" }]);
  // REST keeps this: columns count as well, and are in the list.
  expect(at(data, "impact", "summary", "totalAffected")).toBe(59);
  expect(at(data, "impact", "all", "length")).toBe(59);
});

it("A change set counts like an impact of its only change", async () => {
  const { data } = await ask(`{ ${DROPPED} { assetId assets { ${COUNTS} } } }`);
  const id = String(at(data, "impact", "assetId"));
  const { data: set } = await ask(
    `query ($id: ID!) { changeSetImpact(changes: [{ id: $id, changeType: column_drop }]) {
      assets { ${COUNTS} } changes { assets } json markdown } }`,
    { id },
  );
  expect(at(set, "changeSetImpact", "assets")).toEqual(at(data, "impact", "assets"));
  expect(at(set, "changeSetImpact", "json", "assets")).toEqual(at(data, "impact", "assets"));
  expect(at(set, "changeSetImpact", "changes")).toEqual([{ assets: 28 }]);
  expect(at(set, "changeSetImpact", "markdown")).toContain(
    "1 change affects 28 assets and metrics (24 high, 4 medium) with 31 columns: 4 dashboards, 7 metrics, 2 pipelines, 15 models; 1 dashboard, 8 metrics, 2 models would not be refreshed.",
  );
});

it.each([
  ["", "give either id or fqn"],
  ['(id: "x", fqn: "y", changeType: deprecate)', "give either id or fqn"],
])("An impact %s is refused, because it names nothing or two things", async (args, message) => {
  const answer = await ask(`{ impact${args === "" ? "(changeType: deprecate)" : args} { assetId } }`);
  expect(answer.message).toContain(message);
});

it("An impact of a name that nothing has is not found", async () => {
  const { codes, message } = await ask('{ impact(fqn: "shop.nothing", changeType: deprecate) { assetId } }');
  expect(message).toBe('No asset with the full name "shop.nothing" in this workspace.');
  expect(codes).toEqual(["NOT_FOUND"]);
});

it("What gets no new data is filtered and counted by type and owner, as what is affected", async () => {
  const { data } = await ask(
    `{ impact(fqn: "shop.raw_stripe.refunds.amount", changeType: column_drop) {
      all: unrefreshed { total }
      dashboards: unrefreshed(types: [dashboard]) { total nodes { type } }
      priyas: unrefreshed(owner: "priya.nair@example.com") { total nodes { owner } owners { count } } } }`,
  );
  expect(at(data, "impact")).toEqual({
    all: { total: 11 },
    dashboards: { total: 1, nodes: [{ type: "dashboard" }] },
    priyas: {
      total: 2,
      nodes: [{ owner: "priya.nair@example.com" }, { owner: "priya.nair@example.com" }],
      owners: [{ count: 2 }],
    },
  });
});

it("A null owner filters what is affected to what has no owner", async () => {
  const edit = 'mutation ($id: ID!) { updateAsset(input: { id: $id, owner: "" }) { asset { owner } } }';
  const { data: found } = await ask(
    '{ assets(search: "Board revenue report", types: [dashboard], first: 1) { nodes { id } } }',
  );
  const { data: edited } = await ask(edit, { id: String(at(found, "assets", "nodes", 0, "id")) });
  expect(edited).toEqual({ updateAsset: { asset: { owner: null } } });
  const { data } = await ask(
    `{ ${DROPPED} { assets(owner: null) { total owners { owner } } affected(owner: null) { name owner } } }`,
  );
  expect(data).toEqual({
    impact: {
      assets: { total: 1, owners: [{ owner: null }] },
      affected: [{ name: "Board revenue report", owner: null }],
    },
  });
});
