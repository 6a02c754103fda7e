import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { isShown, startUi, type UiBench } from "../../support/ui.ts";

const card = (page: Page) => page.getByRole("article", { name: "Answer" });

describe.skipIf(!hasBrowser)("questions in a browser", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi();
  });
  afterAll(() => bench?.close());

  it("An answer shows how the question was read, and its citations lead to the assets", async () => {
    const { page, faults } = await bench.open("/ask");
    await page.getByLabel("Your question").fill("Which dashboards depend on fct_orders?");
    await page.keyboard.press("Enter");
    await card(page).getByText("Read as").waitFor();
    await card(page)
      .getByText(/\d+ % sure of the question/)
      .waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("Which dashboards depend on fct_orders?");
    await page.getByRole("region", { name: "Based on" }).getByRole("link", { name: "Board revenue report" }).click();
    await page.getByRole("heading", { level: 1, name: "Board revenue report" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("Questions are answered one after another: by Enter, by the button, by an example and after Back", async () => {
    const { page, faults } = await bench.open("/ask");
    const form = page.getByLabel("Your question");
    await form.fill("Who owns fct_orders?");
    await page.keyboard.press("Enter");
    await card(page).getByText("the owner of").waitFor();
    await form.fill("And what feeds it?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await card(page).getByText("upstream of fct_orders").first().waitFor();
    await page.getByText("Earlier in this conversation").waitFor();
    await page
      .getByRole("region", { name: "Examples" })
      .getByRole("button", { name: "Which dashboards have no owner?" })
      .click();
    await card(page).getByText("dashboards without an owner").first().waitFor();
    expect(await page.getByText("Earlier in this conversation").count()).toBe(0);
    await page.goBack();
    await card(page).getByText("upstream of fct_orders").first().waitFor();
    // The answer before it can be read again.
    await page.locator("details").getByText("the owner of").waitFor();
    expect(await card(page).count()).toBe(2);
    expect(faults).toEqual([]);
  });

  it("An answer leads to the page that shows more", async () => {
    const { page } = await bench.open("/ask?q=What+breaks+if+fct_orders+is+dropped%3F");
    await card(page).getByRole("link", { name: "See what breaks" }).click();
    await page.getByRole("heading", { level: 1, name: "What breaks" }).waitFor();
    expect(page.url()).toContain("change=asset_drop");
    await page.getByRole("radio", { name: "Drop the model", checked: true }).waitFor();
  });

  it("A declined question gives the reason, and cites nothing", async () => {
    const { page } = await bench.open("/ask?q=Will+revenue+rise+next+year%3F");
    await card(page).getByText("Not answered").waitFor();
    await card(page).getByText("The catalog does not know the future").waitFor();
    expect(await page.getByRole("region", { name: "Based on" }).count()).toBe(0);
  });

  it("The question page has examples, and the catalog can answer each of them", async () => {
    const { page } = await bench.open("/ask");
    const examples = page.getByRole("region", { name: "Examples" }).getByRole("button");
    await examples.first().waitFor();
    const questions = await examples.allInnerTexts();
    expect(questions.length).toBeGreaterThan(5);
    for (const question of questions) {
      await examples.getByText(question, { exact: true }).click();
      await card(page).getByText("Read as").waitFor();
      await page.goBack();
      await page.getByText("Ask about what the catalog knows").waitFor();
    }
  });

  it("A tab remembers its questions until a person clears them, and no other tab sees them", async () => {
    const { page } = await bench.open("/ask?q=Who+owns+fct_orders%3F");
    await card(page).waitFor();
    const asked = page.getByRole("region", { name: "Asked in this tab" });
    await page.reload();
    await asked.getByText("Who owns fct_orders?").waitFor();
    const other = await page.context().newPage();
    await other.goto(`${bench.running.url}/ask`);
    await other.getByRole("region", { name: "Examples" }).getByRole("button").first().waitFor();
    expect(await other.getByText("Asked in this tab").count()).toBe(0);
    await asked.getByRole("button", { name: "Forget these" }).click();
    await page.reload();
    await card(page).waitFor();
    expect(await asked.getByRole("listitem").count()).toBe(1);
  });

  it("The first steps lead to the most used asset, its lineage and what breaks", async () => {
    const { page, faults } = await bench.open("/start");
    await page.getByRole("link", { name: "fct_orders" }).waitFor();
    await page.getByRole("link", { name: "Open its lineage" }).click();
    await page.getByRole("heading", { level: 1, name: "fct_orders" }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "See what a dropped column breaks" }).click();
    expect(await isShown(page.getByRole("region", { name: "Dashboards" }))).toBe(true);
    expect(faults).toEqual([]);
  });
});
