/** How many typing errors two words are apart. */

/**
 * Optimal string alignment: the smallest number of letters that are added, removed, changed or swapped with the next
 * one. Swaps are the most common typing error, and plain Levenshtein counts each as two. If words may have letters
 * above U+FFFF, pass them as arrays of letters.
 */
export function distance(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let rows = firstRows(b.length);
  for (let i = 0; i < a.length; i++) rows = nextRows(rows, b, a[i], a[i - 1]);
  return rows.row[b.length] ?? 0;
}

/**
 * The distances between the first letters of one word and every beginning of the other word (`row`), and the same for
 * one letter less (`before`).
 */
interface Rows {
  row: readonly number[];
  before: readonly number[];
}

function firstRows(length: number): Rows {
  return { row: Array.from({ length: length + 1 }, (_, j) => j), before: [] };
}

function nextRows({ row, before }: Rows, word: ArrayLike<string>, letter?: string, last?: string): Rows {
  const next = [(row[0] ?? 0) + 1];
  for (let j = 1; j <= word.length; j++) {
    const change = letter === word[j - 1] ? 0 : 1;
    let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change);
    if (last !== undefined && j > 1 && letter === word[j - 2] && last === word[j - 1]) {
      best = Math.min(best, (before[j - 2] ?? 0) + 1);
    }
    next.push(best);
  }
  return { row: next, before: row };
}

/**
 * The shortest beginning of `text` that no text within `allowed` errors of `word` can have. Returns null if there is
 * none. A search for similar words in an ordered list can skip everything that begins with it.
 */
export function hopelessBeginning(word: string, text: string, allowed: number): string | null {
  const letters = [...word];
  let rows = firstRows(letters.length);
  let last: string | undefined;
  let beginning = "";
  for (const letter of text) {
    rows = nextRows(rows, letters, letter, last);
    beginning += letter;
    if (Math.min(...rows.row) > allowed) return beginning;
    last = letter;
  }
  return null;
}
