/** A change set: what a new state of a project would change in the catalog. */
import type { CatalogNode, NodeType } from "../asset.ts";
import type { ChangeType } from "../impact.ts";

/** What was found to happen to something; `named` where nothing was compared, and somebody asks what it would break. */
export const CHANGE_KINDS = [
  "asset_dropped",
  "asset_moved",
  "column_dropped",
  "column_renamed",
  "column_retyped",
  "named",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  kind: ChangeKind;
  /** What it is to those who read what is changed. */
  changeType: ChangeType;
  /** The changed asset as it is now. */
  id: string;
  name: string;
  fqn: string;
  type: NodeType;
  /** The new fqn of what moved, the new name of a renamed column; "" for other changes. */
  newName: string;
  /** The types of a column, before and after; "" where they are not known or it is gone. */
  oldType: string;
  newType: string;
  /** How sure it is that this is what happened, from 0 to 1; below 1 it is a guess. */
  confidence: number;
  /** What the guess stands on; "" where it is none. */
  because: string;
}

/** What the comparison could not tell. */
export interface Uncompared {
  /** An asset's fqn, or "" for the project as a whole. */
  object: string;
  message: string;
}

/** How many models there are at present, are found in the new state too, and have columns that could be compared. */
export interface Coverage {
  models: number;
  found: number;
  compared: number;
}

export interface ChangeSet {
  /** In the order of the present project's keys; an asset before its columns. */
  changes: Change[];
  uncompared: Uncompared[];
  coverage: Coverage;
  /** New ids by present ones: of what moved, was renamed, or is in another place with its asset. */
  follows: ReadonlyMap<string, string>;
}

/** What each kind of change is to its readers: a table under another name breaks them as its columns would. */
export const CHANGE_TYPE_OF: Readonly<Record<Exclude<ChangeKind, "named">, ChangeType>> = {
  asset_dropped: "column_drop",
  asset_moved: "column_rename",
  column_dropped: "column_drop",
  column_renamed: "column_rename",
  column_retyped: "type_change",
};

/** @param newType what a column's type becomes; "" where that is not told */
export function nameChange(
  { id, name, fqn, type, dataType }: Pick<CatalogNode, "id" | "name" | "fqn" | "type" | "dataType">,
  changeType: ChangeType,
  newType: string,
): Change {
  const unsaid = { newName: "", confidence: 1, because: "" };
  return { kind: "named", changeType, id, name, fqn, type, oldType: dataType, newType, ...unsaid };
}

export interface ColumnState {
  id: string;
  name: string;
  fqn: string;
  /** "" when unknown. */
  dataType: string;
  ordinal: number | null;
  /** Ids of the columns whose values it takes; null where that is not known. */
  origins: ReadonlySet<string> | null;
}

/** What tells one table or model from another. */
export interface RelationIdentity {
  id: string;
  /** Its source's own id of it, such as dbt's unique id; "" when unknown. */
  sourceId: string;
  name: string;
  fqn: string;
  type: "table" | "model";
}

/** A table or model, as it is or as it would be. */
export interface RelationState extends RelationIdentity {
  platform: string;
  sql: string | null;
  columns: readonly ColumnState[];
}

export interface PresentColumn extends ColumnState {
  /** Whether all is known of where it comes from. */
  isKnown: boolean;
  /** Whether the SQL of its table is known not to yield it: its going cannot be seen there. */
  unyielded: boolean;
  /** Whether its source describes it. */
  described: boolean;
}

export interface PresentRelation extends RelationState {
  columns: readonly PresentColumn[];
}

export interface NextRelation extends RelationState {
  /** Why `columns` may not be all; null when they are. */
  unread: string | null;
  /** Whether types are the warehouse's word, and not only what people wrote. */
  typed: boolean;
  /** Whether the project builds it, and does not only read it. */
  built: boolean;
  /** Whether what is built keeps the columns that it once had, as a snapshot does. */
  keeps: boolean;
  /** Whether its documentation is all that says which columns it has, as of a source without a catalog. */
  documentedOnly: boolean;
}
