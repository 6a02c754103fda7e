/** Which statements writes use, and in which order they run, on stores that answer from a list. */
import { describe, expect, it } from "vitest";

import { copyIn } from "../../../../src/graph/core/copy-in.ts";
import { writeChecks } from "../../../../src/graph/core/write-checks.ts";
import { sweepStep } from "../../../../src/graph/core/sweep.ts";
import { toEdgeText, writeEdges } from "../../../../src/graph/core/write-edges.ts";
import { writeNodes } from "../../../../src/graph/core/write-nodes.ts";
import type { CopiedNode } from "../../../../src/graph/graph-copy.ts";
import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { authorOf } from "../../../../src/graph/history/moments.ts";
import { BY_CHECK_ID } from "../../../../src/graph/memgraph/checks.ts";
import { ADD_CLAIMS, CLAIMS, SAVE_CLAIMS } from "../../../../src/graph/memgraph/claims.ts";
import { ADD_EDGE_CLAIMS, REPEAT_EDGE_CLAIMS, STATED_ENDS } from "../../../../src/graph/memgraph/connections.ts";
import {
  addEdgesCypher,
  CLAIMED_USES,
  saveEdgesCypher,
  STALE_REFERENCES,
} from "../../../../src/graph/memgraph/edges.ts";
import { LAST_MOMENT } from "../../../../src/graph/memgraph/history.ts";
import { SAVE_RESULT_CHANGES } from "../../../../src/graph/memgraph/result-changes.ts";
import { FORGET_CHANGES, NOTE_CHANGE } from "../../../../src/graph/memgraph/lineage-changes.ts";
import { endText } from "../../../../src/graph/memgraph/moment-texts.ts";
import { OPEN_SOURCE } from "../../../../src/graph/memgraph/sources.ts";
import { createRowStore } from "../../../../src/graph/memgraph/row-store.ts";
import { ADD, PRESENT, REMOVE, SAVE } from "../../../../src/graph/memgraph/stored-asset.ts";
import { STALE_CLAIMS } from "../../../../src/graph/memgraph/take.ts";
import { createWriteLine, TAKE_TURN } from "../../../../src/graph/memgraph/write-line.ts";
import { toWorkspaceId } from "../../../../src/ids.ts";
import { checkOf, edgeOf, nodeOf, stampOf } from "../../../support/graph-writes.ts";

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
const MOMENT = [1, STAMP.at, STAMP.connectorId, STAMP.syncId, "", false];

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
  const { store, asked } = createStore(
    new Map([
      [CLAIMS, [known]],
      [PRESENT, [KNOWN]],
    ]),
  );
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

  const { store, asked } = createStore(
    new Map([
      [PRESENT, [KNOWN]],
      [CLAIMS, [claimed(ORDERS.facts)]],
    ]),
  );
  await copyIn(store, W, "assets", copied);
  expect(asked.get(CLAIMS)).toEqual([ORDERS.id]);
  expect(asked.get(SAVE)).toEqual([expect.objectContaining({ id: ORDERS.id })]);
  expect(asked.get(ADD)).toEqual([expect.arrayContaining([CUSTOMERS.id, "customers"])]);
});

it("New edges are created, edges that are stated otherwise are merged, and those stated as before are left", async () => {
  const ends = [ORDERS, CUSTOMERS, SHOP].map(({ id }) => [id, "table", ""]);
  const first = createStore(new Map([[STATED_ENDS, ends]]));
  const edges = [ORDERS, CUSTOMERS].map((from) => toEdgeText(edgeOf(from, SHOP, "derives")));
  await writeEdges(first.store, STAMP, "all", edges.slice(0, 1));
  const [own] = first.asked.get(ADD_EDGE_CLAIMS) as string[][];
  const [id = "", edgeId = ""] = own ?? [];

  const storeWith = (uses: string) =>
    createStore(
      new Map([
        [STATED_ENDS, ends],
        [CLAIMED_USES, [[id, edgeId, STAMP.connectorId, uses]]],
      ]),
    );
  const same = storeWith("[]");
  await writeEdges(same.store, STAMP, "all", edges);
  expect(same.asked.get(REPEAT_EDGE_CLAIMS)).toEqual([[id, "[]", null, null]]);
  expect(same.asked.has(saveEdgesCypher("asset"))).toBe(false);

  const { store, asked } = storeWith('[{"kind":"INDIRECT"}]');
  await writeEdges(store, STAMP, "all", edges);
  expect(asked.get(REPEAT_EDGE_CLAIMS)).toEqual([[id, "[]", expect.anything(), null]]);
  expect(asked.get(ADD_EDGE_CLAIMS)).toEqual([expect.arrayContaining([CUSTOMERS.id, SHOP.id])]);
  expect(asked.get(saveEdgesCypher("asset"))).toEqual([[ORDERS.id, SHOP.id, "derives", "[]", true]]);
  expect(asked.get(addEdgesCypher("asset"))).toEqual([[CUSTOMERS.id, SHOP.id, "derives", "[]", true]]);
});

