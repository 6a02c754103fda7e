/** Reads one database and states its relations, the edges between them and their constraints. */
import { toFqn } from "../../catalog/identity.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent, listSome } from "../faults.ts";
import { type ConstraintRow, constraintsQuery, toCheck } from "./constraints.ts";
import { type CopiedRelation, traceCopies } from "./copied-columns.ts";
import { readDefinitions, unreadDefinition } from "./definitions.ts";
import { findRemote } from "./foreign-tables.ts";
import { describeCalls, type FunctionRow, functionsQuery } from "./functions.ts";
import type { LeftOutColumn } from "./left-out-columns.ts";
import type { PostgresOptions } from "./options.ts";
import { type ColumnRow, columnsQuery, type RelationRow, relationsQuery } from "./relations.ts";
import { isInternalSchema } from "./schema-patterns.ts";
import type { Session } from "./session.ts";
import { type SourceRow, sourcesQuery } from "./sources.ts";
import { stateRelation, toRef } from "./state-relation.ts";
import type { Survey } from "./survey.ts";

/** How many relations, and about how many columns, are in memory at once. */
const BATCH = { relations: 200, columns: 5_000 };

interface Batch {
  relations: readonly RelationRow[];
  columns: ReadonlyMap<number, ColumnRow[]>;
  sources: ReadonlyMap<number, SourceRow[]>;
  /** Functions that views call, if it is not known what they read. */
  functions: ReadonlyMap<number, FunctionRow[]>;
  constraints: ReadonlyMap<number, ConstraintRow[]>;
  definitions: Awaited<ReturnType<typeof readDefinitions>>;
}

export interface DatabaseReading {
  session: Session;
  options: PostgresOptions;
  survey: Survey;
  /** Called with the number of relations that were stated. */
  onStated: (count: number) => void;
}

/**
 * States what the survey found, a batch at a time.
 * @throws SourceFailure
 */
export async function* stateDatabase({
  session,
  options,
  survey,
  onStated,
}: DatabaseReading): AsyncGenerator<CrawlEvent> {
  const { source } = session;
  const stating = new Stating(source.database, { options, survey, port: session.port });
  for (const oids of toBatches(survey.relations)) {
    const batch = await readBatch(session, oids);
    for (const row of batch.relations) yield* stating.state(row, batch);
    onStated(oids.length);
  }
}

function* toBatches(relations: Survey["relations"]): Generator<number[]> {
  let oids: number[] = [];
  let width = 0;
  for (const { oid, columns } of relations) {
    if (oids.length > 0 && (oids.length >= BATCH.relations || width + columns > BATCH.columns)) {
      yield oids;
      [oids, width] = [[], 0];
    }
    oids.push(oid);
    width += columns;
  }
  if (oids.length > 0) yield oids;
}

async function readBatch(session: Session, oids: readonly number[]): Promise<Batch> {
  const relations = await session.rows(relationsQuery, [oids]);
  const views = relations.filter(isView).map(({ oid }) => oid);
  const others = relations.filter((row) => !isView(row)).map(({ oid }) => oid);
  return {
    relations,
    columns: Map.groupBy(await session.rows(columnsQuery, [oids]), ({ relation }) => relation),
    sources: Map.groupBy(await session.rows(sourcesQuery, [oids]), ({ reader }) => reader),
    functions: Map.groupBy(
      views.length === 0 ? [] : await session.rows(functionsQuery, [views]),
      ({ reader }) => reader,
    ),
    constraints: Map.groupBy(
      others.length === 0 ? [] : await session.rows(constraintsQuery, [others]),
      ({ relation }) => relation,
    ),
    definitions: await readDefinitions(session, views),
  };
}

function isView({ kind }: RelationRow): boolean {
  return kind === "v" || kind === "m";
}

/** States relations one by one. */
class Stating {
  readonly #database: string;
  readonly #options: PostgresOptions;
  readonly #survey: Survey;
  readonly #port: string;
  readonly #wanted: ReadonlySet<number>;

  constructor(database: string, given: { options: PostgresOptions; survey: Survey; port: string }) {
    this.#database = database;
    this.#options = given.options;
    this.#survey = given.survey;
    this.#port = given.port;
    this.#wanted = new Set(given.survey.relations.map(({ oid }) => oid));
  }

