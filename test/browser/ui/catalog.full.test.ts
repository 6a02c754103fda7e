import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";
import { asks, findAxeFaults, isShown, startUi, type UiBench } from "../../support/ui.ts";

const assets = (page: Page) => page.getByRole("region", { name: "Assets" });
const facet = (page: Page, value: string) => page.getByRole("button", { name: new RegExp(`^${value} \\d`) });

describe.skipIf(!hasBrowser)("the catalog in a browser", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi();
  });
  afterAll(() => bench?.close());

  it("The catalog lists everything but columns, with counts that lead to exactly as many assets", async () => {
    const { page, faults } = await bench.open("/catalog");
    const dashboards = facet(page, "dashboard");
    await dashboards.waitFor();
    const [, count] = /(\d+)$/.exec(await dashboards.innerText()) ?? [];
    await dashboards.click();
    await assets(page).getByText(`${count} assets`).waitFor();
    expect(await assets(page).getByRole("listitem").count()).toBe(Number(count));
    expect(page.url()).toContain("type=dashboard");
    expect(faults).toEqual([]);
  });

  it("The catalog searches while a person types, says why a result matches, and keeps the search in the address", async () => {
    const { page } = await bench.open("/catalog");
    await page.getByLabel("Search the catalog").pressSequentially("refund eur");
    const hit = assets(page).getByRole("listitem").filter({ hasText: "fct_refunds" }).first();
    await hit.getByText("column", { exact: true }).waitFor();
    expect(await hit.locator("mark").allInnerTexts()).toEqual(["refund", "eur"]);
    expect(page.url()).toContain("q=refund+eur");
    const count = assets(page).getByText(/^\d+ assets and \d+ columns for “refund eur”$/);
    const [found = 0, columns] = (/(\d+) assets and (\d+)/.exec(await count.innerText()) ?? []).slice(1).map(Number);
    await facet(page, "column").click();
    await assets(page).getByText(`${columns} columns for “refund eur”`).waitFor();
    await page.goBack();
    await count.waitFor();
    const ofTypes = page.getByRole("group", { name: "Type" }).getByRole("button");
    const sum = (await ofTypes.allInnerTexts()).reduce((before, text) => before + Number(/\d+$/.exec(text)), 0);
    expect(sum).toBe(found + (columns ?? 0));
    await page.reload();
    await hit.waitFor();
  });

  it("A schema counts what is nested in it, and a chosen filter is shown above the list, to remove it", async () => {
    const { page } = await bench.open("/catalog?tag=finance");
    const schemas = page.getByRole("group", { name: "Schema" });
    const outer = schemas.getByRole("button", { name: /^shop \d/ });
    await outer.waitFor();
    const [, count] = /(\d+)$/.exec(await outer.innerText()) ?? [];
    await outer.click();
    await assets(page).getByText(`${count} assets`).waitFor();
    await schemas.getByRole("button", { name: /^shop\.finance \d/ }).click();
    await assets(page).getByText("6 assets").waitFor();
    await assets(page)
      .getByRole("button", { name: /^schema shop\.finance/ })
      .click();
    await assets(page).getByText("18 assets").waitFor();
    expect(new URL(page.url()).search).toBe("?tag=finance");
  });

  it("A person is named wherever a filter or a rule has the address, which is told on hover", async () => {
    const rule = `mutation { createNoticeRule(input: { name: "hers", channel: bell, kinds: [certification_lapsed],
      aboutBy: person, about: "INES.moreau@example.com" }) { noticeRule { id } } }`;
    expect((await createGraphqlClient(bench.running)(rule)).message).toBe("");
    const { page, faults } = await bench.open("/catalog?owner=ines.moreau@example.com");
    for (const path of [
      "/metrics?responsible=ines.moreau@example.com",
      "/changes?owner=ines.moreau@example.com",
      "/settings/notices",
      null,
    ]) {
      const name = page
        .getByRole("main")
        .getByText(/^Ines Moreau/)
        .first();
      await name.waitFor();
      expect((await name.getAttribute("title"))?.toLowerCase()).toBe("ines.moreau@example.com");
      if (path !== null) await page.goto(`${bench.running.url}${path}`);
    }
    expect(faults).toEqual([]);
  });

  it("What has no owner is counted among the owners, and listed", async () => {
    const { page } = await bench.open("/catalog?type=pipeline");
    const none = facet(page, "no owner");
    await none.waitFor();
    const [, count] = /(\d+)$/.exec(await none.innerText()) ?? [];
    await none.click();
    await assets(page).getByText(`${count} assets`).waitFor();
    await assets(page)
      .getByRole("button", { name: /^without an owner/ })
      .waitFor();
    expect(await none.innerText()).toMatch(new RegExp(`${count}$`));
    expect(new URL(page.url()).searchParams.get("owner")).toBe("none");
  });

  it("A facet shows its other values after one was chosen, and one step goes back", async () => {
    const { page } = await bench.open("/catalog");
    await facet(page, "pii").click();
    await page.getByRole("button", { name: /^pii/, pressed: true }).waitFor();
    await facet(page, "finance").waitFor();
    await page.goBack();
    expect(await isShown(page.getByRole("button", { name: /^pii/, pressed: false }))).toBe(true);
  });

  it("The catalog counts again after an edit, and loads no count twice", async () => {
    const { page } = await bench.open("/catalog?q=fct_orders&type=model");
    await page.getByRole("link", { name: "fct_orders", exact: true }).waitFor();
    expect(await facet(page, "recounted").count()).toBe(0);
    const ask = createGraphqlClient(bench.running);
    const { data } = await ask('{ asset(fqn: "shop.marts.fct_orders") { id } }');
    await page.getByRole("link", { name: "fct_orders", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "fct_orders" }).waitFor();
    await ask('mutation ($id: ID!) { updateAsset(input: { id: $id, tags: ["recounted"] }) { __typename } }', {
      id: at(data, "asset", "id"),
    });
    const counted: string[] = [];
    page.on("request", (request) => {
      if (asks("CatalogFacets")(request)) counted.push(request.postData() ?? "");
    });
    await page.goBack();
    await facet(page, "recounted").waitFor();
    // One request for the facet of types, without the chosen type, and one for all others.
    expect(counted).toHaveLength(2);
  });

  it("The catalog offers a way out if nothing is found", async () => {
    const { page } = await bench.open("/catalog?q=zzzzzz&tag=pii");
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await assets(page)
      .getByText(/^\d+ assets$/)
      .waitFor();
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("");
  });

  it("The catalog says if nothing has all words, and which words it corrected", async () => {
    const { page } = await bench.open("/catalog?q=net+qqqqq");
    await page.getByText("No asset has all of these words.").waitFor();
    await page.getByLabel("Search the catalog").fill("revnue");
    await page.getByText("No asset has “revnue”. These have “revenue”.").waitFor();
    await page.getByLabel("Search the catalog").fill("revenue");
    await page.getByText(/^No asset has/).waitFor({ state: "detached" });
    // Metrics that have only some of the words do not come before the column that has them all.
    const metrics = page.getByRole("list", { name: "Metrics" });
    await metrics.waitFor();
    await page.getByLabel("Search the catalog").fill("fct_orders net_revenue_eur");
    await assets(page).getByText("4 assets").waitFor();
    await metrics.waitFor({ state: "detached" });
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it("The catalog loads further pages while a person scrolls, each asset once", async () => {
    const { page } = await bench.open("/catalog?type=column");
    const lines = assets(page).getByRole("listitem");
    await lines.first().waitFor();
    const total = Number(
      (
        await assets(page)
          .getByText(/columns$/)
          .innerText()
      ).replaceAll(/\D/g, ""),
    );
    expect(total).toBeGreaterThan(200);
    const scroll = async (): Promise<number> => {
      await lines.last().scrollIntoViewIfNeeded();
      return lines.count();
    };
    await expect.poll(scroll).toBe(total);
    const targets = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('main li a'), (it) => it.href)",
    );
    expect(new Set(targets).size).toBe(total);
  });

  it("The keyboard alone moves among the rows of the catalog and opens them", async () => {
    const { page } = await bench.open("/catalog?q=fct_");
    const rows = assets(page).getByRole("link");
    await rows.nth(2).waitFor();
    await page.getByLabel("Search the catalog").press("ArrowDown");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const name = await rows.nth(1).innerText();
    await page.keyboard.press("Enter");
    expect(await isShown(page.getByRole("heading", { level: 1, name, exact: true }))).toBe(true);
  });

  it("Chosen assets get a tag at once, and a column its description in the table of columns", async () => {
    const { page } = await bench.open("/catalog?q=fct_");
    await page.getByRole("checkbox", { name: "Choose fct_orders", exact: true }).check();
    await page.getByRole("checkbox", { name: "Choose fct_revenue_days", exact: true }).check();
    const bulk = page.getByRole("region", { name: "The chosen assets" });
    await bulk.getByText("2 assets chosen").waitFor();
    await bulk.getByRole("button", { name: "Add tags" }).click();
    await page.getByRole("dialog").getByLabel("Tags").waitFor();
    await page.keyboard.type("board, eur");
    await page.keyboard.press("Enter");
    const told = page.getByText("2 assets tagged board, eur.");
    const [message, bar] = [await told.boundingBox(), await bulk.boundingBox()];
    expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    await page.getByLabel("Order", { exact: true }).selectOption("last changed first");
    await bulk.getByText("2 assets chosen").waitFor();
    await bulk.getByRole("button", { name: "Set the owner" }).click();
    const owner = page.getByRole("dialog").getByLabel("Owner");
    const offered = page.locator(`datalist[id="${(await owner.getAttribute("list")) ?? ""}"] option`);
    await expect
      .poll(() => offered.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)).then(String))
      .toMatch(/value="ines\.moreau@example\.com"[^>]*>Ines Moreau</);
    await owner.fill("cfo@shop.example");
    await page.keyboard.press("Enter");
    await page.getByText("2 assets owned by cfo@shop.example now.").waitFor();
    await bulk.getByRole("button", { name: "Choose none" }).click();
    await bulk.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "fct_orders", exact: true }).click();
    await page.getByText("board", { exact: true }).first().waitFor();
    await page.getByRole("tab", { name: /^Columns/ }).click();
    await page.getByRole("button", { name: "Edit the description of discount_eur" }).click();
    await page.getByRole("textbox", { name: "The description" }).fill("What the shop gave away.");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await isShown(page.getByRole("row", { name: /discount_eur.*What the shop gave away\./ }))).toBe(true);
  });

  it("The hits of a search, the metrics and the assets of an owner are put in another order, which the address keeps", async () => {
    const { page } = await bench.open("/catalog?q=orders");
    const rows = assets(page).locator("a[data-row]");
    await rows.nth(3).waitFor();
    const isByName = async () => {
      const names = await rows.allTextContents();
      return names.length > 3 && names.join() === names.toSorted((a, b) => a.localeCompare(b)).join();
    };
    expect(await isByName()).toBe(false);
    await page.getByLabel("Order", { exact: true }).selectOption("by name");
    await expect.poll(isByName).toBe(true);
    await page.reload();
    expect(await page.getByLabel("Order", { exact: true }).inputValue()).toBe("name");
    await page.goto(new URL("/metrics?sort=name", page.url()).href);
    await page.getByText(/^\d+ metrics$/).waitFor();
    expect(await page.getByLabel("Order", { exact: true }).inputValue()).toBe("name");
    await page.goto(new URL("/tags/finance?sort=downstream", page.url()).href);
    await page.getByLabel("Order", { exact: true }).waitFor();
    expect(await page.getByLabel("Order", { exact: true }).inputValue()).toBe("downstream");
  });

  it("The keyboard alone searches the catalog from any page", async () => {
    const { page, faults } = await bench.open("/nothing-here");
    await page.getByText("There is no such page").waitFor();
    for (const keys of ["/", "Control+k"]) {
      await page.keyboard.press(keys);
      await page.getByRole("combobox").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("combobox").waitFor({ state: "detached" });
    }
    await page.keyboard.press("/");
    await page.keyboard.type("net rev");
    await page.getByRole("option", { name: /^metric Net revenue shop.net_revenue/ }).waitFor();
    const options = page.getByRole("option");
    expect(await options.first().innerText()).toContain("Net revenue");
    expect(await options.nth(1).innerText()).toContain("fct_revenue_days");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("notic");
    await page.getByRole("option", { name: "Go to Notices" }).waitFor();
    await page.keyboard.press("Control+a");
    // Enter comes at once, while the list still has the results for the text before.
    await page.keyboard.type("fct_orders");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "fct_orders" }).waitFor();
    expect(faults).toEqual([]);
  });
});
