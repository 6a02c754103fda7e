/** Guesses which of the new things replaced which of the missing ones. */

export interface Guess {
  /** From 0 to 1. */
  confidence: number;
  /** The reasons for it, in words. */
  because: string;
}

export interface Pair<Old, New> extends Guess {
  old: Old;
  new: New;
}

/** One reason for a guess: how far it holds, from 0 to 1, and how much it counts. */
export interface Sign {
  agreement: number;
  weight: number;
  words: string;
}

/** Every missing thing is compared with every new one. If there are more pairs than this, nothing is guessed. */
const MAX_PAIRS = 10_000;

/** A sign is named in the reasons from this agreement on. */
export const LEAST_NAMED = 0.5;

/** The weighted mean of the signs. */
export function weigh(signs: readonly Sign[]): Guess {
  const whole = signs.reduce((sum, { weight }) => sum + weight, 0);
  const found = signs.reduce((sum, { weight, agreement }) => sum + weight * agreement, 0);
  const words = signs.filter(({ agreement }) => agreement >= LEAST_NAMED).map(({ words: text }) => text);
  // Never 1, so that readers see that it is a guess.
  return { confidence: whole === 0 ? 0 : Math.min(0.99, found / whole), because: words.join(", ") };
}

/**
 * Takes the most certain pairs first, and each thing once. Equally certain pairs keep the order of the lists. It yields
 * between pieces of work.
 * @param least less certain guesses are ignored
 */
export function* pairUp<Old, New>(
  gone: readonly Old[],
  added: readonly New[],
  guess: (old: Old, next: New) => Guess,
  least: number,
): Generator<void, Pair<Old, New>[]> {
  if (gone.length * added.length > MAX_PAIRS) return [];
  const likely: Pair<Old, New>[] = [];
  for (const old of gone) {
    yield;
    for (const next of added) {
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
