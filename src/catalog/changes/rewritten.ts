/** Which columns a model's new SQL computes otherwise, and how its readers are assessed for that. */
import type { NodeId } from "../../ids.ts";
import type { Impact, ImpactQuery, Risk } from "../impact.ts";
import type { NodeType } from "../node-types.ts";

/** What is known of the SQL that decides a node. */
export interface DecidingSql {
  /** Null if it is not known. See `ColumnLineage`. */
  basis: string | null;
  /** The relations that `basis` counts. */
  reads: readonly NodeId[];
}

/** A model or a column, with the SQL that decides it before and after. */
export interface RewrittenNode {
  id: NodeId;
  before: DecidingSql;
  after: DecidingSql;
}

/** Of more columns, new SQL is assessed as one change of the whole model. */
const MAX_COLUMNS = 20;

/**
 * Nothing fails for the readers of a column that is computed otherwise, and its values mean something else. That is as if its
 * type changed.
 */
export const AS_IF_RETYPED = { change: "type_change", newType: null } as const satisfies Partial<ImpactQuery>;

/** Whether the same SQL is known to decide both, however it is spelled. It counts the relations that it reads by their order. */
export function isSameSql({ before, after }: Omit<RewrittenNode, "id">): boolean {
  return before.basis !== null && before.basis === after.basis && String(before.reads) === String(after.reads);
}

/** What is not known on one side says nothing. */
export function isKnownToDiffer(before: string | null | undefined, after: string | null | undefined): boolean {
  return before != null && after != null && before !== after;
}

/** @param columns those that the model has before and after */
export function findRewrittenColumns(model: RewrittenNode, columns: readonly RewrittenNode[]): NodeId[] {
  return isSameSql(model) ? [] : columns.flatMap((column) => (isSameSql(column) ? [] : [column.id]));
}

export type RewrittenRoot = Pick<ImpactQuery, "root" | "otherRows">;

/** What is assessed for them: the columns, or the whole model if there are many, or if it has other rows. */
export function rootsOf(model: NodeId, columns: readonly NodeId[], otherRows: boolean): readonly RewrittenRoot[] {
  return otherRows || columns.length > MAX_COLUMNS ? [{ root: model, otherRows }] : columns.map((root) => ({ root }));
}

/** What a number means matters to those who look at it, so other models do not count. */
export function isLookedAt({ type }: { type: NodeType }): boolean {
  return type === "dashboard" || type === "metric";
}

export function risksOfLookedAt(impact: Impact | null): Risk[] {
  return (impact?.groups ?? []).flatMap((group) => (isLookedAt(group) ? [group.risk] : []));
}
