/** The guard, tried on every REST route, root field of GraphQL and tool. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { revokeApiKey } from "../../src/auth/api-keys.ts";
import type { Requirement } from "../../src/auth/permissions.ts";
import { revokeToken } from "../../src/auth/revocation.ts";
import { setAllowlist, setRateLimit } from "../../src/auth/security-settings.ts";
import { revokeClientSecret, rotateClientSecret, setAccountDisabled } from "../../src/auth/service-accounts.ts";
import { grantPermission, changeUser } from "../../src/auth/users.ts";
import type { Scope } from "../../src/metadata/records.ts";
import { DAY_MS } from "../support/clock.ts";
import { atDepth } from "../support/depth.ts";
import { ALL_SCOPES, type Asked, bearer, type GuardBench, openGuardBench, RATE_LIMIT } from "../support/guard-bench.ts";
import { EXEMPT, GUARDED, PUBLIC, type Target, tokenRequest } from "../support/guard-targets.ts";
import { adminOf } from "../support/oauth.ts";
import { present } from "../support/present.ts";
import type { RawAnswer } from "../support/raw-http.ts";
import { at, type Json, keysOf } from "../support/rest-client.ts";
import { writeSmallCatalog } from "../support/small-catalog.ts";

let bench: GuardBench;
beforeAll(async () => {
  bench = await openGuardBench();
});
afterAll(async () => {
  const things = GUARDED.length + EXEMPT.length + PUBLIC.length + 1;
  console.log(`guard matrix: ${bench.countSent()} requests to ${things} routes, pages, root fields and tools`);
  await bench.running.close();
});

/** Null if the body is not JSON. */
function jsonOf({ body, headers }: RawAnswer): Json {
  return headers["content-type"]?.includes("json") ? JSON.parse(body) : null;
}

/** What the Model Context Protocol adds to a challenge. */
const METADATA = / scope="read", resource_metadata="[^"]+"$/;

/** The parts of an answer that the guard decides. */
function seenIn(answer: RawAnswer) {
  const { status, headers } = answer;
  const body = jsonOf(answer);
  return {
    status,
    error: at(body, "error"),
    keys: keysOf(body)?.join(" "),
    challenge: headers["www-authenticate"]?.replace(METADATA, ""),
    retryAfter: headers["retry-after"],
    limit: headers["x-ratelimit-limit"],
    remaining: headers["x-ratelimit-remaining"],
    cache: headers["cache-control"],
    named: /^[0-9a-f-]{36}$/.test(headers["x-request-id"] ?? ""),
  };
}

/** The expected form of a refusal. */
function refusal(status: number, error: string, more: Partial<ReturnType<typeof seenIn>> = {}) {
  const challenge = status === 401 ? "Bearer" : undefined;
  return { status, error, keys: "error message", challenge, cache: "no-store", named: true, ...more };
}

/** Text that is equal for equal objects, whatever the order of their keys. */
function toText(value: object): string {
  return JSON.stringify(value, Object.keys(value).toSorted());
}

/** The names of the targets with another answer than expected, with that answer. */
async function differing(
  targets: readonly Target[],
  expected: object | ((target: Target) => object),
  see: (target: Target) => Promise<object>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const target of targets) {
    const seen = await see(target);
    const wanted = typeof expected === "function" ? expected(target) : expected;
    if (toText(seen) !== toText(wanted)) wrong.push(`${target.name}: ${toText(seen)}`);
  }
  return wrong;
}

/** One target of each kind and requirement. */
const ONE_OF_EACH = [...Map.groupBy(GUARDED, ({ kind, requirement }) => `${kind} ${requirement}`).values()].map(
  ([first]) => present(first),
);

/** The targets for every form of a header and every invalid token. All other tests use all targets. */
const TRIED = atDepth(ONE_OF_EACH, GUARDED);

/** Sends the same header to targets, and expects the same refusal. */
const refusedBy = (asked: Asked, expected: object, targets: readonly Target[] = GUARDED): Promise<string[]> =>
  differing(targets, expected, async (target) => seenIn(await bench.ask(target, asked)));

