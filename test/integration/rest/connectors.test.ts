import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { toSyncId } from "../../../src/ids.ts";
import type { SyncError } from "../../../src/metadata/records.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { at, createRestClient, keysOf, type RestClient, words } from "../../support/rest-client.ts";
import { type SmallCatalog, writeSmallCatalog } from "../../support/small-catalog.ts";

let running: RunningApp;
let ask: RestClient;
let catalog: SmallCatalog;

beforeAll(async () => {
  running = await startApp();
  ask = createRestClient(running);
  catalog = await writeSmallCatalog(running);
});
afterAll(() => running.close());

const LAST_SYNC = words(
  "sync_id status mode started_at completed_at assets_discovered assets_updated errors errors_total",
);
const STATUS = words("connector_id connector_type health last_sync schedule");

const status = () => ask(`/api/v1/connectors/${catalog.connector}/status`);
const sync = (body?: string) =>
  ask(`/api/v1/connectors/${catalog.connector}/sync`, { method: "POST", ...(body !== undefined && { body }) });

test("A connector that never ran has null as its last sync", async () => {
  const { body } = await status();

  expect(keysOf(body)).toEqual(STATUS);
  expect(body).toEqual({
    connector_id: catalog.connector,
    connector_type: "dbt",
    health: "unknown",
    last_sync: null,
    schedule: null,
  });
});

test("Connectors are listed by name, each with its status", async () => {
  const { body } = await ask("/api/v1/connectors");

  expect(keysOf(body)).toEqual(["data", "pagination"]);
  expect(keysOf(at(body, "data", 0))).toEqual(["name", ...STATUS]);
  expect(body).toMatchObject({ data: [{ name: "warehouse-dbt" }], pagination: { limit: 50, has_more: false } });
});

const fault = (object: string, severity: "error" | "warning"): SyncError => ({
  code: "missing_reference",
  message: `${object} is not there.`,
  object,
  stage: "resolve",
  severity,
  retryable: false,
  occurredAt: running.app.clock.now().toISOString(),
});

/** Runs a sync of a new connector that ends with these errors. */
async function endWith(errors: SyncError[]) {
  const { metadata, clock } = running.app;
  const workspaceId = catalog.workspace.id;
  const name = `connector-${randomUUID().slice(0, 8)}`;
  const connector = { workspaceId, type: "dbt", name, options: {}, secretOptions: [] };
  const { id: connectorId } = await metadata.connectors.create(connector);
  const queuedAt = clock.now();
  const request = { workspaceId, connectorId, mode: "full", queuedAt, repeatOf: null } as const;
  const { id } = await metadata.syncs.enqueue({ ...request, estimatedDurationSeconds: 1 });
  await metadata.leases.claim({ workerId: "w", now: queuedAt, until: new Date(queuedAt.getTime() + 60_000) }, id);
  const counts = { assetsDiscovered: 3, assetsUpdated: 0, assetsRemoved: 0, errorsTotal: errors.length, unkept: [] };
  await metadata.leases.finish(id, "w", { status: "completed", errors, ...counts, state: null }, clock.now());
  const rest = await ask(`/api/v1/connectors/${connectorId}/status`);
  const query = `{ connector(id: "${connectorId}") { health } }`;
  const graphql = await ask("/graphql", { method: "POST", body: JSON.stringify({ query }) });
  const question = JSON.stringify({ query: "How did the last sync go?" });
  const agent = await ask("/api/v1/agents/query", { method: "POST", body: question });
  return {
    health: [at(rest.body, "health"), at(graphql.body, "data", "connector", "health")],
    answer: String(at(agent.body, "answer")).split(name)[1],
  };
}

describe("Warnings", () => {
  test("A connector with only warnings is healthy", async () => {
    const { health, answer } = await endWith([fault("a", "warning"), fault("b", "warning")]);
    expect(health).toEqual(["healthy", "healthy"]);
    expect(answer).toContain("with no errors and 2 warnings");
    expect(answer).toContain("is healthy.");
  });

  test("A connector with warnings and an error is degraded", async () => {
    const { health, answer } = await endWith([fault("a", "warning"), fault("b", "error")]);
    expect(health).toEqual(["degraded", "degraded"]);
    expect(answer).toContain("with 1 error and 1 warning");
    expect(answer).toContain("is degraded.");
    expect(answer).toContain("The first: “b is not there”.");
  });
});

describe("A sync", () => {
  test("A sync is accepted and queued, and without a mode the first is full", async () => {
    const { status: code, body } = await sync();

    expect(code).toBe(202);
    const keys = ["sync_id", "connector_id", "status", "mode", "queued_at", "estimated_duration_seconds"];
    expect(keysOf(body)).toEqual(keys);
    expect(body).toMatchObject({ connector_id: catalog.connector, status: "queued", mode: "full" });
  });

  test("A failed sync is in the status, with the specified keys and two more", async () => {
    const triggered = await sync("{}");
    const id = toSyncId(String(at(triggered.body, "sync_id")));
    await running.app.queue.wait(catalog.workspace.id, id);
    const { body } = await status();

    expect(keysOf(at(body, "last_sync"))).toEqual(LAST_SYNC);
    expect(body).toMatchObject({ health: "unhealthy", last_sync: { status: "failed", assets_discovered: 0 } });
    const error = ["code", "message", "object", "stage", "severity", "retryable", "occurred_at"];
    expect(keysOf(at(body, "last_sync", "errors", 0))).toEqual(error);
    // A reader sees the name of the artifact, and not its location on the operator's machine.
    expect(at(body, "last_sync", "errors", 0, "object")).toBe("manifest.json");
    expect(JSON.stringify(body)).not.toContain("/nowhere");
  });

  test.each([
    ["an unknown mode", '{"mode":"fast"}', "mode"],
    ["null as the mode", '{"mode":null}', "mode"],
    ["an unknown key", '{"force":true}', "force"],
    ["a list instead of an object", "[]", "body"],
  ])("A body with %s does not start a sync", async (_what, body, field) => {
    const answer = await sync(body);
    expect([answer.status, at(answer.body, "details", 0, "field")]).toEqual([400, field]);
  });

  test("A sync of an unknown connector is not found, nor is its status", async () => {
    const triggered = await ask("/api/v1/connectors/nonsense/sync", { method: "POST" });
    const looked = await ask("/api/v1/connectors/nonsense/status");
    expect([triggered.status, looked.status]).toEqual([404, 404]);
  });

  test("While a sync waits, the connector's health is that of the run before it", async () => {
    // No worker takes the sync up meanwhile.
    await running.app.queue.stop();
    await running.app.metadata.syncs.enqueue({
      workspaceId: catalog.workspace.id,
      connectorId: catalog.connector,
      mode: "full",
      queuedAt: running.app.clock.now(),
      repeatOf: null,
      estimatedDurationSeconds: 1,
    });
    const { body } = await status();
    expect(body).toMatchObject({
      health: "unhealthy",
      last_sync: { status: "queued", started_at: null, completed_at: null, errors: [], errors_total: 0 },
    });
  });
});
