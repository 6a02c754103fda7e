import { readFile } from "node:fs/promises";

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { edgeOf, nodeOf as catalogNodeOf, stampOf } from "../../support/graph-writes.ts";
import { at } from "../../support/rest-client.ts";
import { findAxeFaults, isShown, startUi, type UiBench } from "../../support/ui.ts";

/** A node of the canvas, by its name. */
const nodeOf = (page: Page, name: string): Locator => page.getByRole("group", { name: new RegExp(`^${name},`) });
/** A node of the canvas, by the beginning of its text. */
const nodeWith = (page: Page, words: string): Locator => page.getByRole("group", { name: new RegExp(`^${words}\\b`) });
const canvasOf = (page: Page): Locator => page.getByRole("application", { name: /^Lineage/ });
/** Where each node of the canvas is on the screen, by its whole name. */
const placesOf = (page: Page) =>
  page.locator("[data-part=asset]").evaluateAll((nodes) =>
    nodes.map((node) => {
      const { x, y, right, bottom } = node.getBoundingClientRect();
      return { name: String(node.getAttribute("aria-label")).split(",")[0] ?? "", x, y, right, bottom };
    }),
  );
const isLit = (page: Page) => page.locator("g[data-line][class*=on]");
const waitUntilIdle = (page: Page) => page.locator("[data-busy]").waitFor({ state: "detached" });
/** The count of what is on the canvas, once two counts in a row are the same: the window moves there slowly. */
async function countAtRest(found: Locator): Promise<number> {
  let last = -1;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await found.count();
        return last > 0 && last === before;
      },
      { interval: 400 },
    )
    .toBe(true);
  return last;
}

