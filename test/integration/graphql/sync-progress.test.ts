import { afterEach, describe, expect, it } from "vitest";

import { revokeApiKey } from "../../../src/auth/api-keys.ts";
import type { Countdown } from "../../../src/clock.ts";
import { type RunningApp, type StartOptions, startApp } from "../../support/app.ts";
import { isFull } from "../../support/depth.ts";
import { type EventStream, subscribe } from "../../support/event-stream.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { adminOf, authPartsOf } from "../../support/oauth.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";
import { writeSmallCatalog } from "../../support/small-catalog.ts";

const QUERY = "subscription ($id: ID!) { syncProgress(id: $id) { id status errors { code } } }";

let running: RunningApp;
let open: EventStream[] = [];
afterEach(async () => {
  for (const stream of open) stream.leave();
  open = [];
  await running.close();
});

/** A service with a waiting sync that no worker runs. */
async function startWithSync(options: StartOptions = {}): Promise<string> {
  running = await startApp(options);
  const { workspace, connector } = await writeSmallCatalog(running);
  await running.app.queue.stop();
  const sync = await running.app.metadata.syncs.enqueue({
    workspaceId: workspace.id,
    connectorId: connector,
    mode: "full",
    queuedAt: new Date("2026-03-01T08:00:00.000Z"),
    repeatOf: null,
    estimatedDurationSeconds: 1,
  });
  return sync.id;
}

async function follow(id: string, token = running.token, query = QUERY): Promise<EventStream> {
  const stream = await subscribe({ url: running.url, token }, query, { variables: { id } });
  open.push(stream);
  return stream;
}

async function refused(query: string, more: Parameters<typeof subscribe>[2]) {
  const { status, type, body } = await subscribe(running, query, more);
  return [status, type, at(body, "errors", 0, "extensions", "code") ?? at(body, "error")];
}

async function revoke(token: string): Promise<void> {
  const by = await adminOf(running.app);
  const keys = await running.app.metadata.keys.list(by.workspace.id);
  const key = present(keys.find(({ prefix }) => token.startsWith(prefix)));
  await revokeApiKey(authPartsOf(running.app), by, key.id);
}

/** The countdowns of a clock. A test ends them. */
function createTimers() {
  const timers: { ms: number; end: () => void }[] = [];
  const countdown: Countdown = (ms, end) => {
    timers.push({ ms, end });
    return () => {};
  };
  return { timers, countdown };
}

const cancel = (id: string) =>
  createGraphqlClient(running)(`mutation { cancelSync(input: { id: "${id}" }) { sync { status } } }`);

