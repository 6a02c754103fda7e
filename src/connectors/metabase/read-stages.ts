/** Works out which columns a structured query reads, and how it uses each of them. */
import type { ColumnUse } from "../../catalog/edge.ts";
import { describeClause } from "./describe-clause.ts";
import {
  argumentsOf,
  type Clause,
  type FieldRef,
  isClause,
  type Join,
  optionsOf,
  type Source,
  type Stage,
  toRef,
} from "./query.ts";

/** A field of a table, as far as queries need it. */
export interface KnownField {
  id: number;
  table: number;
  /** The name of its column. A part of a column has the column's name. */
  column: string;
  /** The field that a foreign key points to. */
  target: number | null;
  /** Whether it is among the fields of a query that names none. */
  isListed: boolean;
}

export interface KnownMetadata {
  /** Null if the table could not be read. */
  fieldsOf(table: number): readonly KnownField[] | null;
  field(id: number): KnownField | null;
  /** The filter of a segment; null if it could not be read. */
  segment(id: number): unknown;
}

/** One way in which a query uses a field. */
export interface FieldUse {
  field: number;
  use: ColumnUse;
}

export interface StagesRead {
  uses: FieldUse[];
  /** Why uses may be missing; null if all are known. */
  missing: string | null;
}

type Direct = "IDENTITY" | "TRANSFORMATION" | "AGGREGATION";
type Indirect = "JOIN" | "GROUP_BY" | "FILTER" | "SORT" | "CONDITIONAL";

const DIRECT_ORDER: readonly Direct[] = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"];

/** Where the values of a column of a query come from. */
interface Trace {
  field: number;
  transformation: Direct;
  expression: string;
}

/** A column that a stage yields, or that it can name. */
interface Column {
  /** The names by which later stages may name it. */
  names: string[];
  id: number | null;
  traces: Trace[];
}

/** What a stage can name. */
interface Inputs {
  columns: Column[];
  /** By their aliases. */
  joined: ReadonlyMap<string, Column[]>;
  /** Whether there may be columns that are not listed: those of a card, or of SQL. */
  isOpen: boolean;
}

/** What a stage yields. */
type Outputs = Pick<Inputs, "columns" | "isOpen">;

/** Aggregations of which a part is a condition. It is the last argument. */
const WITH_CONDITION = new Set(["count-where", "distinct-where", "share", "sum-where"]);

const AGGREGATIONS = new Set([
  "avg",
  "count",
  "count-where",
  "cum-count",
  "cum-sum",
  "distinct",
  "distinct-where",
  "max",
  "median",
  "min",
  "percentile",
  "share",
  "stddev",
  "sum",
  "sum-where",
  "var",
]);

/** @returns how the query uses fields. A query of cards or SQL only has the uses of its own clauses. */
export function readStages(stages: readonly Stage[], metadata: KnownMetadata): StagesRead {
  const reader = new StageReader(metadata);
  const { columns } = reader.readAll(stages);
  for (const { traces } of columns) {
    for (const { field, transformation, expression } of traces) {
      reader.uses.push({ field, use: { kind: "DIRECT", transformation, expression } });
    }
  }
  return { uses: reader.uses, missing: reader.missing };
}

class StageReader {
  readonly uses: FieldUse[] = [];
  missing: string | null = null;
  readonly #metadata: KnownMetadata;

  constructor(metadata: KnownMetadata) {
    this.#metadata = metadata;
  }

  readAll(stages: readonly Stage[]): Outputs {
    let outputs: Outputs = { columns: [], isOpen: false };
    for (const stage of stages) outputs = this.#readStage(stage, outputs);
    return outputs;
  }

  #readStage(stage: Stage, before: Outputs): Outputs {
    const from = stage.source === null ? before : this.#readSource(stage.source);
    const joined = new Map(stage.joins.map((join) => [join.alias, this.readAll(join.stages)]));
    const inputs: Inputs = {
      columns: from.columns,
      joined: new Map([...joined].map(([alias, { columns }]) => [alias, columns])),
      isOpen: from.isOpen || [...joined.values()].some(({ isOpen }) => isOpen),
    };
    const scope = new StageScope(stage, inputs, this, this.#metadata);
    for (const { conditions } of stage.joins) for (const each of conditions) scope.use(each, "JOIN");
    for (const filter of stage.filters) scope.use(filter, "FILTER");
    for (const breakout of stage.breakouts) scope.use(breakout, "GROUP_BY");
    for (const order of stage.orders) scope.use(order, "SORT");
    const groups = [...stage.breakouts, ...stage.aggregations];
    if (groups.length > 0) return { columns: scope.name(groups), isOpen: false };
    const own = stage.fields === null ? [...from.columns, ...scope.nameExpressions()] : scope.name(stage.fields);
    const others = stage.joins.flatMap((join) => listJoined(join, joined.get(join.alias), scope));
    const isOpen = (stage.fields === null && from.isOpen) || others.some(({ isOpen: open }) => open);
    return { columns: [...own, ...others.flatMap(({ columns }) => columns)], isOpen };
  }

