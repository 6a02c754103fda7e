/** The edges into a dataset and its columns, from its lineage facets, or from what `sql-facet.ts` put in their place. */
import { type ColumnUse, joinUses } from "../../catalog/edge.ts";
import { columnRef, type NodeRef, toFqn } from "../../catalog/identity.ts";
import { fold } from "../../catalog/text.ts";
import { excerpt } from "../../characters.ts";
import type { CrawlEvent } from "../connector.ts";
import { warning } from "./bodies.ts";
import { type DatasetFacts, type KeptInput, type KeptLineage, sourcesOf } from "./kept.ts";
import { type DatasetName, nameKey } from "./naming.ts";
import type { FindDatasetRef } from "./dataset-refs.ts";
import { createFindFields, type FindFields, withNestedFields } from "./nested-fields.ts";

/** A field that affects all columns makes an edge to each of them. */
const MAX_WIDE_EDGES = 20_000;

/** How a field affects the whole dataset if the event does not say it. */
const SOMEHOW: ColumnUse[] = [{ kind: "INDIRECT", transformation: "CONDITIONAL", expression: "" }];

/**
 * Why lineage without a single transformation is not all: a parser of SQL wrote it, such as that of Airflow's provider, which
 * names the columns of the select list only.
 */
const ONLY_VALUES = "the events do not tell which columns are filtered, joined or grouped by";

const TOO_NESTED = "it uses structs with too many fields";

export interface Flows {
  events: Iterable<CrawlEvent>;
  /** The columns of which all inputs are told; null if no facet has column lineage. */
  traced: string[] | null;
  /** Why even the lineage of these is not all; null if it is. */
  untold: string | null;
  /** The columns that feed it, as far as columns of its own are traced; null if others may feed these, too. */
  feeding: FieldInput[] | null;
  /** Why others may feed the columns that are not traced; null if all are. */
  gap?: string | null;
}

type Fields = KeptLineage["fields"];

interface Told {
  ref: NodeRef;
  /** What feeds the dataset or any field. */
  sources: readonly DatasetName[];
  fields: Fields;
  /** All columns of the dataset. */
  columns: string[];
  /** Fields that affect every row. */
  wide: FieldInput[];
}

interface Feeding {
  ref: NodeRef;
  facts: DatasetFacts;
  /** What the run reads though no lineage of its outputs names it. */
  unnamed?: readonly DatasetName[];
  findFields?: FindFields;
}

export type FieldInput = KeptInput & { field: string };

/**
 * @param datasetRefOf finds the identity of a dataset that feeds this one
 * @param object named in errors
 */
export function* flowEvents(
  { ref, facts, unnamed = [], findFields = createFindFields(() => []) }: Feeding,
  datasetRefOf: FindDatasetRef,
  object: string,
): Generator<void, Flows> {
  const all = facts.lineage?.value ?? facts.columnLineage?.value ?? null;
  if (all === null || all.inputs.length + all.fields.length === 0) {
    return { events: [], traced: null, untold: null, feeding: null };
  }
  const { own, others } = splitFields(all, facts);
  const listed = (facts.columns?.value ?? []).map(({ name }) => name);
  const nested = yield* withNestedFields({ inputs: all.inputs, fields: own }, listed, findFields);
  const lineage = nested ?? { inputs: all.inputs, fields: own };
  yield;
  const { fields } = lineage;
  const wide = lineage.inputs
    .filter(hasField)
    .map((input) => Object.assign({}, input, { uses: asIndirect(input.uses) }));
  const told = { ref, sources: sourcesOf(all), fields, columns: namesOf(facts, fields), wide };
  const isTooWide = wide.length * told.columns.length > MAX_WIDE_EDGES;
  yield;
  const traced = isTooWide ? [] : tracedColumns(lineage);
  const reasons = [
    ...(others.length > 0 ? [noColumns(others, ref)] : []),
    ...(tellsOnlyValues(all) ? [ONLY_VALUES] : unnamed.length > 0 ? [howUsed(unnamed, datasetRefOf)] : []),
    ...(nested === null ? [TOO_NESTED] : []),
  ];
  const untold = reasons.length > 0 ? reasons.join("; ") : null;
  yield;
  const known = new Set(traced.map(fold));
  const isTold = listed.length > 0 && traced.length > 0 && untold === null;
  const feeding = isTold ? [...fields.flatMap(([, of]) => of.filter(hasField)), ...wide, ...unusedIn(all)] : null;
  const gaps = excerpt(told.columns.filter((name) => !known.has(fold(name))).join(", "));
  const gap = gaps === "" ? null : `the events do not tell the origin of ${gaps} in ${ref.parts.at(-1)}`;
  return { events: stateFlows(told, datasetRefOf, object), traced, untold, feeding, gap };
}

/**
 * The edges from columns to the job that uses them. If it is not told how a column is used in one place, its values may be.
 * Expressions are left out, because a job may have very many.
 */
export function* readingEvents(
  to: NodeRef,
  feeding: readonly FieldInput[],
  datasetRefOf: FindDatasetRef,
  object: string,
): Generator<void, CrawlEvent[]> {
  const sources = new Map<string, Source>();
  for (const [i, input] of feeding.entries()) {
    if (i % 1_000 === 0) yield;
    const plain = Array.from(input.uses, (use) => ({ ...use, expression: "" }));
    addSource(sources, { ...input, uses: plain }, datasetRefOf);
  }
  yield;
  return Array.from(sources.values(), ({ from, uses, isToldOf }) => {
    return { kind: "edge", edge: { from, to, kind: "reads", uses: isToldOf ? joinUses(uses) : [] }, object };
  });
}

