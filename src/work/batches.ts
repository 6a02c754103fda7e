/**
 * Divides items into batches, in order. A batch weighs at most `most`; an item that weighs more is a batch by itself.
 */
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
