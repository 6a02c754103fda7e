/**
 * The link to a Valkey server, which may be away at any time. After a failure nobody asks the server until a probe has
 * succeeded: a new connection, which is then used. So requests wait for a failing server once, and only as long as one
 * command may take.
 */
import type { Logger } from "pino";

import type { Countdown } from "../../clock.ts";
import { createStoreWatch, type Probe } from "../../work/store-watch.ts";
import type { Client } from "./client.ts";
import type { Script } from "./script.ts";

/** A connection that works. */
export interface Connection {
  /** Each connection has a higher number than those before. */
  readonly number: number;
  /** Returns the answer of a script, or null if the server is away. Then this connection is over. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
}

export interface Link {
  /** Null while the server is away. */
  connection(): Connection | null;
  /** Rejects while the server is away. Asks it, because a server that is frozen is noticed by nothing else. */
  check(): Promise<void>;
  close(): void;
}

export interface LinkParts {
  /** Connects to the server. */
  connect: () => Promise<Client>;
  /** Rejects if the server does not do its work, for example because its memory is full. */
  prove: (client: Pick<Client, "run">) => Promise<void>;
  countdown: Countdown;
  log: Pick<Logger, "info" | "warn">;
  /** The server's address, for messages. */
  location: string;
}

/** Connects now or, if the server is away, as soon as it is back. Resolves after the first attempt. */
export async function createLink({ connect, prove, countdown, log, location }: LinkParts): Promise<Link> {
  let current: { connection: Connection; client: Client } | null = null;
  let count = 0;
  /** The last reason that was logged. */
  let toldReason: string | null = null;
  const watch = createStoreWatch({ probe, countdown });

  function probe(): Probe {
    let isOver = false;
    async function attempt(): Promise<void> {
      let client: Client | null = null;
      try {
        client = await connect();
        await prove(client);
        if (isOver) client.close();
        else accept(client);
      } catch (error) {
        client?.close();
        if (!isOver) noteReason(error);
        throw error;
      }
    }
    return {
      answer: attempt(),
      end: () => {
        isOver = true;
      },
    };
  }

  function accept(client: Client): void {
    const run: Connection["run"] = async (script, keys, args) => {
      try {
        return await client.run(script, keys, args);
      } catch (error) {
        lose(client, error);
        return null;
      }
    };
    count += 1;
    current = { client, connection: { number: count, run } };
    client.onLost((reason) => lose(client, reason));
    if (toldReason !== null) log.info({ location }, "The limits store answers: requests are counted together again.");
    toldReason = null;
  }

  function lose(client: Client, reason: unknown): void {
    if (current?.client !== client) return;
    current = null;
    client.close();
    noteReason(reason);
    void watch.doubt();
  }

  function noteReason(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== toldReason) {
      log.warn(
        { location, reason },
        "The limits store is away: until it answers, each server counts requests by itself.",
      );
    }
    toldReason = reason;
  }

  await watch.doubt();
  return {
    connection: () => current?.connection ?? null,
    async check() {
      const client = current?.client;
      if (client === undefined) throw new Error("The limits store is away.");
      try {
        await prove(client);
      } catch (error) {
        lose(client, error);
        throw error;
      }
    },
    close() {
      watch.close();
      const client = current?.client;
      current = null;
      client?.close();
    },
  };
}
