/** Prints the effects of the attack on the service. */
import { SLOWDOWN_GOAL, STALL_GOAL_MS } from "./goals.ts";
import type { Innocence, Latencies } from "./innocent.ts";
import type { LoopReport } from "./loop-watch.ts";
import { cut, type Tally } from "./tally.ts";

export interface Phase {
  name: string;
  /** Milliseconds since 1970. */
  began: number;
  innocence: Innocence;
  loop: LoopReport;
}

const WORST = 12;
const LOG_LINES = 8;

const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
const tenth = (value: number): string => value.toFixed(1);

export function printPhases(phases: readonly Phase[]): void {
  console.log(
    "\nphase        searches   median ms    p99 ms    max ms  errors   alive p99 ms   max ms   longest stall ms",
  );
  console.log(
    "             loop p99 ms   loop busy   peak RSS MiB   peak heap MiB   longest slice of processor time ms",
  );
  for (const { name, began, innocence, loop } of phases) {
    const { searches, alive, errors } = innocence;
    const cells = [
      whole(searches.count).padStart(8),
      tenth(searches.medianMs).padStart(11),
      tenth(searches.p99Ms).padStart(9),
      tenth(searches.maxMs).padStart(9),
      whole(sumOf(errors)).padStart(7),
      tenth(alive.p99Ms).padStart(14),
      tenth(alive.maxMs).padStart(8),
      tenth(loop.longestMs).padStart(18),
    ];
    console.log(`${name.padEnd(12)} ${cells.join(" ")}`);
    const { medianMs, maxMs } = innocence.logins;
    console.log(`             logins in a known browser: median ${tenth(medianMs)} ms, longest ${tenth(maxMs)} ms`);
    const more = [
      tenth(loop.p99Ms).padStart(11),
      `${whole(loop.utilization * 100)} %`.padStart(11),
      whole(loop.peakRssMiB).padStart(14),
      whole(loop.peakHeapMiB).padStart(15),
      tenth(loop.longestProcessorMs).padStart(38),
    ];
    console.log(`             ${more.join(" ")}`);
    const longest = loop.stalls.slice(0, WORST).map(({ from, processorMs, gcMs }) => {
      return `${whole(processorMs)} ms (${whole(gcMs)} of garbage) at ${tenth((from - began) / 1_000)} s`;
    });
    if (longest.length > 0)
      console.log(`             ${loop.stalls.length} slices over the goal: ${longest.join(", ")}`);
    if (sumOf(errors) > 0) console.log(`             errors: ${inWords(errors)}`);
    if (innocence.aliveErrors > 0) console.log(`             not alive: ${innocence.aliveErrors} times`);
  }
}

export function printTally({ byName, faults, faultCount }: Tally): void {
  const all = Object.entries(byName);
  const statuses: Record<string, number> = {};
  for (const [, { statuses: own }] of all) {
    for (const [status, amount] of Object.entries(own)) statuses[status] = (statuses[status] ?? 0) + amount;
  }
  const hungUp = all.reduce((sum, [, own]) => sum + own.hungUp, 0);
  console.log(`\nanswers by status: ${inWords(statuses)}; hung up: ${whole(hungUp)}; internal errors: ${faultCount}`);
  const line = (of: "largestBytes" | "slowestMs", unit: string) => {
    const worst = all.toSorted(([, a], [, b]) => b[of] - a[of]).slice(0, WORST);
    for (const [name, own] of worst)
      console.log(`  ${whole(own[of]).padStart(12)} ${unit}  ${name} (${inWords(own.statuses)})`);
  };
  console.log("largest answers:");
  line("largestBytes", "bytes");
  console.log("slowest answers:");
  line("slowestMs", "ms");
  for (const { number, name, status, request, answer } of faults.slice(0, WORST)) {
    console.log(`\nFAULT ${status} of number ${number}, ${name}\n  ${request}\n  ${answer}`);
  }
}

/** The service's log, each message once. */
export function printLog(lines: readonly string[]): void {
  const seen = new Map<string, { line: string; times: number }>();
  for (const line of lines) {
    const key = line.replaceAll(/"(time|requestId|pid)":("[^"]*"|\d+),?/g, "").slice(0, 300);
    const entry = seen.get(key) ?? { line, times: 0 };
    entry.times++;
    seen.set(key, entry);
  }
  if (seen.size === 0) return;
  console.log(`\nthe service's log, ${lines.length} lines:`);
  for (const { line, times } of [...seen.values()].slice(0, LOG_LINES)) console.log(`  ${times} x ${cut(line, 1_000)}`);
}

/** Prints each goal, and whether it was met. @returns whether all were */
export function judge(phases: { idle: Phase; attack: Phase; after: Phase }, tally: Tally): boolean {
  const { idle, attack, after } = phases;
  const ratio = (of: Latencies, value: "medianMs" | "p99Ms"): number => of[value] / idle.innocence.searches[value];
  const slowdown = ratio(attack.innocence.searches, "medianMs");
  const loginSlowdown = attack.innocence.logins.medianMs / idle.innocence.logins.medianMs;
  const recovery = ratio(after.innocence.atOnce, "medianMs");
  const errors = [attack, after].reduce(
    (sum, { innocence }) => sum + sumOf(innocence.errors) + innocence.aliveErrors,
    0,
  );
  const p99 = tenth(ratio(attack.innocence.searches, "p99Ms"));
  const goals: [met: boolean, words: string][] = [
    [tally.faultCount === 0, `internal errors: ${tally.faultCount} (goal 0)`],
    [
      attack.loop.longestProcessorMs <= STALL_GOAL_MS,
      `longest slice: ${whole(attack.loop.longestProcessorMs)} ms of processor time (goal ${STALL_GOAL_MS})`,
    ],
    [
      slowdown < SLOWDOWN_GOAL,
      `the innocent's median: ${tenth(slowdown)} x idle (goal ${SLOWDOWN_GOAL}), p99: ${p99} x idle`,
    ],
    [
      loginSlowdown < SLOWDOWN_GOAL,
      `the median login in a known browser: ${tenth(loginSlowdown)} x idle (goal ${SLOWDOWN_GOAL})`,
    ],
    [errors === 0, `the innocent's errors: ${errors} (goal 0)`],
    [
      recovery < SLOWDOWN_GOAL,
      `the innocent's median in the 2 s after: ${tenth(recovery)} x idle (goal ${SLOWDOWN_GOAL})`,
    ],
  ];
  console.log("");
  for (const [met, words] of goals) console.log(`${met ? "met   " : "MISSED"}  ${words}`);
  return goals.every(([met]) => met);
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, amount) => sum + amount, 0);
}

function inWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, amount]) => `${name}: ${whole(amount)}`)
    .join(", ");
}
