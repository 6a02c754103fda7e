import { describe, expect, it } from "vitest";

import { toConnectorId } from "../../../src/ids.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

const PASSWORD = "correct horse battery staple";

describe("Connectors", () => {
  it("A connector is found by id and by name, only in its own workspace", async () => {
    const { store, workspace, addConnector } = await openTestMetadata();
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    const shop = await addConnector("shop", { manifest: "a.json" });
    expect(await store.connectors.findById(workspace.id, shop.id)).toEqual(shop);
    expect(await store.connectors.findByName(workspace.id, "shop")).toEqual(shop);
    expect(await store.connectors.findById(other.id, shop.id)).toBeNull();
    expect(await store.connectors.findByName(other.id, "shop")).toBeNull();
    expect(await store.connectors.loadByIds(other.id, [shop.id])).toEqual([null]);
  });

  it("A connector's name is valid, and unique in its workspace", async () => {
    const { addConnector } = await openTestMetadata();
    await addConnector("shop");
    await expect(addConnector("shop")).rejects.toMatchObject({ code: "conflict" });
    await expect(addConnector("my shop")).rejects.toMatchObject({ code: "bad_request" });
  });

  it("Connectors are paged by name without gap or repeat", async () => {
    const { store, workspace, addConnector } = await openTestMetadata();
    for (const name of ["b", "d", "a", "c", "B"]) await addConnector(name);
    const first = await store.connectors.list(workspace.id, { after: null, limit: 2 });
    const second = await store.connectors.list(workspace.id, { after: "a", limit: 2 });
    const third = await store.connectors.list(workspace.id, { after: "c", limit: 2 });
    expect([first, second, third].map((page) => page.items.map(({ name }) => name))).toEqual([
      ["B", "a"],
      ["b", "c"],
      ["d"],
    ]);
    expect([first, second, third].map((page) => page.hasMore)).toEqual([true, true, false]);
  });

  it("Connectors are loaded in the requested order, with null for unknown ids", async () => {
    const { store, workspace, addConnector } = await openTestMetadata();
    const [a, b] = [await addConnector("a"), await addConnector("b")];
    expect(await store.connectors.loadByIds(workspace.id, [b.id, toConnectorId("con_none"), a.id, b.id])).toEqual([
      b,
      null,
      a,
      b,
    ]);
    expect(await store.connectors.loadByIds(workspace.id, [])).toEqual([]);
  });
});

describe("Secret options", () => {
  it("Secret options are read back, and are nowhere in the store as plain text", async () => {
    const { runSql, workspace, addConnector, openAgain } = await openTestMetadata();
    const shop = await addConnector("shop", { user: "tributary-user", password: PASSWORD });
    const again = await openAgain();
    expect((await again.connectors.findById(workspace.id, shop.id))?.options).toEqual({
      user: "tributary-user",
      password: PASSWORD,
    });
    const written = JSON.stringify(await runSql("SELECT * FROM connectors"));
    expect(written.includes("tributary-user")).toBe(true);
    expect(written.includes(PASSWORD)).toBe(false);
    expect(written.includes(Buffer.from(PASSWORD).toString("base64url"))).toBe(false);
    expect(written.includes(Buffer.from(PASSWORD).toString("hex"))).toBe(false);
  });

  it("Secret options are encrypted differently each time, so that equal secrets do not look equal", async () => {
    const { runSql, addConnector } = await openTestMetadata();
    await addConnector("a", { password: PASSWORD });
    await addConnector("b", { password: PASSWORD });
    const sealed = await runSql("SELECT secrets FROM connectors");
    expect(new Set(sealed.map((row) => row["secrets"])).size).toBe(2);
  });

  it("Secret options cannot be decrypted with another key, and the error says so", async () => {
    const { runSql, store, workspace, addConnector, openAgain } = await openTestMetadata();
    const shop = await addConnector("shop", { password: PASSWORD });
    await expect(openAgain(Buffer.alloc(32, "another"))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/made with another secret key: all processes .* need the same SECRET_KEY/),
    });
    await runSql("UPDATE connectors SET secrets = replace(secrets, ':\"', ':\"AAAA')");
    await expect(store.connectors.findById(workspace.id, shop.id)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("encrypted with another SECRET_KEY"),
    });
  });

  it("Secret options cannot be moved to another connector", async () => {
    const { runSql, store, workspace, addConnector } = await openTestMetadata();
    await addConnector("a", { password: PASSWORD });
    const b = await addConnector("b", { password: "another" });
    await runSql("UPDATE connectors SET secrets = (SELECT secrets FROM connectors WHERE name = 'a') WHERE name = 'b'");
    await expect(store.connectors.findById(workspace.id, b.id)).rejects.toMatchObject({ code: "unavailable" });
  });
});
