import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { hasBrowser } from "../../support/browser.ts";
import { PASSWORD } from "../../support/page.ts";
import { asks, findAxeFaults, hold, isShown, startUi, type UiBench } from "../../support/ui.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const choose = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true }).click();

/** Sets a password with a one-time link, and so logs in. */
async function useLink(page: Page, password: string): Promise<void> {
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: /^(Enter the workspace|Save the password)$/ }).click();
  await page.getByRole("heading", { level: 1, name: /^(Catalog|Home)$/ }).waitFor();
}

async function takeLink(page: Page): Promise<string> {
  const link = await page.getByRole("group", { name: "One-time link" }).getByRole("code").innerText();
  await press(page, "Done");
  return link;
}

describe.skipIf(!hasBrowser)("people in a browser", () => {
  let bench: UiBench;
  let admin: Page;
  let faults: string[];
  beforeAll(async () => {
    bench = await startUi({});
    ({ page: admin, faults } = await bench.open("/catalog"));
  });
  afterAll(() => bench?.close());

  const go = (page: Page, path: string) => page.goto(`${bench.running.url}${path}`);
  const openLink = async (link: string) => {
    const { href, origin } = new URL(link);
    return (await bench.open(href.slice(origin.length), { as: null })).page;
  };
  const menuOf = (email: string) => admin.getByRole("button", { name: `What to do with ${email}` }).click();

  it("An admin invites a person, who starts with the given role and can get a higher one", async () => {
    await go(admin, "/settings/people");
    await press(admin, "Invite a person");
    await admin.getByLabel("E-mail").fill("grace@example.com");
    await admin.getByLabel("Role").selectOption("Analyst: reads");
    await press(admin, "Make the invitation");
    const first = await takeLink(admin);
    const open = admin.getByRole("list", { name: "Open invitations" });
    await open.getByText("grace@example.com analyst").waitFor();
    expect(await open.innerText()).toMatch(/by Ada Lovelace\s+\(ada@example\.com\)\s*\. The link ends in 7 days/);
    await press(admin, "New link for grace@example.com");
    const second = await takeLink(admin);
    const late = await openLink(first);
    await late.getByText("This link does not work").waitFor();
    await press(admin, "Invite a person");
    await admin.getByLabel("E-mail").fill("mallory@example.com");
    await press(admin, "Make the invitation");
    await takeLink(admin);
    await press(admin, "Cancel the invitation of mallory@example.com");
    await press(admin, "Cancel the invitation");
    await admin.getByText("The invitation of mallory@example.com is cancelled.").waitFor();
    await expect.poll(() => open.getByRole("listitem").count()).toBe(1);
    expect(await findAxeFaults(admin)).toEqual([]);
    const grace = await openLink(second);
    await grace.getByLabel("Your name").fill("Grace Hopper");
    await useLink(grace, PASSWORD);

    await go(grace, "/settings/api");
    await grace.getByText("Keys are made by admins").waitFor();
    await admin.reload();
    await admin.getByRole("row", { name: /grace@example\.com/ }).waitFor();
    expect(await open.count()).toBe(0);
    await menuOf("grace@example.com");
    await choose(admin, "Let them make API keys");
    await admin.getByRole("row", { name: /grace@example\.com .*make API keys/ }).waitFor();
    await grace.reload();
    expect(await isShown(grace.getByRole("button", { name: "New key" }))).toBe(true);
    await go(grace, "/settings/people");
    expect(await isShown(grace.getByText("Only admins see and change the people"))).toBe(true);
  });

  it("A one-time link stays on the page, even if the list cannot be loaded again", async () => {
    const page = await admin.context().newPage();
    await go(page, "/settings/people");
    await page.getByRole("button", { name: "What to do with grace@example.com" }).click();
    const list = await hold(page, asks("People"));
    await page.getByRole("menuitemradio", { name: /^Analyst/ }).click();
    await list.waits;
    await page.getByRole("button", { name: "What to do with grace@example.com" }).click();
    await choose(page, "New password");
    await press(page, "Make a link");
    const link = page.getByRole("group", { name: "One-time link" });
    await link.waitFor();
    await list.release("abort");
    await page.getByText("The service cannot be reached").waitFor();
    expect(await isShown(link)).toBe(true);
    await page.close();
  });

  it("An admin changes roles, but not that of the last admin", async () => {
    await go(admin, "/settings/people");
    await menuOf("grace@example.com");
    await admin.getByRole("menuitemradio", { name: /^Engineer/ }).click();
    await admin.getByRole("row", { name: /grace@example\.com engineer/ }).waitFor();
    await menuOf("ada@example.com");
    await admin.getByRole("menuitemradio", { name: /^Analyst/ }).click();
    expect(await isShown(admin.getByRole("row", { name: /ada@example\.com/ }).getByRole("alert"))).toBe(true);
  });

  it("An admin resets a password with a link, and a disabled person cannot log in", async () => {
    await go(admin, "/settings/people");
    await menuOf("grace@example.com");
    await choose(admin, "New password");
    await press(admin, "Make a link");
    const grace = await openLink(await takeLink(admin));
    await useLink(grace, "another heron by the lake");

    await menuOf("grace@example.com");
    await choose(admin, "Disable");
    await press(admin, "Disable");
    await admin.getByRole("row", { name: /disabled.* grace@example\.com/ }).waitFor();
    await grace.reload();
    expect(await isShown(grace.getByRole("heading", { name: "Log in to your workspace" }))).toBe(true);
  });

  it("A person sees where they are logged in, and ends another session", async () => {
    const { page: other } = await bench.open("/", { as: null });
    await other.getByLabel("E-mail").fill("ada@example.com");
    await other.getByLabel("Password").fill(PASSWORD);
    await press(other, "Log in");
    await other.getByRole("heading", { level: 1, name: "Home" }).waitFor();

    await go(admin, "/catalog");
    await press(admin, "Ada Lovelace");
    await choose(admin, "Your account");
    const sessions = admin.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await expect.poll(() => sessions.count()).toBe(2);
    expect(await sessions.filter({ hasText: "this one" }).count()).toBe(1);
    await press(admin, "Log it out");
    await expect.poll(() => sessions.count()).toBe(1);
    await other.reload();
    await other.getByRole("heading", { name: "Log in to your workspace" }).waitFor();
  });

  it("A person changes their password, and sees what is wrong with a new one", async () => {
    await go(admin, "/settings/account");
    await admin.getByLabel("Present password").fill("something else");
    await admin.getByLabel("New password").fill("a heron by the river");
    await press(admin, "Change the password");
    await admin.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
    await admin.getByLabel("Present password").fill(PASSWORD);
    await press(admin, "Change the password");
    await admin.getByText("Your password is changed.").waitFor();
    await go(admin, "/settings/audit?action=password_set");
    expect(await isShown(admin.getByText("set a password", { exact: true }).last())).toBe(true);
    expect(faults).toEqual([]);
  });

  it("An admin sets how long audit events are kept, and sees first what that deletes", async () => {
    const { metadata } = bench.running.app;
    const { id: workspaceId } = await getDefaultWorkspace(metadata);
    const by = { action: "refused", actor: "eve@example.com", source: "192.0.2.1" };
    const old = Array.from({ length: 3 }, (_, i) => {
      return { id: `aud_${i}`, workspaceId, ...by, subject: "", details: "{}", at: "2026-01-01T00:00:00.000Z" };
    });
    await metadata.copier.copyIn(workspaceId, "auditEvents", old);
    await go(admin, "/settings/audit");
    await press(admin, "Kept for ever");
    await admin.getByLabel("Keep events").selectOption("Other …");
    await admin.getByLabel("Days").fill("6");
    expect(await isShown(admin.getByRole("button", { name: "Keep them so", disabled: true }))).toBe(true);
    await admin.getByLabel("Days").fill("14");
    await admin.getByText("3 events are deleted").waitFor();
    expect(await findAxeFaults(admin)).toEqual([]);
    await press(admin, "Delete the older ones");
    await admin.getByText("Events are kept for 14 days.").waitFor();
    expect(faults).toEqual([]);
  });

  it("Revoking every token logs everybody out", async () => {
    await go(admin, "/settings/api?tab=limits");
    await press(admin, "Revoke all tokens");
    await admin.getByLabel("Type default to confirm").fill("default");
    await admin.getByRole("dialog").getByRole("button", { name: "Revoke all tokens" }).click();
    expect(await isShown(admin.getByRole("dialog", { name: "Your session has ended" }))).toBe(true);
  });
});
