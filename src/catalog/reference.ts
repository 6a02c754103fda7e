/** References: that the SQL of an asset names a column, for whatever it uses it, and be it for nothing. They are no lineage. */
import type { NodeType } from "./asset.ts";

export interface Reference {
  /** The column's id. */
  from: string;
  /** The id of the asset whose own SQL names it. */
  to: string;
}

/** Whether there can be a reference between nodes of these types: only columns are named, and by anything but a column. */
export function canReference(from: NodeType, to: NodeType): boolean {
  return from === "column" && to !== "column";
}
