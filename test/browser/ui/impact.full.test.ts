import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { dropAmount, editShop, model, retypeColumn, rewrite } from "../../support/edited-shop.ts";
import { SAMPLE_FOLDER } from "../../../src/connectors/source-folders.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";
import { asks, findAxeFaults, hold, isShown, startUi, type UiBench } from "../../support/ui.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const isUpload = (request: Request): boolean =>
  request.headers()["content-type"]?.startsWith("multipart/form-data") ?? false;
const risk = (page: Page, name: string) => page.getByRole("region", { name: `${name} risk` });

describe.skipIf(!hasBrowser)("impact in a browser", () => {
  let bench: UiBench;
  let orders: string;
  beforeAll(async () => {
    bench = await startUi();
    const { data } = await createGraphqlClient(bench.running)('{ asset(fqn: "shop.marts.fct_orders") { id } }');
    orders = String(at(data, "asset", "id"));
  }, 60_000);
  afterAll(() => bench?.close());

  it("From a search to an asset and its impact is one click each; the impact shows by risk what breaks, why, and its owner", async () => {
    const { page, faults } = await bench.open("/catalog");
    await page.getByText(/^\d+ assets$/).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("fct_orders");
    await page.getByRole("option", { name: /^model fct_orders/ }).waitFor();
    await page.keyboard.press("Enter");
    await heading(page, "fct_orders").waitFor();
    await page.getByRole("link", { name: "What breaks?" }).click();
    await heading(page, "What breaks").waitFor();
    await page.getByLabel("Column", { exact: true }).selectOption({ label: "net_revenue_eur · numeric(14,2)" });
    const line = risk(page, "high")
      .getByRole("listitem")
      .filter({ has: page.getByRole("link", { name: "attributed_revenue", exact: true }) });
    await line.getByText("2 hops from fct_orders.net_revenue_eur").waitFor();
    await line.getByText("Evidence").click();
    await line.getByText("SUM(attributed_revenue_eur)").waitFor();
    await page.getByText("not_null_order_margins_order_id").waitFor();
    await page.getByText("All lineage that this answer needs is known.").waitFor();
    expect(faults).toEqual([]);
  });

  it("The impact page keeps the question in the address, and can show the assets of one owner alone", async () => {
    const { page } = await bench.open(`/impact?id=${orders}`);
    await page.getByText("Deprecate it").click();
    await risk(page, "medium").waitFor();
    expect(new URL(page.url()).searchParams.get("change")).toBe("deprecate");
    const owners = page.getByRole("region", { name: "Who must be told" });
    await owners.getByRole("button", { name: /^Growth/ }).click();
    await page.reload();
    await owners.getByRole("button", { name: /^Growth/, pressed: true }).waitFor();
    const lines = risk(page, "medium").getByRole("listitem");
    expect(await lines.count()).toBe(await lines.filter({ hasText: "Growth" }).count());
    await page.goBack();
    await risk(page, "medium").getByText("Jonas Weber").first().waitFor();
  });

  it("The answer to one question is never shown under another", async () => {
    const { page } = await bench.open(`/impact?id=${orders}&change=column_drop`);
    const answer = page.getByRole("button", { name: "Copy as Markdown" });
    await answer.waitFor();
    const impact = await hold(page, asks("Impact"));
    await page.getByText("Deprecate it").click();
    await impact.waits;
    expect(await answer.count()).toBe(0);
    await impact.release();
    await answer.waitFor();

    const subject = await hold(page, asks("ImpactSubject"));
    await page.getByLabel("Column", { exact: true }).selectOption({ label: "order_id · bigint" });
    await subject.waits;
    expect(await answer.count()).toBe(0);
    await subject.release();
    expect(await isShown(answer)).toBe(true);
  });

  it("The impact tells a type that holds every value from one that does not", async () => {
    const { page } = await bench.open(`/impact?id=${orders}`);
    await page.getByLabel("Column", { exact: true }).selectOption({ label: "order_id · bigint" });
    await page.getByText("Change its type").click();
    await page.getByText("Without a type, the change counts as narrowing.").waitFor();
    await risk(page, "medium").waitFor();
    await page.getByLabel("New type").fill("numeric");
    await page.keyboard.press("Enter");
    await risk(page, "low").waitFor();
    expect(await risk(page, "medium").count()).toBe(0);
    expect(page.url()).toContain("type=numeric");
  });

  it("The impact page begins with a choice that the keyboard can make", async () => {
    const { page } = await bench.open("/impact");
    await page.getByRole("combobox", { name: "What would change" }).fill("Board revenue");
    await page.getByRole("option", { name: /Board revenue report/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Nothing would be affected").waitFor();
    expect(await page.getByRole("radio").count()).toBe(1);
  });

  it("The impact can be copied as the Markdown of the command line", async () => {
    const { page } = await bench.open(`/impact?id=${orders}&change=deprecate`, {
      browser: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByText("The Markdown is copied.").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain("`shop.marts.fct_orders`");
    expect(copied).toMatch(/\*\*Owners to tell:\*\*/);
  });

  it("The impact of a whole pull request is shown change by change, from its manifest", async () => {
    const { page, faults } = await bench.open("/impact");
    await page.getByRole("link", { name: "A pull request" }).click();
    const choose = (text: string) =>
      page
        .getByLabel("The new manifest.json")
        .setInputFiles({ name: "manifest.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await choose("{}");
    const refusal = page.getByRole("alert");
    await refusal.getByText("not a dbt manifest").waitFor();
    await refusal.getByRole("heading", { name: "This manifest could not be compared" }).waitFor();
    expect(await refusal.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await choose(
      editShop((manifest) => {
        dropAmount(manifest);
        rewrite(model(manifest, "fct_refunds"), ["refunded_eur", "refunded_euros"]);
      }),
    );
    const changes = page.getByRole("region", { name: "Changes" }).getByRole("listitem");
    const renamed = changes.filter({ hasText: "column renamed: refunded_euros" });
    await renamed.getByText(/^guess, \d+ %$/).waitFor();
    expect(await changes.count()).toBe(2);
    const lapses = page.getByRole("region", { name: "Certifications that would lapse" });
    await lapses.getByRole("link", { name: "refunded_amount" }).waitFor();
    const lines = page.getByRole("region", { name: / risk$/ }).getByRole("listitem");
    const reached = renamed.getByRole("button", { name: /affected$/ });
    await reached.click();
    expect(`${await lines.count()} affected`).toBe(await reached.innerText());

    const catalog = retypeColumn("fct_refunds", "charge_id", "bytea");
    await page
      .getByLabel("The new catalog.json")
      .setInputFiles({ name: "catalog.json", mimeType: "application/json", buffer: Buffer.from(catalog) });
    await changes.filter({ hasText: "→ bytea" }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Compare without catalog.json" }).click();
    await changes.filter({ hasText: "→ bytea" }).waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  it("The answer is shown for the manifest and the project that were chosen last", async () => {
    const input = { type: "dbt", name: "second-shop", options: { target: SAMPLE_FOLDER } };
    const ask = createGraphqlClient(bench.running);
    await ask("mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { __typename } }", { input });
    const { page } = await bench.open("/impact/manifest");
    const project = page.getByLabel("Project");
    await project.selectOption("shop");
    const choose = (buffer: Buffer) =>
      page
        .getByLabel("The new manifest.json")
        .setInputFiles({ name: "manifest.json", mimeType: "application/json", buffer });
    const older = await hold(page, isUpload);
    await choose(Buffer.from("{}"));
    await older.waits;
    await choose(Buffer.from(editShop(dropAmount)));
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.waitFor();
    await older.release();
    expect(await page.getByText("not a dbt manifest").count()).toBe(0);
    expect(await changes.isVisible()).toBe(true);

    const newer = await hold(page, isUpload);
    await choose(Buffer.from(editShop(dropAmount)));
    await newer.waits;
    await project.selectOption("second-shop");
    await newer.release();
    expect(await isShown(page.getByText("Choose the new manifest.json, or drop it here"))).toBe(true);
    expect(await changes.count()).toBe(0);
  });

  it("The impact page says that a link leads to nothing", async () => {
    const { page } = await bench.open("/impact?id=ast_nothing");
    expect(await isShown(page.getByText("There is no such asset"))).toBe(true);
  });
});
