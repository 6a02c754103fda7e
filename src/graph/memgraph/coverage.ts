/**
 * Works out how complete an answer about some nodes is. Each scope whose crawl ended early has an `:IncompleteSource`.
 */
import { type Coverage, INCOMPLETE_CRAWL, MAX_GAPS } from "../../catalog/coverage.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { ConnectorId, NodeId, WorkspaceId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { sourceOf } from "./claims.ts";
import { openSource } from "./sources.ts";
import { collected, list, text } from "./values.ts";

/** What `holdersText` writes for no holder. */
export const NO_HOLDERS = "'[]'";

export const COVERED = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN ${collected("a.id", "ids")}, ${collected("a.gap", "gaps")}, ${collected("a.holders", "holders", NO_HOLDERS)}`;

export const INCOMPLETE = `
UNWIND $ids AS id
MATCH (s:IncompleteSource {id: id, workspace: $workspace})
RETURN s.id AS id`;

export const MARK_INCOMPLETE = `
MERGE (s:IncompleteSource {id: $id, workspace: $workspace})`;

export const MARK_COMPLETE = `
MATCH (s:IncompleteSource {id: $id, workspace: $workspace})
DELETE s`;

/** A node of an answer, with its gap and the text of its holders. */
export interface CoveredNode {
  id: NodeId;
  gap: string;
  holders: string;
}

/** @param ids in the order of the answer, each once */
export async function coverNodes(run: Run, workspace: WorkspaceId, ids: readonly NodeId[]): Promise<Coverage> {
  const [row] = await run(COVERED, { workspace, ids });
  const [found = [], gaps = [], holders = []] = (row ?? []).map(list);
  const loaded = new Map(found.map((id, i) => [text(id), { gap: text(gaps[i]), holders: text(holders[i]) }]));
  const nodes = ids.flatMap((id) => {
    const own = loaded.get(id);
    return own === undefined ? [] : [{ id, gap: own.gap, holders: own.holders }];
  });
  return coverLoaded(run, workspace, nodes);
}

/** @param nodes in the order of the answer, each once */
export async function coverLoaded(run: Run, workspace: WorkspaceId, nodes: readonly CoveredNode[]): Promise<Coverage> {
  // Only `holdersText` writes these texts. There are few different ones.
  const different = new Set(nodes.map(({ holders }) => holders));
  const sets = new Map([...different].map((set) => [set, JSON.parse(set) as [ConnectorId, string][]]));
  const sources = new Map([...sets.values()].flat().map(([connector, source]) => [source, connector]));
  const incomplete = new Set(
    (await run(INCOMPLETE, { workspace, ids: [...sources.keys()] })).map(([source]) => text(source)),
  );
  const open = nodes.flatMap(({ id, gap, holders }) => {
    const isIncomplete = sets.get(holders)?.some(([, source]) => incomplete.has(source)) === true;
    return gap !== "" || isIncomplete ? [{ id, reason: gap || INCOMPLETE_CRAWL }] : [];
  });
  return {
    connectors: [...new Set(sources.values())].toSorted(compareCodePoints),
    gaps: open.slice(0, MAX_GAPS),
    gapsTotal: open.length,
  };
}

/**
 * Also opens the source, so that a removal of its connector finds the mark.
 * @throws AppError `conflict` for a connector that was removed
 */
export async function markIncomplete(run: Run, stamp: CrawlStamp, scope: string): Promise<void> {
  await openSource(run, stamp, scope);
  await run(MARK_INCOMPLETE, { id: sourceOf(stamp, scope), workspace: stamp.workspace });
}

/** @param id the id of the source */
export async function markComplete(run: Run, workspace: WorkspaceId, id: string): Promise<void> {
  await run(MARK_COMPLETE, { id, workspace });
}
