/** Which columns an expression reads, and how. */
import { Dialect } from "@polyglot-sql/sdk";

import { type Aggregate, aggregateOf } from "./aggregates.ts";
import { type Choice, choiceOf } from "./choices.ts";
import type { SqlDialect } from "./dialect.ts";
import { guessAmong, unlistedOf } from "./guesses.ts";
import { deepen, Gathering, join, type Lineage, NOTHING, type SqlReading, type Step, unknown } from "./lineage.ts";
import { isJsonArrow } from "./name-rules.ts";
import { mentions, type Name, toName } from "./names.ts";
import { isQualifiedCall, whyDoubtful } from "./qualified-calls.ts";
import { wholeRow } from "./rowset.ts";
import { findColumn, findStarSource, insideOf, type Scope } from "./scope.ts";
import {
  type Expression,
  hasFixedWidth,
  type Identifier,
  type Node,
  pathExpression,
  pathOf,
  type Tag,
  wordsAsPath,
} from "./syntax.ts";
import { isUnitWord, unitOf } from "./units.ts";

interface Reader {
  scope: Scope;
  reading: SqlReading;
  into: Gathering;
  /** Whether the part is inside an aggregate or a window function. */
  isAggregated?: true;
}

/** The lineage of an expression in this scope. */
export function read(expression: Expression, scope: Scope, reading: SqlReading): Lineage {
  const into = new Gathering();
  visit(expression, { scope, reading, into });
  scope.environment.findings.addMissedUse(into.lineage.unresolved);
  return into.lineage;
}

/** The lineage of several independent expressions together, such as the items of a clause. */
export function readAll(
  expressions: readonly Expression[],
  scope: Scope,
  transformation: SqlReading["transformation"],
): Lineage {
  return join(...expressions.map((step) => read(step, scope, { transformation, step })));
}

function visit(node: unknown, reader: Reader): void {
  if (typeof node !== "object" || node === null) return;
  const entries = Object.entries(node);
  const [first] = entries;
  // A node of one key is an expression; a list or a node of several keys is not.
  if (first === undefined || entries.length > 1 || Array.isArray(node)) visitAll(Object.values(node), reader);
  else visitExpression(node as Expression, first, reader);
}

function visitExpression(expression: Expression, [tag, content]: [string, unknown], reader: Reader): void {
  const form = FORMS.get(tag);
  if (form !== undefined) return form(content, reader, expression);
  const choice = choiceOf(expression);
  if (choice !== null) return readChoice(choice, reader);
  const aggregate = aggregateOf(expression);
  if (aggregate !== null) return readAggregate(aggregate, reader);
  if ("function" in expression) return readCall(expression.function, reader);
  // Any other expression transforms all of its parts.
  visit(content, transformed(reader));
}

function visitAll(nodes: readonly unknown[], reader: Reader): void {
  for (const node of nodes) visit(node, reader);
}

function transformed(reader: Reader): Reader {
  return { ...reader, reading: deepen(reader.reading, "TRANSFORMATION") };
}

/** Reads expressions that decide about a value or a row, but do not go into it. */
function decide(
  reader: Reader,
  transformation: SqlReading["transformation"],
  parts: readonly (Expression | null | undefined)[],
  step?: Step,
): void {
  for (const part of parts) {
    if (part) visit(part, { ...reader, reading: { transformation, step: step ?? part } });
  }
}

function readPath(path: readonly Name[], { scope, reading, into, isAggregated }: Reader): void {
  const { whole, part } = findColumn(scope, path, isAggregated);
  into.add(whole, reading).add(part, deepen(reading, "TRANSFORMATION"));
}

/** T-SQL's `@name` is a variable. */
function isVariable({ name, quoted }: Identifier, { parser }: SqlDialect): boolean {
  return !quoted && name.startsWith("@") && (parser === Dialect.TSQL || parser === Dialect.Fabric);
}

function readNames(node: Expression, reader: Reader): void {
  const { dialect, findings } = reader.scope.environment;
  if ("column" in node && isVariable(node.column.name, dialect)) return findings.markHandled(node.column);
  const path = pathOf(node);
  if (path === null) return visitAll(Object.values(node), transformed(reader));
  for (const part of Object.values(node)) findings.markHandled(part);
  const names = path.map((part) => toName(part, dialect));
  readPath(names, reader);
}

