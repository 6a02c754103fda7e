/** Which statements writes use, and in which order they run, on stores that answer from a list. */
import { expect, it } from "vitest";

import type { CopiedNode } from "../../../../src/graph/graph-copy.ts";
import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { ADD_CLAIMS, HELD, LAYERS, SAVE_CLAIMS } from "../../../../src/graph/memgraph/claims.ts";
import { copyIn } from "../../../../src/graph/memgraph/copy-in.ts";
import {
  ADD_EDGE_CLAIMS,
  addEdgesCypher,
  CLAIMED_USES,
  ENDS,
  REPEAT_EDGE_CLAIMS,
  saveEdgesCypher,
  writeEdges,
} from "../../../../src/graph/memgraph/edges.ts";
import { ADD, PRESENT, SAVE } from "../../../../src/graph/memgraph/stored-asset.ts";
import { createWriteLine, TAKE_TURN } from "../../../../src/graph/memgraph/write-line.ts";
import { writeNodes } from "../../../../src/graph/memgraph/write-nodes.ts";
import { toWorkspaceId } from "../../../../src/ids.ts";
import { edgeOf, nodeOf, stampOf } from "../../../support/graph-writes.ts";

const W = toWorkspaceId("w");
const STAMP = stampOf(W, "dbt", 1);
const [ORDERS, CUSTOMERS, SHOP] = ["orders", "customers", "shop"].map((fqn) => nodeOf(W, "table", fqn)) as [
  ReturnType<typeof nodeOf>,
  ReturnType<typeof nodeOf>,
  ReturnType<typeof nodeOf>,
];

/** What a store has of the first. */
const KNOWN = [ORDERS.id, "postgres", null, "{}", STAMP.at, STAMP.at, "other", "", "[]", null];

/** A store that gives these answers, and a list of what it was asked. */
function createStore(answers: ReadonlyMap<string, unknown[][]>) {
  const asked = new Map<string, unknown>();
  const run: Run = async (statement, { rows, ids }) => {
    asked.set(statement, rows ?? ids);
    return answers.get(statement) ?? [];
  };
  return { run, asked };
}

it("nodes that are new are created, and others merged", async () => {
  const { run, asked } = createStore(new Map([[PRESENT, [KNOWN]]]));
  await writeNodes(run, STAMP, "all", [ORDERS, CUSTOMERS]);
  expect(asked.get(ADD)).toEqual([expect.arrayContaining([CUSTOMERS.id, "customers"])]);
  expect(asked.get(SAVE)).toEqual([expect.objectContaining({ id: ORDERS.id })]);
  expect(asked.get(ADD_CLAIMS)).toEqual([expect.arrayContaining([CUSTOMERS.id])]);
  expect(asked.get(SAVE_CLAIMS)).toEqual([{ claim: expect.objectContaining({ nodeId: ORDERS.id }), at: STAMP.at }]);
});

it("of copied nodes, only the claims of those that are there already are read", async () => {
  const copied = [ORDERS, CUSTOMERS].map((node): CopiedNode => {
    const { connectorId, syncId, at } = STAMP;
    const layer = { ...STAMP, type: node.type, existence: "held", facts: node.facts } as const;
    const claim = { connectorId, scope: "all", syncId, firstSyncId: null, since: at, changedBy: null, layer };
    return Object.assign({ createdAt: at, updatedAt: at, curation: {}, claims: [claim] }, node);
  });
  const first = createStore(new Map());
  await copyIn(first.run, W, "assets", copied);
  expect(first.asked.has(LAYERS)).toBe(false);
  expect(first.asked.get(ADD)).toEqual([ORDERS, CUSTOMERS].map(({ id }) => expect.arrayContaining([id, "held"])));

  const layer = [STAMP.connectorId, "all", "dbt", 10, 10, STAMP.at, "table", "held", JSON.stringify(ORDERS.facts)];
  const { run, asked } = createStore(new Map([[PRESENT, [KNOWN]], [LAYERS, [[ORDERS.id, ...layer]]]])); // prettier-ignore
  await copyIn(run, W, "assets", copied);
  expect(asked.get(LAYERS)).toEqual([ORDERS.id]);
  expect(asked.get(SAVE)).toEqual([expect.objectContaining({ id: ORDERS.id })]);
  expect(asked.get(ADD)).toEqual([expect.arrayContaining([CUSTOMERS.id, "customers"])]);
});

it("edges that nobody has stated are created, and others merged", async () => {
  const ends = [ORDERS, CUSTOMERS, SHOP].map(({ id }) => [id, "table", ""]);
  const first = createStore(new Map([[HELD, ends]]));
  const edges = [edgeOf(ORDERS, SHOP, "derives"), edgeOf(CUSTOMERS, SHOP, "derives")];
  await writeEdges(first.run, STAMP, "all", edges.slice(0, 1));
  const [own] = first.asked.get(ADD_EDGE_CLAIMS) as string[][];
  const [id = "", edgeId = ""] = own ?? [];

  const claimed = [[id, edgeId, STAMP.connectorId, "[]"]];
  const { run, asked } = createStore(new Map([[HELD, ends], [ENDS, ends], [CLAIMED_USES, claimed]])); // prettier-ignore
  await writeEdges(run, STAMP, "all", edges);
  expect(asked.get(REPEAT_EDGE_CLAIMS)).toEqual([[id, "[]"]]);
  expect(asked.get(ADD_EDGE_CLAIMS)).toEqual([expect.arrayContaining([CUSTOMERS.id, SHOP.id])]);
  expect(asked.get(saveEdgesCypher("asset"))).toEqual([[ORDERS.id, SHOP.id, "derives", "[]", true]]);
  expect(asked.get(addEdgesCypher("asset"))).toEqual([[CUSTOMERS.id, SHOP.id, "derives", "[]", true]]);
});

it("writes of one workspace run one after the other, and those of another at the same time", async () => {
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
