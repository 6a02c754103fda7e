/** Kills and restarts servers and workers while clients read, edit and send events. */
import { setTimeout as pause } from "node:timers/promises";

import { exceedLimit, revokeSomewhere } from "./access.ts";
import { checkCatalog, checkLimit } from "./checks.ts";
import type { Member } from "./cluster.ts";
import { createReport, printLogs, printTimes } from "./report.ts";
import { crawlAfresh, openWorld, type World } from "./world.ts";

const EVERY_MS = 5_000;
const DOWN_MS = 1_000;
/** At every n-th time, the two are told to stop instead. Then no connection may be cut. */
const ASKED_EVERY = 4;
const LIMIT_ROUNDS = 3;

interface Kills {
  killed: number;
  stopped: number;
  /** The processes that did not end with 0. */
  faults: string[];
}

async function killAgainAndAgain({ servers, workers }: World["cluster"], signal: AbortSignal): Promise<Kills> {
  const kills: Kills = { killed: 0, stopped: 0, faults: [] };
  const restarts: Promise<void>[] = [];

  async function end(member: Member, isAsked: boolean): Promise<void> {
    if (isAsked) {
      const code = await member.stop();
      kills.stopped += 1;
      if (code !== 0) kills.faults.push(`${member.name} ended with ${code} when it was asked to stop`);
    } else {
      await member.kill();
      kills.killed += 1;
    }
    await pause(DOWN_MS);
    await member.start();
  }

  for (let turn = 0; !signal.aborted; turn++) {
    await pause(EVERY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    for (const members of [servers, workers]) {
      const member = members[turn % members.length];
      // The others must be able to serve in the meantime.
      const others = members.filter((each) => each !== member && each.isUp);
      if (member?.isUp && others.length > 0) restarts.push(end(member, turn % ASKED_EVERY === ASKED_EVERY - 1));
    }
  }
  await Promise.all(restarts);
  return kills;
}

async function revokeAgainAndAgain({ admin, cluster }: World, signal: AbortSignal) {
  const all = { asked: 0, admitted: [] as string[] };
  while (!signal.aborted) {
    const { asked, admitted } = await revokeSomewhere(admin, cluster.servers);
    all.asked += asked;
    all.admitted.push(...admitted);
    await pause(2_000);
  }
  return all;
}

/** @returns whether every check holds */
export async function runKills({ seconds, seed }: { seconds: number; seed: number }): Promise<boolean> {
  const expected = await crawlAfresh();
  await using world = await openWorld(seed);
  const { cluster, admin, tally } = world;
  console.log(`3 servers, 2 workers, PostgreSQL and Valkey run; the sample was crawled 3 times. ${seconds} s of load:`);
  const ending = AbortSignal.timeout(seconds * 1_000);
  const load = await world.startLoad(ending);
  const [kills, revoked] = await Promise.all([
    killAgainAndAgain(cluster, ending),
    revokeAgainAndAgain(world, ending),
    load.done,
  ]);
  const drainBegan = performance.now();
  const stuck = await world.drain();
  const drainedMs = performance.now() - drainBegan;

  const { counts, faults } = tally;
  console.log(
    `${kills.killed} kills and ${kills.stopped} stops; ${counts.ok} answers as asked, ${counts.unavailable} with 503 and ` +
      `Retry-After, ${counts.limited} with 429, ${counts.cut} cut by a kill, ${counts.fault + counts.denied} others`,
  );
  printTimes(tally);
  const report = createReport();
  report.check("errors only where a kill cut", `${counts.fault + counts.denied} others`, [
    ...[...faults].map(([fault, count]) => `${count} times ${fault}`),
    ...(counts.denied > 0 ? [`${counts.denied} valid tokens were refused`] : []),
  ]);
  report.check("a stop ends with 0", `${kills.stopped} stops`, kills.faults);
  report.check("what was begun ends", `after ${Math.round(drainedMs)} ms`, stuck);
  await checkCatalog(world, load, { expected, report, mayFail: ["%worker_died%"] });
  report.check("a revoked key is refused by all", `${revoked.asked} times`, revoked.admitted);
  checkLimit(await exceedLimit(admin, cluster.servers, LIMIT_ROUNDS), report);
  const holds = report.print();
  printLogs(cluster.readLogs());
  return holds;
}
