/** Which columns an expression reads, and how. */
import { CHOOSING_AGGREGATE, CONDITIONAL_AGGREGATE, isAggregate } from "./aggregates.ts";
import { deepen, Gathering, join, type Lineage, NOTHING, type Reading, type Step, unknown } from "./lineage.ts";
import { type Name, toName } from "./names.ts";
import { wholeRow } from "./rowset.ts";
import { findColumn, findStarSource, insideOf, type Scope } from "./scope.ts";
import type { Expression, Identifier, Node, Ordered, Tag } from "./syntax.ts";

interface Reader {
  scope: Scope;
  reading: Reading;
  into: Gathering;
}

/** What an expression reads where it stands. */
export function read(expression: Expression, scope: Scope, reading: Reading): Lineage {
  const into = new Gathering();
  visit(expression, { scope, reading, into });
  return into.lineage;
}

/** What several expressions read that each stand alone, such as the items of a clause. */
export function readAll(
  expressions: readonly Expression[],
  scope: Scope,
  transformation: Reading["transformation"],
): Lineage {
  return join(...expressions.map((step) => read(step, scope, { transformation, step })));
}

/** Everything that is not special passes through here: each part is read, and what is read is transformed. */
function visitParts(node: unknown, reader: Reader): void {
  if (typeof node !== "object" || node === null) return;
  for (const part of Object.values(node)) visit(part, reader);
}

function visit(node: unknown, reader: Reader): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) return visitParts(node, reader);
  const [tag = ""] = Object.keys(node);
  const form = FORMS.get(tag);
  const content: unknown = Reflect.get(node, tag);
  // A node of one key is an expression.
  const expression = Object.keys(node).length === 1 ? (node as Expression) : null;
  if (expression === null) visitParts(node, transformed(reader));
  else if (form !== undefined) form(content, reader, expression);
  else if (isAggregate(expression)) readAggregate(content, reader);
  else visitParts(content, transformed(reader));
}

function visitAll(nodes: readonly (Expression | null | undefined)[], reader: Reader): void {
  for (const node of nodes) visit(node, reader);
}

function transformed(reader: Reader): Reader {
  return { ...reader, reading: deepen(reader.reading, "TRANSFORMATION") };
}

/** Reads what decides about a value or a row but does not go into it. */
function decide(
  reader: Reader,
  transformation: Reading["transformation"],
  parts: readonly (Expression | null | undefined)[],
  step?: Step,
): void {
  for (const part of parts) {
    if (part !== null && part !== undefined)
      visit(part, { ...reader, reading: { transformation, step: step ?? part } });
  }
}

function readPath(path: readonly Name[], reader: Reader): void {
  const { lineage, field } = findColumn(reader.scope, path);
  reader.into.add(lineage, field ? deepen(reader.reading, "TRANSFORMATION") : reader.reading);
}

/** The names in `a.b.c`, or null when the dots follow something else, such as a call. */
function pathOf(node: Expression): Identifier[] | null {
  if ("column" in node) return node.column.table === null ? [node.column.name] : [node.column.table, node.column.name];
  if (!("dot" in node)) return null;
  const before = pathOf(node.dot.this);
  return before === null ? null : [...before, node.dot.field];
}

function readNames(node: Expression, reader: Reader): void {
  const { dialect } = reader.scope.environment;
  const path = pathOf(node);
  if (path === null) visitParts(node, transformed(reader));
  else
    readPath(
      path.map((part) => toName(part, dialect)),
      reader,
    );
}

/** Reads `t.*` inside of a call: all columns go into one value. */
function readStar({ table }: Node<"star">, reader: Reader): void {
  const { scope } = reader;
  const source = table === null ? null : findStarSource(scope, [toName(table, scope.environment.dialect)]);
  const unlisted = scope.unlisted[0] ?? null;
  const row = table === null ? wholeRow({ columns: scope.columns, unlisted }) : source && wholeRow(source.rowset);
  reader.into.add(row ?? unknown(`${table?.name ?? ""}.* names no source`), deepen(reader.reading, "TRANSFORMATION"));
}

