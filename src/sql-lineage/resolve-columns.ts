/** Finds, for each output column of a statement, the columns that it comes from. */
import { hash } from "node:crypto";

import { toCanonical } from "./canonical.ts";
import { type BasisOf, findBases } from "./column-basis.ts";
import { findDialect, GENERIC, type SqlDialect } from "./dialect.ts";
import { digestOf, digestOfText } from "./digest.ts";
import { writeSteps } from "./expression-text.ts";
import { SqlFindings } from "./findings.ts";
import {
  asParents,
  isDirect,
  join,
  type Lineage,
  NOTHING,
  type Step,
  unknown,
  type Use,
  withoutCompared,
} from "./lineage.ts";
import { findNamed, toStoredName } from "./names.ts";
import { isParsedUnchanged, parseStatements } from "./parse-statements.ts";
import { readQuery } from "./query.ts";
import { createRelations } from "./relations.ts";
import {
  type ColumnParent,
  type LineageAnswer,
  type LineageRequest,
  type ColumnReference,
  type OutputColumn,
  type ResolvedRows,
  type Unresolved,
  unresolved,
} from "./request.ts";
import type { Rowset } from "./rowset.ts";
import type { Environment } from "./scope.ts";
import { isIdle, readStatements } from "./statement.ts";
import type { Expression } from "./syntax.ts";
import { offsetsIn } from "./tokens.ts";
import { findUnread } from "./unread.ts";
import { findWrittenTable } from "./written-table.ts";

/**
 * The limit for all columns together. If a filter names all 1000 columns of a table, every column of the result depends
 * on each of them. A crawl would need hours to write a million such edges, and nobody could use them.
 */
const MAX_PARENTS = 50_000;
const TOO_MANY = `its columns come from others in more than ${MAX_PARENTS} ways`;

/**
 * Makes one object of each use. All columns share the uses that decide the rows, and a message to another thread holds an
 * object once.
 */
function createParents(texts: ReadonlyMap<Step, string>): (lineage: Lineage) => ColumnParent[] {
  const made = new Map<Use, ColumnParent>();
  const toParent = (use: Use): ColumnParent =>
    made.getOrInsertComputed(use, ({ origin: { relation, column }, transformation, step }) => {
      const kind = isDirect(transformation) ? "DIRECT" : "INDIRECT";
      return { relation, column, kind, transformation, expression: texts.get(step) ?? "" };
    });
  return ({ uses }) => {
    const parents = [...uses.values()].map(toParent);
    return [...parents.filter(({ kind }) => kind === "DIRECT"), ...parents.filter(({ kind }) => kind === "INDIRECT")];
  };
}

/** The greatest possible number of parents: those of the rows and of the order count once for each column. */
function countParents({ columns, rows, order }: Rowset): number {
  const each = withoutCompared(rows).uses.size + order.uses.size;
  return columns.reduce((sum, { lineage }) => sum + lineage.uses.size + each, 0);
}

/** Drops the parents that decide the rows, because they are too many to list for each column. */
function withoutRows(rowset: Rowset): Rowset {
  return { ...rowset, rows: unknown(TOO_MANY), order: NOTHING };
}

/** PostgreSQL's name for an output that has none. Other warehouses use the text of the expression. */
const POSTGRES_UNNAMED = "?column?";

/**
 * Adds to a basis the columns that names mean: the same SQL gets another meaning when a source has a new column that a
 * name means from then on.
 * @param reads the relations in the order by which the statement counts them
 */
function withMeaning(basis: string, uses: Lineage["uses"], reads: readonly number[]): string {
  const meant = [...uses.values()].map(({ origin: { relation, column } }) => {
    return `${reads.indexOf(relation)} ${column.toLowerCase()}`;
  });
  return hash("sha256", JSON.stringify([basis, [...new Set(meant)].toSorted()]), "hex");
}

interface Bases {
  of: BasisOf;
  reads: readonly number[];
}

function toColumns({ columns, rows, order }: Rowset, bases: Bases | null, dialect: SqlDialect): OutputColumn[] {
  const forAll = join(withoutCompared(rows), order);
  const all = columns.map((column) => ({ ...column, lineage: join(asParents(column.lineage), forAll) }));
  const steps = all.flatMap(({ lineage }) => [...lineage.uses.values()].map(({ step }) => step));
  const unnamed = columns.flatMap(({ name }) => name.unnamed ?? []);
  const texts = writeSteps([...steps, ...unnamed], dialect);
  const toParents = createParents(texts);
  const nameUnnamed = (output: Expression): string => {
    return dialect.namedByCall === true ? POSTGRES_UNNAMED : (texts.get(output) ?? "");
  };
  return all.map((column, i) => ({
    name: column.name.unnamed === undefined ? column.name.text : nameUnnamed(column.name.unnamed),
    parents: toParents(column.lineage),
    unresolved: column.lineage.unresolved,
    basis: bases && withMeaning(bases.of(column.name.text), columns[i]?.lineage.uses ?? new Map(), bases.reads),
  }));
}

