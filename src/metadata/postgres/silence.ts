/**
 * Notices a server that has fallen silent: its connections stay open, and nothing answers. Without this, each caller would
 * wait until a statement's time is over. If nothing was answered for a while, a connection of its own asks. If that is not
 * answered either, all who wait are refused, and so are later ones, until the server answers again.
 */
import { Client, DatabaseError } from "pg";

import { toClientConfig } from "./options.ts";

/** The queries of this store take milliseconds. */
const QUIET_MS = 3_000;
const PROBE_TIMEOUT_MS = 3_000;
const LOOK_EVERY_MS = 500;

export interface Silence {
  /** @throws the error of the last attempt to reach the server, if it is silent */
  requireAnswers(): void;
  /** Waits for an answer of the server, and rejects as soon as the server is known to be silent. */
  answerOf<T>(question: Promise<T>): Promise<T>;
  /** Notes that the server is waited for, as `answerOf` does, and waits however long it takes. */
  watched<T>(question: Promise<T>): Promise<T>;
  close(): void;
}

export function watchForSilence(url: string): Silence {
  let waiting = 0;
  let quietSince = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isProbing = false;
  let silent: unknown = null;
  /** Refuses each question that waits. One promise for all of them would keep something of each for ever. */
  const refusals = new Set<(error: unknown) => void>();

  async function probe(): Promise<void> {
    isProbing = true;
    const error = await askOnce(url);
    isProbing = false;
    if (error === null) silent = null;
    else {
      silent = error;
      for (const refuse of refusals) refuse(error);
    }
    quietSince = performance.now();
  }

  function look(): void {
    if (isClosed || (waiting === 0 && silent === null)) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const isQuiet = silent !== null || performance.now() - quietSince > QUIET_MS;
    if (isQuiet && !isProbing) void probe();
  }

  async function watched<T>(question: Promise<T>): Promise<T> {
    if (waiting++ === 0) quietSince = performance.now();
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
    try {
      const answer = await question;
      quietSince = performance.now();
      return answer;
    } catch (error) {
      if (error instanceof DatabaseError) quietSince = performance.now();
      throw error;
    } finally {
      waiting -= 1;
    }
  }

  async function answerOf<T>(question: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    question.then(resolve, reject);
    refusals.add(reject);
    try {
      return await watched(promise);
    } finally {
      refusals.delete(reject);
    }
  }

  return {
    requireAnswers() {
      if (silent !== null) throw silent;
    },
    answerOf,
    watched,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/** @returns null if the server answers, whatever it says; else the error of the connection */
async function askOnce(url: string): Promise<unknown> {
  const client = new Client({
    ...toClientConfig(url),
    application_name: "tributary look",
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return null;
  } catch (error) {
    return error instanceof DatabaseError ? null : error;
  } finally {
    client.connection.stream.destroy();
  }
}
