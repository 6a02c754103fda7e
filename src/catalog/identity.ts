/** The identity of an asset: it has the same id wherever it is crawled, and whichever connector states it. */
import { hash } from "node:crypto";

import { type NodeId, toNodeId, type WorkspaceName } from "../ids.ts";
import { NODE_TYPE_TABLE, type NodeType } from "./node-types.ts";
import { fold } from "./text.ts";

/** Names a node by the path to it. The parts of a column are the parts of its relation and its own name. */
export interface NodeRef {
  /** The warehouse's adapter or the tool, such as `snowflake`. */
  platform: string;
  /** Separates two installations of one platform; "" if there is only one. */
  instance: string;
  /** The type that the source gives it. Sources may disagree: see `showNode` in layers.ts. */
  type: NodeType;
  /** Outermost first, such as `[database, schema, relation]`. */
  parts: readonly string[];
  /**
   * Identifies the node instead of `parts`. Only for a node that has no path of its own, such as an ephemeral dbt model.
   */
  identifiedBy?: readonly string[];
}

/**
 * The id of a node: 128 bits of SHA-256 over JSON of `[workspace, platform, instance, kind, folded parts]`,
 * as 32 hexadecimal digits.
 */
export function nodeId(
  workspace: WorkspaceName,
  { platform, instance, type, parts, identifiedBy = parts }: NodeRef,
): NodeId {
  const identity = [workspace, fold(platform), instance, NODE_TYPE_TABLE[type].identity, identifiedBy.map(fold)];
  return toNodeId(hash("sha256", JSON.stringify(identity), "hex").slice(0, 32));
}

/** Names a column of a table or model. */
export function columnRef({ identifiedBy, ...parent }: NodeRef, name: string): NodeRef {
  const column: NodeRef = { ...parent, type: "column", parts: [...parent.parts, name] };
  return identifiedBy === undefined ? column : { ...column, identifiedBy: [...identifiedBy, name] };
}

/** The dot-separated name that people read. */
export function toFqn({ parts }: Pick<NodeRef, "parts">): string {
  return parts.join(".");
}

/** Ends the fqn in a sort key. It sorts below every character of a name. */
export const KEY_END = "\u0001";

/** The order of lists, which never changes: folded fqn, then id. */
export function sortKey(fqn: string, id: NodeId): string {
  return `${fold(fqn)}${KEY_END}${id}`;
}

/** The range of keys of all nodes whose fqn begins with these parts, in any case; all keys for "". Both ends are exclusive. */
export function keysWithin(schema: string): { after: string; before: string } {
  if (schema === "") return { after: "", before: "\u{10FFFF}" };
  // In code point order, a slash comes directly after a dot.
  return { after: `${fold(schema)}.`, before: `${fold(schema)}/` };
}

/**
 * The schema of a node by its sort key: the first parts of its fqn, folded, as `keysWithin` takes them. Empty if it has
 * none.
 */
export function schemaOf({ key, type }: { key: string; type: NodeType }): string {
  return schemaIn({ fqn: key.slice(0, key.lastIndexOf(KEY_END)), type });
}

/** The same in the case of the fqn. */
export function schemaIn({ fqn, type }: { fqn: string; type: NodeType }): string {
  // After it come its name and, before that, a column's table.
  const after = type === "column" ? 2 : 1;
  return fqn.split(".").slice(0, -after).join(".");
}

/** A place in the tree of platforms, databases and schemas. */
export interface FolderPath {
  platform?: string | undefined;
  /** The first part of a schema, folded; "" for none. Only with a platform. */
  database?: string | undefined;
}

/** How many parts a schema has. */
export function countParts(schema: string): number {
  return schema === "" ? 0 : schema.split(".").length;
}

/** The id in a key that `sortKey` made. */
export function idOf(key: string): NodeId {
  return toNodeId(key.slice(key.lastIndexOf(KEY_END) + 1));
}
