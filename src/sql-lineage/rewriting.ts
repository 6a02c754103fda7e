/**
 * Rewrites syntax that the parser refuses to a form that means the same to the warehouse. This is not a parser: each
 * rule looks for a few tokens in a row.
 */
import { Dialect } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import { toName } from "./names.ts";
import { isName, readTokens, type Token } from "./tokens.ts";

export interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Rule {
  /** The dialects with this syntax. */
  dialects: readonly Dialect[];
  edits: (tokens: readonly Token[], dialect: SqlDialect) => Edit[];
}

export const POSTGRES: Rule["dialects"] = [Dialect.PostgreSQL, Dialect.Materialize, Dialect.RisingWave];

function closing(tokens: readonly Token[], open: number): number {
  return tokens[open]?.closedBy ?? -1;
}

/** Finds these words in a row. Returns the index of the first word of each match. */
function findWords(tokens: readonly Token[], ...words: readonly string[]): number[] {
  return tokens.flatMap((_, i) => (words.every((word, k) => tokens[i + k]?.word === word) ? [i] : []));
}

function replaced(token: Token | undefined, text: string, last = token): Edit[] {
  return token === undefined || last === undefined ? [] : [{ start: token.start, end: last.end, text }];
}

/** Puts a space for the tokens, so that the words around them stay separate. */
function removed(first: Token | undefined, last = first): Edit[] {
  return replaced(first, " ", last);
}

export function inserted(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** `docs[0]:name` becomes `docs[0].name`. */
function pathsBehindSubscripts(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, "]", ":").flatMap((i) => replaced(tokens[i + 1], "."));
}

/** `object_agg(distinct key, value)` becomes `object_agg(distinct(key), value)`. */
function distinctKeys(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, "object_agg", "(", "distinct").flatMap((i) => {
    const distinct = tokens[i + 2];
    const comma = endOfItem(tokens, i + 3);
    if (distinct === undefined || tokens[comma]?.word !== ",") return [];
    return [inserted(distinct.end, "("), inserted(tokens[comma].start, ")")];
  });
}

/** The index of the comma or parenthesis after an argument; -1 if there is none. */
function endOfItem(tokens: readonly Token[], from: number): number {
  for (let i = from; i < tokens.length; i++) {
    const word = tokens[i]?.word ?? "";
    if (word === "," || word === ")") return i;
    if (word !== "(") continue;
    i = closing(tokens, i);
    if (i < 0) break;
  }
  return -1;
}

/** `table(db.schema.f(…) over (…))`: writes the path as one quoted name, in the case in which its names are stored. */
function pathsOfWindowedCalls(tokens: readonly Token[], dialect: SqlDialect): Edit[] {
  return findWords(tokens, "table", "(").flatMap((i) => {
    const first = i + 2;
    let last = first;
    while (tokens[last + 1]?.word === "." && isName(tokens[last + 2])) last += 2;
    const end = closing(tokens, last + 1);
    if (last === first || !isName(tokens[first]) || tokens[end + 1]?.word !== "over" || end < 0) return [];
    const names = tokens.slice(first, last + 1).filter((_, k) => k % 2 === 0);
    const path = names
      .map(({ text }) => toName({ name: text.replaceAll('"', ""), quoted: text.startsWith('"') }, dialect).stored)
      .join(".");
    return replaced(tokens[first], `"${path}"`, tokens[last]);
  });
}

/** Removes `with tag (governance.pii = 'x')`. The `=` distinguishes it from a table named `tag` with a list of columns. */
function tags(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, "tag", "(").flatMap((i) => {
    let sign = i + 2;
    while (isName(tokens[sign]) && tokens[sign + 1]?.word === ".") sign += 2;
    const end = closing(tokens, i + 1);
    if (end < 0 || tokens[sign + 1]?.word !== "=") return [];
    return removed(tokens[i - 1]?.word === "with" ? tokens[i - 1] : tokens[i], tokens[end]);
  });
}

/** DuckDB's `a // b` becomes `a div b`, as other dialects write it. */
function wholeDivisions(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, "/", "/")
    .filter((i) => tokens[i]?.end === tokens[i + 1]?.start)
    .flatMap((i) => replaced(tokens[i], " DIV ", tokens[i + 1]));
}

const BEHIND_A_LIST =
  /^(?:[)\]};]|from|where|having|limit|qualify|window|union|intersect|except|select|(?:group|order) by)?$/;

