/**
 * Impacts: for any change in any lineage, an engine returns the same as brute force, with the same texts as the
 * reference.
 */
import fc from "fast-check";
import { expect, it } from "vitest";

import { canChange, CHANGE_TYPES, type Impact } from "../../../src/catalog/impact.ts";
import { newWorkspace, stampOf } from "../../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../support/model-runs.ts";
import { assessNaively } from "../../support/naive-impact.ts";
import { present } from "../../support/present.ts";
import { lineages, writesOf } from "../../support/random-lineage.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describeRandomImpacts(open: OpenGraph, runs: number): void {
  it(
    "The impact of any change in any lineage is the same as by brute force, from every node",
    MODEL_TIMEOUT,
    async () => {
      await fc.assert(
        fc.asyncProperty(lineages, fc.constantFrom(null, "int", "bigint"), async (lineage, newType) => {
          const workspace = newWorkspace();
          const written = writesOf(workspace, lineage);
          const { nodes, edges, references } = written;
          const reference = createReferenceGraph();
          for (const graph of [open(), reference]) {
            await graph.writeNodes(stampOf(workspace, "dbt", 1), "all", nodes);
            expect(await graph.writeEdges(stampOf(workspace, "dbt", 1), "all", edges)).toEqual([]);
            expect(await graph.writeReferences(stampOf(workspace, "dbt", 1), "all", references)).toEqual([]);
          }
          for (const { id: root, type } of nodes) {
            for (const change of CHANGE_TYPES.filter((each) => canChange(type, each))) {
              const query = { root, change, newType: change === "type_change" ? newType : null, maxAffected: 1_000 };
              const impact = present(await open().assessImpact(workspace, query));
              expect(outline(impact)).toEqual(assessNaively(written, query));
              expect(impact).toEqual(await reference.assessImpact(workspace, query));
            }
          }
        }),
        modelRuns(runs),
      );
    },
  );
}

function outline({ effect, affected }: Impact) {
  return {
    effect,
    affected: affected.map(({ id, risk, path, evidence, owner }) => ({ id, risk, path, evidence, owner })),
  };
}
