import { describe, expect, it } from "vitest";

import { addConnector, type ConnectorRequest } from "../../../src/crawl/add-connector.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { createScriptedConnector } from "../../support/scripted-connector.ts";

async function setUp() {
  const { store, workspace } = await openTestMetadata();
  const parts = { store, findConnectorType: createScriptedConnector().find };
  const request = { workspaceId: workspace.id, type: "scripted", name: "shop", options: { manifest: "a.json" } };
  return {
    store,
    workspace,
    add: (change: Partial<ConnectorRequest> = {}) => addConnector(parts, { ...request, ...change }),
  };
}

describe("adding a connector", () => {
  it("keeps it by its name", async () => {
    const { add, store, workspace } = await setUp();
    const connector = await add();
    expect(connector).toMatchObject({ name: "shop", type: "scripted", options: { manifest: "a.json" }, state: null });
    expect(await store.connectors.findByName(workspace.id, "shop")).toEqual(connector);
    await expect(add()).rejects.toMatchObject({ code: "conflict" });
  });

  it("needs a type that there is", async () => {
    const { add } = await setUp();
    await expect(add({ type: "fax" })).rejects.toMatchObject({ code: "bad_request", details: [{ field: "type" }] });
  });

  it("lists every fault of the options at once", async () => {
    const { add, store, workspace } = await setUp();
    await expect(add({ options: { manifest: "x", retries: "many", colour: "red" } })).rejects.toMatchObject({
      code: "bad_request",
      details: [{ field: "options.manifest" }, { field: "options.retries" }, { field: "options", message: /colour/ }],
    });
    expect(await store.connectors.findByName(workspace.id, "shop")).toBeNull();
  });
});
