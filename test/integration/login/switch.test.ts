/** People who go from one workspace to another with one login. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { makeFirstAdminLink } from "../../../src/auth/links/make-links.ts";
import type { Workspace } from "../../../src/metadata/records.ts";
import { establishWorkspace, getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createTestClock, MINUTE_MS } from "../../support/clock.ts";
import { invite, openAdminPage, openPage, type Page, PASSWORD } from "../../support/page.ts";
import { present } from "../../support/present.ts";
import { at, type Json } from "../../support/rest-client.ts";

const clock = createTestClock();
const EMAIL = "ada@example.com";
let running: RunningApp;
let home: Workspace;
let branch: Workspace;
/** Another admin of the branch. */
let boss: Page;
beforeAll(async () => {
  running = await startApp({ overrides: { clock } });
  const { metadata } = running.app;
  home = await getDefaultWorkspace(metadata);
  branch = await establishWorkspace(metadata, "branch", "live");
  await openAdminPage(running.app, running.url);
  boss = await openAdminPage(running.app, running.url, { email: "boss@example.com", workspace: branch });
  await openPage(running.url).useLink(await invite(boss, EMAIL, "analyst"));
});
afterAll(() => running.close());
beforeEach(() => clock.advance(6 * MINUTE_MS));

const logIn = async (workspace = "default"): Promise<Page> => {
  const page = openPage(running.url);
  // A login at the same moment at which others were ended proves nothing.
  clock.advance(1_000);
  await page.logIn(EMAIL, PASSWORD, { workspace });
  clock.advance(1_000);
  return page;
};
const goTo = (page: Page, workspace: string, headers: Record<string, string | null> = {}) =>
  page.ask("POST", "/auth/switch", { workspace }, headers);
const namesOf = (body: Json): unknown => (at(body, "workspaces") as { name: string }[]).map(({ name }) => name);
const opens = async (page: Page): Promise<unknown> => namesOf((await page.ask("GET", "/auth/session")).body);
const idInBranch = async (): Promise<string> => {
  const found = await running.app.metadata.users.findByAddress(branch.id, EMAIL);
  return present(found).id;
};
const CHANGE = `mutation ($id: ID!, $disabled: Boolean!) {
  changePerson(input: { userId: $id, disabled: $disabled }) { person { id } }
}`;

test("A session continues in another workspace, with the role there and a cookie of its own", async () => {
  const page = await logIn();
  const { body: before } = await page.ask("GET", "/auth/session");
  expect(namesOf(before)).toEqual(["branch", "default"]);
  const sessions = "{ mySessions { id } }";
  const [own] = at(await page.query(sessions), "mySessions") as { id: string }[];
  const [cookie, csrf] = [new Map(page.cookies), page.csrf()];

  const { status, body: after } = await goTo(page, branch.id);
  expect(status).toBe(200);
  expect(after).toMatchObject({
    user: { email: EMAIL, role: "analyst" },
    workspace: { id: branch.id, name: "branch" },
    workspaces: [{ name: "branch" }, { name: "default" }],
    scopes: ["read"],
    expires_at: at(before, "expires_at"),
  });
  expect(at(await page.query(sessions), "mySessions")).toContainEqual(expect.objectContaining({ id: own?.id }));
  expect(await page.query("{ viewer { user { id } } workspace { name } }")).toEqual({
    viewer: { user: { id: await idInBranch() } },
    workspace: { name: "branch" },
  });
  // A tab that still shows the earlier workspace can change nothing here, and its cookie is no longer valid.
  expect(
    (await page.ask("POST", "/graphql", { query: "{ viewer { user { id } } }" }, { "x-csrf-token": csrf })).status,
  ).toBe(403);
  const old = openPage(running.url);
  for (const [name, value] of cookie) old.cookies.set(name, value);
  expect((await old.ask("GET", "/auth/session")).status).toBe(401);

  const trail = "{ auditEvents(first: 1) { nodes { action actor subject details } } }";
  const by = { actor: EMAIL, subject: own?.id };
  expect(at(await boss.query(trail), "auditEvents", "nodes")).toEqual([
    { ...by, action: "logged_in", details: { userId: await idInBranch(), by: "switch of workspace" } },
  ]);
  clock.advance(1_000);
  expect((await goTo(page, "default")).status).toBe(200);
  expect(at(await page.query(trail), "auditEvents", "nodes", 0)).toMatchObject({ ...by, action: "logged_in" });
  expect((await goTo(page, "default")).setCookies).toEqual([]);
});

