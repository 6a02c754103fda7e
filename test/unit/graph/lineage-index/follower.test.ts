/** How the index follows a store that other servers write to as well: it tells no state but that of the store. */
import fc from "fast-check";
import { expect, it } from "vitest";

import type { Lineage } from "../../../../src/catalog/lineage.ts";
import { INCOMPLETE } from "../../../../src/graph/memgraph/coverage.ts";
import { SHOWN_AT } from "../../../../src/graph/memgraph/indexed-walk.ts";
import { CHANGES, POSITION } from "../../../../src/graph/memgraph/lineage-store.ts";
import { loadLineage } from "../../../../src/graph/memgraph/load-lineage.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";
import { createLineageStore, openReplica } from "../../../support/lineage-store.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../../support/model-runs.ts";
import { present } from "../../../support/present.ts";

/** A workspace in which one table feeds others, and two servers that have its lineage in memory. */
async function setUp() {
  const store = createLineageStore();
  const workspace = newWorkspace();
  const stamp = stampOf(workspace, "dbt", 1);
  const [hub, first, second] = ["hub", "first", "second"].map((name) => nodeOf(workspace, "table", name)) as [
    ReturnType<typeof nodeOf>,
    ReturnType<typeof nodeOf>,
    ReturnType<typeof nodeOf>,
  ];
  await store.graph.writeNodes(stamp, "all", [hub, first]);
  await store.graph.writeEdges(stamp, "all", [edgeOf(hub, first, "derives")]);
  const query = { root: hub.id, direction: "downstream", depth: 10, maxNodes: 100 } as const;
  const replicas = [openReplica(store), openReplica(store)] as const;
  const [here, there] = replicas;
  const namesAt = async ({ reader }: (typeof replicas)[number]) => names(await reader.walk(workspace, query));
  for (const replica of replicas) await namesAt(replica);
  const link = async (node: ReturnType<typeof nodeOf>): Promise<void> => {
    await store.graph.writeNodes(stamp, "all", [node]);
    await store.graph.writeEdges(stamp, "all", [edgeOf(hub, node, "derives")]);
  };
  return { store, workspace, stamp, hub, first, second, query, here, there, namesAt, link };
}

function names(lineage: Lineage | null): string[] {
  return present(lineage)
    .nodes.map(({ name }) => name)
    .toSorted();
}

it("A walk asks the store for nothing but what it shows, if nothing has changed", async () => {
  const { here, namesAt } = await setUp();
  here.statements.length = 0;
  expect(await namesAt(here)).toEqual(["first"]);
  expect(here.statements).toEqual([INCOMPLETE, SHOWN_AT]);
});

it("A write is in the next answer of every server, and each reads only what has changed", async () => {
  const { here, there, second, namesAt, link } = await setUp();
  await link(second);
  for (const replica of [here, there]) {
    replica.statements.length = 0;
    expect(await namesAt(replica)).toEqual(["first", "second"]);
    expect(replica.statements.slice(2, 4)).toEqual([POSITION, CHANGES]);
    expect(replica.fromStore()).toBe(0);
    replica.statements.length = 0;
    expect(await namesAt(replica)).toEqual(["first", "second"]);
    expect(replica.statements).toEqual([INCOMPLETE, SHOWN_AT]);
  }
});

it("A removed node is no longer in an answer, with the edges to it and the columns of it", async () => {
  const { store, workspace, stamp, hub, first, second, here, namesAt, link } = await setUp();
  const column = columnOf(workspace, second, "id", 1);
  await link(second);
  await store.graph.writeNodes(stamp, "all", [column]);
  const dropped = { root: second.id, change: "asset_drop", newType: null, maxAffected: 10 } as const;
  expect(await here.reader.assessImpact(workspace, dropped)).not.toBeNull();

  const later = stampOf(workspace, "dbt", 2);
  await store.graph.writeNodes(later, "all", [hub, first]);
  await store.graph.writeEdges(later, "all", [edgeOf(hub, first, "derives")]);
  await store.graph.sweep(later, "all");
  expect(await namesAt(here)).toEqual(["first"]);
  expect(await here.reader.assessImpact(workspace, dropped)).toBeNull();
});

it("If a store lost its last writes and others got their numbers, no answer has the lost ones", async () => {
  const { store, workspace, stamp, hub, second, here, there, query, namesAt, link } = await setUp();
  const before = store.stateOf(workspace);
  await link(second);
  const lost = store.stateOf(workspace);
  for (const replica of [here, there]) expect(await namesAt(replica)).toEqual(["first", "second"]);

  // The graph comes to another state by as many changes.
  store.setState(workspace, before);
  await store.graph.writeNodes(stamp, "all", [nodeOf(workspace, "table", "third")]);
  await store.graph.writeEdges(stamp, "all", [edgeOf(hub, nodeOf(workspace, "table", "third"), "derives")]);
  const now = store.stateOf(workspace);
  expect(now.changes.length).toBe(lost.changes.length);
  for (const replica of [here, there]) {
    expect(await replica.reader.walk(workspace, query)).toEqual(await store.graph.walk(workspace, query));
    expect(replica.fromStore()).toBe(1);
  }
});

it("If the log no longer reaches back to the index, the store is asked, and lineage is loaded again", async () => {
  const { store, workspace, second, here, namesAt, link } = await setUp();
  await link(second);
  const { lineage, changes } = store.stateOf(workspace);
  store.setState(workspace, { lineage, changes: changes.slice(-1) });
  expect(await namesAt(here)).toEqual(["first", "second"]);
  expect(here.fromStore()).toBe(1);
  const statementsOfNext = async (): Promise<string[]> => {
    await namesAt(here);
    here.statements.length = 0;
    await namesAt(here);
    return here.statements;
  };
  await expect.poll(statementsOfNext).toEqual([INCOMPLETE, SHOWN_AT]);
});

