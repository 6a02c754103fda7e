/** Several impacts in one request. */
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

let bench: GraphqlBench;
let tables: string[];
/** The impacts that the graph computes now, and the most that it computed at the same time. */
let underWay = 0;
let most = 0;

beforeAll(async () => {
  bench = await openGraphqlBench((graph) => ({
    ...graph,
    async assessImpact(...args) {
      most = Math.max(most, ++underWay);
      try {
        // The fields of a query may be resolved in several turns of the event loop.
        for (let turn = 0; turn < 20; turn++) await turnOfTheLoop();
        return await graph.assessImpact(...args);
      } finally {
        underWay--;
      }
    },
  }));
  const { graph, workspace } = bench;
  const stamp = stampOf(workspace.id, "dbt", 1);
  const nodes = ["orders", "daily", "weekly"].map((name) => nodeOf(workspace.id, "table", name));
  const [orders, daily, weekly] = nodes;
  if (orders === undefined || daily === undefined || weekly === undefined) throw new Error("three are made");
  await graph.writeNodes(stamp, "all", nodes);
  await graph.writeEdges(stamp, "all", [edgeOf(orders, daily, "derives"), edgeOf(daily, weekly, "derives")]);
  tables = nodes.map(({ id }) => id);
});
beforeEach(() => {
  most = 0;
});
afterAll(() => bench.close());

const assessed = (): number => bench.calls.filter((name) => name === "assessImpact").length;
const impactOf = (id: string | undefined): string =>
  `impact(id: "${id}", changeType: deprecate) { summary { totalAffected } affected { name path } owners { owner } }`;

describe("impacts in one query", () => {
  it("One query computes the impact of each change once, however often it selects it", async () => {
    const [orders, daily] = tables;
    const { data, errors } = await bench.ask(
      `{ a: ${impactOf(orders)} b: ${impactOf(daily)} c: ${impactOf(orders)} d: ${impactOf(orders)} }`,
    );
    expect(errors).toEqual([]);
    const { a, b, c, d } = data as Record<string, unknown>;
    expect([a, b]).toMatchObject([{ summary: { totalAffected: 2 } }, { summary: { totalAffected: 1 } }]);
    expect([c, d]).toEqual([a, a]);
    expect(assessed()).toBe(2);
  });

  it("One query computes its impacts one after the other, so that they do not wait for each other", async () => {
    const { errors } = await bench.ask(`{ ${tables.map((id, at) => `i${at}: ${impactOf(id)}`).join(" ")} }`);
    expect(errors).toEqual([]);
    expect([assessed(), most]).toEqual([3, 1]);
  });

  it("An impact with the checks that would fail is computed separately", async () => {
    const [orders] = tables;
    const { data, errors } = await bench.ask(
      `{ a: ${impactOf(orders)} b: impact(id: "${orders}", changeType: deprecate) { checks { total } } }`,
    );
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ a: { summary: { totalAffected: 2 } }, b: { checks: { total: 0 } } });
    expect(assessed()).toBe(2);
  });
});

describe("a change set", () => {
  it("A change that a change set names several times is assessed once, and shown each time", async () => {
    const [orders, daily] = tables;
    const { data, errors } = await bench.ask(
      `query ($changes: [ChangeInput!]!) {
        changeSetImpact(changes: $changes) { changes { id summary { totalAffected } } affected { changes impact { id } } }
      }`,
      { changes: [orders, daily, orders, orders].map((id) => ({ id, changeType: "deprecate" })) },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      changeSetImpact: {
        changes: [
          { id: orders, summary: { totalAffected: 2 } },
          { id: daily, summary: { totalAffected: 1 } },
          { id: orders, summary: { totalAffected: 2 } },
          { id: orders, summary: { totalAffected: 2 } },
        ],
        affected: [
          { changes: [0, 2, 3], impact: { id: daily } },
          { changes: [0, 1, 2, 3], impact: { id: tables[2] } },
        ],
      },
    });
    expect(assessed()).toBe(2);
  });
});
