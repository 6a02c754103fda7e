/** Paging while nodes are added and removed between the pages. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { type SearchPosition, comparePositions, parseSearch } from "../../../src/catalog/search.ts";
import { compareCodePoints } from "../../../src/catalog/text.ts";
import type { CatalogGraph, NodeFilter } from "../../../src/graph/catalog-graph.ts";
import type { NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { allPages, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../support/model-runs.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const ASSETS: NodeFilter = { types: "asset" };
const COUNT = 12;
const some = fc.subarray(Array.from({ length: COUNT }, (_, i) => i));
/** The nodes that stay, the nodes that are added in turn, and the length of a page. */
const traffic = fc.record({
  staying: some,
  coming: fc.array(some, { minLength: 1, maxLength: 8 }),
  limit: fc.integer({ min: 1, max: 4 }),
});
type Traffic = typeof traffic extends fc.Arbitrary<infer T> ? T : never;

export function describeRandomPaging(open: OpenGraph, runs: number): void {
  it("A list has each node that stays exactly once, and nothing twice", MODEL_TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(traffic, async (drawn) => {
        const { workspace, stayed, churn } = await start(open(), drawn);
        const nodes = await allPages(
          async (after: string | null) => {
            await churn();
            return open().listNodes(workspace, ASSETS, { after, limit: drawn.limit });
          },
          (node) => node.key,
        );
        expect(isStrictlyAscending(nodes, (a, b) => compareCodePoints(a.key, b.key))).toBe(true);
        expect(nodes.filter(({ id }) => stayed.has(id)).length).toBe(stayed.size);
      }),
      modelRuns(runs),
    );
  });

  it("A search finds each node that stays exactly once, and nothing twice", MODEL_TIMEOUT, async () => {
    const query = present(parseSearch("orders"));
    await fc.assert(
      fc.asyncProperty(traffic, async (drawn) => {
        const { workspace, stayed, churn } = await start(open(), drawn);
        const items = await allPages(
          async (after: SearchPosition | null) => {
            await churn();
            return open().searchNodes(workspace, ASSETS, query, { after, limit: drawn.limit });
          },
          (item) => item.position,
        );
        const inOrder = isStrictlyAscending(items, (a, b) =>
          comparePositions(a.position, b.position, compareCodePoints),
        );
        expect(inOrder).toBe(true);
        expect(items.filter(({ node }) => stayed.has(node.id)).length).toBe(stayed.size);
      }),
      modelRuns(runs),
    );
  });
}

/** Writes the nodes that stay. `churn` replaces the one other node of a connector by the next. */
async function start(graph: CatalogGraph, { staying, coming }: Traffic) {
  const workspace = newWorkspace();
  const nodes = Array.from({ length: COUNT }, (_, i) => searchable(workspace, i));
  const pick = (indexes: number[]): NodeWrite[] => nodes.filter((_, i) => indexes.includes(i));
  await graph.writeNodes(stampOf(workspace, "stays", 1), "all", pick(staying));
  let step = 0;
  const churn = async (): Promise<void> => {
    step += 1;
    const stamp = stampOf(workspace, "churns", step);
    await graph.writeNodes(stamp, "all", pick(coming[step % coming.length] ?? []));
    await graph.sweep(stamp, "all");
  };
  return { workspace, stayed: new Set(pick(staying).map((node) => node.id)), churn };
}

/** A table that a search for orders finds in some tier. */
function searchable(workspace: WorkspaceId, index: number): NodeWrite {
  const facts = [{ name: "orders" }, { name: "orders_daily" }, { tags: ["orders"] }, { description: "of orders" }];
  const certification = index % 3 === 0 ? "certified" : null;
  return nodeOf(workspace, "table", `t${index}`, { ...facts[index % facts.length], certification });
}

function isStrictlyAscending<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  return items.slice(1).every((item, i) => compare(items[i] ?? item, item) < 0);
}
