import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createApiKey } from "../../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../../src/auth/origin.ts";
import { createServiceAccount } from "../../../src/auth/service-accounts.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { at, createRestClient } from "../../support/rest-client.ts";

const USERS = `{ people { nodes { id email role grants disabled disabledAt } } }`;
const CREATE_USER = `mutation ($email: EmailAddress!, $role: Role!) {
  createUser(input: { email: $email, role: $role }) { user { id role grants } }
}`;
const SET_ROLE = `mutation ($id: ID!, $role: Role!) { changePerson(input: { userId: $id, role: $role }) { person { role } } }`;
const SET_DISABLED = `mutation ($id: ID!, $disabled: Boolean!) { 
  changePerson(input: { userId: $id, disabled: $disabled }) { person { disabledAt } }
 }`;
const SETTINGS = `{ securitySettings { rateLimitPerMinute allowlist maxTokenLifetimeSeconds } }`;
const SET_LIMIT = `mutation ($n: Int!) { setRateLimit(input: { perMinute: $n }) { securitySettings { rateLimitPerMinute } } }`;
const SET_ALLOWLIST = `mutation ($cidrs: [String!]!) { setAllowlist(input: { cidrs: $cidrs }) { securitySettings { allowlist } } }`;
const SET_LIFETIME = `mutation ($seconds: Int) { 
  setMaxTokenLifetime(input: { seconds: $seconds }) { securitySettings { maxTokenLifetimeSeconds } }
 }`;
const FORECAST = `query ($seconds: Int!) {
  lifetimeForecast(seconds: $seconds) { endNow { apiKeys accessTokens } endSooner { apiKeys accessTokens } firstEnd }
}`;
const AUDIT = `query ($action: AuditAction, $first: Int! = 50, $after: String) {
  auditEvents(action: $action, first: $first, after: $after) {
    nodes { action actor source subject details at }
    pageInfo { nextCursor }
  }
}`;

let running: RunningApp;
let admin: GraphqlClient;
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
});
afterAll(() => running.close());

/** The newest event of an action. */
async function newest(action: string): Promise<unknown> {
  return at((await admin(AUDIT, { action, first: 1 })).data, "auditEvents", "nodes", 0);
}

it("The viewer and their rights are answered even to a token with only the scope write", async () => {
  const query = `{ viewer { kind name scopes mayManageKeys workspaceName } }`;
  expect((await admin(query)).data).toMatchObject({
    viewer: { kind: "user", scopes: ["read", "write", "admin"], mayManageKeys: true, workspaceName: "default" },
  });
  const writer = createGraphqlClient({ url: running.url, token: await running.createToken(["write"]) });
  expect((await writer(query)).data).toMatchObject({ viewer: { scopes: ["write"], mayManageKeys: false } });
  expect((await createGraphqlClient({ url: running.url, token: "none" })(query)).codes).toEqual(["unauthorized"]);
});

describe("a user", () => {
  it("A user is added once, changed and listed", async () => {
    const { data } = await admin(CREATE_USER, { email: "ada@example.com", role: "engineer" });
    expect(data).toMatchObject({ createUser: { user: { role: "engineer", grants: [] } } });
    const id = at(data, "createUser", "user", "id");
    expect((await admin(CREATE_USER, { email: "ada@example.com", role: "analyst" })).codes).toEqual(["CONFLICT"]);
    expect((await admin(CREATE_USER, { email: "ada", role: "analyst" })).codes).toEqual(["BAD_REQUEST"]);

    expect((await admin(SET_ROLE, { id, role: "analyst" })).data).toEqual({
      changePerson: { person: { role: "analyst" } },
    });
    expect(await newest("user_changed")).toMatchObject({ subject: id });
    await admin(SET_DISABLED, { id, disabled: true });
    const users = at((await admin(USERS)).data, "people", "nodes");
    expect(users).toMatchObject([{ role: "admin" }, { id, role: "analyst", disabledAt: expect.any(String) }]);
    await admin(SET_DISABLED, { id, disabled: false });
    expect(at((await admin(USERS)).data, "people", "nodes", 1)).toMatchObject({ id, disabledAt: null });
  });

  it("The last active admin can be neither demoted nor disabled", async () => {
    const id = at((await admin(USERS)).data, "people", "nodes", 0, "id");
    expect((await admin(SET_ROLE, { id, role: "engineer" })).codes).toEqual(["CONFLICT"]);
    expect((await admin(SET_DISABLED, { id, disabled: true })).codes).toEqual(["CONFLICT"]);
    expect((await admin(USERS)).codes).toEqual([]);
  });
});

