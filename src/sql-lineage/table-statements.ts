/** `table t`, which stands for `select * from t`. */
import type { Edit } from "./rewriting.ts";
import { isName, type Token } from "./tokens.ts";

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

export function tableStatements(tokens: readonly Token[]): Edit[] {
  return tokens.flatMap(({ word, start, end }, i) => {
    if (word !== "table" || !standsForQuery(tokens, i)) return [];
    const first = tokens[i + 1]?.word === "only" ? i + 2 : i + 1;
    let last = first;
    while (tokens[last + 1]?.word === ".") last += 2;
    if (!isName(tokens[first]) || !BEHIND.test(tokens[last + 1]?.word ?? "")) return [];
    return [{ start, end: tokens[first - 1]?.end ?? end, text: "select * from" }];
  });
}
