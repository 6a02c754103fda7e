/**
 * Finds the parts of a statement that decide one of its columns: the whole statement, without the select-list items
 * that only other columns use. Names are compared as text, whatever they mean. So a basis may contain more than what
 * decides the column, but never less.
 */
import { hash } from "node:crypto";

import { addWords, keyOf, withoutIdleOrder } from "./idle-parts.ts";
import { prunableName } from "./prunable.ts";
import { type Expression, type Node, ordinalOf } from "./syntax.ts";

type Query = Node<"select">;

/**
 * Returns the SHA-256, in hexadecimal digits, of the parts that decide the column of this name; for null, of the parts
 * that decide the rows.
 */
export type BasisOf = (column: string | null) => string;

/** A select-list item that is left out if nothing uses its name. */
interface Item {
  text: string;
  /** Every word in it that may be a name. */
  words: Set<string>;
}

/** Nodes that take columns by position or by pattern, or turn them into other columns. */
const BY_PLACE: ReadonlySet<string> = new Set(["star", "pivot", "unpivot", "columns", "braced_wildcard"]);
const SETS = ["union", "intersect", "except"] as const;
const OPERANDS = ["select", ...SETS, "subquery", "paren", "values"];

/** How the columns of a query are used: by name, by their place in a `union all`, or as whole rows. */
type Use = "name" | "place" | "row";

/**
 * @param canonical a statement in its canonical form
 * @returns null if columns decide rows without being named, as in `distinct *`, natural joins and whole rows
 */
export function findBases(canonical: Expression): BasisOf | null {
  const statement = withoutIdleOrder(canonical);
  const skeleton = new Skeleton();
  const base = hash("sha256", JSON.stringify(skeleton.visit(statement, "name")), "hex");
  if (!["select", ...SETS].some((tag) => tag in statement) || skeleton.isDoubtful) return null;
  if (skeleton.isByPlace) {
    const whole = hash("sha256", JSON.stringify(statement), "hex");
    return () => whole;
  }
  const always = reach(skeleton.words, skeleton.items);
  return (column) => {
    const kept = column === null ? always : reach([keyOf(column)], skeleton.items).union(always);
    // All of them are used by name, so their order says nothing.
    const texts = Array.from(kept, ({ text }) => text).toSorted();
    return hash("sha256", JSON.stringify([base, texts]), "hex");
  };
}

/** The items with these names, the items that those use, and so on. */
function reach(names: Iterable<string>, items: ReadonlyMap<string, readonly Item[]>): Set<Item> {
  const reached = new Set<Item>();
  const seen = new Set(names);
  for (const name of seen) {
    for (const item of items.get(name) ?? []) {
      reached.add(item);
      for (const word of item.words) seen.add(word);
    }
  }
  return reached;
}

/** An expression has one key, its tag. The objects inside expressions have several. */
function isExpression(value: unknown): value is Expression {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 1;
}

/** A statement without the items that may be left out, and those items. */
class Skeleton {
  /** By name. */
  readonly items = new Map<string, Item[]>();
  readonly words = new Set<string>();
  readonly #relations = new Set<string>();
  readonly #bare = new Set<string>();
  /** Whether a `*` gives columns to a `union all`: then the place of every item counts. */
  isByPlace = false;
  #doubtful = false;
  #selects = 0;

  /** A column with the same name as a relation may mean the relation's whole row. */
  get isDoubtful(): boolean {
    return this.#doubtful || !this.#bare.isDisjointFrom(this.#relations);
  }

