/** Writes the rows of the search table. */
import { isDeepStrictEqual } from "node:util";

import { standingOf, toSearchFields } from "../../catalog/search.ts";
import { countInBlock, findBlock, needsSplit, type Placed, placeOf, splitBlock } from "./search-blocks.ts";
import type { StoredNode } from "./node-row.ts";
import type { Rows } from "./rowids.ts";
import { codeOf, tokensOf } from "./search-match.ts";
import { integer, text } from "./statements.ts";

/** What is stored of a node for the search. */
export interface Searched {
  shown: StoredNode;
  columnNames: string[];
}

/** A node before and after a write; null if it is not there. */
export interface SearchChange {
  seq: number;
  before: Searched | null;
  now: Searched | null;
}

/** A row of the search table. */
interface SearchRow extends Placed {
  seq: number;
  tokens: string;
}

/** A node's row; null for a node that no search may find. */
function toRow(code: string, seq: number, { shown, columnNames }: Searched): SearchRow | null {
  if (shown.existence !== "held") return null;
  const fields = toSearchFields({ ...shown, columnNames });
  return {
    seq,
    type: shown.type,
    standing: standingOf(shown),
    key: shown.key,
    tokens: tokensOf(code, shown.type, fields).join(" "),
  };
}

/** Writes what has changed. The nodes are stored already. */
export function writeSearch(rows: Rows, changes: readonly SearchChange[]): void {
  const { sql, workspace } = rows;
  if (changes.length === 0) return;
  sql.run("INSERT INTO search_workspaces (workspace) VALUES ($workspace) ON CONFLICT DO NOTHING", { workspace });
  const code = codeOf(sql, workspace);
  const removed: SearchRow[] = [];
  const added: SearchRow[] = [];
  for (const { seq, before, now } of changes) {
    const old = before && toRow(code, seq, before);
    const row = now && toRow(code, seq, now);
    if (isDeepStrictEqual(old, row)) continue;
    if (old !== null) removed.push(old);
    if (row !== null) added.push(row);
  }
  for (const [block, some] of byBlock(rows, removed)) {
    const places = some.map((row) => placeOf(row, block, row.seq));
    removeRows(rows, places);
    countInBlock(sql, workspace, block, -some.length);
  }
  const isNew = new Set(added.map(({ seq }) => seq));
  for (const [block, some] of byBlock(rows, added)) {
    if (!needsSplit(block, some.length)) {
      countInBlock(sql, workspace, block, some.length);
      continue;
    }
    const moved = splitBlock(sql, workspace, block, (seq) => isNew.has(seq));
    for (const row of moved.flatMap((seq) => loadRow(rows, code, seq))) {
      removeRows(rows, [placeOf(row, block, row.seq)]);
      added.push(row);
    }
  }
  const placed = added.map((row): [bigint, string] => [
    placeOf(row, findBlock(sql, workspace, row.key), row.seq),
    row.tokens,
  ]);
  // In the order of rowids: the index writes its buffer out before a lower one.
  for (const [place, tokens] of placed.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    sql.run("INSERT INTO search (rowid, tokens) VALUES ($place, $tokens)", { place, tokens });
  }
}

/** The rows by their blocks, as these are before the write. */
function byBlock({ sql, workspace }: Rows, some: readonly SearchRow[]) {
  const found = some.map((row) => ({ row, block: findBlock(sql, workspace, row.key) }));
  return [...Map.groupBy(found, ({ block }) => block.label).values()].flatMap((own) =>
    own[0] === undefined ? [] : [[own[0].block, own.map(({ row }) => row)] as const],
  );
}

function removeRows({ sql }: Rows, places: readonly bigint[]): void {
  for (const place of places) sql.run("DELETE FROM search WHERE rowid = $place", { place });
}

function loadRow({ sql }: Rows, code: string, seq: number): SearchRow[] {
  const node = sql.get("SELECT seq, shown, column_names FROM nodes WHERE seq = $seq", { seq });
  if (node === undefined) return [];
  const row = toRow(code, integer(node, "seq"), parseSearched(text(node, "shown"), text(node, "column_names")));
  return row === null ? [] : [row];
}

/** Only `fingerprintOf` writes the texts. */
export function parseSearched(shown: string, columnNames: string): Searched {
  return { shown: JSON.parse(shown) as StoredNode, columnNames: JSON.parse(columnNames) as string[] };
}
