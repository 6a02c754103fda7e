/** Connections and transactions on PostgreSQL, for Kysely. */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, RootOperationNode } from "kysely";
import { DatabaseError, Pool, type PoolClient, type QueryConfig } from "pg";

import { unavailable } from "../../errors.ts";
import { createSemaphore, type Semaphore } from "../../work/semaphore.ts";
import { createStoreWatch, type StoreWatch } from "../../work/store-watch.ts";
import { toStoredValue } from "../stored-values.ts";
import { isContention, toAppError } from "./errors.ts";
import { toClientConfig, toLocation } from "./options.ts";
import { createProbe } from "./probe.ts";

/** Of one process. */
const MAX_CONNECTIONS = 10;
/** So many writes of one process wait for the lock with a connection. The other connections are left for reads. */
const MAX_STEPS = 4;
/** How often a single statement is tried if others get in its way. */
const ATTEMPTS = 5;
/** "TrbM" in ASCII. All writes take this advisory lock. */
const WRITE_LOCK = 0x5472624d;

/**
 * How a transaction begins. `alone` gives what a transaction of SQLite gives: nothing else is written until it commits,
 * so what it has read stays true. Single statements and steps of the queue need no more than the rows that they change
 * or lock, so these run together. The isolation is named, because the database may have another default, with which a
 * transaction would not see what was written while it waited for the lock.
 */
const BEGIN = {
  alone: `begin isolation level read committed; select pg_advisory_xact_lock(${WRITE_LOCK})`,
  together: `begin isolation level read committed; select pg_advisory_xact_lock_shared(${WRITE_LOCK})`,
} as const;

type Manner = keyof typeof BEGIN;

export interface DriverOptions {
  url: string;
  /** Called before each connection is used. It throws if the store must not be used yet. */
  requireReady: () => void;
}

export function createPostgresDriver({ url, requireReady }: DriverOptions): Driver {
  const location = toLocation(url);
  const pool = new Pool({ ...toClientConfig(url), max: MAX_CONNECTIONS });
  // An idle connection was lost. The pool has dropped it, and the next query makes another one.
  pool.on("error", () => {});
  const lines = { alone: createSemaphore(1), together: createSemaphore(MAX_STEPS) };
  const statementName = createStatementNames();
  const watch = createStoreWatch({ probe: () => createProbe(url), isAnswer, isAway });
  let destroyed: Promise<void> | undefined;
  return {
    init: () => Promise.resolve(),
    acquireConnection() {
      requireReady();
      return Promise.resolve(new Connection({ pool, location, lines, statementName, watch }));
    },
    beginTransaction: (connection, { isolationLevel }) =>
      toOurs(connection).begin(isolationLevel === "read committed" ? "together" : "alone"),
    commitTransaction: (connection) => toOurs(connection).commit(),
    rollbackTransaction: (connection) => toOurs(connection).rollback(),
    releaseConnection: () => Promise.resolve(),
    destroy: () => (destroyed ??= pool.end().finally(() => watch.close())),
  };
}

function isAnswer(error: unknown): boolean {
  return error instanceof DatabaseError;
}

function isAway(error: unknown): boolean {
  return !isAnswer(error);
}

function toOurs(connection: DatabaseConnection): Connection {
  if (connection instanceof Connection) return connection;
  throw new TypeError("a connection of another driver");
}

interface ConnectionParts {
  pool: Pool;
  location: string;
  lines: Readonly<Record<Manner, Semaphore>>;
  statementName: (query: RootOperationNode) => string | undefined;
  watch: StoreWatch;
}

