/** Nodes that several connectors state: their type, the lineage that is shown, and its owner. */
import { describe, expect, it } from "vitest";

import type { ColumnUse } from "../../../src/catalog/edge.ts";
import { compareCodePoints } from "../../../src/catalog/text.ts";
import type { NodeFacts } from "../../../src/catalog/statement.ts";
import type { CrawlStamp, EdgeWrite, NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, look, newWorkspace, nodeOf, stampOf, timeOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const KNOWN = { status: "known", reason: "" } as const;
const COPY: ColumnUse = { kind: "DIRECT", transformation: "IDENTITY", expression: "id" };

/** A crawl of a connector with this lineage precedence. The lower the number, the older the connector. */
function crawlOf(w: WorkspaceId, connector: string, sync: number, lineagePrecedence: number, age = 0): CrawlStamp {
  return { ...stampOf(w, connector, sync), lineagePrecedence, connectorCreatedAt: timeOf(age) };
}

const orders =
  (type: "table" | "model", facts: Partial<NodeFacts> = {}) =>
  (w: WorkspaceId) =>
    nodeOf(w, type, "shop.orders", facts);

/** What one connector states about the origin of `orders`: a table of one column, made by its own SQL. */
function lineageFrom(w: WorkspaceId, source: string, sql: string) {
  const target = nodeOf(w, "model", "shop.orders", { sql, columnLineage: KNOWN });
  const total = columnOf(w, target, "total", 0, { columnLineage: { ...KNOWN, basis: source } });
  const from = nodeOf(w, "table", source);
  const id = columnOf(w, from, "id", 0);
  const edges = [edgeOf(from, target, "derives"), edgeOf(id, total, "derives", [COPY])];
  return { target, total, from, id, nodes: [target, total, from, id], edges };
}

type Lineage = ReturnType<typeof lineageFrom>;

const shownOf = (source: string, by: string, sql: string) => ({
  sql,
  by,
  basis: source,
  upstream: [source, `${source}.id`],
  failing: [source],
});

function byId(a: { id: string }, b: { id: string }): number {
  return compareCodePoints(a.id, b.id);
}

export function describeLineageOwners(open: OpenGraph): void {
  async function crawl(stamp: CrawlStamp, nodes: readonly NodeWrite[], edges: readonly EdgeWrite[] = []) {
    await open().writeNodes(stamp, "all", nodes);
    expect(await open().writeEdges(stamp, "all", edges)).toEqual([]);
    await open().sweep(stamp, "all");
  }

  async function crawlLineage(stamp: CrawlStamp, { nodes, edges, id, target }: Lineage) {
    await open().writeNodes(stamp, "all", nodes);
    expect(await open().writeEdges(stamp, "all", edges)).toEqual([]);
    expect(await open().writeReferences(stamp, "all", [{ from: id.id, to: target.id }])).toEqual([]);
    await open().sweep(stamp, "all");
  }

  /** The types for which lists, counts, searches and look-ups find `shop.orders`. */
  async function typesOf(w: WorkspaceId) {
    const found = [];
    for (const type of ["table", "model"] as const) {
      const { items } = await open().listNodes(w, { types: [type] }, { after: null, limit: 10 });
      const query = { folded: "orders", path: "orders", prefix: "orders", terms: ["orders"] };
      const searched = await open().searchNodes(w, { types: [type] }, query, { after: null, limit: 10 });
      const counts = await open().countNodes(w);
      const byFqn = await open().loadByFqn(w, "shop.orders", { type });
      expect([items.length, searched.items.length, counts[type], byFqn.length]).toEqual(
        Array.from({ length: 4 }, () => items.length),
      );
      if (items.length > 0) found.push(type);
    }
    return found;
  }

  for (const order of [
    ["table", "model"],
    ["model", "table"],
  ] as const) {
    it(`A relation is a model while any connector states it as one, even if it was stated as a ${order[0]} first`, async () => {
      const w = newWorkspace();
      for (const [i, type] of order.entries()) await crawl(crawlOf(w, type, i, 10), [orders(type)(w)]);
      expect(await typesOf(w)).toEqual(["model"]);
      expect(await look(open(), w, orders("table")(w))).toMatchObject({
        type: "model",
        connectors: ["model", "table"],
        createdAt: timeOf(0),
      });
      await crawl(crawlOf(w, "model", 3, 10), []);
      expect(await typesOf(w)).toEqual(["table"]);
      expect(await look(open(), w, orders("table")(w))).toMatchObject({ type: "table", updatedAt: timeOf(3) });
      await crawl(crawlOf(w, "model", 4, 10), [orders("model")(w)]);
      expect(await typesOf(w)).toEqual(["model"]);
    });
  }

  it("A relation keeps its id, columns, edges and key if its only lineage owner changes its type", async () => {
    const w = newWorkspace();
    const [raw, before, after] = [nodeOf(w, "table", "raw"), orders("table")(w), orders("model")(w)];
    const id = columnOf(w, before, "id", 0);
    await crawl(crawlOf(w, "dbt", 1, 10), [raw, before, id], [edgeOf(raw, before, "derives")]);
    const key = (await look(open(), w, before))?.key;
    await crawl(crawlOf(w, "dbt", 2, 10), [raw, after, id], [edgeOf(raw, after, "derives")]);
    expect(await look(open(), w, before)).toMatchObject({ type: "model", key, createdAt: timeOf(1) });
    const [columns] = await open().loadColumns(w, [after.id]);
    expect(columns?.map(({ name }) => name)).toEqual(["id"]);
    const walk = await open().walk(w, { root: raw.id, direction: "downstream", depth: 3, maxNodes: 10 });
    expect(walk?.nodes).toEqual([{ id: before.id, name: "orders", type: "model", depth: 1 }]);
  });

  /** The connector whose lineage of `orders` is shown in its SQL, its column's lineage, edges, uses and references. */
  async function shownLineage(w: WorkspaceId, { target, total }: Lineage, froms: readonly Lineage[]) {
    const [asset, column] = await open().loadNodes(w, [target.id, total.id]);
    const query = { direction: "upstream", first: 10, after: null } as const;
    const asked = [target, total].map(({ id }) => Object.assign({ id }, query));
    const neighbours = await open().loadNeighbours(w, asked);
    const walks = await Promise.all(
      [target, total].map(({ id }) => open().walk(w, { root: id, direction: "upstream", depth: 3, maxNodes: 10 })),
    );
    const failing = [];
    for (const { id, from } of froms) {
      const drop = { root: id.id, change: "column_drop", newType: null, maxAffected: 10 } as const;
      const impact = await open().assessImpact(w, drop);
      if (impact?.affected.some((node) => node.id === target.id) === true) failing.push(from.facts.fqn);
    }
    const upstream = neighbours.map(({ items }) => items.map(({ node }) => node.fqn));
    expect(walks.map((walk) => present(walk).nodes.map(({ name }) => name))).toEqual(
      upstream.map((fqns) => fqns.map((fqn) => fqn.split(".").at(-1))),
    );
    return {
      sql: asset?.sql,
      by: asset?.lineageConnector,
      basis: column?.columnLineage?.basis,
      upstream: upstream.flat(),
      failing,
    };
  }

  for (const first of ["dbt", "warehouse"] as const) {
    it(`A node crawled by ${first} first shows all lineage of one owner, and that of the next one if the owner drops it`, async () => {
      const w = newWorkspace();
      const said = { dbt: lineageFrom(w, "stg", "select 1"), warehouse: lineageFrom(w, "raw", "select 2") };
      const both = [said.dbt, said.warehouse];
      const stamp = {
        dbt: (n: number) => crawlOf(w, "dbt", n, 300),
        warehouse: (n: number) => crawlOf(w, "warehouse", n, 100),
      };
      const second = first === "dbt" ? "warehouse" : "dbt";
      await crawlLineage(stamp[first](1), said[first]);
      await crawlLineage(stamp[second](2), said[second]);
      expect(await shownLineage(w, said.dbt, both)).toEqual(shownOf("stg", "dbt", "select 1"));
      // Its edges into nodes whose lineage no other connector states do not change.
      await crawl(stamp.dbt(3), []);
      expect(await shownLineage(w, said.dbt, both)).toEqual(shownOf("raw", "warehouse", "select 2"));
      await crawlLineage(stamp.dbt(4), said.dbt);
      expect(await shownLineage(w, said.dbt, both)).toEqual(shownOf("stg", "dbt", "select 1"));
      await crawl(stamp.warehouse(5), []);
      expect(await shownLineage(w, said.dbt, both)).toEqual({ ...shownOf("stg", "dbt", "select 1"), failing: ["stg"] });
    });
  }

  it("Of two equal connectors, the older one's lineage is shown, whichever was crawled first", async () => {
    const w = newWorkspace();
    const [older, younger] = [lineageFrom(w, "a", "select 1"), lineageFrom(w, "b", "select 2")];
    await crawlLineage(crawlOf(w, "younger", 1, 300, 7), younger);
    await crawlLineage(crawlOf(w, "zz older", 2, 300, 5), older);
    expect(await shownLineage(w, older, [older, younger])).toEqual(shownOf("a", "zz older", "select 1"));
    expect(await look(open(), w, older.target)).toMatchObject({ sourceConnector: "zz older" });
  });

  it("The lineage of a connector with SQL is shown rather than that of a higher precedence without SQL", async () => {
    const w = newWorkspace();
    const said = lineageFrom(w, "raw", "select 2");
    await crawlLineage(crawlOf(w, "warehouse", 1, 100), said);
    await crawl(crawlOf(w, "dbt", 2, 300), [orders("table", { description: "A source." })(w)]);
    expect(await shownLineage(w, said, [said])).toEqual(shownOf("raw", "warehouse", "select 2"));
    expect(await look(open(), w, said.target)).toMatchObject({ description: "A source.", type: "model" });
  });

  it("A pipeline shows its edges from every connector", async () => {
    const w = newWorkspace();
    const said = lineageFrom(w, "stg", "select 1");
    await crawlLineage(crawlOf(w, "dbt", 1, 300), said);
    const load = nodeOf(w, "pipeline", "load");
    const stamp = crawlOf(w, "airflow", 2, 200);
    await crawl(stamp, [load, orders("table")(w)], [edgeOf(load, said.target, "materializes")]);
    const { upstream } = await shownLineage(w, said, [said]);
    expect(upstream).toEqual(["load", "stg", "stg.id"]);
  });

  it("A column counts as updated if a statement about its table has hidden its lineage", async () => {
    const w = newWorkspace();
    const low = lineageFrom(w, "raw", "select 2");
    await crawlLineage(crawlOf(w, "warehouse", 1, 100), low);
    const high = crawlOf(w, "dbt", 2, 300);
    await crawlLineage(high, lineageFrom(w, "stg", "select 1"));
    expect(await look(open(), w, low.total)).toMatchObject({ updatedAt: timeOf(2) });
    expect(await open().tally(high)).toEqual({ discovered: 4, updated: 4 });
  });

  it("A node that is only named is found by its id and in lineage, and nowhere else", async () => {
    const w = newWorkspace();
    const [named, board] = [nodeOf(w, "table", "shop.orders", { tags: ["pii"] }), nodeOf(w, "dashboard", "sales")];
    const stamp = crawlOf(w, "boards", 1, 10);
    await crawl(stamp, [board, { ...named, existence: "referenced" }], [edgeOf(named, board, "powers")]);
    expect(await look(open(), w, named)).toMatchObject({
      existence: "referenced",
      sourceConnector: "",
      connectors: [],
      type: "table",
    });
    const walk = await open().walk(w, { root: board.id, direction: "upstream", depth: 1, maxNodes: 10 });
    expect(walk?.nodes.map(({ id }) => id)).toEqual([named.id]);
    expect(await typesOf(w)).toEqual([]);
    const all = await open().listNodes(w, { types: "asset" }, { after: null, limit: 10 });
    expect(all.items.map(({ name }) => name)).toEqual(["sales"]);
    const mine = { connector: { id: stamp.connectorId, name: "boards" }, types: ["table", "dashboard"] } as const;
    const stated = await open().listStatements(w, mine, { after: null, limit: 10 });
    expect(stated.items.map(({ name }) => name)).toEqual(["sales"]);
    expect(await open().listValues(w, "tag", 10)).toEqual([]);
    expect(await open().tally(stamp)).toEqual({ discovered: 1, updated: 1 });

    await crawl(crawlOf(w, "warehouse", 2, 100), [named]);
    expect(await look(open(), w, named)).toMatchObject({ existence: "held", connectors: ["warehouse"] });
    expect(await typesOf(w)).toEqual(["table"]);
    expect(await open().listValues(w, "tag", 10)).toEqual(["pii"]);
    await crawl(crawlOf(w, "warehouse", 3, 100), []);
    expect(await look(open(), w, named)).toMatchObject({ existence: "referenced" });
    expect(await typesOf(w)).toEqual([]);
    await crawl(crawlOf(w, "boards", 4, 10), [board]);
    expect(await look(open(), w, named)).toBeNull();
  });

  it("A relation does not become a model if a connector only names it as one", async () => {
    const w = newWorkspace();
    await crawl(crawlOf(w, "warehouse", 1, 100), [orders("table")(w)]);
    await crawl(crawlOf(w, "dbt", 2, 300), [{ ...orders("model")(w), existence: "referenced" }]);
    expect(await typesOf(w)).toEqual(["table"]);
    expect(await look(open(), w, orders("table")(w))).toMatchObject({ connectors: ["warehouse"] });
  });

  /** The coverage in a walk downstream and in an impact. They are equal if nothing is cut. */
  async function coverageOf(w: WorkspaceId, root: NodeWrite) {
    const walk = await open().walk(w, { root: root.id, direction: "downstream", depth: 10, maxNodes: 1_000 });
    const query = { root: root.id, change: "deprecate", newType: null, maxAffected: 1 } as const;
    const impact = present(await open().assessImpact(w, query));
    expect(impact.coverage.connectors).toEqual(present(walk).coverage.connectors);
    expect(impact.coverage.gapsTotal).toBe(present(walk).coverage.gapsTotal);
    expect(impact.coverage.gaps.toSorted(byId)).toEqual(present(walk).coverage.gaps.toSorted(byId));
    return present(walk).coverage;
  }

  describe("coverage", () => {
    it("Lineage has no gap if all of it is known, or if there is no SQL to read", async () => {
      const w = newWorkspace();
      const [raw, model] = [
        nodeOf(w, "table", "raw"),
        nodeOf(w, "model", "m", { sql: "select 1", columnLineage: KNOWN }),
      ];
      const stamp = crawlOf(w, "dbt", 1, 300);
      await crawl(stamp, [raw, model], [edgeOf(raw, model, "derives")]);
      expect(await coverageOf(w, raw)).toEqual({ connectors: [stamp.connectorId], gaps: [], gapsTotal: 0 });
    });

    it("The gaps list the root and all other nodes that could not be read in full, with the reason", async () => {
      const w = newWorkspace();
      const partial = { status: "partial", reason: "a lateral join" } as const;
      const unknown = { status: "unknown", reason: "no such syntax" } as const;
      const root = nodeOf(w, "model", "a", { sql: "select 1", columnLineage: partial });
      const next = nodeOf(w, "model", "b", { sql: "select 2", columnLineage: unknown });
      const left = nodeOf(w, "table", "c", { gap: "a column was left out" });
      const edges = [edgeOf(root, next, "derives"), edgeOf(next, left, "derives")];
      await crawl(crawlOf(w, "dbt", 1, 300), [root, next, left], edges);
      expect((await coverageOf(w, root)).gaps).toEqual([
        { id: root.id, reason: "a lateral join" },
        { id: next.id, reason: "no such syntax" },
        { id: left.id, reason: "a column was left out" },
      ]);
    });

    it("All gaps are counted, and a hundred are listed", async () => {
      const w = newWorkspace();
      const root = nodeOf(w, "table", "root");
      const readers = Array.from({ length: 130 }, (_, i) =>
        nodeOf(w, "model", `m${i}`, { sql: "x", columnLineage: { status: "unknown", reason: "x" } }),
      );
      const edges = readers.map((reader) => edgeOf(root, reader, "derives"));
      await crawl(crawlOf(w, "dbt", 1, 300), [root, ...readers], edges);
      const walk = await open().walk(w, { root: root.id, direction: "downstream", depth: 1, maxNodes: 1_000 });
      const query = { root: root.id, change: "deprecate", newType: null, maxAffected: 1 } as const;
      const impact = await open().assessImpact(w, query);
      for (const { coverage } of [present(walk), present(impact)]) {
        expect([coverage.gaps.length, coverage.gapsTotal]).toEqual([100, 130]);
      }
    });

    it("Everything in a scope counts as a gap while the scope's last crawl is incomplete", async () => {
      const w = newWorkspace();
      const [mine, shared] = [nodeOf(w, "table", "mine"), nodeOf(w, "table", "shared")];
      const [dbt, boards] = [crawlOf(w, "dbt", 1, 300), crawlOf(w, "boards", 1, 10)];
      await crawl(dbt, [mine, shared], [edgeOf(mine, shared, "derives")]);
      await crawl(boards, [shared]);
      await open().markIncomplete(boards, "all");
      const reason = "the last sync of its connector ended before everything was read";
      expect(await coverageOf(w, mine)).toEqual({
        connectors: [boards.connectorId, dbt.connectorId],
        gaps: [{ id: shared.id, reason }],
        gapsTotal: 1,
      });
      await crawl(crawlOf(w, "boards", 2, 10), [shared]);
      expect(await coverageOf(w, mine)).toMatchObject({ gaps: [], gapsTotal: 0 });
    });

    it("A node that is only referenced has a gap until a connector states it", async () => {
      const w = newWorkspace();
      const [raw, board] = [nodeOf(w, "table", "raw"), nodeOf(w, "dashboard", "board")];
      await crawl(
        crawlOf(w, "boards", 1, 10),
        [board, { ...raw, existence: "referenced" }],
        [edgeOf(raw, board, "powers")],
      );
      const reason = "it is only referenced: no connector states it";
      expect(await coverageOf(w, raw)).toMatchObject({ gaps: [{ id: raw.id, reason }], gapsTotal: 1 });
      await crawl(crawlOf(w, "warehouse", 1, 100), [raw]);
      expect(await coverageOf(w, raw)).toMatchObject({ gaps: [], gapsTotal: 0 });
    });

    it("The gaps leave out connectors that only name the nodes of the answer", async () => {
      const w = newWorkspace();
      const orders1 = nodeOf(w, "table", "orders");
      const dbt = crawlOf(w, "dbt", 1, 300);
      await crawl(dbt, [orders1]);
      await crawl(crawlOf(w, "boards", 1, 10), [{ ...orders1, existence: "referenced" }]);
      await open().markIncomplete(crawlOf(w, "boards", 1, 10), "all");
      expect(await coverageOf(w, orders1)).toEqual({ connectors: [dbt.connectorId], gaps: [], gapsTotal: 0 });
    });
  });
}