describe("Without a token", () => {
  test("Without a token, only open targets answer", async () => {
    expect(await refusedBy({ authorization: "" }, refusal(401, "unauthorized"))).toEqual([]);
  });

  test("Open targets answer whatever the header says", async () => {
    for (const authorization of ["", bearer("svc_live_nobody"), "Authorization: nonsense\r\n"]) {
      const wrong = await differing([...EXEMPT, ...PUBLIC], { status: 200 }, async (target) => {
        const { status } = await bench.ask(target, { authorization });
        return { status };
      });
      expect(wrong).toEqual([]);
    }
  });
});

describe("A malformed header", () => {
  const malformed = refusal(401, "invalid_auth_header");

  test.each([
    ["without Bearer", (token: string) => token],
    ["of another scheme", (token: string) => `Basic ${token}`],
    ["with bearer", (token: string) => `bearer ${token}`],
    ["with BEARER", (token: string) => `BEARER ${token}`],
    ["with two spaces", (token: string) => `Bearer  ${token}`],
    ["with a tab", (token: string) => `Bearer\t${token}`],
    ["with a quoted token", (token: string) => `Bearer "${token}"`],
    ["with everything quoted", (token: string) => `"Bearer ${token}"`],
    ["with single quotes", (token: string) => `Bearer '${token}'`],
    ["with a colon", (token: string) => `Bearer: ${token}`],
    ["without a space", (token: string) => `Bearer${token}`],
    ["without a token", () => "Bearer"],
    ["that is empty", () => ""],
    ["with two tokens", (token: string) => `Bearer ${token} ${token}`],
    ["with a list", (token: string) => `Bearer ${token}, Bearer ${token}`],
    ["with a letter that no token has", (token: string) => `Bearer ${token}\u00e9`],
    ["that comes twice", (token: string) => `Bearer ${token}\r\nAuthorization: Bearer ${token}`],
  ])("A malformed header is refused: %s", async (_what, write) => {
    const header = write(await bench.tokenOf(bench.home));
    expect(await refusedBy({ authorization: `Authorization: ${header}\r\n` }, malformed, TRIED)).toEqual([]);
  });

  test.each([
    ["with a line break before the token", (token: string) => `Bearer \r\n${token}`],
    ["folded", (token: string) => `Bearer\r\n ${token}`],
    ["with a carriage return", (token: string) => `Bearer ${token}\rx`],
    ["with a line feed", (token: string) => `Bearer ${token}\nx`],
    ["with a NUL", (token: string) => `Bearer ${token}\0`],
  ])("A malformed header that Node's parser refuses gets the same error: %s", async (_what, write) => {
    const token = await bench.tokenOf(bench.home);
    const authorization = `Authorization: ${write(token)}\r\n`;
    const wrong = await differing([...TRIED, ...EXEMPT], malformed, async (target) => {
      const answer = await bench.ask(target, { authorization });
      // The parser does not see X-Forwarded-For, so the proxy itself would be locked out.
      await bench.ask(present(GUARDED[0]), { authorization: bearer(token), source: null });
      return seenIn(answer);
    });
    expect(wrong).toEqual([]);
  });
});

