/** The rules of `src/graph/catalog-graph.ts`, one test for each. Every engine must pass all of them. */
import { afterAll, beforeAll, describe } from "vitest";

import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import { describeCallers } from "./catalog-graph/callers.ts";
import { describeCertification } from "./catalog-graph/certification.ts";
import { describeChanges } from "./catalog-graph/changes.ts";
import { describeResultChanges } from "./catalog-graph/result-changes.ts";
import { describeChecks } from "./catalog-graph/checks.ts";
import { describeConnectors } from "./catalog-graph/connectors.ts";
import { describeCuration } from "./catalog-graph/curation.ts";
import { describeEdgeWrites } from "./catalog-graph/edge-writes.ts";
import { describeLineageOwners } from "./catalog-graph/lineage-owners.ts";
import { describeHistory } from "./catalog-graph/history.ts";
import { describeImpact } from "./catalog-graph/impact.ts";
import { describeImpactChecks } from "./catalog-graph/impact-checks.ts";
import { describeImpactSupposing } from "./catalog-graph/impact-supposing.ts";
import { describeLineage } from "./catalog-graph/lineage.ts";
import { describePeople } from "./catalog-graph/people.ts";
import { describeReads } from "./catalog-graph/reads.ts";
import { describeReferences } from "./catalog-graph/references.ts";
import { describeSearch } from "./catalog-graph/search.ts";
import { describeSearchSpelling } from "./catalog-graph/search-spelling.ts";
import { describeUsage } from "./catalog-graph/usage.ts";
import { describeWorkspaces } from "./catalog-graph/workspaces.ts";
import { describeTallies } from "./catalog-graph/tallies.ts";
import { describeWrites } from "./catalog-graph/writes.ts";

/** The store under test, once it is open. */
export type OpenGraph = () => CatalogGraph;

/**
 * Tests one engine. All tests share the store that `open` returns. Each has its own workspace.
 * @param open returns a store that is ready; it is closed at the end
 */
export function describeCatalogGraph(name: string, open: () => Promise<CatalogGraph>): void {
  describe(`the catalog graph on ${name}`, () => {
    const graph = sharedGraph(open);
    describe("writing", () => {
      describeWrites(graph);
      describeTallies(graph);
      describeEdgeWrites(graph);
      describeReferences(graph);
    });
    describe("lineage owners", () => {
      describeLineageOwners(graph);
    });

    describe("connectors", () => {
      describeConnectors(graph);
    });
    describe("curation", () => {
      describeCuration(graph);
    });
    describe("certification", () => {
      describeCertification(graph);
    });
    describe("checks", () => {
      describeChecks(graph);
    });
    describe("statements of people", () => {
      describePeople(graph);
    });
    describe("reading", () => {
      describeReads(graph);
    });
    describe("searching", () => {
      describeSearch(graph);
      describeSearchSpelling(graph);
    });
    describe("lineage", () => {
      describeLineage(graph);
    });
    describe("impact", () => {
      describeImpact(graph);
      describeImpactSupposing(graph);
      describeImpactChecks(graph);
    });
    describe("history", () => {
      describeHistory(graph);
      describeChanges(graph);
      describeResultChanges(graph);
    });
    describe("usage", () => {
      describeUsage(graph);
    });
    describe("reads for one caller", () => {
      describeCallers(graph);
    });
    describe("workspaces", () => {
      describeWorkspaces(graph);
    });
  });
}

/** Opens a store for the tests of the surrounding `describe`, and closes it after them. */
export function sharedGraph<G extends CatalogGraph>(open: () => Promise<G>): () => G {
  let graph: G | undefined;
  beforeAll(async () => {
    graph = await open();
  });
  afterAll(async () => {
    await graph?.close();
  });
  return () => {
    if (graph === undefined) throw new Error("the store did not open");
    return graph;
  };
}
