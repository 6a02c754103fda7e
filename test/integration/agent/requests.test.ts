/** The agent over REST and GraphQL: the form of an answer, what the context narrows, and what can be done next. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createAsk } from "../../support/agent.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { present } from "../../support/present.ts";
import { at, createRestClient, type Json, keysOf } from "../../support/rest-client.ts";

let running: RunningApp;
let ids: ReadonlyMap<string, string>;

beforeAll(async () => {
  running = await startApp({ sample: true });
  const workspace = present(await running.app.metadata.workspaces.findByName("default"));
  const { items } = await running.app.graph.listNodes(
    workspace.id,
    { types: ["table", "model", "metric", "dashboard"] },
    { after: null, limit: 500 },
  );
  ids = new Map(items.map(({ name, id }) => [name, id]));
});
afterAll(() => running.close());

async function ask(query: string, context?: Record<string, unknown>, token = running.token) {
  const client = createRestClient({ url: running.url, token });
  const body = JSON.stringify({ query, ...(context !== undefined && { context }) });
  return client("/api/v1/agents/query", { method: "POST", body });
}

const list = (value: Json): Json[] => (Array.isArray(value) ? value : []);
const cited = (body: Json): Json[] => list(at(body, "citations")).map((citation) => at(citation, "asset_name"));

describe("an answer", () => {
  it("has the keys of the specification and no others", async () => {
    const { status, body } = await ask("what feeds fct_orders?");
    expect(status).toBe(200);
    expect(keysOf(body)).toEqual(["query_id", "answer", "confidence", "citations", "suggested_actions"]);
    expect(keysOf(at(body, "citations", 0))).toEqual(["asset_id", "asset_name", "snippet"]);
    expect(keysOf(at(body, "suggested_actions", 0))).toEqual(["type", "endpoint", "params"]);
  });

  it.each(["who owns fct_orders?", "which metrics are not certified?", "is net_revenue certified?", "drop fct_orders"])(
    "is the same in GraphQL, which also says how the question was read: %s",
    async (question) => {
      const { body } = await ask(question);
      const told = await createAsk(running)(question);
      expect([at(body, "answer"), at(body, "confidence"), cited(body)]).toEqual([
        told.answer,
        told.confidence,
        told.citations.map(({ assetName }) => assetName),
      ]);
    },
  );

  it("cites each asset with what the catalog says of it", async () => {
    const { body } = await ask("who owns fct_orders?");
    expect(at(body, "citations")).toEqual([
      {
        asset_id: ids.get("fct_orders"),
        asset_name: "fct_orders",
        snippet: expect.stringMatching(/^certified model shop\.marts\.fct_orders: Orders that were not cancelled/),
      },
    ]);
  });

  it("has an id of its own, made of the randomness that is handed in", async () => {
    const fixed = await startApp({ overrides: { random: (size) => Buffer.alloc(size, 7) } });
    try {
      const client = createRestClient(fixed);
      const body = JSON.stringify({ query: "hello" });
      const answer = await client("/api/v1/agents/query", { method: "POST", body });
      expect(at(answer.body, "query_id")).toBe(`qry_${"07".repeat(16)}`);
    } finally {
      await fixed.close();
    }
    const [one, two] = await Promise.all([ask("who owns fct_orders?"), ask("who owns fct_orders?")]);
    expect(at(one?.body, "query_id")).not.toBe(at(two?.body, "query_id"));
  });
});

describe("the context", () => {
  it("narrows to an area, which is the first parts of a name or a connector", async () => {
    const finance = await ask("list the certified models here", { workspace_area: "shop.finance" });
    expect(cited(finance.body).toSorted()).toEqual([
      "fct_payments",
      "fct_refunds",
      "fct_revenue_days",
      "order_margins",
      "profit_and_loss_months",
    ]);
    const connector = await ask("how many models are there?", { workspace_area: "SHOP" });
    expect(at(connector.body, "answer")).toMatch(/^There are 51 models/);
    const nowhere = await ask("how many models are there?", { workspace_area: "shop.nowhere" });
    expect(at(nowhere.body, "answer")).toMatch(/^There are (?:no|0) models/);
  });

  it("narrows to assets that have one of the tags", async () => {
    expect(cited((await ask("which models are there?", { tags: ["ml"] })).body)).toEqual(["churn_features"]);
    const both = await ask("how many models are there?", { tags: ["ml", "finance"] });
    expect(at(both.body, "answer")).toMatch(/^There are 12 models/);
  });

  it("says what this and it mean", async () => {
    const { body } = await ask("who owns this?", { asset_ids: [ids.get("fct_payments")] });
    expect(at(body, "answer")).toMatch(/^`fct_payments` is owned by finance-data@example\.com/);
    const certified = await ask("is it certified?", { asset_ids: [ids.get("fct_payments")] });
    expect(at(certified.body, "answer")).toMatch(/^Yes\. `fct_payments` is certified by /);
  });

  it("keeps to its assets and what lineage connects with them", async () => {
    const context = { asset_ids: [ids.get("country_codes")] };
    expect(at((await ask("who owns dim_customers?", context)).body, "confidence")).toBeGreaterThan(0.8);
    expect(at((await ask("who owns fct_payments?", context)).body, "confidence")).toBeLessThan(0.2);
    const metrics = await ask("which metrics are there?", { asset_ids: [ids.get("fct_refunds")] });
    expect(cited(metrics.body).toSorted()).toEqual([
      "contribution_margin_rate",
      "net_revenue",
      "refund_rate",
      "refunded_amount",
    ]);
  });

  it.each([
    [{ asset_ids: "x" }, "context.asset_ids"],
    [{ area: "x" }, "context.area"],
    [{ workspace_area: " " }, "context"],
    [{ asset_ids: ["a".repeat(201)] }, "context"],
    [{ tags: ["a".repeat(201)] }, "context"],
    [{ tags: Array.from({ length: 101 }, () => "t") }, "context.tags"],
  ])("is refused where it is wrong: %o", async (context, field) => {
    const { status, body } = await ask("who owns fct_orders?", context);
    expect([status, at(body, "details", 0, "field")]).toEqual([400, field]);
  });

  it("is told by name which id does not exist", async () => {
    const { status, body } = await ask("x", { asset_ids: ["nobody"] });
    expect([status, body]).toMatchObject([404, { error: "not_found", message: expect.stringMatching(/nobody/) }]);
  });
});

describe("the question", () => {
  it.each(["", "  \n ", "x".repeat(4_001)])("is refused where it is blank or too long", async (query) => {
    const { status, body } = await ask(query);
    expect([status, at(body, "details", 0, "field")]).toEqual([400, "query"]);
  });

  it("may have 4,000 characters, of whatever script", async () => {
    expect((await ask("😀".repeat(4_000))).status).toBe(200);
  });
});

async function offeredTo(token: string, question = "how did the last sync go?"): Promise<Json[]> {
  const { body } = await ask(question, undefined, token);
  return list(at(body, "suggested_actions")).map((action) => at(action, "type"));
}

describe("suggested actions", () => {
  it("work as they stand", async () => {
    const client = createRestClient(running);
    const questions = [
      "what is fct_orders?",
      "what is net_revenue?",
      "what breaks if I drop fct_orders.order_id?",
      "what breaks if I drop fct_refunds?",
      "what breaks if trading floor is renamed?",
      "what feeds net_revenue?",
      "which dashboards use fct_orders?",
      "path from fx_rates to net_revenue",
      "compare net_revenue and gross_revenue",
      "how did the last sync go?",
    ];
    const bodies = await Promise.all(questions.map(async (question) => (await ask(question)).body));
    const actions = bodies.flatMap((body) => list(at(body, "suggested_actions")));
    expect(new Set(actions.map((action) => at(action, "type")))).toEqual(
      new Set(["view_asset", "view_metric", "view_lineage", "run_impact", "trigger_sync"]),
    );
    for (const action of actions) {
      const path = `/api/v1${String(at(action, "endpoint"))}`;
      const params = at(action, "params") as Record<string, string>;
      const isPost = ["run_impact", "trigger_sync"].includes(String(at(action, "type")));
      const { status } = isPost
        ? await client(path, { method: "POST", body: JSON.stringify(params) })
        : await client(`${path}?${new URLSearchParams(params).toString()}`);
      expect([path, status]).toEqual([path, expect.toBeOneOf([200, 202])]);
    }
  });

  it("are about what was asked", async () => {
    const { body } = await ask("what is net_revenue?");
    expect(at(body, "suggested_actions", 0)).toEqual({
      type: "view_metric",
      endpoint: `/metrics/${ids.get("net_revenue")}`,
      params: {},
    });
  });

  it("offer a sync only to those who may trigger one", async () => {
    const reader = await running.createToken(["read"]);
    expect(await offeredTo(reader)).toEqual([]);
    expect(await offeredTo(running.token)).toEqual(["trigger_sync"]);
    // Of a connector that is not there, nothing can be synced.
    expect(await offeredTo(running.token, "is the pems connector healthy?")).toEqual([]);
  });

  it("need the scope read to be asked for", async () => {
    const writer = await running.createToken(["write"]);
    expect((await ask("who owns fct_orders?", undefined, writer)).status).toBe(403);
  });
});