describe("tokens that are no longer valid", () => {
  const DEAD: Record<string, () => Promise<string>> = {
    "that is unknown": () => Promise.resolve(`svc_live_${"x".repeat(32)}`),
    "that is no token": () => Promise.resolve("password"),
    "that only begins like a key": async () => `${(await bench.tokenOf(bench.home)).slice(0, -1)}!`.replace("!", "~"),
    "that is a revoked key": async () => {
      const { key, token } = await bench.createKey(bench.home, ALL_SCOPES);
      await revokeApiKey(bench.parts, bench.home, key.id);
      return token;
    },
    "that is a revoked access token": async () => {
      const token = await (await bench.addClient("revoked")).issue();
      await revokeToken(bench.parts, bench.home, await bench.idOf(token));
      return token;
    },
    "that is an expired key": async () => {
      const { token } = await bench.createKey(bench.home, ALL_SCOPES, { expiresInDays: 30 });
      bench.clock.advance(30 * DAY_MS);
      return token;
    },
    "that is an expired access token": async () => {
      const token = await (await bench.addClient("expired")).issue();
      bench.clock.advance(3_600_000);
      return token;
    },
    "whose user is disabled": async () => {
      const user = await bench.addUser("disabled@example.com", "admin");
      const token = await bench.tokenOf(user);
      await changeUser(bench.parts, bench.home, { id: user.userId, disabled: true });
      return token;
    },
    "whose account is disabled": async () => {
      const client = await bench.addClient("disabled");
      const token = await client.issue();
      await setAccountDisabled(bench.parts, bench.home, { id: client.accountId, disabled: true });
      return token;
    },
    "that is a key of a disabled account": async () => {
      const client = await bench.addClient("disabled too");
      const token = await bench.tokenOf(client.by);
      await setAccountDisabled(bench.parts, bench.home, { id: client.accountId, disabled: true });
      return token;
    },
  };

  test.each(Object.keys(DEAD))("A token gets the same refusal as an invented one: %s", async (what) => {
    const token = await present(DEAD[what])();
    const unknown = await bench.ask(present(GUARDED[0]), { authorization: bearer("svc_at_nobody") });
    const expected = { ...refusal(401, "unauthorized"), body: unknown.body };
    const wrong = await differing(TRIED, expected, async (target) => {
      const answer = await bench.ask(target, { authorization: bearer(token) });
      return { ...seenIn(answer), body: answer.body };
    });
    expect(wrong).toEqual([]);
  });
});

/** Sets of scopes that are not enough, and the smallest that is. */
const SCOPES_FOR: Record<Requirement, { short: Scope[][]; enough: Scope[] }> = {
  nothing: { short: [], enough: ["read"] },
  token: { short: [], enough: ["write"] },
  // The tokens of `home` belong to an admin.
  self: { short: [["read"], ["read", "write"], ["admin"]], enough: ["read", "write", "admin"] },
  read: { short: [["write", "admin"]], enough: ["read"] },
  write: { short: [["read", "admin"]], enough: ["write"] },
  admin: { short: [["read", "write"]], enough: ["admin"] },
  "api:manage": { short: [["read"], ["write"], ["read", "write"]], enough: ["admin"] },
  // The admin of `home` is a person. Other tests cover what else is needed beside the scope.
  "metrics:certify": { short: [["read", "admin"]], enough: ["write"] },
};

/** The guard's decision: the status, and in GraphQL the error of the field. */
async function decisionOf(target: Target, token: string) {
  const answer = await bench.ask(target, { authorization: bearer(token) });
  const body = jsonOf(answer);
  const error = target.kind === "graphql" ? at(body, "errors", 0, "extensions", "code") : at(body, "error");
  return {
    status: answer.status,
    error,
    tellsNothing: Object.values(at(body, "data") ?? {}).every((value) => value === null),
    limit: answer.headers["x-ratelimit-limit"],
  };
}

function forbidden({ kind }: Target): Awaited<ReturnType<typeof decisionOf>> {
  const limit = String(RATE_LIMIT);
  const answer = kind === "graphql" ? { status: 200, error: "FORBIDDEN" } : { status: 403, error: "forbidden" };
  return { ...answer, tellsNothing: true, limit };
}

describe("A token", () => {
  test("A token without the scope is forbidden", async () => {
    const wrong: string[] = [];
    for (const target of GUARDED) {
      for (const scopes of SCOPES_FOR[target.requirement].short) {
        const token = await bench.tokenOf(bench.home, scopes);
        wrong.push(...(await differing([target], forbidden, (it) => decisionOf(it, token))));
      }
    }
    expect(wrong).toEqual([]);
  });

  test("A token that lost its scopes with its creator's role is forbidden", async () => {
    const user = await bench.addUser("demoted@example.com", "admin");
    const token = await bench.tokenOf(user);
    await changeUser(bench.parts, bench.home, { id: user.userId, role: "analyst" });
    const beyond = GUARDED.filter(({ requirement }) =>
      ["write", "admin", "api:manage", "metrics:certify"].includes(requirement),
    );
    expect(await differing(beyond, forbidden, (target) => decisionOf(target, token))).toEqual([]);
  });

  test("A token with just the scope is accepted, and gets its rate limit", async () => {
    const open = await bench.openWorkspace("let-in");
    const wrong: string[] = [];
    for (const target of GUARDED) {
      const token = await bench.tokenOf(open, SCOPES_FOR[target.requirement].enough);
      const { status, error, limit } = await decisionOf(target, token);
      const refused = [401, 403, 429].includes(status) || error === "forbidden";
      if (refused || limit === undefined) wrong.push(`${target.name}: ${status} ${String(error)}`);
    }
    expect(wrong).toEqual([]);
  });

  test("A token with all scopes of its creator's role manages keys if that was granted", async () => {
    const user = await bench.addUser("granted@example.com", "engineer");
    await grantPermission(bench.parts, bench.home, { id: user.userId, permission: "api:manage" });
    const token = await bench.tokenOf(user, ["read", "write"]);
    const mine = GUARDED.find(({ name }) => name === "Query.apiKeys");
    expect(await decisionOf(present(mine), token)).toMatchObject({ error: undefined, tellsNothing: false });
  });
});

