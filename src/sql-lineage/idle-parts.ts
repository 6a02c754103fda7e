/** Leaves out the parts of a statement that decide neither its rows nor their values. */
import { isLimited } from "./select.ts";
import type { Expression, Node, Ordered } from "./syntax.ts";

type With = NonNullable<Node<"select">["with"]>;

const QUERIES = ["select", "union", "intersect", "except"];
const WORDS = /[\p{L}\p{N}_$]+/gu;
const ONE_WORD = new RegExp(`^${WORDS.source}$`, "u");
const NOT_SQL = /comments$/;

/** The statement without the order of its result, if that does not decide which rows are in it. */
export function withoutIdleOrder(statement: Expression): Expression {
  if ("select" in statement) return isLimited(statement.select) ? statement : { select: unsorted(statement.select) };
  if ("union" in statement) return isCut(statement.union) ? statement : { union: unsorted(statement.union) };
  return statement;
}

function isCut({ limit, offset }: Node<"union">): boolean {
  return limit !== null || offset !== null;
}

function unsorted<T extends { order_by: { expressions: readonly Ordered[] } | null }>(query: T): T {
  // `with fill` makes rows.
  const makesRows = query.order_by?.expressions.some(({ with_fill: fill }) => fill != null) === true;
  return makesRows ? query : { ...query, order_by: null };
}

/**
 * The clause without the CTEs that nothing reads. One counts as read if its name is in the query or in another such CTE,
 * whatever the name means there.
 * @param query that has the clause
 */
export function withoutUnread(clause: With, query: object): With {
  if (clause.recursive) return clause;
  const words = new Set<string>();
  addAllWords({ ...query, with: null }, words);
  const read = clause.ctes.toReversed().filter(({ alias: { name }, this: body }) => {
    const isIdle = QUERIES.some((tag) => tag in body) && ONE_WORD.test(name) && !words.has(keyOf(name));
    if (!isIdle) addAllWords(body, words);
    return !isIdle;
  });
  return { ...clause, ctes: read.toReversed() };
}

function addAllWords(node: unknown, words: Set<string>): void {
  if (typeof node === "string") addWords(node, words);
  if (typeof node !== "object" || node === null) return;
  for (const [key, child] of Object.entries(node)) if (!NOT_SQL.test(key)) addAllWords(child, words);
}

/** A text may be a name, or contain names. */
export function addWords(text: string, words: Set<string>): void {
  words.add(keyOf(text));
  for (const word of text.match(WORDS) ?? []) words.add(keyOf(word));
}

export function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
