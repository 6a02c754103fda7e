import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createApiKey } from "../../../src/auth/api-keys.ts";
import { setAllowlist } from "../../../src/auth/security-settings.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { adminOf, authPartsOf, createOauthClient, postForm } from "../../support/oauth.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";

let running: RunningApp;
let ask: RestClient;
beforeAll(async () => {
  running = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1/32,10.0.0.0/8" } });
  ask = createRestClient(running);
});
afterAll(() => running.close());

async function allow(...cidrs: string[]): Promise<void> {
  await setAllowlist(authPartsOf(running.app), await adminOf(running.app), cidrs);
}

async function statusFrom(source: string | null, path = "/api/v1/metrics"): Promise<number> {
  return (await ask(path, { headers: source === null ? {} : { "x-forwarded-for": source } })).status;
}

describe("A workspace's allowlist", () => {
  test.each([
    ["203.0.113.0/24", "203.0.113.255", 200],
    ["203.0.113.0/24", "203.0.114.0", 403],
    ["203.0.113.0/24", "::ffff:203.0.113.7", 200],
    ["::ffff:203.0.113.0/120", "203.0.113.7", 200],
    ["203.0.113.7/32", "203.0.113.7", 200],
    ["203.0.113.7/32", "203.0.113.8", 403],
    ["2001:db8::/32", "2001:db8:ffff::1", 200],
    ["2001:db8::/32", "2001:db9::1", 403],
    ["2001:db8::/32", "203.0.113.7", 403],
    ["0.0.0.0/0", "2001:db8::1", 403],
    ["203.0.113.0/24", "203.0.113.7, 10.0.0.1", 200],
    ["203.0.113.0/24", "203.0.113.7, 198.51.100.1", 403],
    ["203.0.113.0/24", "unknown", 403],
  ])("An allowlist of %s answers %s with %i", async (cidr, source, status) => {
    await allow("192.0.2.0/24", cidr);
    expect(await statusFrom(source)).toBe(status);
  });

  test.each([
    ["203.0.113.0/24", "203.0.113.255", 200],
    ["203.0.113.0/24", "203.0.114.0", 403],
    ["2001:db8::/32", "2001:db8:ffff::1", 200],
    ["2001:db8::/32", "203.0.113.7", 403],
  ])("A key for the network %s answers %s with %i, and other keys go on", async (cidr, source, status) => {
    await allow();
    const request = { name: "office", scopes: ["read"], expiresInDays: null, kind: "live", networks: [cidr] } as const;
    const { token } = await createApiKey(authPartsOf(running.app), await adminOf(running.app), request);
    const headers = { "x-forwarded-for": source };
    expect((await ask("/api/v1/metrics", { authorization: `Bearer ${token}`, headers })).status).toBe(status);
    expect(await statusFrom(source)).toBe(200);
    await allow("198.51.100.0/24");
    expect((await ask("/api/v1/metrics", { authorization: `Bearer ${token}`, headers })).status).toBe(403);
  });

  test("An empty allowlist admits every address", async () => {
    await allow();
    expect(await statusFrom("198.51.100.1")).toBe(200);
    expect(await statusFrom(null)).toBe(200);
  });

  test("The allowlist applies before the route is found, and to every path that needs a token", async () => {
    await allow("203.0.113.0/24");
    for (const path of ["/api/v1/nonsense", "/api/v1/metrics/none"]) expect(await statusFrom(null, path)).toBe(403);
    const answer = await ask("/graphql", { method: "POST", body: '{"query":"{ __typename }"}' });
    expect([answer.status, answer.body]).toEqual([403, { error: "forbidden", message: expect.any(String) }]);
    expect(await statusFrom(null, "/health")).toBe(200);
    expect(await statusFrom(null, "/docs")).toBe(200);
  });

  test("A request with an invalid token does not learn of the allowlist", async () => {
    await allow("203.0.113.0/24");
    expect((await ask("/api/v1/metrics", { authorization: "Bearer svc_live_nobody" })).status).toBe(401);
  });

  test("The allowlist applies at the token endpoint", async () => {
    await allow("203.0.113.0/24");
    const { clientId, clientSecret } = await createOauthClient(running.app, "analyst");
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const refused = await postForm(running.url, form);
    expect([refused.status, refused.body["error"]]).toEqual([403, "forbidden"]);
    expect((await postForm(running.url, form, { "x-forwarded-for": "203.0.113.7" })).status).toBe(200);
  });
});

test("X-Forwarded-For does not pass the allowlist if the peer is no trusted proxy", async () => {
  const direct = await startApp();
  try {
    await setAllowlist(authPartsOf(direct.app), await adminOf(direct.app), ["203.0.113.0/24"]);
    const headers = { "x-forwarded-for": "203.0.113.7" };
    expect((await createRestClient(direct)("/api/v1/metrics", { headers })).status).toBe(403);
  } finally {
    await direct.close();
  }
});
