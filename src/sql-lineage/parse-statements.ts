/** Parses SQL. If the parser refuses the text, it is rewritten to an equivalent form and parsed again. */
import { Dialect, parse, type ParseResult } from "@polyglot-sql/sdk";

import { encloseBranches, holdsInnerOperation } from "./branches.ts";
import type { SqlDialect } from "./dialect.ts";
import { type Edit, edited, globalJoins, POSTGRES, rewrite } from "./rewriting.ts";
import type { Expression } from "./syntax.ts";
import { withoutPipes } from "./pipes.ts";
import { starPatterns } from "./star-patterns.ts";
import { isName, readTokens, type Token } from "./tokens.ts";

/** Longer texts are not parsed, because the parser would need seconds and hundreds of megabytes. */
export const MAX_CHARACTERS = 2_000_000;

function jinjaIn(sql: string): boolean {
  return /\{\{|\{%|\{#/.test(sql);
}

/** Parses a text, and again with parentheses if it has set operations that the parser misplaces. */
function parseText(sql: string, dialect: SqlDialect): { text: string; result: ParseResult } {
  const result = parse(sql, dialect.parser);
  if (!result.success || !holdsInnerOperation(sql, result.ast)) return { text: sql, result };
  const text = encloseBranches(sql, dialect);
  if (text === sql) return { text, result };
  if (text !== null) return { text, result: parse(text, dialect.parser) };
  const error = "the text is too long to tell which queries its set operations combine";
  return { text: sql, result: { success: false, error } };
}

/** Whether the text is parsed as it is written, so that the parser's positions are positions in the text. */
export function isParsedUnchanged(sql: string, dialect: SqlDialect): boolean {
  const { text, result } = parseText(prepared(sql, dialect), dialect);
  return text === sql && result.success;
}

/** @returns the statements, or the reason why the text cannot be read */
export function parseStatements(sql: string, dialect: SqlDialect): Expression[] | string {
  if (sql.length > MAX_CHARACTERS) return `the text has more than ${MAX_CHARACTERS} characters`;
  const { text, result } = parseText(prepared(sql, dialect), dialect);
  if (result.success) return unwrapCommented(result.ast);
  // Too deep or too long for the parser in any form.
  if (result.error.includes("E_GUARD")) return result.error;
  if (jinjaIn(sql)) return `the text still holds Jinja: ${result.error}`;
  const rewritten = rewrite(text, dialect);
  const again = rewritten === text ? result : parseText(rewritten, dialect).result;
  return again.success ? unwrapCommented(again.ast) : again.error;
}

interface Form {
  dialects: readonly Dialect[];
  /** Found in every text with the form, so that other texts need not be split. Comments may stand between any two words. */
  sign: RegExp;
  write: (sql: string, tokens: readonly Token[]) => string;
}

function byEdits(edits: (tokens: readonly Token[]) => Edit[]): Form["write"] {
  return (sql, tokens) => edited(sql, edits(tokens));
}

const FORMS: readonly Form[] = [
  { dialects: [Dialect.ClickHouse], sign: /\bglobal\b/i, write: byEdits(globalJoins) },
  { dialects: [Dialect.BigQuery, Dialect.Databricks, Dialect.Spark], sign: /\|>/, write: withoutPipes },
  {
    dialects: [...POSTGRES, Dialect.Databricks, Dialect.DuckDB, Dialect.MySQL, Dialect.Spark, Dialect.Trino],
    sign: /\btable\b/i,
    write: byEdits(tableStatements),
  },
  { dialects: [Dialect.DuckDB, Dialect.Snowflake], sign: /\bi?like\b/i, write: byEdits(starPatterns) },
];

/** @returns the same text if it has no such form */
function prepared(sql: string, dialect: SqlDialect): string {
  let text = sql;
  for (const { dialects, sign, write } of FORMS) {
    if (!dialects.includes(dialect.parser) || !sign.test(text)) continue;
    const tokens = readTokens(text, dialect);
    if (tokens !== null) text = write(text, tokens);
  }
  return text;
}

/** What a query may stand behind. */
const BEFORE = /^(?:[(;]|as|union|all|distinct|except|intersect)$/;
/** Words before a parenthesis that holds a query. Other words call a function, such as `f(table t)`. */
const BEFORE_PARENTHESIS =
  /^(?:[(,)]|as|from|join|in|exists|any|some|all|array|union|except|intersect|distinct|materialized)$/;
/** What may stand behind the table's name. */
const BEHIND = /^(?:[);]|order|limit|offset|fetch|union|except|intersect)?$/;

/** Whether the statement that a token belongs to may end with a query behind a name or a parenthesis. */
function endsWithQuery(tokens: readonly Token[], at: number): boolean {
  let first = at;
  for (let depth = 0; first > 0; first--) {
    const { word = "" } = tokens[first - 1] ?? {};
    depth += Number(word === ")") - Number(word === "(");
    if (depth < 0 || word === ";") break;
  }
  const behindName = /^(?:into|overwrite)$/.test(tokens[at - 1]?.word ?? "") ? /^$/ : /^insert$/;
  return (tokens[at - 1]?.word === ")" ? /^(?:with|insert|create)$/ : behindName).test(tokens[first]?.word ?? "");
}

function standsForQuery(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.word;
  if (before === "(" && !BEFORE_PARENTHESIS.test(tokens[i - 2]?.word ?? "(")) return false;
  return before === undefined || BEFORE.test(before) || endsWithQuery(tokens, i);
}

function tableStatements(tokens: readonly Token[]): Edit[] {
  return tokens.flatMap(({ word, start, end }, i) => {
    if (word !== "table" || !standsForQuery(tokens, i)) return [];
    const first = tokens[i + 1]?.word === "only" ? i + 2 : i + 1;
    let last = first;
    while (tokens[last + 1]?.word === ".") last += 2;
    if (!isName(tokens[first]) || !BEHIND.test(tokens[last + 1]?.word ?? "")) return [];
    return [{ start, end: tokens[first - 1]?.end ?? end, text: "select * from" }];
  });
}

/** Changes the trees in place: `a -- the a` becomes a plain column, `t.* -- all of t` a plain star. */
function unwrapCommented(statements: Expression[]): Expression[] {
  unwrapIn(statements, new TupleAliases());
  return statements;
}

function unwrapIn(node: object, aliases: TupleAliases): void {
  const children: [string, unknown][] = Object.entries(node);
  for (const [key, child] of children) {
    const inner = unwrapped(child);
    if (typeof inner === "object" && inner !== null) unwrapIn(inner, aliases);
    const placed = typeof inner === "object" && inner !== null ? aliases.visit(inner) : inner;
    if (placed !== child) Reflect.set(node, key, placed);
  }
}

function unwrapped(node: unknown): unknown {
  let inner = node;
  while (isAnnotated(inner)) inner = inner.annotated.this;
  return inner;
}

function isAnnotated(node: unknown): node is Extract<Expression, { annotated: unknown }> {
  return isTagged(node, "annotated");
}

/** Whether it is a node of one key, this tag. */
function isTagged(node: unknown, tag: string): boolean {
  return typeof node === "object" && node !== null && Object.hasOwn(node, tag) && Object.keys(node).length === 1;
}

type Alias = Extract<Expression, { alias: unknown }>;

/** The keys of the last operand, as in `a = b`, `a overlaps b` and `a between b and c`. */
const LAST_OPERANDS = ["right", "expression", "high"];

function isAlias(node: unknown): node is Alias {
  return isTagged(node, "alias");
}

/**
 * Moves the alias of an expression that ends with a tuple. The parser gives it to the tuple alone: it reads `a = (b, c) as d` as
 * `a = ((b, c) as d)`, which becomes `(a = (b, c)) as d`.
 */
class TupleAliases {
  readonly #moved = new WeakSet();

  /** @returns the expression, or the alias around it. Its parts must have been visited before. */
  visit(node: object): object {
    const [[tag, content] = ["", null], ...others]: [string, unknown][] = Object.entries(node);
    if (others.length > 0 || typeof content !== "object" || content === null) return node;
    const key = tag === "not" ? "this" : LAST_OPERANDS.find((each) => each in content);
    const operand: unknown = key === undefined ? undefined : Reflect.get(content, key);
    if (key === undefined || !isAlias(operand)) return node;
    if (!("tuple" in operand.alias.this) && !this.#moved.has(operand)) return node;
    Reflect.set(content, key, operand.alias.this);
    const alias = { alias: { ...operand.alias, this: node } };
    this.#moved.add(alias);
    return alias;
  }
}
