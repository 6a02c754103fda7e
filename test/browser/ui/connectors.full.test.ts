import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { SAMPLE_FOLDER } from "../../../src/connectors/source-folders.ts";
import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { makeTemporaryFolder } from "../../support/metadata-store.ts";
import { at } from "../../support/rest-client.ts";
import { asks, hold, isShown, startUi, type UiBench } from "../../support/ui.ts";

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

/** Writes a project of some of the sample's seeds. */
async function writeSeeds(folder: string, count: number): Promise<void> {
  const { metadata, nodes }: { metadata: object; nodes: Record<string, { resource_type: string }> } = JSON.parse(
    await readFile(join(SAMPLE_FOLDER, "manifest.json"), "utf8"),
  );
  const seeds = Object.entries(nodes).filter(([, node]) => node.resource_type === "seed");
  const manifest = {
    metadata,
    nodes: Object.fromEntries(seeds.slice(0, count)),
    sources: {},
    exposures: {},
    metrics: {},
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

describe.skipIf(!hasBrowser)("connectors in a browser", () => {
  let bench: UiBench;
  let project: string;
  let small: string;
  let smallPath: string;
  beforeAll(async () => {
    bench = await startUi({});
    project = await makeTemporaryFolder(afterAll);
    await cp(join(SAMPLE_FOLDER, "manifest.json"), join(project, "manifest.json"));
    small = await makeTemporaryFolder(afterAll);
    await writeSeeds(small, 5);
    const ask = createGraphqlClient(bench.running);
    const input = { type: "dbt", name: "small", options: { target: small } };
    const created = await ask(
      "mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }",
      { input },
    );
    const connectorId = at(created.data, "createConnector", "connector", "id");
    smallPath = `/connectors/${String(connectorId)}`;
  });
  afterAll(() => bench?.close());

  it("An admin adds a dbt project by a form that shows faults at their fields, and watches the sync", async () => {
    const { page, faults } = await bench.open("/connectors");
    await page.getByRole("link", { name: "Add a connector" }).click();
    await page.getByRole("link", { name: /^dbt/ }).click();
    await page.getByLabel("Name (required)").fill("warehouse");
    await page.getByLabel("Target", { exact: true }).fill(join(project, "nowhere"));
    await press(page, "Test the connection");
    await page.getByText("The source cannot be read.").waitFor();
    const target = page.getByLabel("Target", { exact: true });
    expect(await target.getAttribute("aria-invalid")).toBe("true");
    await press(page, "Add and sync");
    await page.getByText("The connector was not added.").waitFor();

    await target.fill(project);
    expect(await target.getAttribute("aria-invalid")).toBeNull();
    expect(await page.getByText("The connector was not added.").count()).toBe(0);
    await press(page, "Test the connection");
    await page.getByText(/^The source can be read/).waitFor();
    let streams = 0;
    page.on("request", (request) => (streams += Number(asks("SyncProgress")(request))));
    await press(page, "Add and sync");
    const live = page.getByRole("region", { name: "Sync under way" });
    await live.getByRole("progressbar").waitFor();
    expect(
      await page
        .getByRole("tabpanel")
        .getByText(/\b0 (assets|found|changed)/)
        .count(),
    ).toBe(0);
    await page.getByText("healthy", { exact: true }).waitFor();
    expect(streams).toBe(1);
    const holds = page.getByRole("link", { name: /^\d+ assets$/ });
    const held = await holds.innerText();
    await page
      .getByRole("tabpanel")
      .getByText(/^and [\d,]+ columns/)
      .waitFor();
    await page.getByRole("link", { name: "Connectors" }).first().click();
    const row = page.getByRole("row", { name: /^warehouse dbt healthy/ });
    await row.getByRole("cell", { name: held.split(" ")[0] ?? "", exact: true }).waitFor();
    await row.getByRole("link").click();
    await holds.click();
    await page.getByRole("region", { name: "Assets" }).getByText(held, { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it("A connector's form marks all its faults at once, and forgets one as soon as its field is corrected", async () => {
    const { page } = await bench.open("/connectors/new?type=dbt");
    const marked = () =>
      page.locator("[aria-invalid=true]").evaluateAll((fields) => fields.map((field) => field.getAttribute("name")));
    await page.getByLabel("Name (required)").fill("no spaces");
    await page.getByLabel("Target", { exact: true }).fill(join(project, "nowhere"));
    await page.locator("[name='schedule.times']").selectOption("custom");
    await page.getByLabel("Cron expression").fill("61 * * * *");
    await page.getByLabel("Time zone").fill("Nowhere/Town");
    await press(page, "Test the connection");
    await page.getByText("Correct the marked fields.").waitFor();
    expect(await marked()).toEqual(["name", "options.target", "schedule.cron", "schedule.timeZone"]);
    await press(page, "Add and sync");
    await page.getByText("The connector was not added.").waitFor();
    expect(await marked()).toEqual(["name", "options.target", "schedule.cron", "schedule.timeZone"]);
    expect(await page.evaluate("document.activeElement.name")).toBe("name");

    await page.getByLabel("Name (required)").fill("spaces");
    expect(await marked()).toEqual(["options.target", "schedule.cron", "schedule.timeZone"]);
    await page.getByLabel("Target", { exact: true }).fill(project);
    await page.getByLabel("Cron expression").fill("0 6 * * *");
    await page.getByLabel("Time zone").fill("Europe/Paris");
    await press(page, "Test the connection");
    await page.getByText(/^The source can be read/).waitFor();
    expect(await page.getByText("The connector was not added.").count()).toBe(0);
    await page.getByLabel("Target", { exact: true }).fill(small);
    expect(await page.getByText(/^The source can be read/).count()).toBe(0);
  });

  it("A removal waits until an admin confirms it, and the history lists what went wrong", async () => {
    const { page } = await bench.open(smallPath);
    await press(page, "Run now");
    await page.getByText("healthy", { exact: true }).waitFor();
    await writeSeeds(small, 1);
    await press(page, "Run in full");
    const held = page.getByRole("region", { name: "Removal on hold" });
    await held.getByText(/^Nothing was removed: the source no longer has \d of \d assets of small/).waitFor();

    await openTab(page, "History");
    await page.getByText("1 message").click();
    await page.getByText("sweep_held").first().waitFor();
    await openTab(page, "Overview");
    await held.getByRole("button").click();
    await press(page, "Sync and remove");
    await held.waitFor({ state: "detached" });
    expect(await isShown(page.getByText("healthy", { exact: true }))).toBe(true);
  });

  it("The page of a connector shows the last sync while the next one waits or runs", async () => {
    const { page } = await bench.open("/nothing-here");
    // The sync of the small project ends before a person could see its progress.
    await page.route("**/graphql", async (route) => {
      if (!asks("Connector")(route.request())) return route.fallback();
      const response = await route.fetch();
      const answer: { data: { connector: { lastSync: object } } } = await response.json();
      Object.assign(answer.data.connector.lastSync, { id: "syn_waits", status: "queued", completedAt: null });
      return route.fulfill({ response, json: answer });
    });
    await page.goto(`${bench.running.url}${smallPath}`);
    await page.getByRole("button", { name: "Run now", disabled: true }).waitFor();
    const last = page.getByRole("tabpanel").locator("dl > div", { hasText: /^Last sync/ });
    await last.getByText("all syncs").waitFor();
    expect(await last.innerText()).toMatch(/ago|now/);
    await page.getByRole("link", { name: /^\d+ assets?$/ }).waitFor();
  });

  it("The page of a connector says nothing about what it can do before its type is known", async () => {
    const { page } = await bench.open("/connectors");
    const types = await hold(page, asks("ConnectorTypes"));
    await page.getByRole("link", { name: "small" }).click();
    await page.getByRole("heading", { level: 1, name: "small" }).waitFor();
    await types.waits;
    expect(await page.getByText("Send to it").count()).toBe(0);
    await types.release("abort");
    await page.getByText("The service cannot be reached").waitFor();
    await press(page, "Try again");
    await page.getByRole("button", { name: "Run now" }).waitFor();
    await openTab(page, "Settings");
    expect(await isShown(page.getByRole("button", { name: "Save the name" }))).toBe(true);
  });

  it("A connector shows what it holds after a sync that failed", async () => {
    const { page } = await bench.open(smallPath);
    const held = page.getByRole("tabpanel").locator("dl > div", { hasText: "Holds" });
    const before = await held.getByRole("link").innerText();
    expect(before).toMatch(/^[1-9]\d* assets?$/);
    await rm(join(small, "manifest.json"));
    await press(page, "Run now");
    await page.getByText("failing", { exact: true }).waitFor();
    expect(await held.getByRole("link").innerText()).toBe(before);
    await held.getByText("The last sync found 0").waitFor();
    await page.getByRole("link", { name: "Connectors" }).first().click();
    const row = page.getByRole("row", { name: /^small/ });
    expect(await row.getByRole("cell").nth(3).innerText()).toBe(before.replace(/\D/g, ""));
    await writeSeeds(small, 1);
    await page.goto(`${bench.running.url}${smallPath}`);
    await press(page, "Run now");
    await page.getByText("healthy", { exact: true }).waitFor();
  });

  it.each([
    { path: "/settings/api", operation: "ApiKeys", list: "apiKeys" },
    { path: "/settings/people", operation: "People", list: "people" },
    { path: "/connectors", operation: "ConnectorList", list: "connectors" },
  ])("The page at $path says that more could not be shown", async ({ path, operation, list }) => {
    const { page } = await bench.open("/settings/account");
    // Pretends that more pages follow. The service does not know the cursor.
    await page.route("**/graphql", async (route) => {
      if (!asks(operation)(route.request())) return route.fallback();
      const response = await route.fetch();
      const body = await response.json();
      const connection = body.data?.[list];
      if (connection) connection.pageInfo = { ...connection.pageInfo, nextCursor: "nowhere" };
      return route.fulfill({ response, json: body });
    });
    await page.goto(`${bench.running.url}${path}`);
    await press(page, "Show more");
    await page.getByRole("cell").getByRole("alert").waitFor();
    expect(await page.getByRole("row").count()).toBeGreaterThan(2);
  });

  it("An admin sets a schedule in a time zone, and how much a sync may remove by itself", async () => {
    const { page } = await bench.open(`${smallPath}?tab=settings`);
    await page.getByLabel("Syncs").selectOption("Other times …");
    await page.getByLabel("Cron expression").fill("61 * * * *");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await press(page, "Save the schedule");
    await page.getByLabel("Cron expression").and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByLabel("Cron expression").fill("15 6 * * 1-5");
    await press(page, "Save the schedule");
    await page.getByText("The schedule is saved.").waitFor();
    await page.getByLabel("Largest share, in percent").fill("7");
    await press(page, "Save the share");
    await page.getByText("The share is saved.").waitFor();
    await openTab(page, "Overview");
    await page.getByText("15 6 * * 1-5, Europe/Berlin").waitFor();
    expect(await isShown(page.getByText("up to 7 %"))).toBe(true);
  });

  it("The form shows a fault of an option that was folded away, and keeps what was typed there", async () => {
    const { page } = await bench.open(`${smallPath}?tab=settings`);
    await page.getByText(/more options$/).click();
    await page.getByLabel("Region", { exact: true }).fill("Frankfurt am Main");
    await page.getByText(/more options$/).click();
    await press(page, "Save the options");
    const wrong = page.getByLabel("Region", { exact: true }).and(page.locator("[aria-invalid=true]"));
    await wrong.waitFor();
    expect(await wrong.inputValue()).toBe("Frankfurt am Main");
  });

  it("The form never shows a secret, and keeps a secret whose field is left empty", async () => {
    const { page } = await bench.open(`${smallPath}?tab=settings`);
    await page.getByText(/more options$/).click();
    await page.getByLabel("Token", { exact: true }).fill("s3cret");
    await press(page, "Save the options");
    await page.getByText("The options are saved.").waitFor();
    await page.reload();
    const token = page.getByPlaceholder("Set. Leave it empty to keep it.");
    await token.waitFor();
    expect(await token.inputValue()).toBe("");
    expect(await page.content()).not.toContain("s3cret");
  });

  it("A connector can be disabled and enabled, and is removed only if its name is typed", async () => {
    const { page } = await bench.open(`${smallPath}?tab=settings`);
    await press(page, "Disable");
    await page.getByText("disabled", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Run now" }).count()).toBe(0);
    await press(page, "Enable");
    await page.getByRole("button", { name: "Run now" }).waitFor();

    await press(page, "Remove the connector");
    const dialog = page.getByRole("dialog", { name: "Remove small?" });
    const confirm = dialog.getByRole("button", { name: "Remove the connector" });
    await dialog.getByLabel("Type small to confirm").fill("smal");
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Type small to confirm").fill("small");
    await confirm.click();
    await page.getByText(/^small is removed/).waitFor();
    await page.getByRole("row", { name: /^warehouse/ }).waitFor();
    expect(await page.getByRole("row", { name: /^small/ }).count()).toBe(0);
  });

  it("A reader sees the connectors that they may see, and why the rest is missing", async () => {
    const { page } = await bench.open("/connectors", { as: "analyst" });
    await page.getByRole("link", { name: "warehouse" }).click();
    await page.getByRole("list", { name: "Syncs" }).waitFor();
    expect(await page.getByRole("button", { name: /Run|Disable/ }).count()).toBe(0);
    await openTab(page, "Settings");
    await page.getByText("Only admins see and change the options of a connector.").waitFor();
    await page.goto(`${bench.running.url}/connectors/new`);
    expect(await isShown(page.getByText("Only admins add connectors."))).toBe(true);
  });

  it("The page of an unknown connector says in plain words that it does not exist", async () => {
    const { page } = await bench.open("/connectors/nothing");
    expect(await isShown(page.getByRole("heading", { level: 1, name: "There is no such connector" }))).toBe(true);
  });
});
