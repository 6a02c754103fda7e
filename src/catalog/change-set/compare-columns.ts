/** Compares the present columns of a table or model with its new ones. */
import type { NodeId } from "../../ids.ts";
import { compareTypes } from "../data-type.ts";
import { quote } from "../impact/words.ts";
import { matchByKey } from "../match-by-key.ts";
import { compareCodePoints, fold } from "../text.ts";
import {
  type Change,
  CHANGE_TYPE_OF,
  type ColumnSource,
  type ColumnState,
  decidesValues,
  type NextRelation,
  type PresentColumn,
  type PresentRelation,
  type RelationState,
  type Uncompared,
  UNOWNED,
} from "./change.ts";
import { type Guess, LEAST_NAMED, pairUp, type Sign, weigh } from "./guess.ts";
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
  const { gone, uncompared } = judge(removed, present, next);
  const sides = [toSide(gone, follow), toSide(added, (id) => id)] as const;
  const renamed = yield* pairUp(gone, added, (old, column) => guessRename([old, column], sides, next), LEAST_SURE);
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
  { columns }: PresentRelation,
  next: NextRelation,
): { gone: PresentColumn[]; uncompared: Uncompared[] } {
  // What is made from the same code has the same columns.
  if (next.hasOtherCode === false && !next.seen) return { gone: [], uncompared: [] };
  const sayNotKnown = (what: string): string => {
    // That a column is documented does not show that it is there.
    const names = (next.seen ? missing : columns).map(({ name }) => quote(name));
    return names.length === 0 ? what : `${what}; whether it still has ${names.join(", ")} is not known`;
  };
  if (next.documentedOnly) {
    const gone = missing.filter(({ documentedType }) => documentedType !== null);
    if (next.hasOtherCode !== true) return { gone, uncompared: [] };
    const message = sayNotKnown("its file changed, and only a catalog.json would list its columns");
    return { gone, uncompared: [{ object: next.fqn, message, unread: null }] };
  }
  if (next.unread !== null) {
    return { gone: [], uncompared: [unreadRelation(next, sayNotKnown(`could not be read: ${next.unread}`))] };
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
  const unsaid = { newName: "", newType: "", confidence: 1, because: "", ...UNOWNED };
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

/** What a guess compares. It is worked out once for each column. */
interface Features {
  /** The columns whose values it takes. */
  origins: ReadonlySet<NodeId>;
  /** The same as a text. */
  made: string;
  /** What the SQL does with them, and with those that choose among its values; "" if there are none. */
  computed: string;
}

/** The columns that went, or those that came. */
interface Side {
  /** Of the columns whose sources are known. */
  of: ReadonlyMap<ColumnState, Features>;
  /** How many columns are made from the same, and how many are computed the same. */
  counts: ReadonlyMap<string, number>;
}

function toSide(columns: readonly ColumnState[], follow: (id: NodeId) => NodeId): Side {
  const of = new Map<ColumnState, Features>();
  const counts = new Map<string, number>();
  for (const column of columns) {
    if (column.sources === null) continue;
    const features = featuresOf(column.sources, follow);
    of.set(column, features);
    for (const key of [features.made, features.computed]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { of, counts };
}

function featuresOf(sources: readonly ColumnSource[], follow: (id: NodeId) => NodeId): Features {
  const origins = new Set<NodeId>();
  const parts = new Set<string>();
  for (const { from, uses } of sources) {
    for (const { kind, transformation, expression } of uses.filter(decidesValues)) {
      if (kind === "DIRECT") origins.add(follow(from));
      parts.add(JSON.stringify([follow(from), transformation, transformation === "IDENTITY" ? "" : expression]));
    }
  }
  const [made, computed] = [[...origins], [...parts]].map((all) => all.toSorted(compareCodePoints).join());
  return { origins, made: made ?? "", computed: computed ?? "" };
}

function guessRename(
  [old, column]: readonly [ColumnState, ColumnState],
  sides: readonly [gone: Side, added: Side],
  { platform }: NextRelation,
): Guess {
  const name = nameSimilarity(old.name, column.name);
  const signs: Sign[] = [{ agreement: name, weight: 0.3, words: "a similar name" }];
  if (old.ordinal !== null && column.ordinal !== null) {
    signs.push({ agreement: old.ordinal === column.ordinal ? 1 : 0, weight: 0.1, words: "the same place" });
  }
  if (old.dataType !== "" && column.dataType !== "") {
    const same = compareTypes(old.dataType, column.dataType, platform) === "same";
    signs.push({ agreement: same ? 1 : 0, weight: 0.1, words: "the same type" });
  }
  const [before, after] = [sides[0].of.get(old), sides[1].of.get(column)];
  if (before === undefined || after === undefined) return weigh(signs);
  const isSame = before.computed !== "" && before.computed === after.computed;
  const key = isSame ? after.computed : after.made;
  const isOnly = sides.every(({ counts }) => (counts.get(key) ?? 0) <= 1);
  // Another column is as likely, unless the name says which.
  if (!isOnly && name < LEAST_NAMED) return { confidence: 0, because: "" };
  return weigh([
    ...signs,
    isSame && isOnly
      ? { agreement: 1, weight: 2, words: "the same expression" }
      : { agreement: overlap(before.origins, after.origins), weight: 0.4, words: "made from the same columns" },
  ]);
}