/** What affects all columns decides rows. Spark may call it direct, such as what the key of a group is made of. */
function asIndirect(uses: readonly ColumnUse[]): ColumnUse[] {
  if (uses.length === 0) return SOMEHOW;
  return joinUses(
    uses.map((use) => (use.kind === "INDIRECT" ? use : { ...use, kind: "INDIRECT", transformation: "CONDITIONAL" })),
  );
}

function hasField(input: KeptInput): input is FieldInput {
  return input.field !== null;
}

/** The columns that the SQL names, such as in a CTE, and that nothing comes from: it fails without them. */
function unusedIn({ fields, named = [] }: KeptLineage): FieldInput[] {
  const used = new Set(fields.flatMap(([, of]) => of.map((input) => `${nameKey(input)}\n${input.field}`)));
  return named.filter(hasField).filter((input) => !used.has(`${nameKey(input)}\n${input.field}`));
}

/** Fields of the whole dataset are filters, joins or groups, even if it is not told which. */
export function tellsOnlyValues({ inputs, fields }: KeptLineage): boolean {
  return (
    fields.length > 0 && !inputs.some(hasField) && fields.every(([, of]) => of.every(({ uses }) => uses.length === 0))
  );
}

/** How openlineage-sql names an expression without an alias, whatever column it fills. */
const UNNAMED = /^_\d+$/;

/** Tells the fields that are columns of the dataset from others. Of a struct, the schema may list no fields. */
function splitFields(lineage: KeptLineage, { columns }: DatasetFacts): { own: Fields; others: Fields } {
  const listed = new Set((columns?.value ?? []).map(({ name }) => fold(name)));
  const isParsed = tellsOnlyValues(lineage);
  const { own = [], others = [] } = Object.groupBy(lineage.fields, ([field]) => {
    const paths = field.split(".").map((_, i, parts) => fold(parts.slice(0, i + 1).join(".")));
    const isColumn = listed.size > 0 ? paths.some((path) => listed.has(path)) : !isParsed || !UNNAMED.test(field);
    return isColumn ? "own" : "others";
  });
  return { own, others };
}

function noColumns(fields: Fields, { parts }: NodeRef): string {
  const named = excerpt(fields.map(([field]) => field).join(", "));
  return `the events tell what feeds ${named}, which ${parts.at(-1)} does not have`;
}

function howUsed(datasets: readonly DatasetName[], datasetRefOf: FindDatasetRef): string {
  const named = excerpt(datasets.map((name) => datasetRefOf(name).ref.parts.at(-1)).join(", "));
  return `the events do not tell how ${named} is used`;
}

/** The columns of the dataset, each once. */
function namesOf({ columns }: DatasetFacts, fields: Fields): string[] {
  const all = [...(columns?.value ?? []).map(({ name }) => name), ...fields.map(([name]) => name)];
  return [...new Map(all.map((name) => [fold(name), name])).values()];
}

/** A column that comes from a dataset as a whole may come from any of its columns. */
function tracedColumns({ inputs, fields }: KeptLineage): string[] {
  const datasets = new Set([...inputs, ...fields.flatMap(([, of]) => of)].filter(hasField).map(nameKey));
  if (inputs.some((input) => !hasField(input) && !datasets.has(nameKey(input)))) return [];
  return fields.filter(([, of]) => of.every(hasField)).map(([column]) => column);
}

/** Makes the edges one by one, because there may be very many. */
function* stateFlows(
  { ref, sources, fields, columns, wide }: Told,
  datasetRefOf: FindDatasetRef,
  object: string,
): Generator<CrawlEvent> {
  const isTooWide = wide.length * columns.length > MAX_WIDE_EDGES;
  if (isTooWide) {
    const message = `${wide.length} fields affect all ${columns.length} columns of ${toFqn(ref)}; these uses were left out.`;
    yield warning("too_many_edges", object, message);
  }
  const datasets = new Map(sources.map(datasetRefOf).map((datasetRef) => [datasetRef.subject, datasetRef.ref]));
  for (const from of datasets.values()) yield { kind: "edge", edge: { from, to: ref, kind: "derives" }, object };
  const byColumn = Map.groupBy(fields, ([column]) => fold(column));
  for (const column of columns) {
    const own = (byColumn.get(fold(column)) ?? []).flatMap(([, of]) => of.filter(hasField));
    const to = columnRef(ref, column);
    for (const { from, uses } of joinSources(isTooWide ? own : [...own, ...wide], datasetRefOf)) {
      yield { kind: "edge", edge: { from, to, kind: "derives", uses: joinUses(uses) }, object };
    }
  }
}

interface Source {
  from: NodeRef;
  uses: ColumnUse[];
  /** Whether each place that names it tells a use. */
  isToldOf: boolean;
}

/** Each source column once, with all of its uses. */
function joinSources(inputs: readonly FieldInput[], datasetRefOf: FindDatasetRef): Source[] {
  const joined = new Map<string, Source>();
  for (const input of inputs) addSource(joined, input, datasetRefOf);
  return [...joined.values()];
}

function addSource(sources: Map<string, Source>, input: FieldInput, datasetRefOf: FindDatasetRef): void {
  const { field, uses } = input;
  const { ref, subject } = datasetRefOf(input);
  const source = sources.getOrInsertComputed(`${subject} ${fold(field)}`, () => {
    return { from: columnRef(ref, field), uses: [], isToldOf: true };
  });
  source.uses.push(...uses);
  if (uses.length === 0) source.isToldOf = false;
}
