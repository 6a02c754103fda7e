import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { toWorkspaceId } from "../../../src/ids.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createTestClock, MINUTE_MS, SECOND_MS, type TestClock } from "../../support/clock.ts";
import { createOauthClient, postForm } from "../../support/oauth.ts";
import { present } from "../../support/present.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";

const FAILURES = 20;
const PATH = "/api/v1/metrics";
const BAD = "Bearer svc_live_nobody";

let clock: TestClock;
let running: RunningApp;
let ask: RestClient;
beforeEach(async () => {
  clock = createTestClock();
  // The tests send requests from this machine, which stands for the proxy. The header has the client's address.
  running = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1/32" }, overrides: { clock } });
  ask = createRestClient(running);
});
afterEach(() => running.close());

const ADDRESS = "203.0.113.7";
const from = (source: string) => ({ "x-forwarded-for": source });

async function fail(times: number, source: string | null = ADDRESS): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { status } = await ask(PATH, { authorization: BAD, headers: source === null ? {} : from(source) });
    expect(status).toBe(401);
  }
}

/** The status of a request with a valid token. */
async function enter(source: string | null = ADDRESS, path = PATH): Promise<number> {
  return (await ask(path, { headers: source === null ? {} : from(source) })).status;
}

async function statusesOf(paths: string[]): Promise<number[]> {
  return Promise.all(paths.map((path) => enter(ADDRESS, path)));
}

describe("A locked-out source", () => {
  test("A source with 20 failures is blocked, even with a valid token, and learns for how long", async () => {
    await fail(FAILURES);
    clock.advance(5 * SECOND_MS);
    for (const authorization of [`Bearer ${running.token}`, BAD, null, "nonsense"]) {
      const { status, headers, body } = await ask(PATH, { authorization, headers: from(ADDRESS) });
      expect([status, headers.get("retry-after")]).toEqual([429, "895"]);
      expect(body).toEqual({ error: "rate_limited", message: expect.any(String), details: { reason: "auth_lockout" } });
      expect(headers.get("x-ratelimit-limit")).toBeNull();
    }
  });

  test("A blocked source is admitted again after 15 minutes, and then has 20 attempts again", async () => {
    await fail(FAILURES);
    clock.advance(15 * MINUTE_MS - 1);
    expect(await enter()).toBe(429);
    clock.advance(1);
    expect(await enter()).toBe(200);
    await fail(FAILURES - 1);
    expect(await enter()).toBe(200);
  });

  test("A blocked source gets no public page, but gets health", async () => {
    await fail(FAILURES);
    expect(await statusesOf(["/docs", "/openapi.json", "/graphql", "/nothing"])).toEqual([429, 429, 429, 429]);
    expect(await statusesOf(["/health", "/api/v1/health", "/health/live", "/health/ready"])).toEqual([
      200, 200, 200, 200,
    ]);
  });

  test("A blocked source does not affect other sources", async () => {
    await fail(FAILURES);
    expect(await enter("203.0.113.8")).toBe(200);
    expect(await enter(null)).toBe(200);
    expect(await enter(`${ADDRESS}, 203.0.113.9`)).toBe(200);
    expect(await enter(`203.0.113.9, ${ADDRESS}`)).toBe(429);
  });

  test("A lockout is in the audit trail once", async () => {
    await fail(FAILURES);
    await enter();
    const { items } = await running.app.metadata.audit.list(toWorkspaceId(""), {
      after: null,
      limit: 10,
      action: "lockout",
    });
    expect(items).toMatchObject([{ action: "lockout", source: ADDRESS, actor: "", workspaceId: null }]);
  });

  test("All addresses with the same first 64 bits of IPv6 are one source", async () => {
    for (let host = 1; host <= FAILURES; host++) await fail(1, `2001:db8::${host}`);
    expect(await enter("2001:db8::abcd")).toBe(429);
    expect(await enter("2001:db8:0:1::1")).toBe(200);
  });
});

