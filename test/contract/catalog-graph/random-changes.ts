/** The pages of what changed are what a comparison of all successive states yields, whatever connectors and people do. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { CHANGE_ENTRY_KINDS } from "../../../src/catalog/changes/change.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import type { ChangePage, ChangePlace, ChangeQuery, PastChange } from "../../../src/graph/history/list-changes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { newWorkspace, timeOf } from "../../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../support/model-runs.ts";
import { idAt } from "../../support/random-graph.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";
import { history, live } from "./histories.ts";

export function describeRandomChanges(open: OpenGraph, runs: number): void {
  it("All pages of changes are the differences between successive states", MODEL_TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 4 }), async ({ world, said, here, asked }, limit) => {
        const reference = createReferenceGraph({ keepsPast: true });
        const workspace = newWorkspace();
        await live(workspace, world, said, here, open(), reference);
        const all = { since: null, until: timeOf(here.length) };
        const ids = world.map((_, i) => idAt(workspace, i));
        const queries: ChangeQuery[] = [
          all,
          ...ids.map((about) => ({ ...all, about })),
          { ...all, within: new Set(ids.slice(0, 3)) },
          { ...all, kinds: CHANGE_ENTRY_KINDS.filter((_, i) => i % 2 === asked.first % 2) },
          { ...all, tag: "pii", connector: "dbt" },
          { since: null, until: timeOf(Math.max(1, here.length - 3)) },
        ];
        for (const query of queries) {
          const pages = (graph: CatalogGraph, size: number) => allChanges(graph, workspace, query, size);
          const expected = await pages(reference, 1_000);
          expect({ query, changes: await pages(open(), limit) }).toEqual({ query, changes: expected });
        }
      }),
      modelRuns(runs),
    );
  });
}

/** The changes of all pages, or the error of the first one. Moments have other numbers in the reference. */
async function allChanges(graph: CatalogGraph, workspace: WorkspaceId, query: ChangeQuery, limit: number) {
  const changes: unknown[] = [];
  let after: ChangePlace | null = null;
  do {
    const page: ChangePage | string = await graph
      .listChanges(workspace, query, { after, limit })
      .catch((error: Error) => error.message);
    if (typeof page === "string") return page;
    changes.push(...page.items.map(withoutNumber));
    after = page.next;
  } while (after !== null);
  return changes;
}

function withoutNumber(change: PastChange) {
  return { ...change, moment: { ...change.moment, number: 0 } };
}
