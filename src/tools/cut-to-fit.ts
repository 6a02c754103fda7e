/**
 * Bounds the size of a tool's answer by leaving out whole items. Only if not even one item fits, it is shortened, and then
 * what stands beside the items.
 */
import { badField } from "../errors.ts";

/** The longest texts and lists. */
interface Most {
  text: number;
  list: number;
}

/** The lengths to which the texts and lists of an item are cut, tried in this order, if the item alone does not fit. */
const SHORTER: readonly Most[] = [
  { text: 1_000, list: 50 },
  { text: 200, list: 10 },
  { text: 60, list: 3 },
  { text: 30, list: 0 },
];

/** Fields that are never cut, because a part of an id is useless, and what is missing must not seem to be there. */
const WHOLE: ReadonlySet<string> = new Set(["id", "assetId", "from", "to", "missing"]);

interface Parts<Item extends object, Rest extends object> {
  /** All items in order. The answer keeps as many of the first ones as fit. */
  items: readonly Item[];
  /** The largest length of the answer's JSON. */
  maxCharacters: number;
  /** What the answer says beside the items. Lists and texts of it are cut last. */
  rest?: Rest;
}

/**
 * Returns the answer with as many items as fit.
 * @param build makes the answer from the items that are kept, and from what stands beside them
 * @throws AppError `bad_request` if not even one item fits, with all texts in the answer cut
 */
export function cutToFit<Item extends object, Answer, Rest extends object = object>(
  { items, maxCharacters, rest }: Parts<Item, Rest>,
  build: (kept: Item[], rest: Rest) => Answer,
): Answer {
  // Who gives nothing to stand beside the items does not use it either.
  const beside = (rest ?? {}) as Rest;
  const sizeOf = (kept: Item[]): number => JSON.stringify(build(kept, beside)).length;
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
    if (sizeOf(kept) <= maxCharacters) return build(kept, beside);
  }
  const [first] = items;
  const keep = (most: Most): Item[] => (first === undefined ? [] : [{ ...shorten(first, most), shortened: true }]);
  if (first === undefined && sizeOf([]) <= maxCharacters) return build([], beside);
  for (const most of SHORTER) if (sizeOf(keep(most)) <= maxCharacters) return build(keep(most), beside);
  for (const most of SHORTER) {
    const answer = build(keep(most), shorten(beside, most));
    if (JSON.stringify(answer).length <= maxCharacters) return answer;
  }
  throw badField("maxCharacters", "is too small for what there is to say");
}

/** Returns a copy with shorter texts and lists. */
function shorten<Item extends object>(item: Item, most: Most): Item {
  const shortenValue = (value: unknown, name: string): unknown => {
    if (WHOLE.has(name)) return value;
    if (typeof value === "string") {
      const end = value.codePointAt(most.text - 1) === value.charCodeAt(most.text - 1) ? most.text : most.text - 1;
      return value.length <= most.text ? value : `${value.slice(0, end)}…`;
    }
    if (Array.isArray(value)) return value.slice(0, most.list).map((each) => shortenValue(each, name));
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenValue(inner, key)]));
  };
  return shortenValue(item, "") as Item;
}
