/** Questions that are written to be expensive. The tests count their costs, and do not measure time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AgentAnswer } from "../../../src/agent/answer.ts";
import { type AgentBench, type Costs, openAgentBench } from "../../support/agent-bench.ts";
import { startApp } from "../../support/app.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import { createRestClient } from "../../support/rest-client.ts";

const TABLES = 300;
/** The most operations that the names in a question may cost, however long it is. */
const MAX_FOR_NAMES = 150;
/** The agent's own limit for any question. */
const MAX_LOOK_UPS = 400;
/** The longest question. */
const CHARACTERS = 4_000;

const workspace = newWorkspace();
let bench: AgentBench;

beforeAll(async () => {
  bench = await openAgentBench();
  const tables = Array.from({ length: TABLES }, (_, at) =>
    nodeOf(workspace, "table", `shop.marts.m0_${at}`, { description: "Orders, revenue and customers by day." }),
  );
  const stamp = stampOf(workspace, "warehouse", 1);
  const columns = tables.map((table) => columnOf(workspace, table, "id", 0));
  await bench.graph.writeNodes(stamp, "all", [...tables, ...columns]);
  const [first, ...others] = tables.map(present);
  const edges = others.map((table) => edgeOf(present(first), table, "derives"));
  await bench.graph.writeEdges(stamp, "all", edges);
});
afterAll(() => bench.close());

async function ask(query: string): Promise<{ answer: AgentAnswer; costs: Costs }> {
  const answer = await bench.ask(workspace, query);
  return { answer, costs: bench.costs };
}

function fill(start: string, word: (at: number) => string): string {
  let text = start;
  for (let at = 0; ; at++) {
    const longer = `${text} ${word(at)}`;
    if (longer.length > CHARACTERS - 1) return `${text}?`;
    text = longer;
  }
}

const LONG: readonly (readonly [kind: string, query: string])[] = [
  ["names with and between them", fill("compare m0_0", (at) => `and m0_${at % TABLES}`)],
  ["words of descriptions", fill("what feeds", (at) => ["orders", "revenue", "customers"][at % 3] ?? "")],
  ["clauses", fill("", (at) => `who owns m0_${at % TABLES}? and`)],
  [
    "conditions",
    fill("tables", (at) => ["without an owner and", "upstream of tables or", "with columns but"][at % 3] ?? ""),
  ],
  ["words of grammar", fill("which", () => "of the tables that are not")],
  ["one name", "m0_".repeat(CHARACTERS / 4)],
  ["marks", "`".repeat(CHARACTERS)],
];

describe("long questions", () => {
  it.each(LONG)("A long question of %s needs few look-ups, and has a readable answer", async (_kind, query) => {
    const { answer, costs } = await ask(query);
    expect(costs.operations.length).toBeLessThan(MAX_FOR_NAMES);
    expect(answer.answer.length).toBeLessThan(10_000);
    expect(answer.citations.length).toBeLessThanOrEqual(30);
  });

  it("A long question takes a turn for each word, so that nobody waits for all of it", async () => {
    const { costs } = await ask(fill("which", () => "of the tables that are not"));
    expect(costs.turns).toBeGreaterThan(30);
    expect(costs.turns).toBeLessThan(400);
  });
});

describe("the costs of a question", () => {
  it("The reads of a question are charged to its tenant", async () => {
    const { answer, costs } = await ask("what breaks if I drop m0_0?");
    expect(answer.answer).toMatch(/^If `m0_0` is dropped, /);
    // At least each affected asset.
    expect(costs.rows).toBeGreaterThan(TABLES);
  });

  it("The reads of a question are made in batches, not one by one", async () => {
    const { answer, costs } = await ask("which tables have no failing checks and no columns and no description");
    expect(answer.confidence).toBeGreaterThan(0.8);
    expect(costs.operations.filter((name) => name === "AgentChecks").length).toBe(TABLES / 100);
    expect(costs.operations.length).toBeLessThan(40);
  });
});

