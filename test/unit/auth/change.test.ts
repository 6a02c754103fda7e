import { expect, it } from "vitest";

import { createApiKey } from "../../../src/auth/api-keys.ts";
import { createServiceAccount, setAccountDisabled, setAccountRole } from "../../../src/auth/service-accounts.ts";
import { createUser, grantPermission, revokePermission, changeUser } from "../../../src/auth/users.ts";
import { openTestAuth } from "../../support/auth.ts";

const EVIL = { name: "backdoor", role: "admin" } as const;
const ALL = ["read", "write", "admin"] as const;

it("A user who is demoted during a request changes nothing with it, not even their own role", async () => {
  const { addUser, createKey, parts, origin, requestBy, store, workspace } = await openTestAuth();
  const { user, by } = await addUser("admin", "eve@example.com");
  const request = await requestBy((await createKey({ scopes: ALL }, by)).token);
  await changeUser(parts, origin, { id: user.id, role: "engineer" });
  const refused = { code: "forbidden" };
  await expect(changeUser(parts, request, { id: user.id, role: "admin" })).rejects.toMatchObject(refused);
  await expect(createUser(parts, request, { email: "m@example.com", role: "admin" })).rejects.toMatchObject(refused);
  await expect(createServiceAccount(parts, request, EVIL)).rejects.toMatchObject(refused);
  expect(await store.accounts.list(workspace.id)).toEqual([]);
});

it("A user or account that is disabled during a request changes nothing with it", async () => {
  const { addUser, createClient, createKey, parts, origin, requestBy } = await openTestAuth();
  const { user, by } = await addUser("admin", "eve@example.com");
  const { account, issue } = await createClient("admin");
  const requests = [await requestBy((await createKey({ scopes: ALL }, by)).token), await requestBy(await issue())];
  await changeUser(parts, origin, { id: user.id, disabled: true });
  await setAccountDisabled(parts, origin, { id: account.id, disabled: true });
  for (const request of requests) {
    await expect(createServiceAccount(parts, request, EVIL)).rejects.toMatchObject({ code: "unauthorized" });
  }
});

it("A service account that is demoted during a request changes nothing with it", async () => {
  const { createClient, parts, origin, requestBy } = await openTestAuth();
  const { account, issue } = await createClient("admin");
  const request = await requestBy(await issue());
  await setAccountRole(parts, origin, { id: account.id, role: "analyst" });
  await expect(createServiceAccount(parts, request, EVIL)).rejects.toMatchObject({ code: "forbidden" });
});

it("A user who loses api:manage during a request creates no key with it", async () => {
  const { addUser, createKey, parts, origin, requestBy } = await openTestAuth();
  const { user, by } = await addUser("engineer");
  const grant = { id: user.id, permission: "api:manage" } as const;
  await grantPermission(parts, origin, grant);
  const request = await requestBy((await createKey({ scopes: ["read", "write"] }, by)).token);
  const key = { name: "ci", scopes: ["read"], expiresInDays: null, kind: "live" } as const;
  await expect(createApiKey(parts, request, key)).resolves.toBeDefined();
  await revokePermission(parts, origin, grant);
  await expect(createApiKey(parts, request, key)).rejects.toMatchObject({ code: "forbidden" });
});

it("A user who is promoted during a request completes it", async () => {
  const { addUser, createKey, parts, origin, requestBy } = await openTestAuth();
  const { user, by } = await addUser("engineer");
  await grantPermission(parts, origin, { id: user.id, permission: "api:manage" });
  const request = await requestBy((await createKey({ scopes: ["read", "write"] }, by)).token);
  await changeUser(parts, origin, { id: user.id, role: "admin" });
  const key = { name: "ci", scopes: ["read"], expiresInDays: null, kind: "live" } as const;
  await expect(createApiKey(parts, request, key)).resolves.toBeDefined();
});
