/** UNPIVOT, which turns columns into rows. */
import { Dialect } from "@polyglot-sql/sdk";

import { readAll } from "./expression.ts";
import { unlistedBecause } from "./guesses.ts";
import { join, NOTHING } from "./lineage.ts";
import { findNamed, type Name, toName } from "./names.ts";
import { scopeOver } from "./pivot.ts";
import { aliasedValue } from "./pivot-names.ts";
import { type Column, type Rowset, renamed, without } from "./rowset.ts";
import type { Environment } from "./scope.ts";
import { columnNames, type Expression, type Identifier, type Node, unquoted } from "./syntax.ts";

interface Unpivot {
  /** Each entry makes a row. It is one column, or a tuple with one column for each value column. */
  entries: readonly Expression[];
  nameColumn: Identifier;
  valueColumns: readonly Identifier[];
  aliases: readonly Identifier[];
}

function isValueFirst({ dialect }: Environment): boolean {
  return [Dialect.BigQuery, Dialect.TSQL, Dialect.Fabric].includes(dialect.parser);
}

/** The result of an unpivot: the remaining columns, a column with the names of the gathered ones, and their values. */
export function unpivoted(rowset: Rowset, unpivot: Node<"unpivot">, environment: Environment): Rowset {
  const { columns, name_column, value_column, extra_value_columns, alias_columns } = unpivot;
  return gathered(
    rowset,
    {
      entries: columns,
      nameColumn: name_column,
      valueColumns: [value_column, ...(extra_value_columns ?? [])],
      aliases: alias_columns ?? [],
    },
    environment,
  );
}

/** DuckDB's `unpivot orders on jan, feb into name month value amount`. */
export function unpivotedStatement(rowset: Rowset, pivot: Node<"pivot">, environment: Environment): Rowset {
  const into = pivot.into !== null && "unpivot_columns" in pivot.into ? pivot.into.unpivot_columns : null;
  const nameIn = (word: Expression): Identifier[] => {
    environment.findings.markHandled(word);
    if ("var" in word) return [unquoted(word.var.this)];
    if ("column" in word) return [word.column.name];
    return "identifier" in word ? [word.identifier] : [];
  };
  const [nameColumn = unquoted("name")] = into === null ? [] : nameIn(into.this);
  const values = (into?.expressions ?? []).flatMap(nameIn);
  const valueColumns = values.length === 0 ? [unquoted("value")] : values;
  const aliases = pivot.alias_columns ?? [];
  return gathered(rowset, { entries: pivot.expressions, nameColumn, valueColumns, aliases }, environment);
}

/** Expands DuckDB's `columns(* exclude (id))` to the columns. Returns null for a pattern. */
function starredColumns(entry: Expression, rowset: Rowset, { dialect }: Environment): Expression[] | null {
  if (!("function" in entry) || entry.function.name.toLowerCase() !== "columns") return [entry];
  const [star] = entry.function.args;
  if (star === undefined || !("star" in star) || (rowset.unlisted?.reason ?? null) !== null) return null;
  const gone = new Set((star.star.except ?? []).flatMap((name) => findNamed(rowset.columns, toName(name, dialect))));
  return rowset.columns
    .filter((column) => !gone.has(column))
    .map(({ name }) => ({
      column: { name: { ...unquoted(name.text), quoted: true }, table: null, join_mark: false, trailing_comments: [] },
    }));
}

function gathered(rowset: Rowset, unpivot: Unpivot, environment: Environment): Rowset {
  const { dialect, findings } = environment;
  const toNames = (identifiers: readonly Identifier[]): Name[] => identifiers.map((name) => toName(name, dialect));
  const entries = unpivot.entries.map((entry) => {
    const { value, named } = aliasedValue(entry);
    if (named !== null) findings.markHandled(named);
    return starredColumns(value, rowset, environment);
  });
  if (entries.some((entry) => entry === null)) {
    return { ...rowset, columns: [], unlisted: unlistedBecause("columns are named by a pattern") };
  }
  const all = entries.flatMap((entry) => entry ?? []);
  const scope = scopeOver(rowset, environment);
  const parts = all.map((entry) => ("tuple" in entry ? entry.tuple.expressions : [entry]));
  const values = toNames(unpivot.valueColumns).map((name, i): Column => ({
    name,
    lineage: join(...parts.map((columns) => readAll(columns.slice(i, i + 1), scope, "IDENTITY"))),
  }));
  const kept = without(rowset.columns, toNames(columnNames(all)));
  const [nameColumn] = toNames([unpivot.nameColumn]);
  const names: Column[] = nameColumn === undefined ? [] : [{ name: nameColumn, lineage: NOTHING }];
  const added = isValueFirst(environment) ? [...values, ...names] : [...names, ...values];
  if (unpivot.aliases.length > 0) findings.addByPosition(kept);
  return renamed({ ...rowset, columns: [...kept, ...added] }, toNames(unpivot.aliases));
}