  /** The columns that a query without a list of fields has. */
  #readSource(source: Source): Outputs {
    if (!("table" in source)) return { columns: [], isOpen: true };
    const fields = this.#metadata.fieldsOf(source.table);
    if (fields === null) this.note(`the columns of table ${source.table} could not be read`);
    const listed = (fields ?? []).filter(({ isListed }) => isListed);
    return { columns: listed.map(toColumn), isOpen: fields === null };
  }

  note(reason: string): void {
    this.missing ??= reason;
  }
}

function toColumn({ id, column }: KnownField): Column {
  return { names: [column], id, traces: [{ field: id, transformation: "IDENTITY", expression: column }] };
}

function listJoined(join: Join, outputs: Outputs | undefined, scope: StageScope): Outputs[] {
  if (outputs === undefined) return [];
  const prefix = (columns: readonly Column[]): Column[] =>
    columns.map((column) => ({
      ...column,
      names: [...column.names, ...column.names.map((name) => `${join.alias}__${name}`)],
    }));
  if (join.fields === null) return [{ ...outputs, columns: prefix(outputs.columns) }];
  return [{ columns: prefix(scope.name(join.fields)), isOpen: false }];
}

/** Reads the clauses of one stage. */
class StageScope {
  readonly #stage: Stage;
  readonly #inputs: Inputs;
  readonly #reader: StageReader;
  readonly #metadata: KnownMetadata;
  /** Expressions that are being read. They may name each other. */
  readonly #open = new Set<string>();

  constructor(stage: Stage, inputs: Inputs, reader: StageReader, metadata: KnownMetadata) {
    this.#stage = stage;
    this.#inputs = inputs;
    this.#reader = reader;
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
    if (tag === "measure") return this.#reader.note("it uses a measure, which is not read");
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
    const own = AGGREGATIONS.has(tag) ? toAggregated(role) : toOperand(role);
    const condition = WITH_CONDITION.has(tag) ? inputs.length - 1 : -1;
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
      this.#reader.uses.push({
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
    if (this.#open.has(name)) return;
    this.#open.add(name);
    const own = { ...toOperand(role), expression: this.#describe(definition) };
    this.#walkValue(definition, "indirect" in role ? role : own);
    this.#open.delete(name);
  }

  #walkSegment(id: unknown, role: Role): void {
    const filter = typeof id === "number" ? this.#metadata.segment(id) : null;
    if (filter === null) this.#reader.note(`segment ${String(id)} could not be read`);
    else this.#walkValue(filter, role);
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
    if (typeof id === "number") this.#reader.note(`field ${id} could not be read`);
    else if (!this.#inputs.isOpen && !this.#isJoinedName(id))
      this.#reader.note(`it is not known which column ${JSON.stringify(id)} is`);
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
      this.#reader.uses.push({ field: trace.field, use: { kind: "INDIRECT", transformation, expression } });
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

/** What is done with the columns that a clause names. */
type Role =
  | { indirect: Indirect; expression: string }
  | { traces: Trace[]; transformation: Direct; expression: string };

function toOperand(role: Role): Role {
  return "indirect" in role || role.transformation !== "IDENTITY"
    ? role
    : { ...role, transformation: "TRANSFORMATION" };
}

function toAggregated(role: Role): Role {
  return "indirect" in role ? role : { ...role, transformation: "AGGREGATION" };
}

function toCondition(role: Role): Role {
  return "indirect" in role ? role : { indirect: "CONDITIONAL", expression: role.expression };
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
  return NAMES[tag] ?? (AGGREGATIONS.has(tag) ? tag.replaceAll("-", "_") : "expression");
}

const NAMES: Readonly<Record<string, string>> = { "cum-count": "count", "cum-sum": "sum", distinct: "count" };
