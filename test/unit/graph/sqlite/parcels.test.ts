/** Connections that a crawl states again. Those into one node are a parcel, which is stamped as a whole. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { type ColumnUse, usesText } from "../../../../src/catalog/edge.ts";
import type { NodeWrite } from "../../../../src/graph/catalog-writes.ts";
import { createWrites } from "../../../../src/graph/sqlite/graph-writes.ts";
import { packEdges } from "../../../../src/graph/sqlite/packed-edges.ts";
import { openGraphFile } from "../../../../src/graph/sqlite/schema.ts";
import { createStatements } from "../../../../src/graph/sqlite/statements.ts";
import type { SqliteDatabase } from "../../../../src/sqlite/database.ts";
import { propertyRuns } from "../../../support/depth.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";

const UNSTATED = "never stated";
const USES: ColumnUse[][] = [
  [{ kind: "DIRECT", transformation: "IDENTITY", expression: "a" }],
  [{ kind: "INDIRECT", transformation: "FILTER", expression: "a" }],
];

/** A file's writes, which close with the block. */
function openWrites() {
  const db = openGraphFile(":memory:");
  return { db, writes: createWrites(createStatements(db)), [Symbol.dispose]: () => db.close() };
}

function hasUnstated({ from, to }: { from: string; to: string }): boolean {
  return [from, to].includes(UNSTATED);
}

/** The edges by their ends, with the position of their uses in USES. */
function readEdges(db: SqliteDatabase): Map<unknown, number> {
  const texts = USES.map(usesText);
  const rows = db
    .prepare(
      `SELECT a.name || ' ' || b.name AS key, e.uses FROM edges AS e
         JOIN nodes AS a ON a.seq = e.from_node JOIN nodes AS b ON b.seq = e.to_node`,
    )
    .all();
  return new Map(rows.map(({ key, uses }) => [key, texts.indexOf(String(uses))]));
}

const anyName = fc.constantFrom("a", "b", "c", UNSTATED);
const anyEdge = fc.record({ from: anyName, to: anyName, uses: fc.constantFrom(0, 1) });
/** One crawl: which nodes it states, and its edges, as the calls in which they are written. */
const anyCrawl = fc.record({
  stated: fc.subarray(["a", "b", "c"], { minLength: 2 }),
  calls: fc.array(fc.array(anyEdge, { maxLength: 6 }), { maxLength: 3 }),
});
/** Crawls often state the same again, so few different ones are drawn from. */
const anyCrawls = fc
  .array(anyCrawl, { minLength: 1, maxLength: 3 })
  .chain((some) => fc.array(fc.constantFrom(...some), { minLength: 2, maxLength: 8 }));

it("After each crawl, the edges are those that it stated, as it stated them last, whatever was stated before", async () => {
  await fc.assert(
    fc.asyncProperty(anyCrawls, async (all) => {
      using opened = openWrites();
      const { db, writes } = opened;
      const w = newWorkspace();
      const table = nodeOf(w, "table", "t");
      const of = (name: string): NodeWrite => columnOf(w, table, name, 1);
      for (const [sync, { stated, calls }] of all.entries()) {
        const stamp = stampOf(w, "dbt", sync + 1);
        await writes.writeNodes(stamp, "all", [table, ...stated.map(of)]);
        for (const call of calls) {
          const edges = call.map(({ from, to, uses }) => edgeOf(of(from), of(to), "derives", USES[uses]));
          const refused = await writes.writeEdges(stamp, "all", packEdges(edges));
          expect(refused).toEqual(expect.arrayContaining(call.flatMap((edge, at) => (hasUnstated(edge) ? [at] : []))));
        }
        await writes.sweep(stamp, "all");
        const isLeft = ({ from, to }: { from: string; to: string }): boolean =>
          [from, to].every((name) => stated.some((own) => own === name));
        const left = calls.flat().filter(isLeft);
        expect(readEdges(db)).toEqual(new Map(left.map(({ from, to, uses }) => [`${from} ${to}`, uses])));
      }
    }),
    propertyRuns(300),
  );
});

it("A crawl that states the same again writes one row for all edges into a node, and one for all references", async () => {
  using opened = openWrites();
  const { db, writes } = opened;
  const w = newWorkspace();
  const hub = nodeOf(w, "table", "hub");
  const sources = Array.from({ length: 300 }, (_, at) => nodeOf(w, "table", `source_${at}`));
  const columns = sources.map((source) => columnOf(w, source, "id", 1));
  const count = (sql: string): number => Number(db.prepare(`SELECT ${sql} AS amount`).get()?.["amount"]);
  /** @returns how many rows the edges and the references wrote */
  const crawl = async (sync: number, from: number): Promise<[edges: number, references: number]> => {
    const stamp = stampOf(w, "dbt", sync);
    await writes.writeNodes(stamp, "all", [hub, ...sources, ...columns]);
    const before = count("total_changes()");
    const edges = sources.slice(from).map((source) => edgeOf(source, hub, "derives"));
    await writes.writeEdges(stamp, "all", packEdges(edges));
    const between = count("total_changes()");
    const references = columns.slice(from).map(({ id }) => ({ from: id, to: hub.id }));
    await writes.writeReferences(stamp, "all", references);
    const after = count("total_changes()");
    await writes.sweep(stamp, "all");
    return [between - before, after - between];
  };
  const [edges, references] = await crawl(1, 0);
  expect(Math.min(edges, references)).toBeGreaterThan(300);
  expect(Math.max(...(await crawl(2, 0)))).toBeLessThan(5);
  await crawl(3, 1);
  expect(count("(SELECT count(*) FROM edges)")).toBe(299);
  expect(count("(SELECT count(*) FROM column_references)")).toBe(299);
  expect(count("(SELECT count(*) FROM parcels)")).toBe(2);
  expect(Math.max(...(await crawl(4, 1)))).toBeLessThan(5);
});
