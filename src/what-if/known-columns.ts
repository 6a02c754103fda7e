/**
 * The columns with which the SQL of a new project is read: what the last crawl knew, and what the new project changes.
 * A catalog that the crawl did not have changes nothing, and a catalog that is left out takes nothing away.
 */
import type { ColumnState, NextRelation, PresentRelation } from "../catalog/change-set/change.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId } from "../ids.ts";

/** For present columns, by their present ids: the types that a crawl would change. */
export type NewTypes = Map<NodeId, { before: string; after: string }>;

/** The statement without what its catalog says, if no crawl has seen the relation in the warehouse. */
export function asFarAsCrawled(statement: AssetStatement, old: PresentRelation | undefined): AssetStatement {
  const { columns, columnsUnseen = [], columnsSeen = false } = statement;
  if (old === undefined || old.seen || !columnsSeen) return statement;
  const documented = [...columns, ...columnsUnseen].flatMap((column) => {
    const { documentedType } = column;
    return documentedType === undefined ? [] : [{ ...column, dataType: documentedType }];
  });
  return { ...statement, columns: documented, columnsUnseen: [], columnsSeen: false };
}

/**
 * The statement with the present SQL, if the new manifest does not tell it and its code is the same. A sync of that manifest
 * would keep it too.
 */
export function withPresentSql(statement: AssetStatement, old: PresentRelation | undefined): AssetStatement {
  const { sqlUntold, facts } = statement;
  const { sql = null, codeHash = null } = old ?? {};
  if (sqlUntold === undefined || sql === null || codeHash === null || codeHash !== facts.codeHash) return statement;
  return { ...statement, facts: { ...facts, sql } };
}

/**
 * The statement with all columns that are known before its SQL is read.
 * @param statement as `asFarAsCrawled` returns it
 */
export function withKnownColumns(
  statement: AssetStatement,
  { sql, keeps, documentedOnly }: NextRelation,
  old: PresentRelation | undefined,
): AssetStatement {
  const { columns, columnsSeen = false, columnsAdded = [] } = statement;
  const isReplaced = sql !== null && !keeps;
  if (old === undefined) return isReplaced ? withReplaced(statement, []) : statement;
  const listed = old.columns.filter(({ inferred }) => !inferred);
  const missing = listed.filter((column) => column.notInOutput);
  const names = namesOf(columns);
  if (keeps && !old.seen) {
    return { ...statement, columnsAdded: [...new Set([...columnsAdded, ...listed.map(({ name }) => name)])] };
  }
  if (columnsSeen) {
    const kept = keeps ? listed.filter(({ name }) => !names.has(fold(name))) : [];
    const whole = { ...statement, columns: [...columns, ...kept.map(toStatement)] };
    return isReplaced ? withReplaced(whole, missing) : whole;
  }
  if (isReplaced && !old.seen) return statement;
  const isGone = ({ name, documentedType }: ColumnState): boolean =>
    documentedOnly && documentedType !== null && !names.has(fold(name));
  const kept = listed.filter((column) => !isGone(column));
  const keptNames = namesOf(kept);
  const added = columns.filter(({ name }) => !keptNames.has(fold(name)));
  if (!old.seen) return { ...statement, columns: [...kept.map(toStatement), ...added] };
  const whole = { ...statement, columns: kept.map(toStatement), columnsSeen: true, columnsUnseen: added };
  return isReplaced ? withReplaced(whole, missing) : whole;
}

/** @param except columns that stay, whatever the SQL yields */
function withReplaced(statement: AssetStatement, except: readonly ColumnState[]): AssetStatement {
  return { ...statement, columnsReplaced: namesOf(statement.columns).difference(namesOf(except)) };
}

function namesOf(columns: readonly Pick<ColumnState, "name">[]): Set<string> {
  return new Set(columns.map(({ name }) => fold(name)));
}

function toStatement({ name, dataType }: ColumnState): ColumnStatement {
  return { name, dataType, description: "", tags: [] };
}

/** What the last catalog.json says holds until there is another. */
export function addNewTypes(types: NewTypes, old: PresentRelation, next: NextRelation): void {
  if (old.seen && !next.seen) return;
  const now = new Map(next.columns.map(({ name, dataType }) => [fold(name), dataType]));
  for (const { id, name, dataType: before } of old.columns) {
    const after = now.get(fold(name)) ?? "";
    if (after !== "" && after !== before) types.set(id, { before, after });
  }
}
