/** Copies: a workspace that moved to another store answers everything as before, and lives on in the same way. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { COPY_PARTS, type CopyableGraph, type CopyPart } from "../../src/graph/graph-copy.ts";
import { toConnectorId, type WorkspaceId } from "../../src/ids.ts";
import { checkOf, columnOf, newWorkspace, nodeOf, stampOf, timeOf } from "../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../support/model-runs.ts";
import { operations } from "../support/random-graph.ts";
import { createReferenceGraph } from "../support/reference-graph.ts";
import { sharedGraph } from "./catalog-graph.ts";
import { history, interview, live } from "./catalog-graph/histories.ts";

/** Copies as a person would, but with small pages. JSON stands for the file between the two stores. */
async function copy(
  from: CopyableGraph,
  to: CopyableGraph,
  [source, target]: [WorkspaceId, WorkspaceId],
  limit: number,
): Promise<number> {
  let refused = 0;
  for (const part of COPY_PARTS) refused += await copyPart(from, to, [source, target], part, limit);
  return refused;
}

async function copyPart<P extends CopyPart>(
  from: CopyableGraph,
  to: CopyableGraph,
  [source, target]: [WorkspaceId, WorkspaceId],
  part: P,
  limit: number,
): Promise<number> {
  let refused = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof from.copyOut<P>>> = await from.copyOut(source, part, { after, limit });
    const rows = JSON.parse(JSON.stringify(page.rows)) as typeof page.rows;
    refused += await to.copyIn(target, part, rows);
    after = page.next;
  } while (after !== null);
  return refused;
}

/**
 * @param openSource a store that holds workspaces
 * @param openTarget another store
 */
export function describeGraphCopy(
  name: string,
  openSource: () => Promise<CopyableGraph>,
  openTarget: () => Promise<CopyableGraph>,
  few = 40,
): void {
  describe(`a copy ${name}`, () => {
    const source = sharedGraph(openSource);
    const target = sharedGraph(openTarget);

    it(
      "answers as the original, also if it is made twice, and lives on as the original does",
      MODEL_TIMEOUT,
      async () => {
        const lives = history.chain((past) =>
          fc.record({
            past: fc.constant(past),
            future: operations(past.world.length, past.said.length),
            limit: fc.integer({ min: 1, max: 5 }),
          }),
        );
        await fc.assert(
          fc.asyncProperty(lives, async ({ past: { world, said, here, elsewhere, asked }, future, limit }) => {
            const reference = createReferenceGraph();
            const workspace = newWorkspace();
            await live(newWorkspace(), world, said, elsewhere, source(), reference);
            await live(workspace, world, said, here, source(), reference);
            expect(await copy(source(), target(), [workspace, workspace], limit)).toBe(0);
            expect(await copy(source(), target(), [workspace, workspace], limit)).toBe(0);
            expect(await interview(target(), workspace, world, asked)).toEqual(
              await interview(source(), workspace, world, asked),
            );
            await live(workspace, world, said, future, target(), reference);
            expect(await interview(target(), workspace, world, asked)).toEqual(
              await interview(reference, workspace, world, asked),
            );
          }),
          modelRuns(few),
        );
      },
    );

    it("has the checks with their last results, and other workspaces stay behind", async () => {
      const [workspace, other] = [newWorkspace(), newWorkspace()];
      const model = nodeOf(workspace, "model", "wh.mart.orders");
      const id = columnOf(workspace, model, "id", 0);
      const result = { status: "fail", message: "3 of 9", failures: 3, ranAt: timeOf(1) } as const;
      const checks = [
        checkOf(workspace, "unique_orders_id", [model], [id], { result }),
        checkOf(workspace, "not_null_orders_id", [model], [id], { severity: "warn" }),
      ];
      await source().writeNodes(stampOf(workspace, "dbt", 1), "all", [model, id]);
      await source().writeChecks(stampOf(workspace, "dbt", 1), "all", checks);
      await source().writeNodes(stampOf(other, "dbt", 1), "all", [nodeOf(other, "model", "wh.mart.orders")]);
      expect(await copy(source(), target(), [workspace, workspace], 1)).toBe(0);
      const asked = [model, id].map((node) => ({ node: node.id, first: 10, after: null }));
      expect(await target().loadChecks(workspace, asked)).toEqual(await source().loadChecks(workspace, asked));
      expect((await target().loadChecks(workspace, asked))[0]?.total).toBe(2);
      expect(await target().countNodes(other)).toMatchObject({ model: 0 });
      await target().sweep(stampOf(workspace, "dbt", 2), "all");
      expect((await target().loadChecks(workspace, asked))[0]?.total).toBe(0);
    });

    it("refuses and counts edges and references whose ends are not there", async () => {
      const workspace = newWorkspace();
      const [model, view] = [nodeOf(workspace, "model", "wh.orders"), nodeOf(workspace, "model", "wh.view")];
      const stated = { connectorId: toConnectorId("conn_1"), scope: "all", syncId: "sync_1" };
      const [from, to] = [model.id, view.id];
      expect(await target().copyIn(workspace, "edges", [{ from, to, kind: "derives", uses: [], ...stated }])).toBe(1);
      expect(await target().copyIn(workspace, "references", [{ from, to, ...stated }])).toBe(1);
    });
  });
}
