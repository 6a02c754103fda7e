/**
 * Tests random workspaces on an engine and on the reference: after the same writes, both must return the same results.
 * `TEST_MODEL_RUNS` and `TEST_MODEL_SEED` set the number of runs and the seed.
 */
import { describe } from "vitest";

import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import { sharedGraph } from "./catalog-graph.ts";
import { describeHistories } from "./catalog-graph/histories.ts";
import { describeRandomChanges } from "./catalog-graph/random-changes.ts";
import { describeRandomDays } from "./catalog-graph/random-days.ts";
import { describeRandomImpacts } from "./catalog-graph/random-impacts.ts";
import { describeRandomPaging } from "./catalog-graph/random-paging.ts";
import { describeRandomWalks } from "./catalog-graph/random-walks.ts";
import { atDepth } from "../support/depth.ts";

/**
 * Compares one engine with the reference. All runs share the store that `open` returns.
 * @param few how many histories a test run tries; walks, pagings and impacts are fewer
 */
export function describeCatalogGraphModel(
  name: string,
  open: () => Promise<CatalogGraph>,
  few = atDepth(30, 120),
): void {
  describe(`the catalog graph on ${name}, against the reference`, () => {
    const graph = sharedGraph(open);
    describeHistories(graph, few);
    describeRandomDays(graph, few);
    describeRandomChanges(graph, few);
    describeRandomWalks(graph, few / 3);
    describeRandomPaging(graph, few / 6);
    describeRandomImpacts(graph, few / 3);
  });
}
