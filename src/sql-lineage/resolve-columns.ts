/** Which column of a statement comes from which columns of the relations that it reads. */
import { parse } from "@polyglot-sql/sdk";

import { toCanonical } from "./canonical.ts";
import { type BasisOf, findBases } from "./column-basis.ts";
import { findDialect, GENERIC, type SqlDialect } from "./dialect.ts";
import { unwrapCommented } from "./comments.ts";
import { digestOf, digestOfText } from "./digest.ts";
import { writeSteps } from "./expression-text.ts";
import { isDirect, join, type Lineage, NOTHING, type Step, unknown } from "./lineage.ts";
import { readQuery } from "./query.ts";
import { createRelations } from "./relations.ts";
import type { ColumnParent, LineageAnswer, LineageRequest, OutputColumn } from "./request.ts";
import type { Rowset } from "./rowset.ts";
import type { Environment } from "./scope.ts";
import { readStatement } from "./statement.ts";
import type { Expression } from "./syntax.ts";

/** A longer text is not read: the parser takes seconds and hundreds of megabytes for it. */
const MAX_CHARACTERS = 2_000_000;

/**
 * Of all columns together. A filter on every column of a table of a thousand columns bears on each of the thousand: that
 * many ways take a crawl hours to write, and tell nobody anything.
 */
const MAX_PARENTS = 50_000;
const TOO_MANY = `its columns come from others in more than ${MAX_PARENTS} ways`;

function toParents({ uses }: Lineage, texts: ReadonlyMap<Step, string>): ColumnParent[] {
  const parents = [...uses.values()].map(({ origin, transformation, step }): ColumnParent => {
    const kind = isDirect(transformation) ? "DIRECT" : "INDIRECT";
    const { relation, column } = origin;
    return { relation, column, kind, transformation, expression: texts.get(step) ?? "" };
  });
  return [...parents.filter(({ kind }) => kind === "DIRECT"), ...parents.filter(({ kind }) => kind === "INDIRECT")];
}

/** How many ways lead into the columns, at most: what bears on every row counts once for each. */
function countParents({ columns, rows, order }: Rowset): number {
  const each = rows.uses.size + order.uses.size;
  return columns.reduce((sum, { lineage }) => sum + lineage.uses.size + each, 0);
}

/** Without what bears on all rows, which are too many ways to list. */
function withoutRows(rowset: Rowset): Rowset {
  return { ...rowset, rows: unknown(TOO_MANY), order: NOTHING };
}

function toColumns({ columns, rows, order }: Rowset, basisOf: BasisOf | null, dialect: SqlDialect): OutputColumn[] {
  const all = columns.map((column) => ({ ...column, lineage: join(column.lineage, rows, order) }));
  const steps = all.flatMap(({ lineage }) => [...lineage.uses.values()].map(({ step }) => step));
  const unnamed = columns.flatMap(({ name }) => name.unnamed ?? []);
  const texts = writeSteps([...steps, ...unnamed], dialect);
  return all.map((column) => ({
    name: column.name.unnamed === undefined ? column.name.text : (texts.get(column.name.unnamed) ?? ""),
    parents: toParents(column.lineage, texts),
    unresolved: column.lineage.unresolved,
    basis: basisOf?.(column.name.text) ?? null,
  }));
}

function jinjaIn(sql: string): boolean {
  return /\{\{|\{%|\{#/.test(sql);
}

function parseStatements(sql: string, { parser }: SqlDialect): Expression[] | string {
  if (sql.length > MAX_CHARACTERS) return `the text has more than ${MAX_CHARACTERS} characters`;
  const result = parse(sql, parser);
  if (result.success) return unwrapCommented(result.ast);
  return jinjaIn(sql) ? `the text still holds Jinja: ${result.error}` : result.error;
}

/**
 * Resolves all output columns of a statement together.
 * @returns for several statements, what the last one with a query yields
 * @throws never, unless the parser itself breaks: run it where that does no harm
 */
export function resolveColumns(request: LineageRequest): LineageAnswer {
  const dialect = findDialect(request.dialect) ?? GENERIC;
  const statements = parseStatements(request.sql, dialect);
  if (typeof statements === "string") {
    const digest = request.sql.length > MAX_CHARACTERS ? undefined : digestOfText(request.sql, dialect);
    return { unresolved: statements, ...(digest !== undefined && { digest }) };
  }
  if (statements.length === 0) return { unresolved: "the text holds no statement" };
  const canonical = toCanonical(statements, dialect);
  const digest = digestOf(canonical);
  const rowset = readLast(statements, request.relations, dialect);
  if (typeof rowset === "string") return { unresolved: rowset, digest };
  const notes = [
    ...(dialect === GENERIC ? [`the dialect ${request.dialect} is not known; the text is read as generic SQL`] : []),
    ...(statements.length > 1 ? [`the text holds ${statements.length} statements; the last query is read`] : []),
  ];
  const [only, ...more] = canonical;
  const basisOf = only === undefined || more.length > 0 ? null : findBases(only);
  const columns = toColumns(rowset, basisOf, dialect);
  return { columns, incomplete: rowset.unlisted?.reason ?? null, notes, digest };
}

/** What the last query of the statements yields, or why that cannot be told. */
function readLast(
  statements: readonly Expression[],
  relations: LineageRequest["relations"],
  dialect: SqlDialect,
): Rowset | string {
  const environment: Environment = {
    dialect,
    ctes: null,
    outer: null,
    findRelation: createRelations(relations, dialect),
    resolveQuery: readQuery,
  };
  const rowset = statements.reduceRight<Rowset | null>(
    (found, statement) => found ?? readStatement(statement, environment),
    null,
  );
  if (rowset === null) return "the text holds no query";
  // Postgres takes a SELECT of nothing at all.
  if (rowset.columns.length === 0) return rowset.unlisted?.reason ?? "the query yields no columns";
  const listed = countParents(rowset) > MAX_PARENTS ? withoutRows(rowset) : rowset;
  return countParents(listed) > MAX_PARENTS ? TOO_MANY : listed;
}
