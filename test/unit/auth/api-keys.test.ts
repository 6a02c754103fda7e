import { DatabaseSync } from "node:sqlite";
import { readFile } from "node:fs/promises";

import { describe, expect, it } from "vitest";

import { type ApiKeyRequest, createApiKey } from "../../../src/auth/api-keys.ts";
import { createAuthenticator } from "../../../src/auth/bearer.ts";
import { systemRandom } from "../../../src/clock.ts";
import type { AppError } from "../../../src/errors.ts";
import { DAY_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

async function setUp() {
  const metadata = await openTestMetadata();
  const { store, clock, workspace, admin } = metadata;
  const parts = { store, clock, random: systemRandom };
  const request: ApiKeyRequest = {
    workspace,
    createdBy: admin,
    name: "ci",
    scopes: ["read"],
    expiresInDays: null,
    kind: "live",
  };
  const { authenticate } = createAuthenticator(parts);
  return {
    ...metadata,
    create: (change: Partial<ApiKeyRequest> = {}) => createApiKey(parts, { ...request, ...change }),
    enter: (token: string) => authenticate([`Bearer ${token}`]),
  };
}

describe("an API key", () => {
  it("opens its workspace for what it may do", async () => {
    const { create, enter, workspace, admin } = await setUp();
    const { key, token } = await create({ scopes: ["read", "write", "read"] });
    expect(token).toMatch(/^svc_live_[A-Za-z0-9]{32}$/);
    expect(token.startsWith(key.prefix)).toBe(true);
    expect(key.scopes).toEqual(["read", "write"]);
    expect(await enter(token)).toEqual({
      workspace,
      tokenId: key.id,
      actor: admin.email,
      scopes: new Set(["read", "write"]),
    });
  });

  it("is kept by what recognises it, not by its token", async () => {
    const { create, path } = await setUp();
    const { key, token } = await create();
    const files = [await readFile(path), await readFile(`${path}-wal`)];
    const written = Buffer.concat(files).toString("latin1");
    expect(written.includes(key.prefix)).toBe(true);
    expect(written.includes(token.slice(key.prefix.length))).toBe(false);
  });

  it("opens nothing with one character changed", async () => {
    const { create, enter } = await setUp();
    const { token } = await create();
    const changed = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
    await expect(enter(changed)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(enter(token.slice(0, -1))).rejects.toMatchObject({ code: "unauthorized" });
    await expect(enter(`${token}a`)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("is listed, and ends at once when it is revoked", async () => {
    const { create, enter, store, workspace } = await setUp();
    const { key, token } = await create();
    expect(await store.keys.list(workspace.id)).toEqual([key]);
    const revoked = await store.keys.revoke(workspace.id, key.id);
    expect(revoked.revokedAt).not.toBeNull();
    expect(await store.keys.revoke(workspace.id, key.id)).toEqual(revoked);
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("is out of reach of another workspace", async () => {
    const { create, enter, store } = await setUp();
    const { key, token } = await create();
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    await expect(store.keys.revoke(other.id, key.id)).rejects.toMatchObject({ code: "not_found" });
    expect(await store.keys.list(other.id)).toEqual([]);
    await expect(enter(token)).resolves.toBeDefined();
  });

  it.each([30, 90, 365] as const)("that lasts %i days ends with the last of them", async (expiresInDays) => {
    const { create, enter, clock } = await setUp();
    const { token } = await create({ expiresInDays });
    clock.advance(expiresInDays * DAY_MS - 1);
    await expect(enter(token)).resolves.toBeDefined();
    clock.advance(1);
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("answers alike whether it is unknown, revoked, expired or orphaned", async () => {
    const { create, enter, store, workspace, clock, path } = await setUp();
    const expired = await create({ expiresInDays: 30 });
    clock.advance(31 * DAY_MS);
    const revoked = await create();
    await store.keys.revoke(workspace.id, revoked.key.id);
    const gone = await store.users.create({ workspaceId: workspace.id, email: "gone@example.com", role: "analyst" });
    const orphaned = await create({ createdBy: gone });
    const db = new DatabaseSync(path);
    db.prepare("DELETE FROM users WHERE id = ?").run(gone.id);
    db.close();
    const tokens = [expired.token, revoked.token, orphaned.token, `svc_live_${"a".repeat(32)}`, "x"];
    const errors = await Promise.all(tokens.map((token) => enter(token).catch((error: AppError) => error)));
    const told = errors.map((error) => JSON.stringify({ ...error, message: "message" in error && error.message }));
    expect(new Set(told).size).toBe(1);
    expect(errors[0]).toMatchObject({ code: "unauthorized" });
  });
});

describe("creating an API key", () => {
  it("needs a workspace of its kind", async () => {
    const { create, enter, store } = await setUp();
    const sandbox = await store.workspaces.create({ name: "sandbox", kind: "sandbox" });
    const tester = await store.users.create({ workspaceId: sandbox.id, email: "t@example.com", role: "admin" });
    await expect(create({ kind: "test" })).rejects.toMatchObject({ code: "bad_request", details: [{ field: "kind" }] });
    await expect(create({ workspace: sandbox, createdBy: tester })).rejects.toMatchObject({ code: "bad_request" });
    const { token } = await create({ workspace: sandbox, createdBy: tester, kind: "test" });
    expect(token).toMatch(/^svc_test_[A-Za-z0-9]{32}$/);
    expect((await enter(token)).workspace).toEqual(sandbox);
  });

  it("grants no scope beyond its creator's role", async () => {
    const { create, enter, store, workspace } = await setUp();
    const user = { workspaceId: workspace.id, email: "e@example.com" } as const;
    const engineer = await store.users.create({ ...user, role: "engineer" });
    await expect(create({ createdBy: engineer, scopes: ["read", "admin"] })).rejects.toMatchObject({
      code: "forbidden",
    });
    const { token } = await create({ createdBy: engineer, scopes: ["read", "write"] });
    expect((await enter(token)).scopes).toEqual(new Set(["read", "write"]));
  });

  it("refuses a creator of another workspace", async () => {
    const { create, store } = await setUp();
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    const stranger = await store.users.create({ workspaceId: other.id, email: "s@example.com", role: "admin" });
    await expect(create({ createdBy: stranger })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("needs a name and a scope", async () => {
    const { create } = await setUp();
    await expect(create({ name: " " })).rejects.toMatchObject({ code: "bad_request" });
    await expect(create({ scopes: [] })).rejects.toMatchObject({ code: "bad_request" });
  });

  it("takes back what the creator's role no longer allows", async () => {
    const { create, enter, path, admin } = await setUp();
    const { token } = await create({ scopes: ["read", "write", "admin"] });
    const db = new DatabaseSync(path);
    db.prepare("UPDATE users SET role = 'analyst' WHERE id = ?").run(admin.id);
    db.close();
    expect((await enter(token)).scopes).toEqual(new Set(["read"]));
  });
});
