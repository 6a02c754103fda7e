/**
 * Works out how complete an answer about some nodes is. Each scope whose crawl ended early has an `:IncompleteSource`.
 */
import { type Coverage, INCOMPLETE_CRAWL, MAX_GAPS } from "../../catalog/coverage.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { ConnectorId, NodeId, WorkspaceId } from "../../ids.ts";
import type { Run } from "./bolt.ts";
import { collected, list, text } from "./values.ts";

/** What `sourcesText` writes for no source. */
export const NO_SOURCES = "'[]'";

export const COVERED = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN ${collected("a.id", "ids")}, ${collected("a.gap", "gaps")}, ${collected("a.holders", "sources", NO_SOURCES)}`;

export const INCOMPLETE = `
UNWIND $ids AS id
MATCH (s:IncompleteSource {id: id, workspace: $workspace})
RETURN s.id AS id`;

export const MARK_INCOMPLETE = `
UNWIND $ids AS id
MERGE (s:IncompleteSource {id: id, workspace: $workspace})`;

export const MARK_COMPLETE = `
UNWIND $ids AS id
MATCH (s:IncompleteSource {id: id, workspace: $workspace})
DELETE s`;

/** A node of an answer, with its gap and the text of the sources that state it. */
export interface CoveredNode {
  id: NodeId;
  gap: string;
  sources: string;
}

/** @param ids in the order of the answer, each once */
export async function coverNodes(run: Run, workspace: WorkspaceId, ids: readonly NodeId[]): Promise<Coverage> {
  const [row] = await run(COVERED, { workspace, ids });
  const [found = [], gaps = [], stating = []] = (row ?? []).map(list);
  const loaded = new Map(found.map((id, i) => [text(id), { gap: text(gaps[i]), sources: text(stating[i]) }]));
  const nodes = ids.flatMap((id) => {
    const own = loaded.get(id);
    return own === undefined ? [] : [{ id, gap: own.gap, sources: own.sources }];
  });
  return coverLoaded(run, workspace, nodes);
}

/** @param nodes in the order of the answer, each once */
export async function coverLoaded(run: Run, workspace: WorkspaceId, nodes: readonly CoveredNode[]): Promise<Coverage> {
  // Only `sourcesText` writes these texts. There are few different ones.
  const different = new Set(nodes.map(({ sources: set }) => set));
  const sets = new Map([...different].map((set) => [set, JSON.parse(set) as [ConnectorId, string][]]));
  const sources = new Map([...sets.values()].flat().map(([connector, source]) => [source, connector]));
  const incomplete = new Set(
    (await run(INCOMPLETE, { workspace, ids: [...sources.keys()] })).map(([source]) => text(source)),
  );
  const open = nodes.flatMap(({ id, gap, sources: set }) => {
    const isIncomplete = sets.get(set)?.some(([, source]) => incomplete.has(source)) === true;
    return gap !== "" || isIncomplete ? [{ id, reason: gap || INCOMPLETE_CRAWL }] : [];
  });
  return {
    connectors: [...new Set(sources.values())].toSorted(compareCodePoints),
    gaps: open.slice(0, MAX_GAPS),
    gapsTotal: open.length,
  };
}