/** Removes the comma after the last item of a list. */
function lastCommas(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, ",").flatMap((i) => {
    const [next, second] = [tokens[i + 1], tokens[i + 2]];
    const isString = next !== undefined && next.word === "";
    const words = /^(?:group|order)$/.test(next?.word ?? "") ? `${next?.word} ${second?.word}` : (next?.word ?? "");
    return !isString && BEHIND_A_LIST.test(words) ? removed(tokens[i]) : [];
  });
}

/** Words that are reserved in the parser, but that warehouses accept as a table's alias without AS. */
const ALIASES: ReadonlySet<string> = new Set(
  [
    "after begin body cache check cluster comment current cycle database date domain each filter final first following",
    "function generated identity increment index key language last load local match measures new next old operator",
    "ordinality others output over owned pattern percent preceding prior procedure range references refresh regexp",
    "replace returns row rows running sample schema sequence settings some start statement system temp temporary ties",
    "time timestamp transaction trigger type unbounded update values view warehouse within",
  ].flatMap((words) => words.split(" ")),
);
const BEHIND_AN_ALIAS =
  /^(?:[,);]|on|using|join|inner|left|right|full|cross|outer|natural|where|group|order|union|having|limit)?$/;

/** `from orders old` with `old.id` in another clause: puts quotes around each `old` that means the table. */
function aliases(tokens: readonly Token[], dialect: SqlDialect): Edit[] {
  const isAlias = (i: number): boolean =>
    (isName(tokens[i - 1]) || tokens[i - 1]?.word === ")") && BEHIND_AN_ALIAS.test(tokens[i + 1]?.word ?? "");
  const isQualifier = (i: number): boolean => tokens[i - 1]?.word !== "." && tokens[i + 1]?.word === ".";
  const at = tokens.flatMap(({ word }, i) => (ALIASES.has(word) ? [i] : []));
  const wordsAt = (indices: readonly number[]): Set<string> => new Set(indices.map((i) => tokens[i]?.word ?? ""));
  const both = wordsAt(at.filter(isAlias)).intersection(wordsAt(at.filter(isQualifier)));
  return at
    .filter((i) => both.has(tokens[i]?.word ?? "") && (isAlias(i) || isQualifier(i)))
    .flatMap((i) => quoted(tokens[i], dialect));
}

/** Puts quotes around a name, in the case in which it is stored. */
function quoted(token: Token | undefined, { folding, parser }: SqlDialect): Edit[] {
  const { text = "", word = "" } = token ?? {};
  const [open = '"', close = '"'] = quotesOf(parser);
  const name = folding === "upper" ? word.toUpperCase() : folding === "lower" ? word : text;
  return replaced(token, `${open}${name}${close}`);
}

/** Words that are reserved in the parser, but that warehouses accept as the name of a CTE. */
const CTE_NAMES =
  /^(?:both|date|drop|interval|lateral|leading|limit|natural|only|qualify|set|timestamp|trailing|unpivot)$/;

/** `with both as (…) select both.a from both`: puts quotes around each `both` that means the CTE. */
function namesOfCtes(tokens: readonly Token[], dialect: SqlDialect): Edit[] {
  const isDefined = (i: number): boolean => {
    const columns = tokens[i + 1]?.word === "(" ? closing(tokens, i + 1) : i;
    return /^(?:with|recursive|,)$/.test(tokens[i - 1]?.word ?? "") && tokens[columns + 1]?.word === "as";
  };
  const isNamed = (i: number): boolean =>
    isDefined(i) ||
    /^(?:from|join|,)$/.test(tokens[i - 1]?.word ?? "") ||
    (tokens[i - 1]?.word !== "." && tokens[i + 1]?.word === ".");
  const at = tokens.flatMap(({ word }, i) => (CTE_NAMES.test(word) ? [i] : []));
  const names = new Set(at.filter(isDefined).map((i) => tokens[i]?.word));
  return at.flatMap((i) => (names.has(tokens[i]?.word) && isNamed(i) ? quoted(tokens[i], dialect) : []));
}

const BACKTICKS: ReadonlySet<Dialect> = new Set([
  Dialect.BigQuery,
  Dialect.Databricks,
  Dialect.Doris,
  Dialect.Hive,
  Dialect.MySQL,
  Dialect.SingleStore,
  Dialect.Spark,
  Dialect.StarRocks,
]);

function quotesOf(parser: SqlDialect["parser"]): readonly string[] {
  if (parser === Dialect.TSQL || parser === Dialect.Fabric) return ["[", "]"];
  return BACKTICKS.has(parser) ? ["`", "`"] : ['"', '"'];
}

