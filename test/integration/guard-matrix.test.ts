/** The guard, tried in every way on everything that can be asked: each REST route, and each root field of GraphQL. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { issueAccessToken } from "../../src/auth/access-tokens.ts";
import { type ApiKeyRequest, createApiKey, revokeApiKey } from "../../src/auth/api-keys.ts";
import type { AuthParts } from "../../src/auth/change.ts";
import { fromCommandLine, type Origin } from "../../src/auth/origin.ts";
import type { Requirement } from "../../src/auth/permissions.ts";
import { revokeToken } from "../../src/auth/revocation.ts";
import { setAllowlist, setRateLimit } from "../../src/auth/security-settings.ts";
import { createServiceAccount, setAccountDisabled } from "../../src/auth/service-accounts.ts";
import { createUser, grantPermission, setUserDisabled, setUserRole } from "../../src/auth/users.ts";
import type { Role, Scope } from "../../src/metadata/records.ts";
import { establishWorkspace, getFirstAdmin } from "../../src/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { createTestClock, DAY_MS, type TestClock } from "../support/clock.ts";
import { EXEMPT, GUARDED, NOWHERE, PUBLIC, type Target } from "../support/guard-targets.ts";
import { adminOf, authPartsOf } from "../support/oauth.ts";
import { present } from "../support/present.ts";
import { type RawAnswer, sendRaw } from "../support/raw-http.ts";
import { at, type Json, keysOf } from "../support/rest-client.ts";
import { writeSmallCatalog } from "../support/small-catalog.ts";

const SCOPES = ["read", "write", "admin"] as const;
const MAX_RATE = 10_000;

let clock: TestClock;
let running: RunningApp;
let parts: AuthParts;
/** The workspace whose tokens are tried, by its admin. */
let home: Origin;

beforeAll(async () => {
  clock = createTestClock();
  // The tests speak for a proxy: every request may come from an address of its own.
  running = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1/32" }, overrides: { clock } });
  parts = authPartsOf(running.app);
  home = await openWorkspace("home");
});
afterAll(() => running.close());

async function openWorkspace(name: string): Promise<Origin> {
  const { metadata } = running.app;
  const workspace = await establishWorkspace(metadata, name, "live");
  const origin = fromCommandLine(workspace, await getFirstAdmin(metadata, workspace));
  await setRateLimit(parts, origin, MAX_RATE);
  return origin;
}

async function createKey(by: Origin, scopes: readonly Scope[], change: Partial<ApiKeyRequest> = {}) {
  return createApiKey(parts, by, { name: "key", scopes, expiresInDays: null, kind: "live", ...change });
}

async function tokenOf(by: Origin, scopes: readonly Scope[] = SCOPES): Promise<string> {
  return (await createKey(by, scopes)).token;
}

/** Someone who makes keys of their own. */
async function addUser(email: string, role: Role): Promise<Origin> {
  return fromCommandLine(home.workspace, await createUser(parts, home, { email, role }));
}

async function addClient(name: string): Promise<{ id: string; by: Origin; issue: () => Promise<string> }> {
  const { account, clientSecret } = await createServiceAccount(parts, home, { name, role: "admin" });
  const { id, clientId } = account;
  return {
    id,
    by: { ...home, actor: { kind: "account", id, name } },
    issue: async () => {
      const request = { clientId, clientSecret, scopes: null, source: "192.0.2.1" };
      return (await issueAccessToken(parts, request)).token;
    },
  };
}

/** The id of an access token or key, by the token itself. */
async function idOf(token: string): Promise<string> {
  const { credentials } = running.app.metadata;
  const prefix = token.slice(0, token.lastIndexOf("_") + 9);
  return present((await credentials.findKey(prefix)) ?? (await credentials.findAccessToken(prefix))).id;
}

let sent = 0;

interface Asked {
  /** Lines as they stand, with their line breaks. */
  authorization: string;
  id?: string;
  /** The address that the request is sent for; one of its own unless told. Null: the proxy's. */
  source?: string | null;
}

async function ask(target: Target, { authorization, id = NOWHERE, source }: Asked): Promise<RawAnswer> {
  sent += 1;
  const { line, body } = target.write(id);
  const address = source === undefined ? `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}` : source;
  const content = body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const forwarded = address === null ? "" : `X-Forwarded-For: ${address}\r\n`;
  return sendRaw(
    running.url,
    `${line} HTTP/1.1\r\nHost: x\r\n${forwarded}${content}${authorization}Connection: close\r\n\r\n${body}`,
  );
}

