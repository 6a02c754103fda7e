/** Which statements writes use, and in which order they run, on stores that answer from a list. */
import { describe, expect, it } from "vitest";

import { copyIn } from "../../../../src/graph/core/copy-in.ts";
import { sweepStep } from "../../../../src/graph/core/sweep.ts";
import { toEdgeText, writeEdges } from "../../../../src/graph/core/write-edges.ts";
import { writeNodes } from "../../../../src/graph/core/write-nodes.ts";
import type { CopiedNode } from "../../../../src/graph/graph-copy.ts";
import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { authorOf } from "../../../../src/graph/history/moments.ts";
import { ADD_CLAIMS, CLAIMS, SAVE_CLAIMS } from "../../../../src/graph/memgraph/claims.ts";
import { ADD_EDGE_CLAIMS, REPEAT_EDGE_CLAIMS, STATED_ENDS } from "../../../../src/graph/memgraph/connections.ts";
import { addEdgesCypher, CLAIMED_USES, saveEdgesCypher } from "../../../../src/graph/memgraph/edges.ts";
import { LAST_MOMENT } from "../../../../src/graph/memgraph/history.ts";
import { OPEN_SOURCE } from "../../../../src/graph/memgraph/sources.ts";
import { createRowStore } from "../../../../src/graph/memgraph/row-store.ts";
import { ADD, PRESENT, SAVE } from "../../../../src/graph/memgraph/stored-asset.ts";
import { createWriteLine, TAKE_TURN } from "../../../../src/graph/memgraph/write-line.ts";
import { toWorkspaceId } from "../../../../src/ids.ts";
import { edgeOf, nodeOf, stampOf } from "../../../support/graph-writes.ts";

const W = toWorkspaceId("w");
const STAMP = stampOf(W, "dbt", 1);
const [ORDERS, CUSTOMERS, SHOP] = ["orders", "customers", "shop"].map((fqn) => nodeOf(W, "table", fqn)) as [
  ReturnType<typeof nodeOf>,
  ReturnType<typeof nodeOf>,
  ReturnType<typeof nodeOf>,
];

/** The row that the store has for the orders table. */
const KNOWN = [ORDERS.id, "postgres", null, "{}", STAMP.at, STAMP.at, "other", "", "[]", null, 0, null];

/** The claim that the store has for a table, with these facts. */
function claimed(facts: object, id = ORDERS.id): unknown[] {
  const layer = [STAMP.connectorId, STAMP.connectorName, 10, 10, STAMP.connectorCreatedAt, "all", "table", "held"];
  return [id, ...layer, JSON.stringify(facts), "before", "before", STAMP.at, null];
}

/** The moment in which the sync has written before. */
const MOMENT = [1, STAMP.at, STAMP.connectorId, STAMP.syncId, ""];

/** A store that gives these answers, and a list of the statements that it got. */
function createStore(answers: ReadonlyMap<string, unknown[][]>) {
  const asked = new Map<string, unknown>();
  const sent: string[] = [];
  const run: Run = async (statement, { rows, ids }) => {
    sent.push(statement);
    asked.set(statement, rows ?? ids);
    return answers.get(statement) ?? (statement === LAST_MOMENT ? [MOMENT] : []);
  };
  return { store: createRowStore(run, W, authorOf(STAMP)), asked, sent };
}

it("New nodes are created, and known nodes are merged", async () => {
  const known = claimed({ ...ORDERS.facts, description: "before" });
  const { store, asked } = createStore(new Map([[CLAIMS, [known]], [PRESENT, [KNOWN]]])); // prettier-ignore
  await writeNodes(store, STAMP, "all", [ORDERS, CUSTOMERS]);
  expect(asked.get(ADD)).toEqual([expect.arrayContaining([CUSTOMERS.id, "customers"])]);
  expect(asked.get(SAVE)).toEqual([expect.objectContaining({ id: ORDERS.id })]);
  expect(asked.get(ADD_CLAIMS)).toEqual([expect.arrayContaining([CUSTOMERS.id])]);
  const kept = { nodeId: ORDERS.id, syncId: STAMP.syncId, firstSyncId: "before", changedBy: STAMP.syncId };
  expect(asked.get(SAVE_CLAIMS)).toEqual([expect.objectContaining(kept)]);
});

it("Nodes that are stated again unchanged are neither read nor merged", async () => {
  const { store, asked } = createStore(new Map([[CLAIMS, [claimed(ORDERS.facts)]]]));
  await writeNodes(store, STAMP, "all", [ORDERS]);
  expect([...asked.keys()]).toEqual([OPEN_SOURCE, CLAIMS, SAVE_CLAIMS]);
  expect(asked.get(SAVE_CLAIMS)).toEqual([{ id: expect.any(String), syncId: STAMP.syncId }]);
});

