/** Explains a search that found something else than its words. */
import type { SearchMatch } from "../../assets/asset-row.ts";

type Match = Pick<SearchMatch, "isComplete" | "corrections">;

/** @param best how the first asset was found; null if it is not known */
export function describeSearch(best: Match | null): string | null {
  if (best === null || best.isComplete) return null;
  const { corrections } = best;
  if (corrections.length === 0) return "No asset has all of these words. These have some of them.";
  const [asked, found] = [corrections.map(({ from }) => from), corrections.map(({ to }) => to)];
  return `No asset has ${quote(asked)}. These have ${quote(found)}.`;
}

/** Whether the metrics of a search are shown: not if assets have all of its words, and metrics only some. */
export function showsMetrics(metric: Match | null | undefined, asset: Match | null): boolean {
  return metric?.isComplete === true || asset?.isComplete !== true;
}

function quote(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(", ");
}
