/**
 * Sends more requests than the service can answer, and prints the effects: `node bench/overload.ts [--times 3]
 * [--seconds 20]`. First it measures how many ordinary requests are answered in a second. Then it sends `--times` as
 * many, without waiting for answers, while a watchdog checks the service's health. The exit code is 1 if a goal was
 * missed.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { startChild } from "./hostile/child.ts";
import type { FloodOrder, FloodReport } from "./hostile/flood.ts";
import { beInnocent, type Innocence, type Latencies } from "./hostile/innocent.ts";
import type { LoopReport } from "./hostile/loop-watch.ts";
import type { ServerMessage } from "./hostile/server.ts";

/** Enough keys that none reaches its rate limit. */
const KEYS = "40";
const RATE_LIMIT = "10000";
/** A thousand clients share one address. */
const SOCKETS = "2000";
const CONNECTIONS = 16;
const CAPACITY_SECONDS = 8;
const CALM_SECONDS = 5;
/** The time within which 99 of 100 answers of `/health/live` must come during the overload. */
const ALIVE_GOAL_MS = 100;
/** In the first two seconds after the overload, a search may take this many times as long as before. */
const RECOVERY_GOAL = 3;

const { values } = parseArgs({
  options: { times: { type: "string", default: "3" }, seconds: { type: "string", default: "20" } },
});
const times = Number(values.times);
const seconds = Number(values.seconds);

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-overload-"));
const service = startChild("server.ts", [folder.path, KEYS, RATE_LIMIT, SOCKETS]);
const crowd = startChild("flood.ts");
try {
  const server = await service.hear<ServerMessage>();
  await crowd.ask(server);
  const flood = (order: FloodOrder): Promise<FloodReport> => crowd.ask(order);
  const fully = { kind: "as fast as it answers", connections: CONNECTIONS, seconds: CAPACITY_SECONDS } as const;

  await flood({ ...fully, seconds: 3 });
  const capacity = await flood(fully);
  print("as many as it answers", capacity);
  const before = await beInnocent(server, CALM_SECONDS);
  await service.ask("reset");
  const rate = { kind: "at a rate", perSecond: times * capacity.servedPerSecond, seconds } as const;
  const [overload, during] = await Promise.all([flood(rate), beInnocent(server, seconds)]);
  const loop = await service.ask<LoopReport>("tell");
  print(`${times} times as many`, overload);
  const after = await beInnocent(server, CALM_SECONDS);
  printSearches({ before, during, after });
  console.log(
    `longest stall of the event loop: ${ms(loop.longestMs)}; peak memory ${Math.round(loop.peakRssMiB)} MiB\n`,
  );
  process.exitCode = judge({ before, during, after }, overload) ? 0 : 1;
} finally {
  await Promise.all([service.stop(), crowd.stop()]);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function inWords({ count, medianMs, p99Ms, maxMs }: Latencies): string {
  return `${count} (median ${ms(medianMs)}, p99 ${ms(p99Ms)}, longest ${ms(maxMs)})`;
}

function print(name: string, { begunPerSecond, servedPerSecond, served, shed, outcomes }: FloodReport): void {
  console.log(`${name}: ${Math.round(begunPerSecond)} a second, answered ${Math.round(servedPerSecond)} a second`);
  console.log(`  answered ${inWords(served)}`);
  if (shed.count > 0) console.log(`  refused with 503 ${inWords(shed)}`);
  console.log(`  ${JSON.stringify(outcomes)}\n`);
}

type Phases = Record<"before" | "during" | "after", Innocence>;

function printSearches(phases: Phases): void {
  for (const [name, { searches, alive, aliveErrors, errors }] of Object.entries(phases)) {
    console.log(`${name.padEnd(7)} ten searches a second: ${inWords(searches)} ${JSON.stringify(errors)}`);
    console.log(`        alive: ${inWords(alive)}, not alive ${aliveErrors} times`);
  }
}

function judge({ before, during, after }: Phases, { outcomes }: FloodReport): boolean {
  const recovery = after.atOnce.medianMs / before.searches.medianMs;
  const goals: [string, boolean][] = [
    [`p99 of /health/live: ${ms(during.alive.p99Ms)} (goal ${ALIVE_GOAL_MS} ms)`, during.alive.p99Ms < ALIVE_GOAL_MS],
    [`internal errors: ${outcomes["500"] ?? 0} (goal 0)`, outcomes["500"] === undefined],
    [`searches in the 2 s after: ${recovery.toFixed(1)} x before (goal ${RECOVERY_GOAL})`, recovery < RECOVERY_GOAL],
  ];
  for (const [told, isMet] of goals) console.log(`${isMet ? "met   " : "MISSED"}  ${told}`);
  return goals.every(([, isMet]) => isMet);
}
