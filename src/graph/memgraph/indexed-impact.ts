/**
 * The impact of a change along the lineage in memory. Evidence, checks, gaps and what is shown are read from the store.
 */
import { assess } from "../../catalog/impact/assess.ts";
import type { Handle } from "../../catalog/impact/source.ts";
import type { Impact, ImpactQuery } from "../../catalog/impact.ts";
import { MAX_GAPS } from "../../catalog/coverage.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Slicer } from "../../work/slicer.ts";
import { GAP } from "../lineage-index/facts.ts";
import { indexedSource } from "../lineage-index/indexed-source.ts";
import { idOf, keyOf, type NamedLineage, numberOf, sourcesOf } from "../lineage-index/named-lineage.ts";
import type { Run } from "./bolt.ts";
import { COVERED, coverWith, loadSets } from "./coverage.ts";
import { createSource } from "./impact.ts";
import { texts } from "./values.ts";

/** Items of a list that are looked up in some milliseconds. */
const PART = 1_000;

/**
 * @param run sees one state of the store in all statements
 * @param lineage at that state
 */
export function assessAlong(
  run: Run,
  lineage: NamedLineage,
  slicer: Slicer,
  workspace: WorkspaceId,
  query: ImpactQuery,
): Promise<Impact | null> {
  const { index } = lineage;
  const { byKey, lists } = indexedSource(index, (node) => keyOf(lineage, node));
  const inSlices =
    <Item, Found>(read: (items: readonly Item[]) => Found[]) =>
    async (items: readonly Item[]): Promise<Found[]> => {
      const found: Found[] = [];
      for (let start = 0; start < items.length; start += PART) {
        if (slicer.isDue()) await slicer.next();
        for (const one of read(items.slice(start, start + PART))) found.push(one);
      }
      return found;
    };
  const store = createSource(run, workspace, {
    // Whatever the store names here, it was asked about.
    handleOf: (id) => numberOf(lineage, id) ?? 0,
    idOf: (node) => idOf(lineage, node),
  });
  return assess(query, {
    ...store,
    byKey,
    find: (id) => numberOf(lineage, id) ?? null,
    loadNodes: inSlices(lists.loadNodes),
    judge: inSlices(lists.judge),
    listColumns: inSlices(lists.listColumns),
    followColumns: inSlices(lists.followColumns),
    followAssets: inSlices(lists.followAssets),
    followReferences: inSlices(lists.followReferences),
    areBound: inSlices(lists.areBound),
    async cover(nodes) {
      const covered = await inSlices((some: readonly Handle[]) =>
        some.map((node) => ({
          id: idOf(lineage, node),
          gap: (index.facts(node) & GAP) === 0 ? "" : "not read",
          sources: sourcesOf(lineage, node),
        })),
      )(nodes);
      // Reasons of further gaps are not shown.
      const open = covered.filter(({ gap }) => gap !== "").slice(0, MAX_GAPS);
      const [row] = open.length === 0 ? [] : await run(COVERED, { workspace, ids: open.map(({ id }) => id) });
      const [found = [], reasons = []] = (row ?? []).slice(0, 2).map(texts);
      const gaps = new Map(found.map((id, i) => [id, reasons[i] ?? ""]));
      for (const node of open) node.gap = gaps.get(node.id) ?? "";
      const sources = new Set(
        await inSlices((some: Readonly<typeof covered>) => some.map((node) => node.sources))(covered),
      );
      return coverWith(await loadSets(run, workspace, [...sources]), covered);
    },
  });
}
