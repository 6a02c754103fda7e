/** A change set: what a new state of a project would change in the catalog. */
import type { NodeId } from "../../ids.ts";
import type { CatalogNode } from "../asset.ts";
import type { ColumnUse } from "../edge.ts";
import type { NodeType } from "../node-types.ts";
import type { ChangeType } from "../impact.ts";

/**
 * What happened to an asset or column. `named`: nothing was compared, and somebody asks what the change would break.
 */
export const CHANGE_KINDS = [
  "asset_dropped",
  "asset_moved",
  "column_dropped",
  "column_renamed",
  "column_retyped",
  "named",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** An asset's own, by which people are told; `UNOWNED` for a column. */
type Answering = Pick<CatalogNode, "owner" | "ownerName" | "certification" | "certifiedBy">;

export const UNOWNED = {
  owner: "",
  ownerName: "",
  certification: "none",
  certifiedBy: null,
} as const satisfies Answering;

export interface Change extends Answering {
  kind: ChangeKind;
  /** The kind of change for those who read the asset or column. */
  changeType: ChangeType;
  /** The id of the asset as it is now. */
  id: NodeId;
  name: string;
  fqn: string;
  type: NodeType;
  /** The new fqn of a moved asset or the new name of a renamed column; "" for other changes. */
  newName: string;
  /** The types of a column before and after; "" if a type is unknown or the column is gone. */
  oldType: string;
  newType: string;
  /** From 0 to 1: how sure it is that this happened. Below 1 it is a guess. */
  confidence: number;
  /** The reason for the guess; "" if it is not a guess. */
  because: string;
}

/** Something that could not be compared. */
export interface Uncompared {
  /** An asset's fqn, or "" for the project as a whole. */
  object: string;
  message: string;
  /** What could not be read, so that nothing is known of its changes; null if it was read, and only this is not known. */
  unread: "model" | "object" | null;
}

/**
 * How many models there are now, how many of them are in the new state too, and how many had columns that could be
 * compared.
 */
interface Coverage {
  models: number;
  found: number;
  compared: number;
}

export interface ChangeSet {
  /** In the order of the present project's keys. An asset comes before its columns. */
  changes: Change[];
  uncompared: Uncompared[];
  coverage: Coverage;
  /** Maps present ids to new ids, for everything that moved, was renamed, or belongs to an asset that moved. */
  follows: ReadonlyMap<NodeId, NodeId>;
}

/** What each kind of change means for readers: a table that moves breaks them as renamed columns would. */
export const CHANGE_TYPE_OF: Readonly<Record<Exclude<ChangeKind, "named">, ChangeType>> = {
  asset_dropped: "column_drop",
  asset_moved: "column_rename",
  column_dropped: "column_drop",
  column_renamed: "column_rename",
  column_retyped: "type_change",
};

/**
 * A change that somebody names, without a comparison.
 * @param newType the type that a column gets; "" if none is given
 */
export function nameChange(
  node: Pick<CatalogNode, "id" | "name" | "fqn" | "type" | "dataType" | keyof Answering>,
  changeType: ChangeType,
  newType: string,
): Change {
  const { id, name, fqn, type, dataType: oldType, owner, ownerName, certification, certifiedBy } = node;
  const said = { id, name, fqn, type, oldType, newType, owner, ownerName, certification, certifiedBy };
  return { kind: "named", changeType, ...said, newName: "", confidence: 1, because: "" };
}

/** Another column, and what the SQL does with it. */
export interface ColumnSource {
  from: NodeId;
  uses: readonly ColumnUse[];
}

/** Whether it decides the column's values. What decides the rows is the same for all columns. */
export function decidesValues({ kind, transformation }: ColumnUse): boolean {
  return kind === "DIRECT" || transformation === "CONDITIONAL" || transformation === "WINDOW";
}

export interface ColumnState {
  id: NodeId;
  name: string;
  fqn: string;
  /** "" when unknown. */
  dataType: string;
  /** The type in the documentation, which may be ""; null if the documentation does not list the column. */
  documentedType: string | null;
  ordinal: number | null;
  /** What decides its values; null if unknown. */
  sources: readonly ColumnSource[] | null;
}

/** What identifies a table or model. */
export interface RelationIdentity {
  id: NodeId;
  /** The source's own id of it, such as dbt's unique id; "" if unknown. */
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
  /** Whether its lineage is fully known. */
  isKnown: boolean;
  /** Whether the SQL of its table is known not to yield it. The new SQL then cannot show that the column is gone. */
  notInOutput: boolean;
  /** Whether nobody lists it: only SQL names it. */
  inferred: boolean;
}

export interface PresentRelation extends RelationState {
  /** Hash of the code or file that it is made from; null if that is not known. */
  codeHash: string | null;
  /** Whether its columns were read from the warehouse. */
  seen: boolean;
  columns: readonly PresentColumn[];
}

export interface NextRelation extends RelationState {
  /** Why `columns` may be incomplete; null if they are complete. */
  unread: string | null;
  /** Whether the code or file that it is made from, if that is not SQL, is another one now; null if that is not known. */
  hasOtherCode: boolean | null;
  /** Whether its columns were read from the warehouse. Then so were those of the present relation, if there is one. */
  seen: boolean;
  /** Whether the project builds it. If not, the project only reads it. */
  built: boolean;
  /** Whether the built table keeps all columns that it ever had, as a snapshot does. */
  keeps: boolean;
  /**
   * Whether only its documentation says which columns it has, as for a source that catalog.json does not list. False for a
   * seed with the same file, which has the same columns.
   */
  documentedOnly: boolean;
  /** Whether its SQL lists all columns that it has. */
  listedBySql: boolean;
  /** The id of a column of this name, also if `columns` does not list it. */
  columnId(name: string): NodeId;
}
