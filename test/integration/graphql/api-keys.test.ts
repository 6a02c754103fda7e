import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createApiKey } from "../../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../../src/auth/origin.ts";
import type { Scope, User, Workspace } from "../../../src/metadata/records.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { DAY_MS } from "../../support/clock.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at, createRestClient } from "../../support/rest-client.ts";

const CREATE = `mutation ($name: String!, $scopes: [Scope!]!, $days: Int, $test: Boolean! = false) {
  createApiKey(input: { name: $name, scopes: $scopes, expiresInDays: $days, test: $test }) {
    token
    apiKey { id name prefix scopes createdAt expiresAt revokedAt lastUsedAt createdBy { kind name } }
  }
}`;
const LIST = `query ($first: Int! = 50, $after: String) {
  apiKeys(first: $first, after: $after) { nodes { id name revokedAt lastUsedAt createdBy { name } } pageInfo { nextCursor } }
}`;
const RENAME = `mutation ($id: ID!, $name: String!) { renameApiKey(input: { id: $id, name: $name }) { apiKey { name } } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { revokedAt } } }`;

let running: RunningApp;
let admin: GraphqlClient;
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
});
afterAll(() => running.close());

/** A client with a key that the user made. */
async function clientOf(workspace: Workspace, user: User, scopes: readonly Scope[]): Promise<GraphqlClient> {
  const { metadata: store, clock, random } = running.app;
  const request = { name: "given", scopes, expiresInDays: null, kind: "live" } as const;
  const { token } = await createApiKey({ store, clock, random }, fromCommandLine(workspace, user), request);
  return createGraphqlClient({ url: running.url, token });
}

/** The status of a request for assets, which needs the scope `read`. */
async function read(token: string): Promise<number> {
  return (await createRestClient({ url: running.url, token })("/api/v1/catalog/assets")).status;
}

/** Creates a key as the given client. Returns its id and token. */
async function createKey(
  client: GraphqlClient,
  name: string,
  scopes: string[],
): Promise<{ id: string; token: string }> {
  const { data, message } = await client(CREATE, { name, scopes });
  expect(message).toBe("");
  return {
    id: String(at(data, "createApiKey", "apiKey", "id")),
    token: String(at(data, "createApiKey", "token")),
  };
}

describe("a key made over GraphQL", () => {
  it("A key made over GraphQL opens the REST API at once, and is shown once", async () => {
    const { data } = await admin(CREATE, { name: "etl", scopes: ["read"], days: 30 });
    const { token, apiKey } = at(data, "createApiKey") as { token: string; apiKey: Record<string, unknown> };
    expect(token).toMatch(/^svc_live_[A-Za-z0-9]{32}$/);
    expect(apiKey).toMatchObject({ name: "etl", scopes: ["read"], revokedAt: null, createdBy: { kind: "user" } });
    const livesMs = Date.parse(String(apiKey["expiresAt"])) - Date.parse(String(apiKey["createdAt"]));
    expect(Math.round(livesMs / DAY_MS)).toBe(30);
    expect(token.startsWith(String(apiKey["prefix"]))).toBe(true);
    expect(await read(token)).toBe(200);
    expect(JSON.stringify((await admin(LIST)).data)).not.toContain(token);
  });

  it("A key can be renamed", async () => {
    const { id } = await createKey(admin, "before", ["read"]);
    expect((await admin(RENAME, { id, name: "after" })).data).toEqual({ renameApiKey: { apiKey: { name: "after" } } });
    expect(JSON.stringify((await admin(LIST)).data)).toContain('"after"');
  });

  it("A revoked key is refused at once, and can be revoked again", async () => {
    const { id, token } = await createKey(admin, "short", ["read"]);
    expect(await read(token)).toBe(200);
    const revoked = (await admin(REVOKE, { id })).data;
    expect(at(revoked, "revokeApiKey", "apiKey", "revokedAt")).toEqual(expect.any(String));
    expect(await read(token)).toBe(401);
    expect((await admin(REVOKE, { id })).data).toEqual(revoked);
  });

  it.each([
    ["no name", { name: " ", scopes: ["read"] }, "BAD_REQUEST", /name/],
    ["no scope", { name: "n", scopes: [] }, "BAD_REQUEST", /scope/],
    ["an unknown expiry", { name: "n", scopes: ["read"], days: 31 }, "BAD_REQUEST", /30, 90, 365/],
    ["a test key for a live workspace", { name: "n", scopes: ["read"], test: true }, "BAD_REQUEST", /sandbox/],
  ])("A key is not made with %s", async (_case, variables, code, message) => {
    const refused = await admin(CREATE, variables);
    expect(refused.codes).toEqual([code]);
    expect(refused.message).toMatch(message);
  });
});

