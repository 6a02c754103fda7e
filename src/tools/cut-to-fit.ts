/** Bounds the size of a tool's answer by leaving out whole items. Only an item that is too large by itself is shortened. */
import { badField } from "../errors.ts";

/** The lengths to which the texts and lists of an item are cut, tried in this order, if the item alone does not fit. */
const SHORTER: readonly { text: number; list: number }[] = [
  { text: 1_000, list: 50 },
  { text: 200, list: 10 },
  { text: 60, list: 3 },
  { text: 30, list: 0 },
];

/** Fields that are never cut, because a part of an id is useless. */
const WHOLE: ReadonlySet<string> = new Set(["id", "assetId", "from", "to"]);

interface Parts<Item extends object> {
  /** All items in order. The answer keeps as many of the first ones as fit. */
  items: readonly Item[];
  /** The largest length of the answer's JSON. */
  maxCharacters: number;
}

/**
 * Returns the answer with as many items as fit.
 * @param build makes the answer from the items that are kept
 * @throws AppError `bad_request` if not even one item fits, with all texts in it cut
 */
export function cutToFit<Item extends object, Answer>(
  { items, maxCharacters }: Parts<Item>,
  build: (kept: Item[]) => Answer,
): Answer {
  const sizeOf = (kept: Item[]): number => JSON.stringify(build(kept)).length;
  // A comma stands between two items.
  let size = sizeOf([]) - 1;
  let count = 0;
  for (; count < items.length; count++) {
    size += JSON.stringify(items[count]).length + 1;
    if (size > maxCharacters) break;
  }
  // The cursor depends on the items that are kept, so the exact size is only known now.
  for (; count > 0; count--) {
    const kept = items.slice(0, count);
    if (sizeOf(kept) <= maxCharacters) return build(kept);
  }
  const [first] = items;
  if (first === undefined && sizeOf([]) <= maxCharacters) return build([]);
  for (const most of SHORTER) {
    if (first === undefined) break;
    const kept = [{ ...shorten(first, most), shortened: true }];
    if (sizeOf(kept) <= maxCharacters) return build(kept);
  }
  throw badField("maxCharacters", "is too small for what there is to say");
}

/** Returns a copy with shorter texts and lists. */
function shorten<Item extends object>(item: Item, most: { text: number; list: number }): Item {
  const shortenValue = (value: unknown, name: string): unknown => {
    if (typeof value === "string") {
      const end = value.codePointAt(most.text - 1) === value.charCodeAt(most.text - 1) ? most.text : most.text - 1;
      return value.length <= most.text || WHOLE.has(name) ? value : `${value.slice(0, end)}…`;
    }
    if (Array.isArray(value)) return value.slice(0, most.list).map((each) => shortenValue(each, name));
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenValue(inner, key)]));
  };
  return shortenValue(item, "") as Item;
}
