/** Signals by LISTEN and NOTIFY, on a connection of their own. */
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "pg";

import { type Signals, type Topic, TOPICS } from "../signals.ts";
import { toClientConfig } from "./options.ts";

const CHANNEL = "tributary";
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Connects when it is used first, and again whenever the connection is lost. */
export function createPostgresSignals(url: string): Signals {
  const closed = new AbortController();
  const listeners = new Map<Topic, (() => void)[]>(TOPICS.map((topic) => [topic, []]));
  /** Those that could not be sent yet. */
  const unsent = new Set<Topic>();
  let client: Client | null = null;
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
    const made = new Client({ ...toClientConfig(url), application_name: "tributary signals" });
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    made.on("error", () => resolve());
    made.on("end", () => resolve());
    made.on("notification", ({ payload, processId }) => {
      // The process that sent it knows already.
      if (processId !== ownProcessId(made)) TOPICS.filter((topic) => topic === payload).forEach(hear);
    });
    const end = (): void => resolve();
    closed.signal.addEventListener("abort", end);
    try {
      await made.connect();
      await made.query(`listen ${CHANNEL}`);
      client = made;
      for (const topic of unsent) await notify(made, topic);
      // Others may have sent signals while nothing was heard.
      TOPICS.forEach(hear);
      await lost;
      return true;
    } catch {
      return false;
    } finally {
      client = null;
      closed.signal.removeEventListener("abort", end);
      await made.end().catch(() => {});
    }
  }

  async function notify(to: Client, topic: Topic): Promise<void> {
    unsent.delete(topic);
    await to.query("select pg_notify($1, $2)", [CHANNEL, topic]);
  }

  return {
    async send(topic) {
      if (closed.signal.aborted) return;
      running ??= stayConnected();
      if (client === null) unsent.add(topic);
      else await notify(client, topic).catch(() => unsent.add(topic));
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

/** The server's process of the connection. The driver has it, and its types do not. */
function ownProcessId(client: Client): number | undefined {
  return "processID" in client && typeof client.processID === "number" ? client.processID : undefined;
}
