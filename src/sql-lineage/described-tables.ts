/** Calls in FROM that list their own columns, such as `xmltable(… columns id int path '@id')`. */
import { Dialect } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import { type Expression, type Identifier, type Node, textOf, unquoted } from "./syntax.ts";

/** A column that a call describes. */
interface Described {
  name: Identifier;
  /** Whether the column numbers the rows. */
  ordinality: boolean;
  /** Expressions that this column reads besides the table's `parts`, such as its default. */
  others: Expression[];
}

interface DescribedTable {
  columns: Described[];
  /** Expressions that all columns read, such as the document. */
  parts: Expression[];
}

function column(name: Identifier, ordinality = false, others: Expression[] = []): Described {
  return { name, ordinality, others };
}

/** The name in a node that the parser gives for a bare word. */
function nameIn(word: Expression | null): Identifier[] {
  if (word === null) return [];
  if ("identifier" in word) return [word.identifier];
  return "var" in word ? [unquoted(word.var.this)] : [];
}

function present(...parts: readonly (Expression | null)[]): Expression[] {
  return parts.filter((part) => part !== null);
}

function openJson({ this: document, path, expressions }: Node<"open_j_s_o_n">): DescribedTable {
  const defined = expressions.flatMap((definition) =>
    "open_j_s_o_n_column_def" in definition ? nameIn(definition.open_j_s_o_n_column_def.this) : [],
  );
  const names = expressions.length > 0 ? defined : ["key", "value", "type"].map(unquoted);
  return { columns: names.map((name) => column(name)), parts: present(document, path) };
}

function xmlTable({ this: path, namespaces, passing, columns }: Node<"x_m_l_table">): DescribedTable {
  const described = columns.flatMap((definition) => {
    if (!("column_def" in definition)) return [];
    const { name, default: instead } = definition.column_def;
    return [column(name, false, present(instead ?? null))];
  });
  return { columns: described, parts: present(path, namespaces, passing) };
}

function jsonColumns(schema: Expression | null): Described[] {
  if (schema === null || !("j_s_o_n_schema" in schema)) return [];
  return schema.j_s_o_n_schema.expressions.flatMap((definition) => {
    if (!("j_s_o_n_column_def" in definition)) return [];
    const { this: word, ordinality, nested_schema } = definition.j_s_o_n_column_def;
    const own = nameIn(word).map((name) => column(name, ordinality !== null));
    return [...own, ...jsonColumns(nested_schema)];
  });
}

function jsonTable({ this: document, schema, path }: Node<"j_s_o_n_table">): DescribedTable {
  return { columns: jsonColumns(schema), parts: present(document, path) };
}

/** DuckDB's `read_csv('orders.csv', columns = {'id': 'int'})`. */
function fileColumns(option: Expression | undefined): Identifier[] {
  if (option === undefined || !("map_func" in option)) return [];
  return option.map_func.keys.flatMap((key) => {
    const text = textOf(key);
    if (text !== null) return [{ ...unquoted(text), quoted: true }];
    return "column" in key ? [key.column.name] : [];
  });
}

function file(args: readonly Expression[]): DescribedTable | null {
  const columns = fileColumns(args.map((arg) => optionOf(arg)).find((option) => option?.name === "columns")?.value);
  if (columns.length === 0) return null;
  return { columns: columns.map((name) => column(name)), parts: args.slice(0, 1) };
}

/** `header = true` and `header := true` in a call. */
export function optionOf(argument: Expression): { name: string; value: Expression } | null {
  if ("named_argument" in argument) {
    return { name: argument.named_argument.name.name.toLowerCase(), value: argument.named_argument.value };
  }
  if (!("eq" in argument)) return null;
  const { left, right } = argument.eq;
  if (!("column" in left) || left.column.table !== null) return null;
  return { name: left.column.name.name.toLowerCase(), value: right };
}

/** @returns null if the call does not list its columns */
export function describedTable(call: Expression, { parser }: SqlDialect): DescribedTable | null {
  if ("open_j_s_o_n" in call) return openJson(call.open_j_s_o_n);
  if ("x_m_l_table" in call) return xmlTable(call.x_m_l_table);
  if ("j_s_o_n_table" in call) return jsonTable(call.j_s_o_n_table);
  if (parser !== Dialect.DuckDB || !("function" in call)) return null;
  return /^read_(?:csv|json)(?:_auto)?$/i.test(call.function.name) ? file(call.function.args) : null;
}

/**
 * The column names in ClickHouse's `values('id UInt64, tags Map(String, String)', …)`. Returns [] for any other text.
 */
export function namesInStructure(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const part of text.split(",")) {
    const [, quoted, plain] = /^\s*(?:`([^`]+)`|([A-Za-z_]\w*))\s+[A-Z]/.exec(part) ?? [];
    const name = quoted ?? plain;
    if (depth === 0) {
      if (name === undefined) return [];
      names.push(name);
    }
    depth += part.split("(").length - part.split(")").length;
  }
  return names;
}
