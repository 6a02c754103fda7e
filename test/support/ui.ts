/** The workspace UI in a browser: the real service, its real pages, and somebody who is logged in. */
import axe from "axe-core";
import { pino } from "pino";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

import { prepareUi } from "../../src/ui-build/prepare.ts";
import { type RunningApp, startApp, type StartOptions } from "./app.ts";
import { openBrowser } from "./browser.ts";
import { type LoginStandIn, standInForLogin, type StandInOptions } from "./login-stand-in.ts";

interface OpenPage {
  page: Page;
  login: LoginStandIn;
  /** Whatever the browser complained about: scripts that fail, and what the page's policy forbids. */
  faults: string[];
}

export interface UiBench {
  running: RunningApp;
  open(path: string, options?: Partial<StandInOptions> & { browser?: BrowserContextOptions }): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Starts the service with the sample, and builds the UI if its sources have changed. */
export async function startUi(options: StartOptions = { sample: true }): Promise<UiBench> {
  const ui = prepareUi(pino({ level: "error" }, pino.destination(2)));
  const [browser, running] = await Promise.all([openBrowser(), startApp({ ...options, overrides: { ui } })]);
  return {
    running,
    open: (path, { browser: ofBrowser, ...standIn } = {}) => openPage(browser, running, path, standIn, ofBrowser),
    async close() {
      await browser.close();
      await running.close();
    },
  };
}

async function openPage(
  browser: Browser,
  { url, token }: RunningApp,
  path: string,
  standIn: Partial<StandInOptions>,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const login = await standInForLogin(context, { token, ...standIn });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // A browser also notes each answer with an error status there, which the pages handle.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  await page.goto(`${url}${path}`);
  return { page, login, faults };
}

/** Waits until it is there to be seen. */
export async function isShown(locator: Locator): Promise<true> {
  await locator.waitFor();
  return true;
}

/** What axe finds wrong with the page as it is shown, in one line each. */
export async function findAxeFaults(page: Page): Promise<string[]> {
  // The page's policy permits no inline script, but the debugger's are no part of the page.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join()}: ${failureSummary}`),
  );
}
