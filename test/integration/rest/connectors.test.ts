import { afterAll, beforeAll, describe, expect, test } from "vitest";

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

test("A connector that never ran says so by null", async () => {
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

test("Connectors are listed by name, each as its status shows it", async () => {
  const { body } = await ask("/api/v1/connectors");

  expect(keysOf(body)).toEqual(["data", "pagination"]);
  expect(keysOf(at(body, "data", 0))).toEqual(["name", ...STATUS]);
  expect(body).toMatchObject({ data: [{ name: "warehouse-dbt" }], pagination: { limit: 50, has_more: false } });
});

describe("A sync", () => {
  test("is accepted and queued; without a mode the first is full", async () => {
    const { status: code, body } = await sync();

    expect(code).toBe(202);
    const keys = ["sync_id", "connector_id", "status", "mode", "queued_at", "estimated_duration_seconds"];
    expect(keysOf(body)).toEqual(keys);
    expect(body).toMatchObject({ connector_id: catalog.connector, status: "queued", mode: "full" });
  });

  test("that failed shows in the status, with the specified keys and two more", async () => {
    const triggered = await sync("{}");
    const id = String(at(triggered.body, "sync_id"));
    await running.app.queue.wait(catalog.workspace.id, id);
    const { body } = await status();

    expect(keysOf(at(body, "last_sync"))).toEqual(LAST_SYNC);
    expect(body).toMatchObject({ health: "unhealthy", last_sync: { status: "failed", assets_discovered: 0 } });
    const error = ["code", "message", "object", "stage", "severity", "retryable", "occurred_at"];
    expect(keysOf(at(body, "last_sync", "errors", 0))).toEqual(error);
    // Whoever may read sees which artifact it was, and not where the operator keeps it.
    expect(at(body, "last_sync", "errors", 0, "object")).toBe("manifest.json");
    expect(JSON.stringify(body)).not.toContain("/nowhere");
  });

  test("that waits leaves the connector's health to the run before it", async () => {
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

  test.each([
    ["a mode that is none", '{"mode":"fast"}', "mode"],
    ["no mode at all", '{"mode":null}', "mode"],
    ["an unknown key", '{"force":true}', "force"],
    ["something that is no object", "[]", "body"],
  ])("is not begun by a body with %s", async (_what, body, field) => {
    const answer = await sync(body);
    expect([answer.status, at(answer.body, "details", 0, "field")]).toEqual([400, field]);
  });

  test("of an unknown connector is not found, nor is its status", async () => {
    const triggered = await ask("/api/v1/connectors/nonsense/sync", { method: "POST" });
    const looked = await ask("/api/v1/connectors/nonsense/status");
    expect([triggered.status, looked.status]).toEqual([404, 404]);
  });
});
