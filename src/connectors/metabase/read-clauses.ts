/** Reads the clauses of one stage of a query: which columns they name, and what they do with them. */
import { describeClause } from "./describe-clause.ts";
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
import { argumentsOf, type Clause, type FieldRef, isClause, optionsOf, type Stage, toRef } from "./query.ts";

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

/** Reads the clauses of one stage. */
export class ClauseReader {
  readonly #stage: Stage;
  readonly #inputs: Inputs;
  readonly #findings: ClauseFindings;
  readonly #metadata: KnownMetadata;
  /** Expressions and segments that are being read. They may name each other. */
  readonly #open = new Set<string>();
  #steps = 0;

  constructor(stage: Stage, inputs: Inputs, findings: ClauseFindings, metadata: KnownMetadata) {
    this.#stage = stage;
    this.#inputs = inputs;
    this.#findings = findings;
    this.#metadata = metadata;
  }

  /** Notes that a clause decides which rows there are, or in which order. */
  use(value: unknown, transformation: Indirect): void {
    if (isClause(value)) this.#walk(value, { indirect: transformation, expression: this.#describe(value) });
  }

  /** The columns that these clauses yield. */
  name(clauses: readonly unknown[]): Column[] {
    const counts = new Map<string, number>();
    return clauses.filter(isClause).map((clause) => {
      const { id, names, traces } = this.#toColumn(clause);
      const [name = "", ...others] = names;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      // Metabase numbers the further columns of one name.
      return { id, names: count === 1 ? names : [`${name}_${count}`, ...others], traces };
    });
  }

  nameExpressions(): Column[] {
    return [...this.#stage.expressions.keys()].map((name) => this.#toColumn(["expression", name]));
  }

  #toColumn(clause: Clause): Column {
    const ref = toRef(clause);
    const found = ref === null ? null : this.#find(ref);
    const traces: Trace[] = [];
    this.#walk(clause, { traces, transformation: "IDENTITY", expression: this.#describe(clause) });
    const { id, names } = found ?? { id: null, names: [nameOf(clause)] };
    return { id: typeof ref?.id === "number" ? ref.id : id, names, traces: joinTraces(traces) };
  }

  #walk(clause: Clause, role: Role): void {
    if ((this.#steps += 1) > MAX_STEPS || this.#open.size > MAX_OPEN) {
      this.#findings.note("it is too complex to be read");
      return undefined;
    }
    const [tag] = clause;
    const options = optionsOf(clause);
    const inputs = argumentsOf(clause);
    const ref = toRef(clause);
    if (ref !== null) return this.#walkField(ref, role);
    if (tag === "expression") return this.#walkExpression(String(inputs[0]), role);
    if (tag === "aggregation") {
      const aggregation = this.#aggregation(inputs[0]);
      return this.#walkValue(aggregation, { ...role, expression: this.#describe(aggregation) });
    }
    if (tag === "segment") return this.#walkSegment(inputs[0], role);
    // A metric is a card, which has its own edge.
    if (tag === "metric") return undefined;
    if (tag === "measure") return this.#findings.note("it uses a measure, which is not read");
    if (tag === "aggregation-options") return this.#walkValue(inputs[0], role);
    if (tag === "case" || tag === "if") {
      const [cases, ...others] = inputs;
      for (const [condition, value] of toPairs(cases)) {
        this.#walkValue(condition, toCondition(role));
        this.#walkValue(value, toOperand(role));
      }
      for (const value of [...others, options["default"]]) this.#walkValue(value, toOperand(role));
      return undefined;
    }
    const own = AGGREGATION.test(tag) ? toAggregated(role) : toOperand(role);
    const condition = WITH_CONDITION.test(tag) ? inputs.length - 1 : -1;
    for (const [i, value] of inputs.entries()) this.#walkValue(value, i === condition ? toCondition(own) : own);
    return undefined;
  }

