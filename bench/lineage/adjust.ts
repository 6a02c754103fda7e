/**
 * Rewrites constructs that DuckDB does not read into ones that it does. Both name the same columns of the same
 * relations, and yield columns with the same names. The values do not matter, because nothing is run.
 */

type Rule = [construct: RegExp, instead: string | ((...found: string[]) => string)];

/** The text between brackets, up to two levels deep. */
const NESTED = String.raw`(?:[^()']|'[^']*'|\((?:[^()']|'[^']*'|\([^()]*\))*\))*`;

const FLATTENED = ["seq", "key", "path", "index", "value", "this"];

/** A relation of one row, made of an expression. */
function lateral(columns: readonly string[], expression: string): string {
  return `lateral (select ${columns.map((name) => `null as ${name}`).join(", ")} where (${expression}) is null)`;
}

function xmlTable(_: string, passing = "", columns = ""): string {
  const items = columns.split(/,(?=(?:[^']*'[^']*')*[^']*$)/);
  return lateral(
    items.map((item) => item.trim().split(/\s/)[0] ?? ""),
    passing,
  );
}

/** A table function in FROM. Its columns are those that the SQL names by its alias. */
function tableFunction(...found: string[]): string {
  const [, call = "", over = "", alias = ""] = found;
  const sql = found.at(-1) ?? "";
  const names = [...sql.matchAll(new RegExp(String.raw`\b${alias}\.(\w+)`, "gi"))].map(([, name = ""]) => name);
  const used = [call, ...over.split(/\b(?:partition|order)\s+by\b/i)].filter((part) => part.trim() !== "");
  return `${lateral([...new Set(names)], `coalesce(${used.join(", ")})`)} as ${alias}`;
}

/** Changes to the platform's own SQL. */
const BEFORE: readonly Rule[] = [
  [new RegExp(String.raw`\bxmltable\s*\(\s*'[^']*'\s*passing\s+(\S+)\s+columns\s+(${NESTED})\)`, "gi"), xmlTable],
  [
    new RegExp(String.raw`\blateral\s+flatten\s*\(\s*(?:input\s*=>)?(${NESTED})\)`, "gi"),
    (_, expression = "") => lateral(FLATTENED, expression),
  ],
  [
    new RegExp(String.raw`\btable\s*\(\s*[\w.]+\((${NESTED})\)\s*over\s*\((${NESTED})\)\s*\)\s*as\s+(\w+)`, "gi"),
    tableFunction,
  ],
  [
    new RegExp(
      String.raw`,\s*jsonb?_array_elements\s*\((${NESTED})\)\s*(?:with\s+ordinality\s+)?(?:as\s+)?(\w+)\s*\(([\w\s,]+)\)`,
      "gi",
    ),
    (_, expression = "", alias = "", names = "") => `, ${lateral(names.split(","), expression)} as ${alias}`,
  ],
  [/::xml\b/gi, "::varchar"],
  [/#>>?/g, "->>"],
  [/\b(generate_series\([^()]*\))\s+as\s+(\w+)(?!\s*[(\w])/gi, "$1 as $2($2)"],
  [/\basof\s+join\s+(\w+)\s+match_condition\s*\(([^()]*)\)\s*on\b/gi, "join $1 on ($2) and"],
];

/** Changes to the SDK's translation. */
const AFTER: readonly Rule[] = [
  [/\bPERCENTILE_CONT\([\d.]+\) WITHIN GROUP \(ORDER BY ([^()]+)\) OVER\b/g, "MAX($1) OVER"],
  [/\bINTERVAL (-\d+) ([A-Z]+)\b/g, "INTERVAL ($1) $2"],
  [/\bTRUNC\(([^(),]+), ('\w+')\)/g, "DATE_TRUNC($2, $1)"],
  [/\bAS '\w+(?:\(\d+\))?'\)/g, "AS VARCHAR)"],
  [/\bAS FLOAT32\)/g, "AS FLOAT)"],
];

function apply(rules: readonly Rule[], sql: string): string {
  return rules.reduce(
    (text, [construct, instead]) =>
      typeof instead === "string" ? text.replace(construct, instead) : text.replace(construct, instead),
    sql,
  );
}

export const adjustSource = (sql: string): string => apply(BEFORE, sql);
export const adjustTranslated = (sql: string): string => apply(AFTER, sql);