describe.skipIf(!hasBrowser)("the lineage canvas in a browser", () => {
  let bench: UiBench;
  let asset: string;
  let orders: string;
  beforeAll(async () => {
    bench = await startUi();
    const { data } = await createGraphqlClient(bench.running)('{ asset(fqn: "shop.marts.fct_orders") { id } }');
    asset = String(at(data, "asset", "id"));
    orders = `/lineage/${asset}`;
  });
  afterAll(() => bench?.close());

  it("The canvas is one click away from an asset, and draws one hop each way within the page's policy", async () => {
    const { page, faults } = await bench.open(`/assets/${asset}?tab=lineage`);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.getByRole("link", { name: "Open as a picture" }).click();
    await page.getByRole("heading", { level: 1, name: "Lineage of fct_orders" }).waitFor();
    await nodeOf(page, "int_order_settlements").waitFor();
    await nodeOf(page, "orders_wide").waitFor();
    expect(requested.filter((path) => path.includes("elk-worker"))).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it("The canvas opens one hop at a time, and a link restores what is open, hidden and selected", async () => {
    const { page } = await bench.open(orders);
    await page.getByRole("button", { name: "Show 3 downstream" }).first().waitFor();
    await nodeOf(page, "fct_channel_days")
      .getByRole("button", { name: /downstream$/ })
      .click();
    await nodeOf(page, "Marketing cockpit").waitFor();
    await page.getByRole("button", { name: /^metric/, pressed: true }).click();
    await nodeOf(page, "Orders").waitFor({ state: "detached" });
    await nodeOf(page, "fct_channel_days").click();
    await page.getByRole("complementary", { name: "About fct_channel_days" }).waitFor();
    await waitUntilIdle(page);

    const { page: other } = await bench.open(page.url().slice(bench.running.url.length));
    await nodeOf(other, "fct_channel_days").waitFor();
    await waitUntilIdle(other);
    await other.getByRole("complementary", { name: "About fct_channel_days" }).waitFor();
    expect(await other.getByRole("button", { name: /^metric/ }).getAttribute("aria-pressed")).toBe("false");
    await other.getByRole("button", { name: "Fit into the window (F)" }).click();
    await nodeOf(other, "Marketing cockpit").waitFor();
    expect(await nodeOf(other, "Orders").count()).toBe(0);
  });

  it("The keys work on the canvas: arrows, Enter, C and F", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "fct_orders").waitFor();
    const canvas = canvasOf(page);
    await canvas.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("complementary", { name: "About fct_orders" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("complementary", { name: /^About int_/ }).waitFor();
    const described = await canvas.getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${described}"]`).getAttribute("aria-label")).toMatch(/^int_\w+, model/);
    await page.keyboard.press("f");
    const before = await countAtRest(page.locator(".react-flow__node"));
    const address = page.url();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href !== address);
    await waitUntilIdle(page);
    await page.keyboard.press("f");
    await expect.poll(() => page.locator(".react-flow__node").count()).toBeGreaterThan(before);
    await page.keyboard.press("Home");
    await page.keyboard.press("c");
    await nodeOf(page, "fct_orders")
      .getByRole("button", { name: /^net_revenue_eur/ })
      .waitFor();
    await page.getByLabel("Lineage of a column").selectOption("net_revenue_eur");
    await page.getByRole("status").getByText("Column net_revenue_eur of fct_orders.").waitFor();
    await canvas.focus();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: /^About/ }).waitFor({ state: "detached" });
  });

  it("The canvas shows columns on demand, and tells direct from indirect lines by more than colour", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "fct_orders").click();
    await page.getByRole("button", { name: "Show columns" }).click();
    const dashes = (kind: string) =>
      page.locator(`g[data-line="${kind}"] > path`).first().getAttribute("stroke-dasharray");
    await page.locator('g[data-line="DIRECT"]').first().waitFor({ state: "attached" });
    expect(await dashes("DIRECT")).not.toBe(await dashes("INDIRECT"));
    await page.getByText("column: decides which values (INDIRECT)").waitFor();
    await waitUntilIdle(page);
    await nodeOf(page, "fct_orders")
      .getByRole("button", { name: /^net_revenue_eur/ })
      .click();
    const about = page.getByRole("complementary", { name: "About net_revenue_eur" });
    expect(await about.innerText()).toMatch(/[1-9]\d* direct/);
  });

  it("The canvas shows what a chosen column comes from and goes to while the pointer is still on it", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "fct_orders").click();
    await page.getByRole("button", { name: "Show columns" }).click();
    await waitUntilIdle(page);
    const column = nodeOf(page, "fct_orders").getByRole("button", { name: /^net_revenue_eur/ });
    await column.click();
    await page.getByRole("complementary", { name: "About net_revenue_eur" }).waitFor();
    const lit = await countAtRest(isLit(page));
    expect(await page.locator("g[data-line][class*=on]:not([data-line=DIRECT], [data-line=INDIRECT])").count()).toBe(0);
    const faded = page.locator("g[data-line]:not([class*=on])").first();
    expect(Number(await faded.evaluate((line) => getComputedStyle(line).opacity))).toBeLessThan(0.3);
    await page.reload();
    await page.getByRole("complementary", { name: "About net_revenue_eur" }).waitFor();
    await expect.poll(() => isLit(page).count()).toBe(lit);
    await page.getByRole("link", { name: "Open its page" }).click();
    await page.getByRole("heading", { level: 1, name: "net_revenue_eur" }).waitFor();
    await page.goBack();
    await page.getByRole("complementary", { name: "About net_revenue_eur" }).waitFor();
    await expect.poll(() => isLit(page).count()).toBe(lit);
  });

  it.each([
    { width: 1280, height: 800 },
    { width: 768, height: 1024 },
    { width: 390, height: 844 },
  ])("The first window of $width pixels can be read, and says how many nodes are outside", async (viewport) => {
    const { page } = await bench.open(orders, { browser: { viewport } });
    await nodeOf(page, "fct_orders").waitFor();
    await waitUntilIdle(page);
    const sizes = await page
      .locator("[data-part=asset] *, [role=group][aria-label*=more] button")
      .evaluateAll((parts) => {
        const zoom = new DOMMatrix(
          getComputedStyle(document.querySelector(".react-flow__viewport") as Element).transform,
        ).a;
        return parts
          .filter((part) => [...part.childNodes].some((child) => child.nodeType === 3))
          .map((part) => Number.parseFloat(getComputedStyle(part).fontSize) * zoom);
      });
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10.99);
    const told = await page.getByRole("group", { name: "Outside of the window" }).getByRole("button").allInnerTexts();
    const { width = 0, x = 0 } = (await canvasOf(page).boundingBox()) ?? {};
    const inWindow = (await placesOf(page)).filter(
      ({ x: left, right }) => left + right > 2 * x && left + right < 2 * (x + width),
    );
    const outside = told.reduce((sum, text) => sum + Number(/\d+/.exec(text)?.[0]), 0);
    // 11 assets and the fold of the other neighbours.
    expect(inWindow.length + outside).toBeGreaterThanOrEqual(12);
    await page.context().close();
  });

  it("A narrow window says which types are hidden, though their buttons are folded away", async () => {
    const browser = { viewport: { width: 390, height: 844 } };
    const { page } = await bench.open(`${orders}?hide=model`, { browser });
    await page.getByText("Hidden types: model.").waitFor();
    await page.getByText("Depth, time and types (1 type hidden)").waitFor();
    expect(await page.getByRole("button", { name: /^model/ }).count()).toBe(0);
    await page.context().close();
  });

  it("The canvas moves to the nodes outside of a narrow window, and back", async () => {
    const browser = { viewport: { width: 390, height: 844 }, reducedMotion: "no-preference" } as const;
    const { page } = await bench.open(orders, { browser });
    await nodeOf(page, "fct_orders").waitFor();
    const outside = page.getByRole("group", { name: "Outside of the window" });
    await outside.getByRole("button", { name: /to the right$/ }).click();
    await expect
      .poll(async () => (await placesOf(page)).some(({ name, x }) => name === "fct_channel_days" && x < 200))
      .toBe(true);
    await outside.getByRole("button", { name: /to the left$/ }).click();
    await expect
      .poll(async () => (await placesOf(page)).some(({ name, x }) => name === "fct_orders" && x > 0))
      .toBe(true);
    await page.context().close();
  });

  it("The tools of the canvas cover no node", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "orders_wide").waitFor();
    const { y = 0, height = 0 } = (await canvasOf(page).boundingBox()) ?? {};
    for (const tool of [
      page.getByText("Legend"),
      page.getByRole("img", { name: /^Overview/ }),
      page.getByRole("button", { name: "Zoom in" }),
    ]) {
      expect((await tool.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
    }
  });

  it("Nodes keep their order in their column when a hop is opened", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "fct_channel_days").waitFor();
    await waitUntilIdle(page);
    const before = await placesOf(page);
    await nodeOf(page, "fct_support_tickets")
      .getByRole("button", { name: /upstream$/ })
      .click();
    await waitUntilIdle(page);
    await nodeOf(page, "fct_channel_days")
      .getByRole("button", { name: /downstream$/ })
      .click();
    await nodeOf(page, "Marketing cockpit").waitFor();
    await waitUntilIdle(page);
    const after = new Map((await placesOf(page)).map((place) => [place.name, place]));
    const x = Math.round(before.find(({ name }) => name === "fct_channel_days")?.x ?? 0);
    const kept = before.filter((place) => Math.round(place.x) === x && after.has(place.name));
    const now = kept.flatMap(({ name }) => after.get(name) ?? []);
    expect(now.length).toBeGreaterThan(4);
    const order = (places: typeof now) => places.toSorted((a, b) => a.y - b.y).map(({ name }) => name);
    expect(order(now)).toEqual(order(kept));
    expect(new Set(now.map((place) => Math.round(place.x))).size).toBe(1);
  });

  it("The canvas forgets what was under the pointer when that is hidden", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "orders_wide").hover();
    const dim = page.locator("[data-part=asset][class*=dim]");
    await expect.poll(() => dim.count()).toBeGreaterThan(0);
    // By the keyboard, so that the pointer stays where the node was.
    await page.getByRole("button", { name: /^model/ }).press("Enter");
    await nodeOf(page, "orders_wide").waitFor({ state: "detached" });
    await page.mouse.move(0, 0);
    await expect.poll(() => dim.count()).toBe(0);
  });

  it("The canvas shows all within some hops at once, and a link restores it", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "fct_orders").waitFor();
    await page.getByLabel("Show all within some hops").selectOption("Depth: 2 hops");
    await expect.poll(() => page.url()).toContain("up=2&down=2");
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "Fit into the window (F)" }).click();
    await nodeOf(page, "Marketing cockpit").waitFor();
    const count = await countAtRest(page.locator("[data-part=asset]"));
    expect(count).toBeGreaterThan(20);
    await page.reload();
    await nodeOf(page, "fct_orders").waitFor();
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "Fit into the window (F)" }).click();
    await expect.poll(() => page.locator("[data-part=asset]").count()).toBe(count);
  });

  it("The find box selects a node of the picture by the keyboard", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "orders_wide").waitFor();
    const box = page.getByRole("combobox", { name: "Find in the lineage" });
    await box.fill("settle");
    await page.getByRole("option", { name: /int_order_settlements in the picture/ }).waitFor();
    await box.press("Enter");
    await page.getByRole("complementary", { name: "About int_order_settlements" }).waitFor();
    expect(await box.inputValue()).toBe("");
  });

  it("The find box shows the path to an asset that is not in the picture, and a link restores it", async () => {
    const { page, faults } = await bench.open(orders);
    await nodeOf(page, "orders_wide").waitFor();
    await page.getByRole("combobox", { name: "Find in the lineage" }).fill("stg_stripe__refunds");
    await page.getByRole("option", { name: /stg_stripe__refunds show the path to it/ }).click();
    const path = page.getByRole("complementary", { name: "The path" });
    await path.getByText(/^3 hops/).waitFor();
    await waitUntilIdle(page);
    const steps = ["stg_stripe__refunds", "int_refunds_in_eur", "int_order_settlements", "fct_orders"];
    expect((await path.getByRole("listitem").allInnerTexts()).map((text) => text.split("\n")[0])).toEqual(steps);
    await expect.poll(() => isLit(page).count()).toBe(steps.length - 1);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.reload();
    await path.getByText(/^3 hops/).waitFor();
    await path.getByRole("button", { name: "Close" }).click();
    await nodeOf(page, "orders_wide").waitFor();
    expect(page.url()).not.toContain("to=");
    expect(faults).toEqual([]);
  });

  it("The find box says that no path leads to an asset, by its name, and leaves the root in sight", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "orders_wide").waitFor();
    await page.getByRole("combobox", { name: "Find in the lineage" }).fill("int_ad_spend_by_day");
    await page.getByRole("option", { name: /int_ad_spend_by_day show the path to it/ }).click();
    const path = page.getByRole("complementary", { name: "The path" });
    await path.getByText("No path of up to 10 hops leads from fct_orders to int_ad_spend_by_day").waitFor();
    await waitUntilIdle(page);
    const { x = 0, width = 0 } = (await canvasOf(page).boundingBox()) ?? {};
    const root = await nodeOf(page, "fct_orders").boundingBox();
    expect(root?.x).toBeGreaterThanOrEqual(x);
    expect((root?.x ?? 0) + (root?.width ?? 0)).toBeLessThanOrEqual(x + width);
    await path.getByRole("link", { name: "Lineage of int_ad_spend_by_day" }).click();
    await page.getByRole("heading", { level: 1, name: "Lineage of int_ad_spend_by_day" }).waitFor();
  });

  it("The find box lists the first assets of a schema, whose columns are in it too, and leads to all of them", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "orders_wide").waitFor();
    await page.getByRole("combobox", { name: "Find in the lineage" }).fill("schema:shop.marts");
    const options = page.getByRole("listbox").getByRole("option");
    await expect.poll(() => options.count()).toBe(8 + 1);
    await options.filter({ hasText: "More are found: see all in the catalog" }).click();
    await page.waitForURL(/\/catalog\?q=schema%3Ashop\.marts$/);
  });

  it("The find box reads dbt's selectors for one model, and names those that it does not read", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "fct_orders").waitFor();
    const box = page.getByRole("combobox", { name: "Find in the lineage" });
    await box.fill("@orders_wide");
    await page.getByText("@model is not read here.").waitFor();
    await box.fill("+no_such_model");
    await page.getByText("Nothing is found for no_such_model.").waitFor();
    await box.fill("+orders_wide+2");
    await page.getByRole("option", { name: /orders_wide up to 10 upstream, 2 downstream/ }).click();
    await page.getByRole("heading", { level: 1, name: "Lineage of orders_wide" }).waitFor();
    expect(page.url()).toMatch(/up=10&down=2/);
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "Fit into the window (F)" }).click();
    await nodeOf(page, "stg_stripe__refunds").waitFor();
  });

  it("The canvas of a change opens with the affected dashboards in sight", async () => {
    const ask = createGraphqlClient(bench.running);
    const { data } = await ask('{ asset(fqn: "shop.raw_stripe.refunds.amount") { id } }');
    const { page } = await bench.open(`/impact?id=${String(at(data, "asset", "id"))}&change=column_drop`);
    await page.getByRole("link", { name: "See on the canvas" }).click();
    await page.getByRole("complementary", { name: "What breaks" }).waitFor();
    await page.getByRole("application").waitFor();
    await waitUntilIdle(page);
    const dashboards = page.locator("[data-part=asset][aria-label*=', dashboard,']");
    await expect.poll(() => dashboards.count()).toBe(4);
    const { x = 0, y = 0, width = 0, height = 0 } = (await canvasOf(page).boundingBox()) ?? {};
    for (const box of await Promise.all((await dashboards.all()).map((each) => each.boundingBox()))) {
      expect([(box?.x ?? 0) >= x, (box?.x ?? 0) + (box?.width ?? 0) <= x + width]).toEqual([true, true]);
      expect([(box?.y ?? 0) >= y, (box?.y ?? 0) + (box?.height ?? 0) <= y + height]).toEqual([true, true]);
    }
  });

  it("The canvas highlights the way to the root, and says where a node is", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "orders_wide").click();
    await page.mouse.move(0, 0);
    const about = page.getByRole("complementary", { name: "About orders_wide" });
    await about.getByText("1 hop downstream").waitFor();
    await expect.poll(() => page.locator("g[data-line][class*=on]").count()).toBe(1);
    await about.getByRole("link", { name: "Lineage from here" }).click();
    await page.getByRole("heading", { level: 1, name: "Lineage of orders_wide" }).waitFor();
  });

  it("The canvas shows an overview, until a person switches it off for good", async () => {
    const { page, faults } = await bench.open(orders);
    const overview = page.getByRole("img", { name: "Overview of the picture" });
    await overview.waitFor();
    await nodeOf(page, "orders_wide").waitFor();
    const nodes = await page.locator("[data-part=asset]").count();
    await expect.poll(() => overview.locator("rect").count()).toBeGreaterThanOrEqual(nodes);
    const placeOf = () => nodeOf(page, "fct_orders").boundingBox();
    const before = await placeOf();
    const { x, y, width, height } = (await overview.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 30, y + height / 2 + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await placeOf())?.x).not.toBe(before?.x);
    await page.getByRole("button", { name: "Overview" }).click();
    await overview.waitFor({ state: "detached" });
    await page.reload();
    await nodeOf(page, "orders_wide").waitFor();
    expect(await overview.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("The canvas has a table with the same lineage, which can open the same hops", async () => {
    const { page } = await bench.open(orders);
    await page.getByRole("radio", { name: "Table" }).check();
    const rows = page.getByRole("table").getByRole("row");
    await page.getByRole("row", { name: /^orders_wide model 1 down deprecated fct_orders \(derives\)/ }).waitFor();
    const before = await rows.count();
    await page.getByRole("button", { name: /^\+\d+ downstream of fct_channel_days/ }).click();
    await page.getByRole("row", { name: /^Marketing cockpit dashboard 2 down/ }).waitFor();
    expect(await rows.count()).toBeGreaterThan(before);
    expect(page.url()).toContain("view=table");
    await page.getByRole("combobox", { name: "Find in the lineage" }).fill("Marketing cock");
    await page.getByRole("option", { name: /Marketing cockpit in the picture/ }).click();
    await expect.poll(() => page.locator("tr[aria-current]").innerText()).toMatch(/^Marketing cockpit/);
  });

  it("A metric leads to its lineage, and the lineage leads to the pages of its nodes", async () => {
    const { page } = await bench.open("/metrics?q=net_revenue");
    await page.getByRole("link", { name: "Net revenue", exact: true }).click();
    await page.getByRole("link", { name: "Lineage", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Lineage of Net revenue" }).waitFor();
    const place = page.getByRole("navigation", { name: "Where it is" });
    expect(await place.innerText()).toMatch(/^Metrics\s+Net revenue$/);
    await nodeOf(page, "Gross revenue").click();
    await page.getByRole("link", { name: "Open its page" }).click();
    await page.getByRole("heading", { level: 1, name: "Gross revenue" }).waitFor();
    await page.goBack();
    await page.getByRole("radio", { name: "Table" }).check();
    await page.getByRole("rowheader").getByRole("link", { name: "Refunded amount" }).click();
    await page.getByRole("heading", { level: 1, name: "Refunded amount" }).waitFor();
    await page.context().close();
  });

  it.each([
    ["SVG", /^<svg .*orders_wide.*<\/svg>$/s],
    ["PNG", /^.PNG/],
  ])("The canvas can be saved as %s", async (format, content) => {
    const { page, faults } = await bench.open(orders);
    await nodeOf(page, "orders_wide").waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: `As ${format}` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`lineage-of-fct-orders.${format.toLowerCase()}`);
    const saved = await readFile(await download.path(), "latin1");
    expect(saved).toMatch(content);
    expect(saved.length).toBeGreaterThan(5_000);
    expect(faults).toEqual([]);
  });

  it("The impact page leads to the canvas with the impact, and a link restores it", async () => {
    const { data } = await createGraphqlClient(bench.running)(
      '{ asset(fqn: "shop.marts.fct_orders.net_revenue_eur") { id } }',
    );
    const { page, faults } = await bench.open(`/impact?id=${String(at(data, "asset", "id"))}&change=column_drop`);
    await page.getByRole("link", { name: "See on the canvas" }).click();
    const breaks = page.getByRole("complementary", { name: "What breaks" });
    await breaks.getByRole("heading", { name: "If fct_orders.net_revenue_eur is dropped" }).waitFor();
    await page.locator("[data-part=asset][data-effect]").first().waitFor();
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "Fit into the window (F)" }).click();
    await nodeWith(page, "fct_orders, model, changed").waitFor();
    await nodeWith(page, "order_margins, model, high risk").waitFor();
    await nodeWith(page, "CRM sync, pipeline, medium risk").waitFor();
    // Unaffected nodes are not in this picture: three models that it is made from, and others that it feeds.
    expect(await nodeOf(page, "int_order_settlements").count()).toBe(0);
    const listed = await breaks.getByRole("listitem").count();
    expect(await page.locator("[data-part=asset]").count()).toBe(listed + 1);

    await breaks.getByRole("button", { name: /^column|customer_value/ }).click();
    const effect = page.getByRole("region", { name: "What the change does" });
    await effect.getByText("lifetime_margin_eur").first().waitFor();
    await effect.getByText(/^Evidence/).click();
    await effect.getByRole("link", { name: "order_margins.contribution_margin_eur" }).first().waitFor();
    await page.mouse.move(0, 0);
    await expect.poll(() => page.locator("g[data-line][class*=on][data-risk=high]").count()).toBe(2);
    expect(await findAxeFaults(page)).toEqual([]);

    const { page: other } = await bench.open(page.url().slice(bench.running.url.length));
    await other
      .getByRole("region", { name: "What the change does" })
      .getByText("lifetime_margin_eur")
      .first()
      .waitFor();
    await nodeWith(other, "customer_value, model, high risk").waitFor();
    expect(faults).toEqual([]);
  });

  it("A person asks on the canvas what a change would break, and the canvas dims everything else", async () => {
    const { page } = await bench.open(orders);
    const about = page.getByRole("complementary", { name: "About fct_channel_days" });
    await nodeOf(page, "fct_channel_days").click();
    await about.getByRole("button", { name: "What breaks if …" }).click();
    await page.getByRole("menuitem", { name: "Drop a column" }).click();
    const breaks = page.getByRole("complementary", { name: "What breaks" });
    await breaks.getByRole("heading", { name: "If a column of fct_channel_days is dropped" }).waitFor();
    await nodeWith(page, "fct_channel_days, model, changed").waitFor();
    await page.locator("[data-part=asset][data-effect]").first().waitFor();
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "Fit into the window (F)" }).click();
    await nodeWith(page, "Marketing cockpit, dashboard, high risk").waitFor();
    const isDim = (name: string) => nodeOf(page, name).evaluate((node) => node.className.includes("dim"));
    await nodeOf(page, "int_order_settlements").waitFor();
    await expect.poll(() => isDim("int_order_settlements")).toBe(true);
    await expect.poll(() => isDim("Marketing cockpit")).toBe(false);

    await breaks.getByLabel("Change").selectOption("Deprecate the model");
    await breaks.getByRole("heading", { name: "If fct_channel_days is deprecated" }).waitFor();
    await page.locator("[data-part=asset][data-effect=medium]").first().waitFor();
    expect(await page.locator("[data-part=asset][data-effect=high]").count()).toBe(0);

    await page.getByRole("radio", { name: "Table" }).check();
    await page.getByRole("row", { name: /^Attributed revenue metric 2 down medium risk/ }).waitFor();
    await page.getByRole("button", { name: "Without the change" }).click();
    await page.getByRole("row", { name: /^orders_wide model 1 down deprecated/ }).waitFor();
    expect(page.url()).not.toContain("change=");
  });

  it("The canvas says how much it draws while that takes time, and no longer when it is drawn", async () => {
    const { page, faults } = await bench.open("/catalog");
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/elk-worker*", async (route) => {
      await mayAnswer;
      await route.continue();
    });
    await page.goto(`${bench.running.url}${orders}`);
    const waiting = page.getByRole("status").filter({ hasText: /^Drawing \d+ assets …$/ });
    await waiting.waitFor();
    answer();
    await nodeOf(page, "orders_wide").waitFor();
    await waiting.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  it("After a type is hidden, all that is left is in the window", async () => {
    const { page } = await bench.open(orders);
    await nodeOf(page, "orders_wide").waitFor();
    for (let step = 0; step < 4; step++) await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("group", { name: "Outside of the window" }).getByRole("button").first().click();
    await page.getByRole("button", { name: /^model/ }).click();
    await nodeOf(page, "orders_wide").waitFor({ state: "detached" });
    await waitUntilIdle(page);
    await nodeOf(page, "fct_orders").waitFor();
    const outside = page.getByRole("group", { name: "Outside of the window" });
    await expect.poll(() => outside.count()).toBe(0);
  });

  it("The canvas says if its engine cannot be loaded, and offers to try again or the table", async () => {
    const { page, faults } = await bench.open("/catalog");
    const gone = "**/elk-worker*";
    await page.route(gone, (route) => route.fulfill({ status: 404, body: "{}" }));
    await page.goto(`${bench.running.url}${orders}`);
    await page.getByRole("heading", { name: "The picture could not be drawn" }).waitFor();
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "See it as a table" }).click();
    await page.getByRole("table").getByRole("link", { name: "orders_wide" }).waitFor();
    await page.getByRole("radio", { name: "Canvas" }).check();
    await page.unroute(gone);
    await page.getByRole("button", { name: "Try again" }).click();
    await nodeOf(page, "orders_wide").waitFor();
    expect(faults).toEqual([]);
  });

  it("The canvas of an unknown asset says in plain words that it does not exist", async () => {
    const { page } = await bench.open(`/lineage/${"0".repeat(32)}`);
    expect(await isShown(page.getByRole("heading", { level: 1, name: "There is no such asset" }))).toBe(true);
  });
});

