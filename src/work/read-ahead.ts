/** Works out the next item while the caller uses the current one. Items and errors keep their order. */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = iterator.next();
      // The item's error is thrown when the caller gets to the item, if it does.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
