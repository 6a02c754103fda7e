/** Reads the clauses of one stage of a query: which columns they name, and what they do with them. */
import {
  type Column,
  DIRECT_ORDER,
  type FieldUse,
  type Indirect,
  type Inputs,
  type KnownMetadata,
  type Role,
  toAggregated,
  toColumn,
  toCondition,
  toOperand,
  type Trace,
} from "./field-uses.ts";
import { argumentsOf, type Clause, type FieldRef, isClause, optionsOf, type Stage, toList, toRef } from "./query.ts";

/** What is found out about a query besides the columns that it yields. */
export interface ClauseFindings {
  uses: FieldUse[];
  /** Notes why uses may be missing. */
  note(reason: string): void;
}

/** How many clauses are read of one stage. Expressions that name each other can make far more of it than it has. */
const MAX_STEPS = 100_000;

/** How many expressions may name each other in a row. */
const MAX_OPEN = 100;

const AGGREGATION =
  /^(?:(?:count|distinct|sum)(?:-where)?|cum-(?:count|sum)|avg|max|median|min|percentile|share|stddev|var)$/;

/** Aggregations of which the last argument is a condition. */
const WITH_CONDITION = /-where$|^share$/;

export type ClauseReader = ReturnType<typeof createClauseReader>;

/** Reads the clauses of one stage. */
export function createClauseReader(stage: Stage, inputs: Inputs, findings: ClauseFindings, metadata: KnownMetadata) {
  /** Expressions and segments that are being read. They may name each other. */
  const open = new Set<string>();
  let steps = 0;

  /** Notes that a clause decides which rows there are, or in which order. */
  function use(value: unknown, transformation: Indirect): void {
    if (isClause(value)) walk(value, { indirect: transformation, expression: describe(value) });
  }

  /** The columns that these clauses yield. */
  function nameColumns(clauses: readonly unknown[]): Column[] {
    const counts = new Map<string, number>();
    return clauses.filter(isClause).map((clause) => {
      const { id, names, traces } = columnOf(clause);
      const [name = "", ...others] = names;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      // Metabase numbers the further columns of one name.
      return { id, names: count === 1 ? names : [`${name}_${count}`, ...others], traces };
    });
  }

  function nameExpressions(): Column[] {
    return [...stage.expressions.keys()].map((name) => columnOf(["expression", name]));
  }

  function columnOf(clause: Clause): Column {
    const ref = toRef(clause);
    const found = ref === null ? null : findColumn(ref);
    const traces: Trace[] = [];
    walk(clause, { traces, transformation: "IDENTITY", expression: describe(clause) });
    const distinct = new Map(traces.map((trace) => [JSON.stringify(trace), trace]));
    const { id, names } = found ?? { id: null, names: [nameOf(clause)] };
    return { id: typeof ref?.id === "number" ? ref.id : id, names, traces: [...distinct.values()] };
  }

  function walk(clause: Clause, role: Role): void {
    if ((steps += 1) > MAX_STEPS || open.size > MAX_OPEN) {
      findings.note("it is too complex to be read");
      return undefined;
    }
    const [tag] = clause;
    const options = optionsOf(clause);
    const values = argumentsOf(clause);
    const ref = toRef(clause);
    if (ref !== null) return walkField(ref, role);
    if (tag === "expression") return walkExpression(String(values[0]), role);
    if (tag === "aggregation") {
      const aggregation = findAggregation(values[0]);
      return walkValue(aggregation, { ...role, expression: describe(aggregation) });
    }
    if (tag === "segment") return walkSegment(values[0], role);
    // A metric is a card, which has its own edge.
    if (tag === "metric") return undefined;
    if (tag === "measure") return findings.note("it uses a measure, which is not read");
    if (tag === "aggregation-options") return walkValue(values[0], role);
    if (tag === "case" || tag === "if") {
      const [cases, ...others] = values;
      for (const pair of toList(cases)) {
        const [condition, value] = toList(pair);
        walkValue(condition, toCondition(role));
        walkValue(value, toOperand(role));
      }
      for (const value of [...others, options["default"]]) walkValue(value, toOperand(role));
      return undefined;
    }
    const own = AGGREGATION.test(tag) ? toAggregated(role) : toOperand(role);
    const condition = WITH_CONDITION.test(tag) ? values.length - 1 : -1;
    for (const [i, value] of values.entries()) walkValue(value, i === condition ? toCondition(own) : own);
    return undefined;
  }

  /** Lists hold clauses too, such as those of a window. */
  function walkValue(value: unknown, role: Role): void {
    if (isClause(value)) walk(value, role);
    else if (Array.isArray(value)) for (const each of value) walkValue(each, role);
  }

  function walkField(ref: FieldRef, role: Role): void {
    const { "source-field": key, "temporal-unit": unit, binning } = ref.options;
    if (typeof key === "number") joinBy(key);
    const isCut = (unit != null && unit !== "default") || binning != null;
    const own = isCut ? toOperand(role) : role;
    for (const trace of findColumn(ref)?.traces ?? []) emit(trace, own);
  }

  /** An implicit join: the table of the field is joined by a foreign key. */
  function joinBy(key: number): void {
    const { target = null } = metadata.field(key) ?? {};
    for (const field of [key, target]) {
      const known = field === null ? null : metadata.field(field);
      if (known !== null) emitIndirect(known.id, "JOIN", known.column);
    }
  }

  function walkExpression(name: string, role: Role): void {
    const definition = stage.expressions.get(name);
    if (definition === undefined) {
      // An expression of an earlier stage.
      for (const trace of findColumn({ id: name, options: {} })?.traces ?? []) emit(trace, role);
      return;
    }
    const own = { ...toOperand(role), expression: describe(definition) };
    walkOnce(`expression ${name}`, definition, "indirect" in role ? role : own);
  }

  function walkSegment(id: unknown, role: Role): void {
    const filter = typeof id === "number" ? metadata.segment(id) : null;
    if (filter === null) findings.note(`segment ${String(id)} could not be read`);
    else walkOnce(`segment ${String(id)}`, filter, role);
  }

  function walkOnce(key: string, value: unknown, role: Role): void {
    if (open.has(key)) return;
    open.add(key);
    walkValue(value, role);
    open.delete(key);
  }

  /** By its place, in MBQL 5 by its `lib/uuid`. */
  function findAggregation(which: unknown): unknown {
    const { aggregations } = stage;
    if (typeof which === "number") return aggregations[which];
    return aggregations.filter(isClause).find((clause) => optionsOf(clause)["lib/uuid"] === which);
  }

  /** Null if it is not known which column is meant. If that column is in a table, it is noted. */
  function findColumn({ id, options }: FieldRef): Column | null {
    const alias = options["join-alias"];
    const joined = typeof alias === "string" ? inputs.joined.get(alias) : undefined;
    const columns = joined ?? inputs.columns;
    const found =
      typeof id === "number"
        ? columns.find((column) => column.id === id)
        : columns.find(({ names }) => names.includes(id));
    if (found !== undefined) return found;
    const known = typeof id === "number" ? metadata.field(id) : null;
    if (known !== null) return toColumn(known);
    if (typeof id === "number") findings.note(`field ${id} could not be read`);
    else if (!inputs.isOpen && !isJoinedName(id))
      findings.note(`it is not known which column ${JSON.stringify(id)} is`);
    return null;
  }

  /** Names such as `PRODUCTS__via__PRODUCT_ID__TITLE` are made when the query runs. */
  function isJoinedName(name: string): boolean {
    return (
      name.includes("__via__") && inputs.columns.some(({ names }) => names.some((own) => name.endsWith(`__${own}`)))
    );
  }

  function emitIndirect(field: number, transformation: Indirect, expression: string): void {
    findings.uses.push({ field, use: { kind: "INDIRECT", transformation, expression } });
  }

  function emit(trace: Trace, role: Role): void {
    if ("indirect" in role) return emitIndirect(trace.field, role.indirect, role.expression);
    const levels = [DIRECT_ORDER.indexOf(trace.transformation), DIRECT_ORDER.indexOf(role.transformation)];
    const transformation = DIRECT_ORDER[Math.max(...levels)] ?? "TRANSFORMATION";
    const isCopy = role.transformation === "IDENTITY";
    role.traces.push({ field: trace.field, transformation, expression: isCopy ? trace.expression : role.expression });
    return undefined;
  }

  function describe(value: unknown): string {
    return describeClause(value, (id) => metadata.field(id)?.column ?? `field ${id}`);
  }

  return { use, nameColumns, nameExpressions };
}

