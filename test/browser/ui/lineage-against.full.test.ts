/** The lineage canvas compared with the manifest of a pull request, from its saved answer and from an upload. */
import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { editInFourWays, editShop } from "../../support/edited-shop.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at, createRestClient } from "../../support/rest-client.ts";
import { findAxeFaults, startUi, type UiBench } from "../../support/ui.ts";

const SHOTS = process.env["SHOTS"];

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

const differing = (page: Page, name: string, how: string) =>
  page.getByRole("group", { name: new RegExp(`^${name},.* ${how} by the manifest`) });

/** The marks of what differs, in a window that is wide enough for all of them. */
async function findMarks(page: Page): Promise<void> {
  await differing(page, "refund_ids", "added").waitFor();
  await differing(page, "fct_orders", "changed").waitFor();
  await page.getByText("added by the manifest", { exact: true }).waitFor();
  expect(await page.locator("g[data-line][data-difference=added]").count()).toBe(2);
}

describe.skipIf(!hasBrowser)("the lineage compared with a manifest in a browser", () => {
  let bench: UiBench;
  let orders: string;
  let suppliers: string;
  /** The id of the saved answer. */
  let saved: string;
  beforeAll(async () => {
    bench = await startUi();
    const ask = createGraphqlClient(bench.running);
    const { data } = await ask(
      '{ orders: asset(fqn: "shop.marts.fct_orders") { id } suppliers: asset(fqn: "shop.staging.stg_erp__suppliers") { id } }',
    );
    [orders, suppliers] = [String(at(data, "orders", "id")), String(at(data, "suppliers", "id"))];
    const path = "/api/v1/lineage/impact/manifest?save=true&connector=shop";
    const { body } = await createRestClient(bench.running)(path, { method: "POST", body: editShop(editInFourWays) });
    saved = String(at(body, "url")).split("/").at(-1) ?? "";
  });
  afterAll(() => bench?.close());

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "In the %s theme at %s px, a saved answer leads to the canvas, where what comes, goes and changes is told in words and marks",
    async (theme, width) => {
      const browser = { viewport: { width, height: 900 }, colorScheme: theme };
      const { page, faults } = await bench.open(`/impact/saved/${saved}`, { browser });
      const lineage = page.getByRole("region", { name: "Lineage" });
      await lineage.getByText("added", { exact: true }).first().waitFor();
      await lineage.scrollIntoViewIfNeeded();
      await shoot(page, `answer-${theme}-${width}`);
      expect(await findAxeFaults(page)).toEqual([]);
      await lineage.getByRole("link", { name: "Lineage after it: fct_orders" }).click();
      await page
        .getByText(/^From now to the manifest of shop, checked .* UTC, within 3 hops: assets 1 added, /)
        .waitFor();
      await page.locator("[data-busy]").waitFor({ state: "detached" });
      // Only what is in the window is in the document.
      if (width === 1440) await findMarks(page);
      await shoot(page, `against-${theme}-${width}`);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await findAxeFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it("The exported picture has the marks of the canvas, and a legend that names now and the manifest", async () => {
    const { page } = await bench.open(`/lineage/${orders}?compare=${saved}&up=1&down=1`, {
      browser: { viewport: { width: 1440, height: 900 } },
    });
    await differing(page, "refund_ids", "added").waitFor();
    await page.locator("[data-busy]").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "As SVG" }).click(),
    ]);
    const text = await readFile(await download.path(), "utf8");
    if (SHOTS) await download.saveAs(`${SHOTS}/against.svg`);
    expect(text).toMatch(
      />From now to the manifest of shop, checked \d{4}-\d\d-\d\d \d\d:\d\d UTC, within 3 hops: assets 1 added, /,
    );
    expect(text).toMatch(/>model · ADDED/);
    expect(text).toMatch(/>model · CHANGED/);
    const good = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('g[data-line][data-difference=added]')).color",
    );
    // Two links and one row of the legend.
    expect(text.split(`stroke="${good}" stroke-width="3"`).length - 1).toBe(3);
    const faults = await page.evaluate<number>(
      `new DOMParser().parseFromString(${JSON.stringify(text)}, "image/svg+xml").querySelectorAll("parsererror").length`,
    );
    expect(faults).toBe(0);
  });

  it("A manifest uploaded by hand leads to the lineage of what it adds, which the keys reach and the catalog does not have", async () => {
    const { page, faults } = await bench.open("/impact/manifest");
    const buffer = Buffer.from(editShop(editInFourWays));
    await page
      .getByLabel("The new manifest.json")
      .setInputFiles({ name: "manifest.json", mimeType: "application/json", buffer });
    await page.getByRole("link", { name: "Lineage after it: refund_ids" }).click();
    await page.getByRole("heading", { level: 1, name: "Lineage of refund_ids" }).waitFor();
    await differing(page, "refund_ids", "added").waitFor();
    await page.getByLabel(/^Lineage\. Arrow keys/).focus();
    await page.keyboard.press("Home");
    await page.getByText(/refund_ids, model, added by the manifest/).waitFor();
    const about = page.getByRole("complementary", { name: "About refund_ids" });
    await about.getByText("by the manifest", { exact: false }).waitFor();
    expect(await about.getByRole("link", { name: "Open its page" }).count()).toBe(0);
    await shoot(page, "added");
    expect(await findAxeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("Where the manifest changes nothing, the canvas says so; an answer that is gone is an error with a way back", async () => {
    const { page } = await bench.open(`/lineage/${suppliers}?compare=${saved}`);
    await page.getByText(/this manifest changes nothing here\./).waitFor();
    await shoot(page, "nothing");
    await page.goto(page.url().replace(saved, "0".repeat(32)));
    await page.getByText(/No saved impact with id/).waitFor();
    await page.getByLabel("Compare with").selectOption("");
    await page.getByText(/No saved impact with id/).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("compare")).toBeNull();
  });
});