describe("the security settings", () => {
  it("The security settings begin as the specification says", async () => {
    expect((await admin(SETTINGS)).data).toEqual({
      securitySettings: { rateLimitPerMinute: 1_000, allowlist: [], maxTokenLifetimeSeconds: null },
    });
  });

  it("A new rate limit applies from the next request on", async () => {
    expect((await admin(SET_LIMIT, { n: 321 })).data).toEqual({
      setRateLimit: { securitySettings: { rateLimitPerMinute: 321 } },
    });
    const { headers } = await createRestClient(running)("/api/v1/catalog/assets");
    expect(headers.get("x-ratelimit-limit")).toBe("321");
    expect(await newest("setting_changed")).toMatchObject({ source: "127.0.0.1" });
    for (const n of [0, 10_001]) expect((await admin(SET_LIMIT, { n })).codes).toEqual(["BAD_REQUEST"]);
  });

  it("An allowlist without the sender's own address is refused", async () => {
    const refused = await admin(SET_ALLOWLIST, { cidrs: ["203.0.113.0/24"] });
    expect(refused.codes).toEqual(["CONFLICT"]);
    expect(refused.message).toContain("127.0.0.1");
    expect((await admin(SET_ALLOWLIST, { cidrs: ["203.0.113.7"] })).codes).toEqual(["BAD_REQUEST"]);
    const taken = (await admin(SET_ALLOWLIST, { cidrs: ["127.0.0.9/8", "2001:db8::/32"] })).data;
    expect(taken).toEqual({
      setAllowlist: { securitySettings: { allowlist: ["127.0.0.0/8", "2001:db8::/32"] } },
    });
    expect((await admin(SET_ALLOWLIST, { cidrs: [] })).data).toEqual({
      setAllowlist: { securitySettings: { allowlist: [] } },
    });
  });

  it("A bound on the lifetime of tokens shows its effect before it is set", async () => {
    const { data } = await admin(FORECAST, { seconds: 86_400 });
    expect(data).toMatchObject({
      lifetimeForecast: { endNow: { apiKeys: 0 }, endSooner: { accessTokens: 0 }, firstEnd: expect.any(String) },
    });
    expect(at(data, "lifetimeForecast", "endSooner", "apiKeys")).toBeGreaterThan(0);
    expect((await admin(FORECAST, { seconds: 59 })).codes).toEqual(["BAD_REQUEST"]);
  });

  it("A bound on the lifetime of tokens applies to existing tokens, too", async () => {
    expect((await admin(SET_LIFETIME, { seconds: 86_400 })).data).toEqual({
      setMaxTokenLifetime: { securitySettings: { maxTokenLifetimeSeconds: 86_400 } },
    });
    const keys = at((await admin(`{ apiKeys { nodes { createdAt expiresAt } } }`)).data, "apiKeys", "nodes");
    for (const key of keys as { createdAt: string; expiresAt: string }[]) {
      expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBeLessThanOrEqual(86_400_000);
    }
    expect((await admin(SET_LIFETIME, { seconds: null })).codes).toEqual([]);
    expect((await admin(SET_LIFETIME, { seconds: 0 })).codes).toEqual(["BAD_REQUEST"]);
  });
});

