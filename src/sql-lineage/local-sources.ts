/** The sources of a query's FROM clause, numbered by where they stand, so that it does not matter how they are named. */
import { bareColumnNames, type Identifier, type Node } from "./syntax.ts";

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
   * A source keeps its name if something else in the query may mean it: a column without a qualifier may be its whole row,
   * and the first part of a table's path may be one of its columns.
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
    const bare = new Set(bareColumnNames(query).map((name) => fold({ name, quoted: false })));
    const paths = new Set(
      sources.flatMap((source) => ("table" in source && source.table.schema ? [fold(source.table.schema)] : [])),
    );
    for (const [i, source] of sources.entries()) {
      const content = "table" in source ? source.table : "subquery" in source ? source.subquery : null;
      const name = content?.alias ?? ("table" in source ? source.table.name : null);
      if (content === null || !isIdentifier(name)) {
        this.#isOpen = true;
        continue;
      }
      const folded = fold(name);
      const keepsName = bare.has(folded) || paths.has(folded) || this.#byName.has(folded);
      const local = keepsName ? null : localName(this.#depth, i);
      this.#byName.set(folded, local);
      if (local !== null) this.#bySource.set(content, local);
    }
  }

  /** What stands in place of a qualifier; null if the name stays. */
  find(folded: string): Named | null {
    const own = this.#byName.get(folded);
    if (own !== undefined || this.#isOpen) return own ?? null;
    return this.#outer?.find(folded) ?? null;
  }

  /** @param source the content of a table's or subquery's node */
  localOf(source: object): Named | null {
    return this.#bySource.get(source) ?? null;
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
