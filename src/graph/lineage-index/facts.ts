/** What the index keeps of a node as bits of a number: its type, the status of its column lineage, whether it has a gap. */
import type { ColumnLineage } from "../../catalog/asset.ts";
import { NODE_TYPES, type NodeType } from "../../catalog/node-types.ts";

/** Four bits. 0 says that there is no node. */
const TYPE = 0b1111;
const STATUS_SHIFT = 4;
const STATUS = 0b11;
export const GAP = 1 << 6;

const STATUSES = [null, "known", "partial", "unknown"] as const satisfies (ColumnLineage["status"] | null)[];

export function typeOf(facts: number): NodeType {
  const type = NODE_TYPES[(facts & TYPE) - 1];
  if (type === undefined) throw new RangeError("the lineage index does not have this node");
  return type;
}

export function statusOf(facts: number): ColumnLineage["status"] | null {
  return STATUSES[(facts >> STATUS_SHIFT) & STATUS] ?? null;
}

/** The number that each type adds to the facts, and the one that each status adds. */
export const TYPE_FACTS = NODE_TYPES.map((type, place): [NodeType, number] => [type, place + 1]);
export const STATUS_FACTS = STATUSES.flatMap((status, place): [string, number][] =>
  status === null ? [] : [[status, place << STATUS_SHIFT]],
);
