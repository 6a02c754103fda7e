/** Settings › Notifications: adding a rule, its secret, tests and switching it off. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { openReceiver } from "../../support/notices.ts";
import { findAxeFaults, startUi, type UiBench } from "../../support/ui.ts";

describe.skipIf(!hasBrowser)("the settings of notifications", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi({ sample: true, env: { ALLOW_PRIVATE_SOURCES: "127.0.0.0/8" } });
  });
  afterAll(() => bench?.close());

  it("An admin adds a webhook, sees its secret once, sends a test, and switches it off", async () => {
    await using server = await openReceiver();
    const { page, faults } = await bench.open("/settings/notices");
    await page.getByRole("button", { name: "New notification", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("alerts");
    await page.getByLabel("Address").fill("https://10.0.0.1/hook");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByText("is at a private address").waitFor();
    await page.getByLabel("Address").fill(`${server.url}/hook`);
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole("button", { name: "I have stored it" }).click();
    const rule = page.getByRole("region", { name: "alerts" });
    expect(await rule.textContent()).not.toContain("whsec_");
    await rule.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("The test of alerts arrived.").waitFor();
    await rule.getByRole("button", { name: "Show what it sent" }).click();
    await rule.getByRole("row", { name: /A test delivered Status 204/ }).waitFor();
    server.receiver.answer = (_request, response) => response.writeHead(500).end("<b>no</b>");
    await rule.getByRole("button", { name: "Send a test" }).click();
    await rule.getByRole("row", { name: /A test failed Status 500: <b>no<\/b>/ }).waitFor();
    await rule.getByRole("button", { name: "What to do with alerts" }).click();
    await page.getByRole("menuitem", { name: "Switch off" }).click();
    await page.getByRole("button", { name: "Switch it off" }).click();
    await rule.getByText("off", { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it.each([
    ["light", 1440],
    ["dark", 390],
  ] as const)(
    "In the %s theme at %s px, a rule can ask for failing checks and missed schedules",
    async (theme, width) => {
      await using server = await openReceiver();
      const browser = { viewport: { width, height: 900 }, colorScheme: theme };
      const { page, faults } = await bench.open("/settings/notices", { browser });
      await page.getByRole("button", { name: "New notification", exact: true }).click();
      await page.getByLabel("Name", { exact: true }).fill(`checks ${width}`);
      await page.getByLabel("Address").fill(server.url);
      for (const usual of ["A certification lapses", "A sync fails", "A connector works again"])
        await page.getByLabel(usual, { exact: true }).uncheck();
      await page.getByText("When something changes in the catalog").click();
      for (const kind of ["check failed", "schedule missed"]) await page.getByLabel(`Change: ${kind}`).check();
      if (process.env["SHOTS"])
        await page.getByRole("dialog").screenshot({ path: `${process.env["SHOTS"]}/rule-dialog-${width}.png` });
      expect(await findAxeFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Add it" }).click();
      await page.getByRole("button", { name: "I have stored it" }).click();
      const rule = page.getByRole("region", { name: `checks ${width}` });
      expect(await rule.innerText()).toMatch(/check failed.*schedule missed/s);
      expect(faults).toEqual([]);
    },
  );

  it("A rule about an asset and what is upstream is made by the asset's name, and says the name", async () => {
    const { page, faults } = await bench.open("/settings/notices");
    await page.getByRole("button", { name: "New notification to me" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("orders");
    await dialog.getByLabel("Send to").selectOption("Notices in the workspace");
    await dialog.getByLabel("About").selectOption("An asset and what is upstream");
    await dialog.getByText("Chosen: nothing yet").waitFor();
    await dialog.getByRole("button", { name: "Add it" }).click();
    await dialog
      .getByRole("group", { name: "The asset or metric" })
      .getByText(/say which one/)
      .waitFor();
    await dialog.getByRole("combobox", { name: "The asset or metric" }).fill("fct_orders");
    await page
      .getByRole("option", { name: /^model fct_orders/ })
      .first()
      .click();
    await dialog.getByText("Chosen: fct_orders").waitFor();
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/rule-about.png` });
    expect(await findAxeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add it" }).click();
    await page.getByText("An asset and what is upstream: fct_orders").waitFor();
    await page.getByRole("button", { name: "New notification to me" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("shop");
    await dialog.getByLabel("Send to").selectOption("Notices in the workspace");
    await dialog.getByLabel("About").selectOption("A connector");
    const connector = dialog.getByLabel("The connector");
    expect(await connector.inputValue()).toBe("");
    await connector.selectOption("shop");
    await dialog.getByRole("button", { name: "Add it" }).click();
    await page.getByText("A connector: shop").waitFor();
    expect(faults).toEqual([]);
  });
});
