/**
 * What of a statement decides one of its columns: all of it, without the items of select lists by which only other
 * columns are computed. Names are compared wherever they stand, whatever they mean there: more may be kept than
 * decides, never less.
 */
import { hash } from "node:crypto";

import { prunableName } from "./prunable.ts";
import { type Expression, type Node, ordinalOf } from "./syntax.ts";

type Query = Node<"select">;

/** SHA-256, in hexadecimal digits, of what decides the column of this name. */
export type BasisOf = (column: string) => string;

/** An item that is left out where nothing has its name. */
interface Item {
  text: string;
  /** All that may be a name in it. */
  words: Set<string>;
}

/** What takes columns by their places or by patterns, or makes others of them. */
const BY_PLACE: ReadonlySet<string> = new Set(["star", "pivot", "unpivot", "columns", "braced_wildcard"]);
const OPERANDS = ["select", "union", "subquery", "paren", "values"];
const WORDS = /[\p{L}\p{N}_$]+/gu;

/**
 * @param statement in its canonical form
 * @returns null where names do not tell what decides a row: `distinct`, `union` without `all`, natural joins, whole rows
 */
export function findBases(statement: Expression): BasisOf | null {
  const skeleton = new Skeleton();
  const base = hash("sha256", JSON.stringify(skeleton.visit(statement, true)), "hex");
  if (!("select" in statement) || skeleton.isDoubtful) return null;
  const always = reach(skeleton.words, skeleton.items);
  return (column) => {
    const kept = reach([keyOf(column)], skeleton.items).union(always);
    const texts = skeleton.order.filter((item) => kept.has(item)).map(({ text }) => text);
    return hash("sha256", JSON.stringify([base, texts]), "hex");
  };
}

/** The items of these names, and of all names in them. */
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

function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function addWords(text: string, words: Set<string>): void {
  words.add(keyOf(text));
  for (const word of text.match(WORDS) ?? []) words.add(keyOf(word));
}

/** A node of the tree, unlike what the nodes hold, has one key. */
function isExpression(value: unknown): value is Expression {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 1;
}

/** What is left of a statement without the items that may be left out, and these by their names. */
class Skeleton {
  readonly items = new Map<string, Item[]>();
  /** In the order of the statement. */
  readonly order: Item[] = [];
  readonly words = new Set<string>();
  readonly #relations = new Set<string>();
  readonly #bare = new Set<string>();
  #doubtful = false;
  #selects = 0;

  /** A column that is named like a relation may mean its rows as a whole. */
  get isDoubtful(): boolean {
    return this.#doubtful || !this.#bare.isDisjointFrom(this.#relations);
  }

  /** @param open whether the columns of a query here are only ever taken by their names */
  visit(node: unknown, open: boolean): unknown {
    if (typeof node === "string") addWords(node, this.words);
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((child) => this.visit(child, false));
    if (!isExpression(node)) return this.#visitParts(node);
    this.#examine(node);
    if ("select" in node) return ["select", this.#visitSelect(node.select, open)];
    if ("subquery" in node && node.subquery.order_by === null) {
      const { this: query, ...others } = node.subquery;
      return ["subquery", this.#visitParts(others), this.visit(query, open)];
    }
    return this.#visitParts(node);
  }

  #visitParts(node: object): unknown {
    return Object.entries(node).map(([key, child]) => [key, this.visit(child, false)]);
  }

  #visitSelect(query: Query, open: boolean): unknown {
    const { expressions, from, joins, with: clause, ...others } = query;
    const select = this.#selects++;
    const byName = open && !isByPlace(query);
    const isPlain = !query.distinct && query.distinct_on === null && query.into === null && expressions.length > 0;
    if (!isPlain || joins.some(({ kind }) => kind.startsWith("Natural"))) this.#doubtful = true;
    const list = expressions.map((item) => this.#visitItem(item, byName ? query : null, select));
    const ctes = clause?.ctes.map(({ this: body, ...cte }) => {
      if (cte.columns.length > 0) this.#doubtful = true;
      this.#relations.add(keyOf(cte.alias.name));
      return [this.#visitParts(cte), this.visit(body, true)];
    });
    const sources = from?.expressions.map((source) => this.visit(source, true));
    const joined = joins.map(({ this: source, ...join }) => [this.visit(source, true), this.#visitParts(join)]);
    return [list.flat(), clause?.recursive, ctes, sources, joined, this.#visitParts(others)];
  }

  /** @param query null where all its items stay */
  #visitItem(item: Expression, query: Query | null, select: number): unknown[] {
    if ("star" in item && query !== null) return [["star", this.#visitParts(item.star)]];
    const name = query === null ? null : prunableName(item, query);
    if (name === null) return [this.visit(item, false)];
    const words = new Set<string>();
    const text = JSON.stringify([select, item], (_key, value: unknown) => {
      if (typeof value === "string") addWords(value, words);
      if (isExpression(value)) this.#examine(value);
      return value;
    });
    const own = { text, words };
    this.items.set(keyOf(name), [...(this.items.get(keyOf(name)) ?? []), own]);
    this.order.push(own);
    return [];
  }

  #examine(node: Expression): void {
    if (Object.keys(node).some((tag) => BY_PLACE.has(tag) || tag === "intersect" || tag === "except")) {
      this.#doubtful = true;
    }
    if ("column" in node && node.column.table === null) this.#bare.add(keyOf(node.column.name.name));
    if ("table" in node) this.#addRelation(node.table, node.table.name, node.table.alias);
    if ("subquery" in node) this.#addRelation(node.subquery, node.subquery.alias);
    if (!("union" in node)) return;
    const { all, left, right } = node.union;
    const isRead = [left, right].every((side) => OPERANDS.some((tag) => tag in side));
    if (!all || !isRead) this.#doubtful = true;
  }

  #addRelation(
    { column_aliases }: { column_aliases: readonly unknown[] },
    ...names: readonly ({ name: string } | null)[]
  ): void {
    if (column_aliases.length > 0) this.#doubtful = true;
    for (const name of names) if (name !== null) this.#relations.add(keyOf(name.name));
  }
}

/** Whether the query groups or sorts by places, or by all of its items; a number in a call counts too. */
function isByPlace({ group_by, order_by, limit_by, kind }: Query): boolean {
  return group_by?.all === true || (kind ?? null) !== null || [group_by, order_by, limit_by].some(hasPlace);
}

function hasPlace(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some(hasPlace);
  if (!isExpression(node)) return Object.values(node).some(hasPlace);
  if ("column" in node) return node.column.name.name.toLowerCase() === "all";
  return ordinalOf(node) !== null || Object.values(node).some(hasPlace);
}
