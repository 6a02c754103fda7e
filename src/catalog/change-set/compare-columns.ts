/** Compares the present columns of a table or model with its new ones. */
import type { NodeId } from "../../ids.ts";
import { compareTypes } from "../data-type.ts";
import { quote } from "../impact/words.ts";
import { matchByKey } from "../match-by-key.ts";
import { fold } from "../text.ts";
import {
  type Change,
  CHANGE_TYPE_OF,
  type ColumnState,
  type NextRelation,
  type PresentColumn,
  type PresentRelation,
  type RelationState,
  type Uncompared,
} from "./change.ts";
import { type Guess, pairUp, type Sign, weigh } from "./guess.ts";
import { nameSimilarity, overlap } from "./similarity.ts";

/** A less certain rename is reported as a drop. */
const LEAST_SURE = 0.6;

export interface ColumnChanges {
  changes: Change[];
  uncompared: Uncompared[];
  /** Present columns with the new columns that they became, renamed or not. */
  kept: { old: PresentColumn; new: ColumnState }[];
}

/**
 * Compares columns. It yields between pieces of work, so that others get a turn.
 * @param follow returns the new id for a present id; it is the same id if nothing changed
 */
export function* compareColumns(
  present: PresentRelation,
  next: NextRelation,
  follow: (id: NodeId) => NodeId,
): Generator<void, ColumnChanges> {
  const { kept, removed, added } = matchByKey(present.columns, next.columns, ({ name }) => fold(name));
  const retyped = kept.flatMap(({ old, new: column }) => retypedColumn(old, column, next));
  const { gone, uncompared } = judge(removed, next);
  const renamed = yield* pairUp(gone, added, (old, column) => guessRename(old, column, next, follow), LEAST_SURE);
  const renames = new Map(renamed.map((pair) => [pair.old.id, pair]));
  const lost = gone.map((old) => {
    const pair = renames.get(old.id);
    return pair === undefined ? dropped(old, next) : renamedColumn(old, pair.new, pair);
  });
  const retypedToo = renamed.flatMap(({ old, new: column }) => retypedColumn(old, column, next));
  const order = new Map(present.columns.map(({ id }, index) => [id, index]));
  const changes = [...lost, ...retyped, ...retypedToo].toSorted(
    (a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0),
  );
  return { changes, uncompared, kept: [...kept, ...renamed] };
}

/** Decides which of the missing columns are gone, and says what is not known about the others. */
function judge(
  missing: readonly PresentColumn[],
  next: NextRelation,
): { gone: PresentColumn[]; uncompared: Uncompared[] } {
  const names = missing.map(({ name }) => quote(name)).join(", ");
  if (next.documentedOnly) {
    return { gone: missing.filter(({ documentedType }) => documentedType !== null), uncompared: [] };
  }
  if (next.unread !== null) {
    const about = missing.length === 0 ? "" : `; whether it still has ${names} is not known`;
    return { gone: [], uncompared: [unreadRelation(next, `could not be read: ${next.unread}${about}`)] };
  }
  // A column that only other SQL names was never in the warehouse's list, so that list cannot show that it is gone.
  const lost = missing.filter(({ notInOutput, inferred }) => !notInOutput && (!inferred || next.listedBySql));
  if (!next.keeps) return { gone: lost, uncompared: [] };
  const message = `its query no longer yields ${lost.map(({ name }) => name).join(", ")}; the snapshot keeps what it has`;
  return { gone: [], uncompared: lost.length === 0 ? [] : [{ object: next.fqn, message, unread: null }] };
}

export function unreadRelation({ fqn, type }: RelationState, message: string): Uncompared {
  return { object: fqn, message, unread: type === "model" ? "model" : "object" };
}

function changeOf({ id, name, fqn, dataType }: ColumnState, kind: keyof typeof CHANGE_TYPE_OF): Change {
  const unsaid = { newName: "", newType: "", confidence: 1, because: "" };
  return { kind, changeType: CHANGE_TYPE_OF[kind], id, name, fqn, type: "column", oldType: dataType, ...unsaid };
}

function renamedColumn(old: PresentColumn, { name, dataType }: ColumnState, { confidence, because }: Guess): Change {
  return { ...changeOf(old, "column_renamed"), newName: name, newType: dataType, confidence, because };
}

function dropped(old: PresentColumn, next: NextRelation): Change {
  const change = changeOf(old, "column_dropped");
  return next.documentedOnly ? { ...change, confidence: 0.8, because: "it is no longer documented" } : change;
}

/** Types in the warehouse are compared with each other, and so are types in the documentation. */
function retypedColumn(old: PresentColumn, column: ColumnState, { platform, seen }: NextRelation): Change[] {
  const oldType = seen ? old.dataType : (old.documentedType ?? "");
  const newType = seen ? column.dataType : (column.documentedType ?? "");
  if (oldType === "" || newType === "") return [];
  // People leave out digits and lengths in documented types, without meaning another type.
  const before = seen || newType.includes("(") ? oldType : oldType.replace(/\([\d\s,]*\)/, "");
  if (compareTypes(before, newType, platform) === "same") return [];
  const guess = seen ? {} : { confidence: 0.8, because: "its documented type" };
  return [{ ...changeOf(old, "column_retyped"), newType, ...guess }];
}

function guessRename(
  old: PresentColumn,
  column: ColumnState,
  { platform }: NextRelation,
  follow: (id: NodeId) => NodeId,
): Guess {
  const signs: Sign[] = [{ agreement: nameSimilarity(old.name, column.name), weight: 0.3, words: "a similar name" }];
  if (old.ordinal !== null && column.ordinal !== null) {
    signs.push({ agreement: old.ordinal === column.ordinal ? 1 : 0, weight: 0.1, words: "the same place" });
  }
  if (old.dataType !== "" && column.dataType !== "") {
    const same = compareTypes(old.dataType, column.dataType, platform) === "same";
    signs.push({ agreement: same ? 1 : 0, weight: 0.1, words: "the same type" });
  }
  if (old.origins !== null && column.origins !== null) {
    const before = new Set([...old.origins].map(follow));
    signs.push({ agreement: overlap(before, column.origins), weight: 0.4, words: "made from the same columns" });
  }
  return weigh(signs);
}
