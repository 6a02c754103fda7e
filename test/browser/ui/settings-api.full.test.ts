import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createApiKey } from "../../../src/auth/api-keys.ts";
import { fromOperator } from "../../../src/auth/origin.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../../src/cli/start/workspace.ts";
import { SCOPES } from "../../../src/metadata/records.ts";
import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";
import { asks, cutOff, isShown, startUi, type UiBench } from "../../support/ui.ts";

/** A text that is shown only once. */
const shownOnce = (page: Page, label: string) =>
  page.getByRole("dialog").getByRole("group", { name: label, exact: true }).getByRole("code").innerText();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe.skipIf(!hasBrowser)("Settings, API in a browser", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi({});
  });
  afterAll(() => bench?.close());

  /** The status of a REST call with a token. */
  const call = async (token: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${bench.running.url}/api/v1/catalog/assets`, { headers })).status;
  };
  const askForToken = (id: string, secret: string): Promise<Response> =>
    fetch(`${bench.running.url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret }),
    });

  it("A new key calls the API, is shown once, and is refused after it is revoked", async () => {
    const { page, faults } = await bench.open("/settings/api");
    await press(page, "New key");
    await page.getByLabel("Name").fill("nightly export");
    await page.getByLabel("Expires").selectOption("In 30 days");
    await press(page, "Make the key");
    const dialog = page.getByRole("dialog", { name: "Your new key" });
    const key = await shownOnce(page, "API key");
    expect(await dialog.getByRole("region", { name: "A first call" }).innerText()).toContain(bench.running.url);
    expect(await call(key)).toBe(200);
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await press(page, "I have stored it");
    await dialog.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(key);

    const row = page.getByRole("row", { name: /^nightly export/ });
    expect(await row.innerText()).toMatch(/svc_live_\w+….*read/s);
    await page.reload();
    await row.getByRole("button").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await press(page, "Revoke");
    await row.waitFor({ state: "detached" });
    expect(await call(key)).toBe(401);
    await page.getByLabel("Show revoked and expired keys").check();
    await row.getByText("revoked").waitFor();
    expect(faults).toEqual([]);
  });

  it("A key can belong to a service account and be accepted from some networks only", async () => {
    const ask = createGraphqlClient(bench.running);
    await ask('mutation { createServiceAccount(input: { name: "loader", role: engineer }) { clientId } }');
    const { page } = await bench.open("/settings/api");
    await press(page, "New key");
    await page.getByLabel("Name").fill("loader's key");
    await page.getByLabel("Belongs to").selectOption("loader, a service account (engineer)");
    await page.getByLabel("Networks").fill("198.51.100.0/24, nowhere");
    await press(page, "Make the key");
    await page.getByText('"nowhere" is not a CIDR').waitFor();
    await page.getByLabel("Networks").fill("198.51.100.0/24");
    await press(page, "Make the key");
    const key = await shownOnce(page, "API key");
    await press(page, "I have stored it");
    expect(await call(key)).toBe(403);
    const row = page.getByRole("row", { name: /^loader's key/ });
    expect(await row.innerText()).toMatch(/only from 198\.51\.100\.0\/24.*loader/s);
  });

  it("The key of the first start says that it should go, and goes with one click", async () => {
    const { metadata: store, clock, random } = bench.running.app;
    const workspace = await getDefaultWorkspace(store);
    await createApiKey({ store, clock, random }, fromOperator(workspace, await getFirstAdmin(store, workspace)), {
      name: "first start",
      scopes: SCOPES,
      expiresInDays: null,
      kind: "live",
    });
    const { page } = await bench.open("/settings/api");
    const notice = page.getByRole("region", { name: "The key of the first start" });
    await notice.getByRole("button", { name: "Revoke it" }).click();
    await notice.waitFor({ state: "detached" });
    const keys = await store.keys.list(workspace.id);
    expect(keys.find(({ name }) => name === "first start")?.revokedAt).not.toBeNull();
  });

  it("A person's first key is in the list at once, and is shown until they have stored it", async () => {
    const { page } = await bench.open("/settings/api", { as: "engineer" });
    await page.getByText("Keys are made by admins").waitFor();
    const ask = createGraphqlClient(bench.running);
    const nodes = at((await ask("{ people { nodes { id email } } }")).data, "people", "nodes");
    const engineer = Array.isArray(nodes) ? nodes.find((node) => at(node, "email") === "engineer@example.com") : null;
    await ask("mutation ($id: ID!) { grantPermission(input: { id: $id, permission: api_manage }) { __typename } }", {
      id: at(present(engineer), "id"),
    });
    await page.reload();
    await page.getByText("No keys yet").waitFor();
    await press(page, "New key");
    await page.getByLabel("Name").fill("first key");
    const listed = page.waitForResponse((response) => asks("ApiKeys")(response.request()));
    await press(page, "Make the key");
    await listed;
    const row = page.getByRole("row", { name: /^first key/, includeHidden: true });
    await row.waitFor();
    expect(await shownOnce(page, "API key")).toMatch(/^svc_live_/);
    await press(page, "I have stored it");
    expect(await isShown(row)).toBe(true);
  });

  it("A key and a secret are shown until they are stored, even if the lists cannot be loaded again", async () => {
    const { page } = await bench.open("/settings/api");
    await press(page, "New key");
    await page.getByLabel("Name").fill("lasting");
    await cutOff(page, asks("ApiKeys"));
    let refused = page.waitForEvent("requestfailed", asks("ApiKeys"));
    await press(page, "Make the key");
    await refused;
    const offline = page.getByText("The service cannot be reached");
    await offline.waitFor();
    expect(await call(await shownOnce(page, "API key"))).toBe(200);
    await press(page, "I have stored it");

    await page.getByRole("tab", { name: "Service accounts" }).click();
    await press(page, "New service account");
    await page.getByLabel("Name").fill("lasting account");
    await press(page, "Make the account");
    await press(page, "I have stored it");
    await page.getByRole("region", { name: "lasting account" }).waitFor();
    await cutOff(page, asks("ServiceAccounts"));
    refused = page.waitForEvent("requestfailed", asks("ServiceAccounts"));
    await page.getByRole("region", { name: "lasting account" }).getByRole("button", { name: "New secret" }).click();
    await press(page, "Make the secret");
    await refused;
    await offline.waitFor();
    const id = await shownOnce(page, "Client id");
    expect((await askForToken(id, await shownOnce(page, "Client secret"))).status).toBe(200);
  });

  it("If the person's rights could not be loaded, the page says so instead of offering nothing", async () => {
    const { page } = await bench.open("/settings/audit");
    await cutOff(page, asks("Asker"));
    await page.getByRole("link", { name: "API", exact: true }).click();
    await page.getByText("The service cannot be reached").waitFor();
    expect(await page.getByRole("button", { name: "New key" }).count()).toBe(0);
    await page.unrouteAll();
    await press(page, "Try again");
    expect(await isShown(page.getByRole("button", { name: "New key" }))).toBe(true);
  });

  it("The form of a key shows a fault at its field", async () => {
    const { page } = await bench.open("/settings/api");
    await press(page, "New key");
    await page.getByLabel("Name").fill("no scope");
    await page.getByLabel("read").uncheck();
    await press(page, "Make the key");
    expect(await isShown(page.getByRole("group", { name: "What it may do" }).getByText("must"))).toBe(true);
  });

  it("An admin creates a service account, and changes its secret without an interruption", async () => {
    const { page } = await bench.open("/settings/api?tab=accounts");
    await press(page, "New service account");
    await page.getByLabel("Name").fill("airflow");
    await page.getByLabel("Role").selectOption("Engineer: reads and writes");
    await press(page, "Make the account");
    const id = await shownOnce(page, "Client id");
    const first = await shownOnce(page, "Client secret");
    expect((await askForToken(id, first)).status).toBe(200);
    await press(page, "I have stored it");

    const account = page.getByRole("region", { name: "airflow" });
    await account.getByRole("button", { name: "New secret" }).click();
    await page.getByLabel("Expires").selectOption("In a year");
    await press(page, "Make the secret");
    const second = await shownOnce(page, "Client secret");
    await press(page, "I have stored it");
    expect((await askForToken(id, first)).status).toBe(200);
    expect((await askForToken(id, second)).status).toBe(200);

    await account.getByRole("listitem").first().getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => account.getByRole("button", { name: "Revoke" }).count()).toBe(1);
    expect((await askForToken(id, first)).status).toBe(401);
    const issued = await askForToken(id, second);
    const { access_token: token } = (await issued.json()) as { access_token: string };
    expect(await call(token)).toBe(200);

    await press(page, "What to do with airflow");
    await page.getByRole("menuitem", { name: "Delete" }).click();
    expect(await isShown(page.getByRole("button", { name: "Delete it", disabled: true }))).toBe(true);
    await page.getByLabel("Type airflow to confirm").fill("airflow");
    await press(page, "Delete it");
    await page.getByText("airflow is deleted.").waitFor();
    await account.waitFor({ state: "detached" });
    expect(await call(token)).toBe(401);
    expect((await askForToken(id, second)).status).toBe(401);
  });

  it("The page says what a maximum lifetime does to the keys before it is set", async () => {
    const { page } = await bench.open("/settings/api?tab=limits");
    await page.getByLabel("Days").fill("30");
    await press(page, "See what it does");
    const dialog = page.getByRole("dialog", { name: "At most 30 days?" });
    await dialog.getByText("would end sooner than planned").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("There is no maximum").waitFor();
    await press(page, "See what it does");
    await press(page, "Set it");
    await page.getByText("The maximum lifetime is set.").waitFor();
    await press(page, "Remove the maximum");
    expect(await isShown(page.getByText("There is no maximum"))).toBe(true);
  });

  it("An allowlist without the person's own address is refused, and a rate limit is accepted", async () => {
    const { page } = await bench.open("/settings/api?tab=limits");
    await page.getByLabel("Networks").fill("203.0.113.0/24");
    await press(page, "Save the allowlist");
    await page.getByText("This would lock out 127.0.0.1").waitFor();
    await page.getByLabel("Networks").fill("127.0.0.0/8\n203.0.113.0/24");
    await press(page, "Save the allowlist");
    await page.getByText("The allowlist is saved.").waitFor();
    await page.getByLabel("Requests a minute").fill("500");
    await press(page, "Save the rate limit");
    await page.getByText("The rate limit is saved.").waitFor();
    await page.reload();
    expect(await page.getByLabel("Requests a minute").inputValue()).toBe("500");
  });

  it("The lines to paste have this service's address", async () => {
    const { page } = await bench.open("/settings/api?tab=lines");
    const lines = page.getByRole("region").filter({ has: page.locator("xpath=self::pre") });
    await page.getByText("claude mcp add").waitFor();
    for (const line of await lines.allInnerTexts()) expect(line).toContain(bench.running.url);
    expect(await lines.count()).toBe(5);
  });

  it("The audit trail can be filtered by event, actor and time, and the address keeps the filters", async () => {
    const { page } = await bench.open("/settings/audit");
    const events = page.getByRole("list", { name: "Events" }).getByRole("listitem");
    await events.filter({ hasText: "changed a setting" }).first().waitFor();
    await page.getByLabel("What").selectOption("made a service account");
    await events.filter({ hasText: "airflow" }).waitFor();
    expect(await events.count()).toBe(await events.filter({ hasText: "made a service account" }).count());
    await page.getByLabel("Who").fill("nobody@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("No such events").waitFor();
    expect(page.url()).toContain("action=account_created&actor=nobody%40example.com");
    await press(page, "Clear");
    await page.getByLabel("To").fill("2020-01-01");
    await page.getByText("No such events").waitFor();
    await page.getByLabel("From").fill("2020-01-01");
    await page.getByLabel("To").fill("");
    expect(await isShown(events.filter({ hasText: "made a key" }).first())).toBe(true);
  });

  it("A reader sees the settings that they may see, and why the rest is missing", async () => {
    const { page } = await bench.open("/settings/api", { as: "analyst" });
    await page.getByText("Keys are made by admins").waitFor();
    for (const name of ["Service accounts", "Limits"]) {
      await page.getByRole("tab", { name }).click();
      await page.getByText("Ask an admin of this workspace.").waitFor();
    }
    await page.getByRole("tab", { name: "Call it" }).click();
    await page.getByText("claude mcp add").waitFor();
    await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
    const listed = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    expect(await listed.allInnerTexts()).toEqual(
      ["API", "Notifications", "Your account"].map((name) => expect.stringContaining(name)),
    );
    await page.goto(`${bench.running.url}/settings/audit`);
    expect(await isShown(page.getByText("Only admins read the audit trail."))).toBe(true);
  });

  it("Every token is revoked only if the workspace's name is typed", async () => {
    const token = await bench.running.createToken(["read"]);
    const { page } = await bench.open("/settings/api?tab=limits");
    await press(page, "Revoke all tokens");
    const dialog = page.getByRole("dialog", { name: "Revoke all tokens?" });
    const confirm = dialog.getByRole("button", { name: "Revoke all tokens" });
    expect(await confirm.isDisabled()).toBe(true);
    expect(await call(token)).toBe(200);
    await dialog.getByLabel("Type default to confirm").fill("default");
    await confirm.click();
    await page.getByText(/^Revoked: \d+ keys/).waitFor();
    expect(await call(token)).toBe(401);
  });
});
