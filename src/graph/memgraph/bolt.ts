/** The only file that talks to the driver: connections, transactions and retries. */
import { auth, type Driver, driver, isRetryableError, Neo4jError, type QueryResult, session } from "neo4j-driver";

import { inTime } from "../../work/in-time.ts";
import { createStoreWatch } from "../../work/store-watch.ts";
import type { GraphReader } from "../catalog-graph.ts";
import { isAway, isPassing, isStopped, noAnswer, toAppError } from "./errors.ts";
import { createProbe } from "./probe.ts";
import { retry, SYSTEM_RETRY } from "./retry.ts";

/** One row of a result: the values in the order of RETURN. */
export type Row = readonly unknown[];

/**
 * Integers that a statement needs as integers, above all in LIMIT, are wrapped by `int`. A plain number is sent as a
 * float.
 */
export type Parameters = Readonly<Record<string, unknown>>;

/** Runs one statement and returns its rows. */
export type Run = (statement: string, parameters: Parameters) => Promise<Row[]>;

/** A read of the contract, which runs its statements with `run`. */
export type Read<Name extends keyof GraphReader> = GraphReader[Name] extends (
  ...args: infer Args
) => Promise<infer Answer>
  ? (run: Run, ...args: Args) => Promise<Answer>
  : never;

