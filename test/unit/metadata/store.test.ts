import { describe, expect, it } from "vitest";

import { systemRandom } from "../../../src/clock.ts";
import { openMetadataStore } from "../../../src/metadata/store.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

describe("Opening a metadata store", () => {
  it("A reopened metadata store has what was written before", async () => {
    const { workspace, admin, openAgain } = await openTestMetadata();
    const again = await openAgain();
    expect(await again.workspaces.list()).toEqual([workspace]);
    expect(await again.users.findFirstAdmin(workspace.id)).toEqual(admin);
    await expect(again.check()).resolves.toBeUndefined();
    await expect(again.checkWrites()).resolves.toBeUndefined();
  });

  it("A metadata store that a newer version wrote is refused", async () => {
    const { runSql, openAgain } = await openTestMetadata();
    await runSql("INSERT INTO migrations VALUES ('9999_later', '2030-01-01T00:00:00.000Z')");
    await expect(openAgain()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("newer version of Tributary (it knows 9999_later)"),
    });
  });

  it("A short secret key is refused", async () => {
    const { url, clock } = await openTestMetadata();
    await expect(openMetadataStore({ url, secretKey: Buffer.alloc(31), clock, random: systemRandom })).rejects.toThrow(
      "at least 32",
    );
  });
});

describe("Writing", () => {
  it("Two processes can write to the metadata store at once", async () => {
    const { store, openAgain } = await openTestMetadata();
    const stores = [store, await openAgain()];
    const names = Array.from({ length: 40 }, (_, i) => `workspace-${i}`);
    await Promise.all(
      stores.flatMap((each, s) => names.map((n) => each.workspaces.create({ name: `${n}-${s}`, kind: "live" }))),
    );
    expect(await store.workspaces.list()).toHaveLength(81);
  });

  it("A failed transaction changes nothing", async () => {
    const { store, workspace, addConnector } = await openTestMetadata();
    const shop = await addConnector("shop");
    const failing = store.transaction(async ({ connectors }) => {
      await connectors.rename(workspace.id, shop.id, "other");
      await connectors.create({
        workspaceId: workspace.id,
        type: "scripted",
        name: "new",
        options: {},
        secretOptions: [],
      });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect((await store.connectors.list(workspace.id, { after: null, limit: 10 })).items).toEqual([shop]);
  });

  it("What a transaction has read stays true until it commits, even against single statements of other processes", async () => {
    const { store, workspace, openAgain, addConnector } = await openTestMetadata();
    const shop = await addConnector("shop");
    const other = await openAgain();
    const read = Promise.withResolvers<void>();
    const changed = store.transaction(async ({ connectors }) => {
      const before = await connectors.findById(workspace.id, shop.id);
      read.resolve();
      for (let i = 0; i < 20; i++) {
        expect(await connectors.findById(workspace.id, shop.id)).toEqual(before);
      }
      await connectors.setRemovalShare(workspace.id, shop.id, (before?.removalShare ?? 0) - 1);
    });
    await read.promise;
    const disabled = other.connectors.setDisabled(workspace.id, shop.id, true);
    await changed;
    expect(await disabled).toMatchObject({ removalShare: 99, disabledAt: expect.any(String) });
  });

  it("No change is lost when many transactions read and then write", async () => {
    const { store, workspace, openAgain, addConnector } = await openTestMetadata();
    const shop = await addConnector("shop");
    const stores = [store, await openAgain(), await openAgain()];
    const lower = (at: typeof store): Promise<unknown> =>
      at.transaction(async ({ connectors }) => {
        const found = await connectors.findById(workspace.id, shop.id);
        await connectors.setRemovalShare(workspace.id, shop.id, (found?.removalShare ?? 0) - 1);
      });
    await Promise.all(stores.flatMap((at) => Array.from({ length: 20 }, () => lower(at))));
    expect((await store.connectors.findById(workspace.id, shop.id))?.removalShare).toBe(40);
  });

  it("A text with U+0000 is refused, and the store works on", async () => {
    const { store, workspace } = await openTestMetadata();
    const append = (actor: string) =>
      store.audit.append({ workspaceId: workspace.id, action: "refused", actor, source: "", subject: "", details: {} });
    await expect(append("a\0b")).rejects.toMatchObject({ code: "bad_request" });
    await append("a\u{FFFD}b é 😀");
    const { items } = await store.audit.list(workspace.id, { after: null, limit: 10 });
    expect(items.map(({ actor }) => actor)).toEqual(["a\u{FFFD}b é 😀"]);
  });
});

describe("The order of texts", () => {
  it("Texts are ordered by their bytes, so that cursors mean the same on every engine", async () => {
    const { store, workspace, addConnector } = await openTestMetadata();
    const names = ["b", "A", "a", "B", "a-b", "a.b", "aB", "_".padStart(2, "a"), "10", "9"];
    for (const name of names) await addConnector(name);
    const sorted = names.toSorted((a, b) => (a < b ? -1 : 1));
    const { items } = await store.connectors.list(workspace.id, { after: null, limit: 20 });
    expect(items.map(({ name }) => name)).toEqual(sorted);
    const rest = await store.connectors.list(workspace.id, { after: "a", limit: 20 });
    expect(rest.items.map(({ name }) => name)).toEqual(sorted.slice(sorted.indexOf("a") + 1));
  });
});