it.each([
  ["A first sync keeps no failing check", true],
  ["A later sync keeps a failing check, whatever it wrote before", false],
])("%s", async (_title, isFirst) => {
  const result = { status: "fail", message: "", failures: 1, ranAt: null } as const;
  const check = checkOf(W, "unique", [ORDERS], [], { result });
  const shown = [check.id, "unique", 10, STAMP.connectorId, "all", "{}", JSON.stringify(result)];
  const { store, asked } = createStore(
    new Map([
      [BY_CHECK_ID, [shown]],
      [LAST_MOMENT, [[...MOMENT.slice(0, 5), isFirst]]],
    ]),
  );
  await writeChecks(store, STAMP, "all", [check]);
  const kept = [expect.objectContaining({ checkId: check.id, nodeId: ORDERS.id })];
  expect(asked.get(SAVE_RESULT_CHANGES)).toEqual(isFirst ? undefined : kept);
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

/** Writes in a workspace whose last change has this number. Returns what was noted, and whether old notes were removed. */
async function writeAfter(
  last: number,
  answers: ReadonlyMap<string, unknown[][]>,
  work: (run: Run) => Promise<unknown>,
) {
  const asked = new Map<string, Record<string, unknown>>();
  const inLine = createWriteLine((write) =>
    write(async (statement, parameters) => {
      asked.set(statement, parameters);
      if (statement === TAKE_TURN) return [[last]];
      return answers.get(statement) ?? (statement === LAST_MOMENT ? [MOMENT] : []);
    }),
  );
  await inLine(W, (run) => work(run));
  const { nodes, number, mark } = asked.get(NOTE_CHANGE) ?? {};
  return { nodes, number: Number(number), mark, range: asked.get(FORGET_CHANGES) };
}
const storeOf = (run: Run) => createRowStore(run, W, authorOf(STAMP));
const writeTables = (run: Run) => writeNodes(storeOf(run), STAMP, "all", [ORDERS, CUSTOMERS]);

describe("The log of lineage", () => {
  it("A write notes the nodes that it adds or changes, and a mark of its own, and counts them in its number", async () => {
    const answers = new Map([
      [CLAIMS, [claimed({ ...ORDERS.facts, description: "before" })]],
      [PRESENT, [KNOWN]],
    ]);
    const first = await writeAfter(6, answers, writeTables);
    expect(first).toMatchObject({ nodes: [CUSTOMERS.id, ORDERS.id], number: 8 });
    expect((await writeAfter(6, answers, writeTables)).mark).not.toBe(first.mark);
  });

  it("A write that finds everything as before notes nothing", async () => {
    const answers = new Map([[CLAIMS, [claimed(ORDERS.facts), claimed(CUSTOMERS.facts, CUSTOMERS.id)]]]);
    expect((await writeAfter(6, answers, writeTables)).nodes).toBeUndefined();
  });

  it("A write of edges notes the nodes that they come from", async () => {
    const ends = [ORDERS, CUSTOMERS, SHOP].map(({ id, type }) => [id, type, ""]);
    const edges = [edgeOf(ORDERS, SHOP, "derives"), edgeOf(CUSTOMERS, SHOP, "derives")].map(toEdgeText);
    const write = (run: Run) => writeEdges(storeOf(run), STAMP, "all", edges);
    expect(await writeAfter(0, new Map([[STATED_ENDS, ends]]), write)).toMatchObject({
      nodes: [ORDERS.id, CUSTOMERS.id],
      number: 2,
    });
  });

  it("A sweep notes the nodes that it removes, and the columns whose references it removes", async () => {
    const answers = new Map([
      [STALE_CLAIMS, [[ORDERS.id]]],
      [PRESENT, [KNOWN]],
      [STALE_REFERENCES, [["reference", "column"]]],
    ]);
    const swept = await writeAfter(6, answers, (run) => sweepStep(storeOf(run), STAMP, "all"));
    expect(swept.nodes).toEqual(["column", ORDERS.id]);
  });

  it("A write that touches more nodes than an index follows counts them, but does not name them", async () => {
    const ids = Array.from({ length: 20_001 }, (_, i) => `n${i}`);
    const many = await writeAfter(6, new Map(), (run) => run(REMOVE, { workspace: W, ids }));
    expect(many).toMatchObject({ nodes: [], number: 20_007 });
  });

  it("Each time that 2,000 nodes were touched, what no index follows any more is removed", async () => {
    const remove = (run: Run) => run(REMOVE, { workspace: W, ids: ["n"] });
    expect((await writeAfter(23_998, new Map(), remove)).range).toBeUndefined();
    expect((await writeAfter(23_999, new Map(), remove)).range).toMatchObject({ to: endText(W, 4_000) });
  });
});

describe("Statements of a chunk", () => {
  type Write = (store: ReturnType<typeof createStore>["store"]) => Promise<unknown>;
  const before = { ...ORDERS.facts, description: "before" };
  const ends = [ORDERS, CUSTOMERS, SHOP].map(({ id }) => [id, "table", ""]);
  const edges = [ORDERS, CUSTOMERS].map((from) => toEdgeText(edgeOf(from, SHOP, "derives")));
  const some: [string, unknown[][]][] = [
    [CLAIMS, [claimed(before), claimed(SHOP.facts, SHOP.id)]],
    [PRESENT, [KNOWN]],
  ];

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
