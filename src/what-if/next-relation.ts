/** Tables and models of a new project, as its statements and its SQL describe them. */
import {
  type ColumnState,
  decidesValues,
  type NextRelation,
  type PresentRelation,
  type RelationIdentity,
} from "../catalog/change-set/change.ts";
import { columnRef, nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import { ADDED, type AssetLineage, NOT_YIELDED } from "../ingest/column-lineage.ts";

export function toIdentity(id: NodeId, { ref, name, facts }: AssetStatement): RelationIdentity {
  const type = ref.type === "model" ? "model" : "table";
  return { id, sourceId: facts.sourceId ?? "", name, fqn: toFqn(ref), type };
}

/** The relation as the statement describes it, before its SQL is read. */
export function* toNext(
  id: NodeId,
  statement: AssetStatement,
  { workspace, old }: { workspace: WorkspaceName; old: PresentRelation | undefined },
): Generator<void, NextRelation> {
  const { ref, facts, columns, columnsSeen = false, sqlUntold } = statement;
  const states: ColumnState[] = [];
  for (const [ordinal, column] of columns.entries()) {
    yield;
    states.push(toState(column, ref, { workspace, ordinal }));
  }
  const [sql, isModel] = [facts.sql ?? null, ref.type === "model"];
  const [before, after] = [old?.codeHash ?? null, facts.codeHash ?? null];
  const isComparable = sql === null && sqlUntold === undefined && before !== null && after !== null;
  const hasOtherCode = isComparable ? before !== after : null;
  const isUnread = isModel && sql === null && !columnsSeen && hasOtherCode !== false;
  return {
    ...toIdentity(id, statement),
    platform: ref.platform,
    sql,
    columns: states,
    hasOtherCode,
    unread: isUnread ? (sqlUntold ?? `its code is not SQL${hasOtherCode === true ? ", and changed" : ""}`) : null,
    seen: columnsSeen,
    built: isModel || facts.materialization === "seed" || facts.materialization === "snapshot",
    keeps: facts.materialization === "snapshot",
    documentedOnly: !isModel && sql === null && !columnsSeen && hasOtherCode !== false,
    listedBySql: false,
    columnId: (column) => nodeId(workspace, columnRef(ref, column)),
  };
}

/**
 * The relation with the columns that its SQL yields. If the SQL could not be read, and the warehouse was not either, the
 * columns stay as they were stated.
 */
export function withColumns(
  relation: NextRelation,
  { ref, columns, columnsSeen = false, columnsUnseen = [], columnsAdded = [] }: AssetStatement,
  read: AssetLineage,
  workspace: WorkspaceName,
): NextRelation {
  const stated = new Map([...columns, ...columnsUnseen].map((column) => [fold(column.name), column]));
  const added = new Set(columnsAdded);
  const outputColumns = relation.keeps
    ? read.statement.columns.filter(({ name }) => {
        const { reason } = read.columns.get(fold(name)) ?? {};
        return reason !== NOT_YIELDED && (reason !== ADDED || added.has(name));
      })
    : read.statement.columns;
  if (read.incomplete !== null && !columnsSeen && (!relation.keeps || read.statement.columns.length === 0)) {
    return { ...relation, unread: read.own.reason };
  }
  const deciding = [...read.edges, ...read.lateEdges].filter(({ uses }) => uses.some(decidesValues));
  const sources = Map.groupBy(deciding, ({ to }) => to);
  const states = outputColumns.map(({ name }, ordinal): ColumnState => {
    const state = toState({ dataType: "", ...stated.get(fold(name)), name }, ref, { workspace, ordinal });
    const isKnown = read.columns.get(fold(name))?.status === "known";
    return Object.assign(state, { sources: isKnown ? (sources.get(state.id) ?? []) : null });
  });
  return { ...relation, unread: null, columns: states, listedBySql: read.incomplete === null && !relation.keeps };
}

function toState(
  { name, dataType, documentedType }: Pick<ColumnStatement, "name" | "dataType" | "documentedType">,
  parent: NodeRef,
  { workspace, ordinal }: { workspace: WorkspaceName; ordinal: number },
): ColumnState {
  const ref = columnRef(parent, name);
  return {
    id: nodeId(workspace, ref),
    name,
    fqn: toFqn(ref),
    dataType,
    documentedType: documentedType ?? null,
    ordinal,
    sources: null,
  };
}