/**
 * The parser uses this node for a column and for a keyword of a call. It is a column if a listed column has the name.
 */
function readIdentifier(identifier: Identifier, { scope, reading, into }: Reader): void {
  const name = toName(identifier, scope.environment.dialect);
  const found = guessAmong(scope.columns, [], name);
  if (found === null) return;
  scope.environment.findings.addName(found.lineage, [], name.span);
  into.add(found.lineage, reading);
}

/**
 * The parser reads the first argument of some calls as a unit. If another argument is the unit, the first is a column.
 */
function toColumn(argument: Expression): Expression {
  if (!("var" in argument)) return argument;
  return toColumnOf({ name: argument.var.this, quoted: false, trailing_comments: [] });
}

export function toColumnOf(name: Identifier): Expression {
  return { column: { name, table: null, join_mark: false, trailing_comments: [] } };
}

function readWord({ this: word }: Node<"var">, reader: Reader): void {
  if (!isUnitWord(word)) readIdentifier({ name: word, quoted: false, trailing_comments: [] }, reader);
}

function readCall(call: Node<"function">, reader: Reader): void {
  const unit = unitOf(call, reader.scope.environment.dialect);
  if (unit !== null) reader.scope.environment.findings.markHandled(unit);
  const { args, ...others } = call;
  const values = args.filter((argument) => argument !== unit);
  visitAll([...(unit === null ? values : values.map(toColumn)), ...Object.values(others)], transformed(reader));
}

function readMethodCall(call: Node<"method_call">, reader: Reader, node: Expression): void {
  const doubt = whyDoubtful(call, reader.scope);
  if (doubt !== null) reader.into.add(unknown(doubt));
  if (!isQualifiedCall(call, reader.scope)) return visitAll([call.this, ...call.args], transformed(reader));
  reader.scope.environment.findings.markHandled(call.this);
  const aggregate = aggregateOf(node);
  if (aggregate !== null) return readAggregate(aggregate, reader);
  visitAll(call.args, transformed(reader));
}

/** In Snowflake, `$1` is a column by its position. In other dialects it is a parameter. */
function readParameter({ index, style }: Node<"parameter">, { scope, reading, into }: Reader): void {
  if (scope.environment.dialect.parser !== "snowflake" || style !== "Dollar" || index === null) return;
  const isListed = scope.unlisted.every((unlisted) => unlisted.reason === null);
  const column = isListed ? scope.columns[index - 1] : undefined;
  const lineage = column?.lineage ?? unknown(`the column $${index} is not known`);
  scope.environment.findings.addName(lineage);
  into.add(lineage, reading);
}

/** Reads `t.*` inside a call: all columns go into one value. */
function readStar({ table }: Node<"star">, reader: Reader): void {
  const { scope } = reader;
  const source = table === null ? null : findStarSource(scope, [toName(table, scope.environment.dialect)]);
  const unlisted = unlistedOf(scope.unlisted);
  const row = table === null ? wholeRow({ columns: scope.columns, unlisted }) : source && wholeRow(source.rowset);
  reader.into.add(row ?? unknown(`${table?.name ?? ""}.* names no source`), deepen(reader.reading, "TRANSFORMATION"));
}

function readQuery(query: Expression, reader: Reader): void {
  const { environment } = reader.scope;
  const { columns, unlisted, rows, value } = environment.resolveQuery(query, insideOf(reader.scope));
  if (value !== undefined) return void reader.into.add(value, reader.reading).add(rows);
  // The query is used as one value, so the number of its columns matters: the one column counts as named.
  if (columns.length === 1 && !hasFixedWidth(query)) environment.findings.addByPosition(columns);
  for (const { lineage } of columns) reader.into.add(lineage, reader.reading);
  const reason = unlisted?.reason ?? null;
  reader.into.add(reason === null ? rows : unknown(reason)).add(rows);
}

function readExists({ this: query }: Node<"exists">, reader: Reader): void {
  const { environment } = reader.scope;
  reader.into.add(environment.resolveQuery(query, insideOf(reader.scope)).rows);
}

function readChoice({ deciding, values }: Choice, reader: Reader): void {
  decide(reader, "CONDITIONAL", deciding);
  visitAll(values, transformed(reader));
}

