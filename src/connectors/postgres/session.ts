/** One connection to a database, which sees it as it was at one moment. This file alone talks to the driver. */
import type { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";

import { Client, DatabaseError } from "pg";
import type { z } from "zod";

import { mayBeSentInClear } from "../http/source-addresses.ts";
import { createCheckedSocket, type Network } from "./checked-socket.ts";
import { type Source, SourceFailure, toFault } from "./driver-faults.ts";
import { endpointOf, type PostgresOptions } from "./options.ts";
import { findServerFault } from "./server.ts";
import { sslOf, toTls } from "./tls.ts";

/** How long a query may wait for a lock. */
export const LOCK_TIMEOUT_MS = 2_000;
/** The session waits while what it read is stored. */
const IDLE_TIMEOUT_MS = 10 * 60_000;
/** The driver waits a little longer than the server, so that the server can say what is wrong. */
const PATIENCE = 1.5;
/** How often the size of an answer is looked at while it is sent. */
const CHECK_SIZE_MS = 100;

/** A query that the server refused, while the session goes on. */
export class RefusedQuery extends Error {
  override readonly name = "RefusedQuery";
}

export type Session = ReturnType<typeof createSession>;

/** SQL, and the shape of each of its rows. */
export interface Query<Row = unknown> {
  text: string;
  row: z.ZodType<Row>;
}

/**
 * Connects, and begins a transaction that reads only, and sees the database as it is now.
 * @param signal ends the connection
 * @throws SourceFailure
 */
export async function openSession(
  options: PostgresOptions,
  database: string,
  { network, signal }: { network: Network; signal: AbortSignal },
): Promise<Session> {
  signal.throwIfAborted();
  const source = { database, location: `postgres://${new URL(options.url).host}/${database}` };
  const encrypted = sslOf(options) !== "disable";
  await using opened = new AsyncDisposableStack();
  let connected = false;
  const fail = (error: unknown): never => {
    signal.throwIfAborted();
    throw error instanceof SourceFailure
      ? error
      : new SourceFailure(source, toFault(error, { encrypted, connected }), error);
  };
  try {
    const ssl = await toTls(options, network, source);
    const socket = createCheckedSocket(endpointOf(options), network);
    const end = (): void => void socket.destroy();
    opened.defer(end);
    signal.addEventListener("abort", end);
    opened.defer(() => signal.removeEventListener("abort", end));
    signal.throwIfAborted();
    const client = createClient(options, { source, socket, network, ssl });
    await client.connect();
    connected = true;
    await begin(client, source, network);
    const { rows } = await client.query<{ port: string }>("select current_setting('port') as port");
    const limit = limitAnswers(socket, network, source);
    opened.defer(() => limit.stop());
    return createSession({ client, limit, fail, opened: opened.move() }, { source, port: rows[0]?.port ?? "" });
  } catch (error) {
    return fail(error);
  }
}

interface SessionParts {
  client: Client;
  limit: ReturnType<typeof limitAnswers>;
  /** Throws what an error of the driver means. */
  fail: (error: unknown) => never;
  /** What the session needs until it is closed. */
  opened: AsyncDisposableStack;
}

function createSession(
  { client, limit, fail, opened }: SessionParts,
  about: { source: Source; /** That the server listens at, as it sees itself. */ port: string },
) {
  const run = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await client.query(statement).catch(fail);
  };
  async function ask({ text }: Query, values: readonly unknown[]): Promise<unknown[]> {
    limit.begin();
    const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
    limit.check();
    return rows;
  }
  return {
    ...about,
    /**
     * Rows of one query.
     * @throws SourceFailure, or the reason of the signal if it aborts
     */
    async rows<Row>(query: Query<Row>, values: readonly unknown[]): Promise<Row[]> {
      const rows = await ask(query, values).catch(fail);
      return rows.map((each) => query.row.parse(each));
    },
    /**
     * Like `rows`, but if the server refuses the query, the session goes on without it.
     * @throws RefusedQuery
     */
    async attempt<Row>(query: Query<Row>, values: readonly unknown[], lockTimeoutMs: number): Promise<Row[]> {
      await run("savepoint attempt", `set local lock_timeout = ${lockTimeoutMs}`);
      const rows = await ask(query, values).catch(async (error: unknown) => {
        if (!isRefusal(error)) return fail(error);
        await run("rollback to savepoint attempt", "release savepoint attempt");
        throw new RefusedQuery(describeRefusal(error), { cause: error });
      });
      await run("release savepoint attempt");
      return rows.map((each) => query.row.parse(each));
    },
    async close(): Promise<void> {
      // A pooler can use a connection again only if its transaction has ended.
      await client.query("rollback").catch(() => {});
      await client.end().catch(() => {});
      await opened.disposeAsync();
    },
  };
}