  *state(row: RelationRow, batch: Batch): Generator<CrawlEvent> {
    const { oid, schema, name } = row;
    const ref = this.#refOf(schema, name);
    const object = toFqn(ref);
    const left = this.#leftOutOf(oid);
    const leftNumbers = new Set(left.map(({ number }) => number));
    yield* left.map((column) => columnLeftOut(object, column));

    const sources = batch.sources.get(oid) ?? [];
    const constraints = batch.constraints.get(oid) ?? [];
    const remote = findRemote(row, this.#options, this.#port);
    const unread = batch.definitions.unread.get(oid);
    if (unread !== undefined) yield unreadDefinition(object, unread);
    const wrong = this.#findLeftOut(sources);
    const calls = describeCalls(batch.functions.get(oid) ?? []);
    const columns = (batch.columns.get(oid) ?? []).filter(({ number }) => !leftNumbers.has(number));
    const from = sources.filter((each) => !this.#survey.leftOut.has(each.oid) && !isInternalSchema(each.schema));
    const shown = remote?.isSameServer === true ? toRef(this.#options.instance, remote.parts) : null;
    const copied = isView(row) ? [] : this.#copiedBy(from);
    if (shown !== null) copied.push({ ref: shown, nameOf: (column) => column.remoteName || column.name });
    const copies = copied.length === 0 || wrong !== null ? null : traceCopies(ref, columns, copied);
    const alikeNames = this.#survey.alike.get(oid) ?? [];
    const asset = stateRelation({
      ref,
      row,
      columns,
      left,
      alikeNames: alikeNames.map((each) => `${this.#database}.${each}`),
      // Read by the names in it, the SQL would seem to read the other relation or column of that name.
      sql: wrong === null ? (batch.definitions.sql.get(oid) ?? null) : null,
      gap: describeAlike(alikeNames) || (wrong ?? (describeGap(left, unread) || calls)),
      readsMore: calls,
      primaryKey: constraints.find(({ kind }) => kind === "p")?.columns ?? [],
      remote: remote?.parts.join(".") ?? "",
      traced: copies?.traced ?? null,
    });
    yield { kind: "asset", asset };

    const read = new Map(from.map((each) => [each.oid, this.#refOf(each.schema, each.name)]));
    for (const each of read.values()) yield { kind: "edge", edge: { from: each, to: ref, kind: "derives" }, object };
    if (shown !== null) yield { kind: "edge", edge: { from: shown, to: ref, kind: "derives" }, object };
    for (const edge of copies?.edges ?? []) yield { kind: "edge", edge, object };
    for (const constraint of constraints) {
      const { target, targetSchema, targetName } = constraint;
      const targetRef = target !== null && this.#wanted.has(target) ? this.#refOf(targetSchema, targetName) : null;
      yield { kind: "check", check: toCheck(this.#withoutLeftOut(constraint), ref, targetRef) };
    }
  }

  #refOf(schema: string, name: string) {
    return toRef(this.#options.instance, [this.#database, schema, name]);
  }

  #leftOutOf(oid: number): readonly LeftOutColumn[] {
    return this.#survey.leftOutColumns.get(oid) ?? [];
  }

  /** The children of a table. They have its columns under the same names. */
  #copiedBy(children: readonly SourceRow[]): CopiedRelation[] {
    return children.map(({ oid, schema, name }) => {
      const left = new Set(this.#leftOutOf(oid).map((column) => column.name));
      return { ref: this.#refOf(schema, name), nameOf: (column) => (left.has(column.name) ? null : column.name) };
    });
  }

  /** Why the sources of a view cannot be found by their names; null if they can. */
  #findLeftOut(sources: readonly SourceRow[]): string | null {
    for (const { oid, column, name } of sources) {
      const relation = this.#survey.leftOut.get(oid);
      if (relation !== undefined) return `it reads ${relation}, which is left out because of its name`;
      const left = this.#leftOutOf(oid).find(({ number }) => number === column);
      if (left !== undefined) return `it reads ${name}.${left.name}, which is left out because of its name`;
    }
    return null;
  }

  #withoutLeftOut(constraint: ConstraintRow): ConstraintRow {
    const { relation, target, columns, targetColumns } = constraint;
    const without = (oid: number | null, names: readonly string[]): string[] => {
      const left = oid === null ? [] : this.#leftOutOf(oid);
      return names.filter((name) => left.every((column) => column.name !== name));
    };
    return { ...constraint, columns: without(relation, columns), targetColumns: without(target, targetColumns) };
  }
}

function describeAlike(names: readonly string[]): string {
  if (names.length === 0) return "";
  const differ = names.length === 1 ? "is left out: its name differs" : "are left out: their names differ";
  return `${listSome(names)} ${differ} only in case`;
}

function describeGap(left: readonly LeftOutColumn[], unread: string | undefined): string {
  if (unread !== undefined) return `its definition could not be read: ${unread}`;
  if (left.length === 0) return "";
  return `its columns ${listSome(left.map(({ name }) => JSON.stringify(name)))} are left out because of their names`;
}

function columnLeftOut(object: string, { code, name }: LeftOutColumn): CrawlEvent {
  const why =
    code === "alike_name" ? "differs from another column's only in case" : "contains characters that cannot be stored";
  const message = `${object} has a column ${JSON.stringify(name)} whose name ${why}; it is left out.`;
  return errorEvent({ code, object, stage: "resolve", message });
}
