import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";
import { ADMIN, findAxeFaults, isShown, startUi, type UiBench } from "../../support/ui.ts";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

describe.skipIf(!hasBrowser)("the home page in a browser", () => {
  let bench: UiBench;
  let id: string;
  beforeAll(async () => {
    bench = await startUi();
    const ask = createGraphqlClient(bench.running);
    id = String(at((await ask('{ asset(fqn: "shop.marts.fct_orders") { id } }')).data, "asset", "id"));
    const edit =
      'mutation ($id: ID!, $owner: String) { updateAsset(input: { id: $id, owner: $owner, description: "" }) { __typename } }';
    const { message } = await ask(edit, { id, owner: ADMIN.email });
    if (message !== "") throw new Error(message);
  });
  afterAll(() => bench?.close());

  it("The first steps are shown until a person has taken all of them, and what was opened is listed", async () => {
    const { page, faults } = await bench.open("/", { as: "engineer" });
    await page.getByRole("heading", { name: "Ask what breaks" }).waitFor();
    for (const path of [`/assets/${id}`, `/lineage/${id}`]) {
      const noted = page.waitForResponse((response) => response.request().postData()?.includes("NoteSeen") ?? false);
      await page.goto(`${bench.running.url}${path}`);
      await noted;
    }
    await page.goto(bench.running.url);
    await region(page, "Recently seen").getByRole("link", { name: "fct_orders" }).waitFor();
    await page.getByText("done", { exact: true }).nth(1).waitFor();
    const noted = page.waitForResponse((response) => response.request().postData()?.includes("NoteSeen") ?? false);
    await page.goto(`${bench.running.url}/impact?id=${id}`);
    await noted;
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("link", { name: "First steps" }).waitFor();
    expect(await page.getByRole("heading", { name: "Ask what breaks" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("An owner sees which asset lacks a description, and the link lists all of them", async () => {
    const { page } = await bench.open("/");
    const mine = region(page, "Your assets without a description");
    await mine.getByRole("link", { name: "fct_orders" }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await mine.getByRole("link", { name: "Show all" }).click();
    await region(page, "Assets").getByText("1 asset", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^without a description/ }).waitFor();
    await page.getByRole("button", { name: new RegExp(`^responsible ${ADMIN.name}`) }).click();
    await region(page, "Assets")
      .getByText(/^\d+ assets$/)
      .waitFor();
  });

  it("A favourite is marked on its page, is on the home page, and can be taken away", async () => {
    const { page } = await bench.open(`/assets/${id}`);
    await page.getByRole("button", { name: "Add to the favourites" }).click();
    const marked = page.getByRole("button", { name: "Remove from the favourites" });
    await marked.waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    await region(page, "Favourites").getByRole("link", { name: "fct_orders" }).click();
    await marked.click();
    await page.getByRole("button", { name: "Add to the favourites" }).waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    await region(page, "Recently seen").waitFor();
    await region(page, "Favourites").waitFor({ state: "detached" });
    expect(await isShown(region(page, "Recently seen"))).toBe(true);
  });

  it("A saved search is on the home page and leads to the same list, and the pages of tags and schemas list assets", async () => {
    const { page, faults } = await bench.open("/catalog?q=fct_orders+type:model");
    await page.getByRole("button", { name: "Save this search" }).click();
    await page.getByLabel("Name").fill("The orders");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: "Home" }).click();
    await region(page, "Saved searches").getByRole("link", { name: "The orders" }).click();
    await region(page, "Assets").getByRole("link", { name: "fct_orders", exact: true }).waitFor();
    await page.goto(`${bench.running.url}/tags/finance`);
    await region(page, "Assets").getByRole("listitem").first().waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.goto(`${bench.running.url}/owners/${encodeURIComponent(ADMIN.email)}`);
    await page.getByRole("link", { name: "fct_orders", exact: true }).waitFor();
    await page.goto(`${bench.running.url}/browse`);
    const schema = page.getByRole("link", { name: /^marts \d/ });
    await schema.waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: /^postgres \d/ }).press("Enter");
    await schema.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: /^postgres \d/, expanded: false }).press("Enter");
    await page.getByRole("button", { name: /^shop \d/, expanded: false }).press("Enter");
    await page.reload();
    const counted = /\d+/.exec(await schema.innerText())?.[0];
    await schema.click();
    await page.getByRole("link", { name: "fct_orders", exact: true }).waitFor();
    await page.getByText(`${counted} assets`).waitFor();
    expect(faults).toEqual([]);
  });
});
