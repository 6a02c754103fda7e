import { describe, expect, it } from "vitest";

import { fromCommandLine } from "../../../src/auth/origin.ts";
import { createUser, grantPermission, revokePermission, changeUser } from "../../../src/auth/users.ts";
import type { UserId } from "../../../src/ids.ts";
import { openTestAuth } from "../../support/auth.ts";

describe("Users", () => {
  it("A user is created with a role, and the permission api:manage can be granted and revoked", async () => {
    const { createKey, enter, parts, origin, workspace, store } = await openTestAuth();
    const user = await createUser(parts, origin, { email: "eve@example.com", role: "engineer" });
    expect(user).toMatchObject({ role: "engineer", grants: [], disabledAt: null });
    const { token } = await createKey({}, fromCommandLine(workspace, user));
    const permission = { id: user.id, permission: "api:manage" } as const;
    expect((await grantPermission(parts, origin, permission)).grants).toEqual(["api:manage"]);
    expect((await enter(token)).grants).toEqual(new Set(["api:manage"]));
    expect(await store.users.findById(workspace.id, user.id)).toMatchObject({ grants: ["api:manage"] });
    expect((await revokePermission(parts, origin, permission)).grants).toEqual([]);
    expect((await enter(token)).grants).toEqual(new Set());
  });

  it("A user needs a valid e-mail address that no other user has", async () => {
    const { parts, origin, admin } = await openTestAuth();
    const create = (email: string) => createUser(parts, origin, { email, role: "analyst" });
    await expect(create(admin.email)).rejects.toMatchObject({ code: "conflict" });
    await expect(create("nobody")).rejects.toMatchObject({ code: "bad_request", details: [{ field: "email" }] });
  });

  it("The last active admin can be neither demoted nor disabled", async () => {
    const { addUser, parts, origin, store, workspace, admin } = await openTestAuth();
    const demote = (id: UserId) => changeUser(parts, origin, { id, role: "engineer" });
    const disable = (id: UserId) => changeUser(parts, origin, { id, disabled: true });
    await addUser("engineer");
    await expect(demote(admin.id)).rejects.toMatchObject({ code: "conflict" });
    await expect(disable(admin.id)).rejects.toMatchObject({ code: "conflict" });
    const { user: second } = await addUser("admin", "second@example.com");
    await disable(second.id);
    await expect(demote(admin.id)).rejects.toMatchObject({ code: "conflict" });
    expect(await store.users.findById(workspace.id, admin.id)).toEqual(admin);
    await changeUser(parts, origin, { id: second.id, disabled: false });
    await demote(admin.id);
    await expect(disable(second.id)).rejects.toMatchObject({ code: "conflict" });
    expect(await store.users.findFirstAdmin(workspace.id)).toMatchObject({ id: second.id });
  });

  it("One admin remains when two admins demote each other at once", async () => {
    const { addUser, parts, origin, admin, openAgain, workspace } = await openTestAuth();
    const { user: second } = await addUser("admin", "second@example.com");
    const elsewhere = { ...parts, store: await openAgain() };
    const both = await Promise.allSettled([
      changeUser(parts, origin, { id: admin.id, role: "analyst" }),
      changeUser(elsewhere, origin, { id: second.id, role: "analyst" }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await parts.store.users.findFirstAdmin(workspace.id)).not.toBeNull();
  });

  it("Another workspace cannot change a user", async () => {
    const { parts, store, admin } = await openTestAuth();
    const elsewhere = fromCommandLine(await store.workspaces.create({ name: "other", kind: "live" }), admin);
    const { id } = admin;
    const attempts = [
      changeUser(parts, elsewhere, { id, role: "analyst" }),
      changeUser(parts, elsewhere, { id, disabled: true }),
      grantPermission(parts, elsewhere, { id, permission: "api:manage" }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: "not_found" });
  });

  it("The audit trail has each change of a user once, and no failed change", async () => {
    const { parts, origin, trail, clock, admin } = await openTestAuth();
    const user = await createUser(parts, origin, { email: "eve@example.com", role: "analyst" });
    const { id } = user;
    const steps = [
      () => changeUser(parts, origin, { id, role: "engineer" }),
      () => grantPermission(parts, origin, { id, permission: "api:manage" }),
      () => revokePermission(parts, origin, { id, permission: "api:manage" }),
      () => changeUser(parts, origin, { id, disabled: true }),
      () => changeUser(parts, origin, { id, disabled: false }),
    ];
    for (const step of steps) {
      clock.advance(1);
      await step();
      await step();
    }
    await expect(changeUser(parts, origin, { id: admin.id, role: "analyst" })).rejects.toThrow("admin");
    await expect(createUser(parts, origin, { email: admin.email, role: "admin" })).rejects.toThrow("already");
    const by = { actor: admin.email, source: "command line", subject: id };
    const changed = { ...by, action: "user_changed" };
    expect(await trail()).toEqual([
      { ...by, action: "user_created", details: { email: "eve@example.com", role: "analyst" } },
      { ...changed, details: { role: { from: "analyst", to: "engineer" } } },
      { ...changed, details: { grants: { from: [], to: ["api:manage"] } } },
      { ...changed, details: { grants: { from: ["api:manage"], to: [] } } },
      { ...changed, details: { disabled: { from: false, to: true } } },
      { ...changed, details: { disabled: { from: true, to: false } } },
    ]);
  });
});
