/** Lists as ranges of one index. Its keys begin with the workspace and the type, so a list of one type is one range. */
import { namedTypes, NODE_TYPES, type NodeType } from "../../catalog/node-types.ts";
import { keysWithin } from "../../catalog/identity.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFilter } from "../catalog-graph.ts";

/** A range of the index between two texts. Both ends are exclusive. */
export interface ListRange {
  type: NodeType;
  after: string;
  before: string;
}

/** The key of a node in the index. U+0001 separates the parts, and sorts below every character of a name. */
export function listKeyOf(workspace: WorkspaceId, type: NodeType, key: string): string {
  return `${workspace}\u0001${type}\u0001${key}`;
}

/**
 * The ranges of the filter's types, within its schema, after a key. If the key is null, they start at the beginning.
 */
export function rangesAfter(
  workspace: WorkspaceId,
  { types, schema }: Pick<NodeFilter, "types" | "schema">,
  after: string | null,
): ListRange[] {
  const within = schema === undefined ? null : keysWithin(schema);
  const begin = within !== null && compareCodePoints(within.after, after ?? "") > 0 ? within.after : (after ?? "");
  return namedTypes({ types }).map((type) => ({
    type,
    after: listKeyOf(workspace, type, begin),
    before: within === null ? `${workspace}\u0001${type}\u0002` : listKeyOf(workspace, type, within.before),
  }));
}

/** The ranges of the nodes with one fqn, in any case, of one type or of all. */
export function rangesOfFqn(workspace: WorkspaceId, fqn: string, type: NodeType | undefined): ListRange[] {
  return (type === undefined ? NODE_TYPES : [type]).map((each) => ({
    type: each,
    after: listKeyOf(workspace, each, `${fold(fqn)}\u0001`),
    before: listKeyOf(workspace, each, `${fold(fqn)}\u0002`),
  }));
}

/** Whether `:Asset` a of $workspace is in the range `bounds`. */
export const IN_RANGE = "a.workspace = $workspace AND a.listKey > bounds.after AND a.listKey < bounds.before";
