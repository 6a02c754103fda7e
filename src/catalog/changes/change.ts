/** What changed in the catalog: one entry for each cause, with the parts that follow from it. */
import type { PastNode } from "../asset.ts";
import type { Check } from "../check.ts";
import type { EdgeKind } from "../edge.ts";
import type { NodeType } from "../node-types.ts";
import type { NodeId } from "../../ids.ts";

/**
 * What an entry can say. `asset_renamed`: the asset got another name or moved to another schema. `check_passed`: it failed
 * before. `schedule_missed`: a run of a pipeline was due and had not begun. `schedule_met`: one has begun since.
 */
export const CHANGE_ENTRY_KINDS = [
  "asset_added",
  "asset_removed",
  "asset_renamed",
  "column_added",
  "column_removed",
  "column_retyped",
  "sql_changed",
  "description_changed",
  "owner_changed",
  "tags_changed",
  "certification_changed",
  "edge_added",
  "edge_removed",
  "check_failed",
  "check_passed",
  "schedule_missed",
  "schedule_met",
] as const;
export type ChangeEntryKind = (typeof CHANGE_ENTRY_KINDS)[number];

/**
 * The fields of a node that an entry compares. `expression` is what a metric measures; `upstream` is what it reads; `result` is
 * that of a check.
 */
export type ChangedField =
  | "name"
  | "type"
  | "sql"
  | "expression"
  | "description"
  | "owner"
  | "tags"
  | "certification"
  | "upstream"
  | "result";

export interface ChangedNode {
  id: NodeId;
  name: string;
  fqn: string;
  type: NodeType;
  /** The table or model of a column. */
  parentId: NodeId | null;
}

/**
 * Something that changed as a part of an entry, such as a column of a model whose SQL changed. `sql_changed` is a column
 * that the new SQL computes otherwise, or the model itself if other SQL decides which rows it has.
 */
export interface ChangePart {
  kind: ChangeEntryKind;
  /** The column, the upstream end of the edge, or the model itself. */
  nodeId: NodeId;
  name: string;
  /** A column's data type. */
  before: string | null;
  after: string | null;
}

/** The check whose result changed. */
export interface ChangedCheck extends Pick<Check, "id" | "name"> {
  /** What the source says about the result; "" if it says nothing. */
  message: string;
  columns: readonly NodeId[];
}

export interface ChangeEntry {
  /** Its place among the entries of one moment, in ascending order. It occurs once. */
  key: string;
  kind: ChangeEntryKind;
  /** What changed, as it is afterwards; what was removed, as it was before. */
  node: ChangedNode;
  /** The upstream end of an edge, or a renamed asset as it was before; null for other kinds. */
  other: ChangedNode | null;
  /** Null if the whole node or edge came or went. */
  field: ChangedField | null;
  /** Null for what was not there. */
  before: string | null;
  after: string | null;
  /** How the edge carries data; null for other kinds. */
  edgeKind: EdgeKind | null;
  /** Null for other kinds. */
  check: ChangedCheck | null;
  /** In the order (kind, name). */
  details: ChangePart[];
}

/** An entry with the nodes by which filters find it: what changed, and a column's table. */
export interface FoundEntry extends ChangeEntry {
  subjects: readonly PastNode[];
}