const bearer = (token: string): string => `Authorization: Bearer ${token}\r\n`;

/** Nothing at all where there is no body. */
function jsonOf({ body, headers }: RawAnswer): Json {
  return headers["content-type"]?.includes("json") ? JSON.parse(body) : null;
}

/** Everything about an answer that the guard decides on. */
function seenIn(answer: RawAnswer) {
  const { status, headers } = answer;
  const body = jsonOf(answer);
  return {
    status,
    error: at(body, "error"),
    keys: keysOf(body)?.join(" "),
    challenge: headers["www-authenticate"],
    retryAfter: headers["retry-after"],
    limit: headers["x-ratelimit-limit"],
    remaining: headers["x-ratelimit-remaining"],
    cache: headers["cache-control"],
    named: /^[0-9a-f-]{36}$/.test(headers["x-request-id"] ?? ""),
  };
}

/** A refusal as it must be seen. */
function refusal(status: number, error: string, more: Partial<ReturnType<typeof seenIn>> = {}) {
  const challenge = status === 401 ? "Bearer" : undefined;
  return { status, error, keys: "error message", challenge, cache: "no-store", named: true, ...more };
}

/** The same for objects that hold the same, in whatever order. */
function toText(value: object): string {
  return JSON.stringify(value, Object.keys(value).toSorted());
}

/** The names of the targets whose answer is not the expected one, with what was seen instead. */
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

/** Asks everything that is guarded with the same header, for the same refusal. */
const refusedBy = (asked: Asked, expected: object): Promise<string[]> =>
  differing(GUARDED, expected, async (target) => seenIn(await ask(target, asked)));

