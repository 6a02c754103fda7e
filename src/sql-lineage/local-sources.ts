/** The sources of a query's FROM clause, numbered by where they stand, so that it does not matter how they are named. */
import { addWords, keyOf } from "./idle-parts.ts";
import type { Identifier, Node } from "./syntax.ts";

export type Named = Pick<Identifier, "name" | "quoted">;

/** Keys that hold positions, comments, or whether an optional word is written. */
export const SPELLING =
  /^(?:span|comments|.*_comments|inferred_type|alias_explicit_as|alias_keyword|use_inner_keyword|use_outer_keyword|explicit_asc|double_colon_syntax|integer_spelling)$/;

export class LocalSources {
  readonly #outer: LocalSources | null;
  readonly #depth: number;
  /** By folded names; null for a source that keeps its name. */
  readonly #byName = new Map<string, Named | null>();
  readonly #bySource = new Map<object, Named>();
  /** Whether there are sources whose names are not known here. */
  #isOpen = false;

  /**
   * A source keeps its name if it is written anywhere but as a qualifier: as a column it may be the source's whole row, in
   * a path its table or one of its columns, and a lambda or a lateral view may give it to something else.
   * @param fold folds a name as the warehouse does
   * @param outer the sources of the query around this one
   */
  constructor(
    query: Pick<Node<"select">, "from" | "joins">,
    { fold, outer }: { fold: (name: Named) => string; outer: LocalSources | null },
  ) {
    this.#outer = outer;
    this.#depth = outer === null ? 0 : outer.#depth + 1;
    const sources = [...(query.from?.expressions ?? []), ...query.joins.map((join) => join.this)];
    if (sources.length === 0) return;
    const words = new Set<string>();
    addMentions(query, words);
    for (const [i, source] of sources.entries()) {
      const content = "table" in source ? source.table : "subquery" in source ? source.subquery : null;
      const name = content?.alias ?? ("table" in source ? source.table.name : null);
      if (content === null || !isIdentifier(name)) {
        this.#isOpen = true;
        continue;
      }
      const folded = fold(name);
      const keepsName = words.has(keyOf(name.name)) || this.#byName.has(folded);
      const local = keepsName ? null : localName(this.#depth, i);
      this.#byName.set(folded, local);
      if (local !== null) this.#bySource.set(content, local);
    }
  }

  /** What stands in place of a qualifier; null if the name stays. */
  find(folded: string): Named | null {
    const own = this.#byName.get(folded);
    if (own !== undefined) return own;
    const outer = this.#outer?.find(folded) ?? null;
    // It may mean a source whose name is not known here, or the outer one.
    return outer !== null && this.#isOpen ? { ...outer, name: `${outer.name} ${folded}` } : outer;
  }

  /** @param source the content of a table's or subquery's node */
  localOf(source: object): Named | null {
    return this.#bySource.get(source) ?? null;
  }
}

/** Adds every word that may be a name, without the qualifiers of columns and the names of sources and CTEs themselves. */
export function addMentions(node: unknown, words: Set<string>): void {
  if (typeof node === "string") addWords(node, words);
  if (typeof node !== "object" || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (SPELLING.test(key)) continue;
    if (key === "column") addMentionsBut(child, ["table"], words);
    else if (key === "star") addMentions(withoutTable(child), words);
    else if (key === "table") addMentionsBut(child, ["name", "alias"], words);
    else if (key === "subquery") addMentionsBut(child, ["alias"], words);
    else if (key === "ctes" && Array.isArray(child)) for (const cte of child) addMentionsBut(cte, ["alias"], words);
    else addMentions(child, words);
  }
}

/** A star without its qualifier, unless that is a path, such as `shop.orders`. */
function withoutTable(star: unknown): unknown {
  if (typeof star !== "object" || star === null || !("table" in star)) return star;
  return isIdentifier(star.table) && star.table.name.includes(".") ? star : { ...star, table: null };
}

/** @param names keys of names that are no mentions; of a path in one pair of quotes, only the last part is none */
function addMentionsBut(node: unknown, names: readonly string[], words: Set<string>): void {
  if (typeof node !== "object" || node === null || isIdentifier(node)) {
    addMentions(node, words);
    return;
  }
  for (const [key, child] of Object.entries(node)) {
    if (SPELLING.test(key)) continue;
    if (!names.includes(key) || !isIdentifier(child)) addMentions({ [key]: child }, words);
    else for (const part of child.name.split(".").slice(0, -1)) addMentions(part, words);
  }
}

/** No name in SQL is written in this way without quotes. */
export function localName(...position: readonly (number | string)[]): Named {
  return { name: `@${position.join(".")}`, quoted: false };
}

export function isIdentifier(value: unknown): value is Named {
  if (typeof value !== "object" || value === null || !("name" in value) || !("quoted" in value)) return false;
  const others = Object.keys(value).filter((key) => !SPELLING.test(key));
  return typeof value.name === "string" && typeof value.quoted === "boolean" && others.length === 2;
}
