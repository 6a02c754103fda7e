/** If too many rows match to be sorted, the engine finds them in another way. The answers must be the same. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Certification } from "../../src/catalog/asset.ts";
import { parseSearch, type SearchPosition } from "../../src/catalog/search.ts";
import type { CatalogGraph, NodeFilter } from "../../src/graph/catalog-graph.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { allPages, newWorkspace, nodeOf, stampOf } from "../support/graph-writes.ts";
import { present } from "../support/present.ts";
import { createReferenceGraph } from "../support/reference-graph.ts";

const COUNT = 4_300;
const CERTIFICATIONS: Certification[] = ["certified", "none", "deprecated", "none", "pending"];
const FILTERS: NodeFilter[] = [
  { types: "asset" },
  { types: ["model", "dashboard"] },
  { types: "asset", tag: "finance" },
  { types: "asset", tag: "finance", connector: "dbt", certification: "none" },
];

describe("frequent words and facets", () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-common-"));
  const workspace = newWorkspace();
  const reference = createReferenceGraph();
  let graph: CatalogGraph;

  beforeAll(async () => {
    graph = await openSqliteGraph({ path: join(folder, "graph.db") });
    // Half of the assets match in each way: by name, fqn, tag or description.
    const nodes = Array.from({ length: COUNT }, (_, i) => {
      const isOrders = i % 2 === 0;
      return nodeOf(
        workspace,
        i % 3 === 0 ? "model" : "table",
        `shop${(i * 7919) % COUNT}.sales.${isOrders ? "orders" : "stock_daily"}`,
        {
          certification: CERTIFICATIONS[i % CERTIFICATIONS.length] ?? null,
          tags: i % 4 < 2 ? ["finance"] : [],
          description: isOrders ? "What they come to, daily." : "",
        },
      );
    });
    for (const store of [graph, reference]) await store.writeNodes(stampOf(workspace, "dbt", 1), "all", nodes);
  });
  afterAll(async () => {
    await graph.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["the exact name", "orders"],
    ["the end of the fqn", "sales.orders"],
    ["the beginning of the name", "ord"],
    ["a word of the name, then of the description", "dai"],
    ["a tag", "finance"],
    ["words in several places", "sales finance dai"],
    ["some of the words only", "daily elephants finance"],
  ])("A word that thousands of assets have finds them in order by %s", async (_, words) => {
    const query = present(parseSearch(words));
    for (const filter of FILTERS) {
      const expected = await reference.searchNodes(workspace, filter, query, { after: null, limit: COUNT });
      const found = await allPages(
        (after: SearchPosition | null) => graph.searchNodes(workspace, filter, query, { after, limit: 900 }),
        (item) => item.position,
      );
      expect(found).toEqual(expected.items);
    }
  });

  it.each(FILTERS)("A facet that thousands of assets have lists them in order: %j", async (filter) => {
    const expected = await reference.listNodes(workspace, filter, { after: null, limit: COUNT });
    const listed = await allPages(
      (after: string | null) => graph.listNodes(workspace, filter, { after, limit: 900 }),
      (node) => node.key,
    );
    expect(listed).toEqual(expected.items);
  });
});
