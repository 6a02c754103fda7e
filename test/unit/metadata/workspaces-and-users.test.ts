import { describe, expect, it } from "vitest";

import { openTestMetadata } from "../../support/metadata-store.ts";

describe("Workspaces", () => {
  it("Workspaces are found by name and by id, and listed by name", async () => {
    const { store, workspace } = await openTestMetadata();
    const acme = await store.workspaces.create({ name: "acme", kind: "sandbox" });
    expect(await store.workspaces.findByName("acme")).toEqual(acme);
    expect(await store.workspaces.findById(acme.id)).toEqual(acme);
    expect(await store.workspaces.findByName("nobody")).toBeNull();
    expect(await store.workspaces.list()).toEqual([acme, workspace]);
    expect(acme.id).toMatch(/^ws_[0-9a-f]{32}$/);
  });

  it("Workspaces have unique names", async () => {
    const { store } = await openTestMetadata();
    await expect(store.workspaces.create({ name: "default", kind: "live" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it.each(["", "Acme", "-acme", "_acme", "a b", "a".repeat(65), "acme\n", "é"])(
    "The workspace name %j is refused",
    async (name) => {
      const { store } = await openTestMetadata();
      await expect(store.workspaces.create({ name, kind: "live" })).rejects.toMatchObject({
        code: "bad_request",
        details: [{ field: "name" }],
      });
    },
  );
});

describe("Users", () => {
  it("A user belongs to one workspace and is not visible from another", async () => {
    const { store, admin, workspace } = await openTestMetadata();
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    expect(await store.users.findById(workspace.id, admin.id)).toEqual(admin);
    expect(await store.users.findById(other.id, admin.id)).toBeNull();
    expect(await store.users.findFirstAdmin(other.id)).toBeNull();
  });

  it("A user's address is valid, and unique in the workspace", async () => {
    const { store, workspace, admin } = await openTestMetadata();
    const again = { workspaceId: workspace.id, email: admin.email, role: "analyst" } as const;
    await expect(store.users.create(again)).rejects.toMatchObject({ code: "conflict" });
    await expect(store.users.create({ ...again, email: "nobody" })).rejects.toMatchObject({ code: "bad_request" });
  });

  it("The first admin is the oldest one", async () => {
    const { store, workspace, admin, clock } = await openTestMetadata();
    clock.advance(1);
    await store.users.create({ workspaceId: workspace.id, email: "later@example.com", role: "admin" });
    expect(await store.users.findFirstAdmin(workspace.id)).toEqual(admin);
    expect(await store.users.list(workspace.id)).toHaveLength(2);
  });
});
