/**
 * PostgreSQL and Valkey stop and come back under load, and nothing else is restarted. Each second it prints the answers
 * to clients.
 */
import { setTimeout as pause } from "node:timers/promises";

import { exceedLimit } from "./access.ts";
import { checkCatalog, checkLimit } from "./checks.ts";
import type { Cluster, Member } from "./cluster.ts";
import { createReport, printLogs } from "./report.ts";
import type { Second } from "./tally.ts";
import { crawlAfresh, openWorld, type World } from "./world.ts";

interface Step {
  /** Seconds after the step before. */
  after: number;
  words: string;
  /** Whether clients may see 503 from here on. */
  isAway: boolean;
  act(cluster: Cluster): Promise<void> | void;
}

const STEPS: readonly Step[] = [
  { after: 5, words: "PostgreSQL stops", isAway: true, act: ({ postgres }) => postgres.kill() },
  { after: 10, words: "PostgreSQL starts", isAway: false, act: ({ postgres }) => postgres.start() },
  { after: 15, words: "Valkey stops", isAway: false, act: ({ valkey }) => valkey.kill() },
  { after: 10, words: "Valkey starts", isAway: false, act: ({ valkey }) => valkey.start() },
  { after: 10, words: "PostgreSQL falls silent", isAway: true, act: ({ road }) => road.fallSilent() },
  { after: 15, words: "PostgreSQL answers again", isAway: false, act: ({ road }) => road.speak() },
];
const CALM_SECONDS = 15;
/** Clients may see 503 for this long after a store came back. */
const RECOVERY_SECONDS = 6;
const HEALTH_TIMEOUT_MS = 3_000;

/** A sync that needs a store which is away fails with that reason, and may be started again. */
const AWAY = '%"code":"unavailable"%"retryable":true%';

/** The last health of each server. */
function watchHealth(servers: readonly Member[], signal: AbortSignal): () => string {
  const said = servers.map(() => "?");
  const watch = async ({ url }: Member, i: number): Promise<void> => {
    while (!signal.aborted) {
      said[i] = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
        .then(async (response) => tellHealth(await response.json()))
        .catch(() => "no answer");
      await pause(500);
    }
  };
  servers.forEach((server, i) => void watch(server, i));
  return () => [...new Set(said)].join(" | ");
}

function tellHealth({ status, dependencies }: { status: string; dependencies: Record<string, string> }): string {
  const wrong = Object.entries(dependencies).filter(([, state]) => state !== "ok");
  return [status, ...wrong.map(([name, state]) => `${name} ${state}`)].join(" ");
}

interface Row extends Second {
  at: number;
  isAway: boolean;
}

async function printSeconds({ cluster, tally }: World, signal: AbortSignal): Promise<Row[]> {
  const health = watchHealth(cluster.servers, signal);
  const rows: Row[] = [];
  console.log("second    200   429   503  other  slowest ms  health of the servers");
  let sum = 0;
  const due = STEPS.map((step) => ({ step, at: (sum += step.after) }));
  const end = sum + CALM_SECONDS;
  let isAway = false;
  for (let at = 1; at <= end; at++) {
    await pause(1_000);
    const second = tally.takeSecond();
    const { ok = 0, limited = 0, unavailable = 0, denied = 0, cut = 0, fault = 0 } = second.counts;
    const cells = [ok, limited, unavailable, denied + cut + fault].map((count) => String(count).padStart(5));
    const slowest = String(Math.round(second.slowestMs)).padStart(10);
    const step = due.find((each) => each.at === at)?.step;
    console.log(
      `${String(at).padStart(6)}  ${cells.join(" ")}  ${slowest}  ${health()}${step === undefined ? "" : `   <- ${step.words}`}`,
    );
    rows.push(Object.assign(second, { at, isAway }));
    if (step === undefined) continue;
    await step.act(cluster);
    ({ isAway } = step);
  }
  return rows;
}

/** Seconds with a 503 long after the stores came back. */
function findLate(rows: readonly Row[]): string[] {
  let backFor = Infinity;
  return rows.flatMap(({ at, isAway, counts }) => {
    backFor = isAway ? 0 : backFor + 1;
    const { unavailable = 0 } = counts;
    return unavailable > 0 && backFor > RECOVERY_SECONDS
      ? [`second ${at}: ${unavailable} times 503, ${backFor} seconds after the store came back`]
      : [];
  });
}

/** @returns whether every check holds */
export async function runStores({ seed }: { seed: number }): Promise<boolean> {
  const expected = await crawlAfresh();
  await using world = await openWorld(seed);
  const { cluster, tally } = world;
  console.log("3 servers, 2 workers, PostgreSQL and Valkey run; the sample was crawled 3 times.\n");
  const ending = new AbortController();
  const load = await world.startLoad(ending.signal);
  const rows = await printSeconds(world, ending.signal);
  ending.abort();
  await load.done;
  const drainBegan = performance.now();
  const stuck = await world.drain();
  const drainedMs = performance.now() - drainBegan;

  const report = createReport();
  const { counts, faults } = tally;
  report.check(
    "nothing but 503 with Retry-After",
    `${counts.ok} as asked, ${counts.unavailable} with 503, ${counts.fault + counts.denied + counts.cut} others`,
    [...faults].map(([fault, count]) => `${count} times ${fault}`),
  );
  report.check("no 503 long after a store is back", `more than ${RECOVERY_SECONDS} s`, findLate(rows));
  const ended = [...cluster.servers, ...cluster.workers].filter((member) => member.hasEnded());
  report.check(
    "no process ended",
    "",
    ended.map(({ name }) => name),
  );
  const health = await Promise.all(
    cluster.servers.map(async ({ url }) => tellHealth(await (await fetch(`${url}/health`)).json())),
  );
  report.check(
    "all servers are healthy at the end",
    health.join(),
    health.filter((said) => said !== "ok"),
  );
  report.check("what was begun ends", `after ${Math.round(drainedMs)} ms`, stuck);
  await checkCatalog(world, load, { expected, report, mayFail: ["%worker_died%", AWAY] });
  checkLimit(await exceedLimit(world.admin, cluster.servers, 1), report);
  const holds = report.print();
  printLogs(cluster.readLogs());
  return holds;
}
