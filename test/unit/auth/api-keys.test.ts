import { describe, expect, it } from "vitest";

import { renameApiKey, revokeApiKey } from "../../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../../src/auth/origin.ts";
import { createServiceAccount, setAccountDisabled } from "../../../src/auth/service-accounts.ts";
import { grantPermission, changeUser } from "../../../src/auth/users.ts";
import type { AppError } from "../../../src/errors.ts";
import { toAccountId, toTokenId } from "../../../src/ids.ts";
import { openTestAuth, SOURCE } from "../../support/auth.ts";
import { DAY_MS } from "../../support/clock.ts";

describe("API keys", () => {
  it("An API key gives access to its workspace with the key's scopes", async () => {
    const { createKey, enter, workspace, admin } = await openTestAuth();
    const { key, token } = await createKey({ scopes: ["read", "write", "read"] });
    expect(token).toMatch(/^svc_live_[A-Za-z0-9]{32}$/);
    expect(token.startsWith(key.prefix)).toBe(true);
    expect(key.scopes).toEqual(["read", "write"]);
    expect(await enter(token)).toEqual({
      workspace,
      security: { rateLimitPerMinute: 1_000, allowlist: [], maxTokenLifetimeSeconds: null },
      networks: [],
      tokenId: key.id,
      session: null,
      quotaId: key.id,
      actor: { kind: "user", id: admin.id, name: admin.email },
      role: "admin",
      scopes: new Set(["read", "write"]),
      grants: new Set(),
    });
  });

  it("The store keeps a key's prefix and hash, never its token", async () => {
    const { createKey, runSql } = await openTestAuth();
    const { key, token } = await createKey();
    const written = JSON.stringify(await runSql("SELECT * FROM api_keys"));
    expect(written.includes(key.prefix)).toBe(true);
    expect(written.includes(token.slice(key.prefix.length))).toBe(false);
  });

  it("A token with one changed, missing or added character is refused", async () => {
    const { createKey, enter } = await openTestAuth();
    const { token } = await createKey();
    const changed = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
    await expect(enter(changed)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(enter(token.slice(0, -1))).rejects.toMatchObject({ code: "unauthorized" });
    await expect(enter(`${token}a`)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("A key is listed, and stops working as soon as it is revoked", async () => {
    const { createKey, enter, store, workspace, parts, origin, clock } = await openTestAuth();
    const { key, token } = await createKey();
    expect(await store.keys.list(workspace.id)).toEqual([key]);
    const revoked = await revokeApiKey(parts, origin, key.id);
    expect(revoked.revokedAt).not.toBeNull();
    clock.advance(1);
    expect(await revokeApiKey(parts, origin, key.id)).toEqual(revoked);
    expect(await store.keys.revoke(workspace.id, key.id)).toEqual(revoked);
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("Another workspace cannot list, rename or revoke a key", async () => {
    const { createKey, enter, store, parts, admin } = await openTestAuth();
    const { key, token } = await createKey();
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    const elsewhere = fromCommandLine(other, admin);
    await expect(revokeApiKey(parts, elsewhere, key.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(store.keys.revoke(other.id, key.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(store.keys.rename(other.id, key.id, "x")).rejects.toMatchObject({ code: "not_found" });
    expect(await store.keys.list(other.id)).toEqual([]);
    await expect(enter(token)).resolves.toBeDefined();
  });

  it("A key of a service account does what the account may, and ends with it", async () => {
    const { createKey, createClient, enter, parts, origin, trail } = await openTestAuth();
    const { account } = await createClient("analyst");
    const ask = { accountId: account.id } as const;
    await expect(createKey({ ...ask, scopes: ["read", "write"] })).rejects.toMatchObject({
      code: "bad_request",
      details: [{ field: "scopes", message: expect.stringContaining("write") }],
    });
    await expect(createKey({ accountId: toAccountId("acc_none") })).rejects.toMatchObject({ code: "not_found" });
    const { key, token } = await createKey(ask);
    expect(await enter(token)).toMatchObject({ actor: { kind: "account", id: account.id }, role: "analyst" });
    expect(await trail()).toContainEqual(
      expect.objectContaining({
        action: "key_created",
        subject: key.id,
        details: expect.objectContaining({ account: "airflow" }),
      }),
    );
    await setAccountDisabled(parts, origin, { id: account.id, disabled: true });
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("A key has the networks from which it is accepted in their canonical spelling, and the trail notes them", async () => {
    const { createKey, enter, trail } = await openTestAuth();
    const { key, token } = await createKey({ networks: ["10.1.2.3/8", "2001:DB8::1/32", "10.0.0.0/8"] });
    expect(key.networks).toEqual(["10.0.0.0/8", "2001:db8::/32"]);
    expect((await enter(token)).networks).toEqual(key.networks);
    expect((await trail()).at(-1)?.details).toMatchObject({ networks: key.networks });
    await expect(createKey({ networks: ["10.0.0.0"] })).rejects.toMatchObject({
      code: "bad_request",
      details: [{ field: "networks" }],
    });
    await expect(createKey({ networks: Array(201).fill("10.0.0.0/8") })).rejects.toMatchObject({
      details: [{ field: "networks" }],
    });
  });

  it.each([30, 90, 365])("A key that lasts %i days expires at the end of the last day", async (expiresInDays) => {
    const { createKey, enter, clock } = await openTestAuth();
    const { token } = await createKey({ expiresInDays });
    clock.advance(expiresInDays * DAY_MS - 1);
    await expect(enter(token)).resolves.toBeDefined();
    clock.advance(1);
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("A key is refused with the same error whether it is unknown, revoked, expired, orphaned, disabled, a stranger's or for another kind of workspace", async () => {
    const { addUser, createKey, enter, clock, origin, parts, runSql, store } = await openTestAuth();
    const expired = await createKey({ expiresInDays: 30 });
    clock.advance(31 * DAY_MS);
    const revoked = await createKey();
    await revokeApiKey(parts, origin, revoked.key.id);
    const gone = await addUser("analyst");
    const orphaned = await createKey({}, gone.by);
    const away = await addUser("engineer");
    const disabled = await createKey({}, away.by);
    await changeUser(parts, origin, { id: away.user.id, disabled: true });
    const sandbox = await store.workspaces.create({ name: "sandbox", kind: "sandbox" });
    const misplaced = await createKey();
    const stranger = await store.users.create({ workspaceId: sandbox.id, email: "s@example.com", role: "admin" });
    const strange = await createKey({}, fromCommandLine(origin.workspace, stranger));
    await runSql(`DELETE FROM users WHERE id = '${gone.user.id}'`);
    // The key's creator moves too, so that only the kind is wrong.
    await runSql(`UPDATE users SET workspace_id = '${sandbox.id}' WHERE id = '${origin.actor.id}'`);
    await runSql(`UPDATE api_keys SET workspace_id = '${sandbox.id}' WHERE id = '${misplaced.key.id}'`);
    const tokens = [expired, revoked, orphaned, disabled, misplaced, strange].map(({ token }) => token);
    tokens.push(`svc_live_${"a".repeat(32)}`, `svc_at_${"a".repeat(32)}`, "x");
    const errors = await Promise.all(tokens.map((token) => enter(token).catch((error: AppError) => error)));
    const told = errors.map((error) => JSON.stringify({ ...error, message: "message" in error && error.message }));
    expect(new Set(told).size).toBe(1);
    expect(errors[0]).toMatchObject({ code: "unauthorized" });
  });
});

describe("Creating API keys", () => {
  it("A key can only be created in a workspace of its kind", async () => {
    const { createKey, enter, store } = await openTestAuth();
    const sandbox = await store.workspaces.create({ name: "sandbox", kind: "sandbox" });
    const tester = await store.users.create({ workspaceId: sandbox.id, email: "t@example.com", role: "admin" });
    const by = fromCommandLine(sandbox, tester);
    await expect(createKey({ kind: "test" })).rejects.toMatchObject({
      code: "bad_request",
      details: [{ field: "test" }],
    });
    await expect(createKey({}, by)).rejects.toMatchObject({ code: "bad_request" });
    const { token } = await createKey({ kind: "test" }, by);
    expect(token).toMatch(/^svc_test_[A-Za-z0-9]{32}$/);
    expect((await enter(token)).workspace).toEqual(sandbox);
  });

  it.each(["\u001b]0;pwned\u0007", "two\nlines", "\u009b31mred", "\u202egnp.exe", "\u007f"])(
    "A key or service account cannot be named %j, which would mislead whoever lists it",
    async (name) => {
      const { createKey, origin, parts } = await openTestAuth();
      await expect(createKey({ name })).rejects.toMatchObject({ code: "bad_request" });
      await expect(createServiceAccount(parts, origin, { name, role: "analyst" })).rejects.toMatchObject({
        code: "bad_request",
      });
      const { key } = await createKey({ name: "clé d’Ænima – 鍵 🔑" });
      await expect(renameApiKey(parts, origin, { id: key.id, name })).rejects.toMatchObject({ code: "bad_request" });
    },
  );

  it("Names are trimmed and composed, so that two names that look alike are equal", async () => {
    const { createKey, origin, parts } = await openTestAuth();
    const { key } = await createKey({ name: "  cle\u0301 " });
    expect(key.name).toBe("cl\u00e9");
    expect(await renameApiKey(parts, origin, { id: key.id, name: "u\u0308ber " })).toMatchObject({ name: "\u00fcber" });
    const account = { name: "loader", role: "analyst" } as const;
    await createServiceAccount(parts, origin, account);
    await expect(createServiceAccount(parts, origin, { ...account, name: " loader" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("A key gets no scope beyond its creator's role", async () => {
    const { addUser, createKey, enter } = await openTestAuth();
    const { by } = await addUser("engineer");
    await expect(createKey({ scopes: ["read", "admin"] }, by)).rejects.toMatchObject({ code: "forbidden" });
    const { token } = await createKey({ scopes: ["read", "write"] }, by);
    expect((await enter(token)).scopes).toEqual(new Set(["read", "write"]));
  });

  it("A key gets no scope beyond the token that creates it, and belongs to that token's actor", async () => {
    const { createKey, enter, requestBy, admin } = await openTestAuth();
    const by = await requestBy((await createKey({ scopes: ["write", "admin"] })).token);
    await expect(createKey({ scopes: ["read"] }, by)).rejects.toMatchObject({ code: "forbidden" });
    const { key, token } = await createKey({ scopes: ["write"] }, by);
    expect(key.createdBy).toBe(admin.id);
    expect((await enter(token)).scopes).toEqual(new Set(["write"]));
  });

  it("A service account can create a key, and the account's role bounds the key's scopes", async () => {
    const { createClient, createKey, enter, requestBy } = await openTestAuth();
    const { account, issue } = await createClient("admin");
    const { token } = await createKey({ scopes: ["admin"] }, await requestBy(await issue()));
    expect(await enter(token)).toMatchObject({ actor: { kind: "account", id: account.id, name: "airflow" } });
  });

  it("A token that was revoked during its request creates no key", async () => {
    const { createKey, requestBy, parts, origin, store, workspace } = await openTestAuth();
    const { key, token } = await createKey({ scopes: ["read", "admin"] });
    const underWay = await requestBy(token);
    await revokeApiKey(parts, origin, key.id);
    await expect(createKey({}, underWay)).rejects.toMatchObject({ code: "unauthorized" });
    expect(await store.keys.list(workspace.id)).toHaveLength(1);
  });

  it.each([
    ["name", { name: " " }],
    ["name", { name: "a".repeat(101) }],
    ["scopes", { scopes: [] }],
    ["expiresInDays", { expiresInDays: 31 }],
    ["expiresInDays", { expiresInDays: 0 }],
  ])("A key with a bad %s is refused", async (field, change) => {
    const { createKey } = await openTestAuth();
    await expect(createKey(change)).rejects.toMatchObject({ code: "bad_request", details: [{ field }] });
  });
});

describe("Creators of keys", () => {
  it("A key loses scopes as soon as its creator is demoted, and gets them back when the creator is promoted", async () => {
    const { addUser, createKey, enter, parts, origin } = await openTestAuth();
    const { user, by } = await addUser("admin", "second@example.com");
    const { token } = await createKey({ scopes: ["read", "write", "admin"] }, by);
    await changeUser(parts, origin, { id: user.id, role: "analyst" });
    expect((await enter(token)).scopes).toEqual(new Set(["read"]));
    await changeUser(parts, origin, { id: user.id, role: "engineer" });
    expect((await enter(token)).scopes).toEqual(new Set(["read", "write"]));
  });

  it("A key stops working while its creator is disabled", async () => {
    const { addUser, createKey, enter, parts, origin } = await openTestAuth();
    const { user, by } = await addUser("engineer");
    const { token } = await createKey({}, by);
    await changeUser(parts, origin, { id: user.id, disabled: true });
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
    await changeUser(parts, origin, { id: user.id, disabled: false });
    await expect(enter(token)).resolves.toBeDefined();
  });

  it("A user who may manage keys manages only their own; the keys of others are not found", async () => {
    const { addUser, createKey, parts, origin, requestBy } = await openTestAuth();
    const { user, by } = await addUser("engineer");
    await grantPermission(parts, origin, { id: user.id, permission: "api:manage" });
    const others = await createKey();
    const own = await createKey({ scopes: ["read", "write"] }, by);
    const request = await requestBy(own.token);
    const { key } = await createKey({}, request);
    await expect(renameApiKey(parts, request, { id: key.id, name: "new" })).resolves.toMatchObject({ name: "new" });
    await expect(revokeApiKey(parts, request, others.key.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(renameApiKey(parts, request, { id: others.key.id, name: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(revokeApiKey(parts, origin, key.id)).resolves.toMatchObject({ id: key.id });
  });
});

describe("Audit trail of a key", () => {
  it("The audit trail has one event for each creation, rename and revocation of a key, with its actor", async () => {
    const { createKey, parts, requestBy, trail, clock, admin } = await openTestAuth();
    const { key, token } = await createKey({ name: "old", scopes: ["admin"] });
    clock.advance(1);
    const request = await requestBy(token);
    await renameApiKey(parts, request, { id: key.id, name: "new" });
    await renameApiKey(parts, request, { id: key.id, name: "new" });
    clock.advance(1);
    await revokeApiKey(parts, request, key.id);
    const common = { actor: admin.email, subject: key.id };
    expect(await trail()).toEqual([
      {
        ...common,
        action: "key_created",
        source: "command line",
        details: { name: "old", scopes: ["admin"], expiresAt: null },
      },
      { ...common, action: "key_renamed", source: SOURCE, details: { from: "old", to: "new" } },
      { ...common, action: "key_revoked", source: SOURCE, details: { name: "new" } },
    ]);
  });

  it("The audit trail has no event for a change of a key that failed", async () => {
    const { createKey, parts, origin, trail } = await openTestAuth();
    await expect(createKey({ scopes: [] })).rejects.toThrow("scope");
    await expect(createKey({ kind: "test" })).rejects.toThrow("test key");
    await expect(renameApiKey(parts, origin, { id: toTokenId("key_0"), name: "x" })).rejects.toThrow("key_0");
    await expect(revokeApiKey(parts, origin, toTokenId("key_0"))).rejects.toThrow("key_0");
    expect(await trail()).toEqual([]);
  });
});
