import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { dropAmount, editShop, model, retypeColumn, rewrite } from "../../support/edited-shop.ts";
import { SAMPLE_FOLDER } from "../../../src/connectors/source-folders.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at, createRestClient } from "../../support/rest-client.ts";
import { asks, findAxeFaults, hold, isShown, startUi, type UiBench } from "../../support/ui.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const isUpload = (request: Request): boolean =>
  request.headers()["content-type"]?.startsWith("multipart/form-data") ?? false;
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

describe.skipIf(!hasBrowser)("impact in a browser", () => {
  let bench: UiBench;
  let orders: string;
  beforeAll(async () => {
    bench = await startUi();
    const { data } = await createGraphqlClient(bench.running)('{ asset(fqn: "shop.marts.fct_orders") { id } }');
    orders = String(at(data, "asset", "id"));
  });
  afterAll(() => bench?.close());

  it("From a search to an asset and its impact is one click each; the impact shows what breaks, why, and its owner", async () => {
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
    const line = section(page, "Metrics")
      .getByRole("listitem")
      .filter({ has: page.getByRole("link", { name: "Attributed revenue", exact: true }) });
    await line.getByText("2 hops from fct_orders.net_revenue_eur").waitFor();
    await line.getByText("Evidence").click();
    await line.getByText("SUM(attributed_revenue_eur)").waitFor();
    await page.getByText("not_null_order_margins_order_id").waitFor();
    await page.getByText("All SQL that this answer needs could be read.").waitFor();
    await page.getByText(/^Which columns they use is not known of \d: .*Trading floor/).waitFor();
    expect(faults).toEqual([]);
  });

  it("The first screen of an impact says which dashboards break and whom to tell, on a phone too", async () => {
    const { data } = await createGraphqlClient(bench.running)(
      '{ asset(fqn: "shop.raw_stripe.refunds.amount") { id } }',
    );
    const id = String(at(data, "asset", "id"));
    const count = "28 assets and metrics are affected, with 31 columns.";
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const { page } = await bench.open(`/impact?id=${id}&change=column_drop`, { browser: { viewport } });
      await page.getByText(count).waitFor();
      const seen = [
        section(page, "Dashboards").getByRole("link", { name: "Board revenue report" }),
        section(page, "Who must be told").getByRole("button", { name: /^Ines Moreau/ }),
      ];
      for (const locator of seen) {
        const box = present(await locator.boundingBox());
        expect(box.y + box.height).toBeLessThan(viewport.height);
      }
      // Whom to tell stays in sight further down.
      await section(page, "Models and tables").getByRole("link", { name: "fct_refunds" }).scrollIntoViewIfNeeded();
      const box = present(await seen[1]?.boundingBox());
      expect([box.y >= 0, box.y + box.height < viewport.height]).toEqual([true, true]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    }
    const { page } = await bench.open(`/impact?id=${id}&change=column_drop`);
    await page.getByRole("link", { name: "See on the canvas" }).click();
    const panel = page.getByRole("complementary", { name: "What breaks" });
    await panel.getByText(count).waitFor();
    const [first] = await panel.getByRole("heading", { level: 3 }).allInnerTexts();
    expect(first).toMatch(/^Dashboards\s4$/);
  });

  it("The impact page keeps the question and the filter in the address", async () => {
    const { page } = await bench.open(`/impact?id=${orders}`);
    await page.getByText("Deprecate the model").click();
    const owners = section(page, "Who must be told");
    await owners.getByRole("button", { name: /^Growth/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("change")).toBe("deprecate");
    const lines = page.getByRole("listitem").filter({ hasText: " risk" });
    await owners.getByRole("button", { name: /^Growth/ }).click();
    await page.reload();
    await owners.getByRole("button", { name: /^Growth/, pressed: true }).waitFor();
    expect(await lines.count()).toBe(await lines.filter({ hasText: "Growth" }).count());
    await page.goBack();
    await section(page, "Metrics").waitFor();

    await page.getByRole("radio", { name: /^Metrics/ }).check();
    await page.getByRole("radio", { name: /medium$/ }).check();
    await page.reload();
    await section(page, "Metrics").waitFor();
    expect(await section(page, "Models and tables").count()).toBe(0);
    expect(await lines.count()).toBe(await lines.filter({ hasText: "medium risk" }).count());
    await page.getByRole("radio", { name: "By owner" }).check();
    await section(page, "Jonas Weber").waitFor();
    expect(page.url()).toMatch(/show=metric&risk=medium&group=owner/);
  });

  it("The answer to one question is never shown under another", async () => {
    const { page } = await bench.open(`/impact?id=${orders}&change=column_drop`);
    const answer = page.getByRole("button", { name: "Copy as Markdown" });
    await answer.waitFor();
    const impact = await hold(page, asks("Impact"));
    await page.getByText("Deprecate the model").click();
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
    await page.getByText("medium risk").first().waitFor();
    await page.getByLabel("New type").fill("numeric");
    await page.keyboard.press("Enter");
    await page.getByText("low risk").first().waitFor();
    expect(await page.getByText("medium risk").count()).toBe(0);
    expect(page.url()).toContain("type=numeric");
  });

  it("The impact page begins with a choice that the keyboard can make", async () => {
    const { page } = await bench.open("/impact");
    await page.getByRole("combobox", { name: "What would change" }).fill("Board revenue");
    await page.getByRole("option", { name: /Board revenue report/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Nothing would be affected").waitFor();
    expect(await page.getByRole("radio").count()).toBe(2);
  });

  it("The impact can be copied as the Markdown of the command line", async () => {
    const { page } = await bench.open(`/impact?id=${orders}&change=deprecate`, {
      browser: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByText("The Markdown is copied.").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain("`shop.marts.fct_orders`");
    expect(copied).toMatch(/\*\*Who must be told:\*\*/);
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
    const lines = page.getByRole("listitem").filter({ has: page.getByText(/^(?:high|medium|low) risk$/) });
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

  it("The link of a saved impact shows it, and says so if there is none", async () => {
    const post = createRestClient(bench.running);
    const { body } = await post("/api/v1/lineage/impact/manifest?save=true&connector=shop", {
      method: "POST",
      body: editShop(dropAmount),
    });
    const { page, faults } = await bench.open(new URL(String(at(body, "url"))).pathname);
    await page.getByText(/^Fails: .* cannot be built and 23 assets and metrics are at high risk\.$/).waitFor();
    await section(page, "Dashboards").getByRole("link", { name: "Board revenue report", exact: true }).waitFor();
    // What the reader came for is first. In a wide window, whom to tell is beside the rest.
    const order = ["Do first", "Dashboards", "Checks", "Changes", "Lineage"];
    for (const width of [400, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const tops = await Promise.all(order.map(async (name) => (await section(page, name).boundingBox())?.y ?? 0));
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await section(page, "Certifications that would lapse").waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    const { page: none } = await bench.open("/impact/saved/0000");
    expect(await isShown(none.getByText("This answer is not here"))).toBe(true);
  });

  it("The manifest page finds the project of a manifest, and keeps file and answer after a wrong choice and Back", async () => {
    const input = { type: "dbt", name: "another", options: { target: SAMPLE_FOLDER } };
    const ask = createGraphqlClient(bench.running);
    await ask("mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { __typename } }", { input });
    const { page } = await bench.open("/impact/manifest");
    const choose = (buffer: Buffer) =>
      page
        .getByLabel("The new manifest.json")
        .setInputFiles({ name: "manifest.json", mimeType: "application/json", buffer });
    const older = await hold(page, isUpload);
    await choose(Buffer.from("{}"));
    await older.waits;
    await choose(Buffer.from(editShop(dropAmount)));
    const change = page.getByRole("region", { name: "Changes" }).getByRole("link", { name: /^shop.*refunds\.amount$/ });
    await change.waitFor();
    await older.release();
    expect(await page.getByText("not a dbt manifest").count()).toBe(0);
    const project = page.getByLabel("Project");
    expect(await project.locator("option:checked").innerText()).toBe("shop, found by the manifest");

    await project.selectOption("another");
    await page.getByText(/has nothing in the catalog to compare with/).waitFor();
    await page.getByText("The answer before that, compared with shop:").waitFor();
    expect(await change.isVisible()).toBe(true);
    await project.selectOption("shop");
    await page.getByRole("alert").waitFor({ state: "detached" });
    await change.click();
    await heading(page, "amount").waitFor();
    await page.goBack();
    await change.waitFor();
    await page.getByText("manifest.json", { exact: true }).first().waitFor();
  });

  it("The impact page says that a link leads to nothing", async () => {
    const { page } = await bench.open("/impact?id=ast_nothing");
    expect(await isShown(page.getByText("There is no such asset"))).toBe(true);
  });
});