it("A copy reads claims only of nodes that already exist", async () => {
  const copied = [ORDERS, CUSTOMERS].map((node): CopiedNode => {
    const { connectorId, syncId, at } = STAMP;
    const layer = { ...STAMP, type: node.type, existence: "held", facts: node.facts } as const;
    const claim = { connectorId, scope: "all", syncId, firstSyncId: null, since: at, changedBy: null, layer };
    return Object.assign({ createdAt: at, updatedAt: at, curation: {}, claims: [claim] }, node);
  });
  const first = createStore(new Map());
  await copyIn(first.store, W, "assets", copied);
  expect(first.asked.has(CLAIMS)).toBe(false);
  expect(first.asked.get(ADD)).toEqual([ORDERS, CUSTOMERS].map(({ id }) => expect.arrayContaining([id, "held"])));

  const { store, asked } = createStore(new Map([[PRESENT, [KNOWN]], [CLAIMS, [claimed(ORDERS.facts)]]])); // prettier-ignore
  await copyIn(store, W, "assets", copied);
  expect(asked.get(CLAIMS)).toEqual([ORDERS.id]);
  expect(asked.get(SAVE)).toEqual([expect.objectContaining({ id: ORDERS.id })]);
  expect(asked.get(ADD)).toEqual([expect.arrayContaining([CUSTOMERS.id, "customers"])]);
});

it("New edges are created, and edges that are stated already are merged", async () => {
  const ends = [ORDERS, CUSTOMERS, SHOP].map(({ id }) => [id, "table", ""]);
  const first = createStore(new Map([[STATED_ENDS, ends]]));
  const edges = [ORDERS, CUSTOMERS].map((from) => toEdgeText(edgeOf(from, SHOP, "derives")));
  await writeEdges(first.store, STAMP, "all", edges.slice(0, 1));
  const [own] = first.asked.get(ADD_EDGE_CLAIMS) as string[][];
  const [id = "", edgeId = ""] = own ?? [];

  const stated = [[id, edgeId, STAMP.connectorId, "[]"]];
  const { store, asked } = createStore(new Map([[STATED_ENDS, ends], [CLAIMED_USES, stated]])); // prettier-ignore
  await writeEdges(store, STAMP, "all", edges);
  expect(asked.get(REPEAT_EDGE_CLAIMS)).toEqual([[id, "[]", null, null]]);
  expect(asked.get(ADD_EDGE_CLAIMS)).toEqual([expect.arrayContaining([CUSTOMERS.id, SHOP.id])]);
  expect(asked.get(saveEdgesCypher("asset"))).toEqual([[ORDERS.id, SHOP.id, "derives", "[]", true]]);
  expect(asked.get(addEdgesCypher("asset"))).toEqual([[CUSTOMERS.id, SHOP.id, "derives", "[]", true]]);
});

it("Writes of one workspace run one after the other, and those of another workspace run beside them", async () => {
  const gates = new Map(["a1", "a2", "b1"].map((name) => [name, Promise.withResolvers<void>()]));
  const events: string[] = [];
  const inLine = createWriteLine((work) =>
    work(async (statement, { workspace }) => {
      if (statement === TAKE_TURN) events.push(`turn of ${String(workspace)}`);
      return [];
    }),
  );
  const start = (workspace: string, name: string) =>
    inLine(toWorkspaceId(workspace), async () => {
      events.push(name);
      await gates.get(name)?.promise;
      events.push(`${name} done`);
      return name;
    });
  const writes = [start("a", "a1"), start("a", "a2"), start("b", "b1")];
  gates.get("a2")?.resolve();
  gates.get("b1")?.resolve();
  expect(await writes[2]).toBe("b1");
  expect(events).not.toContain("a2");
  gates.get("a1")?.reject(new Error("refused"));
  await expect(writes[0]).rejects.toThrow("refused");
  expect(await writes[1]).toBe("a2");
  expect(events.filter((event) => event.startsWith("turn"))).toEqual(["turn of a", "turn of b", "turn of a"]);
});

describe("Statements of a chunk", () => {
  type Write = (store: ReturnType<typeof createStore>["store"]) => Promise<unknown>;
  const before = { ...ORDERS.facts, description: "before" };
  const ends = [ORDERS, CUSTOMERS, SHOP].map(({ id }) => [id, "table", ""]);
  const edges = [ORDERS, CUSTOMERS].map((from) => toEdgeText(edgeOf(from, SHOP, "derives")));
  const some: [string, unknown[][]][] = [[CLAIMS, [claimed(before), claimed(SHOP.facts, SHOP.id)]], [PRESENT, [KNOWN]]]; // prettier-ignore

  it.each<[name: string, most: number, answers: readonly (readonly [string, unknown[][]])[], write: Write]>([
    ["new nodes", 8, [], (store) => writeNodes(store, STAMP, "all", [ORDERS, CUSTOMERS])],
    [
      "new, changed and unchanged nodes",
      13,
      some,
      (store) => writeNodes(store, STAMP, "all", [ORDERS, CUSTOMERS, SHOP]),
    ],
    ["unchanged nodes", 3, [[CLAIMS, [claimed(ORDERS.facts)]]], (store) => writeNodes(store, STAMP, "all", [ORDERS])],
    ["new edges", 7, [[STATED_ENDS, ends]], (store) => writeEdges(store, STAMP, "all", edges)],
    ["a sweep that finds nothing", 6, [], (store) => sweepStep(store, STAMP, "all")],
  ])("Writing %s takes %i statements", async (_, most, answers, write) => {
    const { store, sent } = createStore(new Map(answers));
    await write(store);
    expect(sent).toHaveLength(most);
  });
});
