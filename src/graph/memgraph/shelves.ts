/** Lists as ranges of one index: each type of a workspace is a shelf on which its nodes stand by their keys. */
import { ASSET_TYPES, NODE_TYPES, type NodeType } from "../../catalog/asset.ts";
import { keysWithin } from "../../catalog/identity.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
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

/** The shelves of the filter's types, within its schema, behind a key; from their beginning where it is null. */
export function shelvesBehind(
  workspace: string,
  { types, schema }: Pick<NodeFilter, "types" | "schema">,
  after: string | null,
): ShelfRange[] {
  const within = schema === undefined ? null : keysWithin(schema);
  const begin = within !== null && compareCodePoints(within.after, after ?? "") > 0 ? within.after : (after ?? "");
  return [...new Set(types === "asset" ? ASSET_TYPES : types)].map((type) => ({
    type,
    after: shelfOf(workspace, type, begin),
    before: within === null ? `${workspace}\u0001${type}\u0002` : shelfOf(workspace, type, within.before),
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