it("An index that is behind by more nodes than are read again does not ask which ones", async () => {
  const { store, workspace, here, namesAt } = await setUp();
  const { lineage, changes } = store.stateOf(workspace);
  const last = present(changes.at(-1));
  const behind = async (nodes: number): Promise<boolean> => {
    const change = { number: last.number + nodes, mark: `after ${nodes}`, nodes: [] };
    store.setState(workspace, { lineage, changes: [...changes, change] });
    here.statements.length = 0;
    expect(await namesAt(here)).toEqual(["first"]);
    return here.statements.includes(CHANGES);
  };
  expect(await behind(20_000)).toBe(true);
  expect(await behind(20_001)).toBe(false);
});

it("A transaction that sees an older state than the index asks the store", async () => {
  const { store, workspace, second, query, here, namesAt, link } = await setUp();
  const before = store.stateOf(workspace);
  await link(second);
  expect(await namesAt(here)).toEqual(["first", "second"]);
  store.setState(workspace, before);
  const answered = here.fromStore();
  await here.reader.walk(workspace, query);
  expect(here.fromStore()).toBe(answered + 1);
});

it("Lineage that changes while it is loaded is loaded in one state", MODEL_TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }), async (moments) => {
      const { store, workspace, stamp, hub, first, query } = await setUp();
      let statements = 0;
      const write = async (): Promise<void> => {
        const node = nodeOf(workspace, "table", `new_${statements}`);
        await store.graph.writeNodes(stamp, "all", [node]);
        await store.graph.writeEdges(stamp, "all", [edgeOf(first, node, "derives"), edgeOf(node, hub, "derives")]);
        const later = stampOf(workspace, "dbt", 2 + statements);
        if (statements % 2 === 0) {
          await store.graph.writeNodes(later, "all", [hub, node]);
          await store.graph.writeEdges(later, "all", [edgeOf(hub, node, "derives")]);
          await store.graph.sweep(later, "all");
        }
      };
      const reading = {
        ...store,
        readMain: async (...args: Parameters<typeof store.read>) => {
          const answer = await store.read(...args);
          statements += 1;
          if (moments.includes(statements)) await write();
          return answer;
        },
      };
      const lineage = present(await loadLineage(reading, workspace, Infinity));
      const replica = openReplica(store, { current: () => lineage, at: async () => lineage });
      expect(await replica.reader.walk(workspace, query)).toEqual(await store.graph.walk(workspace, query));
      expect(replica.fromStore()).toBe(0);
    }),
    modelRuns(100),
  );
});

it("Lineage that needs more memory than it may use is not kept", async () => {
  const { store, workspace } = await setUp();
  expect(await loadLineage({ ...store, readMain: store.read }, workspace, 100)).toBeNull();
});

const turns = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ act: fc.constantFrom("link", "unlink"), from: fc.nat(5), to: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("lose"), from: fc.nat(4), to: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("forget"), from: fc.nat(3), to: fc.nat(5) }) },
    { weight: 6, arbitrary: fc.record({ act: fc.constantFrom("here", "there"), from: fc.nat(5), to: fc.nat(9) }) },
  ),
  { minLength: 5, maxLength: 40 },
);

it(
  "Servers that write and read in any turns tell the store's own state, also if it loses writes or its log",
  MODEL_TIMEOUT,
  async () => {
    let [reads, asked] = [0, 0];
    await fc.assert(
      fc.asyncProperty(turns, async (all) => {
        const { store, workspace, here, there } = await setUp();
        const nodes = Array.from({ length: 6 }, (_, i) => nodeOf(workspace, "table", `t${i}`));
        const nodeAt = (i: number) => present(nodes[i]);
        let sync = 2;
        for (const { act, from, to } of all) {
          const link = async (): Promise<void> => {
            await store.graph.writeNodes(stampOf(workspace, `c${from}`, sync), "all", [nodeAt(from), nodeAt(to)]);
            const edge = edgeOf(nodeAt(from), nodeAt(to), "derives");
            await store.graph.writeEdges(stampOf(workspace, `c${from}`, sync), "all", [edge]);
          };
          if (act === "link") await link();
          if (act === "unlink") await store.graph.sweep(stampOf(workspace, `c${from}`, ++sync), "all");
          const { lineage, changes } = store.stateOf(workspace);
          if (act === "lose") {
            store.lose(workspace, from);
            const added = nodeOf(workspace, "table", `after_${sync}`);
            await store.graph.writeNodes(stampOf(workspace, "other", ++sync), "all", [added]);
          }
          if (act === "forget") store.setState(workspace, { lineage, changes: changes.slice(-1 - from) });
          if (act !== "here" && act !== "there") continue;
          const { reader } = act === "here" ? here : there;
          const direction = to % 2 === 0 ? "downstream" : "upstream";
          const query = { root: nodeAt(from).id, direction, depth: 3, maxNodes: 1 + to } as const;
          expect(await reader.walk(workspace, query)).toEqual(await store.graph.walk(workspace, query));
          const change = { root: nodeAt(from).id, change: "asset_drop", newType: null, maxAffected: 10 } as const;
          expect(await reader.assessImpact(workspace, change)).toEqual(
            await store.graph.assessImpact(workspace, change),
          );
          reads += 2;
        }
        asked += here.fromStore() + there.fromStore();
      }),
      modelRuns(300),
    );
    // A walk from a node that is not there asks the store, too.
    expect(asked).toBeLessThan(reads / 2);
  },
);
