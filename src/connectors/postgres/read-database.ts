/** Reads one database and states its relations, the edges between them and their constraints. */
import { type NodeRef, toFqn } from "../../catalog/identity.ts";
import { batchesOf } from "../../work/batches.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent, listSome } from "../faults.ts";
import { type ConstraintRow, constraintsQuery, toCheck } from "./constraints.ts";
import { readDefinitions, unreadDefinition } from "./definitions.ts";
import { findRemote } from "./foreign-tables.ts";
import { traceGenerated } from "./generated-columns.ts";
import type { LeftOutColumn } from "./left-out-columns.ts";
import type { PostgresOptions } from "./options.ts";
import { type ColumnRow, columnsQuery, type RelationRow, relationsQuery } from "./relations.ts";
import { isInternalSchema } from "./schema-patterns.ts";
import type { Session } from "./session.ts";
import { describeCalls, type FunctionRow, functionsQuery, type SourceRow, sourcesQuery } from "./sources.ts";
import { type CopiedRelation, stateRelation, toRef, traceCopies } from "./state-relation.ts";
import type { Survey } from "./survey.ts";

/** How many relations, and about how many columns, are in memory at once. */
const MAX_RELATIONS = 200;
const MAX_COLUMNS = 5_000;

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
export async function* stateDatabase(reading: DatabaseReading): AsyncGenerator<CrawlEvent> {
  const { session, survey, onStated } = reading;
  const state = createStating(reading);
  for (const relations of batchesOf(survey.relations, MAX_COLUMNS, weightOf)) {
    const oids = relations.map(({ oid }) => oid);
    const batch = await readBatch(session, oids);
    for (const row of batch.relations) yield* state(row, batch);
    onStated(oids.length);
  }
}

function weightOf({ columns }: Survey["relations"][number]): number {
  return Math.max(columns, MAX_COLUMNS / MAX_RELATIONS);
}

async function readBatch(session: Session, oids: readonly number[]): Promise<Batch> {
  const relations = await session.rows(relationsQuery, [oids]);
  const views = relations.filter(isView).map(({ oid }) => oid);
  const others = relations.filter((row) => !isView(row)).map(({ oid }) => oid);
  const columns = await session.rows(columnsQuery, [oids]);
  const generating = new Set(
    columns.flatMap(({ relation, generatedFrom }) => (generatedFrom === null ? [] : relation)),
  );
  return {
    relations,
    columns: Map.groupBy(columns, ({ relation }) => relation),
    sources: Map.groupBy(await session.rows(sourcesQuery, [oids]), ({ reader }) => reader),
    functions: Map.groupBy(
      views.length === 0 ? [] : await session.rows(functionsQuery, [views]),
      ({ reader }) => reader,
    ),
    constraints: Map.groupBy(
      others.length === 0 ? [] : await session.rows(constraintsQuery, [others]),
      ({ relation }) => relation,
    ),
    definitions: await readDefinitions(session, [...views, ...generating]),
  };
}

function isView({ kind }: RelationRow): boolean {
  return kind === "v" || kind === "m";
}