describe("the progress of a sync", () => {
  it("The progress of a sync comes at once, again when it changes, and ends with the sync", async () => {
    const id = await startWithSync();
    const stream = await follow(id);
    expect([stream.status, stream.type]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(await stream.next()).toEqual({
      event: "next",
      data: { data: { syncProgress: { id, status: "queued", errors: [] } } },
    });
    expect((await cancel(id)).codes).toEqual([]);
    expect(await stream.rest()).toEqual([
      { event: "next", data: { data: { syncProgress: { id, status: "cancelled", errors: [] } } } },
      { event: "complete", data: null },
    ]);
  });

  it("The progress of a running sync comes until its end", async () => {
    running = await startApp();
    const { connector } = await writeSmallCatalog(running);
    const { data } = await createGraphqlClient(running)(
      `mutation { triggerSync(input: { connectorId: "${connector}" }) { sync { id } } }`,
    );
    const stream = await follow(String(at(data, "triggerSync", "sync", "id")));
    const events = await stream.rest();
    expect(at(events.at(-2)?.data, "data", "syncProgress")).toMatchObject({ status: "failed" });
    expect(events.at(-1)).toEqual({ event: "complete", data: null });
  });

  it("The progress of an unknown sync, or of another workspace's, is null, once", async () => {
    const id = await startWithSync();
    const elsewhere = await running.app.metadata.workspaces.create({ name: "elsewhere", kind: "live" });
    await running.app.metadata.users.create({ workspaceId: elsewhere.id, email: "eve@example.com", role: "admin" });
    const foreign = await running.createToken(["read"], elsewhere);
    for (const [sync, token] of [
      ["syn_none", running.token],
      [id, foreign],
    ] as const) {
      expect(await (await follow(sync, token)).rest()).toEqual([
        { event: "next", data: { data: { syncProgress: null } } },
        { event: "complete", data: null },
      ]);
    }
  });

  it("The progress of a sync is refused to a token that may not read, and to an invalid one", async () => {
    const id = await startWithSync();
    const writer = await follow(id, await running.createToken(["write"]));
    expect(at(writer.body, "errors", 0, "extensions", "code")).toBe("FORBIDDEN");
    expect((await follow(id, "svc_live_none")).status).toBe(401);
  });

  it("The progress of a sync ends when its token is revoked", async () => {
    const id = await startWithSync();
    const token = await running.createToken(["read"]);
    const stream = await follow(id, token);
    await stream.next();
    await revoke(token);
    await cancel(id);
    const events = await stream.rest();
    expect(events).toMatchObject([
      { event: "next", data: { errors: [{ extensions: { code: "UNAUTHORIZED" } }] } },
      { event: "complete" },
    ]);
    expect(JSON.stringify(events)).not.toContain("cancelled");
  });

  it("The progress of a sync ends when its token is revoked, even if nothing changes", async () => {
    const { timers, countdown } = createTimers();
    const id = await startWithSync({ overrides: { countdown } });
    const token = await running.createToken(["read"]);
    const stream = await follow(id, token);
    await stream.next();
    await revoke(token);
    present(timers.find(({ ms }) => ms === 15_000)).end();
    expect(await stream.rest()).toMatchObject([
      { event: "next", data: { errors: [{ extensions: { code: "UNAUTHORIZED" } }] } },
      { event: "complete" },
    ]);
  });
});

describe("a subscription", () => {
  it("A subscription is refused in JSON for wrong variables, and for an Accept header without events", async () => {
    const id = await startWithSync();
    const asJson = "application/json; charset=utf-8";
    expect(await refused(QUERY, { variables: { id: {} } })).toEqual([400, asJson, "BAD_REQUEST"]);
    expect(await refused(QUERY, {})).toEqual([400, asJson, "BAD_REQUEST"]);
    const plain = await refused(QUERY, { variables: { id }, accept: "application/json" });
    expect(plain).toEqual([400, asJson, "BAD_REQUEST"]);
  });

  it("A subscription takes no slot of other requests: one key may have eight open, and no more", async () => {
    const id = await startWithSync();
    const streams = await Promise.all(Array.from({ length: 8 }, () => follow(id)));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const ninth = await follow(id);
    expect([ninth.status, at(ninth.body, "error")]).toEqual([429, "rate_limited"]);
    expect((await follow(id, await running.createToken(["read"]))).status).toBe(200);
    expect((await createGraphqlClient(running)("{ __typename }")).data).toEqual({ __typename: "Query" });
    await cancel(id);
    for (const stream of streams) expect((await stream.rest()).at(-1)?.event).toBe("complete");
    expect((await follow(id)).status).toBe(200);
  });

  it.runIf(isFull)("A subscription frees its slot when its client disconnects", async () => {
    const id = await startWithSync();
    const streams = await Promise.all(Array.from({ length: 8 }, () => follow(id)));
    for (const stream of streams) {
      await stream.next();
      stream.leave();
    }
    let status = 429;
    while (status === 429) ({ status } = await follow(id));
    expect(status).toBe(200);
  });

  it("A subscription ends when its time is over", async () => {
    const { timers, countdown } = createTimers();
    const id = await startWithSync({ overrides: { countdown } });
    const stream = await follow(id);
    await stream.next();
    present(timers.find(({ ms }) => ms === 240_000)).end();
    expect(await stream.rest()).toEqual([{ event: "complete", data: null }]);
  });

  it("A subscription may last longer than the time limit of a request", async () => {
    const { timers, countdown } = createTimers();
    const id = await startWithSync({ overrides: { countdown }, env: { REQUEST_SECONDS: "7" } });
    const stream = await follow(id);
    await stream.next();
    for (const { ms, end } of timers) if (ms === 7_000) end();
    await cancel(id);
    expect(await stream.rest()).toMatchObject([
      { data: { data: { syncProgress: { status: "cancelled" } } } },
      { event: "complete" },
    ]);
  });

  it("A subscription ends when the service stops, and the service does not wait for it", async () => {
    const id = await startWithSync();
    const stream = await follow(id);
    await stream.next();
    await running.app.close();
    expect(await stream.rest()).toEqual([{ event: "complete", data: null }]);
  });

  it("A subscription reports an event that is too large, and ends", async () => {
    const id = await startWithSync();
    const { syncs } = running.app.metadata;
    const { findById } = syncs;
    syncs.findById = async (...asked) => {
      const sync = present(await findById(...asked));
      return { ...sync, progressLabel: "x".repeat(1_048_576) };
    };
    const stream = await follow(
      id,
      running.token,
      "subscription ($id: ID!) { syncProgress(id: $id) { progressLabel } }",
    );
    expect(await stream.rest()).toMatchObject([
      { event: "next", data: { errors: [{ extensions: { code: "BAD_REQUEST" } }] } },
      { event: "complete" },
    ]);
  });
});
