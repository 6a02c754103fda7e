/** Who an asset is: the same id wherever and by whichever connector it is seen. */
import { hash } from "node:crypto";

import type { NodeType } from "./asset.ts";
import { fold } from "./text.ts";

/** Names a node by where it lives. A column's parts are its relation's and its name. */
export interface NodeRef {
  /** The warehouse's adapter or the tool that holds it, such as `snowflake`. */
  platform: string;
  /** Tells two installations of one platform apart; "" where there is only one. */
  instance: string;
  /** What the source takes it for. Sources may differ: see `showNode` in layers.ts. */
  type: NodeType;
  /** Outermost first, such as `[database, schema, relation]`. */
  parts: readonly string[];
  /** Identifies it instead of its parts. Only for what lives nowhere, such as an ephemeral model of dbt. */
  identifiedBy?: readonly string[];
}

/** What an id tells apart. Whether a relation is a table or a model is no part of it: holders may differ about that. */
function kindOf(type: NodeType): string {
  return type === "table" || type === "model" ? "relation" : type;
}

/**
 * The id of a node: 128 bits of SHA-256 over JSON of `[workspace, platform, instance, kind, folded parts]`,
 * as 32 hexadecimal digits.
 */
export function nodeId(workspace: string, { platform, instance, type, parts, identifiedBy = parts }: NodeRef): string {
  const identity = [workspace, fold(platform), instance, kindOf(type), identifiedBy.map(fold)];
  return hash("sha256", JSON.stringify(identity), "hex").slice(0, 32);
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

/** The immutable order of lists: folded fqn, id. U+0001 sorts below every character of a name. */
export function sortKey(fqn: string, id: string): string {
  return `${fold(fqn)}\u0001${id}`;
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