describe("the audit trail", () => {
  it("Audit events are kept for the set time, and a shorter time shows first what it deletes", async () => {
    const forecast = "query ($days: Int!) { auditForecast(days: $days) { events hasMore oldest before } }";
    const set = "mutation ($days: Int) { setAuditRetention(input: { days: $days }) { auditRetention { days } } }";
    expect((await admin("{ auditRetention { days } }")).data).toEqual({ auditRetention: { days: null } });
    expect((await admin(forecast, { days: 7 })).data).toMatchObject({
      auditForecast: { events: 0, hasMore: false, oldest: null, before: expect.any(String) },
    });
    expect((await admin(forecast, { days: 6 })).codes).toEqual(["BAD_REQUEST"]);
    expect((await admin(set, { days: 6 })).codes).toEqual(["BAD_REQUEST"]);
    expect((await admin(set, { days: 90 })).data).toEqual({ setAuditRetention: { auditRetention: { days: 90 } } });
    expect(await newest("setting_changed")).toMatchObject({ source: "127.0.0.1" });
    expect((await admin("{ auditRetention { days } }")).data).toEqual({ auditRetention: { days: 90 } });
    expect((await admin(set, { days: null })).codes).toEqual([]);
  });

  it("Audit events come in pages, the newest first, with actor and source", async () => {
    const seen: { at: string; actor: string; source: string }[] = [];
    let after: unknown = null;
    do {
      const { data } = await admin(AUDIT, { first: 3, after });
      seen.push(...(at(data, "auditEvents", "nodes") as typeof seen));
      after = at(data, "auditEvents", "pageInfo", "nextCursor");
    } while (after !== null);
    expect(seen.length).toBeGreaterThan(6);
    expect(seen.map((event) => event.at)).toEqual(
      seen
        .map((event) => event.at)
        .toSorted()
        .toReversed(),
    );
    expect(seen[0]).toMatchObject({ actor: "admin@localhost.localdomain", source: "127.0.0.1" });
  });

  it("Audit events are filtered by actor, in any case, and by time", async () => {
    const filtered = `query ($actor: String, $since: DateTime, $until: DateTime) {
      auditEvents(actor: $actor, since: $since, until: $until) { nodes { actor at } }
    }`;
    const find = async (filter: object) =>
      at((await admin(filtered, { ...filter })).data, "auditEvents", "nodes") as { actor: string; at: string }[];
    const all = await find({ actor: "ADMIN@localhost.localdomain" });
    expect(new Set(all.map(({ actor }) => actor))).toEqual(new Set(["admin@localhost.localdomain"]));
    const moment = all[2]?.at ?? "";
    expect(await find({ actor: "nobody@example.com" })).toEqual([]);
    expect((await find({ since: moment })).every((event) => event.at >= moment)).toBe(true);
    const before = await find({ until: moment });
    expect(before.length).toBeGreaterThan(0);
    expect(before.every((event) => event.at < moment)).toBe(true);
  });

  it("A refusal because of a missing scope is an audit event", async () => {
    const reader = createGraphqlClient({ url: running.url, token: await running.createToken(["read"]) });
    expect((await reader(AUDIT)).codes).toEqual(["FORBIDDEN"]);
    expect(await newest("refused")).toMatchObject({ actor: "admin@localhost.localdomain", source: "127.0.0.1" });
  });
});

it("The users, settings and events of another workspace are not shown", async () => {
  const { metadata: store, clock, random } = running.app;
  const workspace = await store.workspaces.create({ name: "other", kind: "live" });
  const eve = await store.users.create({ workspaceId: workspace.id, email: "eve@example.com", role: "admin" });
  const [parts, origin] = [{ store, clock, random }, fromCommandLine(workspace, eve)];
  const request = { name: "eve's key", scopes: ["read"], expiresInDays: null, kind: "live" } as const;
  const { key } = await createApiKey(parts, origin, request);
  const { account } = await createServiceAccount(parts, origin, { name: "eve's account", role: "admin" });

  const lists = `{
    people { nodes { id email } } apiKeys { nodes { id name } } serviceAccounts { nodes { id name } }
    accessTokens(accountId: "${account.id}") { nodes { id } } auditEvents { nodes { actor subject } }
  }`;
  const seen = await admin(lists);
  expect(seen.codes).toEqual([]);
  expect(JSON.stringify(seen.data)).not.toMatch(new RegExp(`eve|${account.id}|${key.id}`));
  expect((await admin(SET_ROLE, { id: eve.id, role: "analyst" })).codes).toEqual(["NOT_FOUND"]);
  for (const change of [
    `revokeToken(input: { id: "${key.id}" }) { id }`,
    `revokeApiKey(input: { id: "${key.id}" }) { apiKey { id } }`,
    `setServiceAccountDisabled(input: { id: "${account.id}", disabled: true }) { serviceAccount { id } }`,
    `rotateClientSecret(input: { accountId: "${account.id}" }) { clientSecret }`,
  ]) {
    expect((await admin(`mutation { ${change} }`)).codes).toEqual(["NOT_FOUND"]);
  }
});

it("If all tokens are revoked, no token of the workspace stays valid, not even the admin's own", async () => {
  const token = await running.createToken(["read"]);
  const { data } = await admin(`mutation { revokeAllTokens { apiKeys accessTokens } }`);
  expect(at(data, "revokeAllTokens", "apiKeys")).toBeGreaterThan(1);
  expect((await admin(USERS)).codes).toEqual(["unauthorized"]);
  expect((await createRestClient({ url: running.url, token })("/api/v1/catalog/assets")).status).toBe(401);
});
