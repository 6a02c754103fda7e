/** Search: all terms first, then any term, then with misspelt words corrected. */
import { namedTypes } from "../../catalog/node-types.ts";
import type { Correction, SearchMode, SearchPosition, SearchQuery } from "../../catalog/search.ts";
import { correctQuery, listCorrections } from "../../catalog/search-spelling.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import type { Run, Read } from "./bolt.ts";
import { loadFailing } from "./failing.ts";
import { findHits, type Hit, type Place } from "./find-hits.ts";
import { loadNodes } from "./read-nodes.ts";
import { createSearchIndex } from "./search-cypher.ts";
import { loadKnownTerms } from "./search-terms.ts";

interface Found {
  hit: Hit;
  mode: SearchMode;
  corrections?: readonly Correction[] | undefined;
}

/** The statements may run at the same time. */
export const searchNodes: Read<"searchNodes"> = async (run, workspace, filter, query, page) => {
  const found = await findRows(run, workspace, filter, query, page.after, page.limit + 1);
  const shown = found.slice(0, page.limit);
  const ids = shown.map(({ hit }) => hit.id);
  const nodes = await loadNodes(run, workspace, ids);
  const items = shown.flatMap(({ hit, mode, corrections }, i) => {
    const node = nodes[i] ?? null;
    // A node may be removed between the two statements.
    if (node === null) return [];
    return [{ node, position: { mode, ...hit.place, ...(corrections === undefined ? {} : { corrections }) } }];
  });
  return { items, hasMore: found.length > page.limit };
};

const HITS_AT_ONCE = 500;

/** Reads the hits of a search until enough of them are among some nodes. */
async function findAmong(
  ids: ReadonlySet<NodeId>,
  search: (after: Place | null, limit: number) => Promise<Hit[]>,
  after: Place | null,
  limit: number,
): Promise<Hit[]> {
  const found: Hit[] = [];
  let from = after;
  for (;;) {
    const hits = await search(from, HITS_AT_ONCE);
    found.push(...hits.filter(({ id }) => ids.has(id)));
    const last = hits.at(-1);
    if (found.length >= limit || last === undefined || hits.length < HITS_AT_ONCE) return found.slice(0, limit);
    from = last.place;
  }
}

async function findRows(
  run: Run,
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
  after: SearchPosition | null,
  limit: number,
): Promise<Found[]> {
  const types = namedTypes(filter);
  const failing = filter.failing ? new Set((await loadFailing(run, workspace)).map(({ id }) => id)) : null;
  const find = async (mode: SearchMode, corrections?: readonly Correction[]): Promise<Found[]> => {
    const meant = corrections === undefined ? query : correctQuery(query, corrections);
    const index = createSearchIndex(run, workspace, { filter, types, query: meant });
    const search = (from: Place | null, most: number): Promise<Hit[]> =>
      findHits(index, { workspace, types, query: meant }, { mode, after: from, limit: most });
    const hits = failing === null ? await search(after, limit) : await findAmong(failing, search, after, limit);
    return hits.map((hit) => ({ hit, mode, corrections }));
  };
  const findFirst = async (corrections?: readonly Correction[]): Promise<Found[]> => {
    const all = await find("all", corrections);
    // Of one term, every row that matches any term matches all.
    return all.length > 0 || query.terms.length < 2 ? all : await find("any", corrections);
  };
  if (types.length === 0) return [];
  if (after !== null) return await find(after.mode, after.corrections);
  const found = await findFirst();
  if (found.length > 0) return found;
  for (const corrections of listCorrections(await loadKnownTerms(run, workspace, query))) {
    const corrected = await findFirst(corrections);
    if (corrected.length > 0) return corrected;
  }
  return [];
}
