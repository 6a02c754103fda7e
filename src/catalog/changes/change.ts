/** What changed in the catalog: one entry for each cause, with the parts that follow from it. */
import type { PastNode } from "../asset.ts";
import type { Check } from "../check.ts";
import type { EdgeKind } from "../edge.ts";
import type { NodeType } from "../node-types.ts";
import type { NodeId } from "../../ids.ts";

/** What an entry can say, in the order of the entries of one moment. */
export const CHANGE_ENTRIES = {
  asset_added: "An asset or metric came, with its columns and edges.",
  asset_removed: "An asset or metric went, with its columns and edges.",
  asset_renamed: "An asset got another name, or moved to another schema.",
  type_changed:
    "A table became a model because a source builds it, or a model became a table because none builds it any more.",
  column_added: "A column came.",
  column_removed: "A column went.",
  column_retyped: "A column has another data type.",
  sql_changed: "An asset's SQL or a metric's definition changed, with the columns and edges.",
  description_changed: "A description changed.",
  owner_changed: "An owner changed.",
  tags_changed: "Tags changed.",
  certification_changed: "A certification was given, withdrawn, or lapsed.",
  edge_added: "An asset reads something that it did not read before, and its SQL is not known to have changed.",
  edge_removed: "An asset no longer reads something, and its SQL is not known to have changed.",
  check_failed: "A check of an asset fails, and did not before.",
  check_passed: "A check of an asset that failed does not fail any more.",
  schedule_missed: "A pipeline did not begin the run that was due.",
  schedule_met: "A pipeline that missed its schedule has begun the run that was due.",
};
export type ChangeEntryKind = keyof typeof CHANGE_ENTRIES;
// The keys of an object are texts for the compiler.
export const CHANGE_ENTRY_KINDS = Object.keys(CHANGE_ENTRIES) as ChangeEntryKind[];

/** The fields of a node that an entry compares. */
export const CHANGED_FIELDS = {
  name: "The fully qualified name.",
  type: "The data type of a column; for an asset, whether it is a table or a model.",
  sql: "The SQL.",
  kind: "The kind of a metric.",
  expression: "The expression of a metric.",
  filters: "The filters of a metric.",
  grain: "The time grain of a metric.",
  dimensions: "The dimensions of a metric, separated by commas.",
  description: "The description.",
  owner: "The owner.",
  tags: "The tags, separated by commas.",
  certification: "The certification.",
  upstream: "What an asset reads, by its fully qualified name.",
  result: "The result of a check: `pass`, `fail`, `warn` or `error`.",
};
export type ChangedField = keyof typeof CHANGED_FIELDS;

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

/** An entry with the nodes by which filters find it: what changed and a column's table, before the change and after it. */
export interface FoundEntry extends ChangeEntry {
  subjects: readonly PastNode[];
}
