/** People log in and out with passwords, and what a session may do. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { makeFirstAdminLink } from "../../../src/auth/links/make-links.ts";
import { establishWorkspace } from "../../../src/cli/start/workspace.ts";
import { createAnswerChecker } from "../../support/answer-schema.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createTestClock, DAY_MS, MINUTE_MS } from "../../support/clock.ts";
import { isFull } from "../../support/depth.ts";
import { openAdminPage, openPage, openPersonPage, type Page, PASSWORD, tokenOf } from "../../support/page.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

const clock = createTestClock();
let running: RunningApp;
let admin: Page;
let idOfAda: string;
beforeAll(async () => {
  running = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1/32" }, overrides: { clock } });
  admin = await openAdminPage(running.app, running.url);
  idOfAda = String(at(await admin.query("{ viewer { user { id } } }"), "viewer", "user", "id"));
});
afterAll(() => running.close());
// The lockout's window and the rate limit's.
beforeEach(() => clock.advance(6 * MINUTE_MS));

const page = (source = "198.51.100.1"): Page => openPage(running.url, { source });
const left = async (each: Page): Promise<number> =>
  Number((await each.ask("GET", "/auth/session")).headers.get("x-ratelimit-remaining"));
const AUDIT = `query ($action: AuditAction!) { auditEvents(first: 5, action: $action) { nodes { actor source } } }`;

describe("The first admin", () => {
  test("The first admin enters a name and an address, and is logged in", async () => {
    const { body } = await admin.ask("GET", "/auth/session");
    expect(body).toEqual({
      user: { id: idOfAda, name: "ada@example.com", email: "ada@example.com", role: "admin" },
      workspace: { id: expect.stringMatching(/^ws_/), name: "default" },
      workspaces: [{ id: expect.stringMatching(/^ws_/), name: "default" }],
      scopes: ["read", "write", "admin"],
      csrf_token: admin.csrf(),
      expires_at: expect.stringMatching(/^2026-/),
    });
    expect(await admin.query("{ viewer { user { email hasPassword sso disabled } } }")).toEqual({
      viewer: { user: { email: "ada@example.com", hasPassword: true, sso: false, disabled: false } },
    });
  });
});

describe("Without a session", () => {
  test("Without a session, a browser learns how people log in", async () => {
    const { status, body } = await page().ask("GET", "/auth/session");
    expect(status).toBe(401);
    expect(body).toEqual({
      error: "unauthorized",
      message: expect.stringContaining("has no session"),
      details: { login: { password: true, sso: null } },
    });
  });

  test("Many requests without a session from one address do not lock it out", async () => {
    const stranger = page("198.51.100.77");
    stranger.cookies.set("tributary_session", "x".repeat(59));
    for (let asked = 0; asked < 25; asked++) {
      const { status } = await stranger.ask("GET", "/auth/session");
      expect(status).toBe(401);
    }
    for (let asked = 0; asked < 25; asked++) await stranger.query("{ viewer { user { id } } }");
    expect((await stranger.logIn("ada@example.com")).status).toBe(200);
  });
});

describe("A login", () => {
  test("A login sets a cookie that scripts cannot read, and answers the session", async () => {
    const ada = page();
    const { status, body, setCookies, headers } = await ada.logIn("ADA@example.com");
    expect([status, at(body, "user", "id")]).toEqual([200, idOfAda]);
    expect(setCookies).toEqual([
      expect.stringMatching(/^tributary_session=[\w-]{59}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^tributary_device=[\w.-]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(await ada.query("{ viewer { user { email } kind scopes } }")).toEqual({
      viewer: { user: { email: "ada@example.com" }, kind: "user", scopes: ["read", "write", "admin"] },
    });
    expect(at(await admin.query(AUDIT, { action: "logged_in" }), "auditEvents", "nodes", 0)).toEqual({
      actor: "ada@example.com",
      source: "198.51.100.1",
    });
  });

  test("A login is refused in the same way for an unknown address and a wrong password", async () => {
    const wrong = await page().logIn("ada@example.com", "a wrong password");
    const unknown = await page().logIn("nobody@example.com", "a wrong password");
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { error: "unauthorized", message: expect.any(String), details: { reason: "invalid_login" } },
    ]);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
    expect(wrong.setCookies).toEqual([]);
    const events = at(await admin.query(AUDIT, { action: "login_failed" }), "auditEvents", "nodes");
    expect(events).toHaveLength(2);
    for (const actor of [null, "ada@example.com"]) expect(events).toContainEqual({ actor, source: "198.51.100.1" });
  });

  test.each([
    ["no password", { email: "ada@example.com" }],
    ["a number", { email: "ada@example.com", password: 7 }],
    ["more than it knows", { email: "ada@example.com", password: PASSWORD, admin: true }],
    ["a password that is too long", { email: "ada@example.com", password: "x".repeat(1_001) }],
  ])("A login with %s is a bad request", async (_what, body) => {
    const { status, body: answer } = await page().ask("POST", "/auth/login", body);
    expect([status, at(answer, "error")]).toEqual([400, "bad_request"]);
  });

  test("A login ends the browser's earlier session, and never takes over its cookie", async () => {
    const mallory = page();
    await mallory.logIn("ada@example.com");
    const planted = String(mallory.cookies.get("tributary_session"));
    const victim = page();
    victim.cookies.set("tributary_session", planted);
    await victim.logIn("ada@example.com");
    expect(victim.cookies.get("tributary_session")).not.toBe(planted);
    expect(await mallory.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect(await victim.query("{ viewer { user { id } } }")).toEqual({ viewer: { user: { id: idOfAda } } });
  });

  test("A login with an invented cookie gets a new one", async () => {
    const victim = page();
    const planted = "A".repeat(59);
    victim.cookies.set("tributary_session", planted);
    await victim.logIn("ada@example.com");
    expect(victim.cookies.get("tributary_session")).not.toBe(planted);
  });

  test("A login from outside the allowlist is refused, and so is a session", async () => {
    const SET = `mutation ($cidrs: [String!]!) { setAllowlist(input: { cidrs: $cidrs }) { securitySettings { allowlist } } }`;
    const outside = page("203.0.113.9");
    await outside.logIn("ada@example.com");
    expect(await admin.query(SET, { cidrs: ["127.0.0.0/8"] })).toHaveProperty("setAllowlist");
    expect(await outside.query("{ viewer { user { id } } }")).toBe("forbidden");
    const again = await page("203.0.113.9").logIn("ada@example.com");
    expect([again.status, at(again.body, "error"), again.setCookies]).toEqual([403, "forbidden", []]);
    await admin.query(SET, { cidrs: [] });
    expect(await outside.query("{ viewer { user { id } } }")).toEqual({ viewer: { user: { id: idOfAda } } });
  });
});

describe("Too many wrong passwords", () => {
  test("Too many wrong passwords lock the address out from everywhere, and no other address", async () => {
    const victim = await openPersonPage(admin, running.url, "victim@example.com", "analyst");
    const codes: unknown[] = [];
    for (let tried = 0; tried < 21; tried++) {
      const { status } = await page(`192.0.2.${tried}`).logIn("Victim@example.com", "a wrong password");
      codes.push(status);
    }
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
    const right = await page("192.0.2.99").logIn("victim@example.com");
    expect([right.status, at(right.body, "error"), right.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "900",
    ]);
    expect((await page("192.0.2.99").logIn("ada@example.com")).status).toBe(200);
    expect(await victim.query("{ viewer { user { email } } }")).toEqual({
      viewer: { user: { email: "victim@example.com" } },
    });
    expect(at(await admin.query(AUDIT, { action: "lockout" }), "auditEvents", "nodes")).toEqual([
      { actor: "Victim@example.com", source: "192.0.2.19" },
    ]);
    clock.advance(15 * MINUTE_MS);
    expect((await page("192.0.2.99").logIn("victim@example.com")).status).toBe(200);
  });

  test.runIf(isFull)(
    "Wrong passwords for others lock a client out, even between its own successful logins",
    async () => {
      const own: number[] = [];
      const codes: unknown[] = [];
      for (let tried = 0; tried < 20; tried++) {
        if (tried % 5 === 4) own.push((await page("192.0.2.200").logIn("ada@example.com")).status);
        codes.push((await page("192.0.2.200").logIn(`person${tried}@example.com`, "a wrong password")).status);
      }
      expect([new Set(codes), own]).toEqual([new Set([401]), [200, 200, 200, 200]]);
      expect((await page("192.0.2.200").logIn("ada@example.com")).status).toBe(429);
      expect((await page("192.0.2.201").logIn("ada@example.com")).status).toBe(200);
      clock.advance(15 * MINUTE_MS);
    },
  );

  test("A locked-out login does not stop others on the same network from using a session or a key", async () => {
    const own = page("192.0.2.210");
    expect((await own.logIn("ada@example.com")).status).toBe(200);
    for (let tried = 0; tried < 21; tried++)
      await page("192.0.2.210").logIn(`other${tried}@example.com`, "a wrong password");
    expect((await page("192.0.2.210").logIn("ada@example.com")).status).toBe(429);
    expect((await own.ask("GET", "/auth/session")).status).toBe(200);
    clock.advance(15 * MINUTE_MS);
  });

  test.runIf(isFull)(
    "Wrong passwords of strangers do not lock out the browser in which the person has logged in before",
    async () => {
      const known = await openPersonPage(admin, running.url, "known@example.com", "analyst");
      for (let tried = 0; tried < 20; tried++) {
        await page(`198.18.0.${tried}`).logIn("known@example.com", "a wrong password");
      }
      expect((await page("198.18.1.1").logIn("known@example.com")).status).toBe(429);
      expect((await known.logIn("Known@example.com")).status).toBe(200);
      const change = { current: PASSWORD, next: PASSWORD };
      expect((await known.ask("POST", "/auth/password", change)).status).toBe(200);
      // The cookie proves nothing about others.
      expect((await known.logIn("victim@example.com", "a wrong password")).status).toBe(401);
      expect((await page("198.18.1.1").logIn("known@example.com")).status).toBe(429);
      clock.advance(15 * MINUTE_MS);
    },
  );

  test.runIf(isFull)(
    "Wrong passwords in a known browser lock out that browser, and the address for strangers",
    async () => {
      const known = await openPersonPage(admin, running.url, "guessed@example.com", "analyst");
      const device = String(known.cookies.get("tributary_device"));
      const other = page("198.18.2.1");
      await other.logIn("guessed@example.com");
      const codes: number[] = [];
      for (let tried = 0; tried < 21; tried++) {
        const guesser = page(`198.18.3.${tried}`);
        guesser.cookies.set("tributary_device", device);
        codes.push((await guesser.logIn("guessed@example.com", "a wrong password")).status);
      }
      expect(codes).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
      expect((await known.logIn("guessed@example.com")).status).toBe(429);
      expect((await page("198.18.2.2").logIn("guessed@example.com")).status).toBe(429);
      expect((await other.logIn("guessed@example.com")).status).toBe(200);
      clock.advance(15 * MINUTE_MS);
    },
  );

  test("A login with a far too long address is refused, and the address is not remembered", async () => {
    const { status, body } = await page("192.0.2.211").logIn(`${"x".repeat(300)}@example.com`, "a wrong password");
    expect([status, at(body, "error")]).toEqual([400, "bad_request"]);
  });
});

describe("A session", () => {
  test("A session has the rights of its person's role, and follows its changes", async () => {
    const eve = await openPersonPage(admin, running.url, "eve@example.com", "analyst");
    const PEOPLE = "{ people(first: 1) { totalCount } }";
    const id = at((await eve.ask("GET", "/auth/session")).body, "user", "id");
    expect(at((await eve.ask("GET", "/auth/session")).body, "scopes")).toEqual(["read"]);
    expect(await eve.query(PEOPLE)).toBe("FORBIDDEN");
    const CHANGE = `mutation ($input: ChangePersonInput!) { changePerson(input: $input) { person { role disabled } } }`;
    await admin.query(CHANGE, { input: { userId: id, role: "admin" } });
    expect(await eve.query(PEOPLE)).toHaveProperty("people");
    await admin.query(CHANGE, { input: { userId: id, role: "engineer" } });
    expect(await eve.query(PEOPLE)).toBe("FORBIDDEN");
    expect(await admin.query(CHANGE, { input: { userId: id, disabled: true } })).toEqual({
      changePerson: { person: { role: "engineer", disabled: true } },
    });
    expect(await eve.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect(at((await page().logIn("eve@example.com")).body, "details", "reason")).toBe("invalid_login");
    await admin.query(CHANGE, { input: { userId: id, disabled: false } });
    expect(await eve.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect((await page().logIn("eve@example.com")).status).toBe(200);
  });

  test("A session creates keys, which work under the API's prefix", async () => {
    const made = await admin.query(
      `mutation { createApiKey(input: { name: "laptop", scopes: [read] }) { token apiKey { createdBy { name } } } }`,
    );
    expect(at(made, "createApiKey", "apiKey", "createdBy", "name")).toBe("ada@example.com");
    const authorization = `Bearer ${String(at(made, "createApiKey", "token"))}`;
    const { status } = await fetch(`${running.url}/api/v1/metrics`, { headers: { authorization } });
    expect(status).toBe(200);
  });

  test("All sessions of a person share one rate limit", async () => {
    const [one, other] = [page(), page()];
    for (const each of [one, other]) await each.logIn("ada@example.com");
    const before = await left(one);
    expect(await left(other)).toBe(before - 1);
  });

  test("A session can read a subscription", async () => {
    const answer = await admin.ask(
      "POST",
      "/graphql",
      { query: `subscription { syncProgress(id: "syn_none") { status } }` },
      { accept: "text/event-stream" },
    );
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(String(answer.body)).toContain("event: complete");
  });

  test("A logout ends the session and removes its cookie", async () => {
    const ada = page();
    await ada.logIn("ada@example.com");
    const kept = String(ada.cookies.get("tributary_session"));
    const { status, body, setCookies } = await ada.ask("POST", "/auth/logout");
    expect([status, body]).toEqual([204, ""]);
    expect(setCookies).toEqual(["tributary_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"]);
    ada.cookies.set("tributary_session", kept);
    expect(await ada.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect([...ada.cookies.keys()]).toEqual(["tributary_device"]);
  });

  test("A session ends twelve hours after its last use", async () => {
    const ada = page();
    const { body } = await ada.logIn("ada@example.com");
    expect(Date.parse(String(at(body, "expires_at"))) - clock.now().getTime()).toBe(12 * 60 * MINUTE_MS);
    for (let hours = 0; hours < 30; hours += 6) {
      clock.advance(6 * 60 * MINUTE_MS);
      expect(await ada.query("{ viewer { user { id } } }")).toEqual({ viewer: { user: { id: idOfAda } } });
    }
    clock.advance(12 * 60 * MINUTE_MS);
    expect(await ada.query("{ viewer { user { id } } }")).toBe("unauthorized");
    admin = page();
    await admin.logIn("ada@example.com");
  });

  test("A session ends after fourteen days, however often it is used", async () => {
    const ada = page();
    await ada.logIn("ada@example.com");
    for (let hours = 0; hours < 13.75 * 24; hours += 11) {
      clock.advance(11 * 60 * MINUTE_MS);
      expect(await ada.query("{ viewer { user { id } } }")).toEqual({ viewer: { user: { id: idOfAda } } });
    }
    const { body } = await ada.ask("GET", "/auth/session");
    expect(Date.parse(String(at(body, "expires_at"))) - clock.now().getTime()).toBe(6 * 60 * MINUTE_MS);
    clock.advance(6 * 60 * MINUTE_MS);
    expect(await ada.query("{ viewer { user { id } } }")).toBe("unauthorized");
    admin = page();
    await admin.logIn("ada@example.com");
  });

  test("A person sees all their sessions, and can end them", async () => {
    const eve = page();
    await eve.logIn("eve@example.com");
    await eve.ask("GET", "/auth/session");
    const phone = page("198.51.100.2");
    await phone.ask("POST", "/auth/login", { email: "eve@example.com", password: PASSWORD }, { "user-agent": "Phone" });
    const LIST = "{ mySessions { id current source userAgent sso expiresAt } }";
    const sessions = at(await eve.query(LIST), "mySessions") as { id: string; current: boolean; source: string }[];
    const [others, own] = [sessions.filter(({ current }) => !current), sessions.filter(({ current }) => current)];
    expect([own.length, own[0]?.source]).toEqual([1, "198.51.100.1"]);
    expect(others).toContainEqual(expect.objectContaining({ source: "198.51.100.2", userAgent: "Phone", sso: false }));

    const END = `mutation ($id: ID!) { endSession(input: { id: $id }) { id } }`;
    expect(await admin.query(END, { id: own[0]?.id })).toBe("NOT_FOUND");
    for (const { id } of others) expect(await eve.query(END, { id })).toEqual({ endSession: { id } });
    expect(await phone.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect(await eve.query(LIST)).toEqual({ mySessions: [expect.objectContaining({ current: true })] });
  });

  test("A key with fewer rights than its person does not see the person's sessions", async () => {
    const reader = await running.createToken(["read"]);
    const ask = async (token: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = JSON.stringify({ query: "{ mySessions { id } }" });
      return (await fetch(`${running.url}/graphql`, { method: "POST", headers, body })).json();
    };
    expect(await ask(reader)).toMatchObject({ errors: [{ extensions: { code: "FORBIDDEN" } }] });
    expect(await ask(running.token)).toEqual({ data: { mySessions: [] } });
  });
});

describe("A password", () => {
  test("A person changes their password, and their other sessions end", async () => {
    const eve = page();
    await eve.logIn("eve@example.com");
    const other = page();
    await other.logIn("eve@example.com");
    const change = (current: string, next: string) => eve.ask("POST", "/auth/password", { current, next });
    const wrong = await change("a wrong password", "a stork by the lake");
    expect([wrong.status, at(wrong.body, "details", 0, "field")]).toEqual([400, "current"]);
    for (const next of ["short", "eve@example.com", "Password1234", "x".repeat(1_001)]) {
      const bad = await change(PASSWORD, next);
      expect([next.slice(0, 20), bad.status, at(bad.body, "details", 0, "field")]).toEqual([
        next.slice(0, 20),
        400,
        "next",
      ]);
    }
    expect(await other.query("{ viewer { user { email } } }")).toEqual({
      viewer: { user: { email: "eve@example.com" } },
    });
    expect((await change(PASSWORD, "a stork by the lake")).status).toBe(200);
    expect(await other.query("{ viewer { user { email } } }")).toBe("unauthorized");
    expect(await eve.query("{ viewer { user { email } } }")).toEqual({
      viewer: { user: { email: "eve@example.com" } },
    });
    expect((await page().logIn("eve@example.com")).status).toBe(401);
    expect((await page().logIn("eve@example.com", "a stork by the lake")).status).toBe(200);
  });

  test("An admin resets a password with a link that works once", async () => {
    const { body } = await page().logIn("eve@example.com", "a stork by the lake");
    const id = at(body, "user", "id");
    const before = page();
    await before.logIn("eve@example.com", "a stork by the lake");
    const reset = await admin.query(
      `mutation ($id: ID!) { resetPassword(input: { userId: $id }) { link email expiresAt } }`,
      { id },
    );
    const link = String(at(reset, "resetPassword", "link"));
    expect(link).toMatch(new RegExp(`^${running.url}/welcome#token=[\\w-]{59}$`));
    const read = await page().ask("POST", "/auth/link", { token: tokenOf(link) });
    expect(read.body).toEqual({ kind: "reset", email: "eve@example.com" });
    expect(await before.query("{ viewer { user { email } } }")).toEqual({
      viewer: { user: { email: "eve@example.com" } },
    });

    const short = await page().useLink(link, { password: "short" });
    expect([short.status, at(short.body, "details", 0, "field")]).toEqual([400, "password"]);
    const eve = page();
    expect((await eve.useLink(link)).status).toBe(200);
    expect(at((await eve.ask("GET", "/auth/session")).body, "user", "id")).toBe(id);
    expect(await before.query("{ viewer { user { email } } }")).toBe("unauthorized");
    for (const again of [
      await page().useLink(link),
      await page().ask("POST", "/auth/link", { token: tokenOf(link) }),
    ]) {
      expect([again.status, at(again.body, "details", "reason"), again.setCookies]).toEqual([404, "invalid_link", []]);
    }
  });
});

describe("The passwords of one address", () => {
  test("The passwords of one address share a salt, so that the time of a login does not tell how many there are", async () => {
    const { app, url } = running;
    const email = "salt@example.com";
    const open = async (name: string, password: string): Promise<Page> => {
      const workspace = await establishWorkspace(app.metadata, name, "live");
      const each = openPage(url);
      const link = present(await makeFirstAdminLink(app.logins, workspace));
      expect((await each.useLink(link.url, { email, password })).status).toBe(200);
      return each;
    };
    await open("salt-one", "the first of two passwords");
    const second = await open("salt-two", "the second of two passwords");
    const change = { current: "the second of two passwords", next: "the third of two passwords" };
    expect((await second.ask("POST", "/auth/password", change)).status).toBe(200);
    const stored = await app.metadata.logins.findByAddress(email);
    expect(stored.map(({ password }) => password?.split("$")[4])).toHaveLength(2);
    expect(new Set(stored.map(({ password }) => password?.split("$")[4])).size).toBe(1);
    expect(new Set(stored.map(({ password }) => password)).size).toBe(2);
  });
});

test("A password that an admin resets while its person changes it stays reset", async () => {
  const { app } = running;
  const own = await openPersonPage(admin, running.url, "torn@example.com", "analyst");
  const [before] = await app.metadata.logins.findByAddress("torn@example.com");
  const { workspace, user } = present(before);
  const { hash } = app.logins.hasher;
  const reset = await hash("what the admin's link set", { tenant: "test", signal: new AbortController().signal });
  vi.spyOn(app.logins.hasher, "hash").mockImplementationOnce(async (...args) => {
    await app.metadata.logins.setPassword(workspace.id, user.id, reset);
    return hash(...args);
  });
  const { status } = await own.ask("POST", "/auth/password", { current: PASSWORD, next: "what its person chose" });
  const [after] = await app.metadata.logins.findByAddress("torn@example.com");
  expect([status, after?.password]).toEqual([401, reset]);
});

describe("A link", () => {
  const INVITE = `mutation ($input: InvitePersonInput!) { invitePerson(input: $input) { link email } }`;
  const invite = async (email: string, role = "engineer", by = admin): Promise<string> =>
    String(at(await by.query(INVITE, { input: { email, role } }), "invitePerson", "link"));

  test("An invited person is added when they use the link", async () => {
    const link = await invite("grace@example.com");
    const PEOPLE = "{ people(first: 50) { nodes { name email role disabled lastLoginAt sso } } }";
    expect(JSON.stringify(await admin.query(PEOPLE))).not.toContain("grace");
    const grace = page();
    expect((await grace.ask("POST", "/auth/link", { token: tokenOf(link) })).body).toEqual({
      kind: "invitation",
      email: "grace@example.com",
    });
    const other = await page().useLink(link, { email: "mallory@example.com" });
    expect([other.status, at(other.body, "details", 0, "field")]).toEqual([400, "email"]);
    const { body } = await grace.useLink(link, { name: " Grace Hopper " });
    expect(at(body, "user")).toMatchObject({ name: "Grace Hopper", email: "grace@example.com", role: "engineer" });
    const people = at(await admin.query(PEOPLE), "people", "nodes") as { email: string }[];
    expect(people.find(({ email }) => email === "grace@example.com")).toMatchObject({
      name: "Grace Hopper",
      role: "engineer",
      disabled: false,
      lastLoginAt: clock.now().toISOString(),
      sso: false,
    });
    expect(await admin.query(INVITE, { input: { email: "GRACE@example.com", role: "admin" } })).toBe("CONFLICT");
  });

  test("A link ends when a new one is made for the same address in other letters", async () => {
    const older = await invite("Joan@example.com", "admin");
    await invite("joan@example.com", "analyst");
    expect((await page().ask("POST", "/auth/link", { token: tokenOf(older) })).status).toBe(404);
  });

  test("A link is listed until it is used, even after its end, and can be cancelled", async () => {
    const OPEN = `{ invitations(first: 100) { nodes {
      id email role works expiresAt invitedBy { email }
    } } }`;
    const CANCEL = "mutation ($id: ID!) { cancelInvitation(input: { id: $id }) { id } }";
    const openFor = async (email: string) =>
      (at(await admin.query(OPEN), "invitations", "nodes") as Record<string, unknown>[]).filter(
        (invitation) => invitation["email"] === email,
      );
    const used = await invite("ken@example.com");
    const ended = await invite("dennis@example.com", "admin");
    expect(await openFor("dennis@example.com")).toEqual([
      {
        id: expect.stringMatching(/^lnk_/),
        email: "dennis@example.com",
        role: "admin",
        works: true,
        expiresAt: new Date(clock.now().getTime() + 7 * DAY_MS).toISOString(),
        invitedBy: { email: "ada@example.com" },
      },
    ]);
    await page().useLink(used);
    expect(await openFor("ken@example.com")).toEqual([]);

    const id = present((await openFor("dennis@example.com"))[0])["id"];
    const stranger = await openAdminPage(running.app, running.url, {
      email: "eve@example.com",
      workspace: await establishWorkspace(running.app.metadata, "next-door", "live"),
    });
    expect(at(await stranger.query(OPEN), "invitations", "nodes")).toEqual([]);
    expect(await stranger.query(CANCEL, { id })).toBe("NOT_FOUND");
    expect(await admin.query(CANCEL, { id })).toEqual({ cancelInvitation: { id } });
    expect(await admin.query(CANCEL, { id })).toBe("NOT_FOUND");
    expect((await page().ask("POST", "/auth/link", { token: tokenOf(ended) })).status).toBe(404);
    expect(await admin.query(AUDIT, { action: "invitation_cancelled" })).toMatchObject({
      auditEvents: { nodes: [{ actor: "ada@example.com" }] },
    });

    await invite("dennis@example.com");
    clock.advance(8 * DAY_MS);
    await admin.logIn("ada@example.com");
    await invite("brian@example.com");
    expect(await openFor("dennis@example.com")).toMatchObject([{ works: false }]);
    clock.advance(30 * DAY_MS);
    await admin.logIn("ada@example.com");
    await invite("brian@example.com");
    expect(await openFor("dennis@example.com")).toEqual([]);
  });

  test("A link cannot be made by a key with fewer rights than its person, or by a service account", async () => {
    const { app, url, createToken } = running;
    const narrow = await createToken(["admin"]);
    const account = `mutation { createServiceAccount(input: { name: "bot", role: admin }) { clientId clientSecret } }`;
    const made = at(await admin.query(account), "createServiceAccount");
    const [id, secret] = [String(at(made, "clientId")), String(at(made, "clientSecret"))];
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const granted = (await (await fetch(`${url}/oauth/token`, { method: "POST", body })).json()) as {
      access_token: string;
    };
    for (const token of [narrow, granted.access_token]) {
      const ask = createGraphqlClient({ url, token });
      const invited = await ask(`mutation { invitePerson(input: { email: "m@example.com", role: admin }) { link } }`);
      const reset = await ask(`mutation { resetPassword(input: { userId: "${idOfAda}" }) { link } }`);
      expect([invited.codes, reset.codes]).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
    }
    expect(await app.metadata.logins.findByAddress("m@example.com")).toEqual([]);
  });

  test("The link of the first admin works while no admin can log in", async () => {
    const workspace = await establishWorkspace(running.app.metadata, "led-by-nobody", "live");
    const link = await makeFirstAdminLink(running.app.logins, workspace);
    const { users, logins } = running.app.metadata;
    const { id } = await users.create({ workspaceId: workspace.id, email: "bob@example.com", role: "analyst" });
    await logins.bindIdentity(workspace.id, id, { issuer: "https://id.example.com", subject: "bob" });
    expect((await page().useLink(present(link).url, { email: "eve@example.com" })).status).toBe(200);
    expect(await makeFirstAdminLink(running.app.logins, workspace)).toBeNull();
  });

  test("A link that two people use at once works for one of them", async () => {
    const link = await invite("twins@example.com");
    const answers = await Promise.all([page().useLink(link), page().useLink(link)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  test("A link ends when a new one is made, when it is too old, or when its maker may no longer make one", async () => {
    const first = await invite("alan@example.com");
    const second = await invite("alan@example.com");
    expect((await page().ask("POST", "/auth/link", { token: tokenOf(first) })).status).toBe(404);
    clock.advance(7 * DAY_MS - 1);
    expect((await page().ask("POST", "/auth/link", { token: tokenOf(second) })).status).toBe(200);
    clock.advance(1);
    expect((await page().useLink(second)).status).toBe(404);

    admin = page();
    await admin.logIn("ada@example.com");
    const boss = await openPersonPage(admin, running.url, "boss@example.com", "admin");
    const theirs = await invite("alan@example.com", "admin", boss);
    const userId = at(await boss.query("{ viewer { user { id } } }"), "viewer", "user", "id");
    await admin.query(`mutation ($id: ID!) { changePerson(input: { userId: $id, role: analyst }) { person { id } } }`, {
      id: userId,
    });
    expect((await page().useLink(theirs)).status).toBe(404);
  });

  test.each(["", "x", "x".repeat(59), "../../etc"])("A link with the token %j is unknown", async (token) => {
    const { status, body } = await page().ask("POST", "/auth/link", { token });
    expect([status, at(body, "details", "reason")]).toEqual([404, "invalid_link"]);
  });
});

describe("The last admin who can log in", () => {
  test("The last admin who can log in can be neither demoted nor disabled, though the operator is an admin too", async () => {
    const one = await establishWorkspace(running.app.metadata, "lonely", "live");
    const lonely = await openAdminPage(running.app, running.url, { email: "sole@example.com", workspace: one });
    const userId = at(await lonely.query("{ viewer { user { id } } }"), "viewer", "user", "id");
    const CHANGE = `mutation ($input: ChangePersonInput!) { changePerson(input: $input) { person { id } } }`;
    expect(await lonely.query(CHANGE, { input: { userId, role: "analyst" } })).toBe("CONFLICT");
    expect(await lonely.query(CHANGE, { input: { userId, disabled: true } })).toBe("CONFLICT");
    await openPersonPage(lonely, running.url, "second@example.com", "admin");
    expect(await lonely.query(CHANGE, { input: { userId, role: "analyst" } })).toHaveProperty("changePerson");
  });
});

describe("Revoking everything", () => {
  test("Revoking everything logs out everybody in the workspace, also the admin who does it, and nobody else", async () => {
    const two = await establishWorkspace(running.app.metadata, "elsewhere", "live");
    const other = await openAdminPage(running.app, running.url, { email: "olga@example.com", workspace: two });
    const grace = page();
    await grace.logIn("grace@example.com");
    const revoked = await admin.query("mutation { revokeAllTokens { apiKeys sessions } }");
    expect(at(revoked, "revokeAllTokens", "sessions")).toBeGreaterThanOrEqual(2);
    for (const each of [admin, grace]) expect(await each.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect(await other.query("{ viewer { user { email } } }")).toEqual({
      viewer: { user: { email: "olga@example.com" } },
    });
    await admin.logIn("ada@example.com");
    expect(await admin.query("{ viewer { user { id } } }")).toEqual({ viewer: { user: { id: idOfAda } } });
  });
});

describe("Refusals under /auth", () => {
  const foreign = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
  test.each<[string, string, string, unknown, Record<string, string>, number]>([
    ["no session", "GET", "/auth/session", undefined, {}, 401],
    ["no session to end", "POST", "/auth/logout", undefined, {}, 401],
    ["a wrong password", "POST", "/auth/login", { email: "ada@example.com", password: "a wrong password" }, {}, 401],
    ["no password", "POST", "/auth/login", { email: "ada@example.com" }, {}, 400],
    ["another site", "POST", "/auth/login", { email: "ada@example.com", password: PASSWORD }, foreign, 403],
    ["text as the body", "POST", "/auth/login", { email: "a" }, { "content-type": "text/plain" }, 415],
    ["an unknown link", "POST", "/auth/link", { token: "x".repeat(43) }, {}, 404],
    ["single sign-on that is not set up", "GET", "/auth/sso", undefined, {}, 404],
  ])(
    "A refusal under /auth has the one error body, as the OpenAPI document says: %s",
    async (_what, method, path, body, headers, status) => {
      const { faultsOf } = createAnswerChecker(await (await fetch(`${running.url}/openapi.json`)).json());
      const answer = await page("198.51.100.2").ask(method, path, body, headers);
      expect([answer.status, at(answer.body, "error"), at(answer.body, "message")]).toEqual([
        status,
        expect.any(String),
        expect.any(String),
      ]);
      expect(faultsOf(path, method, status, answer.body)).toEqual([]);
    },
  );
});