/** Ends the connection if an answer is too large, also while it is still being sent. */
function limitAnswers(socket: Socket, { maxAnswerBytes }: Pick<Network, "maxAnswerBytes">, source: Source) {
  let before = 0;
  const isTooLarge = (): boolean => socket.bytesRead - before > maxAnswerBytes;
  const why = "sent a larger answer than any catalog has";
  const tooLarge = new SourceFailure(source, { code: "too_large", option: "url", why, stage: "read" });
  const timer = setInterval(() => {
    if (isTooLarge()) socket.destroy(tooLarge);
  }, CHECK_SIZE_MS);
  return {
    begin: () => void (before = socket.bytesRead),
    check() {
      if (isTooLarge()) throw tooLarge;
    },
    stop: () => clearInterval(timer),
  };
}

/** Whether the server said no to a query and not to the session. */
function isRefusal(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && !/^(57P|08|53|40)/.test(error.code ?? "");
}

/** In a few words, without the server's own, which may name anything. */
function describeRefusal({ code }: DatabaseError): string {
  if (code === "55P03") return "what it reads is locked";
  return code === "57014" ? "it took too long" : `the server answered ${code ?? "with an error"}`;
}

function createClient(
  options: PostgresOptions,
  given: { source: Source; socket: Socket; network: Network; ssl: ConnectionOptions | false },
): Client {
  const { source, socket, network, ssl } = given;
  const endpoint = endpointOf(options);
  const client = new Client({
    host: endpoint.host.replace(/^\[(.*)\]$/, "$1"),
    port: endpoint.port,
    database: source.database,
    user: options.user,
    // A function, because the driver would look for a missing password in the environment and in files.
    password: () => {
      if (options.password === undefined) {
        const why = "asks for a password, and none is set";
        throw new SourceFailure(source, { code: "unauthorized", option: "password", why });
      }
      if (ssl === false && !mayBeSentInClear(endpoint.host, network.insecureHosts)) {
        const why =
          "would get the password without encryption: set ssl to verify-full, or list the host in INSECURE_HOSTS";
        throw new SourceFailure(source, { code: "insecure_source", option: "ssl", why });
      }
      return options.password;
    },
    ssl,
    stream: () => socket,
    application_name: "tributary",
    connectionTimeoutMillis: network.connectTimeoutMs,
    query_timeout: network.statementTimeoutMs * PATIENCE,
    keepAlive: true,
  });
  // A connection that ends between two queries is noticed by the next one.
  client.on("error", () => {});
  return client;
}

async function begin(client: Client, source: Source, { statementTimeoutMs }: Network): Promise<void> {
  const { rows } = await client.query<{ version: string }>("select pg_catalog.version() as version");
  const why = findServerFault(rows[0]?.version ?? "");
  if (why !== null) throw new SourceFailure(source, { code: "unsupported_server", why, option: "url" });
  await client.query("begin transaction isolation level repeatable read, read only");
  // Settings of the transaction, not of the connection, because a pooler may refuse or share the latter. With an empty
  // search path, definitions of views name each relation with its schema, and nobody's object hides one of the server.
  const settings = {
    search_path: "''",
    quote_all_identifiers: "off",
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
  };
  for (const [name, value] of Object.entries(settings)) await client.query(`set local ${name} = ${value}`);
}
