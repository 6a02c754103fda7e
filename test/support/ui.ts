/** The workspace UI in a browser: the real service, its real pages, and people who are logged in. */
import axe from "axe-core";
import { pino } from "pino";
import type { BrowserContext, BrowserContextOptions, Locator, Page as BrowserPage, Request } from "playwright-core";
import { expect, onTestFinished, TestRunner } from "vitest";

import { makeFirstAdminLink } from "../../src/auth/links/make-links.ts";
import type { Role } from "../../src/metadata/records.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { prepareUi } from "../../src/ui-build/prepare.ts";
import { type RunningApp, startApp, type StartOptions } from "./app.ts";
import { getBrowser } from "./browser.ts";
import { createGraphqlClient } from "./graphql-client.ts";
import { invite, openPage, openPersonPage, type Page, tokenOf } from "./page.ts";

/** The first admin. The address of others begins with their role. */
export const ADMIN = { name: "Ada Lovelace", email: "ada@example.com" } as const;

interface OpenPage {
  /** Only for this test. A page that a hook opens stays until the bench closes. */
  page: BrowserPage;
  /** The browser's complaints: scripts that fail, and violations of the page's policy. */
  faults: string[];
  /** Ends the session, as another tab does that logs out. */
  endSession(): Promise<void>;
}

interface OpenOptions {
  /** The role of the person who is logged in; null for nobody. By default the first admin. */
  as?: Role | null;
  browser?: BrowserContextOptions;
}

export interface UiBench {
  running: RunningApp;
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
  /** The token of the first admin's link; null if it was used. */
  firstAdminToken(): Promise<string | null>;
  /** The token of an invitation. */
  invitationToken(email: string): Promise<string>;
  close(): Promise<void>;
}

/** A click between the beginning and the end of a movement can miss what moves, so nothing moves unless a test asks for it. */
const DESKTOP = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" } satisfies BrowserContextOptions;

/** Starts the service with the sample, and builds the UI if its sources have changed. */
export async function startUi(options: StartOptions = { sample: true }): Promise<UiBench> {
  const ui = prepareUi(pino({ level: "error" }, pino.destination(2)));
  const [browser, running] = await Promise.all([getBrowser(), startApp({ ...options, overrides: { ui } })]);
  const { app, url } = running;
  const tabs = new Set<Tab>();
  /** Pages that no test uses now, by the logged-in person and the options of the browser. */
  const free = new Map<string, Tab[]>();
  // Tests open the pages of one person faster than a person does.
  const raised = await createGraphqlClient(running)(
    "mutation { setRateLimit(input: { perMinute: 10000 }) { __typename } }",
  );
  if (raised.message !== "") throw new Error(raised.message);
  const invited = new Map<Role, Promise<unknown>>();

  async function firstAdminToken(): Promise<string | null> {
    const link = await makeFirstAdminLink(app.logins, await getDefaultWorkspace(app.metadata));
    return link && tokenOf(link.url);
  }

  async function openAdmin(): Promise<Page> {
    const page = openPage(url);
    const token = await firstAdminToken();
    if (token === null) await page.logIn(ADMIN.email);
    else await page.useLink(`#token=${token}`, ADMIN);
    return page;
  }

  async function openAs(role: Role): Promise<Page> {
    const admin = await openAdmin();
    if (role === "admin") return admin;
    const email = `${role}@example.com`;
    await invited.getOrInsertComputed(role, () => openPersonPage(admin, url, email, role));
    const page = openPage(url);
    await page.logIn(email);
    return page;
  }

  /** A page that an earlier test has left, or a new one. */
  async function takePage(as: Role | null, browserOptions: BrowserContextOptions): Promise<Tab> {
    const left = free.getOrInsert(JSON.stringify([as, browserOptions]), []);
    const tab = left.pop() ?? (await openTab(await browser.newContext({ ...DESKTOP, ...browserOptions })));
    tabs.add(tab);
    if (as !== null && !(await isLoggedIn(tab.person))) tab.person = await openAs(as);
    await tab.page.context().clearCookies();
    const cookies = [...(tab.person?.cookies ?? [])].map(([name, value]) => ({ name, value, url }));
    await tab.page.context().addCookies(cookies);
    if (TestRunner.getCurrentTest())
      onTestFinished(async () => {
        if (tab.page.isClosed()) return;
        await leave(tab.page, { ...DESKTOP, ...browserOptions });
        left.push(tab);
      });
    return tab;
  }

  return {
    running,
    async open(path, { as = "admin", browser: browserOptions = {} } = {}) {
      const { page, person } = await takePage(as, browserOptions);
      const faults = noteFaults(page);
      await page.goto(`${url}${path}`);
      return { page, faults, endSession: async () => void (await person?.ask("POST", "/auth/logout")) };
    },
    firstAdminToken,
    invitationToken: async (email) => tokenOf(await invite(await openAdmin(), email, "analyst")),
    async close() {
      await Promise.all([...tabs].map(({ page }) => page.context().close()));
      await running.close();
    },
  };
}

