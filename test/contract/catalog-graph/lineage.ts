/** Direct neighbours and walks. */
import { expect, it } from "vitest";

import type { ColumnUse, Direction } from "../../../src/catalog/edge.ts";
import type { Lineage } from "../../../src/catalog/lineage.ts";
import { namePartsOf } from "../../../src/catalog/search.ts";
import type { NeighbourFilter, NeighbourQuery, Neighbours } from "../../../src/graph/catalog-graph.ts";
import type { EdgeWrite, NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { allPages, columnOf, edgeOf, newWorkspace, nodeOf, stampOf, UNKNOWN } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describeLineage(open: OpenGraph): void {
  async function write(workspace: WorkspaceId, nodes: NodeWrite[], edges: EdgeWrite[]): Promise<void> {
    const stamp = stampOf(workspace, "dbt", 1);
    await open().writeNodes(stamp, "all", nodes);
    expect(await open().writeEdges(stamp, "all", edges)).toEqual([]);
  }

  /** Tables with names of one letter. `a>b` means that b derives from a. */
  async function derive(...arrows: string[]) {
    const w = newWorkspace();
    const names = new Set(arrows.flatMap((arrow) => arrow.split(">")));
    const tables = new Map([...names].map((name) => [name, nodeOf(w, "table", name)]));
    const table = (name: string): NodeWrite => present(tables.get(name));
    const edges = arrows.map((arrow) => {
      const [from = "", to = ""] = arrow.split(">");
      return edgeOf(table(from), table(to), "derives");
    });
    await write(w, [...tables.values()], edges);

    const walk = async (name: string, direction: Direction, depth: number, maxNodes = 100): Promise<Lineage> =>
      present(await open().walk(w, { root: table(name).id, direction, depth, maxNodes }));
    const nameOf = (id: string): string => [...tables].find(([, node]) => node.id === id)?.[0] ?? "?";
    const arrowsOf = (lineage: Lineage): string[] =>
      lineage.edges.map((edge) => `${nameOf(edge.from)}>${nameOf(edge.to)}`).toSorted();
    return { w, table, walk, arrowsOf };
  }

  async function neighboursOf(workspace: WorkspaceId, query: NeighbourQuery): Promise<Neighbours> {
    const [answer] = await open().loadNeighbours(workspace, [query]);
    return present(answer);
  }

  it("Neighbours of many nodes in both directions are returned at once, in the order of the queries", async () => {
    const { w, table } = await derive("a>b", "b>c", "x>b", "B2>c");
    const ask = (name: string, direction: Direction) => ({ id: table(name).id, direction, first: 10, after: null });
    const answers = await open().loadNeighbours(w, [
      ask("b", "upstream"),
      ask("b", "downstream"),
      ask("a", "upstream"),
      ask("c", "upstream"),
      ask("b", "upstream"),
      { ...ask("b", "upstream"), id: UNKNOWN },
    ]);
    expect(answers.map(namesOf)).toEqual([["a", "x"], ["c"], [], ["b", "B2"], ["a", "x"], []]);
    expect(answers.map(({ total, hasMore }) => [total, hasMore])).toEqual([
      [2, false],
      [1, false],
      [0, false],
      [2, false],
      [2, false],
      [0, false],
    ]);
    expect(await open().loadNeighbours(w, [])).toEqual([]);
  });

  it("Neighbours are returned as whole nodes", async () => {
    const { w, table } = await derive("a>b");
    const { items } = await neighboursOf(w, { id: table("a").id, direction: "downstream", first: 1, after: null });
    expect(items.map((item) => item.node)).toEqual(await open().loadNodes(w, [table("b").id]));
  });

  it("A neighbour is returned once, with all kinds of edges that lead to it, in a fixed order", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a");
    const b = nodeOf(w, "table", "b");
    await write(w, [a, b], [edgeOf(a, b, "reads"), edgeOf(a, b, "derives"), edgeOf(a, b, "materializes")]);
    await open().writeEdges(stampOf(w, "dbt", 1), "another scope", [edgeOf(a, b, "reads")]);
    const answer = await neighboursOf(w, { id: a.id, direction: "downstream", first: 10, after: null });
    expect(answer).toMatchObject({ items: [{ kinds: ["materializes", "derives", "reads"] }], total: 1 });
  });

  it("Neighbours come in pages by key, with the total on each page", async () => {
    const { w, table } = await derive("r>a", "r>B", "r>c", "r>d");
    const ask = (first: number, after: string | null) =>
      neighboursOf(w, { id: table("r").id, direction: "downstream", first, after });
    const one = await ask(3, null);
    expect([namesOf(one), one.total, one.hasMore]).toEqual([["a", "B", "c"], 4, true]);
    const two = await ask(3, one.items.at(-1)?.node.key ?? null);
    expect([namesOf(two), two.total, two.hasMore]).toEqual([["d"], 4, false]);
    const exact = await ask(4, null);
    expect([exact.items.length, exact.hasMore]).toEqual([4, false]);
  });

  it("Only the total is returned if no neighbours are requested", async () => {
    const { w, table } = await derive("r>a", "r>b");
    const query = { direction: "downstream", first: 0, after: null } as const;
    const answers = await open().loadNeighbours(w, [
      { ...query, id: table("r").id },
      { ...query, id: table("a").id },
    ]);
    expect(answers).toEqual([
      { items: [], total: 2, hasMore: true },
      { items: [], total: 0, hasMore: false },
    ]);
  });

  it("Only neighbours that pass a filter are shown and counted, with all kinds of edge that lead to each", async () => {
    const w = newWorkspace();
    const hub = nodeOf(w, "table", "shop.raw.orders");
    const mart = nodeOf(w, "model", "shop.marts.Fct_Orders", {
      tags: ["core", "pii"],
      owner: "Ada@Example.com",
      certification: "certified",
    });
    const daily = nodeOf(w, "model", "shop.marts.orders_daily", { tags: ["core"] });
    const other = nodeOf(w, "table", "crm.orders_copy", {}, "snowflake");
    const board = nodeOf(w, "dashboard", "bi.orders");
    const total = nodeOf(w, "metric", "shop.total");
    const named = nodeOf(w, "table", "lake.orders", { tags: ["core"] });
    const below = [mart, daily, other, board, total];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [hub, ...below, { ...named, existence: "referenced" }]);
    await open().writeEdges(stampOf(w, "dbt", 1), "all", [
      edgeOf(hub, mart, "derives"),
      edgeOf(hub, mart, "materializes"),
      edgeOf(hub, daily, "derives"),
      edgeOf(hub, other, "derives"),
      edgeOf(hub, board, "powers"),
      edgeOf(hub, total, "defines"),
      edgeOf(hub, named, "derives"),
    ]);
    await open().writeNodes(stampOf(w, "bi", 2), "all", [board]);
    const ask = async (only: NeighbourFilter) => {
      const found = await neighboursOf(w, { id: hub.id, direction: "downstream", only, first: 10, after: null });
      expect(found).toMatchObject({ total: found.items.length, hasMore: false });
      return found.items.map(({ node }) => node.fqn);
    };
    const marts = [mart.facts.fqn, daily.facts.fqn];
    expect(await ask({})).toHaveLength(6);
    expect(await ask({ types: ["model"] })).toEqual(marts);
    expect(await ask({ types: ["metric", "dashboard"] })).toEqual(["bi.orders", "shop.total"]);
    expect(await ask({ types: [] })).toEqual([]);
    expect(await ask({ schema: "SHOP" })).toEqual([...marts, "shop.total"]);
    expect(await ask({ schema: "shop.marts", tag: "pii" })).toEqual([mart.facts.fqn]);
    // A node that is only named has no tag. It passes a filter without tags.
    expect(await ask({ tag: "core" })).toEqual(marts);
    expect(await ask({ schema: "lake" })).toEqual(["lake.orders"]);
    expect(await ask({ certification: "certified" })).toEqual([mart.facts.fqn]);
    expect(await ask({ certification: "none" })).not.toContain("lake.orders");
    expect(await ask({ owner: "ada@example.com" })).toEqual([mart.facts.fqn]);
    expect(await ask({ connector: "bi" })).toEqual(["bi.orders"]);
    expect(await ask({ kinds: ["powers", "defines"] })).toEqual(["bi.orders", "shop.total"]);
    expect(await ask({ nameParts: namePartsOf("ORDERS fct") })).toEqual([mart.facts.fqn]);
    expect(await ask({ nameParts: namePartsOf(" rders_ ") })).toEqual(["crm.orders_copy", daily.facts.fqn]);
    expect(await ask({ nameParts: namePartsOf("%") })).toEqual([]);
    expect(await ask({ types: ["model"], kinds: ["powers"] })).toEqual([]);
    const only = { kinds: ["materializes"], types: ["model"] } as const;
    const answers = await open().loadNeighbours(w, [
      { id: hub.id, direction: "downstream", only, first: 10, after: null },
      { id: mart.id, direction: "upstream", first: 10, after: null },
      { id: hub.id, direction: "downstream", only: { types: ["model"] }, first: 0, after: null },
    ]);
    expect(answers).toMatchObject([
      { items: [{ kinds: ["materializes", "derives"] }], total: 1 },
      { items: [{ node: { id: hub.id } }], total: 1 },
      { items: [], total: 2, hasMore: true },
    ]);
  });

  it("Neighbours that pass a filter come in pages, with their total on each page", async () => {
    const w = newWorkspace();
    const hub = nodeOf(w, "table", "hub");
    const spokes = Array.from({ length: 30 }, (_, i) =>
      nodeOf(w, i % 3 === 0 ? "model" : "table", `s${String(i).padStart(2, "0")}`),
    );
    await write(
      w,
      [hub, ...spokes],
      spokes.map((spoke) => edgeOf(hub, spoke, "derives")),
    );
    const asked = { id: hub.id, direction: "downstream", only: { types: ["model"] }, first: 4 } as const;
    const found = await allPages(
      async (after: string | null) => {
        const page = await neighboursOf(w, { ...asked, after });
        expect(page.total).toBe(10);
        return page;
      },
      ({ node }) => node.key,
    );
    expect(found.map(({ node }) => node.name)).toEqual(
      spokes.filter(({ type }) => type === "model").map(({ facts }) => facts.name),
    );
  });

  it("A node with a self-loop is among its own neighbours", async () => {
    const { w, table } = await derive("a>a", "a>b");
    const ask = (direction: Direction) => neighboursOf(w, { id: table("a").id, direction, first: 10, after: null });
    expect(namesOf(await ask("downstream"))).toEqual(["a", "b"]);
    expect(namesOf(await ask("upstream"))).toEqual(["a"]);
  });

  it("A walk goes in both directions to the requested depth, nearest first, without the root", async () => {
    const { walk, arrowsOf, table } = await derive("a>b", "b>c", "c>d", "b>B2", "x>a");
    const down = await walk("a", "downstream", 2);
    expect(down).toMatchObject({
      root: table("a").id,
      direction: "downstream",
      depth: 2,
      truncated: false,
      totalNodes: 3,
    });
    expect(down.nodes[0]).toEqual({ id: table("b").id, name: "b", type: "table", depth: 1 });
    expect(reached(down)).toEqual(["b1", "B22", "c2"]);
    expect(arrowsOf(down)).toEqual(["a>b", "b>B2", "b>c"]);
    expect(reached(await walk("d", "upstream", 10))).toEqual(["c1", "b2", "a3", "x4"]);
    expect(reached(await walk("d", "upstream", 1))).toEqual(["c1"]);
  });

  it("A walk returns a root without lineage alone, and null for a root that does not exist or was removed", async () => {
    const { w, walk, table } = await derive("a>b");
    expect(await walk("b", "downstream", 3)).toEqual({
      root: table("b").id,
      direction: "downstream",
      depth: 3,
      nodes: [],
      edges: [],
      truncated: false,
      totalNodes: 0,
      coverage: { connectors: [stampOf(w, "dbt", 1).connectorId], gaps: [], gapsTotal: 0 },
    });
    const ask = { direction: "downstream", depth: 3, maxNodes: 10 } as const;
    expect(await open().walk(w, { ...ask, root: UNKNOWN })).toBeNull();
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await open().walk(w, { ...ask, root: table("a").id })).toBeNull();
  });

  it("A walk gives a node on several paths its fewest hops, and shows the edges of all paths", async () => {
    const { walk, arrowsOf } = await derive("a>b", "b>d", "a>c", "c>e", "e>d", "d>f");
    const down = await walk("a", "downstream", 3);
    expect(reached(down)).toEqual(["b1", "c1", "d2", "e2", "f3"]);
    expect(arrowsOf(down)).toEqual(["a>b", "a>c", "b>d", "c>e", "d>f", "e>d"]);
  });

  it("A walk counts without keeping a node, up to one hop more than a walk may be asked for", async () => {
    const { walk } = await derive(..."bcdefghijkl".split("").map((to, i) => `${"abcdefghijk"[i]}>${to}`));
    expect(await walk("a", "downstream", 10, 0)).toMatchObject({ nodes: [], totalNodes: 10, truncated: true });
    expect(await walk("a", "downstream", 11, 0)).toMatchObject({ nodes: [], totalNodes: 11, truncated: true });
    expect(await walk("l", "downstream", 11, 0)).toMatchObject({ nodes: [], totalNodes: 0, truncated: false });
  });

  it("A walk leaves out edges that start at nodes at the full depth, even between nodes that are shown", async () => {
    const { walk, arrowsOf } = await derive("a>b", "a>c", "b>c", "c>b", "b>a");
    const down = await walk("a", "downstream", 1);
    expect(reached(down)).toEqual(["b1", "c1"]);
    expect(arrowsOf(down)).toEqual(["a>b", "a>c"]);
  });

  it("A walk ends at cycles and self-loops, and shows their edges", async () => {
    const { walk, arrowsOf } = await derive("a>b", "b>c", "c>a", "b>b", "a>a");
    for (const direction of ["downstream", "upstream"] as const) {
      const walked = await walk("a", direction, 10);
      expect(reached(walked)).toEqual(direction === "downstream" ? ["b1", "c2"] : ["c1", "b2"]);
      expect(arrowsOf(walked)).toEqual(["a>a", "a>b", "b>b", "b>c", "c>a"]);
    }
    expect(arrowsOf(await walk("a", "downstream", 1))).toEqual(["a>a", "a>b"]);
  });

  it("A walk orders edges by their ends, then by the name of their kind", async () => {
    const w = newWorkspace();
    const nodes = ["a", "b", "c"].map((name) => nodeOf(w, "table", name));
    const edges = nodes.flatMap((from) =>
      nodes.flatMap((to) => (["reads", "materializes", "derives"] as const).map((kind) => edgeOf(from, to, kind))),
    );
    await write(w, nodes, edges);
    const walked = await open().walk(w, { root: present(nodes[0]).id, direction: "upstream", depth: 2, maxNodes: 9 });
    // Ids are hexadecimal and kinds are plain words, so the default order of strings is that of code points.
    const inOrder = edges.map((edge) => `${edge.from} ${edge.to} ${edge.kind}`).toSorted();
    expect(walked?.edges.map((edge) => `${edge.from} ${edge.to} ${edge.kind}`)).toEqual(inOrder);
  });

  it("A walk with too many nodes keeps the nearest and their edges, and gives the exact total", async () => {
    const { walk, arrowsOf } = await derive("r>c", "r>a", "r>b", "a>d", "b>e", "c>b", "e>r");
    const two = await walk("r", "downstream", 3, 2);
    expect([reached(two), two.truncated, two.totalNodes]).toEqual([["a1", "b1"], true, 5]);
    expect(arrowsOf(two)).toEqual(["r>a", "r>b"]);
    const four = await walk("r", "downstream", 3, 4);
    expect([reached(four), four.truncated, four.totalNodes]).toEqual([["a1", "b1", "c1", "d2"], true, 5]);
    expect(arrowsOf(four)).toEqual(["a>d", "c>b", "r>a", "r>b", "r>c"]);
    const five = await walk("r", "downstream", 3, 5);
    expect([five.nodes.length, five.truncated]).toEqual([5, false]);
  });

  it("A walk follows only edges that carry values from a column, if that is requested", async () => {
    const w = newWorkspace();
    const table = nodeOf(w, "table", "orders");
    const [amount, status, total, share] = ["amount", "status", "total", "share"].map((name, i) =>
      columnOf(w, table, name, i),
    );
    const chart = nodeOf(w, "dashboard", "chart");
    const [a, s, t, h] = [amount, status, total, share].map(present);
    const edges = [
      edgeOf(present(a), present(t), "derives", [use("DIRECT", "sum(amount)"), use("INDIRECT", "amount > 0")]),
      edgeOf(present(s), present(t), "derives", [use("INDIRECT", "status = 'paid'")]),
      edgeOf(present(t), present(h), "derives", [use("DIRECT", "total / 2")]),
      edgeOf(present(s), chart, "powers"),
    ];
    await write(w, [table, ...[a, s, t, h].map(present), chart], edges);
    const walked = async (from: NodeWrite | undefined, direction: Direction, directOnly?: boolean) => {
      const query = { root: present(from).id, direction, depth: 5, maxNodes: 10, directOnly };
      const lineage = present(await open().walk(w, query));
      return [lineage.nodes.map(({ name }) => name), lineage.edges.length];
    };
    expect(await walked(h, "upstream")).toEqual([["total", "amount", "status"], 3]);
    expect(await walked(h, "upstream", true)).toEqual([["total", "amount"], 2]);
    expect(await walked(s, "downstream", true)).toEqual([["chart"], 1]);
    expect(await walked(s, "downstream", false)).toEqual([["chart", "total", "share"], 3]);
    const ask = { id: present(t).id, direction: "upstream", first: 5, after: null } as const;
    expect((await neighboursOf(w, ask)).total).toBe(2);
    const direct = await neighboursOf(w, { ...ask, directOnly: true });
    expect([namesOf(direct), direct.total]).toEqual([["amount"], 1]);

    // The connector states other uses later, and the edge no longer carries values.
    await write(
      w,
      [table, ...[a, s, t, h].map(present), chart],
      [edgeOf(present(a), present(t), "derives", [use("INDIRECT", "amount > 0")])],
    );
    expect(await walked(h, "upstream", true)).toEqual([["total"], 1]);
  });

  it("A walk is refused only if it has more edges than allowed", async () => {
    const { w, table } = await derive("a>b", "a>c", "b>d", "c>d");
    const query = { root: table("a").id, direction: "downstream", depth: 3, maxNodes: 100 } as const;
    expect((await open().walk(w, { ...query, maxEdges: 4 }))?.edges).toHaveLength(4);
    await expect(open().walk(w, { ...query, maxEdges: 3 })).rejects.toMatchObject({
      code: "bad_request",
      details: { reason: "budget" },
    });
  });

  it("A walk from a column follows columns, and a walk from anything else follows assets", async () => {
    const w = newWorkspace();
    const raw = nodeOf(w, "table", "raw");
    const mart = nodeOf(w, "model", "mart");
    const rawId = columnOf(w, raw, "raw_id", 0);
    const martId = columnOf(w, mart, "mart_id", 0);
    const board = nodeOf(w, "dashboard", "board");
    const metric = nodeOf(w, "metric", "metric");
    const pipeline = nodeOf(w, "pipeline", "pipeline");
    await write(
      w,
      [raw, mart, rawId, martId, board, metric, pipeline],
      [
        edgeOf(raw, mart, "derives"),
        edgeOf(rawId, martId, "derives"),
        edgeOf(mart, pipeline, "exports"),
        edgeOf(martId, metric, "defines"),
        edgeOf(metric, board, "powers"),
        edgeOf(pipeline, board, "powers"),
      ],
    );
    const walk = async (root: NodeWrite, direction: Direction) => {
      const lineage = await open().walk(w, { root: root.id, direction, depth: 5, maxNodes: 100 });
      return reached(present(lineage));
    };
    expect(await walk(raw, "downstream")).toEqual(["mart1", "pipeline2", "board3"]);
    expect(await walk(rawId, "downstream")).toEqual(["mart_id1", "metric2", "board3"]);
    // Dashboards, pipelines and metrics belong to both levels, but a walk from them follows assets.
    expect(await walk(board, "upstream")).toEqual(["metric1", "pipeline1", "mart2", "raw3"]);
    expect(await walk(metric, "upstream")).toEqual([]);
    const [fromMetric, fromColumn] = await open().loadNeighbours(w, [
      { id: metric.id, direction: "upstream", first: 5, after: null },
      { id: martId.id, direction: "downstream", first: 5, after: null },
    ]);
    expect([fromMetric?.total, fromColumn?.total]).toEqual([0, 1]);
  });

  it("A hub of three thousand nodes can be walked from, and its neighbours come in pages", async () => {
    const w = newWorkspace();
    const hub = nodeOf(w, "table", "hub");
    const spokes = Array.from({ length: 3_000 }, (_, i) => nodeOf(w, "table", `spoke_${String(i).padStart(4, "0")}`));
    const far = nodeOf(w, "table", "far");
    const edges = spokes.flatMap((spoke) => [edgeOf(hub, spoke, "derives"), edgeOf(spoke, far, "derives")]);
    await write(w, [hub, far, ...spokes], edges);

    const walked = await open().walk(w, { root: hub.id, direction: "downstream", depth: 2, maxNodes: 100 });
    expect(walked).toMatchObject({ totalNodes: 3_001, truncated: true });
    expect([walked?.nodes.length, walked?.nodes.at(-1)?.name, walked?.edges.length]).toEqual([100, "spoke_0099", 100]);
    const whole = await open().walk(w, { root: hub.id, direction: "downstream", depth: 2, maxNodes: 5_000 });
    expect([whole?.nodes.length, whole?.nodes.at(-1)?.name, whole?.edges.length]).toEqual([3_001, "far", 6_000]);

    const ask = { id: hub.id, direction: "downstream", first: 2 } as const;
    const one = await neighboursOf(w, { ...ask, after: null });
    expect([namesOf(one), one.total]).toEqual([["spoke_0000", "spoke_0001"], 3_000]);
    const two = await neighboursOf(w, { ...ask, after: one.items.at(-1)?.node.key ?? null });
    expect([namesOf(two), two.total, two.hasMore]).toEqual([["spoke_0002", "spoke_0003"], 3_000, true]);
  });
}

/** Each node's name and depth. */
function reached(lineage: Lineage): string[] {
  return lineage.nodes.map((node) => `${node.name}${node.depth}`);
}

function namesOf(neighbours: Neighbours): string[] {
  return neighbours.items.map(({ node }) => node.name);
}

function use(kind: ColumnUse["kind"], expression: string): ColumnUse {
  return { kind, transformation: kind === "DIRECT" ? "AGGREGATION" : "FILTER", expression };
}
