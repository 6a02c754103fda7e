/** Sends ordinary requests at a given rate, as a child process. The first message describes the service. */
import { setPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

import { seeded } from "../support/random.ts";
import { get, keepAlive, send, type Shot } from "./client.ts";
import { type Latencies, toLatencies } from "./innocent.ts";
import type { ServerMessage } from "./server.ts";

export type FloodOrder =
  /** Each connection sends the next request as soon as it has an answer. */
  | { kind: "as fast as it answers"; connections: number; seconds: number }
  /** This number of requests begin in a second, whatever happens to earlier ones. */
  | { kind: "at a rate"; perSecond: number; seconds: number };

export interface FloodReport {
  /** The requests that began in a second, and those that were answered with 200. */
  begunPerSecond: number;
  servedPerSecond: number;
  served: Latencies;
  /** The number of answers with 503. */
  shed: Latencies;
  /** The number of requests for each outcome. */
  outcomes: Record<string, number>;
}

/**
 * Each slot stands for a client, which does not send before it has an answer. A request without a free slot is left out
 * and counted.
 */
const CLIENTS = 1_000;
const TICK_MS = 5;
const WORDS = ["orders", "customers daily", "fct_orders_1", "m2_17", "wide_3", "revenue"];

// A low priority, as if it were on another machine.
setPriority(10);

/** One request for each key, so that no rate limit is reached: the requests of a catalog page. */
function shotAt(at: number, { targets }: ServerMessage, random: () => number): Shot {
  const model = targets.models[Math.floor(random() * targets.models.length)] ?? "";
  const word = encodeURIComponent(WORDS[at % WORDS.length] ?? "");
  const kind = random() * 10;
  if (kind < 4) return get(`/api/v1/catalog/assets/${model}`);
  if (kind < 7) return get("/api/v1/catalog/assets?limit=50");
  if (kind < 9) return get(`/api/v1/catalog/assets?limit=20&search=${word}`);
  return get(`/api/v1/lineage/upstream?asset_id=${model}&depth=3`);
}

async function flood(server: ServerMessage, order: FloodOrder): Promise<FloodReport> {
  const random = seeded(7);
  const agent = keepAlive(CLIENTS);
  const [served, shed]: number[][] = [[], []];
  const outcomes: Record<string, number> = {};
  let [begun, underWay] = [0, 0];
  const note = (outcome: string): void => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const ask = async (): Promise<void> => {
    const at = begun++;
    const token = server.attackers[at % server.attackers.length] ?? "";
    underWay++;
    const { status, ms, text } = await send({ origin: server.origin, token, agent }, shotAt(at, server, random));
    underWay--;
    if (status === 200) served?.push(ms);
    if (status === 503) shed?.push(ms);
    note(status === 0 ? text : String(status));
  };

  const began = performance.now();
  const until = began + order.seconds * 1_000;
  if (order.kind === "as fast as it answers") {
    const askOn = async (): Promise<void> => {
      while (performance.now() < until) await ask();
    };
    await Promise.all(Array.from({ length: order.connections }, askOn));
  } else {
    const all = new Set<Promise<void>>();
    for (let due = 0; performance.now() < until; await wait(TICK_MS)) {
      const late = ((performance.now() - began) / 1_000) * order.perSecond;
      for (; due < late; due++) {
        if (underWay >= CLIENTS) {
          note("left out");
          continue;
        }
        const asked = ask().finally(() => all.delete(asked));
        all.add(asked);
      }
    }
    await Promise.all(all);
  }
  agent.destroy();
  return {
    begunPerSecond: begun / order.seconds,
    servedPerSecond: (served?.length ?? 0) / order.seconds,
    served: toLatencies(served ?? []),
    shed: toLatencies(shed ?? []),
    outcomes,
  };
}

let server: ServerMessage | undefined;
process.on("message", (message: ServerMessage | FloodOrder) => {
  if ("origin" in message) {
    server = message;
    process.send?.("ready");
  } else if (server !== undefined) {
    void flood(server, message).then((report) => process.send?.(report));
  }
});
process.on("disconnect", () => process.exit());
