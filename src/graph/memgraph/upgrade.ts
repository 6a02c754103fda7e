/**
 * Brings assets that an earlier version stored into the indexes of the search. Each step is one transaction and notes
 * where it ended, so steps may be interrupted and repeated, and several servers may share them.
 */
import { int, type Integer } from "neo4j-driver";

import { CERTIFICATIONS } from "../../catalog/asset.ts";
import type { NodeOrder } from "../../catalog/node-order.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import { usageRank } from "../../catalog/usage.ts";
import { toNodeId, toWorkspaceId, type WorkspaceId } from "../../ids.ts";
import type { Row, Run } from "./bolt.ts";
import { saveTerms, type TermsChange } from "./save-terms.ts";
import { indexEntry } from "./search-index.ts";
import { orderText, recount } from "./sort-nodes.ts";
import { STORE } from "./store-node.ts";
import { integer, oneOf, text, usageOrNull } from "./values.ts";

/** Raised whenever `indexEntry` or the orders of lists change. */
const SEARCH_VERSION = 4;
/** Assets in one step. */
const BATCH = 500;

export const READ_PROGRESS = `
MERGE (s:Store {id: $store})
RETURN coalesce(s.searchVersion, 0) AS version,
  CASE WHEN s.indexingVersion = $target THEN coalesce(s.indexedTo, '') ELSE '' END AS indexedTo`;

export const NOTE_PROGRESS = `
MATCH (s:Store {id: $store})
SET s.searchVersion = $version, s.indexingVersion = $target, s.indexedTo = $indexedTo`;

/** Assets of all workspaces. */
export const NEXT_ASSETS = `
MATCH (a:Asset)
WHERE a.id > $after
WITH a ORDER BY a.id LIMIT $limit
RETURN a.id AS id, a.workspace AS workspace, a.type AS type, a.key AS key, a.certification AS certification,
  a.owner AS owner, a.ownerName AS ownerName, a.existence AS existence, a.updatedAt AS updatedAt,
  a.usage AS usage, a.searchName AS searchName, a.searchFqn AS searchFqn, a.searchPrefix AS searchPrefix,
  a.nameTerms AS nameTerms, a.tagTerms AS tagTerms, a.descriptionTerms AS descriptionTerms`;

export const SET_PLACES = `
UNWIND $rows AS row
MATCH (a:Asset {id: row[0], workspace: $workspace})
SET a.nameAt = row[1], a.beginsAt = row[2], a.fqnAt = row[3], a.standing = row[4], a.termsHash = row[5],
  a.byName = row[6], a.byUpdate = row[7], a.byUsage = row[8], a.usageRank = row[9]`;

/** Runs in one transaction. Returns whether all assets are up to date. */
export async function upgradeStep(run: Run): Promise<boolean> {
  const [row] = await run(READ_PROGRESS, { store: STORE, target: int(SEARCH_VERSION) });
  const [version, indexedTo] = [integer(row?.[0] ?? 0), text(row?.[1] ?? "")];
  if (version >= SEARCH_VERSION) return true;
  const assets = await run(NEXT_ASSETS, { after: indexedTo, limit: int(BATCH) });
  const entries = assets.flatMap(toEntry);
  for (const [workspace, own] of Map.groupBy(entries, (entry) => entry.workspace)) {
    await run(SET_PLACES, { workspace, rows: own.map(({ places }) => places) });
    await saveTerms(
      run,
      workspace,
      own.map(({ change }) => change),
    );
    await recount(
      run,
      workspace,
      own.map(({ change }) => change.id),
    );
  }
  const last = assets.length < BATCH ? undefined : assets.at(-1);
  const progress = last === undefined ? [SEARCH_VERSION, ""] : [version, text(last[0])];
  const [at, to] = [int(Number(progress[0])), progress[1]];
  await run(NOTE_PROGRESS, { store: STORE, target: int(SEARCH_VERSION), version: at, indexedTo: to });
  return last === undefined;
}

interface Entry {
  workspace: WorkspaceId;
  places: (string | Integer | null)[];
  change: TermsChange;
}

/** An asset that is only named has no entry. */
function toEntry([id, workspace, type, key, certification, owner, ownerName, existence, ...more]: Row): Entry[] {
  if (existence !== "held") return [];
  const [updated, usage, ...stored] = more;
  const rank = usageRank(usageOrNull(usage ?? null));
  const [updatedAt = "", searchName = "", searchFqn = "", searchPrefix = "", ...terms] = [updated, ...stored].map(text);
  const [nameTerms = "", tagTerms = "", descriptionTerms = ""] = terms;
  const source = {
    workspace: toWorkspaceId(text(workspace)),
    type: oneOf(NODE_TYPES, type),
    key: text(key),
    certification: oneOf(CERTIFICATIONS, certification),
    owner: text(owner),
    ownerName: text(ownerName),
    isHeld: true,
  };
  const texts = { searchName, searchFqn, searchPrefix, nameTerms, tagTerms, descriptionTerms };
  const entry = indexEntry(source, texts);
  const isSorted = source.type !== "column";
  const inOrder = (order: NodeOrder, value: string | number): string | null =>
    isSorted ? orderText(source.workspace, source.type, order, { value, key: source.key }) : null;
  const [byName, byUpdate] = [inOrder("name", searchName), inOrder("updated", updatedAt)];
  const used = [inOrder("usage", rank), isSorted ? int(rank) : null];
  const { nameAt = "", beginsAt = "", fqnAt = "", standing = "", termsHash = "" } = entry.places;
  return [
    {
      workspace: source.workspace,
      places: [text(id), nameAt, beginsAt, fqnAt, standing, termsHash, byName, byUpdate, ...used],
      change: { id: toNodeId(text(id)), isNew: false, terms: entry.terms },
    },
  ];
}