describe("The count of failures", () => {
  test("The count of failures restarts after a success, even at the 20th attempt", async () => {
    await fail(FAILURES - 1);
    expect(await enter()).toBe(200);
    await fail(FAILURES - 1);
    expect(await enter()).toBe(200);
  });

  test("The count of failures restarts after a valid token, even if the request is refused for another reason", async () => {
    await fail(FAILURES - 1);
    expect(await enter(ADDRESS, "/api/v1/nonsense")).toBe(404);
    await fail(FAILURES - 1);
    expect(await enter()).toBe(200);
  });

  test("Requests that need no token do not change the count of failures", async () => {
    await fail(FAILURES - 1);
    expect(await enter(ADDRESS, "/health")).toBe(200);
    expect(await enter(ADDRESS, "/docs")).toBe(200);
    await fail(1);
    expect(await enter()).toBe(429);
  });

  test("Failures count for five minutes", async () => {
    await fail(FAILURES - 1);
    clock.advance(5 * MINUTE_MS);
    await fail(FAILURES - 1);
    expect(await enter()).toBe(200);
  });

  test("Every kind of 401 counts as a failure, even at the token endpoint and in the parser", async () => {
    const client = await createOauthClient(running.app, "analyst");
    const form = { grant_type: "client_credentials", client_id: client.clientId, client_secret: "wrong" };
    await fail(FAILURES - 4, null);
    expect((await ask(PATH, { authorization: null })).status).toBe(401);
    expect((await ask("/graphql", { method: "POST", body: "{}", authorization: "bearer x" })).status).toBe(401);
    expect((await postForm(running.url, form)).status).toBe(401);
    expect((await sendRaw(running.url, MALFORMED)).status).toBe(401);
    const blocked = await postForm(running.url, { ...form, client_secret: client.clientSecret });
    expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, "900"]);
    expect(blocked.body).toMatchObject({
      error: "rate_limited",
      error_description: expect.any(String),
      details: { reason: "auth_lockout" },
    });
  });

  test("The count of failures restarts when a client gets its token", async () => {
    const { clientId, clientSecret } = await createOauthClient(running.app, "analyst");
    await fail(FAILURES - 1, null);
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    expect((await postForm(running.url, form)).status).toBe(200);
    await fail(FAILURES - 1, null);
    expect(await enter(null)).toBe(200);
  });
});

const MALFORMED = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer abc\ndef\r\n\r\n`;
const NO_HTTP = "hello\r\n\r\n";

describe("Requests that Node's parser refuses", () => {
  test("Requests with a malformed Authorization header, which the parser refuses, block a source", async () => {
    for (let time = 0; time < FAILURES; time++) expect((await sendRaw(running.url, MALFORMED)).status).toBe(401);
    for (const text of [MALFORMED, NO_HTTP]) {
      const { status, headers, body } = await sendRaw(running.url, text);
      expect([status, headers["retry-after"], headers["connection"]]).toEqual([429, "900", "close"]);
      expect(JSON.parse(body)).toMatchObject({ error: "rate_limited", details: { reason: "auth_lockout" } });
      expect(headers["www-authenticate"]).toBeUndefined();
    }
    expect(await enter(null)).toBe(429);
  });

  test("Other requests that the parser refuses do not block a source", async () => {
    for (let time = 0; time < FAILURES + 1; time++) expect((await sendRaw(running.url, NO_HTTP)).status).toBe(400);
    expect(await enter(null)).toBe(200);
  });
});

test("Twenty wrong tokens at the same time block a source, as twenty in a row do", async () => {
  const statuses = await Promise.all(
    Array.from(
      { length: FAILURES },
      async () => (await ask(PATH, { authorization: BAD, headers: from(ADDRESS) })).status,
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(await enter()).toBe(429);
});

test("The length of the block is a setting", async () => {
  const short = await startApp({ env: { LOCKOUT_MINUTES: "2" }, overrides: { clock } });
  try {
    const askShort = createRestClient(short);
    for (let time = 0; time < FAILURES; time++) await askShort(PATH, { authorization: BAD });
    expect((await askShort(PATH)).headers.get("retry-after")).toBe("120");
    clock.advance(2 * MINUTE_MS);
    expect((await askShort(PATH)).status).toBe(200);
  } finally {
    await short.close();
  }
});

test("X-Forwarded-For does not change the source if the peer is no trusted proxy", async () => {
  const direct = await startApp({ overrides: { clock } });
  try {
    const askDirect = createRestClient(direct);
    for (let n = 0; n < FAILURES; n++) {
      expect((await askDirect(PATH, { authorization: BAD, headers: from(`203.0.113.${n}`) })).status).toBe(401);
    }
    expect((await askDirect(PATH, { headers: from("203.0.113.99") })).status).toBe(429);
    expect(present((await askDirect(PATH)).headers.get("retry-after"))).toBe("900");
  } finally {
    await direct.close();
  }
});
