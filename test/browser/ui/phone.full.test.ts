/** What a phone shows of long names and long answers. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";
import { findAxeFaults, startUi, type UiBench } from "../../support/ui.ts";

const WIDTH = 390;
const LONG = "a_name_without_any_space_that_is_longer_than_the_whole_screen_of_a_phone";
const PHONES = [
  { viewport: { width: WIDTH, height: 844 }, colorScheme: "light" },
  { viewport: { width: WIDTH, height: 844 }, colorScheme: "dark" },
] as const;

const widthOf = (page: Page) => page.evaluate<number>("document.documentElement.scrollWidth");

describe.skipIf(!hasBrowser)("the workspace on a phone", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi();
    const ask = createGraphqlClient(bench.running);
    const inputs = {
      createApiKey: { name: LONG.slice(0, 64), scopes: ["read"] },
      invitePerson: { email: `${LONG.slice(0, 60)}@a-department-of-the-shop.example.com`, role: "analyst" },
      createServiceAccount: { name: LONG.slice(0, 60), role: "analyst" },
      createNoticeRule: { name: LONG, kinds: ["certification_lapsed"], channel: "bell", to: "" },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const { message } = await ask(`mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, { input });
      if (message !== "") throw new Error(`${name}: ${message}`);
    }
  });
  afterAll(() => bench?.close());

  it.each(["/settings/people", "/settings/api", "/settings/api?tab=accounts", "/settings/notices"])(
    "Every row's menu is within the screen, whatever the names: %s",
    async (path) => {
      const { page } = await bench.open(path, { browser: PHONES[0] });
      const menus = page.locator("main").getByRole("button", { name: /^(What to do with|Cancel the invitation of)/ });
      await menus.first().waitFor();
      expect(await widthOf(page)).toBeLessThanOrEqual(WIDTH);
      for (const menu of await menus.all()) {
        const box = await menu.boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= WIDTH).toBe(true);
      }
      await page
        .locator("main")
        .getByRole("button", { name: /^What to do with/ })
        .last()
        .click();
      await page.getByRole("menuitem").first().waitFor();
      const item = await page.getByRole("menuitem").first().boundingBox();
      expect(item && item.x >= 0 && item.x + item.width <= WIDTH).toBe(true);
    },
  );

  it("Escape in the menu gives the focus back to its button", async () => {
    const { page } = await bench.open("/catalog", { browser: PHONES[0] });
    const button = page.getByRole("button", { name: "Menu" });
    await button.press("Enter");
    const menu = page.getByRole("dialog", { name: "Menu" });
    await menu.waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    expect(await button.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  it("The change and all of whom to tell are within the screen, and the canvas of an impact can be read", async () => {
    const { data } = await createGraphqlClient(bench.running)('{ asset(fqn: "shop.marts.fct_orders") { id } }');
    const { page } = await bench.open(`/impact?id=${at(data, "asset", "id")}`, { browser: PHONES[0] });
    const owners = page.getByRole("region", { name: "Who must be told" });
    await owners.getByRole("button").first().waitFor();
    const parts = [
      ...(await page.locator("main label:has(input)").all()).slice(0, 5),
      ...(await owners.getByRole("link").all()),
    ];
    expect(parts.length).toBeGreaterThan(8);
    for (const part of parts) {
      const box = await part.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= WIDTH).toBe(true);
    }
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "See on the canvas" }).click();
    await page.getByRole("complementary", { name: "What breaks" }).waitFor();
    const canvas = await page.locator(".react-flow").boundingBox();
    expect(canvas?.height).toBeGreaterThan(300);
    expect(await widthOf(page)).toBeLessThanOrEqual(WIDTH);
  });

  it.each(PHONES)("All settings are in sight in the $colorScheme theme", async (browser) => {
    const { page } = await bench.open("/settings/people", { browser });
    const box = await page.getByRole("link", { name: "Your account" }).boundingBox();
    expect(box && box.x + box.width <= WIDTH).toBe(true);
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it.each(PHONES)(
    "An answer stands beside its mark, and nothing of it is cut in the $colorScheme theme",
    async (browser) => {
      const { page } = await bench.open("/ask", { browser });
      await page.getByRole("textbox").first().fill("Which dashboards depend on orders_wide, and who owns them?");
      await page.keyboard.press("Enter");
      const read = page.getByText(/^Read as/);
      await read.waitFor();
      const [text, card] = [await read.boundingBox(), await page.locator("article").first().boundingBox()];
      expect(text && card && text.y - card.y < 40).toBe(true);
      expect(await widthOf(page)).toBeLessThanOrEqual(WIDTH);
      expect(await findAxeFaults(page)).toEqual([]);
    },
  );
});
