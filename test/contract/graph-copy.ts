/** Copies: a workspace that moved to another store gives the same answers, and changes in the same way. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type CopiedNode,
  COPY_PARTS,
  type CopyableGraph,
  type CopyPage,
  type CopyPart,
  type CopyRows,
} from "../../src/graph/graph-copy.ts";
import { toConnectorId, type WorkspaceId } from "../../src/ids.ts";
import { parseRows } from "../../src/transfer/shapes.ts";
import { manyRows } from "../support/copied-rows.ts";
import { checkOf, columnOf, edgeOf, newWorkspace, nodeOf, stampOf, timeOf } from "../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../support/model-runs.ts";
import { operations } from "../support/random-graph.ts";
import { createReferenceGraph } from "../support/reference-graph.ts";
import { sharedGraph } from "./catalog-graph.ts";
import { certifiedAt, certifying, metricOf, pendingSince } from "./catalog-graph/certification.ts";
import { history, interview, live } from "./catalog-graph/histories.ts";

/** Rows of one part, which are one line of the export file. */
interface Line {
  part: CopyPart;
  rows: unknown[];
}

/** Reads a workspace, in pages of at most `limit` rows. */
async function readLines(from: CopyableGraph, workspace: WorkspaceId, limit: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const part of COPY_PARTS) {
    let after: string | null = null;
    do {
      const page: CopyPage<CopyPart> = await from.copyOut(workspace, part, { after, limit });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      lines.push({ part, rows: JSON.parse(JSON.stringify(page.rows)) as unknown[] });
      after = page.next;
    } while (after !== null);
  }
  return lines;
}

/** Returns how many rows were refused. */
async function writeLines(
  to: CopyableGraph,
  workspace: WorkspaceId,
  lines: readonly { part: string; rows: unknown[] }[],
): Promise<number> {
  let refused = 0;
  // `readLines` has read these rows from that part.
  for (const { part, rows } of lines) refused += await to.copyIn(workspace, part as CopyPart, rows as never);
  return refused;
}

/** Sorts all rows, because each engine has its own order. */
function sortRows(lines: readonly Line[]): string[] {
  return lines.flatMap(({ part, rows }) => rows.map((row) => `${part} ${toText(row)}`)).toSorted();
}

/**
 * Removes the parts of lines in which engines may differ: scopes in which nothing is stated, and the claim on which an
 * engine notes that a sync changed the node.
 */
function asStated(lines: readonly Line[]): Line[] {
  const others = JSON.stringify(lines.filter(({ part }) => part !== "scopes"));
  const isEmpty = ({ connectorId, scope, incomplete }: CopyRows["scopes"]): boolean =>
    !incomplete && !others.includes(`"connectorId":"${connectorId}","scope":${JSON.stringify(scope)}`);
  return lines.map(({ part, rows }) => {
    if (part === "scopes") return { part, rows: (rows as CopyRows["scopes"][]).filter((row) => !isEmpty(row)) };
    if (part !== "assets" && part !== "columns") return { part, rows };
    const nodes = structuredClone(rows) as CopiedNode[];
    for (const claim of nodes.flatMap(({ claims }) => claims)) claim.changedBy = null;
    return { part, rows: nodes };
  });
}

