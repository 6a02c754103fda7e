/**
 * Syncs the sample and kills the worker with `kill -9`, or freezes it until another worker has taken over, at random
 * moments. Between the syncs, the project loses and regains a third of its models. A thawed worker must change nothing.
 * At the end, one undisturbed sync must leave the same catalog as the first sync of an empty one. Usage: node
 * bench/crashes.ts [--kills 50] [--freezes 10] [--seed 1] Ends with 1 if catalogs differ, or if a sync has not ended.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    freezes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
  },
});
const WORKER = join(import.meta.dirname, "support/crash-worker.ts");
const SHOP = join(import.meta.dirname, "../samples/shop/manifest.json");

let state = Number(values.seed);
/** Park and Miller's generator: the same numbers for the same seed. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

const whole = await readFile(SHOP, "utf8");
await using temporary = await mkdtempDisposable(join(tmpdir(), "tributary-crashes-"));
let hours = 0;
const counts = { killed: 0, frozen: 0, "ended before": 0, "frozen in a write": 0, "changed by the thawed": 0 };

/** The project without every third model, from a random one on. */
function part(): string {
  const manifest = JSON.parse(whole);
  const models = Object.keys(manifest.nodes).filter((id) => id.startsWith("model."));
  const first = Math.floor(random() * 3);
  for (const [i, id] of models.entries()) if (i % 3 === first) delete manifest.nodes[id];
  return JSON.stringify(manifest);
}

function start(folder: string, ...more: string[]) {
  const worker = spawn(process.execPath, [WORKER, folder, String(hours++), ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  worker.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(worker, "exit").then(() => text.trim().split("\n").at(-1) ?? "");
  return { worker, ended, started: once(worker.stdout, "data") };
}

const folder = join(temporary.path);
const write = (manifest: string) => writeFile(join(folder, "manifest.json"), manifest);
await write(whole);
const begun = performance.now();
const first = start(folder);
await first.started;
const crawlBegun = performance.now();
const firstStatus = await first.ended;
const crawlMs = performance.now() - crawlBegun;
const expected = await start(folder, "look").ended;
console.log(`the first crawl: ${firstStatus} after ${Math.round(crawlMs)} ms`);

for (let i = 0; counts.killed < Number(values.kills) || counts.frozen < Number(values.freezes); i++) {
  await write(i % 2 === 0 ? part() : whole);
  const { worker, ended, started } = start(folder);
  await Promise.race([started, ended]);
  // Later syncs are faster than the first.
  await Promise.race([setTimeout(random() * crawlMs * 0.6), ended]);
  if (worker.exitCode !== null) {
    counts["ended before"] += 1;
  } else if (counts.killed < Number(values.kills)) {
    worker.kill("SIGKILL");
    counts.killed += 1;
    await ended;
  } else {
    worker.kill("SIGSTOP");
    await write(whole);
    const heir = await start(folder).ended;
    const before = await start(folder, "look").ended;
    if (heir !== "completed" || before === "") {
      // Its open transaction locks the store, so no other worker can take over before it is thawed or killed.
      counts["frozen in a write"] += 1;
      worker.kill("SIGKILL");
      await ended;
      continue;
    }
    worker.kill("SIGCONT");
    counts.frozen += 1;
    // Everything that it still writes is refused. It waits for the end of its sync, which the other worker has written.
    await Promise.race([ended, setTimeout(10_000)]);
    worker.kill("SIGKILL");
    await ended;
    if ((await start(folder, "look").ended) !== before) counts["changed by the thawed"] += 1;
  }
}

await write(whole);
const last = await start(folder).ended;
const found = await start(folder, "look").ended;
const isSame = found === expected;
console.log(counts, `in ${Math.round((performance.now() - begun) / 1_000)} s`);
console.log(`the last crawl: ${last}; its catalog is ${isSame ? "the same as after the first" : "another one"}`);
process.exitCode = isSame && last === "completed" && counts["changed by the thawed"] === 0 ? 0 : 1;
