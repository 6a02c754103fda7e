/** Lists as ranges of one index: each type of a workspace is a shelf on which its nodes stand by their keys. */
import { ASSET_TYPES, NODE_TYPES, type NodeType } from "../../catalog/asset.ts";
import { fold } from "../../catalog/text.ts";
import type { NodeFilter } from "../catalog-graph.ts";

/** The part of a shelf between two texts, neither included. */
export interface ShelfRange {
  type: NodeType;
  after: string;
  before: string;
}

/** The place of a node: U+0001 stands between the parts, and sorts below every character of a name. */
export function shelfOf(workspace: string, type: NodeType, key: string): string {
  return `${workspace}\u0001${type}\u0001${key}`;
}

/** The shelves of the named types behind a key; from their beginning where it is null. */
export function shelvesBehind(workspace: string, types: NodeFilter["types"], after: string | null): ShelfRange[] {
  return [...new Set(types === "asset" ? ASSET_TYPES : types)].map((type) => ({
    type,
    after: shelfOf(workspace, type, after ?? ""),
    before: `${workspace}\u0001${type}\u0002`,
  }));
}

/** Where the nodes of one fqn stand, whatever its case: on the shelf of one type or of all. */
export function shelvesOfFqn(workspace: string, fqn: string, type: NodeType | undefined): ShelfRange[] {
  return (type === undefined ? NODE_TYPES : [type]).map((each) => ({
    type: each,
    after: shelfOf(workspace, each, `${fold(fqn)}\u0001`),
    before: shelfOf(workspace, each, `${fold(fqn)}\u0002`),
  }));
}

/** Whether `:Asset` a of $workspace stands in the range `shelf`. */
export const ON_SHELF = "a.workspace = $workspace AND a.shelf > shelf.after AND a.shelf < shelf.before";