function readAggregate({ values, filters, order, deciding }: Aggregate, outside: Reader): void {
  const reader: Reader = { ...outside, isAggregated: true };
  decide(reader, "FILTER", filters);
  decide(reader, "SORT", order);
  decide(reader, "CONDITIONAL", deciding);
  visitAll(values, { ...reader, reading: deepen(reader.reading, "AGGREGATION") });
}

function readWindow({ this: call, over }: Node<"window_function">, outside: Reader, node: Expression): void {
  const reader: Reader = { ...outside, isAggregated: true };
  decide(reader, "WINDOW", [...over.partition_by, ...over.order_by.map((item) => item.this)], node);
  if (over.window_name !== null) {
    const name = toName(over.window_name, reader.scope.environment.dialect);
    const window = reader.scope.windows.find((named) => named.name.stored === name.stored);
    reader.into.add(window?.lineage ?? unknown(`no window ${name.text}`));
  }
  visit(call, transformed(reader));
}

/**
 * Reads the body of a lambda or comprehension. Its parameters are parts of other arguments, which are read on their
 * own.
 */
function readWithParameters(
  body: readonly (Expression | null)[],
  parameters: readonly Identifier[],
  reader: Reader,
): void {
  const { scope } = reader;
  const own = parameters.map((parameter) => ({ name: toName(parameter, scope.environment.dialect), lineage: NOTHING }));
  const columns = scope.columns.filter(({ name }) => own.every((parameter) => parameter.name.stored !== name.stored));
  visitAll(
    body,
    transformed({ ...reader, scope: { ...scope, columns: [...own, ...columns], aliases: [...scope.aliases, ...own] } }),
  );
}

/** Inside a call, the parser reads `data -> 'key'` as a lambda with the parameter `data`. */
function readArrow({ parameters, body }: Node<"lambda">, reader: Reader): void {
  const { dialect } = reader.scope.environment;
  const [parameter, ...others] = parameters;
  if (parameter === undefined || others.length > 0 || !isJsonArrow(dialect, mentions(body, parameter, dialect))) {
    return readWithParameters([body], parameters, reader);
  }
  visitAll([toColumnOf(parameter), body], transformed(reader));
}

function readComprehension(node: Node<"comprehension">, reader: Reader): void {
  const names = [node.expression, node.position].flatMap((name) =>
    name !== null && "column" in name ? [name.column.name] : [],
  );
  visit(node.iterator, transformed(reader));
  readWithParameters([node.this, node.condition], names, reader);
}

function readRoot({ this: value }: Node<"connect_by_root">, reader: Reader): void {
  visit(pathExpression(wordsAsPath(value)) ?? value, transformed(reader));
}

type Form<T extends Tag> = (content: Node<T>, reader: Reader, node: Expression) => void;

/** Nodes that need their own rule. All others are read part by part. */
const SPECIAL: { [T in Tag]?: Form<T> } = {
  alias: (content, reader) => visit(content.this, reader),
  cast: (content, reader) => visit(content.this, transformed(reader)),
  column: (_, reader, node) => readNames(node, reader),
  comprehension: readComprehension,
  connect_by_root: readRoot,
  data_type: () => undefined,
  dot: (_, reader, node) => readNames(node, reader),
  except: (_, reader, node) => readQuery(node, reader),
  exists: readExists,
  filter: (content, reader) => {
    decide(reader, "FILTER", [content.expression]);
    visit(content.this, reader);
  },
  identifier: readIdentifier,
  intersect: (_, reader, node) => readQuery(node, reader),
  lambda: readArrow,
  method_call: readMethodCall,
  named_argument: (content, reader) => visit(content.value, reader),
  parameter: readParameter,
  // The name is that of a sequence, not a column.
  next_value_for: () => undefined,
  paren: (content, reader) => visit(content.this, reader),
  safe_cast: (content, reader) => visit(content.this, transformed(reader)),
  select: (_, reader, node) => readQuery(node, reader),
  star: readStar,
  subquery: (_, reader, node) => readQuery(node, reader),
  var: readWord,
  try_cast: (content, reader) => visit(content.this, transformed(reader)),
  union: (_, reader, node) => readQuery(node, reader),
  window_function: readWindow,
};

type AnyForm = (content: unknown, reader: Reader, node: Expression) => void;

/** By tag. The type of a map cannot express that a tag decides the type of the content. */
const FORMS = new Map(Object.entries(SPECIAL) as [string, AnyForm][]);
