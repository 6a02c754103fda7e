/** Sends each suspected request alone, to find the ones that block the service. */
import { setTimeout as wait } from "node:timers/promises";

import type { LoneOutcome, Order } from "./attackers.ts";
import type { Child } from "./child.ts";
import { STALL_GOAL_MS } from "./goals.ts";
import type { LoopReport, Stall } from "./loop-watch.ts";
import { attacksOf, type Choice } from "./shots.ts";

/** Work that continues after a request was answered shows within this time. */
const SETTLE_MS = 50;
const TIMES = 2;
const STALLS_LOOKED_AT = 3;
/** A slow request may take minutes. A few of them are enough. */
const REPEATING_MS = 30_000;

interface Children {
  service: Child;
  attackers: Child;
}

interface Finding extends LoneOutcome {
  loop: LoopReport;
}

async function tryAlone({ service, attackers }: Children, order: Order): Promise<Finding> {
  await service.ask<LoopReport>("reset");
  const { answer } = await attackers.ask<{ answer: LoneOutcome }>(order);
  await wait(SETTLE_MS);
  return { ...answer, loop: await service.ask<LoopReport>("tell") };
}

/** Tries each attack of the catalogue, and prints the worst stall that each caused. */
export async function tryEachAlone(children: Children, choice: Choice): Promise<void> {
  console.log("\neach attack by itself:");
  console.log("  stall ms  processor ms  answer ms        bytes  status  attack");
  for (const { name } of attacksOf(choice)) {
    const findings: Finding[] = [];
    try {
      for (let time = 0; time < TIMES; time++) findings.push(await tryAlone(children, { kind: "one", name }));
    } catch (error) {
      throw new Error(`the service did not survive: ${name}`, { cause: error });
    }
    const [worst] = findings.toSorted((a, b) => b.loop.longestProcessorMs - a.loop.longestProcessorMs);
    if (worst) printFinding(worst);
  }
}

function printFinding({ loop, ms, bytes, status, name, isFault, answer }: Finding): void {
  const cells = [
    loop.longestMs.toFixed(0).padStart(8),
    loop.longestProcessorMs.toFixed(0).padStart(13),
    ms.toFixed(0).padStart(10),
    String(bytes).padStart(12),
    String(status).padStart(7),
  ];
  const mark = loop.longestProcessorMs > STALL_GOAL_MS ? "  <- over the goal" : "";
  const refused = status === 503 ? "  <- refused, although nothing else was asked" : "";
  console.log(`  ${cells.join(" ")}  ${name}${mark}${refused}${isFault ? `  FAULT ${answer.slice(0, 300)}` : ""}`);
}

/** Repeats the requests of the longest stalls, and prints those that stall the service alone. */
export async function repeatSuspects(children: Children, stalls: readonly Stall[]): Promise<void> {
  const order: Order = { kind: "suspects", stalls: stalls.slice(0, STALLS_LOOKED_AT) };
  const { answer } = await children.attackers.ask<{ answer: number[][] }>(order);
  const numbers = [...new Set(answer.flat())];
  const until = performance.now() + REPEATING_MS;
  if (numbers.length === 0) return;
  console.log(
    `\n${numbers.length} requests were under way in the longest stalls; what each does by itself, where that is over the goal:`,
  );
  for (const [at, number] of numbers.entries()) {
    if (performance.now() > until) return console.log(`  (only ${at} of them were tried)`);
    const finding = await tryAlone(children, { kind: "one", number });
    if (finding.loop.longestProcessorMs <= STALL_GOAL_MS) continue;
    printFinding(finding);
    console.log(`    number ${number}: ${finding.request}`);
  }
}

/** Sends one numbered request, and prints it with its answer. */
export async function repeatOne(children: Children, number: number): Promise<void> {
  const finding = await tryAlone(children, { kind: "one", number });
  console.log(finding.request);
  console.log(finding.answer);
  printFinding(finding);
}
