/** What a name may mean where no one thing bears it for certain. */
import { isSame, type Lineage, unknown } from "./lineage.ts";
import { findNamed, type Name } from "./names.ts";

/**
 * - certain: something of this name is listed.
 * - likely: a source that is listed in part may have it.
 * - possible: an element of an array may have a field of this name. As likely as that a source has it.
 * - unlikely: a source would have to have changed since it was looked at.
 */
const RANKS = { certain: 0, likely: 1, possible: 1, unlikely: 2 } as const;
type Likelihood = keyof typeof RANKS;

export interface Guess {
  lineage: Lineage;
  likelihood: Likelihood;
}

/** What stands for columns that a list leaves out. */
export interface Unlisted {
  /** Why `*` may stand for more than the list; null where it is the list. */
  reason: string | null;
  /** What a name that is not listed means; null where nothing can have it. */
  find: (name: Name) => Guess | null;
}

export function unlistedBecause(reason: string): Unlisted {
  return { reason, find: () => ({ lineage: unknown(reason), likelihood: "likely" }) };
}

/** Unlisted columns that are all made of the same. */
export function unlistedFrom(reason: string, lineage: Lineage): Unlisted {
  return { reason, find: () => ({ lineage, likelihood: "likely" }) };
}

export function isLikelier(a: Guess, b: Guess): boolean {
  return RANKS[a.likelihood] < RANKS[b.likelihood];
}

/** A name that may mean any of several things: none of them is taken. */
export function ambiguous({ text }: Name, guesses: readonly Guess[]): Lineage {
  const reason = guesses.find(({ lineage }) => lineage.unresolved !== null)?.lineage.unresolved ?? null;
  return unknown(reason === null ? `${text} is ambiguous` : `${text} is ambiguous: ${reason}`);
}

/** The likeliest of the guesses. Of several that are as likely and differ, none is taken. */
function bestGuess(guesses: readonly Guess[], name: Name): Guess | null {
  const [best] = guesses.toSorted((a, b) => Number(isLikelier(b, a)) - Number(isLikelier(a, b)));
  if (best === undefined) return null;
  const rivals = guesses.filter((other) => !isLikelier(best, other));
  return rivals.every(({ lineage }) => isSame(lineage, best.lineage))
    ? best
    : { ...best, lineage: ambiguous(name, rivals) };
}

/** What a name means among columns and what may stand beside them. */
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

/** The unlisted columns of several sources as those of one; null where there are none. */
export function unlistedOf(all: readonly Unlisted[]): Unlisted | null {
  const [only, ...others] = all;
  if (only === undefined || others.length === 0) return only ?? null;
  return {
    reason: all.find(({ reason }) => reason !== null)?.reason ?? null,
    find: (name) => guessAmong([], all, name),
  };
}
