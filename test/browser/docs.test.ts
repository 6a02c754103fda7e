import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { getBrowser, hasBrowser } from "../support/browser.ts";
import { isFull } from "../support/depth.ts";

// Skipped without a browser. Continuous integration has one.
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
    // The browser reports here what the page's policy forbids.
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    await page.goto(`${running.url}/docs`);
  });
  afterAll(async () => {
    await page?.context().close();
    await running?.close();
  });

  const heading = (): Locator => page.getByRole("heading", { name: "Assess the impact of a change" });

  it("A link from outside opens the operation that it names", async () => {
    await page.goto(`${running.url}/docs#operation/assessImpact`);
    await heading().waitFor();
    await expect.poll(async () => (await heading().boundingBox())?.y).toBeLessThan(300);
  });

  it("A click copies the curl line of an operation", async () => {
    const line = `"${running.url}/api/v1/lineage/impact"`;
    const copy = page.getByTestId("copy-button");
    const sample = page.locator("div", { hasText: line, has: copy }).last();
    await sample.hover();
    await sample.getByTestId("copy-button").first().click();
    await expect.poll(() => page.evaluate<string>("navigator.clipboard.readText()")).toContain(line);
  });

  it("The docs page fits on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.setViewportSize({ width: 1_280, height: 720 });
  });

  it.runIf(isFull).each(["light", "dark"] as const)(
    "The docs page is %s if the browser prefers that",
    async (colorScheme) => {
      const context = await browser.newContext({ colorScheme });
      const fresh = await context.newPage();
      await fresh.goto(`${running.url}/docs`);
      await fresh.getByRole("heading", { name: "Getting started" }).waitFor();
      await expect.poll(() => fresh.evaluate("document.documentElement.className")).toBe(colorScheme);
      await context.close();
    },
  );

  it("The docs page loads nothing from other hosts, and nothing in it is forbidden or fails", () => {
    const elsewhere = requested.filter((url) => !url.startsWith(running.url) && !/^(blob|data):/.test(url));
    expect({ elsewhere, faults }).toEqual({ elsewhere: [], faults: [] });
  });

  it("The docs page has the product's font", async () => {
    const family = await heading().evaluate((element) => getComputedStyle(element).fontFamily);
    expect(family).toMatch(/^"?Geist/);
    expect(await page.evaluate("document.fonts.check('16px Geist')")).toBe(true);
  });

  it("Without scripts, the docs page leads to the OpenAPI document", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const bare = await context.newPage();
    await bare.goto(`${running.url}/docs`);
    expect(await bare.getByRole("link", { name: "The OpenAPI document" }).getAttribute("href")).toBe("/openapi.json");
    await context.close();
  });
});
