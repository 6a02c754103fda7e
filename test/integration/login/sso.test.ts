/** People log in at a real OpenID Connect provider. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import { systemClock } from "../../../src/clock.ts";
import { establishWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { CLIENT, startProvider, type TestProvider, type Walked, walkThrough } from "../../support/oidc-provider.ts";
import { openAdminPage, openPage, openPersonPage, type Page, PASSWORD } from "../../support/page.ts";
import { at } from "../../support/rest-client.ts";

let provider: TestProvider;
let running: RunningApp;
let admin: Page;
/** How far the service's clock is ahead of the provider's. */
let aheadMs = 0;
const clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
beforeAll(async () => {
  provider = await startProvider();
  running = await startApp({
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_DOMAINS: "example.com",
      OIDC_NAME: "Okta",
      OIDC_ADMIN_GROUPS: "data-admins",
      OIDC_ENGINEER_GROUPS: "data-engineers,analytics",
      TRUSTED_PROXIES: "127.0.0.1/32",
    },
    overrides: { clock },
  });
  admin = await openAdminPage(running.app, running.url, { email: "root@example.org" });
});
afterAll(async () => {
  await running.close();
  await provider.close();
});

let sources = 0;
const page = (): Page => openPage(running.url, { source: `198.51.100.${++sources}` });

/** A person logs in with a new browser. */
async function comeAs(sub: string | null, query = "", browser = page()): Promise<Walked & { browser: Page }> {
  provider.present = sub;
  return { ...(await walkThrough(browser, running.url, query)), browser };
}

/** The refused logins in the audit trail of the admin's workspace, the newest first. */
const readRefusals = async (of: Page) => {
  const trail = await of.query(`{ auditEvents(first: 50, action: login_failed) { nodes { actor source details } } }`);
  return at(trail, "auditEvents", "nodes");
};

const sessionOf = async (browser: Page) => (await browser.ask("GET", "/auth/session")).body;

describe("a provider that is away", () => {
  test("The service runs while the provider is away, says so at the login, and finds the provider later", async () => {
    expect(await sessionOf(page())).toMatchObject({ details: { login: { sso: { name: "Okta" } } } });
    expect((await comeAs("ada")).location).toBe("/login?error=sso_unavailable");
    expect((await page().logIn("root@example.org")).status).toBe(200);
    provider.open(running.url);
    provider.people.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada Lovelace" });
    expect((await comeAs("ada", "?return_to=/assets/x%3Ftab=lineage%23up")).location).toBe("/assets/x?tab=lineage#up");
  });

  test("A login fails if the provider goes away in the middle of it, and the next one works", async () => {
    const browser = page();
    provider.present = "ada";
    const { location } = await walkThrough(browser, running.url, "", (callback) => {
      provider.closeDoor();
      return callback;
    });
    expect(location).toBe("/login?error=sso_unavailable");
    expect(await sessionOf(browser)).toHaveProperty("details.login");
    provider.open(running.url);
    expect((await comeAs("ada")).location).toBe("/");
  });
});

