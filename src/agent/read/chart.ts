/**
 * A bottom-up chart parser. Words have categories and meanings; a rule makes a phrase of one category out of phrases that
 * follow each other. Every reading of every stretch of words is kept, the cheapest few of each category.
 */

export interface Phrase<C extends string = string, M = unknown> {
  category: C;
  meaning: M;
  from: number;
  /** The place behind its last word. */
  to: number;
  /** How unlikely the reading is: 0 for a plain one. */
  cost: number;
}

export interface Rule {
  to: string;
  parts: readonly string[];
  /** Null where these parts do not go together. */
  make: (...meanings: never[]) => unknown;
  cost: number;
}

/** Readings of one category that are kept of one stretch. */
const KEPT = 6;

type Cell = Map<string, Phrase[]>;

/** @param nextTurn resolves when the parser may go on; asked for once for each place in the question */
export async function parse(
  words: readonly Phrase[],
  length: number,
  rules: readonly Rule[],
  nextTurn: () => Promise<void>,
): Promise<(from: number, to: number, category: string) => readonly Phrase[]> {
  const cells: Cell[][] = Array.from({ length: length + 1 }, () => Array.from({ length: length + 1 }, () => new Map()));
  const cellAt = (from: number, to: number): Cell => cells[from]?.[to] ?? new Map();
  /** Categories that some phrase from here has, so that a rule is given up at its first part. */
  const begun: Set<string>[] = Array.from({ length: length + 1 }, () => new Set());

  /** What tells phrases of one category and stretch apart. */
  const keys = new WeakMap<Phrase, string>();
  function keyOf(phrase: Phrase): string {
    return keys.getOrInsertComputed(phrase, ({ meaning }) => JSON.stringify(meaning) ?? "");
  }

  function keep(phrase: Phrase): boolean {
    const cell = cellAt(phrase.from, phrase.to);
    const kept = cell.get(phrase.category) ?? [];
    const worst = kept.at(-1);
    if (kept.length >= KEPT && worst !== undefined && worst.cost <= phrase.cost) return false;
    const key = keyOf(phrase);
    const same = kept.find((each) => keyOf(each) === key);
    if (same !== undefined && same.cost <= phrase.cost) return false;
    const next = [...kept.filter((each) => each !== same), phrase].toSorted((a, b) => a.cost - b.cost).slice(0, KEPT);
    cell.set(phrase.category, next);
    begun[phrase.from]?.add(phrase.category);
    return true;
  }

  /** Every way in which the parts, from the one at `at`, fill the stretch. */
  function* fill(parts: readonly string[], at: number, from: number, to: number): Generator<Phrase[]> {
    const part = parts[at];
    if (part === undefined || !begun[from]?.has(part)) return;
    const left = parts.length - at - 1;
    if (left === 0) {
      for (const phrase of cellAt(from, to).get(part) ?? []) yield [phrase];
      return;
    }
    for (let mid = from + 1; mid <= to - left; mid++) {
      const found = cellAt(from, mid).get(part);
      if (found === undefined) continue;
      for (const rest of fill(parts, at + 1, mid, to)) for (const phrase of found) yield [phrase, ...rest];
    }
  }

  function apply(rule: Rule, from: number, to: number): boolean {
    let isNew = false;
    const made: Phrase[] = [];
    for (const parts of fill(rule.parts, 0, from, to)) {
      const meaning = rule.make(...(parts.map((part) => part.meaning) as never[]));
      if (meaning === null) continue;
      const cost = parts.reduce((sum, part) => sum + part.cost, rule.cost);
      made.push({ category: rule.to, meaning, from, to, cost });
    }
    for (const phrase of made) isNew = keep(phrase) || isNew;
    return isNew;
  }

  const single = rules.filter(({ parts }) => parts.length === 1);
  const several = rules.filter(({ parts }) => parts.length > 1);
  for (let to = 1; to <= length; to++) {
    await nextTurn();
    for (const word of words) if (word.to === to) keep(word);
    for (let from = to - 1; from >= 0; from--) {
      for (const rule of several) if (rule.parts.length <= to - from) apply(rule, from, to);
      // What a rule of one part makes may be a part of another such rule.
      for (let again = true; again;) again = single.reduce((any, rule) => apply(rule, from, to) || any, false);
    }
  }
  return (from, to, category) => cellAt(from, to).get(category) ?? [];
}
