/** Prepares statements once for each text, and reads checked values from rows. */
import { CalledOff } from "../../work/task.ts";
import {
  prepare as compile,
  type SqliteDatabase,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "../../sqlite/database.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { GraphReader } from "../catalog-graph.ts";

export type Row = Record<string, SQLOutputValue>;
export type Parameters = Record<string, SQLInputValue>;

/**
 * Runs statements by their text. Each text is compiled once, so there must be few texts, and values must be parameters.
 */
export type Statements = ReturnType<typeof createStatements>;

/** @param isCalledOff asked before each statement: whether nobody waits for the result any more */
export function createStatements(db: SqliteDatabase, isCalledOff: () => boolean = () => false) {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string, asArrays = false): StatementSync => {
    if (isCalledOff()) throw new CalledOff();
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = compile(db, sql);
      // A composed query may not use all of the parameters.
      statement.setAllowUnknownNamedParameters(true);
      statement.setReturnArrays(asArrays);
      prepared.set(sql, statement);
    }
    return statement;
  };
  /** The last rowid that was inserted, which is returned too, may be too large for a number: FTS5 has such rowids. */
  const prepareWrite = (sql: string): StatementSync => {
    const statement = prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  return {
    db,
    all: (sql: string, parameters: Parameters) => prepare(sql).all(parameters),
    get: (sql: string, parameters: Parameters) => prepare(sql).get(parameters),
    /** How many rows a query has. */
    count: (query: string, parameters: Parameters) =>
      integer(prepare(`SELECT count(*) AS amount FROM (${query})`).get(parameters) ?? {}, "amount"),
    /** Reads rows one by one, so that a reader may stop early. It must not run the same text meanwhile. */
    each: (sql: string, parameters: Parameters) => prepare(sql).iterate(parameters),
    /** Rows as lists of integers. They cost half as much as objects when many thousands are read. */
    // With `asArrays`, each row is a list. All its columns are INTEGER NOT NULL.
    integers: (sql: string, parameters: Parameters) => prepare(sql, true).all(parameters) as unknown as number[][],
    /** @returns how many rows changed */
    run: (sql: string, parameters: Parameters) => Number(prepareWrite(sql).run(parameters).changes),
    /** The same with numbered parameters. It costs a third less. */
    runWith: (sql: string, values: readonly SQLInputValue[]) => Number(prepareWrite(sql).run(...values).changes),
  };
}

/** Runs reads that must all see the same state of the file, whatever is written meanwhile. */
export function snapshot<T>(db: SqliteDatabase, work: () => T): T {
  db.exec("BEGIN");
  try {
    return work();
  } finally {
    // An error may already have ended the transaction.
    if (db.isTransaction) db.exec("COMMIT");
  }
}

/** The same for asynchronous work. Nothing else may run on this connection until it is done. */
export async function longSnapshot<T>(db: SqliteDatabase, work: () => Promise<T>): Promise<T> {
  db.exec("BEGIN");
  try {
    return await work();
  } finally {
    if (db.isTransaction) db.exec("COMMIT");
  }
}

/** A read of the contract, which answers from the file. */
export type Read<Name extends keyof GraphReader> = GraphReader[Name] extends (
  ...args: infer Args
) => Promise<infer Answer>
  ? (sql: Statements, ...args: Args) => Answer
  : never;

/** The same read, which answers undefined if it would read more than `most`. */
export type ReadWithin<Name extends keyof GraphReader> = GraphReader[Name] extends (
  ...args: infer Args
) => Promise<infer Answer>
  ? (sql: Statements, ...args: [...Args, most: number]) => Answer | undefined
  : never;

/**
 * Whether lists of rows have at most `most` rows together, counting each list as one too.
 * @param rows a query of the list of an `$item`
 */
export function areWithin(
  sql: Statements,
  rows: string,
  { workspace, items }: { workspace: WorkspaceId; items: readonly NodeId[] },
  most: number,
): boolean {
  let left = most;
  return items.every((item) => {
    left -= 1 + sql.count(`${rows} LIMIT $limit`, { workspace, item, limit: left + 1 });
    return left >= 0;
  });
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`${column} is not a text`);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** @param toId `toNodeId` or `toConnectorId` */
export function idOrNull<Id>(row: Row, column: string, toId: (text: string) => Id): Id | null {
  return row[column] === null ? null : toId(text(row, column));
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`${column} is not an integer`);
  return value;
}
