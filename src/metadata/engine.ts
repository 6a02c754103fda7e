/** What the metadata store needs from a database. Each engine has one implementation. */
import type { Dialect, Kysely, QueryExecutorProvider, SelectQueryBuilder } from "kysely";

import type { Signals } from "./signals.ts";

export interface Engine {
  dialect: Dialect;
  /** The file or address of the store, without credentials. */
  location: string;
  /** Its own names of the types `text` and `integer` of columns, where these differ. */
  columnTypes: Readonly<Record<string, string>>;
  /** A write that reaches the disk and changes nothing. */
  tryWrite(db: QueryExecutorProvider): Promise<unknown>;
  /** Writes what may be lost if the power fails, so that nobody waits for the disk. */
  withoutFlush<DB, T>(db: Kysely<DB>, work: (db: Kysely<DB>) => Promise<T>): Promise<T>;
  /** Leaves out rows that another transaction is changing, and keeps others from changing the rows that are left. */
  skipLocked: SkipLocked;
  /** Whether an error means that two transactions got in each other's way, so that another attempt may succeed. */
  isContention(error: unknown): boolean;
  /**
   * Looks at the database before the first migration.
   * @param db a transaction
   * @throws UnusableStore if it belongs to another application, or cannot keep what the store writes
   */
  requireOwn(db: QueryExecutorProvider): Promise<void>;
  signals: Signals;
}

export type SkipLocked = <DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
) => SelectQueryBuilder<DB, Table, Row>;