describe("Without a token", () => {
  test("nothing is answered but what is open", async () => {
    expect(await refusedBy({ authorization: "" }, refusal(401, "unauthorized"))).toEqual([]);
  });

  test("what is open is answered, whatever the header says", async () => {
    for (const authorization of ["", bearer("svc_live_nobody"), "Authorization: nonsense\r\n"]) {
      const wrong = await differing([...EXEMPT, ...PUBLIC], { status: 200 }, async (target) => {
        const { status } = await ask(target, { authorization });
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
  ])("%s", async (_what, write) => {
    const header = write(await tokenOf(home));
    expect(await refusedBy({ authorization: `Authorization: ${header}\r\n` }, malformed)).toEqual([]);
  });

  test.each([
    ["with a line break before the token", (token: string) => `Bearer \r\n${token}`],
    ["folded", (token: string) => `Bearer\r\n ${token}`],
    ["with a carriage return", (token: string) => `Bearer ${token}\rx`],
    ["with a line feed", (token: string) => `Bearer ${token}\nx`],
    ["with a NUL", (token: string) => `Bearer ${token}\0`],
  ])("%s, which Node's parser refuses", async (_what, write) => {
    const token = await tokenOf(home);
    const authorization = `Authorization: ${write(token)}\r\n`;
    const wrong = await differing([...GUARDED, ...EXEMPT], malformed, async (target) => {
      const answer = await ask(target, { authorization });
      // The parser tells no X-Forwarded-For: the proxy itself would be locked out.
      await ask(present(GUARDED[0]), { authorization: bearer(token), source: null });
      return seenIn(answer);
    });
    expect(wrong).toEqual([]);
  });
});

describe("A dead token is answered like one that never was", () => {
  const DEAD: Record<string, () => Promise<string>> = {
    "that is unknown": () => Promise.resolve(`svc_live_${"x".repeat(32)}`),
    "that is no token": () => Promise.resolve("password"),
    "that only begins like a key": async () => `${(await tokenOf(home)).slice(0, -1)}!`.replace("!", "~"),
    "that is a revoked key": async () => {
      const { key, token } = await createKey(home, SCOPES);
      await revokeApiKey(parts, home, key.id);
      return token;
    },
    "that is a revoked access token": async () => {
      const token = await (await addClient("revoked")).issue();
      await revokeToken(parts, home, await idOf(token));
      return token;
    },
    "that is an expired key": async () => {
      const { token } = await createKey(home, SCOPES, { expiresInDays: 30 });
      clock.advance(30 * DAY_MS);
      return token;
    },
    "that is an expired access token": async () => {
      const token = await (await addClient("expired")).issue();
      clock.advance(3_600_000);
      return token;
    },
    "whose user is disabled": async () => {
      const user = await addUser("disabled@example.com", "admin");
      const token = await tokenOf(user);
      await setUserDisabled(parts, home, { id: user.actor.id, disabled: true });
      return token;
    },
    "whose account is disabled": async () => {
      const client = await addClient("disabled");
      const token = await client.issue();
      await setAccountDisabled(parts, home, { id: client.id, disabled: true });
      return token;
    },
    "that is a key of a disabled account": async () => {
      const client = await addClient("disabled too");
      const token = await tokenOf(client.by);
      await setAccountDisabled(parts, home, { id: client.id, disabled: true });
      return token;
    },
  };

  test.each(Object.keys(DEAD))("%s", async (what) => {
    const token = await present(DEAD[what])();
    const unknown = await ask(present(GUARDED[0]), { authorization: bearer("svc_at_nobody") });
    const expected = { ...refusal(401, "unauthorized"), body: unknown.body };
    const wrong = await differing(GUARDED, expected, async (target) => {
      const answer = await ask(target, { authorization: bearer(token) });
      return { ...seenIn(answer), body: answer.body };
    });
    expect(wrong).toEqual([]);
  });
});

/** Which scopes are not enough, each by itself or together; and the least that is. */
const SCOPES_FOR: Record<Requirement, { short: Scope[][]; enough: Scope[] }> = {
  nothing: { short: [], enough: ["read"] },
  token: { short: [], enough: ["write"] },
  read: { short: [["write", "admin"]], enough: ["read"] },
  write: { short: [["read", "admin"]], enough: ["write"] },
  admin: { short: [["read", "write"]], enough: ["admin"] },
  "api:manage": { short: [["read"], ["write"], ["read", "write"]], enough: ["admin"] },
};

/** How the guard decided: REST by its status, GraphQL by the field's own error. */
async function decisionOf(target: Target, token: string) {
  const answer = await ask(target, { authorization: bearer(token) });
  const body = jsonOf(answer);
  const error = target.kind === "rest" ? at(body, "error") : at(body, "errors", 0, "extensions", "code");
  return {
    status: answer.status,
    error,
    tellsNothing: Object.values(at(body, "data") ?? {}).every((value) => value === null),
    limit: answer.headers["x-ratelimit-limit"],
  };
}

function forbidden({ kind }: Target): Awaited<ReturnType<typeof decisionOf>> {
  const limit = String(MAX_RATE);
  return { status: kind === "rest" ? 403 : 200, error: "forbidden", tellsNothing: true, limit };
}

describe("A token", () => {
  test("that lacks the scope is forbidden", async () => {
    const wrong: string[] = [];
    for (const target of GUARDED) {
      for (const scopes of SCOPES_FOR[target.requirement].short) {
        const token = await tokenOf(home, scopes);
        wrong.push(...(await differing([target], forbidden, (it) => decisionOf(it, token))));
      }
    }
    expect(wrong).toEqual([]);
  });

  test("that lost its scopes with its maker's role is forbidden", async () => {
    const user = await addUser("demoted@example.com", "admin");
    const token = await tokenOf(user);
    await setUserRole(parts, home, { id: user.actor.id, role: "analyst" });
    const beyond = GUARDED.filter(({ requirement }) => ["write", "admin", "api:manage"].includes(requirement));
    expect(await differing(beyond, forbidden, (target) => decisionOf(target, token))).toEqual([]);
  });

  test("that has just the scope is let in, and told where its limit stands", async () => {
    const open = await openWorkspace("let-in");
    const wrong: string[] = [];
    for (const target of GUARDED) {
      const token = await tokenOf(open, SCOPES_FOR[target.requirement].enough);
      const { status, error, limit } = await decisionOf(target, token);
      const refused = [401, 403, 429].includes(status) || error === "forbidden";
      if (refused || limit === undefined) wrong.push(`${target.name}: ${status} ${String(error)}`);
    }
    expect(wrong).toEqual([]);
  });

  test("manages keys by the scope write where its maker was granted that", async () => {
    const user = await addUser("granted@example.com", "engineer");
    await grantPermission(parts, home, { id: user.actor.id, permission: "api:manage" });
    const token = await tokenOf(user, ["write"]);
    const mine = GUARDED.find(({ name }) => name === "Query.apiKeys");
    expect(await decisionOf(present(mine), token)).toMatchObject({ error: undefined, tellsNothing: false });
  });
});

describe("What lies in another workspace", () => {
  /** One id of everything that has one, in the workspace `default`. */
  async function writeForeign() {
    const { app } = running;
    const admin = await adminOf(app);
    const catalog = await writeSmallCatalog(running);
    const sync = await app.syncs.trigger({ workspaceId: catalog.workspace.id, connectorId: catalog.connector });
    const { account, clientSecret } = await createServiceAccount(parts, admin, { name: "foreign", role: "admin" });
    const [secrets = []] = await app.metadata.accounts.loadSecrets(catalog.workspace.id, [account.id]);
    const request = { clientId: account.clientId, clientSecret, scopes: null, source: "192.0.2.1" };
    const { token } = await issueAccessToken(parts, request);
    const { key, token: keyToken } = await createKey(admin, SCOPES);
    const ids = {
      model: catalog.model,
      metric: catalog.certified,
      connector: catalog.connector,
      sync: sync.id,
      key: key.id,
      account: account.id,
      secret: present(secrets[0]).id,
      token: await idOf(token),
      user: admin.actor.id,
    };
    return { ids, tokens: [token, keyToken], clientSecret, account };
  }

  /** An id of the same form that is nowhere. */
  function nowhereLike(id: string): string {
    return id.replaceAll(/[0-9a-z](?![a-z]*_)/gi, "0");
  }

  test("is answered in the very words for what is nowhere, and is left as it was", async () => {
    const { ids, tokens } = await writeForeign();
    const token = await tokenOf(home);
    const wrong: string[] = [];
    for (const target of GUARDED.filter(({ takesId }) => takesId)) {
      for (const [noun, id] of Object.entries(ids)) {
        const see = async (asked: string) => {
          const answer = await ask(target, { authorization: bearer(token), id: asked });
          return { status: answer.status, body: answer.body.replaceAll(asked, "ID") };
        };
        const nowhere = nowhereLike(id);
        expect(nowhere).not.toBe(id);
        const expected = await see(nowhere);
        const faults = await differing([target], expected, () => see(id));
        wrong.push(...faults.map((fault) => `${noun} by ${fault}`));
        if (target.kind === "rest" && expected.status !== 404) wrong.push(`${target.name}: ${expected.status}`);
      }
    }
    expect(wrong).toEqual([]);
    for (const foreign of tokens) {
      const { status } = await ask(present(GUARDED[0]), { authorization: bearer(foreign) });
      expect(status).toBe(200);
    }
  });

  test("would be found by one of its own", async () => {
    const catalog = present(await running.app.metadata.workspaces.findByName("default"));
    const [connector] = (await running.app.metadata.connectors.list(catalog.id, { after: null, limit: 1 })).items;
    const status = present(GUARDED.find(({ name }) => name.endsWith("/status")));
    const asked = { authorization: bearer(running.token), id: present(connector).id };
    expect((await ask(status, asked)).status).toBe(200);
  });
});

test("Over the limit, everything is refused until there is room again", async () => {
  const origin = await openWorkspace("limited");
  await setRateLimit(parts, origin, 1);
  const authorization = bearer(await tokenOf(origin));
  await ask(present(GUARDED[0]), { authorization });
  const expected = refusal(429, "rate_limited", { retryAfter: "60", limit: "1", remaining: "0" });
  expect(await refusedBy({ authorization }, expected)).toEqual([]);
});

test("From an address that the workspace does not list, everything is forbidden", async () => {
  const origin = await openWorkspace("walled");
  await setAllowlist(parts, origin, ["192.0.2.0/24", "2001:db8::/32"]);
  const authorization = bearer(await tokenOf(origin));
  const expected = refusal(403, "forbidden", { limit: String(MAX_RATE), remaining: String(MAX_RATE) });
  expect(await refusedBy({ authorization }, expected)).toEqual([]);
  for (const source of ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8::7"]) {
    expect((await ask(present(GUARDED[0]), { authorization, source })).status).toBe(200);
  }
});

test("A source that is locked out is refused everywhere but at health, whatever it presents", async () => {
  const source = "203.0.113.9";
  const authorization = bearer(await tokenOf(home));
  const [first] = GUARDED;
  for (let time = 0; time < 20; time++) await ask(present(first), { authorization: bearer("nobody"), source });

  const expected = refusal(429, "rate_limited", { keys: "error message details", retryAfter: "900" });
  const see = async (target: Target) => seenIn(await ask(target, { authorization, source }));
  expect(await differing([...GUARDED, ...PUBLIC], expected, see)).toEqual([]);
  for (const target of EXEMPT) expect((await ask(target, { authorization, source })).status).toBe(200);
});

afterAll(() => {
  console.log(
    `guard matrix: ${sent} requests to ${GUARDED.length + EXEMPT.length + PUBLIC.length} routes and root fields`,
  );
});
