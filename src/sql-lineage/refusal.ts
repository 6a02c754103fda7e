/** Explains why the parser refused a text, by the name of the construct that it does not support. */
import type { SqlDialect } from "./dialect.ts";
import { offsetsIn, readTokens, type Token } from "./tokens.ts";

interface Failure {
  error: string;
  /** In characters. */
  errorStart?: number;
}

/** Constructs, with the words or signs that they begin with. */
const CONSTRUCTS: readonly (readonly [name: string, words: readonly string[]])[] = [
  ["pipe syntax", ["|>"]],
  ["the operator ->>", ["->>"]],
  ["* ILIKE", ["*", "ilike"]],
  ["* LIKE", ["*", "like"]],
  ["FOR SYSTEM_TIME AS OF here", ["for", "system_time"]],
  ["SUBSET", ["subset"]],
  ["ON EMPTY", ["on", "empty"]],
  ["TABLESAMPLE in this form", ["tablesample"]],
  ["WITH as an expression", ["with", "("]],
  ["a masking policy", ["masking", "policy"]],
  ["a row access policy", ["row", "access", "policy"]],
  ["PIVOT in this form", ["pivot"]],
  ["UNPIVOT in this form", ["unpivot"]],
];

/** The parser reports an error up to this many tokens after the construct's beginning. */
const REACH = 5;

function constructAt(tokens: readonly Token[], refused: number): string | null {
  for (let i = Math.min(refused + 1, tokens.length - 1); i >= Math.max(0, refused - REACH); i--) {
    const found = CONSTRUCTS.find(([, words]) => words.every((word, k) => tokens[i + k]?.word === word));
    if (found !== undefined) return found[0];
  }
  return null;
}

const NO_CALL =
  /^(?:as|in|from|join|on|and|or|not|select|where|by|using|over|with|values|exists|any|all|then|else|when)$/;

/** Describes the innermost call around a token. Returns null if there is none. */
function callAround(tokens: readonly Token[], refused: number): string | null {
  let depth = 0;
  for (let i = refused - 1; i > 0; i--) {
    const { word = "" } = tokens[i] ?? {};
    if (word === ")") depth++;
    if (word !== "(" || --depth >= 0) continue;
    const { word: name = "", text = "" } = tokens[i - 1] ?? {};
    return /^\p{L}/u.test(name) && !NO_CALL.test(name) ? `the arguments of ${text.toUpperCase()}(…)` : null;
  }
  return null;
}

/** @returns the parser's message, after the name of the unsupported construct if it is known */
export function explainRefusal(sql: string, { error, errorStart }: Failure, dialect: SqlDialect): string {
  const tokens = errorStart === undefined ? null : readTokens(sql, dialect);
  if (tokens === null || errorStart === undefined) return error;
  const at = offsetsIn(sql)(errorStart);
  const found = tokens.findIndex(({ end }) => end > at);
  const refused = found < 0 ? tokens.length : found;
  const name = constructAt(tokens, refused) ?? callAround(tokens, refused);
  return name === null ? error : `the parser does not read ${name}: ${error}`;
}
