/** Lists of items in their order that weigh at most `most` together, or of one that weighs more. */
export function* batchesOf<Item>(
  items: readonly Item[],
  most: number,
  weightOf: (item: Item) => number,
): Generator<Item[]> {
  let batch: Item[] = [];
  let weight = 0;
  for (const item of items) {
    const own = weightOf(item);
    if (batch.length > 0 && weight + own > most) {
      yield batch;
      [batch, weight] = [[], 0];
    }
    batch.push(item);
    weight += own;
  }
  if (batch.length > 0) yield batch;
}