/** @returns a function that states one relation */
function createStating({ session, options, survey }: DatabaseReading) {
  const { source, port } = session;
  const wanted = new Set(survey.relations.map(({ oid }) => oid));
  const refOf = (schema: string, name: string): NodeRef => toRef(options.instance, [source.database, schema, name]);
  const leftOutOf = (oid: number): readonly LeftOutColumn[] => survey.leftOutColumns.get(oid) ?? [];

  /** The children of a table. They have its columns under the same names. */
  function copiedBy(children: readonly SourceRow[]): CopiedRelation[] {
    return children.map(({ oid, schema, name }) => {
      const left = new Set(leftOutOf(oid).map((column) => column.name));
      return { ref: refOf(schema, name), nameOf: (column) => (left.has(column.name) ? null : column.name) };
    });
  }

  /**
   * @param who reads these sources
   * @returns which of them is left out, so that its name is not the name of what the catalog has; null if none is
   */
  function findLeftOut(who: string, sources: readonly SourceRow[] = []): string | null {
    for (const { oid, column, name } of sources) {
      const relation = survey.leftOut.get(oid);
      if (relation !== undefined) return `${who} reads ${relation}, which is left out because of its name`;
      const left = leftOutOf(oid).find(({ number }) => number === column);
      if (left !== undefined) return `${who} reads ${name}.${left.name}, which is left out because of its name`;
    }
    return null;
  }

  function withoutLeftOut(oid: number | null, names: readonly string[]): string[] {
    const left = oid === null ? [] : leftOutOf(oid);
    return names.filter((name) => left.every((column) => column.name !== name));
  }

  return function* state(row: RelationRow, batch: Batch): Generator<CrawlEvent> {
    const { oid, schema, name } = row;
    const ref = refOf(schema, name);
    const object = toFqn(ref);
    const left = leftOutOf(oid);
    const leftNumbers = new Set(left.map(({ number }) => number));
    yield* left.map((column) => columnLeftOut(object, column, options));

    const sources = batch.sources.get(oid) ?? [];
    const constraints = batch.constraints.get(oid) ?? [];
    const remote = findRemote(row, options, port);
    const unread = batch.definitions.unread.get(oid);
    if (unread !== undefined) yield unreadDefinition(object, unread);
    const { own, called } = Object.groupBy(sources, ({ isCalled }) => (isCalled ? "called" : "own"));
    const wrong = findLeftOut("it", own);
    const untold = unread === undefined ? null : `its definition could not be read: ${unread}`;
    const calls = [findLeftOut("a function that it calls", called), describeCalls(batch.functions.get(oid) ?? [])]
      .filter(Boolean)
      .join("; ");
    const columns = (batch.columns.get(oid) ?? []).filter(({ number }) => !leftNumbers.has(number));
    const from = sources.filter((each) => !survey.leftOut.has(each.oid) && !isInternalSchema(each.schema));
    const shown = remote?.isSameServer === true ? toRef(options.instance, remote.parts) : null;
    const copied = isView(row) ? [] : copiedBy(from);
    if (shown !== null) copied.push({ ref: shown, nameOf: (column) => column.remoteName || column.name });
    const copies = copied.length === 0 || wrong !== null ? null : traceCopies(ref, columns, copied);
    const generated = traceGenerated(ref, columns, batch.definitions.expressions.get(oid));
    const alikeNames = survey.alike.get(oid) ?? [];
    const asset = stateRelation({
      ref,
      row,
      columns,
      generated,
      left,
      alikeNames: alikeNames.map((each) => `${source.database}.${each}`),
      // Read by the names in it, the SQL would seem to read the other relation or column of that name.
      sql: wrong === null ? (batch.definitions.sql.get(oid) ?? null) : null,
      sqlUntold: isView(row) && wrong === null ? untold : null,
      gap: describeAlike(alikeNames) || (wrong ?? untold ?? (describeGap(left) || calls)),
      readsMore: calls,
      primaryKey: constraints.find(({ kind }) => kind === "p")?.columns ?? [],
      remote: remote?.parts.join(".") ?? "",
      traced: copies?.traced ?? null,
    });
    yield { kind: "asset", asset };

    const read = new Map(from.map((each) => [each.oid, refOf(each.schema, each.name)]));
    for (const each of read.values()) yield { kind: "edge", edge: { from: each, to: ref, kind: "derives" }, object };
    if (shown !== null) yield { kind: "edge", edge: { from: shown, to: ref, kind: "derives" }, object };
    const traced = [...(copies?.edges ?? []), ...generated.values().flatMap(({ edges }) => edges)];
    for (const edge of traced) yield { kind: "edge", edge, object };
    for (const constraint of constraints) {
      const { target, targetSchema, targetName } = constraint;
      const columnsKept = withoutLeftOut(oid, constraint.columns);
      const targetColumns = withoutLeftOut(target, constraint.targetColumns);
      const targetRef = target !== null && wanted.has(target) ? refOf(targetSchema, targetName) : null;
      yield { kind: "check", check: toCheck({ ...constraint, columns: columnsKept, targetColumns }, ref, targetRef) };
    }
  };
}

function describeAlike(names: readonly string[]): string {
  if (names.length === 0) return "";
  const differ = names.length === 1 ? "is left out: its name differs" : "are left out: their names differ";
  return `${listSome(names)} ${differ} only in case`;
}

function describeGap(left: readonly LeftOutColumn[]): string {
  if (left.length === 0) return "";
  return `its columns ${listSome(left.map(({ name }) => JSON.stringify(name)))} are left out because of their names`;
}

function columnLeftOut(
  object: string,
  { code, name }: LeftOutColumn,
  { alike_names: severity }: PostgresOptions,
): CrawlEvent {
  const why =
    code === "alike_name" ? "differs from another column's only in case" : "contains characters that cannot be stored";
  const message = `${object} has a column ${JSON.stringify(name)} whose name ${why}; it is left out.`;
  return errorEvent({ code, object, stage: "resolve", message, ...(code === "alike_name" && { severity }) });
}