test("A login opens no workspace in which the person has another password, or is no user", async () => {
  const third = await establishWorkspace(running.app.metadata, "third", "live");
  const link = present(await makeFirstAdminLink(running.app.logins, third));
  await openPage(running.url).useLink(link.url, { email: EMAIL, password: "a stork by the river" });
  await establishWorkspace(running.app.metadata, "fourth", "live");
  const page = await logIn();
  expect(await opens(page)).toEqual(["branch", "default"]);
  for (const name of ["third", third.id, "fourth", "", "nothing"]) {
    const { status, setCookies } = await goTo(page, name);
    expect([name, status, setCookies]).toEqual([name, 404, []]);
  }
  expect(await page.query("{ workspace { name } }")).toEqual({ workspace: { name: "default" } });
});

test("A login no longer opens a workspace in which the person was disabled, even if they were enabled again", async () => {
  const page = await logIn();
  const id = await idInBranch();
  await boss.query(CHANGE, { id, disabled: true });
  expect(await opens(page)).toEqual(["default"]);
  expect((await goTo(page, "branch")).status).toBe(404);
  await boss.query(CHANGE, { id, disabled: false });
  expect((await goTo(page, "branch")).status).toBe(404);
  expect(await opens(await logIn())).toEqual(["branch", "default"]);
});

test("A login no longer opens a workspace in which the password was reset, or everybody was logged out", async () => {
  const page = await logIn();
  const reset = await boss.query(`mutation ($id: ID!) { resetPassword(input: { userId: $id }) { link } }`, {
    id: await idInBranch(),
  });
  expect(await opens(page)).toEqual(["branch", "default"]);
  await openPage(running.url).useLink(String(at(reset, "resetPassword", "link")));
  expect(await opens(page)).toEqual(["default"]);
  expect((await goTo(page, "branch")).status).toBe(404);

  const fresh = await logIn();
  expect(await opens(fresh)).toEqual(["branch", "default"]);
  await boss.query("{ __typename }");
  await boss.query("mutation { revokeAllTokens { sessions } }");
  expect(await opens(fresh)).toEqual(["default"]);
  expect((await goTo(fresh, "branch")).status).toBe(404);
  await boss.logIn("boss@example.com", PASSWORD);
});

test("A new password counts in both workspaces, but keeps this session in its own until the next login", async () => {
  const [page, other] = [await logIn("branch"), await logIn()];
  const next = "a stork by the sea";
  expect((await page.ask("POST", "/auth/password", { current: PASSWORD, next })).status).toBe(200);
  expect(await opens(page)).toEqual(["branch"]);
  expect((await goTo(page, "default")).status).toBe(404);
  expect((await other.ask("GET", "/auth/session")).status).toBe(401);
  clock.advance(6 * MINUTE_MS);
  await page.logIn(EMAIL, next);
  expect(await opens(page)).toEqual(["branch", "default"]);
  await page.ask("POST", "/auth/password", { current: next, next: PASSWORD });
});

test("A workspace whose allowlist excludes this address cannot be entered, and a token cannot switch", async () => {
  const page = await logIn();
  const { security } = running.app.metadata;
  await security.set(branch.id, { allowlist: ["192.0.2.0/24"] });
  expect((await goTo(page, "branch")).status).toBe(403);
  await security.set(branch.id, { allowlist: [] });
  expect(await page.query("{ workspace { name } }")).toEqual({ workspace: { name: "default" } });

  const { status } = await openPage(running.url).ask(
    "POST",
    "/auth/switch",
    { workspace: home.id },
    {
      authorization: `Bearer ${running.token}`,
    },
  );
  expect(status).toBe(401);
});
