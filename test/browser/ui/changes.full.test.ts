/** The page Changes, and the history of an asset. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { crawlShop } from "../../support/crawl-shop.ts";
import { model, rewrite } from "../../support/edited-shop.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";
import { findAxeFaults, startUi, type UiBench } from "../../support/ui.ts";

describe.skipIf(!hasBrowser)("the changes in a browser", () => {
  let bench: UiBench;
  let orders: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tributary-ui-changes-"));
    bench = await startUi({});
    const crawl = await crawlShop(bench.running, folder);
    await crawl(
      (edited) => {
        rewrite(model(edited, "fct_orders"), [
          "orders.gross_revenue_eur,",
          "orders.gross_revenue_eur * 2 as gross_revenue_eur,",
        ]);
        delete edited.nodes["model.shop.crm_contacts"];
      },
      { "test.shop.unique_fct_orders_order_id.da4dc53dc8": "fail" },
    );
    const query = createGraphqlClient(bench.running);
    const { data } = await query(`{ asset(fqn: "shop.marts.fct_orders") { id } }`);
    orders = String(at(data, "asset", "id"));
    const edit = "mutation ($input: UpdateAssetInput!) { updateAsset(input: $input) { asset { id } } }";
    await query(edit, { input: { id: orders, description: "One row for each order.", owner: "grace@example.com" } });
  });
  afterAll(async () => {
    await bench.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    ["light", 1440],
    ["dark", 390],
  ] as const)("In the %s theme at %s px, changes are listed and open their difference", async (theme, width) => {
    const browser = { viewport: { width, height: 900 }, colorScheme: theme };
    const { page, faults } = await bench.open("/changes", { browser });
    await page.getByText("Sync of").first().waitFor();
    await page.getByRole("link", { name: "shop.marts.fct_orders" }).first().waitFor();
    const sql = page.getByText(/^The SQL of .*gross_revenue_eur/);
    await sql.focus();
    await page.keyboard.press("Enter");
    const difference = page.getByRole("region", { name: "The SQL before and after" });
    await difference.waitFor();
    expect(await difference.innerText()).toMatch(/\+ .*gross_revenue_eur \* 2/);
    expect(await page.getByRole("list", { name: "What changed with it" }).innerText()).toContain("computed otherwise");
    // Where there is room, what is equal is on both sides, and what is new beside what it replaces.
    const boxes = await Promise.all(
      [/^- .*gross_revenue_eur/, /^\+ .*gross_revenue_eur/].map((line) =>
        difference.getByText(line).first().boundingBox(),
      ),
    );
    const [was, is] = [present(boxes[0]), present(boxes[1])];
    expect([was.y === is.y, was.x < is.x]).toEqual([width > 1_000, width > 1_000]);
    expect(await page.getByText("high risk").count()).toBe(1);
    const failed = page.getByRole("listitem").filter({ hasText: "check failed" });
    expect(await failed.innerText()).toContain("unique_fct_orders_order_id");
    expect(await failed.innerText()).toContain("Because: Got 3 results, configured to fail if != 0");
    expect(await failed.getByText("medium risk").count()).toBe(1);
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/changes-${width}.png`, fullPage: true });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await findAxeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("A filter is in the address, and a filter that finds nothing says so", async () => {
    const { page } = await bench.open("/changes");
    await page.getByLabel("What", { exact: true }).selectOption("owner");
    await page.getByText("grace@example.com").first().waitFor();
    expect(new URL(page.url()).searchParams.get("kind")).toBe("owner_changed");
    expect(await page.getByText("crm_contacts").count()).toBe(0);
    await page.getByLabel("What", { exact: true }).selectOption("check failed");
    await page.getByText("unique_fct_orders_order_id").waitFor();
    await page.getByLabel("What", { exact: true }).selectOption("tags");
    await page.getByText("No such changes").waitFor();
  });

  it("The history of an asset has its own changes", async () => {
    const { page } = await bench.open(`/assets/${orders}?tab=history`);
    await page.getByText("One row for each order.").first().waitFor();
    expect(await page.getByRole("list", { name: "Changes" }).getByRole("listitem").count()).toBe(4);
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/history.png`, fullPage: true });
  });
});
