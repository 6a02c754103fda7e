/** The order in which the SQL of assets is read: each asset after its sources. */

interface Waiting<T> {
  item: T;
  /** Ids of the items that must be read before. */
  for: Set<string>;
}

/** @param parentsOf ids of an item's sources; ids that belong to no item are ignored */
export function createReadingOrder<T extends { id: string }>(
  items: readonly T[],
  parentsOf: (item: T) => Iterable<string>,
) {
  const pending = new Map<string, Waiting<T>>(items.map((item) => [item.id, { item, for: new Set() }]));
  const readers = new Map<string, Set<string>>();
  const ready: string[] = [];
  /**
   * Where the search for circles starts. The ids are sorted, so the result does not depend on the order of the
   * statements.
   */
  let starts: string[] | undefined;

  function wait(id: string, { for: waits }: Waiting<T>, others: Iterable<string>): void {
    for (const other of others) {
      if (other === id || !pending.has(other) || waits.has(other)) continue;
      waits.add(other);
      readers.getOrInsertComputed(other, () => new Set()).add(id);
    }
    if (waits.size === 0) ready.push(id);
  }

  /** The given item, and all that wait for it directly or through others. */
  function waitingFor(one: string): Set<string> {
    const found = new Set([one]);
    for (const id of found) {
      for (const reader of readers.get(id) ?? []) if (pending.get(reader)?.for.has(id) === true) found.add(reader);
    }
    return found;
  }

  /**
   * Goes from an item to one that it waits for until an item repeats. It is called if nothing is ready, so every item
   * waits for another.
   */
  function findCircle(): string[] {
    const path = new Set<string>();
    starts ??= [...pending.keys()].toSorted();
    while (starts.length > 0 && !pending.has(starts[0] ?? "")) starts.shift();
    let at = starts[0];
    while (at !== undefined && !path.has(at)) {
      path.add(at);
      [at] = [...(pending.get(at)?.for ?? [])].toSorted();
    }
    const way = [...path];
    return at === undefined ? way : way.slice(way.indexOf(at));
  }

  function take(ids: readonly string[]): T[] {
    return ids.flatMap((id) => pending.get(id)?.item ?? []);
  }

  for (const [id, waiting] of pending) wait(id, waiting, parentsOf(waiting.item));
  return {
    /**
     * At most this many items that can be read next. Items that wait for each other in a circle come together. Empty at
     * the end.
     */
    next(most: number): T[] {
      if (ready.length > 0) return take(ready.splice(0, most));
      const circle = findCircle();
      for (const id of circle) pending.get(id)?.for.clear();
      return take(circle);
    },
    /** Notes that an asset was read. Assets that waited only for it are then ready. */
    done(id: string): void {
      pending.delete(id);
      for (const reader of readers.get(id) ?? []) {
        const waits = pending.get(reader)?.for;
        if (waits?.delete(id) === true && waits.size === 0) ready.push(reader);
      }
      readers.delete(id);
    },
    /**
     * Notes that an asset has further sources and must be read again. It waits for those sources that are not read yet,
     * but not for one that waits for the asset itself.
     */
    again(id: string, others: Iterable<string>): void {
      const waiting = pending.get(id);
      if (waiting === undefined) return;
      const behind = waitingFor(id);
      wait(
        id,
        waiting,
        [...others].filter((other) => !behind.has(other)),
      );
    },
  };
}
