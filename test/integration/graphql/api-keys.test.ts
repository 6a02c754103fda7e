import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { at, createRestClient } from "../../support/rest-client.ts";

const CREATE = `mutation ($name: String!, $scopes: [Scope!]!, $days: Int, $test: Boolean! = false) {
  createApiKey(name: $name, scopes: $scopes, expiresInDays: $days, test: $test) {
    token
    apiKey { id name prefix scopes createdAt expiresAt revokedAt lastUsedAt createdBy { kind name } }
  }
}`;
const LIST = `query ($first: Int! = 50, $after: String) {
  apiKeys(first: $first, after: $after) { nodes { id name revokedAt lastUsedAt createdBy { name } } pageInfo { nextCursor } }
}`;
const RENAME = `mutation ($id: ID!, $name: String!) { renameApiKey(id: $id, name: $name) { name } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(id: $id) { revokedAt } }`;

let running: RunningApp;
let admin: GraphqlClient;
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
});
afterAll(() => running.close());

/** The status of a request for assets, for which a token needs the scope `read`. */
async function read(token: string): Promise<number> {
  return (await createRestClient({ url: running.url, token })("/api/v1/catalog/assets")).status;
}

const clientOf = (token: string): GraphqlClient => createGraphqlClient({ url: running.url, token });

/** Creates a key as the given client; answers its id and token. */
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
  it("opens the REST API at once, and is shown once", async () => {
    const { data } = await admin(CREATE, { name: "etl", scopes: ["read"], days: 30 });
    const { token, apiKey } = at(data, "createApiKey") as { token: string; apiKey: Record<string, unknown> };
    expect(token).toMatch(/^svc_live_[A-Za-z0-9]{32}$/);
    expect(apiKey).toMatchObject({ name: "etl", scopes: ["read"], revokedAt: null, createdBy: { kind: "user" } });
    expect(Date.parse(String(apiKey["expiresAt"])) - Date.parse(String(apiKey["createdAt"]))).toBe(30 * 86_400_000);
    expect(token.startsWith(String(apiKey["prefix"]))).toBe(true);
    expect(await read(token)).toBe(200);
    expect(JSON.stringify((await admin(LIST)).data)).not.toContain(token);
  });

  it("is renamed", async () => {
    const { id } = await createKey(admin, "before", ["read"]);
    expect((await admin(RENAME, { id, name: "after" })).data).toEqual({ renameApiKey: { name: "after" } });
    expect(JSON.stringify((await admin(LIST)).data)).toContain('"after"');
  });

  it("is refused at once when it is revoked, which may be said twice", async () => {
    const { id, token } = await createKey(admin, "short", ["read"]);
    expect(await read(token)).toBe(200);
    const revoked = (await admin(REVOKE, { id })).data;
    expect(at(revoked, "revokeApiKey", "revokedAt")).toEqual(expect.any(String));
    expect(await read(token)).toBe(401);
    expect((await admin(REVOKE, { id })).data).toEqual(revoked);
  });

  it.each([
    ["no name", { name: " ", scopes: ["read"] }, "bad_request", /name/],
    ["no scope", { name: "n", scopes: [] }, "bad_request", /scope/],
    ["an expiry that is none of the three", { name: "n", scopes: ["read"], days: 31 }, "bad_request", /30, 90, 365/],
    ["a test key for a live workspace", { name: "n", scopes: ["read"], test: true }, "bad_request", /sandbox/],
  ])("is not made with %s", async (_case, variables, code, message) => {
    const refused = await admin(CREATE, variables);
    expect(refused.codes).toEqual([code]);
    expect(refused.message).toMatch(message);
  });
});

it("pages the keys, the oldest first, by signed cursors", async () => {
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
  expect((await admin(LIST, { after: "x.y" })).codes).toEqual(["bad_request"]);
});