describe.skipIf(!hasBrowser)("a hub on the lineage canvas", () => {
  const CONSUMERS = 150;
  let bench: UiBench;
  const EVENTS = ["deferred", "delivered", "dropped"];
  /** Names as long as those of dbt's packages usually are. */
  const USUAL = ["stg_hubspot__engagement", "int_hubspot__deals_enhanced"];
  let hub: string;
  let mail: string;
  beforeAll(async () => {
    bench = await startUi({});
    const { graph, metadata } = bench.running.app;
    const { id: workspace } = await getDefaultWorkspace(metadata);
    const stamp = stampOf(workspace, "warehouse", 1);
    const table = catalogNodeOf(workspace, "table", "shop.raw.hub");
    const names = Array.from({ length: CONSUMERS }, (_, place) => `m${String(place).padStart(3, "0")}`);
    const consumers = names.map((name) => catalogNodeOf(workspace, "model", `shop.marts.${name}`));
    await graph.writeNodes(stamp, "warehouse", [table, ...consumers]);
    await graph.writeEdges(
      stamp,
      "warehouse",
      consumers.map((model) => edgeOf(table, model, "derives")),
    );
    hub = `/lineage/${table.id}`;
    const source = catalogNodeOf(workspace, "table", "shop.raw.email_event");
    const long = EVENTS.map((event) => catalogNodeOf(workspace, "model", `shop.marts.hubspot__email_event_${event}`));
    const models = [...long, ...USUAL.map((name) => catalogNodeOf(workspace, "model", `shop.marts.${name}`))];
    await graph.writeNodes(stamp, "mail", [source, ...models]);
    await graph.writeEdges(
      stamp,
      "mail",
      models.map((model) => edgeOf(source, model, "derives")),
    );
    mail = `/lineage/${source.id}`;
  });
  afterAll(() => bench?.close());

  it("The canvas tells long names apart, and has the whole name on hover and for screen readers", async () => {
    const { page } = await bench.open(mail);
    for (const event of EVENTS) {
      const node = nodeOf(page, `hubspot__email_event_${event}`);
      await node.waitFor();
      expect(await node.innerText()).toContain(event);
      expect(await node.getByTitle(`shop.marts.hubspot__email_event_${event}`).count()).toBe(1);
      const tail = node.getByText(`_${event}`);
      expect(await tail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    }
  });

  it("The canvas shows names of a usual length whole", async () => {
    const { page } = await bench.open(mail);
    for (const name of USUAL) {
      const text = nodeOf(page, name).getByTitle(new RegExp(`${name}$`));
      await text.waitFor();
      expect((await text.textContent())?.replace("\n", "")).toBe(name);
      expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    }
  });

  it("A hub on the canvas folds its neighbours, and opens them page by page in a readable block", async () => {
    const { page } = await bench.open(hub);
    await page.getByRole("button", { name: "+ 142 more" }).click();
    await waitUntilIdle(page);
    await page.getByRole("button", { name: "Fit into the window (F)" }).click();
    await page.getByRole("button", { name: "+ 94 more" }).waitFor();
    await expect.poll(() => page.locator("[data-part=asset]").count()).toBe(57);
    const boxes = await page.locator("[data-part=asset]").evaluateAll((nodes) =>
      nodes.map((node) => {
        const { x, width } = node.getBoundingClientRect();
        return { x: Math.round(x), width };
      }),
    );
    // The hub, and the columns of the block. In one column, a node would be 30 pixels wide.
    expect(new Set(boxes.map(({ x }) => x)).size).toBe(5);
    expect(Math.min(...boxes.map(({ width }) => width))).toBeGreaterThan(100);
  });

  it("A person can search the folded neighbours of a hub, and add a result to the canvas", async () => {
    const { page, faults } = await bench.open(hub);
    await page.getByRole("button", { name: "Search what hub feeds" }).click();
    const panel = page.getByRole("complementary", { name: "Downstream of hub" });
    await panel.getByText("8 of 150 are in the picture.").waitFor();
    await panel.getByRole("searchbox").fill("m14");
    await panel.getByRole("checkbox", { name: "m147" }).check();
    await nodeOf(page, "m147").waitFor();
    await panel.getByText("9 of 150 are in the picture.").waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await panel.getByRole("checkbox", { name: "m147" }).uncheck();
    await nodeOf(page, "m147").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });
});
