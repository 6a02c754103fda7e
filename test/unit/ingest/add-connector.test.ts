import { describe, expect, it } from "vitest";

import { fromCommandLine } from "../../../src/auth/origin.ts";
import { addConnector, type ConnectorRequest } from "../../../src/ingest/add-connector.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { createScriptedConnector } from "../../support/scripted-connector.ts";

async function setUp() {
  const { store, workspace, admin, clock } = await openTestMetadata();
  const scripted = createScriptedConnector();
  const parts = { store, findConnectorType: scripted.find, clock };
  const request = { type: "scripted", name: "shop", options: { manifest: "a.json" }, test: true };
  const origin = fromCommandLine(workspace, admin);
  const { signal } = new AbortController();
  return {
    store,
    workspace,
    scripted,
    add: (change: Partial<ConnectorRequest> = {}) => addConnector(parts, origin, { ...request, ...change }, signal),
  };
}

describe("Adding a connector", () => {
  it("A new connector is stored under its name, and the audit trail says who added it", async () => {
    const { add, store, workspace } = await setUp();
    const connector = await add({ options: { manifest: "a.json", password: "very secret" } });
    expect(connector).toMatchObject({ name: "shop", type: "scripted", options: { manifest: "a.json" }, state: null });
    expect(await store.connectors.findByName(workspace.id, "shop")).toEqual(connector);
    await expect(add()).rejects.toMatchObject({ code: "conflict" });
    const { items } = await store.audit.list(workspace.id, { after: null, limit: 10 });
    expect(items).toMatchObject([
      { action: "connector_added", subject: connector.id, actor: "admin@example.com", details: { name: "shop" } },
    ]);
    expect(JSON.stringify(items)).not.toContain("very secret");
  });

  it("A new connector needs a type that exists", async () => {
    const { add } = await setUp();
    await expect(add({ type: "fax" })).rejects.toMatchObject({ code: "bad_request", details: [{ field: "type" }] });
  });

  it("All faults of a new connector's options are listed at once", async () => {
    const { add, store, workspace } = await setUp();
    await expect(add({ options: { manifest: "x", retries: "many", colour: "red" } })).rejects.toMatchObject({
      code: "bad_request",
      details: [{ field: "options.manifest" }, { field: "options.retries" }, { field: "options", message: /colour/ }],
    });
    expect(await store.connectors.findByName(workspace.id, "shop")).toBeNull();
  });

  it("A new connector is refused with the faults of the name, the options, the schedule and the share in one answer", async () => {
    const { add } = await setUp();
    const schedule = { cron: "61 * * * *", timeZone: "Nowhere/Town" };
    await expect(
      add({ name: "no spaces", options: { manifest: "x" }, schedule, removalShare: 101 }),
    ).rejects.toMatchObject({
      code: "bad_request",
      details: [
        { field: "name" },
        { field: "options.manifest" },
        { field: "schedule.timeZone" },
        { field: "schedule.cron" },
        { field: "removalShare" },
      ],
    });
  });

  it("A name that is taken is a fault of its field, beside the faults of the source", async () => {
    const { add, scripted } = await setUp();
    await add();
    await expect(add()).rejects.toMatchObject({ code: "conflict", details: [{ field: "name" }] });
    scripted.findings = () => [{ option: "manifest", message: "is not there", severity: "error" }];
    await expect(add()).rejects.toMatchObject({
      code: "bad_request",
      details: [{ field: "name" }, { field: "options.manifest" }],
    });
  });

  it("A new connector whose source cannot be read is refused with the faulty option, unless the test of the source is off", async () => {
    const { add, scripted, store, workspace } = await setUp();
    scripted.findings = () => [
      { option: "manifest", message: "is not there", severity: "error" },
      { option: "retries", message: "is low", severity: "warning" },
    ];
    await expect(add()).rejects.toMatchObject({
      code: "bad_request",
      message: "options.manifest: is not there",
      details: [{ field: "options.manifest", message: "is not there" }],
    });
    expect(await store.connectors.findByName(workspace.id, "shop")).toBeNull();
    expect(await add({ test: false })).toMatchObject({ name: "shop" });
  });
});