function toRows({ uses }: Lineage, { of, reads }: Bases): ResolvedRows {
  const from = [...uses.values()].map(({ origin: { relation, column } }) => ({ relation, column }));
  const each = new Map(from.map((column) => [`${column.relation} ${column.column}`, column]));
  return { basis: withMeaning(of(null), uses, reads), from: [...each.values()] };
}

/**
 * Resolves all output columns of a statement. Of several statements, the last one with a query counts.
 * @throws only if the parser itself breaks. Call it in a thread, where that does no harm.
 */
export function resolveColumns(request: LineageRequest): LineageAnswer {
  const { sql, dialect: adapter, relations, wanted = [], references = false } = request;
  const dialect = findDialect(adapter) ?? GENERIC;
  const parsed = parseStatements(sql, dialect);
  if (typeof parsed === "string") return withDigest(unresolved(parsed), digestOfText(sql, dialect));
  if (parsed.length === 0) return unresolved("the text holds no statement");
  const statements = parsed.filter((statement) => !isIdle(statement));
  const findings = new SqlFindings({ withReferences: references });
  const known = createRelations(relations, dialect, findings);
  const { statements: canonical, reads } = toCanonical(statements, dialect, known);
  // A statement that empties a table decides what is in it, though it reads nothing.
  const all = statements.length < parsed.length ? toCanonical(parsed, dialect, known).statements : canonical;
  const digest = digestOf(all);
  const environment: Environment = {
    dialect,
    ctes: null,
    outer: null,
    relations: known,
    findings,
    resolveQuery: readQuery,
  };
  const rowset = readStatements(statements, environment);
  const listed = rowset === null ? "the text holds no query" : listable(withWanted(rowset, wanted, dialect));
  if (typeof listed === "string") return withDigest(unresolved(listed, findings.unfound), digest, reads);
  const notes = [
    ...(dialect === GENERIC ? [`the dialect ${adapter} is not known; the text is read as generic SQL`] : []),
    ...(statements.length > 1 ? [`the text holds ${parsed.length} statements; the last query is read`] : []),
  ];
  const [only, ...more] = canonical;
  const basisOf = only === undefined || more.length > 0 || findings.hidesRows ? null : findBases(only);
  const bases = basisOf && { of: basisOf, reads };
  const writes = findWrittenTable(parsed, dialect);
  return {
    columns: toColumns(listed, bases, dialect),
    ...(bases !== null && listed.rows.unresolved === null && { rows: toRows(listed.rows, bases) }),
    reads,
    incomplete: listed.unlisted?.reason ?? null,
    notes,
    named: findings.named,
    ...(writes && { writes }),
    ...(references && { references: isParsedUnchanged(sql, dialect) ? referencesIn(sql, findings) : null }),
    unresolvedUse: findings.missedUse ?? findUnread(statements, findings),
    unfound: findings.unfound,
    digest,
  };
}

/** As offsets in the text, in its order. */
function referencesIn(sql: string, { references }: SqlFindings): ColumnReference[] {
  const toOffset = offsetsIn(sql);
  return references
    .map(({ start, end, ...column }) => ({ ...column, start: toOffset(start), end: toOffset(end) }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
}

function withDigest(answer: Unresolved, digest: string | undefined, reads: number[] = []): Unresolved {
  return digest === undefined ? answer : { ...answer, digest, reads };
}

/** Adds the wanted columns that an incomplete list leaves out. */
function withWanted(rowset: Rowset, wanted: readonly string[], dialect: SqlDialect): Rowset {
  const { columns, unlisted } = rowset;
  if (wanted.length === 0 || unlisted === null || unlisted.reason === null) return rowset;
  const names = wanted.map((name) => toStoredName(name, dialect));
  const found = names
    .filter((name) => findNamed(columns, name).length === 0)
    .flatMap((name) => {
      const guess = unlisted.find(name);
      return guess === null ? [] : [{ name, lineage: guess.lineage }];
    });
  return { ...rowset, columns: [...columns, ...found] };
}

/** Limits the parents to a size that can be listed. Returns a reason if there is nothing to list. */
function listable(rowset: Rowset): Rowset | string {
  // PostgreSQL accepts a SELECT without columns.
  if (rowset.columns.length === 0) return rowset.unlisted?.reason ?? "the query yields no columns";
  const listed = countParents(rowset) > MAX_PARENTS ? withoutRows(rowset) : rowset;
  return countParents(listed) > MAX_PARENTS ? TOO_MANY : listed;
}
