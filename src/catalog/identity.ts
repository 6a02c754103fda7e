/** Who an asset is: the same id wherever and by whichever connector it is seen. */
import { hash } from "node:crypto";

import type { NodeType } from "./asset.ts";
import { fold } from "./text.ts";

/** Names a node by where it lives. A column's parts end with its parent's type, then its name. */
export interface NodeRef {
  /** The warehouse's adapter or the tool that holds it, such as `snowflake`. */
  platform: string;
  /** Tells two installations of one platform apart; "" where there is only one. */
  instance: string;
  type: NodeType;
  /** Outermost first, such as `[database, schema, relation]`. */
  parts: readonly string[];
}

/**
 * The id of a node: 128 bits of SHA-256 over JSON of `[workspace, platform, instance, folded parts, type]`,
 * as 32 hexadecimal digits.
 */
export function nodeId(workspace: string, ref: NodeRef): string {
  const identity = [workspace, fold(ref.platform), ref.instance, ref.parts.map(fold), ref.type];
  return hash("sha256", JSON.stringify(identity), "hex").slice(0, 32);
}

/** Names a column of a table or model. */
export function columnRef(parent: NodeRef, name: string): NodeRef {
  return { ...parent, type: "column", parts: [...parent.parts, parent.type, name] };
}

/** The dot-separated name that people read: a column's leaves its parent's type out. */
export function toFqn(ref: NodeRef): string {
  const parts = ref.type === "column" ? ref.parts.toSpliced(-2, 1) : ref.parts;
  return parts.join(".");
}

/** The immutable order of lists: folded fqn, type, id. U+0001 sorts below every character of a name. */
export function sortKey(fqn: string, type: NodeType, id: string): string {
  return `${fold(fqn)}\u0001${type}\u0001${id}`;
}

/** Where the keys lie of all nodes whose fqn goes on behind these first parts, in any case; neither end is among them. */
export function keysWithin(schema: string): { after: string; before: string } {
  // A slash comes next behind a dot.
  return { after: `${fold(schema)}.`, before: `${fold(schema)}/` };
}

/** The id in a key that `sortKey` made. */
export function idOf(key: string): string {
  return key.slice(key.lastIndexOf("\u0001") + 1);
}
