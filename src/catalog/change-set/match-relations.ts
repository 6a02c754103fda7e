/** Finds out which table or model of the new state is which of the present one. */
import { fold } from "../text.ts";
import type { NextRelation, PresentRelation, RelationIdentity } from "./change.ts";
import { type Guess, type Pair, pairUp, weigh } from "./guess.ts";
import { nameSimilarity, overlap } from "./similarity.ts";

/** Relations that are less similar are reported as dropped. */
const LEAST_SURE = 0.7;

export type RelationMatch = Pair<PresentRelation, NextRelation>;

/** What is compared of a relation. */
export interface ComparedRelation extends RelationIdentity {
  sql: string | null;
  columns: readonly { name: string }[];
}

interface Matched<Old, New> {
  matches: Pair<Old, New>[];
  /** What had no match. */
  gone: readonly Old[];
  added: readonly New[];
}

/**
 * Matches in three steps: by the source's own id, which stays the same wherever a thing is built; by the relation,
 * which its readers name; by the name alone, which is a guess. Each step matches a key only if exactly one relation on
 * each side has it.
 */
export function matchByIdentity<Old extends RelationIdentity, New extends RelationIdentity>(
  present: readonly Old[],
  next: readonly New[],
): Matched<Old, New> {
  const matched: Matched<Old, New> = { matches: [], gone: present, added: next };
  const take = (keyOf: (relation: RelationIdentity) => string, guess: Guess): void => {
    const found = pairByKey(matched.gone, matched.added, keyOf, guess);
    const [olds, news] = [new Set(found.map(({ old }) => old)), new Set(found.map((match) => match.new))];
    matched.matches.push(...found);
    matched.gone = matched.gone.filter((relation) => !olds.has(relation));
    matched.added = matched.added.filter((relation) => !news.has(relation));
  };
  take(({ sourceId }) => sourceId, { confidence: 1, because: "" });
  take(({ fqn }) => fold(fqn), { confidence: 1, because: "" });
  take(({ type, name }) => `${type} ${fold(name)}`, { confidence: 0.95, because: "the same name" });
  return matched;
}

/**
 * Does the same as `matchByIdentity`. What is left is guessed from its columns and its SQL. It yields between pieces of
 * work.
 */
export function* matchRelations<Old extends ComparedRelation, New extends ComparedRelation>(
  present: readonly Old[],
  next: readonly New[],
): Generator<void, { matches: Pair<Old, New>[]; gone: Old[] }> {
  const { matches, gone, added } = matchByIdentity(present, next);
  const features = new Map<ComparedRelation, Features>();
  for (const relation of [...gone, ...added]) {
    yield;
    features.set(relation, featuresOf(relation));
  }
  const guessed = yield* pairUp(gone, added, (old, relation) => guessMove([old, relation], features), LEAST_SURE);
  const found = new Set(guessed.map(({ old }) => old));
  return { matches: [...matches, ...guessed], gone: gone.filter((relation) => !found.has(relation)) };
}

/** Pairs those with the same key, if exactly one on each side has it. An empty key matches nothing. */
function pairByKey<Old extends RelationIdentity, New extends RelationIdentity>(
  gone: readonly Old[],
  added: readonly New[],
  keyOf: (relation: RelationIdentity) => string,
  guess: Guess,
): Pair<Old, New>[] {
  const news = Map.groupBy(added, keyOf);
  return [...Map.groupBy(gone, keyOf)].flatMap(([key, [old, ...others]]) => {
    const [first, ...more] = news.get(key) ?? [];
    const isOne = key !== "" && others.length + more.length === 0;
    return isOne && old !== undefined && first !== undefined ? [{ old, new: first, ...guess }] : [];
  });
}

/** What a guess compares. It is worked out once for each relation. */
interface Features {
  columns: ReadonlySet<string>;
  /** Null if there is no SQL. */
  sql: string | null;
}

function featuresOf({ columns, sql }: ComparedRelation): Features {
  return {
    columns: new Set(columns.map(({ name }) => fold(name))),
    sql: sql === null ? null : sql.replace(/\s+/g, " ").trim(),
  };
}

function guessMove(
  [old, next]: readonly [ComparedRelation, ComparedRelation],
  features: ReadonlyMap<ComparedRelation, Features>,
): Guess {
  const [before, after] = [features.get(old), features.get(next)];
  if (old.type !== next.type || before === undefined || after === undefined) return { confidence: 0, because: "" };
  const sameText = before.sql !== null && before.sql === after.sql;
  return weigh([
    { agreement: nameSimilarity(old.name, next.name), weight: 0.3, words: "a similar name" },
    {
      agreement: sameText ? 1 : overlap(before.columns, after.columns),
      weight: 0.7,
      words: sameText ? "the same SQL" : "much the same columns",
    },
  ]);
}
