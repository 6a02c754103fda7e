import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { nodeOf, stampOf } from "../../support/graph-writes.ts";
import { at } from "../../support/rest-client.ts";
import { asks, findAxeFaults, hold, isShown, startUi, type UiBench } from "../../support/ui.ts";

const openTab = (page: Page, name: RegExp) => page.getByRole("tab", { name }).click();

describe.skipIf(!hasBrowser)("the page of an asset in a browser", () => {
  let bench: UiBench;
  let orders: string;
  beforeAll(async () => {
    bench = await startUi();
    const { data } = await createGraphqlClient(bench.running)('{ asset(fqn: "shop.marts.fct_orders") { id } }');
    orders = `/assets/${String(at(data, "asset", "id"))}`;
  });
  afterAll(() => bench?.close());

  it("An asset's page shows its description, its sources, its gaps and when it was read", async () => {
    const { page, faults } = await bench.open(orders);
    await page.getByText("Orders that were not cancelled, one row each").waitFor();
    await page.getByText("Its column lineage is known.").waitFor();
    await page.getByText("Nothing upstream of it has a gap.").waitFor();
    await page.getByText(/^synced /).waitFor();
    await page.getByRole("link", { name: "int_orders_in_eur" }).click();
    await page.getByRole("heading", { level: 1, name: "int_orders_in_eur" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("A description is shown as Markdown, and other markup in it is not rendered", async () => {
    const { graph, metadata } = bench.running.app;
    const { id: workspace } = await getDefaultWorkspace(metadata);
    const description = [
      "# Payments",
      "One row for each **settled** payment; see [the guide](https://wiki.example/payments).",
      "| code | meaning |\n|---|---|\n| `P` | paid |",
      "[steal](javascript:alert(1)) <img src=x onerror=alert(1)> ![beacon](https://evil.example/x.png)",
    ].join("\n\n");
    const payments = nodeOf(workspace, "table", "elsewhere.raw.payments", { description });
    await graph.writeNodes(stampOf(workspace, "markdown", 1), "all", [payments]);
    const { page, faults } = await bench.open(`/assets/${payments.id}`);
    await page.getByRole("heading", { name: "Payments", exact: true, level: 3 }).waitFor();
    await page.getByRole("strong").getByText("settled").waitFor();
    await page.getByRole("cell", { name: "paid" }).waitFor();
    const guide = page.getByRole("link", { name: "the guide" });
    expect(await guide.getAttribute("href")).toBe("https://wiki.example/payments");
    expect(await guide.getAttribute("rel")).toContain("noreferrer");
    expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("A column names the tables of its neighbours, and the owner of its own table", async () => {
    const { data } = await createGraphqlClient(bench.running)(
      '{ asset(fqn: "shop.marts.orders_wide.customer_email") { id } }',
    );
    const { page } = await bench.open(`/assets/${String(at(data, "asset", "id"))}`);
    await page.getByText("as the owner of orders_wide").waitFor();
    await page.getByRole("link", { name: /^Commerce Analytics/ }).waitFor();
    const email = page.getByRole("listitem").filter({ hasText: /^email/ });
    expect(await email.innerText()).toContain("dim_customers");
    expect(await email.getByText("joins, filters").count()).toBe(0);
    expect(await page.getByRole("listitem").filter({ hasText: "fct_shipments" }).innerText()).toContain(
      "joins, filters",
    );
  });

  it("An owner leads to the owner's page, also an owner who is known only by name", async () => {
    const { page } = await bench.open(orders);
    await page.getByRole("definition").locator("a[href^='/owners/']").click();
    await page.getByRole("link", { name: "fct_orders", exact: true }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("Commerce Analytics");
    const { graph, metadata } = bench.running.app;
    const { id: workspace } = await getDefaultWorkspace(metadata);
    const owned = nodeOf(workspace, "table", "elsewhere.raw.owned", { ownerName: "Finance" });
    await graph.writeNodes(stampOf(workspace, "elsewhere", 1), "elsewhere", [owned]);
    await page.goto(`${bench.running.url}/assets/${owned.id}`);
    expect(await page.getByRole("link", { name: "Finance" }).getAttribute("href")).toBe("/owners/Finance");
  });

  it("Times are relative to now, even after a page without times", async () => {
    const { page } = await bench.open("/catalog");
    await page.clock.install();
    await page.goto(`${bench.running.url}${orders}`);
    const changed = page.locator("time").first();
    await changed.waitFor();
    expect(await changed.innerText()).not.toContain("hours");
    await page.getByRole("link", { name: "Ask" }).click();
    await page.getByRole("heading", { level: 1, name: "Ask" }).waitFor();
    await page.clock.fastForward("05:00:00");
    await page.goBack();
    expect(await isShown(page.getByText("5 hours ago").first())).toBe(true);
  });

  it("The result of a search among neighbours is never shown for another search", async () => {
    const { page } = await bench.open(`${orders}?tab=lineage`);
    const feeds = page.getByRole("region", { name: "Feeds" });
    const search = feeds.getByRole("searchbox");
    const none = feeds.getByText("None of these has such a name.");
    await search.fill("zzzzzz");
    await none.waitFor();
    const answer = await hold(page, asks("AssetDownstream"));
    await search.fill("revenue");
    await answer.waits;
    expect(await none.count()).toBe(0);
    await answer.release();
    expect(await isShown(feeds.getByRole("listitem").first())).toBe(true);
  });

  it("The address keeps the open tab, and arrow keys move among tabs", async () => {
    const { page } = await bench.open(`${orders}?tab=columns`);
    await page.getByRole("tab", { name: /^Columns/, selected: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: /^Lineage/, selected: true }).waitFor();
    expect(page.url()).toContain("tab=lineage");
    await openTab(page, /^Overview/);
    await page.getByRole("link", { name: "All 12" }).click();
    await page.getByRole("region", { name: "Feeds" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(orders);
  });

  it("Columns can be filtered and sorted, each with its lineage and its checks", async () => {
    const { page } = await bench.open(`${orders}?tab=columns`);
    const rows = page.getByRole("table").getByRole("row");
    const first = rows.nth(1);
    await first.getByText("unique").waitFor();
    expect(await first.innerText()).toMatch(/order_id\s+bigint.*known.*not_null/s);
    await page.getByRole("button", { name: "Feeds" }).click();
    await page.getByRole("button", { name: "Feeds" }).click();
    await first.getByRole("link", { name: "ordered_on" }).waitFor();
    // Only a condition of a metric uses it, which is told as well.
    expect(await page.getByRole("row", { name: /is_first_order/ }).innerText()).toMatch(/0 \+ 6\s+0 \+ 1\s+known/);
    await page.getByRole("searchbox", { name: "Filter the columns" }).fill("refund numeric");
    await page.getByText("3 of 16 columns").waitFor();
    expect(await rows.count()).toBe(4);
  });

  it("A check is explained to people without a mouse, too", async () => {
    const { page } = await bench.open(`${orders}?tab=columns`);
    const check = page.getByRole("button", { name: "unique" });
    await check.focus();
    await page
      .getByRole("tooltip")
      .getByText(/unique.*: passed/)
      .waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("tooltip").count()).toBe(0);
  });

  it("A column shows where its values come from, by kind", async () => {
    const { page } = await bench.open(`${orders}?tab=columns`);
    await page.getByRole("link", { name: "net_revenue_eur" }).click();
    await page.getByRole("heading", { level: 1, name: "net_revenue_eur" }).waitFor();
    await openTab(page, /^Lineage/);
    const from = page.getByRole("region", { name: "Made from" });
    await from.getByText("direct", { exact: true }).first().waitFor();
    const where = page.getByRole("navigation", { name: "Where it is" });
    expect(await isShown(where.getByRole("link", { name: "fct_orders" }))).toBe(true);
  });

  it("The neighbours of an asset can be searched", async () => {
    const { page } = await bench.open(`${orders}?tab=lineage`);
    const feeds = page.getByRole("region", { name: "Feeds" });
    await feeds.getByRole("searchbox").fill("wide");
    await feeds.getByText("orders_wide").waitFor();
    await expect.poll(() => feeds.getByRole("listitem").count()).toBe(1);
    await feeds.getByRole("searchbox").fill("zzz");
    await feeds.getByText("None of these has such a name.").waitFor();
  });

  it("A column's page marks in the SQL where the column is named", async () => {
    const { page } = await bench.open(`${orders}?tab=sql`);
    await page.getByRole("button", { name: "int_order_settlements.refunded_eur" }).click();
    const marks = page.locator("pre mark");
    expect(new Set(await marks.allInnerTexts())).toContain("customer_id");
    const chosen = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('pre mark[class*=chosen]'), (it) => it.textContent)",
    );
    expect(chosen).toEqual(["refunded_eur", "refunded_eur"]);
  });

  it("An asset's page shows its identity and the connectors that state it", async () => {
    const { page } = await bench.open(`${orders}?tab=identity`);
    expect(await isShown(page.getByRole("row", { name: /^shop .* holds it/ }))).toBe(true);
  });

  it("A writer can edit an asset, sees who edited it, and can restore the source's text", async () => {
    const { page, faults } = await bench.open(orders);
    await page.getByRole("button", { name: "Edit the description" }).click();
    await page.getByRole("textbox", { name: "The description" }).fill("What we sold.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("The description is saved.").waitFor();
    await page.getByText("What we sold.").waitFor();
    await page.getByText(/^edited by /).waitFor();

    await page.getByRole("button", { name: "Edit the owner" }).click();
    await page.getByRole("combobox", { name: "The owner" }).fill("nobody at all");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Edit the description" }).click();
    await page.getByRole("button", { name: "Use the source’s" }).click();
    await page.getByText("Orders that were not cancelled, one row each").waitFor();
    expect(faults).toEqual([]);
  });

  it("An edit does not overwrite unseen what somebody else wrote meanwhile", async () => {
    const { page } = await bench.open(orders);
    const other = (await bench.open(orders)).page;
    for (const each of [page, other]) await each.getByRole("button", { name: "Edit the description" }).click();
    await other.getByRole("textbox", { name: "The description" }).fill("Theirs.");
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByText("The description is saved.").waitFor();
    await page.getByRole("textbox", { name: "The description" }).fill("Mine.");
    await page.getByRole("button", { name: "Save" }).click();
    const refusal = "The description has been changed meanwhile: it is now “Theirs.”.";
    expect(await isShown(page.getByText(refusal))).toBe(true);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The description is saved.").waitFor();
    await page.getByRole("button", { name: "Edit the description" }).click();
    await page.getByRole("button", { name: "Use the source’s" }).click();
    await page.getByText("Orders that were not cancelled, one row each").waitFor();
  });

  it("An edit that was refused for its own fault still does not overwrite what somebody else wrote meanwhile", async () => {
    const { page } = await bench.open(orders);
    const other = (await bench.open(orders)).page;
    for (const each of [page, other]) await each.getByRole("button", { name: "Edit the owner" }).click();
    const owner = page.getByRole("combobox", { name: "The owner" });
    await owner.fill("nobody at all");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/must be an e-mail address/).waitFor();
    await other.getByRole("combobox", { name: "The owner" }).fill("theirs@example.com");
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByText("The owner is saved.").waitFor();
    await owner.fill("mine@example.com");
    await page.getByRole("button", { name: "Save" }).click();
    const refusal = "The owner has been changed meanwhile: it is now “theirs@example.com”.";
    expect(await isShown(page.getByText(refusal))).toBe(true);
    // Who was told may go on, also after another fault.
    await owner.fill("nobody at all");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/must be an e-mail address/).waitFor();
    await owner.fill("mine@example.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The owner is saved.").waitFor();
    await page.getByRole("button", { name: "Edit the owner" }).click();
    await page.getByRole("button", { name: "Use the source’s" }).click();
    await page.getByText("The owner is the source's again.").waitFor();
  });

  it("A reader is offered no editing", async () => {
    const { page } = await bench.open(orders, { as: "analyst" });
    await page.getByText("Orders that were not cancelled").waitFor();
    expect(await page.getByRole("button", { name: /^Edit/ }).count()).toBe(0);
  });

  it("The page of an unknown asset says in plain words that it does not exist", async () => {
    const { page } = await bench.open("/assets/nothing");
    expect(await isShown(page.getByRole("heading", { level: 1, name: "There is no such asset" }))).toBe(true);
  });
});
