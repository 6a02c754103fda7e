/** How similar two names or two sets are, from 0 to 1. */
import { splitIdentifier } from "../search.ts";
import { fold } from "../text.ts";

/** Twice the size of the intersection, divided by the sum of both sizes (Sørensen-Dice). */
export function overlap<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  return a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size);
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)));
}

/** Compares the words of the names and their pairs of letters, and takes the higher value. */
export function nameSimilarity(a: string, b: string): number {
  const [x, y] = [fold(a), fold(b)];
  if (x === y) return 1;
  return Math.max(overlap(new Set(splitIdentifier(a)), new Set(splitIdentifier(b))), overlap(pairsOf(x), pairsOf(y)));
}
