import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { getBrowser, hasBrowser } from "../support/browser.ts";

// Skipped where there is no browser; continuous integration has one.
describe.skipIf(!hasBrowser)("the docs page in a browser", () => {
  let browser: Browser;
  let running: RunningApp;
  let page: Page;
  const requested: string[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    [browser, running] = await Promise.all([getBrowser(), startApp()]);
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    page = await context.newPage();
    page.on("request", (request) => requested.push(request.url()));
    page.on("pageerror", (error) => faults.push(error.message));
    // A browser tells there what the page's policy forbids.
    page.on("console", (message) => faults.push(message.text()));
    await page.goto(`${running.url}/docs`);
  });
  afterAll(async () => {
    await page?.context().close();
    await running?.close();
  });

  const contents = (): Locator => page.getByRole("navigation", { name: "Contents" });

  it("copies an example as it is shown", async () => {
    const example = page.locator("#listAssets .example").first();
    await example.getByRole("button", { name: "Copy" }).click();
    await example.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await example.locator("code").textContent());
    expect(copied).toContain(`${running.url}/api/v1/catalog/assets?search=`);
  });

  it("finds operations and schemas by any words of theirs, and shows all of them again", async () => {
    const shown = () => contents().getByRole("listitem").allInnerTexts();
    const all = await shown();
    const filter = contents().getByRole("searchbox", { name: "Filter the contents" });
    await filter.fill("COLUMN_DROP asset");
    const found = (await shown()).join();
    expect(found).toContain("Assess the impact of a change");
    expect(found).not.toContain("List or search assets");
    expect(await contents().getByRole("heading", { name: "Health" }).count()).toBe(0);
    await filter.fill("");
    expect(await shown()).toEqual(all);
  });

  it("marks in the contents what is being read", async () => {
    await page.goto(`${running.url}/docs#getAsset`);
    const current = "document.querySelector('nav a:target-current')?.hash";
    await expect.poll(() => page.evaluate(current)).toBe("#getAsset");
  });

  it("loads nothing but itself, and nothing in it is forbidden or fails", () => {
    expect(new Set(requested.filter((url) => !url.startsWith("data:")).map((url) => url.split("#")[0]))).toEqual(
      new Set([`${running.url}/docs`]),
    );
    expect(faults).toEqual([]);
  });

  it("shows no control that needs a script to those without scripts", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const bare = await context.newPage();
    await bare.goto(`${running.url}/docs`);
    await bare.locator("#listAssets .example").first().waitFor();
    expect(await bare.locator("button, input").count()).toBe(0);
    await context.close();
  });
});