/** The name that Metabase gives the column of a clause. */
function nameOf(clause: Clause): string {
  const [tag] = clause;
  const options = optionsOf(clause);
  if (typeof options["name"] === "string") return options["name"];
  const [first] = argumentsOf(clause);
  if (tag === "aggregation-options" && isClause(first)) return nameOf(first);
  if (tag === "expression" || tag === "field") return String(first);
  return NAMES[tag] ?? (AGGREGATION.test(tag) ? tag.replaceAll("-", "_") : "expression");
}

const NAMES: Readonly<Record<string, string>> = { "cum-count": "count", "cum-sum": "sum", distinct: "count" };

const INFIX = new Set(["=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "and", "or"]);

/** Enough for one use. The catalog keeps no more than a thousand characters. */
const MAX_CHARACTERS = 500;

/**
 * Writes a clause of a structured query as people write an expression: `sum(amount)`, `status = 'paid'`.
 * @param columnOf the name of the column of a field
 */
function describeClause(value: unknown, columnOf: (field: number) => string): string {
  const text = describePart(value, columnOf, 0);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…` : text;
}

/** Of longer lists the rest is left out. */
const MAX_LISTED = 20;

/** Deeper parts are left out. */
const MAX_DEPTH = 6;

function describePart(value: unknown, columnOf: (field: number) => string, depth: number): string {
  if (depth > MAX_DEPTH) return "…";
  const inner = (each: unknown): string => describePart(each, columnOf, depth + 1);
  if (typeof value === "string") return `'${value.slice(0, MAX_CHARACTERS)}'`;
  if (!isClause(value)) return Array.isArray(value) ? value.slice(0, MAX_LISTED).map(inner).join(", ") : String(value);
  const ref = toRef(value);
  if (ref !== null) return typeof ref.id === "number" ? columnOf(ref.id) : ref.id;
  const [tag] = value;
  const inputs = argumentsOf(value).slice(0, MAX_LISTED);
  if (tag === "expression" || tag === "aggregation") return String(inputs[0]);
  if (tag === "aggregation-options" || tag === "asc" || tag === "desc") return inner(inputs[0]);
  if (INFIX.has(tag) && inputs.length > 1) return inputs.map(inner).join(` ${tag} `);
  return `${tag}(${inputs.map(inner).join(", ")})`;
}
