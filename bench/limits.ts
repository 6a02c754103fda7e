/**
 * Measures the cost of counting on Valkey: `node bench/limits.ts`. Needs valkey-server or redis-server. First it
 * measures each decision alone, in memory and on Valkey on this machine. Then it sends requests in turns to two
 * services over HTTP, which differ only in this.
 */
import { randomBytes } from "node:crypto";

import { systemClock } from "../src/clock.ts";
import type { Limits } from "../src/limits/limits.ts";
import { createMemoryLimits } from "../src/limits/memory/index.ts";
import { type RunningApp, startApp } from "../test/support/app.ts";
import { startValkey } from "../test/support/valkey.ts";
import { openLimitsOn } from "../test/support/valkey-limits.ts";

const TIMES = 5_000;
const ROUNDS = 1_000;
const LIMIT = 10_000;
const SOURCE = "203.0.113.7";

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

const valkey = await startValkey();
const shared = await openLimitsOn(valkey.url, { secretKey: randomBytes(32), clock: systemClock });
const memory = createMemoryLimits({ clock: systemClock, blockMs: 60_000 });
const apps: RunningApp[] = [];
try {
  console.log("decision                        memory µs  Valkey µs  100 at once, each µs");
  await compareDecision("admit one place", ({ rateLimiter }) => rateLimiter.admit("key", LIMIT, 1));
  await compareDecision("look", ({ rateLimiter }) => rateLimiter.look("key", LIMIT));
  await compareDecision("is it blocked", ({ lockouts }) => lockouts.authentication.blockedForSeconds(SOURCE));
  await compareDecision("note a success", ({ lockouts }) => lockouts.authentication.noteSuccess(SOURCE));

  const env = { SAMPLE: "off", MAX_CONNECTIONS_PER_ADDRESS: "1000" };
  apps.push(await startApp({ env }), await startApp({ env: { ...env, LIMITS_URL: valkey.url } }));
  const times: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { url, token }] of apps.entries()) {
      const began = performance.now();
      const answer = await fetch(`${url}/api/v1/connectors`, { headers: { Authorization: `Bearer ${token}` } });
      await answer.text();
      times[index]?.push(performance.now() - began);
    }
  }
  const [inMemory = 0, onValkey = 0] = times.map(median);
  console.log(
    `\nrequest, one after the other: ${inMemory.toFixed(2)} ms in memory, ${onValkey.toFixed(2)} ms on Valkey`,
  );
  console.log(`ratio ${(onValkey / inMemory).toFixed(2)}`);
} finally {
  for (const app of apps) await app.close();
  await shared.close();
  await valkey.close();
}

async function compareDecision(name: string, decide: (limits: Limits) => Promise<unknown>): Promise<void> {
  const inTurn = async (limits: Limits): Promise<number> => {
    const began = performance.now();
    for (let time = 0; time < TIMES; time++) await decide(limits);
    return ((performance.now() - began) * 1_000) / TIMES;
  };
  const cells = [await inTurn(memory), await inTurn(shared)];
  const start = performance.now();
  for (let time = 0; time < TIMES; time += 100) {
    await Promise.all(Array.from({ length: 100 }, () => decide(shared)));
  }
  cells.push(((performance.now() - start) * 1_000) / TIMES);
  if (shared.lines.length > 0) throw new Error(`Valkey was away: ${JSON.stringify(shared.lines)}`);
  console.log(`${name.padEnd(30)}${cells.map((cell) => cell.toFixed(1).padStart(11)).join("")}`);
}
