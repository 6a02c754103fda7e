/**
 * A server that cannot write, and looks at the disk again after five seconds. A limit on the size of its files stands for
 * a full disk, which few machines can make.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, it } from "vitest";

import { runCommand } from "../../support/command-line.ts";
import { CAN_LIMIT_FILES, createKey, limitFileSize, startFromShell, waitUntil } from "../../support/shell-server.ts";

const SHOP = new URL("../../../samples/shop/manifest.json", import.meta.url).pathname;

it.runIf(CAN_LIMIT_FILES)("Reads continue while the disk is full, and afterwards nothing is lost", async () => {
  const server = await startFromShell({ redirect: "2>log" });
  const token = await createKey(server, "--scope", "read", "write", "admin");
  const reader = await createKey(server, "--scope", "read");
  const add = ["connector", "add", "dbt", "--name", "shop", "--option", `manifest=${SHOP}`];
  const connector = (await runCommand(add, server.env)).stdout.trim();
  const ask = async (path: string, { as = token, body }: { as?: string; body?: object } = {}) => {
    const answer = await fetch(`${server.origin}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${as}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const makeKey = (name: string) => {
    const query = `mutation { createApiKey(input: { name: "${name}", scopes: [read] }) { token } }`;
    return ask("/graphql", { body: { query } });
  };
  const trigger = (as = token) => ask(`/api/v1/connectors/${connector}/sync`, { as, body: {} });
  const syncStatus = async () => (await ask(`/api/v1/connectors/${connector}/status`)).body.last_sync?.status;
  const kept = (await makeKey("kept")).body.data.createApiKey.token;

  await limitFileSize(server.pid, 1);
  const health = await ask("/health");
  expect(health).toMatchObject({
    status: 200,
    body: { status: "degraded", dependencies: { graph_db: "degraded", metadata_store: "degraded" } },
  });
  expect((await ask("/api/v1/catalog/assets", { as: kept })).status).toBe(200);
  const message = "The metadata store cannot be read or written: the disk reports an error.";
  expect(await trigger()).toEqual({ status: 503, body: { error: "unavailable", message } });
  expect((await makeKey("lost")).body).toMatchObject({ errors: [{ message, extensions: { code: "UNAVAILABLE" } }] });
  // The request is refused, although the audit trail cannot record it.
  expect(await trigger(reader)).toMatchObject({ status: 403, body: { error: "forbidden" } });

  await limitFileSize(server.pid, null);
  expect((await trigger()).status).toBe(202);
  await waitUntil(async () => (await syncStatus()) === "completed");
  await waitUntil(async () => (await ask("/health")).body.status === "ok");
  expect((await ask("/api/v1/catalog/assets", { as: kept })).body.data.length).toBeGreaterThan(10);
  const { stdout: keys } = await runCommand(["key", "list"], server.env);
  expect(keys).toMatch(/ kept /);
  expect(keys).not.toMatch(/ lost /);

  server.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null });
  for (const name of ["graph.sqlite", "metadata.sqlite"]) {
    const db = new DatabaseSync(join(server.folder, "data", name));
    expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    db.close();
  }
});