describe("an engineer", () => {
  const GRANT = `mutation ($id: ID!) { grantPermission(input: { id: $id, permission: api_manage }) { user { grants } } }`;
  const UNGRANT = `mutation ($id: ID!) { revokePermission(input: { id: $id, permission: api_manage }) { user { grants } } }`;
  const SET_ROLE = `mutation ($id: ID!, $role: Role!) { changePerson(input: { userId: $id, role: $role }) { person { role } } }`;
  const SYNC = `mutation { triggerSync(input: { connectorId: "none" }) { sync { id } } }`;

  let workspace: Workspace;
  let user: User;
  let engineer: GraphqlClient;
  beforeAll(async () => {
    const { workspaces, users } = running.app.metadata;
    workspace = present(await workspaces.findByName("default"));
    user = await users.create({ workspaceId: workspace.id, email: "ada@example.com", role: "engineer" });
    engineer = await clientOf(workspace, user, ["read", "write"]);
  });

  it("An engineer makes keys only with the grant for it, and with a token that may write", async () => {
    expect((await engineer(CREATE, { name: "n", scopes: ["read"] })).codes).toEqual(["FORBIDDEN"]);
    expect((await admin(GRANT, { id: user.id })).data).toEqual({
      grantPermission: { user: { grants: ["api_manage"] } },
    });
    const { token } = await createKey(engineer, "hers", ["read", "write"]);
    expect(await read(token)).toBe(200);
    const reader = await clientOf(workspace, user, ["read"]);
    expect((await reader(LIST)).codes).toEqual(["FORBIDDEN"]);
  });

  it("An engineer makes no key with more scopes than their token has", async () => {
    expect((await engineer(CREATE, { name: "n", scopes: ["read", "admin"] })).codes).toEqual(["FORBIDDEN"]);
    const { items } = await running.app.metadata.audit.list(workspace.id, { after: null, limit: 1 });
    expect(items).toMatchObject([{ action: "refused", actor: user.email, details: { required: "admin" } }]);
    const writer = await clientOf(workspace, user, ["write"]);
    expect((await writer(CREATE, { name: "n", scopes: ["read"] })).codes).toEqual(["FORBIDDEN"]);
  });

  it("An engineer sees, renames and revokes only their own keys", async () => {
    const { id } = await createKey(admin, "the admin's", ["read"]);
    const own = at((await engineer(LIST)).data, "apiKeys", "nodes") as { createdBy: { name: string } }[];
    expect(own.length).toBeGreaterThan(1);
    expect(new Set(own.map(({ createdBy }) => createdBy.name))).toEqual(new Set(["ada@example.com"]));
    expect((await engineer(RENAME, { id, name: "mine" })).codes).toEqual(["NOT_FOUND"]);
    expect((await engineer(REVOKE, { id })).codes).toEqual(["NOT_FOUND"]);
    const mine = await createKey(engineer, "mine", ["read"]);
    expect((await engineer(REVOKE, { id: mine.id })).codes).toEqual([]);
    expect(await read(mine.token)).toBe(401);
  });

  it("An engineer who is demoted loses the rights of the role in every key at once", async () => {
    expect((await engineer(SYNC)).codes).toEqual(["NOT_FOUND"]);
    await admin(SET_ROLE, { id: user.id, role: "analyst" });
    expect((await engineer(SYNC)).codes).toEqual(["FORBIDDEN"]);
    expect((await engineer(`{ assets { nodes { id } } }`)).codes).toEqual([]);
    await admin(SET_ROLE, { id: user.id, role: "engineer" });
  });

  it("An engineer who loses the grant can no longer manage keys", async () => {
    expect((await admin(UNGRANT, { id: user.id })).data).toEqual({ revokePermission: { user: { grants: [] } } });
    expect((await engineer(LIST)).codes).toEqual(["FORBIDDEN"]);
  });
});

it("Keys come in pages by signed cursors, the oldest first", async () => {
  const all = at((await admin(LIST)).data, "apiKeys", "nodes") as { id: string }[];
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { data } = await admin(LIST, { first: 2, after });
    seen.push(...(at(data, "apiKeys", "nodes") as { id: string }[]).map(({ id }) => id));
    after = at(data, "apiKeys", "pageInfo", "nextCursor") as string | null;
  } while (after !== null);
  expect(seen).toEqual(all.map(({ id }) => id));
  expect(seen.length).toBeGreaterThan(2);
  expect((await admin(LIST, { after: "x.y" })).codes).toEqual(["BAD_REQUEST"]);
});