  /** Lists hold clauses too, such as those of a window. */
  #walkValue(value: unknown, role: Role): void {
    if (isClause(value)) this.#walk(value, role);
    else if (Array.isArray(value)) for (const each of value) this.#walkValue(each, role);
  }

  #walkField(ref: FieldRef, role: Role): void {
    const { "source-field": key, "temporal-unit": unit, binning } = ref.options;
    if (typeof key === "number") this.#joinBy(key);
    const isCut = (unit != null && unit !== "default") || binning != null;
    const own = isCut ? toOperand(role) : role;
    for (const trace of this.#find(ref)?.traces ?? []) this.#emit(trace, own);
  }

  /** An implicit join: the table of the field is joined by a foreign key. */
  #joinBy(key: number): void {
    const { target = null } = this.#metadata.field(key) ?? {};
    for (const field of [key, target]) {
      const known = field === null ? null : this.#metadata.field(field);
      if (known === null) continue;
      this.#findings.uses.push({
        field: known.id,
        use: { kind: "INDIRECT", transformation: "JOIN", expression: known.column },
      });
    }
  }

  #walkExpression(name: string, role: Role): void {
    const definition = this.#stage.expressions.get(name);
    if (definition === undefined) {
      // An expression of an earlier stage.
      for (const trace of this.#find({ id: name, options: {} })?.traces ?? []) this.#emit(trace, role);
      return;
    }
    const own = { ...toOperand(role), expression: this.#describe(definition) };
    this.#walkOnce(`expression ${name}`, definition, "indirect" in role ? role : own);
  }

  #walkSegment(id: unknown, role: Role): void {
    const filter = typeof id === "number" ? this.#metadata.segment(id) : null;
    if (filter === null) this.#findings.note(`segment ${String(id)} could not be read`);
    else this.#walkOnce(`segment ${String(id)}`, filter, role);
  }

  #walkOnce(key: string, value: unknown, role: Role): void {
    if (this.#open.has(key)) return;
    this.#open.add(key);
    this.#walkValue(value, role);
    this.#open.delete(key);
  }

  /** By its place, in MBQL 5 by its `lib/uuid`. */
  #aggregation(which: unknown): unknown {
    const { aggregations } = this.#stage;
    if (typeof which === "number") return aggregations[which];
    return aggregations.filter(isClause).find((clause) => optionsOf(clause)["lib/uuid"] === which);
  }

  /** Null if it is not known which column is meant. If that column is in a table, it is noted. */
  #find({ id, options }: FieldRef): Column | null {
    const alias = options["join-alias"];
    const joined = typeof alias === "string" ? this.#inputs.joined.get(alias) : undefined;
    const columns = joined ?? this.#inputs.columns;
    const found =
      typeof id === "number"
        ? columns.find((column) => column.id === id)
        : columns.find(({ names }) => names.includes(id));
    if (found !== undefined) return found;
    const known = typeof id === "number" ? this.#metadata.field(id) : null;
    if (known !== null) return toColumn(known);
    if (typeof id === "number") this.#findings.note(`field ${id} could not be read`);
    else if (!this.#inputs.isOpen && !this.#isJoinedName(id))
      this.#findings.note(`it is not known which column ${JSON.stringify(id)} is`);
    return null;
  }

  /** Names such as `PRODUCTS__via__PRODUCT_ID__TITLE` are made when the query runs. */
  #isJoinedName(name: string): boolean {
    return (
      name.includes("__via__") &&
      this.#inputs.columns.some(({ names }) => names.some((own) => name.endsWith(`__${own}`)))
    );
  }

  #emit(trace: Trace, role: Role): void {
    if ("indirect" in role) {
      const { indirect: transformation, expression } = role;
      this.#findings.uses.push({ field: trace.field, use: { kind: "INDIRECT", transformation, expression } });
      return;
    }
    const steps = [DIRECT_ORDER.indexOf(trace.transformation), DIRECT_ORDER.indexOf(role.transformation)];
    const transformation = DIRECT_ORDER[Math.max(...steps)] ?? "TRANSFORMATION";
    const isCopy = role.transformation === "IDENTITY";
    role.traces.push({ field: trace.field, transformation, expression: isCopy ? trace.expression : role.expression });
  }

  #describe(value: unknown): string {
    return describeClause(value, (id) => this.#metadata.field(id)?.column ?? `field ${id}`);
  }
}

function toPairs(cases: unknown): unknown[][] {
  return Array.isArray(cases) ? cases.filter((pair) => Array.isArray(pair)) : [];
}

function joinTraces(traces: readonly Trace[]): Trace[] {
  const seen = new Set<string>();
  return traces.filter((trace) => {
    const key = JSON.stringify(trace);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
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
