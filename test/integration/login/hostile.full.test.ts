/** Attacks on sessions by other sites, planted cookies and other workspaces. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { makeFirstAdminLink } from "../../../src/auth/links/make-links.ts";
import { establishWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { findFreePort } from "../../support/free-port.ts";
import { openAdminPage, openPage, openPersonPage, type Page, PASSWORD } from "../../support/page.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

const ME = { query: "{ viewer { user { email } } }" };

let running: RunningApp;
let admin: Page;
beforeAll(async () => {
  running = await startApp();
  admin = await openAdminPage(running.app, running.url);
});
afterAll(() => running.close());

describe("A request by cookie", () => {
  const evil = "https://evil.example";

  test.each<[what: string, headers: Record<string, string | null>]>([
    ["from another origin", { origin: evil, "sec-fetch-site": null }],
    ["from another site", { origin: null, "sec-fetch-site": "cross-site" }],
    ["from another origin of the same site", { "sec-fetch-site": "same-site" }],
    ["from an origin that a browser does not tell", { origin: "null" }],
    ["that a person typed", { origin: null, "sec-fetch-site": "none" }],
    ["that does not say where it comes from", { origin: null, "sec-fetch-site": null }],
    ["from another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["from this host over https", { origin: "https://127.0.0.1" }],
    ["without the session's token", { "x-csrf-token": null }],
    ["with another token", { "x-csrf-token": "x".repeat(43) }],
    ["with an empty token", { "x-csrf-token": "" }],
  ])("A request by cookie %s is refused, and changes nothing", async (_what, headers) => {
    for (const [path, body] of [
      ["/graphql", ME],
      ["/auth/logout", undefined],
      ["/auth/switch", { workspace: "default" }],
      ["/auth/password", { current: PASSWORD, next: "a stork by the lake" }],
    ] as const) {
      const { status, setCookies } = await admin.ask("POST", path, body, headers);
      expect([path, status, setCookies]).toEqual([path, 403, []]);
    }
    expect(await admin.query(ME.query)).toEqual({ viewer: { user: { email: "ada@example.com" } } });
  });

  test.each<[what: string, headers: Record<string, string | null>]>([
    ["from another origin", { origin: evil, "sec-fetch-site": null }],
    ["from another site", { origin: null, "sec-fetch-site": "cross-site" }],
    ["that does not say where it comes from", { origin: null, "sec-fetch-site": null }],
  ])("A login %s logs nobody in", async (_what, headers) => {
    for (const [path, body] of [
      ["/auth/login", { email: "ada@example.com", password: PASSWORD }],
      ["/auth/link", { token: "x".repeat(59) }],
      ["/auth/link/use", { token: "x".repeat(59), password: PASSWORD }],
    ] as const) {
      const { status, body: answer, setCookies } = await openPage(running.url).ask("POST", path, body, headers);
      expect([path, status, at(answer, "error"), setCookies]).toEqual([path, 403, "forbidden", []]);
    }
  });

  test("A request by cookie needs only one of the two headers, as browsers send them", async () => {
    for (const headers of [{ origin: null }, { "sec-fetch-site": null }]) {
      expect((await admin.ask("POST", "/graphql", ME, headers)).status).toBe(200);
    }
  });

  test("A request by cookie may come from the other names of this machine, at the same port", async () => {
    const origin = running.url.replace("127.0.0.1", "localhost");
    expect((await admin.ask("POST", "/graphql", ME, { origin })).status).toBe(200);
    const rebound = { origin: "http://evil.example", "sec-fetch-site": "same-origin" };
    expect((await admin.ask("POST", "/graphql", ME, rebound)).status).toBe(403);
  });

  test("A form by cookie is refused, because other sites can send one", async () => {
    const { status } = await admin.ask("POST", "/auth/login", undefined, {
      "content-type": "application/x-www-form-urlencoded",
      "content-length": "0",
    });
    expect([400, 415]).toContain(status);
  });

  test("A request by cookie runs no query by GET", async () => {
    const mutation = encodeURIComponent("mutation { revokeAllTokens { sessions } }");
    for (const [accept, expected] of [
      ["application/json", 405],
      ["text/html", 200],
    ] as const) {
      const { status } = await admin.ask("GET", `/graphql?query=${mutation}`, undefined, { accept });
      expect([accept, status]).toEqual([accept, expected]);
    }
    expect(await admin.query(ME.query)).toEqual({ viewer: { user: { email: "ada@example.com" } } });
  });
});

describe("A session's cookie", () => {
  test.each(["GET /api/v1/metrics", "GET /api/v1/catalog/assets", "GET /api/v1/nonsense", "POST /mcp"])(
    "A session's cookie gives no access to %s",
    async (line) => {
      const [method = "", path = ""] = line.split(" ");
      const { status, body } = await admin.ask(method, path, method === "POST" ? {} : undefined);
      expect([status, at(body, "error")]).toEqual([401, "unauthorized"]);
    },
  );

  test("A session's cookie does not count if there is a token, too", async () => {
    const reader = await running.createToken(["read"]);
    const query = "{ viewer { scopes user { email } } }";
    const bearer = { authorization: `Bearer ${reader}` };
    const { body, setCookies } = await admin.ask("POST", "/graphql", { query }, bearer);
    expect(at(body, "data", "viewer", "scopes")).toEqual(["read"]);
    expect(setCookies).toEqual([]);
    const wrong = await admin.ask("POST", "/graphql", { query }, { authorization: "Bearer svc_live_nobody" });
    expect(wrong.status).toBe(401);
    expect((await admin.ask("GET", "/auth/session", undefined, bearer)).status).toBe(401);
    expect(await admin.query(ME.query)).toEqual({ viewer: { user: { email: "ada@example.com" } } });
  });

  test("A session's cookie that comes twice is refused, because an attacker may have planted one", async () => {
    const own = String(admin.cookies.get("tributary_session"));
    const cookie = `tributary_session=${own}; tributary_session=${"x".repeat(59)}`;
    expect((await admin.ask("GET", "/auth/session", undefined, { cookie })).status).toBe(401);
  });

  test("The cookie of a known browser is no session, and gives no access", async () => {
    const known = openPage(running.url);
    known.cookies.set("tributary_device", String(admin.cookies.get("tributary_device")));
    expect((await known.ask("GET", "/auth/session")).status).toBe(401);
    expect((await known.logIn("ada@example.com", "a wrong password")).status).toBe(401);
    expect((await known.ask("POST", "/graphql", ME)).status).toBe(401);
  });

  test.each(["", "x", "x".repeat(59), "%00".repeat(20), "svc_live_".padEnd(59, "x")])(
    "An invented session cookie (%j) gives no access",
    async (value) => {
      const stranger = openPage(running.url);
      stranger.cookies.set("tributary_session", value);
      expect((await stranger.ask("GET", "/auth/session")).status).toBe(401);
    },
  );

  test("A token cannot create a session", async () => {
    const headers = { authorization: `Bearer ${running.token}` };
    for (const path of ["/auth/session", "/graphql"]) {
      const { setCookies } = await openPage(running.url).ask(
        path === "/graphql" ? "POST" : "GET",
        path,
        undefined,
        headers,
      );
      expect(setCookies).toEqual([]);
    }
  });

  test("Only a salted hash of a session is stored, and no secret is in the audit trail or in answers", async () => {
    const value = String(admin.cookies.get("tributary_session"));
    const { metadata } = running.app;
    const found = await metadata.credentials.findSession(value.slice(0, 16));
    const all = JSON.stringify([
      found,
      await admin.query("{ auditEvents(first: 50) { nodes { details subject } } mySessions { id source userAgent } }"),
    ]);
    expect(found).not.toBeNull();
    expect(all).not.toContain(value.slice(16));
    expect(all).not.toContain(admin.csrf());
    expect(all).not.toContain("argon2id");
  });
});

describe("Behind https", () => {
  let secure: RunningApp;
  /** The address at which a proxy reaches it. */
  let behind: string;
  const publicUrl = "https://catalog.example.com";
  beforeAll(async () => {
    const port = await findFreePort();
    behind = `http://127.0.0.1:${port}`;
    secure = await startApp({ env: { PUBLIC_URL: publicUrl, PORT: String(port) } });
  });
  afterAll(() => secure.close());

  test("Behind https, the cookie is sent only over https, and only this host can set it", async () => {
    const [workspace] = await secure.app.metadata.workspaces.list();
    const made = present(await makeFirstAdminLink(secure.app.logins, present(workspace)));
    expect(made.url).toMatch(/^https:\/\/catalog\.example\.com\/welcome#token=/);
    const page = openPage(behind, { publicUrl });
    const { status, setCookies } = await page.useLink(made.url, { email: "ada@example.com" });
    const cookie = /^__Host-tributary_session=[\w-]{59}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax; Secure$/;
    const device =
      /^__Host-tributary_device=[\w-]{16}\.\d+\.[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax; Secure$/;
    expect([status, setCookies]).toEqual([200, [expect.stringMatching(cookie), expect.stringMatching(device)]]);
    expect(await page.query(ME.query)).toEqual({ viewer: { user: { email: "ada@example.com" } } });

    // Other hosts of the domain could set a cookie with the plain name.
    const other = openPage(behind, { publicUrl });
    other.cookies.set("tributary_session", String(page.cookies.get("__Host-tributary_session")));
    expect((await other.ask("GET", "/auth/session")).status).toBe(401);
  });

  test("Behind https, the address that the server listens on is another origin", async () => {
    expect((await openPage(behind).logIn("ada@example.com")).status).toBe(403);
    expect((await openPage(behind, { publicUrl }).logIn("ada@example.com")).status).toBe(200);
  });
});