describe("long questions with many names", () => {
  it.each([
    ["names that there are", fill("what breaks if I drop", (at) => `m0_${at % TABLES}`)],
    ["names in two words", fill("who owns", (at) => `m0 ${at % TABLES}`)],
    ["misspelt words", fill("who owns", (at) => `custmers${at}`)],
  ])("A long question of %s needs few look-ups, and is answered or declined", async (_kind, query) => {
    const { answer, costs } = await ask(query);
    expect(costs.operations.length).toBeLessThan(MAX_FOR_NAMES);
    expect(answer.answer).not.toBe("");
  });
});

describe("questions about everything", () => {
  it.each([
    ["which tables have more than 5 dependents?", /^There is at least 1 table/],
    ["which tables have at least 1 columns upstream of tables that have no owner", /^There is at least 1 table/],
    [
      "which tables are upstream of tables that are downstream of tables without an owner",
      /^There is at least 1 table/,
    ],
  ])(
    "A question about everything walks from a bounded number of nodes, and says that there may be more: %s",
    async (query, says) => {
      const { answer, costs } = await ask(query);
      expect(costs.operations.length).toBeLessThanOrEqual(MAX_LOOK_UPS);
      expect(answer.answer).toMatch(says);
    },
  );

  it("A question makes each walk once, however often it names the end", async () => {
    const query =
      "which tables are upstream of tables that are downstream of tables that are upstream of tables without an owner";
    const { answer } = await ask(query);
    expect(answer.answer).toMatch(/^There is at least 1 table/);
    expect(bench.costs.operations.length).toBeLessThanOrEqual(MAX_LOOK_UPS);
  });

  it("A question is declined if its context alone needs more look-ups than permitted", async () => {
    const chained = newWorkspace();
    const tables = Array.from({ length: 130 }, (_, at) => nodeOf(chained, "table", `shop.chain.c_${at}`, {}));
    const stamp = stampOf(chained, "warehouse", 1);
    await bench.graph.writeNodes(stamp, "all", tables);
    const next = tables.slice(1).map((table, at) => edgeOf(present(tables[at]), table, "derives"));
    await bench.graph.writeEdges(stamp, "all", next);
    const assetIds = tables.slice(0, 100).map(({ id }) => id);
    const { confidence, citations } = await bench.ask(chained, "which tables are there?", { assetIds });
    expect([confidence < 0.2, citations]).toEqual([true, []]);
  });

  it.each([
    "which tables are not upstream of tables without an owner",
    "which tables have at most 1 dependents",
    "are all tables upstream of tables without an owner",
  ])("A question about everything gets no number and no yes or no that may be wrong: %s", async (query) => {
    const { answer } = await bench.ask(workspace, query);
    expect(answer).not.toMatch(/^(?:There (?:is|are)|Yes|No)\b/);
  });
});

describe("questions about one asset", () => {
  it.each([
    ["is m0_7 downstream of tables without an owner?", /^Yes\./],
    ["is m0_7 upstream of tables without an owner?", /^No\./],
  ])("A question about one asset walks from that asset, so that yes and no are exact: %s", async (query, says) => {
    const { answer, costs } = await ask(query);
    expect(answer.answer).toMatch(says);
    expect(costs.operations.filter((name) => name === "AgentWalk").length).toBeLessThan(5);
  });
});

describe("the budget of a request", () => {
  it("All look-ups of a question share one request budget", async () => {
    const app = await startApp({ env: { MAX_LINEAGE_NODES: "100" } });
    try {
      const { id } = present(await app.app.metadata.workspaces.findByName("default"));
      const stamp = stampOf(id, "warehouse", 1);
      const tables = Array.from({ length: 120 }, (_, at) => nodeOf(id, "table", `shop.marts.m0_${at}`, {}));
      await app.app.graph.writeNodes(stamp, "all", tables);
      const next = tables.slice(1).map((table, at) => edgeOf(present(tables[at]), table, "derives"));
      await app.app.graph.writeEdges(stamp, "all", next);
      const { status, body } = await createRestClient(app)("/api/v1/agents/query", {
        method: "POST",
        body: JSON.stringify({ query: "which table has the most dependents?" }),
      });
      expect([status, body]).toMatchObject([400, { details: { reason: "budget" } }]);
    } finally {
      await app.close();
    }
  });
});
