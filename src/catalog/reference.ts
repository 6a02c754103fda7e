/** References: the SQL of an asset names a column, for any use or for none. References are not lineage. */
import type { NodeId } from "../ids.ts";
import type { NodeType } from "./node-types.ts";

export interface Reference {
  /** The column's id. */
  from: NodeId;
  /** The id of the asset whose own SQL names it. */
  to: NodeId;
}

/**
 * Whether a reference between nodes of these types can exist. Only columns are named, and a column never names another.
 */
export function canReference(from: NodeType, to: NodeType): boolean {
  return from === "column" && to !== "column";
}
