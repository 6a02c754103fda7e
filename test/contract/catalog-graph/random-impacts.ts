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
              if (type !== "column" || change !== "column_drop") continue;
              const assessUnclear = async (unclearWithin: number) =>
                present(await open().assessImpact(workspace, { ...query, unclearWithin }));
              const anywhere = await assessUnclear(1_000);
              const unclear = idsOf(anywhere);
              for (const depth of [1, 2]) {
                const near = anywhere.affected.filter(({ hops }) => hops <= depth).map(({ id }) => id);
                expect(idsOf(await assessUnclear(depth)).toSorted()).toEqual(near.toSorted());
              }
              // Where a path loses sight of columns, its hop is told; and nothing is told that is not affected.
              expect(unclear).toEqual(expect.arrayContaining(impact.affected.flatMap(endOfKnown)));
              expect(idsOf(impact)).toEqual(expect.arrayContaining(unclear));
            }
          }
        }),
        modelRuns(runs),
      );
    },
  );
}

function idsOf({ affected }: Impact): string[] {
  return affected.map(({ id }) => id);
}

/** The asset on a path of which it is not known whether it uses the column; none on a path of known uses. */
function endOfKnown({ parentId, path, evidence }: Impact["affected"][number]): string[] {
  const hop = evidence.findIndex(({ kind }) => kind === "UNKNOWN");
  // The path to a column of an asset that is reached as a whole ends with the column in place of the asset.
  if (hop === path.length - 2 && parentId !== null) return [parentId];
  return hop < 0 ? [] : path.slice(hop + 1, hop + 2);
}

function outline({ effect, affected }: Impact) {
  return {
    effect,
    affected: affected.map(({ id, risk, path, evidence, owner }) => ({ id, risk, path, evidence, owner })),
  };
}
