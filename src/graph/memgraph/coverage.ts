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
  const texts = nodes.map(({ sources }) => sources);
  return coverWith(await loadSets(run, workspace, texts), nodes);
}

/** By the text of some sources: their connectors, and whether any of them is incomplete. */
type SourceSets = ReadonlyMap<string, { connectors: ConnectorId[]; isIncomplete: boolean }>;

/** @param texts there are few different ones */
export async function loadSets(run: Run, workspace: WorkspaceId, texts: readonly string[]): Promise<SourceSets> {
  // Only `sourcesText` writes these texts.
  const sets = [...new Set(texts)].map((set) => ({ set, sources: JSON.parse(set) as [ConnectorId, string][] }));
  const ids = [...new Set(sets.flatMap(({ sources }) => sources.map(([, source]) => source)))];
  const incomplete = new Set((await run(INCOMPLETE, { workspace, ids })).map(([source]) => source));
  return new Map(
    sets.map(({ set, sources }) => [
      set,
      {
        connectors: sources.map(([connector]) => connector),
        isIncomplete: sources.some(([, source]) => incomplete.has(source)),
      },
    ]),
  );
}

/** @param nodes in the order of the answer, each once */
export function coverWith(sets: SourceSets, nodes: readonly CoveredNode[]): Coverage {
  const open = nodes.flatMap(({ id, gap, sources }) =>
    gap !== "" || sets.get(sources)?.isIncomplete === true ? [{ id, reason: gap || INCOMPLETE_CRAWL }] : [],
  );
  return {
    connectors: [...new Set([...sets.values()].flatMap(({ connectors }) => connectors))].toSorted(compareCodePoints),
    gaps: open.slice(0, MAX_GAPS),
    gapsTotal: open.length,
  };
}
