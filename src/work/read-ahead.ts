/** Works out the next item while the caller uses the one before. The order of the items, and of errors, stays. */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = iterator.next();
      // Its error is thrown in its turn, unless the caller stops before.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