/** `distkey(2)` and `sortkey(1, 2)`: puts quotes around the numbers, because the parser expects names. */
function numberedKeys(tokens: readonly Token[]): Edit[] {
  const keys = [...findWords(tokens, "distkey", "("), ...findWords(tokens, "sortkey", "(")];
  return keys.flatMap((i) =>
    tokens
      .slice(i + 2, Math.max(i + 2, closing(tokens, i + 1)))
      .flatMap((token) => (/^\d+$/.test(token.text) ? replaced(token, `"${token.text}"`) : [])),
  );
}

/** `lateral f(x) as r(a int)`: removes `lateral`, because a call in FROM sees the sources to its left without it. */
function lateralCalls(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, "lateral").flatMap((i) => {
    let last = i + 1;
    while (isName(tokens[last]) && tokens[last + 1]?.word === ".") last += 2;
    return isName(tokens[last]) && tokens[last + 1]?.word === "(" ? removed(tokens[i]) : [];
  });
}

/**
 * XMLTABLE: removes `by ref` and `by value`, which change no lineage, and writes `for ordinality` as the type `int`.
 */
function xmlTables(tokens: readonly Token[]): Edit[] {
  let end = -1;
  return tokens.flatMap((token, i) => {
    if (token.word === "xmltable") end = Math.max(end, closing(tokens, i + 1));
    if (i >= end) return [];
    const words = `${token.word} ${tokens[i + 1]?.word}`;
    if (words === "by ref" || words === "by value") return removed(token, tokens[i + 1]);
    return words === "for ordinality" ? replaced(token, "int", tokens[i + 1]) : [];
  });
}

/** Functions whose rows have one column. */
const ONE_COLUMN =
  /^(?:unnest|generate_(?:series|subscripts)|string_to_table|regexp_(?:split_to_table|matches)|jsonb?_(?:array_elements(?:_text)?|object_keys))$/;

/** `rows from (f(a), g(b)) as x (n, m)` becomes `unnest(f(a), g(b)) as x (n, m)`, if each function has one column. */
function rowsFromCalls(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, "rows", "from", "(").flatMap((i) => {
    const end = closing(tokens, i + 2);
    for (let call = i + 3; call < end; call = closing(tokens, call + 1) + 2) {
      const close = closing(tokens, call + 1);
      const isRead = ONE_COLUMN.test(tokens[call]?.word ?? "") && /^[,)]$/.test(tokens[close + 1]?.word ?? "");
      const isSingle = tokens[call]?.word !== "unnest" || endOfItem(tokens, call + 2) === close;
      if (close < 0 || !isRead || !isSingle) return [];
    }
    return replaced(tokens[i], "unnest", tokens[i + 1]);
  });
}

const RULES: readonly Rule[] = [
  { dialects: [Dialect.Snowflake, Dialect.Databricks], edits: pathsBehindSubscripts },
  { dialects: [Dialect.Snowflake], edits: distinctKeys },
  { dialects: [Dialect.Snowflake], edits: pathsOfWindowedCalls },
  { dialects: [Dialect.Snowflake], edits: tags },
  { dialects: [Dialect.DuckDB], edits: wholeDivisions },
  {
    dialects: [Dialect.DuckDB, Dialect.BigQuery, Dialect.ClickHouse, Dialect.Databricks, Dialect.Snowflake],
    edits: lastCommas,
  },
  { dialects: [Dialect.Redshift], edits: numberedKeys },
  { dialects: POSTGRES, edits: lateralCalls },
  { dialects: POSTGRES, edits: xmlTables },
  { dialects: POSTGRES, edits: rowsFromCalls },
];

export function edited(sql: string, edits: readonly Edit[]): string {
  let text = "";
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    // This edit lies inside a part that was already replaced.
    if (edit.start < at) continue;
    text += sql.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + sql.slice(at);
}

/** @returns the same text if no rule applies */
export function rewrite(sql: string, dialect: SqlDialect): string {
  const tokens = readTokens(sql, dialect);
  if (tokens === null) return sql;
  const rules = RULES.filter(({ dialects }) => dialects.includes(dialect.parser));
  return edited(sql, [
    ...rules.flatMap(({ edits }) => edits(tokens, dialect)),
    ...aliases(tokens, dialect),
    ...namesOfCtes(tokens, dialect),
  ]);
}

const JOIN = /^(?:any|all|asof|left|right|inner|full|cross|semi|anti|join)$/;

/**
 * Removes ClickHouse's `global` before a join. It only says where the right side is computed, and the parser reads it
 * as an alias.
 */
export function globalJoins(tokens: readonly Token[]): Edit[] {
  return findWords(tokens, "global").flatMap((i) => (JOIN.test(tokens[i + 1]?.word ?? "") ? removed(tokens[i]) : []));
}