function readQuery(query: Expression, reader: Reader): void {
  const { environment } = reader.scope;
  const { columns, unlisted, rows } = environment.resolveQuery(query, insideOf(reader.scope));
  for (const { lineage } of columns) reader.into.add(lineage, reader.reading);
  reader.into.add(unlisted === null ? rows : unknown(unlisted.reason)).add(rows);
}

function readCase({ operand, whens, else_ }: Node<"case">, reader: Reader): void {
  decide(reader, "CONDITIONAL", [operand, ...whens.map(([condition]) => condition)]);
  visitAll([...whens.map(([, value]) => value), else_], transformed(reader));
}

function readChoice(condition: Expression, values: readonly (Expression | null)[], reader: Reader): void {
  decide(reader, "CONDITIONAL", [condition]);
  visitAll(values, transformed(reader));
}

/** `decode(a, 1, b, 2, c, d)`: the operand and what it is compared with decide, the others are the values. */
function readDecode([operand, ...rest]: readonly Expression[], reader: Reader): void {
  const isValue = (i: number): boolean => i % 2 === 1 || i === rest.length - 1;
  decide(reader, "CONDITIONAL", [operand, ...rest.filter((_, i) => !isValue(i))]);
  visitAll(
    rest.filter((_, i) => isValue(i)),
    transformed(reader),
  );
}

/** ClickHouse's `multiIf(a, x, b, y, z)`. */
function readMultiIf(args: readonly Expression[], reader: Reader): void {
  const isCondition = (i: number): boolean => i % 2 === 0 && i < args.length - 1;
  decide(
    reader,
    "CONDITIONAL",
    args.filter((_, i) => isCondition(i)),
  );
  visitAll(
    args.filter((_, i) => !isCondition(i)),
    transformed(reader),
  );
}

/** `nullif(a, b)` gives a or nothing; b only decides. */
function readNullIf([value, ...others]: readonly Expression[], reader: Reader): void {
  decide(reader, "CONDITIONAL", others);
  visitAll([value], transformed(reader));
}

function isOrdered(value: unknown): value is Ordered {
  return typeof value === "object" && value !== null && "this" in value && "desc" in value;
}

/** Aggregates differ in their fields; those that do not go into the value have the same names in all of them. */
function readAggregate(content: unknown, reader: Reader): void {
  if (typeof content !== "object" || content === null) return;
  const { filter, order_by, having_max, limit: _, ...values } = content as Record<string, unknown>;
  decide(reader, "FILTER", [filter as Expression | null]);
  if (Array.isArray(order_by))
    decide(
      reader,
      "SORT",
      order_by.filter(isOrdered).map((item) => item.this),
    );
  if (Array.isArray(having_max)) decide(reader, "CONDITIONAL", [having_max[0] as Expression]);
  visitParts(values, { ...reader, reading: deepen(reader.reading, "AGGREGATION") });
}

function readAggregateCall({ name, args, ...rest }: { name: string; args: Expression[] }, reader: Reader): void {
  const deciding = CONDITIONAL_AGGREGATE.test(name)
    ? args.slice(-1)
    : CHOOSING_AGGREGATE.test(name)
      ? args.slice(1, 2)
      : [];
  decide(reader, "CONDITIONAL", deciding);
  readAggregate({ ...rest, args: args.filter((arg) => !deciding.includes(arg)) }, reader);
}

function readCall(call: Node<"function">, reader: Reader, node: Expression): void {
  const name = call.name.toLowerCase();
  if (name === "decode" && call.args.length > 2) readDecode(call.args, reader);
  else if (name === "multiif") readMultiIf(call.args, reader);
  else if (name === "nullif") readNullIf(call.args, reader);
  else if (isAggregate(node)) readAggregateCall(call, reader);
  else visitAll(call.args, transformed(reader));
}

function readWindow({ this: call, over }: Node<"window_function">, reader: Reader, node: Expression): void {
  decide(reader, "WINDOW", [...over.partition_by, ...over.order_by.map((item) => item.this)], node);
  if (over.window_name !== null) {
    const name = toName(over.window_name, reader.scope.environment.dialect);
    const window = reader.scope.windows.find((named) => named.name.stored === name.stored);
    reader.into.add(window?.lineage ?? unknown(`no window ${name.text}`));
  }
  visit(call, transformed(reader));
}

