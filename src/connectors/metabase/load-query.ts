/** Loads everything that a query refers to by number. */
import type { ApiFailure } from "../http/api-faults.ts";
import { isRecord } from "../shapes.ts";
import type { Loaded, Metadata } from "./metadata.ts";
import { argumentsOf, type Clause, isClause, isTooDeep, type NativeQuery, type Stage, toRef } from "./query.ts";
import type { KnownField, KnownMetadata } from "./field-uses.ts";
import type { Field, Table } from "./shapes.ts";
import { cardIn, snippetIn, tagsIn } from "./template-tags.ts";

export interface LoadedQuery extends KnownMetadata {
  references: References;
  tables: ReadonlyMap<number, Table>;
  /** Cards that the query reads, by its source, by a metric, or in its SQL. */
  cards: ReadonlySet<number>;
  cardColumns: ReadonlyMap<number, readonly string[]>;
  snippets: ReadonlyMap<string, string>;
  /** What could not be read. */
  failures: ApiFailure[];
}

export async function loadQuery(stages: readonly Stage[], metadata: Metadata): Promise<LoadedQuery> {
  const references = findReferences(stages);
  const failures: ApiFailure[] = [];
  const take: Take = ({ found, failures: more }) => {
    failures.push(...more);
    return found;
  };
  const segments = new Map(
    [...take(await metadata.segments(references.segments))].map(([id, definition]) => [id, filterOf(definition)]),
  );
  for (const filter of segments.values()) addClauses(filter, references);
  const { tables, fields } = await loadFields(references, metadata, take);
  const inSql = await loadForSql(references, metadata, take, failures);
  return {
    references,
    tables,
    ...inSql,
    cards: new Set([...references.cards, ...inSql.cardColumns.keys(), ...inSql.cards]),
    failures,
    fieldsOf: (table) => tables.get(table)?.fields.map((field) => toKnown(field, table, fields)) ?? null,
    field: (id) => {
      const field = fields.get(id);
      return field?.table_id == null ? null : toKnown(field, field.table_id, fields);
    },
    segment: (id) => segments.get(id) ?? null,
  };
}

type Take = <T>(loaded: Loaded<T>) => ReadonlyMap<number, T>;

/** All fields of the tables that the query names, then those that it names by themselves, and their tables. */
async function loadFields(references: References, metadata: Metadata, take: Take) {
  const tables = new Map<number, Table>();
  const fields = new Map<number, Field>();
  const addTables = async (ids: Iterable<number>): Promise<void> => {
    for (const [id, table] of take(await metadata.tables(ids))) {
      tables.set(id, table);
      for (const field of table.fields) fields.set(field.id, { ...field, table_id: id });
    }
  };
  const addFields = async (ids: readonly number[]): Promise<void> => {
    const unknown = ids.filter((id) => !fields.has(id));
    const found = take(await metadata.fields(unknown));
    for (const [id, field] of found) fields.set(id, field);
    await addTables([...found.values()].flatMap(({ table_id: id }) => (id === null || tables.has(id) ? [] : [id])));
  };
  await addTables(references.tables);
  const named = [...references.fields];
  await addFields(named);
  await addFields(named.flatMap((id) => fields.get(id)?.fk_target_field_id ?? []));
  return { tables, fields };
}

async function loadForSql(references: References, metadata: Metadata, take: Take, failures: ApiFailure[]) {
  const texts = references.natives.map(({ sql }) => sql);
  const tags = references.natives.flatMap((native) => [...native.tags.values()]);
  const names = texts.flatMap(tagsIn);
  const usesSnippets = names.some((name) => snippetIn(name) !== "") || tags.some(({ snippet }) => snippet !== "");
  const none = { found: new Map<string, string>(), failures: [] };
  const loaded = usesSnippets ? await metadata.snippets() : none;
  failures.push(...loaded.failures);
  const inSnippets = [...loaded.found].flatMap(([name, content]) =>
    texts.some((text) => text.includes(name)) ? tagsIn(content) : [],
  );
  const cards = new Set([...names, ...inSnippets].flatMap((name) => cardIn(name) ?? []));
  for (const { card } of tags) if (card !== null) cards.add(card);
  return { cards, cardColumns: take(await metadata.cardColumns(cards)), snippets: loaded.found };
}

/** The definition of a segment is a query of its table. Only its filter matters. */
function filterOf(definition: unknown): unknown {
  if (!isRecord(definition) || isTooDeep(definition)) return null;
  const { stages, query } = definition;
  const [first]: unknown[] = Array.isArray(stages) ? stages : [isRecord(query) ? query : definition];
  return isRecord(first) ? (first["filters"] ?? first["filter"] ?? null) : null;
}

/** A part of a column, such as a value in JSON, counts as the column. */
function toKnown(field: Field, table: number, fields: ReadonlyMap<number, Field>): KnownField {
  let around = field;
  const seen = new Set([field.id]);
  while (around.parent_id !== null && !seen.has(around.parent_id)) {
    seen.add(around.parent_id);
    const next = fields.get(around.parent_id);
    if (next === undefined) break;
    around = next;
  }
  const isShown = field.visibility_type !== "sensitive" && field.visibility_type !== "retired";
  return {
    id: field.id,
    table,
    column: around.nfc_path[0] ?? around.name,
    target: field.fk_target_field_id,
    isListed: field.active !== false && isShown && field.parent_id === null,
  };
}

/** What a query refers to by number. */
interface References {
  tables: Set<number>;
  fields: Set<number>;
  segments: Set<number>;
  cards: Set<number>;
  natives: NativeQuery[];
}

/** Cards that a query names as a metric are among `cards`. Those that SQL names are not. */
function findReferences(stages: readonly Stage[]): References {
  const sets = { tables: new Set<number>(), fields: new Set<number>(), segments: new Set<number>() };
  const found: References = { ...sets, cards: new Set(), natives: [] };
  addStages(stages, found);
  return found;
}

/** Adds those of clauses, such as the definition of a segment. */
function addClauses(value: unknown, found: References): void {
  if (Array.isArray(value)) {
    if (isClause(value)) addClause(value, found);
    for (const each of value) addClauses(each, found);
  } else if (isRecord(value)) {
    for (const each of Object.values(value)) addClauses(each, found);
  }
}

function addClause(clause: Clause, found: References): void {
  const ref = toRef(clause);
  if (ref !== null) {
    const { "source-field": foreignKey } = ref.options;
    for (const id of [ref.id, foreignKey]) if (typeof id === "number") found.fields.add(id);
    return;
  }
  const [id] = argumentsOf(clause);
  if (typeof id !== "number") return;
  if (clause[0] === "segment") found.segments.add(id);
  else if (clause[0] === "metric") found.cards.add(id);
}

function addStages(stages: readonly Stage[], found: References): void {
  for (const { source, joins, expressions, filters, breakouts, aggregations, fields, orders } of stages) {
    if (source !== null && "table" in source) found.tables.add(source.table);
    else if (source !== null && "card" in source) found.cards.add(source.card);
    else if (source !== null) {
      found.natives.push(source.native);
      for (const { field } of source.native.tags.values()) if (field !== null) found.fields.add(field);
    }
    addClauses([[...expressions.values()], filters, breakouts, aggregations, fields, orders], found);
    for (const join of joins) {
      addClauses([join.conditions, join.fields], found);
      addStages(join.stages, found);
    }
  }
}
