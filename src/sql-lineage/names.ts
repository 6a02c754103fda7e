/** Names of columns and relations, and when two of them are the same. */
import type { SqlDialect } from "./dialect.ts";
import type { Expression, Identifier } from "./syntax.ts";

/** A part of a text; the end is not part of it. */
export interface Span {
  start: number;
  end: number;
}

export interface Name {
  /** As it is written. */
  text: string;
  /** As the warehouse stores it. Two names mean the same if this is equal. */
  stored: string;
  /** In lower case, to compare names that a source spells differently from the warehouse. */
  folded: string;
  isQuoted?: true;
  /** Where it is written, in the parser's characters; absent where it was not read of the text. */
  span?: Span;
  /** The expression of an output without a name. The text is empty then. */
  unnamed?: Expression;
}

/** Takes a name as a statement writes it. */
export function toName(
  { name, quoted, span }: Pick<Identifier, "name" | "quoted" | "span">,
  { folding }: SqlDialect,
): Name {
  const folded = name.toLowerCase();
  const written = { text: name, folded, ...(quoted ? { isQuoted: true as const } : {}), ...(span ? { span } : {}) };
  if (folding === "ignore") return { ...written, stored: folded };
  if (quoted || folding === "keep") return { ...written, stored: name };
  return { ...written, stored: folding === "upper" ? name.toUpperCase() : folded };
}

/** Takes a name as a warehouse or a connector gives it. It is already in the case in which it is stored. */
export function toStoredName(name: string, dialect: SqlDialect): Name {
  return toName({ name, quoted: true }, dialect);
}

/** The names of a path as the one name of a column, such as `items.sku`. Returns null for an empty path. */
export function toPathName(path: readonly Name[]): Name | null {
  const [first, ...others] = path;
  if (first === undefined || others.length === 0) return first ?? null;
  const joined = (part: (name: Name) => string): string => path.map(part).join(".");
  return {
    text: joined(({ text }) => text),
    stored: joined(({ stored }) => stored),
    folded: joined(({ folded }) => folded),
  };
}

type Named = { name: Name | null };

interface Index<T> {
  stored: Map<string | undefined, T[]>;
  folded: Map<string | undefined, T[]>;
}

/** Lists of this length or longer get an index, because the names of a wide table are looked up one by one. */
const INDEXED = 16;
const indexes = new WeakMap<readonly Named[], Index<Named>>();

function indexOf<T extends Named>(all: readonly T[]): Index<T> {
  // The index of a list holds the list's own items.
  const known = indexes.get(all) as Index<T> | undefined;
  if (known !== undefined) return known;
  const stored = Map.groupBy(all, ({ name }) => name?.stored);
  const index = { stored, folded: Map.groupBy(all, ({ name }) => name?.folded) };
  indexes.set(all, index);
  return index;
}

/**
 * Finds the items with this name. If there are none, finds those whose name differs only in case.
 * @param all a list that no longer changes
 */
export function findNamed<T extends Named>(all: readonly T[], name: Name): T[] {
  if (all.length >= INDEXED) {
    const { stored, folded } = indexOf(all);
    return stored.get(name.stored) ?? folded.get(name.folded) ?? [];
  }
  const exact = all.filter((item) => item.name?.stored === name.stored);
  return exact.length > 0 ? exact : all.filter((item) => item.name?.folded === name.folded);
}

/** Whether a name stands anywhere in a part of a tree. */
export function mentions(node: unknown, name: Identifier, dialect: SqlDialect): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("name" in node && "quoted" in node) {
    return toName(node as Identifier, dialect).stored === toName(name, dialect).stored;
  }
  return Object.values(node).some((part) => mentions(part, name, dialect));
}
