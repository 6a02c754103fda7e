/**
 * The memory of a first start: after the crawl of the sample, after one request of each kind, after minutes in which each of
 * them comes every few seconds and a crawl every five minutes, and a while later. Usage: node bench/memory.ts [seconds of
 * rest, default 75] [minutes of load, default 0] [options of Node for the service]. The environment goes to the service, so
 * settings of malloc can be tried. Linux only.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = path.join(import.meta.dirname, "..");
const [rest = "75", minutes = "0", ...nodeOptions] = process.argv.slice(2);

await using folder = await mkdtempDisposable(path.join(tmpdir(), "tributary-memory-"));
const command = [...nodeOptions, path.join(ROOT, "bin/tributary.js"), "serve", "--without-ui"];
const service = spawn(process.execPath, command, {
  env: { ...process.env, DATA_DIR: folder.path, PORT: "0", LOG_LEVEL: "silent" },
  stdio: ["ignore", "pipe", "inherit"],
});

// It ends with the measurement, whatever happens.
process.once("exit", () => service.kill());

async function tell(when: string): Promise<void> {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8");
  const read = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1_024);
  const threads = await readdir(`/proc/${service.pid}/task`);
  const cells = [read("VmRSS"), read("RssAnon"), threads.length].map((cell) => String(cell).padStart(9));
  console.log(when.padEnd(32), ...cells);
}

/** The key and the origin, which the first start prints when it has crawled the sample. */
async function untilReady(): Promise<{ origin: string; token: string }> {
  let text = "";
  for await (const chunk of service.stdout) {
    text += String(chunk);
    const token = /API key +(\S+)/.exec(text)?.[1];
    const origin = /GraphiQL +(\S+)\/graphql/.exec(text)?.[1];
    if (token !== undefined && origin !== undefined) return { origin, token };
  }
  throw new Error(`the service did not start: ${text}`);
}

console.log("".padEnd(32), "  RSS, MB  anonymous  threads");
const { origin, token } = await untilReady();
service.stdout.resume();
await tell("the sample is crawled");

async function ask(address: string, body?: unknown): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(origin + address, request);
  const text = await answer.text();
  if (!answer.ok || text.startsWith('{"errors"')) throw new Error(`${address}: ${answer.status} ${text}`);
  return text;
}

const api = "/api/v1";
const found = JSON.parse(await ask(`${api}/catalog/assets?search=fct_orders&limit=1`)) as { data: { id: string }[] };
const id = found.data[0]?.id ?? "";
const connectors = JSON.parse(await ask(`${api}/connectors`)) as { data: { connector_id: string }[] };
const connector = connectors.data[0]?.connector_id ?? "";
const query = "{ assets(first: 5) { nodes { name downstream(first: 5) { nodes { name } } } } }";
const manifest = await readFile(path.join(ROOT, "samples/shop/manifest.json"), "utf8");
const requests: Record<string, () => Promise<unknown>> = {
  "an asset, a page": async () => [await ask(`${api}/catalog/assets/${id}`), await ask(`${api}/catalog/assets`)],
  "lineage, depth 3": () => ask(`${api}/lineage/downstream?asset_id=${id}&depth=3`),
  "lineage, depth 10": () => ask(`${api}/lineage/downstream?asset_id=${id}&depth=10`),
  "an impact": () => ask(`${api}/lineage/impact`, { asset_id: id, change_type: "deprecate" }),
  GraphQL: () => ask("/graphql", { query }),
  "a question": () => ask(`${api}/agents/query`, { query: "who owns fct_orders?" }),
  changes: () => ask(`${api}/changes`),
  "impact of a manifest": () => ask(`${api}/lineage/impact/manifest`, JSON.parse(manifest)),
};
for (const [name, request] of Object.entries(requests)) {
  await request();
  await tell(name);
}
for (let minute = 0; minute < Number(minutes); minute++) {
  if (minute % 5 === 0) await ask(`${api}/connectors/${connector}/sync`, {});
  for (let second = 0; second < 60; second++) {
    const asked = Object.values(requests)[second % Object.keys(requests).length];
    await Promise.all([asked?.(), sleep(1_000)]);
  }
  if ((minute + 1) % 10 === 0) await tell(`${minute + 1} minutes of load`);
}
await sleep(Number(rest) * 1_000);
await tell(`${rest} s later`);
service.kill();
await once(service, "exit");