  /** @param use how the columns of this query are used */
  visit(node: unknown, use: Use = "row"): unknown {
    if (typeof node === "string") addWords(node, this.words);
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((child) => this.visit(child));
    if (!isExpression(node)) return this.#visitParts(node);
    this.#examine(node);
    if ("select" in node) return ["select", this.#visitSelect(node.select, use)];
    if ("subquery" in node && node.subquery.order_by === null) {
      const { this: query, ...others } = node.subquery;
      return ["subquery", this.#visitParts(others), this.visit(query, use)];
    }
    if ("union" in node && node.union.all) {
      const { left, right, with: clause, ...others } = node.union;
      const place = use === "row" ? "row" : "place";
      const ctes = this.#visitCtes(clause);
      return ["union", ctes, this.visit(left, place), this.visit(right, place), this.#visitParts(others)];
    }
    return this.#visitParts(node);
  }

  #visitParts(node: object): unknown {
    return Object.entries(node).map(([key, child]) => [key, this.visit(child)]);
  }

  #visitSelect(selected: Query, use: Use): unknown {
    const query = withoutOrdinals(selected);
    const { expressions, from, joins, with: clause, ...others } = query;
    const select = this.#selects++;
    const isPlain = query.into === null && expressions.length > 0;
    if (!isPlain || hasNatural(joins)) this.#doubtful = true;
    // The rows of `distinct` are compared as wholes.
    const used = query.distinct ? "row" : use;
    const isPositional = isByPosition(query);
    const byName = used === "name" && !isPositional;
    const list = expressions.map((item) => {
      if (!("star" in item) || used === "row" || isPositional)
        return this.#visitItem(item, byName ? query : null, select);
      this.isByPlace ||= used === "place";
      return [["star", this.#visitParts(item.star)]];
    });
    const ctes = this.#visitCtes(clause);
    const sources = from?.expressions.map((source) => this.visit(source, "name"));
    const joined = joins.map(({ this: source, ...join }) => [this.visit(source, "name"), this.#visitParts(join)]);
    return [list.flat(), ctes, sources, joined, this.#visitParts(others)];
  }

  #visitCtes(clause: Query["with"]): unknown {
    const ctes = clause?.ctes.map(({ this: body, ...cte }) => {
      if (cte.columns.length > 0) this.#doubtful = true;
      this.#relations.add(keyOf(cte.alias.name));
      return [this.#visitParts(cte), this.visit(body, "name")];
    });
    return [clause?.recursive, ctes];
  }

  /** @param query null if all items stay */
  #visitItem(item: Expression, query: Query | null, select: number): unknown[] {
    const name = query === null ? null : prunableName(item, query);
    if (name === null) return [this.visit(item)];
    const words = new Set<string>();
    const same = this.items.getOrInsertComputed(keyOf(name), () => []);
    // Of two items with one name, the order says which the name means.
    const text = JSON.stringify([same.length, select, item], (_key, value: unknown) => {
      if (typeof value === "string") addWords(value, words);
      if (isExpression(value)) this.#examine(value);
      return value;
    });
    same.push({ text, words });
    return [];
  }

  #examine(node: Expression): void {
    if (Object.keys(node).some((tag) => BY_PLACE.has(tag))) this.#doubtful = true;
    if ("joined_table" in node && hasNatural(node.joined_table.joins)) this.#doubtful = true;
    if ("column" in node && node.column.table === null) this.#bare.add(keyOf(node.column.name.name));
    if ("table" in node) this.#addRelation(node.table, node.table.name, node.table.alias);
    if ("subquery" in node) this.#addRelation(node.subquery, node.subquery.alias);
    const sides = sidesOf(node);
    if (sides.some((side) => !OPERANDS.some((tag) => tag in side))) this.#doubtful = true;
  }

  #addRelation(
    { column_aliases }: { column_aliases: readonly unknown[] },
    ...names: readonly ({ name: string } | null)[]
  ): void {
    if (column_aliases.length > 0) this.#doubtful = true;
    for (const name of names) if (name !== null) this.#relations.add(keyOf(name.name));
  }
}

function hasNatural(joins: Query["joins"]): boolean {
  return joins.some(({ kind }) => kind.startsWith("Natural"));
}

function sidesOf(node: Expression): Expression[] {
  const operation =
    "union" in node ? node.union : "intersect" in node ? node.intersect : "except" in node ? node.except : null;
  return operation === null ? [] : [operation.left, operation.right];
}

/**
 * Replaces positions in `group by 1` and `order by 1` by what they mean, so that other items may be left out. Positions
 * after a `*` are not known, and stay.
 */
function withoutOrdinals(query: Query): Query {
  const { expressions, group_by, order_by } = query;
  const star = expressions.findIndex((item) => prunableName(item, query) === null && !("alias" in item));
  const known = star === -1 ? expressions : expressions.slice(0, star);
  const meant = (key: Expression): Expression => {
    const item = known[ordinalOf(key) ?? -1];
    return item === undefined ? key : "alias" in item ? item.alias.this : item;
  };
  const sorted = order_by?.expressions.map((key) => ({ ...key, this: meant(key.this) }));
  return {
    ...query,
    group_by: group_by && { ...group_by, expressions: group_by.expressions.map(meant) },
    order_by: order_by && { ...order_by, expressions: sorted ?? [] },
  };
}

/** Whether the query groups or sorts by position, or by all items. A number inside a call counts as a position too. */
function isByPosition({ group_by, order_by, limit_by, distinct_on, kind }: Query): boolean {
  const keys = [group_by, order_by, limit_by, distinct_on];
  return group_by?.all === true || (kind ?? null) !== null || keys.some(hasPosition);
}

function hasPosition(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some(hasPosition);
  if (!isExpression(node)) return Object.values(node).some(hasPosition);
  if ("column" in node) return node.column.name.name.toLowerCase() === "all";
  return ordinalOf(node) !== null || Object.values(node).some(hasPosition);
}
