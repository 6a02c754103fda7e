/** Rules for every page: it is accessible in both themes and on a phone, and loads nothing from other hosts. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Role } from "../../../src/metadata/records.ts";
import { hasBrowser } from "../../support/browser.ts";
import { atDepth, isFull } from "../../support/depth.ts";
import { dropAmount, editShop } from "../../support/edited-shop.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";
import { findAxeFaults, startUi, type UiBench } from "../../support/ui.ts";

interface Look {
  path: string;
  /** Resolves when the page shows its content. */
  ready: (page: Page) => Promise<unknown>;
  as?: Role | null;
}

const tab = (name: string, ready: Look["ready"]): Look => ({ path: `ASSET?tab=${name}`, ready });

const NO_PAGE: Look = { path: "/nothing-here", ready: (page) => page.getByText("There is no such page").waitFor() };

const LOOKS: Record<string, Look> = {
  "the login": { path: "/", as: null, ready: (page) => page.getByLabel("Password").waitFor() },
  "a one-time link": {
    path: "/welcome#token=INVITATION",
    as: null,
    ready: (page) => page.getByLabel("Your name").waitFor(),
  },
  "the catalog": { path: "/catalog", ready: (page) => page.getByText(/^\d+ assets$/).waitFor() },
  "a search": { path: "/catalog?q=refund", ready: (page) => page.locator("li mark").first().waitFor() },
  "a search without hits": { path: "/catalog?q=zzzz", ready: (page) => page.getByText("Nothing found").waitFor() },
  "the command palette": {
    path: "/catalog",
    async ready(page) {
      await page.getByText(/^\d+ assets$/).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("orders");
      await page.getByRole("option", { name: /fct_orders/ }).waitFor();
    },
  },
  "an asset": { path: "ASSET", ready: (page) => page.getByText("Nothing upstream of it has a gap.").waitFor() },
  "an asset that is edited": {
    path: "ASSET",
    async ready(page) {
      await page.getByRole("button", { name: "Edit the description" }).click();
      await page.getByRole("textbox", { name: "The description" }).waitFor();
    },
  },
  "an asset's columns": tab("columns", (page) => page.getByRole("row").nth(1).waitFor()),
  "an asset's lineage": tab("lineage", (page) => page.getByRole("link", { name: "orders_wide" }).waitFor()),
  "an asset's SQL": tab("sql", (page) => page.locator("pre mark").first().waitFor()),
  "an asset's identity": tab("identity", (page) => page.getByRole("row").nth(1).waitFor()),
  "the notices": {
    path: "/notices",
    ready: (page) => page.getByRole("link", { name: "Choose what you are told" }).waitFor(),
  },
  "the connectors": { path: "/connectors", ready: (page) => page.getByRole("row", { name: /^shop/ }).waitFor() },
  "a connector": { path: "CONNECTOR", ready: (page) => page.getByRole("list", { name: "Syncs" }).waitFor() },
  "a connector's history": {
    path: "CONNECTOR?tab=history",
    ready: (page) => page.getByRole("list", { name: "Syncs" }).waitFor(),
  },
  "a connector's settings": {
    path: "CONNECTOR?tab=settings",
    async ready(page) {
      await page.getByText(/more options$/).click();
      await page.getByLabel("Token", { exact: true }).waitFor();
    },
  },
  "the types of connectors": {
    path: "/connectors/new",
    ready: (page) => page.getByRole("link", { name: /^postgres/ }).waitFor(),
  },
  "a connector that is added": {
    path: "/connectors/new?type=postgres",
    async ready(page) {
      await page.getByLabel("Syncs").selectOption("Other times …");
      await page.getByLabel("Name (required)").fill("lake");
      await page.getByLabel("URL (required)").fill("postgres://127.0.0.1:1/none");
      await page.getByLabel("User (required)").fill("reader");
      await page.getByLabel("Cron expression").fill("@daily");
      await page.getByRole("button", { name: "Test the connection" }).click();
      await page.locator("input[aria-invalid=true]").first().waitFor();
    },
  },
  "the keys": { path: "/settings/api", ready: (page) => page.getByRole("row", { name: /^test/ }).waitFor() },
  "what to do with a key": {
    path: "/settings/api",
    async ready(page) {
      await page
        .getByRole("button", { name: /^What to do with/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Revoke" }).waitFor();
    },
  },
  "a key that is made": {
    path: "/settings/api",
    async ready(page) {
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("looks");
      await page.getByRole("button", { name: "Make the key" }).click();
      await page.getByRole("dialog", { name: "Your new key" }).waitFor();
    },
  },
  "the service accounts": {
    path: "/settings/api?tab=accounts",
    ready: (page) => page.getByRole("region", { name: "airflow" }).waitFor(),
  },
  "the limits": { path: "/settings/api?tab=limits", ready: (page) => page.getByLabel("Networks").waitFor() },
  "what a maximum lifetime does": {
    path: "/settings/api?tab=limits",
    async ready(page) {
      await page.getByLabel("Days").fill("30");
      await page.getByRole("button", { name: "See what it does" }).click();
      await page.getByText("would end sooner than planned").waitFor();
    },
  },
  "lines to paste": { path: "/settings/api?tab=lines", ready: (page) => page.getByText("claude mcp add").waitFor() },
  "the people": { path: "/settings/people", ready: (page) => page.getByRole("row").nth(1).waitFor() },
  "an invitation": {
    path: "/settings/people",
    async ready(page) {
      await page.getByRole("button", { name: "Invite a person" }).click();
      await page.getByLabel("E-mail").fill("looks@example.com");
      await page.getByRole("button", { name: "Make the invitation" }).click();
      await page.getByRole("group", { name: "One-time link" }).waitFor();
    },
  },
  "the notifications": {
    path: "/settings/notices",
    async ready(page) {
      const rule = page.getByRole("region", { name: "alerts" });
      await rule.getByRole("button", { name: "Show what it sent" }).click();
      await rule.getByRole("cell", { name: "A test" }).first().waitFor();
    },
  },
  "a notification that is added": {
    path: "/settings/notices",
    async ready(page) {
      await page.getByRole("button", { name: "New notification", exact: true }).click();
      await page.getByLabel("About").selectOption("A tag");
      await page.getByLabel("The tag").waitFor();
    },
  },
  "the audit trail": {
    // These tests log in so often that it would be on a later page.
    path: "/settings/audit?action=account_created",
    ready: (page) => page.getByText("made a service account", { exact: true }).last().waitFor(),
  },
  "how long audit events are kept": {
    path: "/settings/audit",
    async ready(page) {
      await page.getByRole("button", { name: "Kept for ever" }).click();
      await page.getByLabel("Keep events").selectOption("90 days");
      await page.getByText("No event is older than that yet.").waitFor();
    },
  },
  "one's account": { path: "/settings/account", ready: (page) => page.getByText("Where you are logged in").waitFor() },
  "settings that one may not see": {
    path: "/settings/audit",
    as: "analyst",
    ready: (page) => page.getByText("Only admins read the audit trail.").waitFor(),
  },
  "the lineage canvas": {
    path: "LINEAGE",
    async ready(page) {
      await page.getByRole("group", { name: /^orders_wide,/ }).click();
      await page.getByRole("button", { name: "Show columns" }).click();
      await page.locator('g[data-line="DIRECT"]').first().waitFor({ state: "attached" });
    },
  },
  "what a change breaks, on the canvas": {
    path: "LINEAGE?change=column_drop",
    ready: async (page) => {
      await page.locator("[data-part=asset][data-effect=high]").first().waitFor();
      await page.locator("[data-busy]").waitFor({ state: "detached" });
    },
  },
  "the lineage as a table": {
    path: "LINEAGE?view=table",
    ready: (page) => page.getByRole("row", { name: /^orders_wide/ }).waitFor(),
  },
  "what breaks, before anything is chosen": {
    path: "/impact",
    ready: (page) => page.getByText("Choose what you want to change").waitFor(),
  },
  "what breaks": {
    path: "/impact?id=ID&change=type_change&type=text",
    async ready(page) {
      await page.getByText("Evidence").first().click();
      await page.locator("details li").first().waitFor();
    },
  },
  "what a pull request breaks": {
    path: "/impact/manifest",
    async ready(page) {
      const buffer = Buffer.from(editShop(dropAmount));
      await page
        .getByLabel("The new manifest.json")
        .setInputFiles({ name: "manifest.json", mimeType: "application/json", buffer });
      await page.getByRole("region", { name: "Changes" }).waitFor();
    },
  },
  "the metrics": { path: "/metrics", ready: (page) => page.getByText(/^\d+ metrics$/).waitFor() },
  "a metric": { path: "METRIC", ready: (page) => page.getByRole("button", { name: "Withdraw" }).waitFor() },
  "a metric that is judged": {
    path: "METRIC",
    async ready(page) {
      await page.getByRole("button", { name: "Withdraw" }).click();
      await page.getByLabel("Why", { exact: true }).waitFor();
    },
  },
  "the form of a metric": {
    path: "/metrics/new",
    async ready(page) {
      await page.getByRole("combobox", { name: "Add a source" }).fill("net_revenue_eur");
      await page
        .getByRole("option", { name: /^column net_revenue_eur/ })
        .first()
        .waitFor();
    },
  },
  "a metric that is edited": {
    path: "EDITED/edit",
    async ready(page) {
      await page.getByLabel("Expression").fill("avg(refunded_eur)");
      await page.getByText("You changed its expression.").waitFor();
    },
  },
  "a question": {
    path: "/ask?q=What+feeds+fct_orders%3F",
    ready: (page) => page.getByRole("region", { name: "Based on" }).getByRole("link").first().waitFor(),
  },
  "a question that is declined": {
    path: "/ask?q=Will+revenue+rise+next+year%3F",
    ready: (page) => page.getByText("Not answered").waitFor(),
  },
  "the home page": { path: "/", ready: (page) => page.getByText("First steps").first().waitFor() },
  "the first steps": { path: "/start", ready: (page) => page.getByText("Ask what breaks").waitFor() },
  "no page": NO_PAGE,
};

/** What is cut off, as a script of the page. */
const FIND_CUTS = `(() => {
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  const found = [];
  if (scrollWidth !== clientWidth) found.push("the page is " + scrollWidth + " wide");
  if (scrollHeight > clientHeight && scrollHeight < clientHeight + 3) found.push("the page scrolls by " + (scrollHeight - clientHeight)); 
  for (const table of document.querySelectorAll("main table")) {
    const { scrollWidth, clientWidth } = table.parentElement;
    if (scrollWidth > clientWidth) found.push("the table is " + scrollWidth + " wide in " + clientWidth);
  }
  for (const crumbs of document.querySelectorAll(".crumbs"))
    if (crumbs.lastElementChild.tagName === "svg") found.push("the breadcrumbs end in a separator");
  return found;
})()`;

/** One of each kind of page. */
const FEW = [
  "the login",
  "a search",
  "an asset",
  "a connector that is added",
  "a key that is made",
  "the lineage canvas",
  "what breaks",
  "a metric",
  "a question",
].map((name): [string, Look] => [name, LOOKS[name] as Look]);

describe.skipIf(!hasBrowser)("every page of the workspace", () => {
  let bench: UiBench;
  /** One page for each role. */
  const pages = new Map<Role, Awaited<ReturnType<UiBench["open"]>>>();
  let assetId: string;
  let metricId: string;
  let editedId: string;
  let connector: string;
  let invitation: string;
  beforeAll(async () => {
    bench = await startUi();
    const ask = createGraphqlClient(bench.running);
    const { data } = await ask(`{
      asset(fqn: "shop.marts.fct_orders") { id }
      metrics(search: "attributed_revenue", first: 1) { nodes { id } }
      connectors(first: 1) { nodes { id } }
    }`);
    await ask('mutation { createServiceAccount(input: { name: "airflow", role: engineer }) { clientId } }');
    const rule = `name: "alerts", channel: webhook, kinds: [certification_lapsed], url: "https://hooks.invalid/T0/B0"`;
    const { data: rules } = await ask(`mutation { createNoticeRule(input: { ${rule} }) { noticeRule { id } } }`);
    const ruleId = at(rules, "createNoticeRule", "noticeRule", "id");
    await ask("mutation ($id: ID!) { testNoticeRule(input: { id: $id }) { __typename } }", { id: ruleId });
    const input = { name: "refunds", kind: "simple", expression: "sum(refunded_eur)" };
    const define = "mutation ($input: DefineMetricInput!) { defineMetric(input: $input) { metric { id } } }";
    editedId = String(at((await ask(define, { input })).data, "defineMetric", "metric", "id"));
    await ask("mutation ($id: ID!) { certifyMetric(input: { id: $id }) { __typename } }", { id: editedId });
    assetId = String(at(data, "asset", "id"));
    metricId = String(at(data, "metrics", "nodes", 0, "id"));
    connector = `/connectors/${String(at(data, "connectors", "nodes", 0, "id"))}`;
    invitation = await bench.invitationToken("grace@example.com");
    for (const as of ["admin", "analyst"] as const) pages.set(as, await bench.open(NO_PAGE.path, { as }));
  });
  afterAll(() => bench?.close());

  const addressOf = ({ path }: Look) =>
    path
      .replace("ASSET", `/assets/${assetId}`)
      .replace("LINEAGE", `/lineage/${assetId}`)
      .replace("METRIC", `/metrics/${metricId}`)
      .replace("EDITED", `/metrics/${editedId}`)
      .replace("=ID", `=${assetId}`)
      .replace("CONNECTOR", connector)
      .replace("INVITATION", invitation);

  const open = async (look: Look, width: number) => {
    const { ready, as = "admin" } = look;
    const browser = { colorScheme: "light", viewport: { width, height: 844 } } as const;
    const opened = await bench.open(addressOf(look), { browser, as });
    await ready(opened.page);
    return opened;
  };

  /** Shows a look. If a person is logged in, the page goes there from another one, as by a link. */
  const goTo = async (look: Look) => {
    const { as = "admin", ready } = look;
    const opened = as === null ? undefined : pages.get(as);
    if (opened === undefined) return open(look, 1_280);
    const { page, faults } = opened;
    faults.length = 0;
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1_280, height: 844 });
    // The palette belongs to no page.
    await page.keyboard.press("Escape");
    await page.evaluate(`history.pushState(null, "", "${NO_PAGE.path}")`);
    await NO_PAGE.ready(page);
    await page.evaluate(`history.pushState(null, "", "${addressOf(look)}")`);
    await ready(page);
    return opened;
  };

  it.each(atDepth([], Object.entries(LOOKS)))(
    "The page has no accessibility fault in either theme, nor on a phone: %s",
    async (_name, look) => {
      const { page, faults } = await goTo(look);
      expect(await findAxeFaults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect({ axe: await findAxeFaults(page, "colours"), faults }).toEqual({ axe: [], faults: [] });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await findAxeFaults(page, "all but colours")).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    },
  );

  it.each(atDepth(FEW, Object.entries(LOOKS)))(
    "The page shows without an error in the browser's console, no width of the window cuts anything off, and it scrolls only if there is more to see: %s",
    async (_name, look) => {
      const { page, faults } = await goTo(look);
      for (const width of [390, 768, 1_280]) {
        await page.setViewportSize({ width, height: 844 });
        // What a page measures itself, such as a canvas, follows a change of the width a moment later.
        await expect.poll(() => page.evaluate<string[]>(FIND_CUTS), { message: `at ${width} pixels` }).toEqual([]);
      }
      expect(faults).toEqual([]);
    },
  );

  it("The pages load nothing from other origins, and load large parts such as editors only when needed", async () => {
    const { page } = await bench.open("/login");
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(`${bench.running.url}/catalog`);
    await page.getByText(/^\d+ assets$/).waitFor();
    expect(requested.filter((url) => new URL(url).origin !== bench.running.url)).toEqual([]);
    expect(requested.filter((url) => /asset-page|lineage-page|elk-worker/.test(url))).toEqual([]);
  });

  it("An open workspace subscribes once to what is unread, on whichever page", async () => {
    const { page } = await bench.open("/login");
    // What the first page still sends is not counted.
    await page.goto("about:blank");
    const subscribed: string[] = [];
    page.on("request", (request) => {
      if (request.postData()?.includes("subscription UnreadNotices")) subscribed.push(request.url());
    });
    await page.goto(`${bench.running.url}/catalog`);
    await page.getByText(/^\d+ assets$/).waitFor();
    await page.getByRole("link", { name: "Notices" }).click();
    await page.getByRole("heading", { name: "Notices" }).waitFor();
    await page.getByRole("link", { name: "Metrics" }).click();
    await page.getByRole("heading", { name: "Metrics" }).waitFor();
    await expect.poll(() => subscribed.length).toBe(1);
  });

  it.runIf(isFull)("The pages move nothing if the person prefers less motion", async () => {
    const { page } = await open(LOOKS["an asset that is edited"] as Look, 1_280);
    const duration = () => page.evaluate("getComputedStyle(document.querySelector('form button')).transitionDuration");
    expect(await duration()).toBe("0s");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await duration()).toBe("0.12s");
  });

  it.runIf(isFull)("The pages keep a chosen theme, and follow the system otherwise", async () => {
    const { page } = await open(LOOKS["the catalog"] as Look, 1_280);
    const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const light = await background();
    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await background()).toBe(dark);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    await page.getByRole("menuitemradio", { name: "As the system" }).click();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background()).toBe(light);
  });

  it.runIf(isFull)("On a phone, a button opens the navigation, and following a link closes it", async () => {
    const { page } = await open(LOOKS["an asset"] as Look, 390);
    await page.getByRole("button", { name: "Menu" }).click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    expect(await findAxeFaults(page)).toEqual([]);
    await menu.getByRole("link", { name: "Catalog" }).click();
    await menu.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Catalog" }).waitFor();
  });
});
