/** A graph store on a server that is away when the service starts. */
import { join } from "node:path";

import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";

import { startApp } from "../support/app.ts";
import { startBoltServer } from "../support/bolt-server.ts";
import { runCommandHere, startCommand } from "../support/command-line.ts";
import { findFreePort } from "../support/free-port.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { waitUntil } from "../support/shell-server.ts";

it("While the graph store is away, requests are answered 503, and later it is used", async () => {
  const port = await findFreePort();
  const address = `bolt://127.0.0.1:${port}`;
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const GRAPH_URL = `bolt://ada:s3cret@127.0.0.1:${port}`;
  const { url, token, close } = await startApp({ env: { GRAPH_URL }, overrides: { log } });
  onTestFinished(close);
  const headers = { Authorization: `Bearer ${token}` };
  const listAssets = () => fetch(`${url}/api/v1/catalog/assets`, { headers });

  const refused = await listAssets();
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ error: "unavailable" });
  for (const path of ["/health", "/api/v1/health"]) {
    const health = await fetch(`${url}${path}`);
    expect([health.status, health.headers.get("Retry-After"), await health.json()]).toMatchObject([
      503,
      "5",
      { status: "error", dependencies: { graph_db: "down", metadata_store: "ok" } },
    ]);
  }
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  const ready = () => fetch(`${url}/health/ready`);
  const unready = await ready();
  expect([unready.status, unready.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await unready.json()).toMatchObject({ error: "unavailable" });
  await waitUntil(() => lines.some(({ location }) => location === address));
  expect(JSON.stringify(lines)).not.toContain("s3cret");
  expect(await refusalOf(`${url}/graphql`, headers)).toMatch(/graph store/);

  await startBoltServer(port);
  await waitUntil(async () => (await fetch(`${url}/health`)).status === 200);
  expect(await (await listAssets()).json()).toMatchObject({ data: [] });
  expect((await ready()).status).toBe(200);
  expect(lines).toContainEqual(expect.objectContaining({ location: address, msg: "The graph store answers." }));
});

async function refusalOf(url: string, headers: Record<string, string>): Promise<string> {
  const body = JSON.stringify({ query: "{ assets { nodes { id } } }" });
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body,
  });
  return (await answer.json()).errors[0].message;
}

it("A first start logs that the graph store is away, and continues when it is there", async () => {
  const port = await findFreePort();
  const settings = {
    DATA_DIR: join(await makeTemporaryFolder(), "data"),
    PORT: "0",
    SAMPLE: "off",
    GRAPH_URL: `bolt://127.0.0.1:${port}`,
  };
  const server = startCommand(["serve"], settings);
  onTestFinished(() => void server.process.kill("SIGKILL"));
  await waitUntil(() => server.process.exitCode !== null || server.output.stderr.includes(settings.GRAPH_URL));
  expect(server.process.exitCode).toBeNull();
  expect(server.output.stdout).not.toContain("API key");
  await startBoltServer(port);
  expect(await server.printed(/graphql'\n/)).toContain("API key");
  expect((await server.interrupt()).code).toBe(0);
});

it("A command ends at once if the graph store is away, with its address", async () => {
  const settings = { DATA_DIR: await makeTemporaryFolder(), GRAPH_URL: "bolt://127.0.0.1:1" };
  expect(await runCommandHere(["metric", "list"], settings)).toEqual({
    code: 1,
    stdout: "",
    stderr: "The graph store cannot be reached. (bolt://127.0.0.1:1)\n",
  });
});