describe("Two workspaces", () => {
  test("Two workspaces of one person never see each other", async () => {
    const { metadata } = running.app;
    const other = await establishWorkspace(metadata, "other", "live");
    const olga = await openAdminPage(running.app, running.url, { email: "olga@example.com", workspace: other });
    const inOne = await openPersonPage(admin, running.url, "both@example.com", "analyst");
    const inOther = await openPersonPage(olga, running.url, "Both@example.com", "engineer");

    const both = openPage(running.url);
    const { body } = await both.logIn("both@example.com");
    expect(body).toMatchObject({
      workspace: { name: "other" },
      workspaces: [{ name: "default" }, { name: "other" }],
    });
    const there = openPage(running.url);
    expect((await there.logIn("both@example.com", PASSWORD, { workspace: "default" })).body).toMatchObject({
      user: { role: "analyst" },
      workspace: { name: "default" },
    });
    expect((await openPage(running.url).logIn("both@example.com", PASSWORD, { workspace: "third" })).status).toBe(401);

    const ids = { one: await idOf(inOne), other: await idOf(inOther) };
    expect(ids.one).not.toBe(ids.other);
    for (const mutation of [
      `changePerson(input: { userId: "${ids.other}", role: admin }) { person { id } }`,
      `resetPassword(input: { userId: "${ids.other}" }) { link }`,
    ]) {
      expect(await admin.query(`mutation { ${mutation} }`)).toBe("NOT_FOUND");
    }
    const PEOPLE = "{ people(first: 50) { nodes { email } } auditEvents(first: 50) { nodes { actor } } }";
    expect(JSON.stringify(await admin.query(PEOPLE))).not.toMatch(/olga|Both/);
    expect(JSON.stringify(await olga.query(PEOPLE))).not.toMatch(/ada@/);

    // A decision of one workspace about the person does not affect the other.
    await olga.query(`mutation { changePerson(input: { userId: "${ids.other}", disabled: true }) { person { id } } }`);
    expect(await both.query(ME.query)).toBe("unauthorized");
    expect(await there.query(ME.query)).toEqual({ viewer: { user: { email: "both@example.com" } } });
    expect(at((await there.ask("GET", "/auth/session")).body, "workspaces")).toMatchObject([{ name: "default" }]);
  });

  test("Two workspaces keep the passwords of one address apart: an admin of one cannot log in to the other", async () => {
    const { metadata } = running.app;
    const workspace = await establishWorkspace(metadata, "mallorys", "live");
    const mallory = await openAdminPage(running.app, running.url, { email: "mallory@example.com", workspace });
    const invite = `mutation { invitePerson(input: { email: "ada@example.com", role: admin }) { link } }`;
    const link = String(at(await mallory.query(invite), "invitePerson", "link"));
    const fake = openPage(running.url);
    const { body } = await fake.useLink(link, { password: "chosen by mallory" });
    expect(body).toMatchObject({ workspace: { name: "mallorys" }, workspaces: [{ name: "mallorys" }] });
    const again = await openPage(running.url).logIn("ada@example.com", "chosen by mallory");
    expect(again.body).toMatchObject({ workspace: { name: "mallorys" }, workspaces: [{ name: "mallorys" }] });
    const intoDefault = await openPage(running.url).logIn("ada@example.com", "chosen by mallory", {
      workspace: "default",
    });
    expect(intoDefault.status).toBe(401);
    expect((await openPage(running.url).logIn("ada@example.com", PASSWORD)).body).toMatchObject({
      workspace: { name: "default" },
      workspaces: [{ name: "default" }],
    });
  });
});

async function idOf(page: Page): Promise<string> {
  return String(at((await page.ask("GET", "/auth/session")).body, "user", "id"));
}
