/** A search in the SQLite file gives the same rows however it reads them. */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import { CERTIFICATIONS } from "../../../../src/catalog/asset.ts";
import { NODE_TYPES } from "../../../../src/catalog/node-types.ts";
import { parseSearch, type SearchPosition } from "../../../../src/catalog/search.ts";
import { openSqliteGraph } from "../../../../src/graph/sqlite/index.ts";
import { placeAt, placeOf } from "../../../../src/graph/sqlite/search-blocks.ts";
import { openGraphFile } from "../../../../src/graph/sqlite/schema.ts";
import { searchNodes } from "../../../../src/graph/sqlite/search.ts";
import { createStatements } from "../../../../src/graph/sqlite/statements.ts";
import { propertyRuns } from "../../../support/depth.ts";
import { allPages, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";
import { createReferenceGraph } from "../../../support/reference-graph.ts";

const words = fc.constantFrom("orders", "order", "shop", "daily", "x", "2024");
const some = fc.array(words, { minLength: 1, maxLength: 3 });
const facts = fc.record({
  type: fc.constantFrom(...NODE_TYPES.filter((type) => type !== "column")),
  name: some.map((each) => each.join("_")),
  description: some.map((each) => each.join(" ")),
  tags: fc.array(words, { maxLength: 2 }),
  certification: fc.constantFrom(...CERTIFICATIONS),
  owner: fc.constantFrom("", "ada@example.com"),
});

it("A search finds the same rows as a ranking of all rows, page by page, whatever it takes for rare or few", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "tributary-search-"));
  const path = join(folder.path, "graph.db");
  const graph = await openSqliteGraph({ path });
  const sql = createStatements(openGraphFile(path));
  const drawn = fc.record({
    nodes: fc.array(facts, { minLength: 1, maxLength: 30 }),
    text: some.map((each) => each.join(" ")),
    types: fc.oneof(fc.constant("asset" as const), fc.subarray([...NODE_TYPES])),
    limit: fc.integer({ min: 1, max: 7 }),
    limits: fc.record({
      rare: fc.constantFrom(0, 3, 50),
      few: fc.constantFrom(0, 3, 1_000),
      names: fc.constantFrom(0, 30, 20_000),
    }),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ nodes, text, types, limit, limits }) => {
      const query = parseSearch(text);
      if (query === null) return;
      const w = newWorkspace();
      const reference = createReferenceGraph();
      const written = nodes.map(({ type, ...said }, i) => nodeOf(w, type, `a.t${i}`, said));
      for (const store of [graph, reference]) await store.writeNodes(stampOf(w, "dbt", 1), "all", written);
      const expected = await reference.searchNodes(w, { types }, query, { after: null, limit: 100 });
      const found = await allPages(
        (after: SearchPosition | null) =>
          Promise.resolve(searchNodes(sql, w, { types }, query, { after, limit }, limits)),
        ({ position }) => position,
      );
      expect(found).toEqual(expected.items);
    }),
    propertyRuns(300),
  );
  sql.db.close();
  await graph.close();
});

it("A node beyond the rows that the search index can name is refused, and is not put in another block", () => {
  const [table, block] = [{ type: "table", standing: 1 } as const, { label: 7 }];
  expect(placeOf(table, block, 2 ** 26 - 1)).toBe(placeAt(false, 1, 8) - 1n);
  expect(() => placeOf(table, block, 2 ** 26)).toThrow("no room for row 67108864");
});
