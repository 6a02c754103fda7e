/** Compares a project as it is crawled with a new state of it. */
import { compareCodePoints, fold } from "../text.ts";
import {
  type Change,
  CHANGE_TYPE_OF,
  type ChangeSet,
  type NextRelation,
  type PresentRelation,
  type RelationState,
  type Uncompared,
} from "./change.ts";
import { compareColumns } from "./compare-columns.ts";
import { type Guess, type Pair, pairUp, weigh } from "./guess.ts";
import { nameSimilarity, overlap } from "./similarity.ts";

/** What resembles less is told as a drop. */
const LEAST_SURE = 0.7;

type Match = Pair<PresentRelation, NextRelation>;

/** @param unread names of what the new state has and could not be read: it is not gone */
export function compareProjects(
  present: readonly PresentRelation[],
  next: readonly NextRelation[],
  unread: ReadonlySet<string> = new Set(),
): ChangeSet {
  const { matches, gone } = matchRelations(present, next);
  const follows = new Map<string, string>();
  const uncompared: Uncompared[] = [];
  const changes: Change[] = [];
  for (const { old, new: relation } of matches) follow(follows, old.id, relation.id);
  const elsewhere = isBuiltElsewhere(matches);
  if (elsewhere) {
    const example = matches.find((match) => isMoved(match) && match.new.type === "model");
    const such = `such as ${example?.old.fqn} as ${example?.new.fqn}`;
    uncompared.push({
      object: "",
      message: `all models are built in another place, ${such}: it is taken as another target`,
    });
  }
  let untyped = 0;
  // A rename is told by where the column comes from, so that sources are compared before what is made from them.
  for (const match of inOrderOfOrigin(matches)) {
    const compared = compareColumns(match.old, match.new, (id) => follows.get(id) ?? id);
    for (const { old, new: column } of compared.kept) {
      follow(follows, old.id, column.id);
      if (old.dataType !== "" && column.dataType === "") untyped += 1;
    }
    uncompared.push(...compared.uncompared);
    if (isMoved(match) && !(elsewhere && match.new.built)) changes.push(movedRelation(match));
    changes.push(...compared.changes);
  }
  for (const relation of gone) {
    if (unread.has(fold(relation.name))) {
      uncompared.push({ object: relation.fqn, message: "could not be read in the new manifest" });
    } else {
      changes.push(changeOf(relation, "asset_dropped"));
    }
  }
  if (untyped > 0) {
    const message = `the new types of ${untyped} columns are not known: a catalog.json, or data_type, names them`;
    uncompared.push({ object: "", message });
  }
  return { changes: inOrderOfPresent(changes, present), uncompared: uncompared.toSorted(byObject), follows };
}

function follow(follows: Map<string, string>, from: string, to: string): void {
  if (from !== to) follows.set(from, to);
}

function changeOf({ id, name, fqn, type }: RelationState, kind: "asset_dropped" | "asset_moved"): Change {
  const unsaid = { newName: "", oldType: "", newType: "", confidence: 1, because: "" };
  return { kind, changeType: CHANGE_TYPE_OF[kind], id, name, fqn, type, ...unsaid };
}

function movedRelation({ old, new: { fqn: newName }, confidence, because }: Match): Change {
  return { ...changeOf(old, "asset_moved"), newName, confidence, because };
}

function isMoved({ old, new: next }: Match): boolean {
  return fold(old.fqn) !== fold(next.fqn);
}

/** Whether no model is where it was, as when the project was compiled for another target. */
function isBuiltElsewhere(matches: readonly Match[]): boolean {
  const models = matches.filter(({ new: { type } }) => type === "model");
  return models.length > 1 && models.every((match) => isMoved(match) && fold(match.old.name) === fold(match.new.name));
}

function matchRelations(
  present: readonly PresentRelation[],
  next: readonly NextRelation[],
): { matches: Match[]; gone: PresentRelation[] } {
  const matches: Match[] = [];
  let gone = present;
  let come = next;
  const take = (found: readonly Match[]): void => {
    matches.push(...found);
    const [olds, news] = [new Set(found.map(({ old }) => old)), new Set(found.map((match) => match.new))];
    gone = gone.filter((relation) => !olds.has(relation));
    come = come.filter((relation) => !news.has(relation));
  };
  take(alike(gone, come, ({ fqn }) => fold(fqn), { confidence: 1, because: "" }));
  take(alike(gone, come, ({ type, name }) => `${type} ${fold(name)}`, { confidence: 0.95, because: "the same name" }));
  take(pairUp(gone, come, guessMove, LEAST_SURE));
  return { matches, gone: [...gone] };
}

/** Those that agree in what is asked for, where only one on each side does. */
function alike(
  gone: readonly PresentRelation[],
  come: readonly NextRelation[],
  keyOf: (relation: RelationState) => string,
  guess: Guess,
): Match[] {
  const news = Map.groupBy(come, keyOf);
  return [...Map.groupBy(gone, keyOf)].flatMap(([key, [old, ...others]]) => {
    const [first, ...more] = news.get(key) ?? [];
    return old === undefined || first === undefined || others.length + more.length > 0
      ? []
      : [{ old, new: first, ...guess }];
  });
}

function guessMove(old: PresentRelation, next: NextRelation): Guess {
  if (old.type !== next.type) return { confidence: 0, because: "" };
  const columns = overlap(namesOf(old), namesOf(next));
  const sameText = old.sql !== null && next.sql !== null && condense(old.sql) === condense(next.sql);
  return weigh([
    { agreement: nameSimilarity(old.name, next.name), weight: 0.3, words: "a similar name" },
    { agreement: sameText ? 1 : columns, weight: 0.7, words: sameText ? "the same SQL" : "much the same columns" },
  ]);
}

function namesOf({ columns }: RelationState): Set<string> {
  return new Set(columns.map(({ name }) => fold(name)));
}

function condense(sql: string): string {
  return sql.replace(/\s+/g, " ").trim();
}

/** What takes values from another relation stands behind it; circles as they come. */
function inOrderOfOrigin(matches: readonly Match[]): Match[] {
  const ownerOf = new Map(matches.flatMap((match) => match.new.columns.map(({ id }) => [id, match])));
  const ordered = new Set<Match>();
  const seen = new Set<Match>();
  for (const start of matches) {
    // A stack of its own: chains of models may be deeper than calls can nest.
    const stack = [{ match: start, opened: false }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (top.opened) ordered.add(top.match);
      else if (!seen.has(top.match)) {
        seen.add(top.match);
        stack.push({ match: top.match, opened: true });
        for (const { origins } of top.match.new.columns) {
          for (const id of origins ?? []) {
            const match = ownerOf.get(id);
            if (match !== undefined && !seen.has(match)) stack.push({ match, opened: false });
          }
        }
      }
    }
  }
  return [...ordered];
}

function inOrderOfPresent(changes: readonly Change[], present: readonly PresentRelation[]): Change[] {
  const places = new Map(
    present.flatMap(({ id, columns }) => [id, ...columns.map((column) => column.id)]).map((id, i) => [id, i]),
  );
  return changes.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

function byObject(a: Uncompared, b: Uncompared): number {
  return compareCodePoints(a.object, b.object) || compareCodePoints(a.message, b.message);
}
