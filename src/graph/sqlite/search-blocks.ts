/**
 * The rowids of the search table. They follow the order of results, so the first rows of a full-text query are the
 * first results, however many rows match.
 *
 * From its highest bits, a rowid is: whether the node is a column, its standing, the label of its block, its rowid in
 * `nodes`. A block is a range of keys of a workspace; labels are in the order of these ranges. Within a block the rows
 * are in no order, so a reader sorts them. A block with too many rows is split.
 */
import type { NodeType } from "../../catalog/node-types.ts";
import type { Standing } from "../../catalog/search.ts";
import type { WorkspaceId } from "../../ids.ts";
import { integer, type Statements, text } from "./statements.ts";

/** The bits of a rowid of `nodes`, and of a label. With three more, they are the 53 bits of an integer in JavaScript. */
const NODE_BITS = 26n;
const LABEL_BITS = 24n;
export const NODE_OF_ROWID = `& ${(1n << NODE_BITS) - 1n}`;
export const BLOCK_OF_ROWID = `>> ${NODE_BITS}`;
export const LABELS = 2 ** Number(LABEL_BITS);

/** More rows than this are split. A reader may have to sort this many rows more than it shows. */
const MOST_ROWS = 256;
/** The rows of a new block, so that it can take more. */
const NEW_BLOCK = 192;
/** The part of the free labels that a new block at the end of a block takes, so that many more can follow it. */
const SHARE = 512;

/** What decides the place of a node among the results. */
export interface Placed {
  type: NodeType;
  standing: Standing;
  key: string;
}

export interface Block {
  firstKey: string;
  label: number;
  amount: number;
}

/** The first rowid of a kind, a standing and a label. */
export function placeAt(isColumn: boolean, standing: number, label = 0): bigint {
  return (((isColumn ? 4n : 0n) + BigInt(standing)) << (LABEL_BITS + NODE_BITS)) + (BigInt(label) << NODE_BITS);
}

/** @throws RangeError if the rowid in `nodes` has more bits than a place keeps for it */
export function placeOf({ type, standing }: Omit<Placed, "key">, { label }: Pick<Block, "label">, seq: number): bigint {
  if (seq >= 2 ** Number(NODE_BITS)) throw new RangeError(`The search index has no room for row ${seq} of the nodes.`);
  return placeAt(type === "column", standing, label) + BigInt(seq);
}

/** The block of a key. The first block of a workspace begins with "". */
export function findBlock(sql: Statements, workspace: WorkspaceId, key: string): Block {
  const row = sql.get(
    `SELECT first_key, label, amount FROM search_blocks WHERE workspace = $workspace AND first_key <= $key
     ORDER BY first_key DESC LIMIT 1`,
    { workspace, key },
  );
  return row === undefined
    ? { firstKey: "", label: 0, amount: 0 }
    : { firstKey: text(row, "first_key"), label: integer(row, "label"), amount: integer(row, "amount") };
}

/** Counts rows that are added to a block, or are removed from it. */
export function countInBlock(sql: Statements, workspace: WorkspaceId, { firstKey, label }: Block, by: number): void {
  sql.run(
    `INSERT INTO search_blocks (workspace, first_key, label, amount) VALUES ($workspace, $firstKey, $label, $by)
     ON CONFLICT DO UPDATE SET amount = amount + $by`,
    { workspace, firstKey, label, by },
  );
}

/** A row of the nodes in a block. */
interface Member {
  seq: number;
  key: string;
}

const MEMBERS = [
  "nodes INDEXED BY assets_by_key WHERE type <> 'metric'",
  "nodes INDEXED BY nodes_by_type WHERE type = 'metric'",
]
  .map((from) => `SELECT seq, key FROM ${from} AND workspace = $workspace AND key >= $from AND key < $to AND held`)
  .join(" UNION ALL ");

/** Above all keys: SQLite orders every blob above all text. */
const ABOVE_ALL = new Uint8Array();

/**
 * Makes room in a block that is about to have too many rows. Its nodes are stored already.
 * @param isNew whether a node has no row in the search table yet
 * @returns the other nodes that belong to another block now
 */
export function splitBlock(
  sql: Statements,
  workspace: WorkspaceId,
  block: Block,
  isNew: (seq: number) => boolean,
): number[] {
  const next = sql.get(
    "SELECT first_key, label FROM search_blocks WHERE workspace = $workspace AND first_key > $firstKey ORDER BY first_key LIMIT 1",
    { workspace, firstKey: block.firstKey },
  );
  const range = { workspace, from: block.firstKey, to: next === undefined ? ABOVE_ALL : text(next, "first_key") };
  const members = sql
    .all(`${MEMBERS} ORDER BY key`, range)
    .map((row): Member => ({ seq: integer(row, "seq"), key: text(row, "key") }));
  const end = next === undefined ? LABELS : integer(next, "label");
  const cuts = cutsOf(members, isNew).slice(0, end - block.label - 1);
  const labels = labelsOf(cuts, { label: block.label, end }, { members, isNew });
  countInBlock(sql, workspace, block, (cuts[0] ?? members.length) - block.amount);
  for (const [i, cut] of cuts.entries()) {
    const amount = (cuts[i + 1] ?? members.length) - cut;
    countInBlock(sql, workspace, { firstKey: members[cut]?.key ?? "", label: labels[i] ?? 0, amount }, amount);
  }
  return members.slice(cuts[0] ?? members.length).flatMap(({ seq }) => (isNew(seq) ? [] : [seq]));
}

export function needsSplit({ amount, label }: Block, added: number): boolean {
  return amount + added > MOST_ROWS && label < LABELS - 1;
}

/** Where new blocks begin. If most rows are before all new ones, they stay together, so that sorted nodes move no rows. */
function cutsOf(members: readonly Member[], isNew: (seq: number) => boolean): number[] {
  const firstNew = members.findIndex(({ seq }) => isNew(seq));
  const start = firstNew >= NEW_BLOCK / 2 ? firstNew : 0;
  const rest = members.length - start;
  const pieces = Math.ceil(rest / NEW_BLOCK);
  return Array.from({ length: pieces }, (_, i) => start + Math.round((rest * i) / pieces)).filter((cut) => cut > 0);
}

/** Labels for new blocks. Nodes often come in the order of keys, or against it, so most labels are left on that side. */
function labelsOf(
  cuts: readonly number[],
  { label, end }: { label: number; end: number },
  { members, isNew }: { members: readonly Member[]; isNew: (seq: number) => boolean },
): number[] {
  const [first = 0] = cuts;
  const even = Math.floor((end - label) / (cuts.length + 1));
  const narrow = Math.max(1, Math.min(even, Math.floor((end - label) / SHARE)));
  const areNew = (some: readonly Member[]): boolean => some.length > 0 && some.every(({ seq }) => isNew(seq));
  if (first > 0 && !areNew(members.slice(0, first)) && areNew(members.slice(first))) {
    return cuts.map((_, i) => label + narrow * (i + 1));
  }
  if (areNew(members.slice(0, 1)) && !areNew(members.slice(-1))) {
    return cuts.map((_, i) => end - narrow * (cuts.length - i));
  }
  return cuts.map((_, i) => label + even * (i + 1));
}
