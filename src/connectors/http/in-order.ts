/** Works at several items at one time, and gives the results in the order of the items. */

/**
 * @param width how many results may be worked at or wait at one time
 * @throws the error of the first item that failed. What runs then is not awaited.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const item of items) {
    const result = work(item);
    // A later item may fail while an earlier one is awaited. Its error is thrown when its result is due.
    result.catch(() => {});
    running.push(result);
    if (running.length < width) continue;
    const [first] = running.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const result of running) yield await result;
}