/** One id of each kind in the workspace `default`, and tokens that are valid there. */
async function writeForeign() {
  const { app } = bench.running;
  const admin = await adminOf(app);
  const catalog = await writeSmallCatalog(bench.running);
  const sync = await app.syncs.trigger({ workspaceId: catalog.workspace.id, connectorId: catalog.connector });
  const client = await bench.addClient("foreign", admin);
  const [[secret] = []] = await app.metadata.accounts.loadSecrets(catalog.workspace.id, [client.accountId]);
  const access = await client.issue();
  const { key, token } = await bench.createKey(admin, ALL_SCOPES);
  const ids = {
    model: catalog.model,
    metric: catalog.certified,
    connector: catalog.connector,
    sync: sync.id,
    key: key.id,
    account: client.accountId,
    secret: present(secret).id,
    token: await bench.idOf(access),
    user: admin.actor.id,
  };
  return { ids, tokens: [access, token] };
}

/** An unknown id of the same form. */
function nowhereLike(id: string): string {
  return id.replaceAll(/[0-9a-z](?![a-z]*_)/gi, "0");
}

describe("ids of other workspaces", () => {
  test("An id of another workspace gets the same answer as an unknown id, and nothing is changed", async () => {
    const { ids, tokens } = await writeForeign();
    for (const id of Object.values(ids)) expect(nowhereLike(id)).not.toBe(id);
    const token = await bench.tokenOf(bench.home);
    const wrong: string[] = [];
    for (const target of GUARDED.filter(({ takesId }) => takesId)) {
      const unknown = new Set<string>();
      for (const [noun, id] of Object.entries(ids)) {
        const see = async (asked: string) => {
          const answer = await bench.ask(target, { authorization: bearer(token), id: asked });
          return `${answer.status} ${answer.body.replaceAll(asked, "ID")}`;
        };
        const seen = await see(id);
        if (!unknown.has(seen)) {
          unknown.add(await see(nowhereLike(id)));
        }
        if (!unknown.has(seen)) wrong.push(`${noun} by ${target.name}: ${seen}`);
        if (target.kind === "rest" && !seen.startsWith("404 ")) wrong.push(`${target.name}: ${seen}`);
      }
    }
    expect(wrong).toEqual([]);
    for (const foreign of tokens) {
      const { status } = await bench.ask(present(GUARDED[0]), { authorization: bearer(foreign) });
      expect(status).toBe(200);
    }
  });

  test("An id of the caller's own workspace is found", async () => {
    const admin = await adminOf(bench.running.app);
    const { workspace } = admin;
    const { items } = await bench.running.app.metadata.connectors.list(workspace.id, { after: null, limit: 1 });
    const status = present(GUARDED.find(({ name }) => name.endsWith("/status")));
    const asked = { authorization: bearer(await bench.tokenOf(admin)), id: present(items[0]).id };
    expect((await bench.ask(status, asked)).status).toBe(200);
  });
});

test("Beyond the rate limit, everything is refused until requests are possible again", async () => {
  const origin = await bench.openWorkspace("limited");
  await setRateLimit(bench.parts, origin, 1);
  const authorization = bearer(await bench.tokenOf(origin));
  await bench.ask(present(GUARDED[0]), { authorization });
  const expected = refusal(429, "rate_limited", { retryAfter: "60", limit: "1", remaining: "0" });
  expect(await refusedBy({ authorization }, expected)).toEqual([]);
});

