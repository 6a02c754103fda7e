/** Reading by id, by name and by page. */
import { expect, it } from "vitest";

import type { CatalogNode } from "../../../src/catalog/asset.ts";
import { NODE_ORDERS, type NodeOrder, type NodePlace } from "../../../src/catalog/node-order.ts";
import { NODE_TYPES, type NodeType } from "../../../src/catalog/node-types.ts";
import { parseSearch } from "../../../src/catalog/search.ts";
import type { FolderPath } from "../../../src/catalog/identity.ts";
import type { CountedBy, NodeFilter } from "../../../src/graph/catalog-graph.ts";
import { type NodeId, toConnectorId, toNodeId, type WorkspaceId } from "../../../src/ids.ts";
import {
  allPages,
  checkOf,
  columnOf,
  edgeOf,
  newWorkspace,
  nodeOf,
  stampOf,
  timeOf,
  UNKNOWN,
} from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describeReads(open: OpenGraph): void {
  /** All names that pass a filter, read page by page. */
  async function namesOf(workspace: WorkspaceId, filter: NodeFilter, limit = 2): Promise<string[]> {
    const nodes = await allPages(
      (after: string | null) => open().listNodes(workspace, filter, { after, limit }),
      (node) => node.key,
    );
    return nodes.map((node) => node.name);
  }

  it("The graph answers a check of reads and of writes", async () => {
    await expect(open().check()).resolves.toBeUndefined();
    await expect(open().checkWrites()).resolves.toBeUndefined();
  });

  it("Nodes are loaded in the order of their ids, repeats included, and unknown ones as null", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a");
    const b = nodeOf(w, "table", "b");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [a, b]);
    const loaded = await open().loadNodes(w, [b.id, UNKNOWN, a.id, b.id, toNodeId(""), toNodeId("'; --")]);
    expect(loaded.map((node) => node?.name ?? null)).toEqual(["b", null, "a", "b", null, null]);
    expect(await open().loadNodes(w, [])).toEqual([]);
  });

  it("Thousands of nodes can be loaded at once", async () => {
    const w = newWorkspace();
    const nodes = Array.from({ length: 2_500 }, (_, i) => nodeOf(w, "table", `t${i}`));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    const ids = nodes.map((node) => node.id).toReversed();
    const loaded = await open().loadNodes(w, [...ids, ...ids]);
    expect(loaded.map((node) => node?.id)).toEqual([...ids, ...ids]);
  });

  it("A node is found by its fqn in any case and Unicode composition", async () => {
    const w = newWorkspace();
    const cafe = nodeOf(w, "table", "Shop.Caf\u00e9.ÄRGER");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [cafe]);
    const [found] = await open().loadByFqn(w, "SHOP.cafe\u0301.ärger", {});
    expect(found?.id).toBe(cafe.id);
    expect(await open().loadByFqn(w, "shop.cafe.ärger", {})).toEqual([]);
    expect(await open().loadByFqn(w, "shop.caf\u00e9", {})).toEqual([]);
    expect(await open().loadByFqn(w, "%", {})).toEqual([]);
    expect(await open().loadByFqn(w, "", {})).toEqual([]);
  });

  it("All nodes with one fqn are found in the order of keys, or those of a given type or platform", async () => {
    const w = newWorkspace();
    const board = nodeOf(w, "dashboard", "shop.orders");
    const table = nodeOf(w, "table", "shop.orders");
    const snow = nodeOf(w, "table", "shop.orders", {}, "snowflake");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [snow, table, board]);
    const find = async (only: Parameters<ReturnType<OpenGraph>["loadByFqn"]>[2]) => {
      const found = await open().loadByFqn(w, "shop.orders", only);
      return found.map(({ id }) => id);
    };
    expect(await find({})).toEqual([board.id, snow.id, table.id].toSorted());
    expect(await find({ type: "dashboard" })).toEqual([board.id]);
    expect(await find({ type: "table" })).toEqual([snow.id, table.id].toSorted());
    expect(await find({ platform: "snowflake" })).toEqual([snow.id]);
    expect(await find({ type: "table", platform: "postgres" })).toEqual([table.id]);
    expect(await find({ type: "dashboard", platform: "snowflake" })).toEqual([]);
    expect(await find({ type: "metric" })).toEqual([]);
  });

  it("A removed node is not found by its fqn", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [nodeOf(w, "table", "shop.orders")]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await open().loadByFqn(w, "shop.orders", {})).toEqual([]);
    expect(await namesOf(w, { types: "asset" })).toEqual([]);
    expect(await open().countNodes(w)).toMatchObject({ table: 0 });
  });

  it("Columns are loaded by position, those of unknown position last by key, one list for each id", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    const empty = nodeOf(w, "table", "empty");
    const columns = [
      columnOf(w, orders, "tail_b", null),
      columnOf(w, orders, "zero", 0),
      columnOf(w, orders, "ten", 10),
      columnOf(w, orders, "two_b", 2),
      columnOf(w, orders, "Two_A", 2),
      columnOf(w, orders, "tail_a", null),
    ];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, empty, ...columns]);
    const lists = await open().loadColumns(w, [empty.id, orders.id, UNKNOWN, orders.id]);
    const inOrder = ["zero", "Two_A", "two_b", "ten", "tail_a", "tail_b"];
    expect(lists.map((list) => list.map((column) => column.name))).toEqual([[], inOrder, [], inOrder]);
    expect(await open().loadColumns(w, [])).toEqual([]);
  });

  it("Nodes are counted by type", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    const nodes = [
      orders,
      columnOf(w, orders, "id", 0),
      columnOf(w, orders, "at", 1),
      nodeOf(w, "model", "fct_orders"),
      nodeOf(w, "dashboard", "sales"),
      nodeOf(w, "pipeline", "load"),
      nodeOf(w, "metric", "revenue"),
    ];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    expect(await open().countNodes(w)).toEqual({
      table: 1,
      model: 1,
      dashboard: 1,
      pipeline: 1,
      column: 2,
      metric: 1,
    });
  });

  it("The nodes that pass a filter are counted, and the count is zero if none passes", async () => {
    const w = newWorkspace();
    const nodes = [
      nodeOf(w, "table", "a", { tags: ["pii", "core"], owner: "A@example.com", certification: "certified" }),
      nodeOf(w, "table", "b", { tags: ["pii"] }),
      nodeOf(w, "model", "c", { tags: ["pii"], owner: "a@example.com" }),
      nodeOf(w, "metric", "d", { owner: "a@example.com" }),
      // An owner without an address is an owner.
      nodeOf(w, "pipeline", "e", { ownerName: "Warehouse crew" }),
    ];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    const none = { table: 0, model: 0, dashboard: 0, pipeline: 0, column: 0, metric: 0 };
    const count = (filter: Partial<NodeFilter>) => open().countNodes(w, { types: NODE_TYPES, ...filter });
    expect(await count({})).toEqual({ ...none, table: 2, model: 1, pipeline: 1, metric: 1 });
    expect(await count({ tag: "pii" })).toEqual({ ...none, table: 2, model: 1 });
    expect(await count({ tag: "pii", owner: "a@example.com" })).toEqual({ ...none, table: 1, model: 1 });
    expect(await count({ types: "asset", owner: "a@example.com" })).toEqual({ ...none, table: 1, model: 1 });
    expect(await count({ types: ["table"], tag: "pii", certification: "certified" })).toEqual({ ...none, table: 1 });
    expect(await count({ owner: "" })).toEqual({ ...none, table: 1 });
    expect(await count({ connector: "dbt" })).toEqual({ ...none, table: 2, model: 1, pipeline: 1, metric: 1 });
    expect(await count({ tag: "p" })).toEqual(none);
    expect(await count({ types: [] })).toEqual(none);
  });

  it("A filter takes the first parts of fully qualified names in any case, with pages and other filters", async () => {
    const w = newWorkspace();
    const names = [
      "Shop.marts.orders",
      "shop.marts.b",
      "shop.marts",
      "shop.marts_old.c",
      "shop.raw.d",
      "shop",
      "zoo.e",
    ];
    const orders = nodeOf(w, "table", "Shop.marts.orders");
    const nodes = [
      ...names.slice(1).map((fqn) => nodeOf(w, "table", fqn, { tags: ["pii"] })),
      orders,
      columnOf(w, orders, "id", 0),
      nodeOf(w, "metric", "shop.marts.revenue"),
    ];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    const list = async (filter: Partial<NodeFilter>, after: string | null = null, limit = 50) => {
      const page = await open().listNodes(w, { types: "asset", ...filter }, { after, limit });
      return page.items.map(({ fqn }) => fqn);
    };
    expect(await list({ schema: "SHOP.marts" })).toEqual(["shop.marts.b", "Shop.marts.orders", "Shop.marts.orders.id"]);
    expect(await list({ schema: "shop.marts", types: NODE_TYPES })).toContain("shop.marts.revenue");
    expect(await list({ schema: "shop.marts", types: ["table"] }, null, 1)).toEqual(["shop.marts.b"]);
    const [first] = (await open().listNodes(w, { types: "asset", schema: "shop.marts" }, { after: null, limit: 1 }))
      .items;
    expect(await list({ schema: "shop.marts" }, first?.key ?? "")).toEqual([
      "Shop.marts.orders",
      "Shop.marts.orders.id",
    ]);
    expect(await list({ schema: "shop.marts", tag: "pii" })).toEqual(["shop.marts.b"]);
    expect(await list({ schema: "shop.mart" })).toEqual([]);
    expect(await open().countNodes(w, { types: NODE_TYPES, schema: "shop.marts" })).toMatchObject({
      table: 2,
      column: 1,
      metric: 1,
    });
    const query = present(parseSearch("orders"));
    const within = { types: "asset", schema: "shop.raw" } as const;
    expect((await open().searchNodes(w, within, query, { after: null, limit: 5 })).items).toEqual([]);
  });

  it("The values of the nodes that pass a filter are counted, the most frequent first", async () => {
    const w = newWorkspace();
    const nodes = [
      nodeOf(w, "table", "x.a", { tags: ["pii", "core"], owner: "A@example.com", certification: "certified" }),
      nodeOf(w, "table", "x.b", { tags: ["pii"] }),
      nodeOf(w, "model", "y.c", { tags: ["pii", "Core"], owner: "a@example.com" }),
      nodeOf(w, "metric", "d", { tags: ["pii"], owner: "b@example.com" }),
    ];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    const count = async (facet: CountedBy, filter: Partial<NodeFilter> = {}, limit = 10) =>
      (await open().countValues(w, { types: "asset", ...filter }, facet, limit)).map(
        ({ value, amount }) => `${value} ${amount}`,
      );
    expect(await count("tag")).toEqual(["pii 3", "Core 1", "core 1"]);
    expect(await count("tag", {}, 2)).toEqual(["pii 3", "Core 1"]);
    expect(await count("tag", { types: NODE_TYPES })).toEqual(["pii 4", "Core 1", "core 1"]);
    expect(await count("owner")).toEqual(["a@example.com 2", " 1"]);
    expect(await count("certification")).toEqual(["none 2", "certified 1"]);
    expect(await count("connector", { schema: "x" })).toEqual(["dbt 2"]);
    expect(await count("tag", { owner: "a@example.com", types: ["model"] })).toEqual(["Core 1", "pii 1"]);
    expect(await count("schema")).toEqual(["x 2", "y 1"]);
    expect(await count("schema", { types: NODE_TYPES, tag: "pii" })).toEqual(["x 2", " 1", "y 1"]);
    expect(await count("schema", { schema: "X" }, 1)).toEqual(["x 2"]);
    expect(await count("tag", { tag: "gone" })).toEqual([]);
    expect(await open().countValues(newWorkspace(), { types: "asset" }, "tag", 10)).toEqual([]);
  });

  it("Counts of values follow filters that are no values themselves", async () => {
    const w = newWorkspace();
    const described = nodeOf(w, "table", "x.a", { tags: ["pii"], description: "What was ordered." });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [described, nodeOf(w, "table", "x.b", { tags: ["pii"] })]);
    const filter = { types: "asset", described: true } as const;
    expect(await open().countValues(w, filter, "tag", 10)).toEqual([{ value: "pii", amount: 1 }]);
    expect(await open().countValues(w, filter, "schema", 10)).toEqual([{ value: "x", amount: 1 }]);
  });

  it("Folders are platforms, their databases and the schemas in these, and the list of each has as many assets", async () => {
    const w = newWorkspace();
    const on = (platform: string, type: Exclude<NodeType, "column">, fqns: readonly string[]) =>
      fqns.map((fqn) => nodeOf(w, type, fqn, {}, platform));
    const orders = nodeOf(w, "table", "Shop.marts.orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [
      orders,
      columnOf(w, orders, "id", 0),
      ...on("postgres", "model", ["shop.marts.b", "shop.raw.eu.c", "shop.loose", "shop-2.x.d", "alone", "zoo.x.e"]),
      ...on("metabase", "dashboard", ["dashboard.7"]),
      nodeOf(w, "metric", "shop.marts.revenue"),
    ]);
    const folders = async (path: FolderPath, after: string | null = null, limit = 50) => {
      const { items, hasMore } = await open().listFolders(w, path, { after, limit });
      return items.map(({ value, amount }) => `${value} ${amount}`).concat(hasMore ? ["more"] : []);
    };
    const inShop = { platform: "postgres", database: "shop" };
    expect(await folders({})).toEqual(["metabase 1", "postgres 7"]);
    expect(await folders({ platform: "postgres" })).toEqual([" 1", "shop 4", "shop-2 1", "zoo 1"]);
    expect(await folders({ platform: "postgres" }, "", 2)).toEqual(["shop 4", "shop-2 1", "more"]);
    expect(await folders({ platform: "postgres" }, "shop-2")).toEqual(["zoo 1"]);
    expect(await folders(inShop)).toEqual(["shop 1", "shop.marts 2", "shop.raw.eu 1"]);
    expect(await folders(inShop, "shop", 1)).toEqual(["shop.marts 2", "more"]);
    expect(await folders({ platform: "postgres", database: "" })).toEqual([" 1"]);
    expect(await folders({ platform: "metabase", database: "shop" })).toEqual([]);
    const list = async (filter: Partial<NodeFilter>) => {
      const types = ["table", "model", "dashboard", "pipeline"] as const;
      const page = await open().listNodes(w, { types, ...filter }, { after: null, limit: 50 });
      const counted = await open().countNodes(w, { types, ...filter });
      const sorted = await open().sortNodes(w, { types, ...filter }, "name", { after: null, limit: 50 });
      expect(Object.values(counted).reduce((total, amount) => total + amount)).toBe(page.items.length);
      expect(sorted.items.map(({ node }) => node.id).toSorted()).toEqual(page.items.map(({ id }) => id).toSorted());
      return page.items.map(({ fqn }) => fqn);
    };
    expect(await list({ platform: "metabase" })).toEqual(["dashboard.7"]);
    expect(await list({ platform: "postgres", schema: "shop" })).toHaveLength(4);
    expect(await list({ platform: "postgres", schema: "Shop", directly: true })).toEqual(["shop.loose"]);
    expect(await list({ platform: "postgres", schema: "shop.raw", directly: true })).toEqual([]);
    expect(await list({ platform: "postgres", schema: "", directly: true })).toEqual(["alone"]);
    expect(await list({ schema: "shop.marts", directly: true })).toEqual(["shop.marts.b", "Shop.marts.orders"]);
    const columns = { types: ["column"], schema: "shop.marts", directly: true } as const;
    expect(await open().countNodes(w, columns)).toMatchObject({ column: 1 });
    const found = await open().searchNodes(w, { types: "asset", platform: "metabase" }, present(parseSearch("loose")), {
      after: null,
      limit: 5,
    });
    expect(found.items).toEqual([]);
    expect((await open().listFolders(newWorkspace(), {}, { after: null, limit: 5 })).items).toEqual([]);
  });

  it("The tags and folded owners of present nodes are listed, and none of removed nodes", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a", { tags: ["pii", "Core"], owner: "Z@example.com" });
    const b = nodeOf(w, "metric", "b", { tags: ["pii"], owner: "a@example.com" });
    const gone = nodeOf(w, "table", "gone", { tags: ["old"], owner: "old@example.com" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [a, b, gone]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [a, b]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await open().listValues(w, "tag", 10)).toEqual(["Core", "pii"]);
    expect(await open().listValues(w, "owner", 10)).toEqual(["a@example.com", "z@example.com"]);
    expect(await open().listValues(w, "tag", 1)).toEqual(["Core"]);
    expect(await open().listValues(newWorkspace(), "tag", 10)).toEqual([]);
  });

  it("An owner is called by the first name that sources state with the address, in any case", async () => {
    const w = newWorkspace();
    const named = nodeOf(w, "table", "a", { owner: "Ada@example.com", ownerName: "Ada B." });
    const other = nodeOf(w, "metric", "b", { owner: "ada@example.com", ownerName: "Ada" });
    const silent = nodeOf(w, "table", "c", { owner: "grace@example.com" });
    const team = nodeOf(w, "table", "d", { ownerName: "finance" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [named, other, silent, team]);
    const addresses = ["ADA@example.com", "grace@example.com", "ada@example.co", ""];
    expect(await open().loadOwnerNames(w, addresses)).toEqual(["Ada", "", "", ""]);
    const known = nodeOf(w, "table", "c", { owner: "grace@example.com", ownerName: "Grace" });
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [named, known]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await open().loadOwnerNames(w, addresses)).toEqual(["Ada B.", "Grace", "", ""]);
    expect(await open().loadOwnerNames(newWorkspace(), addresses)).toEqual(["", "", "", ""]);
    expect(await open().loadOwnerNames(w, [])).toEqual([]);
  });

  it("A list is ordered by folded fqn, then by id, in the order of code points", async () => {
    const w = newWorkspace();
    // U+FF5E comes before U+1F600, though its UTF-16 unit is the greater.
    const nodes = ["b", "B_2", "a.z", "A", "😀", "～", "é", "e\u0301x", "Z"].map((fqn) =>
      nodeOf(w, "table", fqn, { name: fqn }),
    );
    const twin = nodeOf(w, "dashboard", "b", { name: "b as dashboard" });
    const b = nodes.find(({ facts }) => facts.fqn === "b");
    const twins = present(b).id < twin.id ? ["b", "b as dashboard"] : ["b as dashboard", "b"];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [...nodes, twin]);
    for (const limit of [1, 3, 100]) {
      expect(await namesOf(w, { types: "asset" }, limit)).toEqual([
        "A",
        "a.z",
        ...twins,
        "B_2",
        "Z",
        "é",
        "e\u0301x",
        "～",
        "😀",
      ]);
    }
  });

  it("Nodes are listed in the order of names, of last changes, of direct consumers and of use, page by page", async () => {
    const w = newWorkspace();
    const usage = { users: 2, queries: 9, views: null, until: timeOf(1) };
    const uses = {
      "y.B": { ...usage, queries: 10 },
      "z.a": usage,
      "x.c": { ...usage, users: null, queries: 5_000_000_000 },
    };
    const usedBy = new Map(Object.entries(uses));
    const [a, b, c, d] = ["z.a", "y.B", "x.c", "w.b"].map((fqn) => {
      const used = usedBy.get(fqn);
      return nodeOf(w, "table", fqn, { tags: ["t"], ...(used !== undefined && { usage: used }) });
    });
    const [first, second, third, fourth] = [present(a), present(b), present(c), present(d)];
    const model = nodeOf(w, "model", "v.b");
    const amount = columnOf(w, third, "amount", 0);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [first, second, third, amount]);
    await open().writeNodes(stampOf(w, "dbt", 2), "more", [fourth, model]);
    await open().writeEdges(stampOf(w, "dbt", 2), "more", [
      edgeOf(third, fourth, "derives"),
      edgeOf(third, model, "derives"),
      edgeOf(third, model, "reads"),
      edgeOf(fourth, model, "derives"),
    ]);
    const sorted = async (
      order: NodeOrder,
      filter: NodeFilter,
      limit = 1,
      among?: readonly NodeId[],
    ): Promise<string[]> => {
      const items = await allPages(
        (after: NodePlace | null) => open().sortNodes(w, filter, order, { after, limit, among }),
        (item) => item.place,
      );
      return items.map(({ node }) => node.fqn);
    };
    const inOrder = {
      name: ["z.a", "v.b", "w.b", "y.B", "x.c"],
      updated: ["v.b", "w.b", "x.c", "y.B", "z.a"],
      downstream: ["x.c", "w.b", "v.b", "y.B", "z.a"],
      usage: ["y.B", "z.a", "x.c", "v.b", "w.b"],
    };
    const among = [model, third, amount, first].map(({ id }) => id);
    for (const order of NODE_ORDERS) {
      const expected = inOrder[order];
      const some = expected.filter((fqn) => ["v.b", "x.c", "z.a"].includes(fqn));
      expect(await sorted(order, { types: "asset" }, 2, among)).toEqual(some);
      expect(await sorted(order, { types: ["table"], tag: "t" }, 1, among)).toEqual(
        some.filter((fqn) => fqn !== "v.b"),
      );
      expect(await sorted(order, { types: "asset" }, 2, [])).toEqual([]);
      for (const limit of [1, 2, 10]) expect(await sorted(order, { types: "asset" }, limit)).toEqual(expected);
      const tables = expected.filter((fqn) => fqn !== "v.b");
      expect(await sorted(order, { types: ["table"], tag: "t" })).toEqual(tables);
      expect(await sorted(order, { types: ["table", "column"], schema: "X" })).toEqual(
        expected.filter((fqn) => fqn.startsWith("x.c")),
      );
      expect(await sorted(order, { types: ["column"] })).toEqual([]);
      expect(await sorted(order, { types: [] })).toEqual([]);
      expect(await sorted(order, { types: ["dashboard"] })).toEqual([]);
    }
    await open().sweep(stampOf(w, "dbt", 3), "more");
    expect(await sorted("downstream", { types: "asset" })).toEqual(["x.c", "y.B", "z.a"]);
    const [top] = (await open().sortNodes(w, { types: "asset" }, "downstream", { after: null, limit: 1 })).items;
    expect(top?.place).toMatchObject({ value: 0 });
  });

  it("A page says whether more rows follow", async () => {
    const w = newWorkspace();
    await open().writeNodes(
      stampOf(w, "dbt", 1),
      "all",
      ["a", "b", "c"].map((name) => nodeOf(w, "table", name)),
    );
    const list = (after: string | null, limit: number) => open().listNodes(w, { types: "asset" }, { after, limit });
    expect(await list(null, 2)).toMatchObject({ items: [{ name: "a" }, { name: "b" }], hasMore: true });
    expect(await list(null, 3)).toMatchObject({ hasMore: false });
    expect(await list("b", 2)).toMatchObject({ items: [{ name: "b" }, { name: "c" }], hasMore: false });
    expect(await list("zzz", 2)).toEqual({ items: [], hasMore: false });
  });

  it("A list can have assets without metrics, one type, several types, or nothing", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "a_table");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [
      orders,
      columnOf(w, orders, "column", 0),
      nodeOf(w, "model", "b_model"),
      nodeOf(w, "dashboard", "c_dashboard"),
      nodeOf(w, "pipeline", "d_pipeline"),
      nodeOf(w, "metric", "e_metric"),
    ]);
    const all = ["a_table", "column", "b_model", "c_dashboard", "d_pipeline"];
    expect(await namesOf(w, { types: "asset" })).toEqual(all);
    expect(await namesOf(w, { types: ["metric"] })).toEqual(["e_metric"]);
    expect(await namesOf(w, { types: ["metric", "table", "model"] })).toEqual(["a_table", "b_model", "e_metric"]);
    expect(await namesOf(w, { types: [] })).toEqual([]);
  });

  it("A list is filtered by tag, certification, owner and connector, and by all of them together", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a", { tags: ["pii", "core"], certification: "certified", owner: "Ada@Example.com" });
    const b = nodeOf(w, "table", "b", { tags: ["pii"], certification: "deprecated", owner: "bob@example.com" });
    const c = nodeOf(w, "table", "c", { tags: ["pii_2", "Core"], certification: "pending" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [a, b, c]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [b]);
    const only = (filter: Omit<NodeFilter, "types">) => namesOf(w, { types: "asset", ...filter }, 1);
    expect(await only({ tag: "pii" })).toEqual(["a", "b"]);
    expect(await only({ tag: "core" })).toEqual(["a"]);
    expect(await only({ tag: "pi" })).toEqual([]);
    expect(await only({ tag: "%" })).toEqual([]);
    expect(await only({ certification: "certified" })).toEqual(["a"]);
    expect(await only({ certification: "none" })).toEqual([]);
    expect(await only({ owner: "ada@example.com" })).toEqual(["a"]);
    expect(await only({ connector: "dbt" })).toEqual(["a", "b", "c"]);
    expect(await only({ connector: "warehouse" })).toEqual(["b"]);
    expect(await only({ connector: "nobody" })).toEqual([]);
    expect(
      await only({ tag: "pii", certification: "deprecated", owner: "bob@example.com", connector: "warehouse" }),
    ).toEqual(["b"]);
    expect(await only({ tag: "pii", certification: "certified", connector: "warehouse" })).toEqual([]);
  });

  it("filters by the person or team that is responsible, as the owner, by the owner's name, or as the certifier", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a", { owner: "Ada@Example.com" });
    const b = nodeOf(w, "model", "b", { owner: "bob@example.com", ownerName: "Core Team" });
    const c = nodeOf(w, "metric", "c", { certification: "certified", certifiedBy: "ada@example.com" });
    const d = nodeOf(w, "table", "d", { ownerName: "core team" });
    const everything = ["table", "model", "metric"] as const;
    const of = (responsible: string) => namesOf(w, { types: everything, responsible }, 1);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [a, b, c, d]);
    expect(await of("ada@example.com")).toEqual(["a", "c"]);
    expect(await of("CORE TEAM")).toEqual(["b", "d"]);
    expect(await of("nobody")).toEqual([]);
    expect(await open().countNodes(w, { types: everything, responsible: "core team" })).toMatchObject({ table: 1 });
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [nodeOf(w, "table", "a", { owner: "eve@example.com" })]);
    expect(await of("ada@example.com")).toEqual(["c"]);
  });

  it("filters by whether there is a description, and by failing checks, in lists, counts and searches", async () => {
    const w = newWorkspace();
    const [a, b, c] = [
      nodeOf(w, "table", "shop.a", { owner: "ada@example.com", description: "All of them." }),
      nodeOf(w, "table", "shop.b", { owner: "ada@example.com" }),
      nodeOf(w, "model", "lab.c"),
    ];
    const id = columnOf(w, b, "id", 0);
    const stamp = stampOf(w, "dbt", 1);
    const result = { message: "", failures: null, ranAt: null };
    await open().writeNodes(stamp, "all", [a, b, c, id]);
    await open().writeChecks(stamp, "all", [
      checkOf(w, "passes", [a], [], { result: { ...result, status: "pass" } }),
      checkOf(w, "fails", [b], [id], { result: { ...result, status: "fail" } }),
      checkOf(w, "breaks", [c], [], { result: { ...result, status: "error" } }),
      checkOf(w, "has not run", [a], []),
    ]);
    const only = (filter: Partial<NodeFilter>) => namesOf(w, { types: "asset", ...filter }, 1);
    expect(await only({ described: true })).toEqual(["a"]);
    expect(await only({ described: false, types: ["table", "model"] })).toEqual(["c", "b"]);
    expect(await only({ described: false, owner: "ada@example.com" })).toEqual(["b"]);
    expect(await only({ failing: true })).toEqual(["c", "b", "id"]);
    expect(await only({ failing: true, types: ["table"], responsible: "ada@example.com" })).toEqual(["b"]);
    expect(await only({ failing: true, schema: "lab" })).toEqual(["c"]);
    expect(await open().countNodes(w, { types: "asset", failing: true })).toMatchObject({ table: 1, model: 1 });
    expect(await open().countNodes(w, { types: ["table"], described: false })).toMatchObject({ table: 1 });
    const find = async (text: string) => {
      const filter = { types: "asset", failing: true, described: false } as const;
      const page = { after: null, limit: 10 };
      const { items } = await open().searchNodes(w, filter, present(parseSearch(text)), page);
      return items.map(({ node }) => node.name);
    };
    expect(await find("b")).toEqual(["b"]);
    expect(await find("them")).toEqual([]);
    // Another connector is believed, and its run of the same check passed.
    const believed = stampOf(w, "warehouse", 1, 90);
    await open().writeNodes(believed, "all", [b, id]);
    const passed = checkOf(w, "fails", [b], [id], { result: { ...result, status: "pass" } });
    await open().writeChecks(believed, "all", [passed]);
    expect(await only({ failing: true })).toEqual(["c"]);
  });

  it("What one connector states is listed in the order of keys, without what others and people say about it", async () => {
    const w = newWorkspace();
    const ours = { sourceId: "model.shop.orders", description: "ours", sql: "select 1" };
    const orders = nodeOf(w, "model", "shop.orders", ours);
    const id = columnOf(w, orders, "id", 0, { dataType: "int" });
    const [stamp, other] = [stampOf(w, "dbt", 1), stampOf(w, "warehouse", 1, 90)];
    await open().writeNodes(stamp, "all", [orders, id, nodeOf(w, "table", "shop.raw")]);
    const theirs = { description: "theirs", sourceId: "99" };
    await open().writeNodes(other, "all", [
      nodeOf(w, "model", "shop.orders", theirs),
      columnOf(w, orders, "id", 0, { dataType: "bigint" }),
      nodeOf(w, "table", "shop.log"),
    ]);
    await open().curate(w, orders.id, { description: "people's" }, { by: "ada@example.com", at: stamp.at });
    const ask = (page: { after: string | null; limit: number }, connector = { id: stamp.connectorId, name: "dbt" }) =>
      open().listStatements(w, { connector, types: ["table", "model", "column"] }, page);
    const first = await ask({ after: null, limit: 2 });
    expect(first).toMatchObject({
      items: [
        { id: orders.id, type: "model", sourceId: "model.shop.orders", description: "ours", sql: "select 1" },
        { id: id.id, parentId: orders.id, type: "column", sourceId: "", dataType: "int" },
      ],
      hasMore: true,
    });
    const second = await ask({ after: first.items.at(-1)?.key ?? null, limit: 2 });
    expect(second).toMatchObject({ items: [{ fqn: "shop.raw" }], hasMore: false });
    expect(await ask({ after: null, limit: 9 }, { id: toConnectorId("another"), name: "dbt" })).toEqual({
      items: [],
      hasMore: false,
    });
  });

  it("A source's own id of a node is never shown", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "model", "shop.orders", { sourceId: "model.shop.orders" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    expect(JSON.stringify(await open().loadNodes(w, [orders.id]))).not.toContain("model.shop.orders");
  });

  it("Quotes, percent signs and backslashes in filters are plain text", async () => {
    const w = newWorkspace();
    const tags = ["it's", 'say "x"', "100%", "a\\b", "a_b", '["json"]', "${x}", "😀"];
    const nodes = tags.map((tag, i) => nodeOf(w, "table", `t${i}`, { name: tag, tags: [tag] }));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    for (const tag of tags) expect(await namesOf(w, { types: "asset", tag })).toEqual([tag]);
  });

  it("Pages have no gap and no repeat while nodes are added and removed", async () => {
    const w = newWorkspace();
    const stay = ["b", "d", "f", "h"].map((name) => nodeOf(w, "table", name));
    await open().writeNodes(stampOf(w, "stays", 1), "all", stay);
    const comingAndGoing = [["a", "c", "e"], ["a"], ["g", "i"], []];
    const seen: CatalogNode[] = [];
    for (const [i, names] of comingAndGoing.entries()) {
      const stamp = stampOf(w, "churns", i + 1);
      await open().writeNodes(
        stamp,
        "all",
        names.map((name) => nodeOf(w, "table", name)),
      );
      await open().sweep(stamp, "all");
      const page = await open().listNodes(w, { types: "asset" }, { after: seen.at(-1)?.key ?? null, limit: 2 });
      seen.push(...page.items);
    }
    expect(seen.map((node) => node.name)).toEqual(["a", "b", "d", "f", "g", "h"]);
  });
}
