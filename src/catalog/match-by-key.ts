/** Which items of two lists are the same by a key. */

export interface Matches<Old, New> {
  removed: Old[];
  added: New[];
  kept: { old: Old; new: New }[];
}

/** Of items of one list with the same key, the last one counts. */
export function matchByKey<Old, New>(
  before: Iterable<Old>,
  after: Iterable<New>,
  keyOf: (item: Old | New) => string,
): Matches<Old, New> {
  const olds = new Map(Array.from(before, (item) => [keyOf(item), item] as const));
  const news = new Map(Array.from(after, (item) => [keyOf(item), item] as const));
  const matches: Matches<Old, New> = { removed: [], added: [], kept: [] };
  for (const [key, old] of olds) {
    const next = news.get(key);
    if (next === undefined) matches.removed.push(old);
    else matches.kept.push({ old, new: next });
  }
  for (const [key, next] of news) if (!olds.has(key)) matches.added.push(next);
  return matches;
}
