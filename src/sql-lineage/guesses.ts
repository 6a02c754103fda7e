/** What a name may mean if the lists of columns are incomplete or the name is ambiguous. */
import { isSame, type Lineage, unknown } from "./lineage.ts";
import { findNamed, type Name } from "./names.ts";

/**
 * - certain: a column or alias of this name is listed.
 * - likely: a source whose list is partial may have the column.
 * - possible: an element of an array may have a field of this name. It ranks with `likely`.
 * - unlikely: a source has the column only if it changed since the warehouse was last read.
 */
const RANKS = { certain: 0, likely: 1, possible: 1, unlikely: 2 } as const;
export type Likelihood = keyof typeof RANKS;

export interface Guess {
  lineage: Lineage;
  likelihood: Likelihood;
}

/** Columns that a source may have besides those in its list. */
export interface Unlisted {
  /** Why `*` may include more columns than the list; null if it does not. */
  reason: string | null;
  /** Finds the meaning of a name that is not in the list. Returns null if the source cannot have such a column. */
  find: (name: Name) => Guess | null;
}

export function unlistedBecause(reason: string): Unlisted {
  return { reason, find: () => ({ lineage: unknown(reason), likelihood: "likely" }) };
}

/** Unlisted columns that all have the same lineage. */
export function unlistedFrom(reason: string, lineage: Lineage): Unlisted {
  return { reason, find: () => ({ lineage, likelihood: "likely" }) };
}

export function isLikelier(a: Guess, b: Guess): boolean {
  return RANKS[a.likelihood] < RANKS[b.likelihood];
}

/** The lineage of a name that may mean several columns: it is unknown, and none of them is chosen. */
export function ambiguous({ text }: Name, guesses: readonly Guess[]): Lineage {
  const reason = guesses.find(({ lineage }) => lineage.unresolved !== null)?.lineage.unresolved ?? null;
  return unknown(reason === null ? `${text} is ambiguous` : `${text} is ambiguous: ${reason}`);
}

/** The likeliest guess. If several different ones are equally likely, the lineage is ambiguous. */
function bestGuess(guesses: readonly Guess[], name: Name): Guess | null {
  const [best] = guesses.toSorted((a, b) => Number(isLikelier(b, a)) - Number(isLikelier(a, b)));
  if (best === undefined) return null;
  const rivals = guesses.filter((other) => !isLikelier(best, other));
  return rivals.every(({ lineage }) => isSame(lineage, best.lineage))
    ? best
    : { ...best, lineage: ambiguous(name, rivals) };
}

/** Finds the meaning of a name among listed columns, then among unlisted ones. Returns null if there is none. */
export function guessAmong(
  columns: readonly { name: Name; lineage: Lineage }[],
  unlisted: readonly Unlisted[],
  name: Name,
): Guess | null {
  const listed = findNamed(columns, name).map(({ lineage }): Guess => ({ lineage, likelihood: "certain" }));
  if (listed.length > 0) return bestGuess(listed, name);
  return bestGuess(
    unlisted.flatMap((open) => open.find(name) ?? []),
    name,
  );
}

/** Combines the unlisted columns of several sources. Returns null if there are none. */
export function unlistedOf(all: readonly Unlisted[]): Unlisted | null {
  const [only, ...others] = all;
  if (only === undefined || others.length === 0) return only ?? null;
  return {
    reason: all.find(({ reason }) => reason !== null)?.reason ?? null,
    find: (name) => guessAmong([], all, name),
  };
}
