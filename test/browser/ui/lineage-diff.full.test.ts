/** The lineage canvas and table, compared with an earlier time. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { crawlShop } from "../../support/crawl-shop.ts";
import { model } from "../../support/edited-shop.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";
import { findAxeFaults, startUi, type UiBench } from "../../support/ui.ts";

/** The marks of what differs, in a window that is wide enough for all of them. */
/** Only what is in the window is in the document. */
async function showAll(page: Page): Promise<void> {
  await page.locator(".react-flow__node").first().waitFor();
  await page.locator("[data-busy]").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Fit into the window (F)" }).click();
}

async function findMarks(page: Page): Promise<void> {
  await page.getByRole("group", { name: /^new_customers,.* added since then/ }).waitFor();
  await page.getByRole("group", { name: /^crm_contacts,.* removed since then/ }).waitFor();
  await page.getByRole("group", { name: /^customer_value,.* changed since then/ }).waitFor();
  expect(await page.locator("g[data-line][data-difference=removed]").count()).toBeGreaterThan(0);
  expect(await page.locator("g[data-line][data-difference=added]").count()).toBeGreaterThan(0);
}

describe.skipIf(!hasBrowser)("the lineage compared with an earlier time in a browser", () => {
  let bench: UiBench;
  let customers: string;
  /** Between the two crawls. */
  let before: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tributary-ui-diff-"));
    bench = await startUi({});
    const crawl = await crawlShop(bench.running, folder);
    before = new Date().toISOString();
    await crawl((edited) => {
      const orders = model(edited, "fct_orders");
      const value = model(edited, "customer_value");
      value.compiled_code = `select * from (${value.compiled_code}) as all_of_them limit 100`;
      delete edited.nodes["model.shop.crm_contacts"];
      const sql = `select customer_id from ${orders.database}.${orders.schema}.dim_customers`;
      const own = { name: "new_customers", alias: "new_customers", compiled_code: sql, columns: {} };
      const ids = { unique_id: "model.shop.new_customers", relation_name: `"shop"."${orders.schema}"."new_customers"` };
      const needs = { depends_on: { nodes: ["model.shop.dim_customers"] } };
      edited.nodes["model.shop.new_customers"] = Object.assign(structuredClone(orders), own, ids, needs);
    });
    const { data } = await createGraphqlClient(bench.running)(`{ asset(fqn: "shop.marts.dim_customers") { id } }`);
    customers = String(at(data, "asset", "id"));
  });
  afterAll(async () => {
    await bench.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    ["light", 1440],
    ["dark", 820],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "In the %s theme at %s px, what came, went and changed is told in words and marks",
    async (theme, width) => {
      const browser = { viewport: { width, height: 900 }, colorScheme: theme };
      const { page, faults } = await bench.open(`/lineage/${customers}?compare=9d`, { browser });
      await page.getByText(/assets 1 added, \d+ removed, 1 changed/).waitFor();
      // Only what is in the window is in the document.
      if (width === 1440) await findMarks(page);
      await page.locator("[data-busy]").waitFor({ state: "detached" });
      if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/diff-${theme}-${width}.png` });
      const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await findAxeFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it("A day or a span is chosen in the toolbar, and a day before the history names the first time until another is chosen", async () => {
    const { page } = await bench.open(`/lineage/${customers}`);
    const compared = () => new URL(page.url()).searchParams.get("compare");
    await page.getByLabel("Compare with").selectOption("day");
    await page.getByLabel("The day").fill("2020-01-01");
    const refused = page.getByText(/is before the history begins: ask for/);
    await refused.waitFor();
    expect(compared()).toBe("2020-01-01");
    await page.getByLabel("Compare with").selectOption("30d");
    await page.getByText(/assets 1 added, \d+ removed, 1 changed/).waitFor();
    expect([compared(), await refused.count()]).toEqual(["30d", 0]);
    await page.getByLabel("Compare with").selectOption("");
    expect(compared()).toBeNull();
  });

  it("The lineage of an earlier time has what was there then, and a click leads back to now", async () => {
    const { page, faults } = await bench.open(`/lineage/${customers}?as_of=${before}`);
    await page.getByText(`The lineage as it was at ${before}.`).waitFor();
    await showAll(page);
    await page.getByRole("group", { name: /^crm_contacts,/ }).waitFor();
    expect(await page.getByRole("group", { name: /^new_customers,/ }).count()).toBe(0);
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/as-of.png` });
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.getByRole("group", { name: /^new_customers,/ }).waitFor();
    expect(await page.getByRole("group", { name: /^crm_contacts,/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("A day is chosen in the toolbar, and one before the history says which is the first, and leads back", async () => {
    const { page } = await bench.open(`/lineage/${customers}`);
    await page.getByLabel("As of").fill("2020-01-01");
    await page.getByText(/is before the history begins: ask for/).waitFor();
    expect(new URL(page.url()).searchParams.get("as_of")).toBe("2020-01-01");
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.getByRole("group", { name: /^new_customers,/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("as_of")).toBeNull();
  });

  it("The exported picture has the marks of the canvas, and a legend that names both times", async () => {
    const { page } = await bench.open(`/lineage/${customers}?compare=9d`, {
      browser: { viewport: { width: 1440, height: 900 } },
    });
    await findMarks(page);
    await page.locator("[data-busy]").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "As SVG" }).click(),
    ]);
    const text = await readFile(await download.path(), "utf8");
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
    expect(text).toMatch(
      new RegExp(`>From ${time} to now, ${time}, within 3 hops: assets 1 added, \\d+ removed, 1 changed; links `),
    );
    for (const word of ["ADDED", "REMOVED", "CHANGED"]) expect(text).toContain(`>model · ${word}`);
    // A link that is gone has gaps, and so has the border of a node.
    expect(text).toMatch(/stroke-width="2" stroke-dasharray="3 7"/);
    expect(text).toMatch(/rx="10" [^>]*stroke-width="2" stroke-dasharray="6 4"/);
  });

  it("The table names what differs, and a removed asset has no page to open", async () => {
    const { page } = await bench.open(`/lineage/${customers}?compare=9d&view=table`);
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "crm_contacts" }) });
    await row.getByText("removed", { exact: true }).waitFor();
    expect(await row.getByRole("link").count()).toBe(0);
    await page.goto(page.url().replace("&view=table", ""));
    await showAll(page);
    await page.getByRole("group", { name: /^crm_contacts,.* removed since then/ }).click();
    await page.getByText("since then", { exact: false }).first().waitFor();
    expect(await page.getByRole("link", { name: "Open its page" }).count()).toBe(0);
  });
});
