/**
 * Puts parentheses around each branch of a set operation that ends with a subquery.
 *
 * The parser reads `select a from t where b = (select 1) union select c from v` as a comparison of b with a union. In SQL,
 * a set operation combines whole branches, so the parentheses do not change what the statement means.
 */
import type { SqlDialect } from "./dialect.ts";
import { type Edit, edited, inserted } from "./rewriting.ts";
import { readTokens, type Token } from "./tokens.ts";

const SET_OPERATION = /^(?:union|intersect|except|minus)$/;
/** Words before a set operation, in BigQuery. */
const SIDE = /^(?:full|left|inner|outer)$/;
/** Words between a set operation and the query after it. */
const MODIFIER = /^(?:all|distinct|by|name|on|corresponding|strict)$/;
const QUERY = /^(?:select|with|from|values|table)$/;
/** A branch may begin with FROM, as in DuckDB. */
const BRANCH = /^(?:select|from)$/;

/**
 * Whether a query contains a set operation outside its CTEs. If none does, the parser cannot have misplaced one.
 * @param node the tree of the text
 */
export function holdsInnerOperation(sql: string, node: unknown): boolean {
  return /\b(?:union|intersect|except|minus)\b/i.test(sql) && holdsOperation(node, false);
}

function holdsOperation(node: unknown, inQuery: boolean): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some((child) => holdsOperation(child, inQuery));
  return Object.entries(node).some(([key, child]: [string, unknown]) => {
    if (typeof child !== "object" || child === null) return false;
    // A star has a list of this name.
    if (inQuery && SET_OPERATION.test(key) && !Array.isArray(child)) return true;
    return holdsOperation(child, key !== "with" && (inQuery || key === "select"));
  });
}

/** The first word inside a group of parentheses. */
function firstWord(tokens: readonly Token[], from: number): string {
  let at = from;
  while (tokens[at]?.word === "(") at++;
  return tokens[at]?.word ?? "";
}

/** Whether a query follows the word, as it does not follow a function or the `except` of a star. */
function isSetOperation(tokens: readonly Token[], at: number): boolean {
  if (!SET_OPERATION.test(tokens[at]?.word ?? "")) return false;
  let next = at + 1;
  while (MODIFIER.test(tokens[next]?.word ?? "")) next++;
  const columns = /^(?:by|on)$/.test(tokens[next - 1]?.word ?? "") ? (tokens[next]?.closedBy ?? -1) : -1;
  return QUERY.test(firstWord(tokens, columns < 0 ? next : columns + 1));
}

function parentheses(tokens: readonly Token[]): Edit[] {
  const edits: Edit[] = [];
  const openedBy = new Map(tokens.map(({ closedBy }, i) => [closedBy, i]));
  // For each open group and the text around them, the first token of its present branch.
  const branches: (Token | null)[] = [null];
  for (const [i, token] of tokens.entries()) {
    const branch = branches.at(-1) ?? null;
    if (token.word === "(") branches.push(null);
    else if (token.word === ")") branches.pop();
    else if (token.word === ";") branches[branches.length - 1] = null;
    else if (branch === null && BRANCH.test(token.word)) branches[branches.length - 1] = token;
    else if (isSetOperation(tokens, i)) {
      let last = i - 1;
      while (SIDE.test(tokens[last]?.word ?? "")) last--;
      const isQuery = QUERY.test(firstWord(tokens, openedBy.get(last) ?? i));
      const end = tokens[last]?.end;
      if (branch !== null && isQuery && end !== undefined) edits.push(inserted(branch.start, "("), inserted(end, ")"));
      branches[branches.length - 1] = null;
    }
  }
  return edits;
}

/** @returns the same text if there is no such branch, null if the text cannot be split into tokens */
export function encloseBranches(sql: string, dialect: SqlDialect): string | null {
  const tokens = readTokens(sql, dialect);
  return tokens === null ? null : edited(sql, parentheses(tokens));
}