describe("A login at the provider", () => {
  test("A login at the provider uses a code with PKCE, state and nonce, and reveals no secret", async () => {
    const { asked } = await comeAs("ada");
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      redirect_uri: `${running.url}/auth/sso/callback`,
      scope: "openid email profile groups",
      response_type: "code",
      client_id: CLIENT.id,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  test("A login at the provider adds a person of the permitted domains as an analyst, and opens a session", async () => {
    const { browser } = await comeAs("ada");
    expect(await sessionOf(browser)).toMatchObject({
      user: { name: "Ada Lovelace", email: "ada@example.com", role: "analyst" },
      workspace: { name: "default" },
      scopes: ["read"],
    });
    expect(await browser.query("{ viewer { user { sso hasPassword } } }")).toEqual({
      viewer: { user: { sso: true, hasPassword: false } },
    });
    expect([...browser.cookies.keys()]).toEqual(["tributary_session"]);
  });

  test("Each login at the provider gives the role of the person's groups", async () => {
    const roles: unknown[] = [];
    for (const groups of [["data-admins", "data-engineers"], ["analytics"], ["others"]]) {
      provider.people.set("grace", { email: "grace@example.com", email_verified: true, groups });
      roles.push(at(await sessionOf((await comeAs("grace")).browser), "user", "role"));
    }
    expect(roles).toEqual(["admin", "engineer", "analyst"]);
  });

  test("A login at the provider recognises the person by the subject, even if the address changes", async () => {
    const before = at(await sessionOf((await comeAs("ada")).browser), "user", "id");
    provider.people.set("ada", { email: "countess@example.com", email_verified: true });
    expect(at(await sessionOf((await comeAs("ada")).browser), "user")).toMatchObject({
      id: before,
      email: "ada@example.com",
    });
    // The address now belongs to another person at the company.
    provider.people.set("ada-2", { email: "ada@example.com", email_verified: true });
    expect((await comeAs("ada-2")).location).toBe("/login?error=sso_not_allowed");
  });

  test.each([
    ["an address that is not verified", { email: "eve@example.com", email_verified: false }],
    ["an address that is not said to be verified", { email: "eve@example.com" }],
    ["an address in another domain", { email: "eve@example.net", email_verified: true }],
    ["an address in a domain that only ends like one", { email: "eve@evilexample.com", email_verified: true }],
    ["no address", {}],
  ])("A login at the provider is refused with %s", async (what, person) => {
    provider.people.set(what, person);
    const { location, browser } = await comeAs(what);
    expect(location).toBe("/login?error=sso_not_allowed");
    expect(await sessionOf(browser)).toHaveProperty("details.login");
  });

  test("A login that is refused after the provider has let the person in is in the audit trail with who it was and why", async () => {
    provider.people.set("eve", { email: "eve@example.com", email_verified: false });
    await comeAs("eve");
    await comeAs("eve");
    provider.people.set("eve", { email: "eve@example.net", email_verified: true });
    await comeAs("eve");
    provider.people.set("eve", {});
    await comeAs("eve");
    provider.people.set("joan", { email: "joan@example.com", email_verified: true });
    await comeAs("joan");
    provider.people.set("eve", { email: "joan@example.com", email_verified: true });
    await comeAs("eve");
    const events = [await readRefusals(admin)].flat().filter((event) => at(event, "details", "sub") === "eve");
    expect(events.map((event) => [at(event, "actor"), at(event, "details", "reason")])).toEqual([
      ["joan@example.com", "The user with this address is disabled, or bound to another person of the provider."],
      [null, "The provider sends no e-mail address."],
      ["eve@example.net", "The domain of the address is not in OIDC_DOMAINS."],
      ["eve@example.com", "The provider does not say that the address is verified."],
    ]);
    expect(at(events[0], "source")).toMatch(/^198\.51\.100\./);
    expect(at(events[0], "details")).toMatchObject({ by: "single sign-on", issuer: provider.issuer });
  });

  test("A login that the person breaks off at the provider leads back to the login page", async () => {
    expect((await comeAs(null)).location).toBe("/login?error=sso_denied");
  });

  test("A login at the provider does not let a disabled person in", async () => {
    provider.people.set("dora", { email: "dora@example.com", email_verified: true });
    const { browser } = await comeAs("dora");
    const id = at(await sessionOf(browser), "user", "id");
    await admin.query(
      `mutation ($id: ID!) { changePerson(input: { userId: $id, disabled: true }) { person { id } } }`,
      {
        id,
      },
    );
    expect(await browser.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect((await comeAs("dora")).location).toBe("/login?error=sso_not_allowed");
    // The same holds for another address, whether it is new here or belongs to an unlinked user.
    provider.people.set("dora", { email: "dora.new@example.com", email_verified: true });
    expect((await comeAs("dora")).location).toBe("/login?error=sso_not_allowed");
    await openPersonPage(admin, running.url, "dora.two@example.com", "analyst");
    provider.people.set("dora", { email: "dora.two@example.com", email_verified: true });
    expect((await comeAs("dora")).location).toBe("/login?error=sso_not_allowed");
    expect((await page().logIn("dora.two@example.com")).status).toBe(200);
  });
});

describe("users who are linked to an identity", () => {
  test("After a reset, another person with the same address can take over the user, who can use the new password until then", async () => {
    provider.people.set("kim", { email: "kim@example.com", email_verified: true });
    const id = at(await sessionOf((await comeAs("kim")).browser), "user", "id");
    provider.people.set("kim-2", { email: "kim@example.com", email_verified: true });
    expect((await comeAs("kim-2")).location).toBe("/login?error=sso_not_allowed");

    const reset = await admin.query(`mutation ($id: ID!) { resetPassword(input: { userId: $id }) { link } }`, { id });
    expect((await page().useLink(String(at(reset, "resetPassword", "link")))).status).toBe(200);
    expect((await page().logIn("kim@example.com")).status).toBe(200);
    expect(at(await sessionOf((await comeAs("kim-2")).browser), "user", "id")).toBe(id);
    expect((await comeAs("kim")).location).toBe("/login?error=sso_not_allowed");
    expect((await page().logIn("kim@example.com")).status).toBe(401);
  });
});

describe("A user with a password", () => {
  test("A user with a password is linked to the identity with the same verified address, and loses the password", async () => {
    const old = await openPersonPage(admin, running.url, "alan@example.com", "engineer");
    const id = at(await sessionOf(old), "user", "id");
    provider.people.set("alan", { email: "Alan@example.com", email_verified: true, groups: ["analytics"] });
    const { browser } = await comeAs("alan");
    expect(at(await sessionOf(browser), "user", "id")).toBe(id);
    expect(await old.query("{ viewer { user { id } } }")).toBe("unauthorized");
    expect((await page().logIn("alan@example.com", PASSWORD)).status).toBe(401);
    const events = JSON.stringify(await admin.query(`{ auditEvents(action: identity_bound) { nodes { actor } } }`));
    expect(events).toContain("alan@example.com");
  });

  test("A user with a password is not linked by an address that is unverified, or outside the provider's domains", async () => {
    const boris = await openPersonPage(admin, running.url, "boris@example.com", "engineer");
    provider.people.set("mallory", { email: "boris@example.com", email_verified: false });
    expect((await comeAs("mallory")).location).toBe("/login?error=sso_not_allowed");
    provider.people.set("mallory-2", { email: "root@example.org", email_verified: true });
    expect((await comeAs("mallory-2")).location).toBe("/login?error=sso_not_allowed");
    expect(await boris.query("{ viewer { user { sso } } }")).toEqual({ viewer: { user: { sso: false } } });
    expect((await page().logIn("root@example.org")).status).toBe(200);
  });
});

describe("Logging out", () => {
  test("A logout says where the provider logs people out, after the session has ended", async () => {
    const { browser } = await comeAs("ada");
    await sessionOf(browser);
    const { status, body } = await browser.ask("POST", "/auth/logout");
    const url = new URL(String(at(body, "redirect")));
    expect([status, url.origin, url.pathname]).toEqual([200, provider.issuer, "/session/end"]);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${running.url}/login`);
    expect((await fetch(url, { redirect: "manual" })).status).toBe(200);
    expect(await sessionOf(browser)).toHaveProperty("details.login");
  });

  test("A logout from a session by password leads nowhere", async () => {
    const browser = page();
    await browser.logIn("root@example.org");
    expect((await browser.ask("POST", "/auth/logout")).status).toBe(204);
  });
});

describe("attacks", () => {
  test("An attacker cannot have a victim finish the attacker's login, whose cookie is in another browser", async () => {
    provider.present = "ada";
    const [attacker, victim] = [page(), page()];
    let stolen = new URL(running.url);
    await walkThrough(attacker, running.url, "", (callback) => {
      stolen = callback;
      return new URL("/auth/session", running.url);
    });
    const { headers } = await victim.ask("GET", `${stolen.pathname}${stolen.search}`);
    expect(headers.get("location")).toBe("/login?error=sso_failed");
    await victim.ask("GET", "/auth/sso");
    const again = await victim.ask("GET", `${stolen.pathname}${stolen.search}`);
    expect(again.headers.get("location")).toBe("/login?error=sso_failed");
    expect(await sessionOf(victim)).toHaveProperty("details.login");
  });

  test("An ID token that was issued further in the future than clocks differ is refused", async () => {
    onTestFinished(() => void (aheadMs = 0));
    aheadMs = -30_000;
    expect((await comeAs("ada")).location).toBe("/");
    aheadMs = -5 * 60_000;
    expect((await comeAs("ada")).location).toBe("/login?error=sso_failed");
  });

  test("A callback cannot be used twice", async () => {
    provider.present = "ada";
    const browser = page();
    const { callback } = await walkThrough(browser, running.url);
    const { headers } = await browser.ask("GET", `${callback.pathname}${callback.search}`);
    expect(headers.get("location")).toBe("/login?error=sso_failed");
  });

  test.each([
    ["another state", (callback: URL) => callback.searchParams.set("state", "x".repeat(43))],
    ["no state", (callback: URL) => callback.searchParams.delete("state")],
    ["another code", (callback: URL) => callback.searchParams.set("code", "x".repeat(43))],
    ["another issuer", (callback: URL) => callback.searchParams.set("iss", "https://evil.example")],
    ["two states", (callback: URL) => callback.searchParams.append("state", "x".repeat(43))],
  ])("A callback with %s is refused", async (_what, change) => {
    provider.present = "ada";
    const browser = page();
    const { location } = await walkThrough(browser, running.url, "", (callback) => {
      change(callback);
      return callback;
    });
    expect(location).toBe("/login?error=sso_failed");
    expect(await sessionOf(browser)).toHaveProperty("details.login");
  });

  test("A login whose cookie was changed is refused", async () => {
    provider.present = "ada";
    const browser = page();
    const { location } = await walkThrough(browser, running.url, "", (callback) => {
      const cookie = String(browser.cookies.get("tributary_sso"));
      browser.cookies.set("tributary_sso", `${cookie.slice(0, -2)}${cookie.endsWith("AA") ? "BB" : "AA"}`);
      return callback;
    });
    expect(location).toBe("/login?error=sso_failed");
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/.//evil.example",
    "/auth/sso",
    "assets",
  ])("A login cannot redirect people to %j", async (target) => {
    const { location } = await comeAs("ada", `?return_to=${encodeURIComponent(target)}`);
    expect(location).toBe("/");
  });
});

describe("Several workspaces", () => {
  test("Several workspaces link the same identity to users of their own, and groups count only in the provider's workspace", async () => {
    const team = await establishWorkspace(running.app.metadata, "team", "live");
    const boss = await openAdminPage(running.app, running.url, { email: "boss@example.org", workspace: team });
    await openPersonPage(boss, running.url, "zoe@example.com", "analyst");
    await openPersonPage(admin, running.url, "zoe@example.com", "analyst");
    provider.people.set("zoe", { email: "zoe@example.com", email_verified: true, groups: ["data-admins"] });
    const inTeam = await sessionOf((await comeAs("zoe", "?workspace=team")).browser);
    expect(inTeam).toMatchObject({
      user: { role: "analyst" },
      workspace: { name: "team" },
      workspaces: [{ name: "default" }, { name: "team" }],
    });
    const home = await sessionOf((await comeAs("zoe", "?workspace=default")).browser);
    expect(home).toMatchObject({ user: { role: "admin" }, workspace: { name: "default" } });
    expect((await comeAs("ada", "?workspace=team")).location).toBe("/login?error=sso_not_allowed");
  });

  test("A refused login is in the trail of the workspace that it is for, or else of one in which the person has a user", async () => {
    const far = await establishWorkspace(running.app.metadata, "far", "live");
    const boss = await openAdminPage(running.app, running.url, { email: "far@example.org", workspace: far });
    provider.people.set("ada", { email: "countess@example.com", email_verified: true });
    expect((await comeAs("ada", "?workspace=far")).location).toBe("/login?error=sso_not_allowed");
    const reason = "The person has no user in the workspace that the login is for.";
    expect(await readRefusals(boss)).toMatchObject([
      { actor: "countess@example.com", details: { sub: "ada", reason } },
    ]);

    const user = await openPersonPage(boss, running.url, "una@example.com", "analyst");
    provider.people.set("una", { email: "una@example.com", email_verified: true });
    const { browser } = await comeAs("una", "?workspace=far");
    const id = at(await sessionOf(browser), "user", "id");
    const disable = "mutation ($id: ID!) { changePerson(input: { userId: $id, disabled: true }) { person { id } } }";
    await boss.query(disable, { id });
    expect(await user.query("{ viewer { user { id } } }")).toBe("unauthorized");
    provider.people.set("una", { email: "una@example.net", email_verified: true });
    expect((await comeAs("una")).location).toBe("/login?error=sso_not_allowed");
    expect(await readRefusals(boss)).toMatchObject([{ details: { sub: "una" } }, { details: { sub: "ada" } }]);
  });

  test("A refused login is told as refused, also if the store then fails", async () => {
    const lookUp = vi
      .spyOn(running.app.metadata.workspaces, "findById")
      .mockRejectedValue(new Error("The store is away."));
    onTestFinished(() => lookUp.mockRestore());
    expect((await comeAs("ada", "?workspace=team")).location).toBe("/login?error=sso_not_allowed");
    expect(lookUp).toHaveBeenCalled();
  });
});
