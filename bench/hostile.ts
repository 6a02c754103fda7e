/**
 * Attacks the service, and prints the effects on it and on another user at the same time.
 * Usage: node bench/hostile.ts [--seconds 30] [--seed N] [--limit 10000] [--keys 10] [--connections 4]
 *   [--only part of a name] [--skip part of a name]... [--alone] [--repeat number]
 * `--only` selects the attacks whose name contains this, or `fuzzer`. `--skip` leaves out those whose name contains
 * this, such as one that ends the service. `--alone` only tries each attack by itself. `--repeat` sends one request
 * again, by the number that the report prints; use it with the seed of that run. The exit code is 1 if a goal was
 * missed.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { repeatOne, repeatSuspects, tryEachAlone } from "./hostile/alone.ts";
import type { AttackOptions, Order } from "./hostile/attackers.ts";
import { startChild } from "./hostile/child.ts";
import { beInnocent } from "./hostile/innocent.ts";
import type { LoopReport } from "./hostile/loop-watch.ts";
import { judge, type Phase, printLog, printPhases, printTally } from "./hostile/report.ts";
import type { ServerMessage } from "./hostile/server.ts";
import type { Choice } from "./hostile/shots.ts";
import type { Tally } from "./hostile/tally.ts";

/** Rare and common words differ, so a short phase has no steady median. */
const CALM_SECONDS = 30;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "30" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    limit: { type: "string", default: "10000" },
    keys: { type: "string", default: "10" },
    connections: { type: "string", default: "4" },
    only: { type: "string", default: "" },
    skip: { type: "string", multiple: true, default: [] },
    alone: { type: "boolean", default: false },
    repeat: { type: "string" },
  },
});
const { seconds, seed, limit, keys, connections, only, skip, alone, repeat } = values;
const choice: Choice = { only, skip };

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-hostile-"));
const service = startChild("server.ts", [folder.path, keys, limit]);
const attackers = startChild("attackers.ts");
const children = { service, attackers };
try {
  const server = await service.hear<ServerMessage>();
  console.log(`${server.assets} assets, loaded in ${server.loadSeconds.toFixed(1)} s; seed ${seed}`);
  const options: AttackOptions = { server, seed: Number(seed), connections: Number(connections), choice };
  await attackers.ask(options);
  if (repeat !== undefined) await repeatOne(children, Number(repeat));
  else if (alone) await tryEachAlone(children, choice);
  else process.exitCode = (await attack(server)) ? 0 : 1;
  printLog(service.lines);
} finally {
  await Promise.all([service.stop(), attackers.stop()]);
}

async function phase(name: string, server: ServerMessage, lasts: number): Promise<Phase> {
  await service.ask("reset");
  const began = Date.now();
  const innocence = await beInnocent(server, lasts);
  return { name, began, innocence, loop: await service.ask<LoopReport>("tell") };
}

async function attack(server: ServerMessage): Promise<boolean> {
  // Warm-up, so that compiling and first reads are not measured.
  await beInnocent(server, 2);
  const idle = await phase("idle", server, CALM_SECONDS);
  const order: Order = { kind: "attack", seconds: Number(seconds) };
  const [attacked, { answer: tally }] = await Promise.all([
    phase("attack", server, Number(seconds)),
    attackers.ask<{ answer: Tally }>(order),
  ]);
  const after = await phase("afterwards", server, CALM_SECONDS);
  printPhases([idle, attacked, after]);
  printTally(tally);
  const met = judge({ idle, attack: attacked, after }, tally);
  await repeatSuspects(children, attacked.loop.stalls);
  return met;
}
