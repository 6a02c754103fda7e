/** The only file that talks to the driver: connections, transactions and retries. */
import { setTimeout as pause } from "node:timers/promises";

import { auth, type Driver, driver, isRetryableError, type QueryResult, session } from "neo4j-driver";

import { unavailable } from "../../errors.ts";
import { isPassing, isStopped, toAppError } from "./errors.ts";

/** One row of a result: the values in the order of RETURN. */
export type Row = readonly unknown[];

/**
 * Integers that a statement needs as integers, above all in LIMIT, are wrapped by `int`. A plain number is sent as a
 * float.
 */
export type Parameters = Readonly<Record<string, unknown>>;

/** Runs one statement and returns its rows. */
export type Run = (statement: string, parameters: Parameters) => Promise<Row[]>;

/** A store behind Bolt. Everything rejects with an `unavailable` AppError if the store cannot be reached. */
export interface Bolt {
  /** The address of the store, without credentials. */
  address: string;
  /** Runs one reading statement in its own transaction, at a third of the cost of a managed one. It is tried twice. */
  read: Run;
  /**
   * Runs several reading statements that see one state of the store. They run again from the start after a temporary
   * error.
   */
  readTogether: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  /**
   * Runs statements that happen together or not at all. They run again from the start after a conflict or a temporary
   * error.
   */
  write: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  /** Runs one statement that Memgraph refuses inside a transaction, such as CREATE INDEX. */
  define: (statement: string) => Promise<void>;
  check: () => Promise<void>;
  close: () => Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 15_000;
const CHECK_TIMEOUT_MS = 2_000;
/**
 * How long the server may work on one transaction. Nobody waits that long for a read; one write may sweep a large
 * scope.
 */
const READ_LIMIT = { timeout: 60_000 };
const WRITE_LIMIT = { timeout: 600_000 };
/** How often work is repeated if Memgraph refused it for a temporary reason. The first pause doubles each time. */
const REPEATS = 5;
const FIRST_PAUSE_MS = 50;

/** Prepares connections to a store. The first statement opens the first connection. */
export function createBolt(options: { url: string; username?: string; password?: string }): Bolt {
  const { url, username, password } = splitCredentials(options);
  const connections: Driver = driver(url, username === "" ? undefined : auth.basic(username, password), {
    disableLosslessIntegers: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    connectionAcquisitionTimeout: ACQUIRE_TIMEOUT_MS,
    userAgent: "tributary",
    telemetryDisabled: true,
  });

  const autoCommit = async (
    mode: "READ" | "WRITE",
    statement: string,
    parameters: Parameters,
    limit: { timeout?: number },
  ): Promise<Row[]> => {
    const open = connections.session({ defaultAccessMode: session[mode] });
    try {
      return toRows(await unlessStopped(open.run(statement, parameters, limit)));
    } finally {
      await open.close();
    }
  };

  const managed = async <T>(kind: "executeRead" | "executeWrite", work: (run: Run) => Promise<T>): Promise<T> => {
    const open = connections.session();
    try {
      return await open[kind](
        (transaction) =>
          work(async (statement, parameters) => toRows(await unlessStopped(transaction.run(statement, parameters)))),
        kind === "executeRead" ? READ_LIMIT : WRITE_LIMIT,
      );
    } finally {
      await open.close();
    }
  };

  const read: Run = async (statement, parameters) => {
    try {
      return await autoCommit("READ", statement, parameters, READ_LIMIT);
    } catch (error) {
      // A store that was restarted leaves dead connections behind. The next statement finds them.
      if (!isRetryableError(error)) throw error;
      return await autoCommit("READ", statement, parameters, READ_LIMIT);
    }
  };

  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toAppError(error, url);
    }
  };

  return {
    address: url,
    read: (statement, parameters) => translated(() => patiently(() => read(statement, parameters))),
    readTogether: (work) => translated(() => patiently(() => managed("executeRead", work))),
    write: (work) => translated(() => patiently(() => managed("executeWrite", work))),
    define: async (statement) => {
      await translated(() => patiently(() => autoCommit("WRITE", statement, {}, {})));
    },
    check: async () => {
      const answer = autoCommit("READ", "RETURN 1 AS one", {}, READ_LIMIT);
      await translated(() => withinMs(CHECK_TIMEOUT_MS, answer, url));
    },
    close: () => connections.close(),
  };
}

/**
 * Takes the credentials out of a URL, because the driver does not read them there. Credentials given apart come first.
 */
export function splitCredentials(options: { url: string; username?: string; password?: string }): {
  url: string;
  username: string;
  password: string;
} {
  const url = new URL(options.url);
  const username = options.username ?? decodeURIComponent(url.username);
  const password = options.password ?? decodeURIComponent(url.password);
  url.username = "";
  url.password = "";
  return { url: url.href, username, password };
}

function toRows(result: QueryResult): Row[] {
  return result.records.map((record) => [...record.values()]);
}

/** Turns an error by a time or memory limit into an AppError, which the driver does not retry. */
async function unlessStopped(answer: PromiseLike<QueryResult>): Promise<QueryResult> {
  try {
    return await answer;
  } catch (error) {
    throw isStopped(error) ? toAppError(error) : error;
  }
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await work();
    } catch (error) {
      if (repeats === REPEATS || !isPassing(error)) throw error;
    }
    await pause(FIRST_PAUSE_MS * 2 ** repeats);
  }
}

/** Stops waiting, but does not stop the statement: a store that hangs must not block its own check. */
async function withinMs<T>(milliseconds: number, answer: Promise<T>, place: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(unavailable("The graph store does not answer.", undefined, place)),
    milliseconds,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
