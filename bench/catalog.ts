/**
 * How fast the catalog answers over HTTP: `node bench/catalog.ts [assets] [edges]`, 100,000 and 300,000 unless told.
 * Each answer is timed in turns with a bare node:http server that stringifies the same answer, so that the ratio holds
 * on a busy machine too. 1.00 would be the bare server itself.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

const ROUNDS = 300;
const [assets = "100000", edges = "300000"] = process.argv.slice(2);

interface AppMessage {
  origin: string;
  token: string;
  loadSeconds: number;
  middle: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function fetchText(url: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
      });
    });
    request.on("error", reject);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

async function firstMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, "message");
  return message as T;
}

const folder = await mkdtemp(path.join(tmpdir(), "tributary-bench-"));
const support = (file: string): string => path.join(import.meta.dirname, "support", file);
const service = fork(support("app-server.ts"), [folder, assets, edges]);
const bare = fork(support("bare-server.ts"));
try {
  const [app, { origin }] = await Promise.all([
    firstMessage<AppMessage>(service),
    firstMessage<{ origin: string }>(bare),
  ]);
  console.log(`loaded ${assets} assets and ${edges} edges in ${app.loadSeconds.toFixed(1)} s`);

  const questions: Record<string, string> = {
    "get an asset": `/api/v1/catalog/assets/${app.middle}`,
    "a page of 50": "/api/v1/catalog/assets?limit=50",
    "search, a rare word": "/api/v1/catalog/assets?search=orders+4096",
    "search, a common word": "/api/v1/catalog/assets?search=orders",
    "walk to depth 3": `/api/v1/lineage/downstream?asset_id=${app.middle}&depth=3`,
  };
  console.log("answer                   bytes   service ms   bare ms   ratio");
  for (const [name, address] of Object.entries(questions)) {
    const answer = await fetchText(app.origin + address, app.token);
    bare.send({ path: address, body: JSON.parse(answer) as unknown });
    await once(bare, "message");
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await timed(() => fetchText(app.origin + address, app.token)));
      theirs.push(await timed(() => fetchText(origin + address, app.token)));
    }
    const [o, t] = [median(ours), median(theirs)];
    const cells = [String(answer.length).padStart(8), o.toFixed(2).padStart(12), t.toFixed(2).padStart(9)];
    console.log(`${name.padEnd(22)}${cells.join(" ")}${(t / o).toFixed(2).padStart(8)}`);
  }
} finally {
  service.kill();
  bare.kill();
  agent.destroy();
  await rm(folder, { recursive: true });
}