/** A store behind Bolt. Everything rejects with an `unavailable` AppError if the store cannot be reached. */
export interface Bolt {
  /** The address of the store, without credentials. */
  address: string;
  /** Runs one reading statement in its own transaction, at a third of the cost of a managed one. It is tried twice. */
  read: Run;
  /** Does the same on the main instance of a cluster. It has the writes of all processes. */
  readMain: Run;
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
/** Reads of one process are 32 at most. The rest is for writes. */
const MOST_CONNECTIONS = 64;
/**
 * How long the server may work on one transaction. Nobody waits that long for a read; one write may sweep a large
 * scope.
 */
const READ_LIMIT = { timeout: 60_000 };
const WRITE_LIMIT = { timeout: 600_000 };
/**
 * If one connection is dead, the system notices it only after minutes or hours. So an answer is waited for no longer than
 * this after the server's own limit. `createStoreWatch` notices a server that answers on no connection.
 */
const GRACE_MS = 5_000;
/**
 * How long work is repeated: a read that somebody waits for, a write that another one got in the way of, and a write
 * while the store is away.
 */
const READ_PATIENCE_MS = 5_000;
const WRITE_PATIENCE_MS = 120_000;
const AWAY_PATIENCE_MS = 30_000;
/**
 * For so long after a write of this process, its reads go to the main instance, because a replica may be a little
 * behind. It matters only with `neo4j://`, the URL of a cluster.
 */
const OWN_WRITES_MS = 10_000;

/** Prepares connections to a store. The first statement opens the first connection. */
export function createBolt(options: { url: string; username?: string; password?: string }): Bolt {
  const { url, username, password } = splitCredentials(options);
  const connect = (): Driver =>
    driver(url, username === "" ? undefined : auth.basic(username, password), {
      disableLosslessIntegers: true,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      connectionAcquisitionTimeout: ACQUIRE_TIMEOUT_MS,
      maxConnectionPoolSize: MOST_CONNECTIONS,
      // Work is repeated here, because the driver would do so too seldom, and also if a limit stopped the work.
      maxTransactionRetryTime: 0,
      userAgent: "tributary",
      telemetryDisabled: true,
    });
  let connections = connect();
  const watch = createStoreWatch({
    probe: () => createProbe(url),
    isAnswer: (error) => error instanceof Neo4jError && !isAway(error),
    isAway,
    late: noAnswer,
    onAway() {
      // Connections from before may be dead, and those that wait for an answer would fill the pool.
      connections.close().catch(() => {});
      connections = connect();
    },
  });

  const autoCommit = (
    mode: "READ" | "WRITE",
    statement: string,
    parameters: Parameters,
    limit: { timeout?: number },
  ): Promise<Row[]> =>
    watch.answerOf(async () => {
      const open = connections.session({ defaultAccessMode: session[mode] });
      try {
        return toRows(await unlessStopped(open.run(statement, parameters, limit)));
      } finally {
        await open.close();
      }
    });

  let lastWriteAt = -Infinity;
  const readMode = (): "READ" | "WRITE" => (performance.now() - lastWriteAt < OWN_WRITES_MS ? "WRITE" : "READ");

  const managed = async <T>(
    mode: "READ" | "WRITE",
    limit: { timeout: number },
    work: (run: Run) => Promise<T>,
  ): Promise<T> => {
    let isLeft = false;
    const transact = async (): Promise<T> => {
      const open = connections.session({ defaultAccessMode: session[mode] });
      try {
        return await open[mode === "READ" ? "executeRead" : "executeWrite"](
          (transaction) =>
            work(async (statement, parameters) => {
              // If the store answers after its refusal, the work may have begun again, so this transaction ends.
              if (isLeft) throw noAnswer();
              return toRows(await unlessStopped(transaction.run(statement, parameters)));
            }),
          limit,
        );
      } finally {
        await open.close();
      }
    };
    try {
      return await watch.answerOf(transact);
    } finally {
      isLeft = true;
    }
  };

  /** When a write first found the store away; null if it has answered since. Writes that waited in line wait no longer. */
  let awaySince: number | null = null;
  const patience = (error: unknown): number => {
    if (!isAway(error) || !isRepeatable(error)) return writePatience(error);
    awaySince ??= performance.now();
    return performance.now() - awaySince < AWAY_PATIENCE_MS ? AWAY_PATIENCE_MS : 0;
  };
  const isCredentialGiven = username !== "";
  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toAppError(error, { location: url, isCredentialGiven });
    }
  };
  const reading = <T>(work: () => Promise<T>): Promise<T> =>
    translated(async () => {
      const answer = retry(() => onceMore(work), readPatience, SYSTEM_RETRY);
      const result = await inTime(answer, READ_LIMIT.timeout + GRACE_MS, noAnswer);
      awaySince = null;
      return result;
    });
  const read = (mode: "READ" | "WRITE", statement: string, parameters: Parameters): Promise<Row[]> =>
    reading(() => autoCommit(mode, statement, parameters, READ_LIMIT));

  return {
    address: url,
    read: (statement, parameters) => read(readMode(), statement, parameters),
    readMain: (statement, parameters) => read("WRITE", statement, parameters),
    readTogether: (work) => reading(() => managed(readMode(), READ_LIMIT, work)),
    async write(work) {
      const attempt = () => inTime(managed("WRITE", WRITE_LIMIT, work), WRITE_LIMIT.timeout + GRACE_MS, noAnswer);
      const result = await translated(() => retry(attempt, patience, SYSTEM_RETRY));
      lastWriteAt = performance.now();
      awaySince = null;
      return result;
    },
    define: async (statement) => {
      await translated(() => retry(() => autoCommit("WRITE", statement, {}, {}), readPatience, SYSTEM_RETRY));
    },
    check: async () => void (await read("READ", "RETURN 1 AS one", {})),
    async close() {
      watch.close();
      await connections.close();
    },
  };
}

/** How long a read is repeated after this error. Nothing waits for a store that is away. */
function readPatience(error: unknown): number {
  return isRepeatable(error) && !isAway(error) ? READ_PATIENCE_MS : 0;
}

function writePatience(error: unknown): number {
  return isRepeatable(error) ? WRITE_PATIENCE_MS : 0;
}

/** A store that was restarted leaves dead connections behind. The next statement finds them. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAway(error)) throw error;
    return await work();
  }
}

/** Whether work that failed may succeed when it runs again. What a limit stopped would be stopped again. */
function isRepeatable(error: unknown): boolean {
  if (!(error instanceof Error) || isStopped(error)) return false;
  return isRetryableError(error) || isPassing(error);
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