/** A page in its own context, and the person who is logged in there. */
interface Tab {
  page: BrowserPage;
  person: Page | null;
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  // Shorter than a test's own timeout, so that the error says what did not appear.
  page.setDefaultTimeout(120_000);
  return { page, person: null };
}

/** False if nobody was logged in, or a test has ended the session. */
const isLoggedIn = async (person: Page | null): Promise<boolean> =>
  person !== null && (await person.ask("GET", "/auth/session")).status === 200;

/** Undoes what a test did with a page, so that it is like a new one. */
async function leave(page: BrowserPage, options: BrowserContextOptions): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const { viewport, colorScheme = "light", reducedMotion = DESKTOP.reducedMotion } = options;
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion });
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await page.goto("about:blank");
}

function noteFaults(page: BrowserPage): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // A browser also reports each answer with an error status there, and the pages handle those.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  return faults;
}

/** Requests of the page, by the name of the GraphQL operation. */
export const asks =
  (name: string) =>
  (request: Request): boolean =>
    request.postData()?.includes(`"operationName":"${name}"`) ?? false;

/** From now on, such requests do not reach the service. */
export async function cutOff(page: BrowserPage, isMeant: (request: Request) => boolean): Promise<void> {
  await page.route("**/graphql", (route) => (isMeant(route.request()) ? route.abort() : route.fallback()));
}

export interface Held {
  /** Resolves once such a request waits. */
  waits: Promise<void>;
  /** Sends or aborts the request. Afterwards the page has its answer. */
  release(how?: "continue" | "abort"): Promise<void>;
}

/** Holds the next such request of the page, and no other. */
export async function hold(page: BrowserPage, isMeant: (request: Request) => boolean): Promise<Held> {
  const waiting = Promise.withResolvers<void>();
  const released = Promise.withResolvers<"continue" | "abort">();
  let ended: Promise<unknown> | null = null;
  await page.route("**/graphql", async (route) => {
    const request = route.request();
    if (ended !== null || !isMeant(request)) return route.fallback();
    ended = Promise.race(
      (["requestfinished", "requestfailed"] as const).map((event) =>
        page.waitForEvent(event as "requestfinished", (other) => other === request),
      ),
    );
    waiting.resolve();
    return (await released.promise) === "abort" ? route.abort() : route.continue();
  });
  return {
    waits: waiting.promise,
    async release(how = "continue") {
      released.resolve(how);
      await waiting.promise;
      await ended;
    },
  };
}

/** Waits until it is visible. */
export async function isShown(locator: Locator): Promise<true> {
  await locator.waitFor();
  return true;
}

/** A choice of axe's rules: all, those of colours, or all others. */
type AxeRules = "all" | "colours" | "all but colours";

const AXE_OPTIONS: Record<AxeRules, axe.RunOptions> = {
  all: {},
  colours: { runOnly: ["color-contrast"] },
  "all but colours": { rules: { "color-contrast": { enabled: false } } },
};

/** The faults that axe finds in the page as it is shown, in one line each. */
export async function findAxeFaults(page: BrowserPage, rules: AxeRules = "all"): Promise<string[]> {
  // Amid a transition, a colour is neither the old one nor the new. The page's policy forbids `eval`, by which
  // `waitForFunction` would look a second time.
  const isStill = "document.getAnimations().every(({ effect }) => effect.getComputedTiming().endTime === Infinity)";
  await expect.poll(() => page.evaluate(isStill)).toBe(true);
  // The page's policy permits no inline script, but the debugger's scripts are not part of the page.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const options: axe.RunOptions = { resultTypes: ["violations"], ...AXE_OPTIONS[rules] };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join()}: ${failureSummary}`),
  );
}
