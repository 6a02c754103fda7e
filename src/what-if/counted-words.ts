/** Counts and names in sentences. */
import type { AssetCounts } from "../catalog/impact/affected-assets.ts";
import { type RiskCounts, RISKS } from "../catalog/impact.ts";
import { quote } from "../catalog/impact/words.ts";
import { NODE_TYPE_TABLE } from "../catalog/node-types.ts";

/** How many names one sentence has. */
const MAX_NAMES = 5;

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function joinWords(words: readonly string[]): string {
  return [...words.slice(0, -2), words.slice(-2).join(" and ")].join(", ");
}

/** The first names, such as "`a`, `b` and 3 more". */
export function nameFirst(all: readonly { name: string }[], total = all.length): string {
  const names = all.slice(0, MAX_NAMES).map(({ name }) => quote(name));
  return joinWords(total > names.length ? [...names, `${total - names.length} more`] : names);
}

/** How many of each type, such as `4 dashboards, 1 metric`. */
export function formatTypes(types: AssetCounts["types"]): string {
  return types.map(({ type, count }) => countOf(count, type, NODE_TYPE_TABLE[type].plural)).join(", ");
}

/** The counts, such as `2 high, 1 low` or `none`. */
export function formatCounts(counts: RiskCounts): string {
  return RISKS.flatMap((risk) => (counts[risk] === 0 ? [] : [`${counts[risk]} ${risk}`])).join(", ") || "none";
}