/** `percentile_cont(0.5) within group (order by x)` takes its values from the order; `listagg` only their order. */
function readWithinGroup({ this: call, order_by }: Node<"within_group">, reader: Reader): void {
  const ordered = order_by.map((item) => item.this);
  const name = "aggregate_function" in call ? call.aggregate_function.name : (Object.keys(call)[0] ?? "");
  if (/^(?:percentile|quantile|mode|median|approx_percentile)/i.test(name)) {
    visitAll(ordered, { ...reader, reading: deepen(reader.reading, "AGGREGATION") });
  } else {
    decide(reader, "SORT", ordered);
  }
  visit(call, reader);
}

/** Reads a body in which names stand for parts of other arguments, which are read where they stand. */
function readWithParameters(
  body: readonly (Expression | null)[],
  parameters: readonly Identifier[],
  reader: Reader,
): void {
  const { scope } = reader;
  const own = parameters.map((parameter) => ({ name: toName(parameter, scope.environment.dialect), lineage: NOTHING }));
  const columns = scope.columns.filter(({ name }) => own.every((parameter) => parameter.name.stored !== name.stored));
  visitAll(body, transformed({ ...reader, scope: { ...scope, columns: [...own, ...columns] } }));
}

function readComprehension(node: Node<"comprehension">, reader: Reader): void {
  const names = [node.expression, node.position].flatMap((name) =>
    name !== null && "column" in name ? [name.column.name] : [],
  );
  visit(node.iterator, transformed(reader));
  readWithParameters([node.this, node.condition], names, reader);
}

type Form<T extends Tag> = (content: Node<T>, reader: Reader, node: Expression) => void;

const SPECIAL: { [T in Tag]?: Form<T> } = {
  aggregate_function: readAggregateCall,
  alias: (content, reader) => visit(content.this, reader),
  annotated: (content, reader) => visit(content.this, reader),
  case: readCase,
  cast: (content, reader) => visit(content.this, transformed(reader)),
  column: (_, reader, node) => readNames(node, reader),
  comprehension: readComprehension,
  count_if: (content, reader) => decide(reader, "CONDITIONAL", [content.this, content.filter]),
  data_type: () => undefined,
  dot: (_, reader, node) => readNames(node, reader),
  except: (_, reader, node) => readQuery(node, reader),
  exists: (content, reader) => {
    const { environment } = reader.scope;
    reader.into.add(environment.resolveQuery(content.this, insideOf(reader.scope)).rows);
  },
  filter: (content, reader) => {
    decide(reader, "FILTER", [content.expression]);
    visit(content.this, reader);
  },
  function: readCall,
  if_func: (content, reader) => readChoice(content.condition, [content.true_value, content.false_value], reader),
  intersect: (_, reader, node) => readQuery(node, reader),
  lambda: (content, reader) => readWithParameters([content.body], content.parameters, reader),
  named_argument: (content, reader) => visit(content.value, reader),
  null_if: (content, reader) => readNullIf([content.this, content.expression], reader),
  nullif: (content, reader) => readNullIf([content.this, content.expression], reader),
  nvl2: (content, reader) => readChoice(content.this, [content.true_value, content.false_value], reader),
  paren: (content, reader) => visit(content.this, reader),
  safe_cast: (content, reader) => visit(content.this, transformed(reader)),
  select: (_, reader, node) => readQuery(node, reader),
  star: readStar,
  subquery: (_, reader, node) => readQuery(node, reader),
  sum_if: (content, reader) => {
    decide(reader, "CONDITIONAL", [content.condition]);
    readAggregate({ this: content.this, filter: content.filter }, reader);
  },
  try_cast: (content, reader) => visit(content.this, transformed(reader)),
  union: (_, reader, node) => readQuery(node, reader),
  window_function: readWindow,
  within_group: readWithinGroup,
};

type AnyForm = (content: unknown, reader: Reader, node: Expression) => void;

/** By tag; the tag says what a node holds, which the type of a map cannot. */
const FORMS = new Map(Object.entries(SPECIAL) as [string, AnyForm][]);
