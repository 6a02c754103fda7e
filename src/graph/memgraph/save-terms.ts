/** Keeps the terms of saved and removed assets: `(:Asset)-[:HAS]->(:Term)`. A term that no asset has is deleted. */
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { Run } from "./bolt.ts";
import type { Term } from "./search-index.ts";
import { text, texts } from "./values.ts";

export const TERMS_OF = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
MATCH (a)-[:HAS]->(t)
RETURN a.id AS id, collect(t.at) AS places`;

/** Each row: the place of the term, and its word. */
export const MAKE_TERMS = `
UNWIND $rows AS row
MERGE (t:Term {at: row[0], workspace: $workspace})
ON CREATE SET t.word = row[1]`;

/** Each row: the place of a term, and the ids of assets that do not have it yet. */
export const ADD_TERMS = `
UNWIND $rows AS row
MATCH (t:Term {at: row[0], workspace: $workspace})
UNWIND row[1] AS id
MATCH (a:Asset {id: id, workspace: $workspace})
CREATE (a)-[:HAS]->(t)`;

/** Each row: the id of an asset, and the place of a term that it loses. */
export const DROP_TERMS = `
UNWIND $rows AS row
MATCH (a:Asset {id: row[0], workspace: $workspace})
MATCH (a)-[h:HAS]->(t)
WHERE t.at = row[1]
DELETE h`;

export const DELETE_UNUSED_TERMS = `
UNWIND $places AS at
MATCH (t:Term {at: at, workspace: $workspace})
WHERE inDegree(t) = 0
DELETE t`;

/** An asset that was saved, with all its terms. */
export interface TermsChange {
  id: NodeId;
  /** Whether the asset had no terms before. */
  isNew: boolean;
  terms: readonly Term[];
}

/** Brings the terms of assets up to date. The assets must be saved. */
export async function saveTerms(run: Run, workspace: WorkspaceId, changes: readonly TermsChange[]): Promise<void> {
  const known = changes.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const before = await loadTerms(run, workspace, known);
  const dropped: [id: NodeId, at: string][] = [];
  const added = new Map<string, { word: string; ids: NodeId[] }>();
  for (const { id, terms } of changes) {
    const had = new Set(before.get(id) ?? []);
    for (const { at, word } of terms) {
      // What is left at the end is dropped.
      if (had.delete(at)) continue;
      added.getOrInsertComputed(at, () => ({ word, ids: [] })).ids.push(id);
    }
    for (const at of had) dropped.push([id, at]);
  }
  if (dropped.length > 0) {
    await run(DROP_TERMS, { workspace, rows: dropped });
    const places = dropped.map(([, at]) => at);
    await deleteUnused(run, workspace, places);
  }
  if (added.size === 0) return;
  await run(MAKE_TERMS, { workspace, rows: [...added].map(([at, { word }]) => [at, word]) });
  await run(ADD_TERMS, { workspace, rows: [...added].map(([at, { ids }]) => [at, ids]) });
}

/** The places of the terms of each asset that has any. */
export async function loadTerms(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await run(TERMS_OF, { workspace, ids });
  return new Map(rows.map(([id, places]) => [text(id), texts(places)]));
}

/** Deletes those terms that no asset has any more. */
export async function deleteUnused(run: Run, workspace: WorkspaceId, places: readonly string[]): Promise<void> {
  if (places.length > 0) await run(DELETE_UNUSED_TERMS, { workspace, places: [...new Set(places)] });
}