/** A row as JSON, with its keys in order. */
function toText(row: unknown): string {
  return JSON.stringify(row, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

export interface CopiedStores {
  /** Opens a store that holds workspaces. */
  openSource: () => Promise<CopyableGraph>;
  openTarget: () => Promise<CopyableGraph>;
  /** If source and target are one store: removes a workspace from it after it was read. */
  clear?: (workspace: WorkspaceId) => Promise<void>;
}

export function describeGraphCopy(
  name: string,
  { openSource, openTarget, clear = () => Promise.resolve() }: CopiedStores,
  few = 40,
): void {
  describe(`a copy ${name}`, () => {
    const source = sharedGraph(openSource);
    const target = sharedGraph(openTarget);

    it(
      "A copy answers as the original, even if it is made twice, and later changes as the original does",
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
            const lines = await readLines(source(), workspace, limit);
            const answers = await interview(source(), workspace, world, asked);
            await clear(workspace);
            expect(await writeLines(target(), workspace, lines)).toBe(0);
            expect(await writeLines(target(), workspace, lines)).toBe(0);
            expect(await interview(target(), workspace, world, asked)).toEqual(answers);
            expect(sortRows(await readLines(target(), workspace, limit))).toEqual(sortRows(lines));
            await live(workspace, world, said, future, target(), reference);
            expect(await interview(target(), workspace, world, asked)).toEqual(
              await interview(reference, workspace, world, asked),
            );
          }),
          modelRuns(few),
        );
      },
    );

    it("A copy has the same rows from either store", MODEL_TIMEOUT, async () => {
      await fc.assert(
        fc.asyncProperty(history, async ({ world, said, here }) => {
          const workspace = newWorkspace();
          await live(workspace, world, said, here, source(), createReferenceGraph());
          const lines = await readLines(source(), workspace, 7);
          await clear(workspace);
          await live(workspace, world, said, here, target(), createReferenceGraph());
          const there = await readLines(target(), workspace, 7);
          expect(sortRows(asStated(there))).toEqual(sortRows(asStated(lines)));
        }),
        modelRuns(few),
      );
    });

    it("A copy has the checks with their results and what changed in them, and nothing of other workspaces", async () => {
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
      const skipped = { ...result, status: "skipped" } as const;
      for (const [i, last] of [{ ...result, status: "pass" } as const, result, skipped].entries()) {
        const check = checkOf(workspace, "unique_orders_id", [model], [id], { result: last });
        await source().writeChecks(stampOf(workspace, "dbt", i + 2), "all", [check, ...checks.slice(1)]);
      }
      const changed = async (graph: CopyableGraph) => {
        const query = { since: null, until: timeOf(9) };
        const { items } = await graph.listChanges(workspace, query, { after: null, limit: 9 });
        return items.map(({ kind, moment: { at }, check }) => [kind, at, check?.message]);
      };
      const changes = await changed(source());
      expect(changes.map(([kind]) => kind)).toEqual(["check_failed", "check_passed"]);
      await source().writeNodes(stampOf(other, "dbt", 1), "all", [nodeOf(other, "model", "wh.mart.orders")]);
      const asked = [model, id].map((node) => ({ node: node.id, first: 10, after: null }));
      const pages = await source().loadChecks(workspace, asked);
      const lines = await readLines(source(), workspace, 1);
      for (const each of [workspace, other]) await clear(each);
      // As an import reads them.
      expect(await writeLines(target(), workspace, lines.map(parseRows))).toBe(0);
      expect(await target().loadChecks(workspace, asked)).toEqual(pages);
      expect((await target().loadChecks(workspace, asked))[0]?.total).toBe(2);
      expect(await changed(target())).toEqual(changes);
      expect(sortRows(await readLines(target(), workspace, 1))).toEqual(sortRows(lines));
      expect(await target().countNodes(other)).toMatchObject({ model: 0 });
      const passes = checkOf(workspace, "unique_orders_id", [model], [id], { result: { ...result, status: "pass" } });
      await target().writeChecks(stampOf(workspace, "dbt", 5), "all", [passes]);
      expect((await changed(target())).length).toBe(3);
      await target().sweep(stampOf(workspace, "dbt", 6), "all");
      expect((await target().loadChecks(workspace, asked))[0]?.total).toBe(0);
    });

    it("A second copy undoes what was certified and marked since the first", async () => {
      const workspace = newWorkspace();
      const metric = metricOf(workspace);
      const [stamp, all, part] = [stampOf(workspace, "dbt", 1), "all", "part"];
      for (const scope of [all, part]) await source().writeNodes(stamp, scope, [metric]);
      await source().markIncomplete(stamp, part);
      await source().certify(workspace, metric.id, certifying(2));
      const lines = await readLines(source(), workspace, 5);
      const trails = await source().loadTrails(workspace, [metric.id]);
      await clear(workspace);
      expect(await writeLines(target(), workspace, lines)).toBe(0);
      const change = pendingSince(5, certifiedAt(2, 1), "a person certifies it");
      expect(await target().certify(workspace, metric.id, change)).toBe("done");
      await target().markIncomplete(stamp, all);
      expect(sortRows(await readLines(target(), workspace, 5))).not.toEqual(sortRows(lines));
      expect(await writeLines(target(), workspace, lines)).toBe(0);
      expect(sortRows(await readLines(target(), workspace, 5))).toEqual(sortRows(lines));
      expect(await target().loadTrails(workspace, [metric.id])).toEqual(trails);
    });

    it("A first crawl leaves only its moment, an unchanged one nothing, and a change only what changed", async () => {
      const workspace = newWorkspace();
      const orders = nodeOf(workspace, "model", "wh.orders", { sql: "select a from t", description: "orders" });
      const total = columnOf(workspace, orders, "total", 0);
      const view = nodeOf(workspace, "model", "wh.view");
      const crawl = async (step: number, model: typeof orders, edges: Parameters<typeof edgeOf>[]) => {
        const stamp = stampOf(workspace, "dbt", step);
        if (step === 1) await source().writeNodes(stamp, "all", [{ ...model, existence: "referenced" }, view]);
        await source().writeNodes(stamp, "all", [model, total, view]);
        const stated = edges.map((edge) => edgeOf(...edge));
        await source().writeEdges(stamp, "all", stated);
        await source().writeReferences(stamp, "all", [{ from: total.id, to: view.id }]);
        await source().sweep(stamp, "all");
      };
      const readHistory = async () => {
        const lines = await readLines(source(), workspace, 50);
        return Object.fromEntries(
          (["moments", "keptNodes", "keptLinks"] as const).map((kind) => [
            kind,
            lines.filter(({ part }) => part === kind).flatMap(({ rows }) => rows),
          ]),
        );
      };
      const moments = [1, 3].map((step, i) => {
        const { connectorId, syncId, at } = stampOf(workspace, "dbt", step);
        return { number: i + 1, at, connectorId, syncId, actor: "", isFirst: i === 0 };
      });
      await crawl(1, orders, [[orders, view, "derives"]]);
      expect(await readHistory()).toEqual({ moments: moments.slice(0, 1), keptNodes: [], keptLinks: [] });
      await crawl(2, orders, [[orders, view, "derives"]]);
      expect(await readHistory()).toEqual({ moments: moments.slice(0, 1), keptNodes: [], keptLinks: [] });
      await crawl(3, { ...orders, facts: { ...orders.facts, sql: "select a, b from t" } }, []);
      const was = { sqlWas: { begin: 8, end: 7, text: "" }, updatedAt: timeOf(1) };
      const span = { since: 1, until: 2 };
      expect(await readHistory()).toEqual({
        moments,
        keptNodes: [expect.objectContaining({ id: orders.id, isWhole: false, was, ...span })],
        keptLinks: [expect.objectContaining({ from: orders.id, to: view.id, kind: "derives", uses: [], ...span })],
      });
    });

    it("A copy reads every row of each part, however many pages they fill, and counts them", async () => {
      const workspace = newWorkspace();
      const rows = manyRows(workspace);
      for (const part of COPY_PARTS) {
        // The rows are those of the part.
        expect(await target().copyIn(workspace, part, rows[part] as never)).toBe(0);
      }
      const lines = await readLines(target(), workspace, 2);
      const whole = await readLines(target(), workspace, 1_000);
      for (const part of COPY_PARTS) {
        const inPages = lines.filter((line) => line.part === part);
        expect([part, inPages.length > 3]).toEqual([part, true]);
        expect(sortRows(inPages)).toEqual(sortRows(whole.filter((line) => line.part === part)));
        expect([part, await target().countRows(workspace, part)]).toEqual([part, rows[part].length]);
        expect(inPages.flatMap((line) => line.rows).length).toBe(rows[part].length);
      }
    });

    it("A copy refuses and counts edges and references whose ends do not exist", async () => {
      const workspace = newWorkspace();
      const [model, view] = [nodeOf(workspace, "model", "wh.orders"), nodeOf(workspace, "model", "wh.view")];
      const stated = { connectorId: toConnectorId("conn_1"), scope: "all", syncId: "sync_1" };
      const [from, to] = [model.id, view.id];
      expect(await target().copyIn(workspace, "edges", [{ from, to, kind: "derives", uses: [], ...stated }])).toBe(1);
      expect(await target().copyIn(workspace, "references", [{ from, to, ...stated }])).toBe(1);
    });
  });
}