test("Everything is forbidden from an address outside the workspace's allowlist", async () => {
  const origin = await bench.openWorkspace("walled");
  await setAllowlist(bench.parts, origin, ["192.0.2.0/24", "2001:db8::/32"]);
  const authorization = bearer(await bench.tokenOf(origin));
  const expected = refusal(403, "forbidden", { limit: String(RATE_LIMIT), remaining: String(RATE_LIMIT) });
  expect(await refusedBy({ authorization }, expected)).toEqual([]);
  for (const source of ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8::7"]) {
    expect((await bench.ask(present(GUARDED[0]), { authorization, source })).status).toBe(200);
  }
});

test("A locked-out source is refused everywhere except at health, whatever token it has", async () => {
  const source = "203.0.113.9";
  const authorization = bearer(await bench.tokenOf(bench.home));
  const [first] = GUARDED;
  for (let time = 0; time < 20; time++) await bench.ask(present(first), { authorization: bearer("nobody"), source });

  const expected = refusal(429, "rate_limited", { keys: "error message details", retryAfter: "900" });
  const see = async (target: Target) => seenIn(await bench.ask(target, { authorization, source }));
  expect(await differing([...GUARDED, ...PUBLIC], expected, see)).toEqual([]);
  for (const target of EXEMPT) expect((await bench.ask(target, { authorization, source })).status).toBe(200);
});

describe("The token endpoint", () => {
  const GRANT = { grant_type: "client_credentials" };
  const inForm = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
    tokenRequest({ ...GRANT, client_id: clientId, client_secret: clientSecret });
  const invalidClient = refusal(401, "invalid_client", {
    keys: "error error_description message",
    challenge: 'Basic realm="tributary"',
  });

  const UNKNOWN: Record<string, () => Promise<[Target, Asked?]>> = {
    "shows no credentials": async () => [tokenRequest(GRANT)],
    "is unknown": async () => [inForm({ clientId: "cli_nobody", clientSecret: "svc_cs_nothing" })],
    "has a wrong secret": async () => [inForm({ ...(await bench.addClient("wrong")), clientSecret: "svc_cs_nothing" })],
    "shows a bearer token": async () => [
      tokenRequest(GRANT),
      { authorization: bearer(await bench.tokenOf(bench.home)) },
    ],
    "shows malformed Basic credentials": async () => [
      tokenRequest(GRANT),
      { authorization: "Authorization: Basic !\r\n" },
    ],
    "is disabled": async () => {
      const client = await bench.addClient("no longer");
      await setAccountDisabled(bench.parts, bench.home, { id: client.accountId, disabled: true });
      return [inForm(client)];
    },
    "shows a secret that was rotated away": async () => {
      const client = await bench.addClient("rotated");
      const { workspace } = bench.home;
      const [[old] = []] = await bench.parts.store.accounts.loadSecrets(workspace.id, [client.accountId]);
      await rotateClientSecret(bench.parts, bench.home, client.accountId);
      await revokeClientSecret(bench.parts, bench.home, present(old).id);
      return [inForm(client)];
    },
  };

  test.each(Object.keys(UNKNOWN))("The token endpoint refuses a client that %s", async (what) => {
    const [target, asked] = await present(UNKNOWN[what])();
    expect(seenIn(await bench.ask(target, asked))).toEqual(invalidClient);
  });

  test("The token endpoint gives a known client a token, unless its address is outside the allowlist or locked out", async () => {
    const walled = await bench.openWorkspace("walled-clients");
    const client = inForm(await bench.addClient("known", walled));
    await setAllowlist(bench.parts, walled, ["192.0.2.0/24"]);
    expect((await bench.ask(client, { source: "192.0.2.9" })).status).toBe(200);
    const keys = "error error_description message";
    expect(seenIn(await bench.ask(client))).toEqual(refusal(403, "forbidden", { keys }));

    for (let time = 0; time < 20; time++) await bench.ask(tokenRequest(GRANT), { source: "192.0.2.9" });
    const locked = refusal(429, "rate_limited", { keys: `${keys} details`, retryAfter: "900" });
    expect(seenIn(await bench.ask(client, { source: "192.0.2.9" }))).toEqual(locked);
  });
});