/** What Kysely calls a connection. It takes one from the pool only while a statement or a transaction runs. */
class Connection implements DatabaseConnection {
  readonly #parts: ConnectionParts;
  #transaction: { client: PoolClient; leave: () => void } | null = null;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction !== null) return this.#run(this.#transaction.client, compiled);
    if (compiled.query.kind !== "SelectQueryNode") return this.#write(compiled);
    const client = await this.#connect();
    try {
      return await this.#run(client, compiled);
    } finally {
      release(client);
    }
  }

  streamQuery(): never {
    throw new Error("the metadata store reads whole results");
  }

  async begin(manner: Manner): Promise<void> {
    const leave = await enter(this.#parts.lines[manner]);
    try {
      const client = await this.#connect();
      this.#transaction = { client, leave };
    } catch (error) {
      leave();
      throw error;
    }
    try {
      await this.#ask(this.#transaction.client, BEGIN[manner]);
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  async commit(): Promise<void> {
    const { client } = this.#getTransaction();
    const { command } = await this.#ask(client, "commit");
    // PostgreSQL answers so if an error of an earlier statement was ignored.
    if (command === "ROLLBACK") throw unavailable("The metadata store undid a change that failed.");
    this.#end();
  }

  /** Never fails: if the connection is lost, the server rolls back by itself. */
  async rollback(): Promise<void> {
    if (this.#transaction === null) return;
    const { client } = this.#transaction;
    if (!lost.has(client)) await this.#ask(client, "rollback").catch(() => {});
    this.#end();
  }

  /** A single statement. It is right by itself, so it may be tried again. */
  async #write<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.begin("together");
        const result = await this.#run<Row>(this.#getTransaction().client, compiled);
        await this.commit();
        return result;
      } catch (error) {
        await this.rollback();
        if (attempt === ATTEMPTS || !isContention(error)) throw error;
      }
    }
  }

  async #run<Row>(client: PoolClient, { sql, query, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const name = this.#parts.statementName(query);
    const values = parameters.map(toStoredValue);
    const { command, rowCount, rows } = await this.#ask<Row>(client, {
      text: sql,
      values,
      ...(name !== undefined && { name }),
    });
    if (command === "SELECT") return { rows };
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async #ask<Row>(client: PoolClient, question: string | QueryConfig): Promise<Answer<Row>> {
    try {
      // The statement of a transaction's beginning is two, of which the last counts.
      const answers: unknown = await this.#parts.watch.answerOf(() => client.query(question));
      return (Array.isArray(answers) ? answers.at(-1) : answers) as Answer<Row>;
    } catch (error) {
      if (isLost(error)) lost.add(client);
      throw toAppError(error, this.#parts.location);
    }
  }

  async #connect(): Promise<PoolClient> {
    const { pool, location, watch } = this.#parts;
    let taking: Promise<PoolClient> | undefined;
    try {
      const client = await watch.answerOf(() => (taking = pool.connect()));
      // The pool listens only while it has the connection. The query that runs, or the next one, fails.
      client.on("error", ignore);
      return client;
    } catch (error) {
      // A connection that comes after the refusal goes back.
      taking?.then((late) => late.release(), ignore);
      throw toAppError(error, location);
    }
  }

  #getTransaction(): { client: PoolClient } {
    if (this.#transaction === null) throw new Error("no transaction has begun");
    return this.#transaction;
  }

  #end(): void {
    if (this.#transaction === null) return;
    const { client, leave } = this.#transaction;
    this.#transaction = null;
    release(client);
    leave();
  }
}

/** Of the driver's answer, what is used. */
interface Answer<Row> {
  command: string;
  rowCount: number | null;
  rows: Row[];
}

/** Connections whose state is not known, such as those that did not answer in time. They are not used again. */
const lost = new WeakSet<PoolClient>();

/** After an error of the server that is not fatal, the connection goes on. */
function isLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === "FATAL" || error.severity === "PANIC";
}

function release(client: PoolClient): void {
  client.removeListener("error", ignore);
  client.release(lost.has(client));
}

function ignore(): void {}

/** @returns a function that frees the slot */
function enter(slots: Semaphore): Promise<() => void> {
  return new Promise((resolve, reject) => {
    slots(() => new Promise<void>((leave) => resolve(leave))).catch(reject);
  });
}

/**
 * The server prepares a statement that was compiled once and is run again, such as the one that every request begins
 * with. Others may have any number of forms, and those that read whole rows would fail when a newer version adds a column.
 */
function createStatementNames(): ConnectionParts["statementName"] {
  const names = new WeakMap<RootOperationNode, string | null>();
  let named = 0;
  return (query) => {
    const seen = names.get(query);
    if (seen === undefined) names.set(query, null);
    else if (seen === null) names.set(query, `tributary_${named++}`);
    return names.get(query) ?? undefined;
  };
}
