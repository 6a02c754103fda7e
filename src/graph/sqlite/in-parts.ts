/** Reads long lists in parts. Between two statements a thread can see that its caller is gone. */

/** About as many rows as one statement should return. It then takes some ten milliseconds. */
const MANY_ROWS = 5_000;

/**
 * The rows of all parts. After a part with many rows, the next part is smaller.
 * @param options.most items in one part
 */
export function inParts<Item, Row>(
  items: readonly Item[],
  read: (part: readonly Item[]) => Row[],
  { most = 4_000 }: { most?: number } = {},
): Row[] {
  const rows: Row[] = [];
  let size = Math.min(most, 250);
  for (let start = 0; start < items.length;) {
    const part = read(items.slice(start, start + size));
    start += size;
    for (const row of part) rows.push(row);
    size = part.length > MANY_ROWS ? Math.max(1, size >> 2) : Math.min(most, size * 2);
  }
  return rows;
}
