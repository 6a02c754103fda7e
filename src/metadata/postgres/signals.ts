/** Signals by LISTEN and NOTIFY, on a connection of their own. */
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "pg";

import { type Signals, type Topic, TOPICS } from "../signals.ts";
import { toClientConfig } from "./options.ts";

const CHANNEL = "tributary";
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** The sender waits for the signal, which normally takes a millisecond. */
const ANSWER_TIMEOUT_MS = 2_000;
const LEAVE_MS = 500;
/** How often to test the connection. Nothing else shows the listeners that the server is gone. */
const ASK_EVERY_MS = 5_000;

/** Connects when it is used first, and again whenever the connection is lost or does not answer. */
export function createPostgresSignals(url: string): Signals {
  const closed = new AbortController();
  const listeners = new Map<Topic, (() => void)[]>(TOPICS.map((topic) => [topic, []]));
  /** Those that could not be sent yet. */
  const unsent = new Set<Topic>();
  let client: Listening | null = null;
  let running: Promise<void> | undefined;

  const hear = (topic: Topic): void => listeners.get(topic)?.forEach((heard) => heard());

  async function stayConnected(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !closed.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const wasConnected = await connectOnce();
      if (wasConnected) pauseMs = FIRST_PAUSE_MS;
      // Ends early if the signals are closed.
      await pause(pauseMs, undefined, { signal: closed.signal }).catch(() => {});
    }
  }

  /** Resolves when the connection is lost or closed. Returns whether there was one. */
  async function connectOnce(): Promise<boolean> {
    const made = new Client({
      ...toClientConfig(url),
      application_name: "tributary signals",
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    made.on("error", () => resolve());
    made.on("end", () => resolve());
    made.on("notification", ({ payload, processId }) => {
      // The process that sent it knows already.
      if (processId !== ownProcessId(made)) TOPICS.filter((topic) => topic === payload).forEach(hear);
    });
    const end = (): void => resolve();
    closed.signal.addEventListener("abort", end);
    let asking: NodeJS.Timeout | undefined;
    try {
      await made.connect();
      await made.query(`listen ${CHANNEL}`);
      const listening = { connection: made, giveUp: resolve };
      client = listening;
      asking = setInterval(() => made.query("select 1").catch(end), ASK_EVERY_MS).unref();
      const topics = [...unsent];
      for (const topic of topics) await notify(listening, topic);
      // Others may have sent signals while nothing was heard.
      TOPICS.forEach(hear);
      await lost;
      return true;
    } catch {
      return false;
    } finally {
      client = null;
      clearInterval(asking);
      closed.signal.removeEventListener("abort", end);
      await endConnection(made);
    }
  }

  /** Never rejects. A signal that could not be sent is sent on the next connection. */
  async function notify({ connection, giveUp }: Listening, topic: Topic): Promise<void> {
    unsent.delete(topic);
    try {
      await connection.query("select pg_notify($1, $2)", [CHANNEL, topic]);
    } catch {
      unsent.add(topic);
      // There may be a new one by now.
      if (client?.connection === connection) client = null;
      giveUp();
    }
  }

  return {
    async send(topic) {
      if (closed.signal.aborted) return;
      running ??= stayConnected();
      if (client === null) unsent.add(topic);
      else await notify(client, topic);
    },
    listen(topic, heard) {
      listeners.get(topic)?.push(heard);
      running ??= stayConnected();
    },
    async close() {
      closed.abort();
      await running;
    },
  };
}

interface Listening {
  connection: Client;
  /** Leaves the connection for a new one. */
  giveUp: () => void;
}

/** Closes the connection politely, but does not wait for a server that does not answer. */
async function endConnection(client: Client): Promise<void> {
  const cutting = setTimeout(() => client.connection.stream.destroy(), LEAVE_MS);
  await client.end().catch(() => {});
  clearTimeout(cutting);
}

/** The server's process of the connection. The driver has it, and its types do not. */
function ownProcessId(client: Client): number | undefined {
  return "processID" in client && typeof client.processID === "number" ? client.processID : undefined;
}
