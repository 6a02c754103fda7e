/** Guesses which of the things that went is which of those that came. */

export interface Guess {
  /** From 0 to 1. */
  confidence: number;
  /** What speaks for it, in words. */
  because: string;
}

export interface Pair<Old, New> extends Guess {
  old: Old;
  new: New;
}

/** One thing that may speak for a guess: how far it does, from 0 to 1, and how much it counts. */
export interface Sign {
  agreement: number;
  weight: number;
  words: string;
}

/** Each that went is weighed against each that came: of more pairs than this nothing is guessed. */
const MAX_PAIRS = 10_000;

/** From how far on a sign is named. */
const TELLING = 0.5;

/** The weighted mean of the signs. */
export function weigh(signs: readonly Sign[]): Guess {
  const whole = signs.reduce((sum, { weight }) => sum + weight, 0);
  const found = signs.reduce((sum, { weight, agreement }) => sum + weight * agreement, 0);
  const words = signs.filter(({ agreement }) => agreement >= TELLING).map(({ words: text }) => text);
  // Never certain: whoever reads it should see that it is a guess.
  return { confidence: whole === 0 ? 0 : Math.min(0.99, found / whole), because: words.join(", ") };
}

/**
 * Pairs the surest first; each is taken once. Of equally sure ones those that stand first. It yields between its pieces of work.
 * @param least a guess that is less sure is none
 */
export function* pairUp<Old, New>(
  gone: readonly Old[],
  come: readonly New[],
  guess: (old: Old, next: New) => Guess,
  least: number,
): Generator<void, Pair<Old, New>[]> {
  if (gone.length * come.length > MAX_PAIRS) return [];
  const likely: Pair<Old, New>[] = [];
  for (const old of gone) {
    yield;
    for (const next of come) {
      const pair = { old, new: next, ...guess(old, next) };
      if (pair.confidence >= least) likely.push(pair);
    }
  }
  const taken = new Set<unknown>();
  return likely
    .toSorted((a, b) => b.confidence - a.confidence)
    .filter((pair) => {
      if (taken.has(pair.old) || taken.has(pair.new)) return false;
      taken.add(pair.old).add(pair.new);
      return true;
    });
}
