/** Short forms of tables and models to compare. */
import type {
  ColumnState,
  NextRelation,
  PresentColumn,
  PresentRelation,
  RelationState,
} from "../../src/catalog/change-set/change.ts";
import { toNodeId } from "../../src/ids.ts";

/** A column by its name, or by its name, its type and the names of the columns that it is made from. */
export type ColumnWords = string | readonly [name: string, dataType: string, origins?: readonly string[]];

interface RelationWords extends Partial<Omit<RelationState, "columns">> {
  columns?: readonly ColumnWords[];
}

function columnStates(fqn: string, columns: readonly ColumnWords[]): ColumnState[] {
  return columns.map((words, ordinal) => {
    const [name, dataType, origins] = typeof words === "string" ? [words, ""] : words;
    // Each column is computed in a way of its own.
    const uses = [{ kind: "DIRECT", transformation: "TRANSFORMATION", expression: `f_${name}` }] as const;
    const sources = origins?.map((from) => ({ from: toNodeId(from), uses })) ?? null;
    const typed = { dataType, documentedType: dataType };
    return { id: toNodeId(`${fqn}.${name}`), name, fqn: `${fqn}.${name}`, ...typed, ordinal, sources };
  });
}

function relationOf(fqn: string, { columns = [], ...more }: RelationWords): RelationState {
  const name = fqn.slice(fqn.lastIndexOf(".") + 1);
  const kind = { type: "model", platform: "postgres", sql: `select 1 as ${name}` } as const;
  return { id: toNodeId(fqn), sourceId: "", name, fqn, ...kind, ...more, columns: columnStates(fqn, columns) };
}

export function presentRelation(
  fqn: string,
  words: RelationWords = {},
  about: Partial<Pick<PresentColumn, "notInOutput" | "documentedType" | "inferred">> = {},
): PresentRelation {
  const relation = relationOf(fqn, words);
  const toPresent = (column: ColumnState): PresentColumn => {
    return { isKnown: true, notInOutput: false, inferred: false, ...column, ...about };
  };
  return { ...relation, codeHash: null, seen: true, columns: relation.columns.map(toPresent) };
}

export function nextRelation(
  fqn: string,
  words: RelationWords & Partial<Omit<NextRelation, "columns">> = {},
): NextRelation {
  const about = { seen: true, built: true, keeps: false, documentedOnly: false, listedBySql: true };
  const { columns = [], ...more } = words;
  const columnId = (name: string) => toNodeId(`${fqn}.${name}`);
  return {
    unread: null,
    hasOtherCode: null,
    ...about,
    ...relationOf(fqn, words),
    ...more,
    columns: columnStates(fqn, columns),
    columnId,
  };
}
