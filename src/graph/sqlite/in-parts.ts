/** Long lists, asked for a part at a time: between two statements a thread sees that its caller is gone. */

/** Rows that one statement should bring at most: it takes some ten milliseconds then. */
const MANY_ROWS = 5_000;

/**
 * The rows of all parts. A part is smaller where the one before brought many rows.
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
