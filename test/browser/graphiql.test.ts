import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeFirstAdminLink } from "../../src/auth/links/make-links.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { getBrowser, hasBrowser } from "../support/browser.ts";
import { isFull } from "../support/depth.ts";
import { openPage, tokenOf } from "../support/page.ts";
import { present } from "../support/present.ts";

// Skipped without a browser. Continuous integration has one.
describe.skipIf(!hasBrowser)("GraphiQL in a browser", () => {
  let browser: Browser;
  let running: RunningApp;
  let page: Page;
  const requested: string[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    [browser, running] = await Promise.all([getBrowser(), startApp({ sample: true })]);
    page = await browser.newPage();
    page.on("request", (request) => requested.push(request.url()));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && /Content Security Policy/i.test(message.text())) faults.push(message.text());
    });
    await page.goto(`${running.url}/graphql`);
    await page.getByRole("button", { name: /execute query/i }).waitFor();
  });
  afterAll(async () => {
    await page?.context().close();
    await running?.close();
  });

  const run = () => page.getByRole("button", { name: /execute query/i }).click();

  it("GraphiQL links to the workspace, and its own bar fits on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.getByRole("link", { name: "Workspace" }).getAttribute("href")).toBe("/");
    await page.setViewportSize({ width: 1_280, height: 720 });
  });

  it("GraphiQL has the product's font and colour", async () => {
    const family = await page
      .locator(".graphiql-container")
      .first()
      .evaluate((element) => getComputedStyle(element).fontFamily);
    const colour = await page.locator("#key-bar").evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(family).toMatch(/^"?Geist/);
    expect(colour).toBe("rgb(11, 122, 110)");
  });

  it("GraphiQL says in plain words that a query needs a key", async () => {
    await run();
    await page.getByText("A valid bearer token is needed").waitFor();
    expect(faults).toEqual([]);
  });

  it("GraphiQL answers the example query once it has a key, and keeps the key in its tab", async () => {
    await page.getByLabel("API key").fill(running.token);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByText("Queries are sent with this key.").waitFor();
    await run();
    await page.locator(".graphiql-response").getByText("fct_orders").first().waitFor();
    const tops = `[...document.querySelectorAll(".graphiql-response .view-line")].map((line) => line.offsetTop)`;
    // The editor places each line by a style attribute.
    expect(new Set(await page.evaluate<number[]>(tops)).size).toBeGreaterThan(5);
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain(running.token);
  });

  it.runIf(isFull)("GraphiQL needs no key from a person who is logged in to the workspace", async () => {
    const { url, app } = running;
    const link = present(await makeFirstAdminLink(app.logins, await getDefaultWorkspace(app.metadata)));
    const person = openPage(url);
    await person.useLink(`#token=${tokenOf(link.url)}`, { name: "Ada Lovelace", email: "ada@example.com" });
    const context = await browser.newContext();
    await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })));
    const own = await context.newPage();
    own.on("pageerror", (error) => faults.push(error.message));
    await own.goto(`${url}/graphql`);
    await own.getByText("Queries are sent as ada@example.com.").waitFor();
    await own.getByRole("button", { name: /execute query/i }).click();
    await own.locator(".graphiql-response").getByText("fct_orders").first().waitFor();
    expect(await own.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain("svc_live");
    await context.close();
  });

  it("GraphiQL loads nothing from other hosts, and nothing in it fails", () => {
    const elsewhere = requested.filter((url) => !url.startsWith(running.url) && !/^(blob|data):/.test(url));
    expect({ elsewhere, faults }).toEqual({ elsewhere: [], faults: [] });
  });
});
