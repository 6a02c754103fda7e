/** Settings › Notifications: adding a rule, its secret, tests and switching it off. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { openReceiver } from "../../support/notices.ts";
import { startUi, type UiBench } from "../../support/ui.ts";

describe.skipIf(!hasBrowser)("the settings of notifications", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi({ sample: true, env: { ALLOW_PRIVATE_SOURCES: "127.0.0.0/8" } });
  }, 60_000);
  afterAll(() => bench?.close());

  it("An admin adds a webhook, sees its secret once, sends a test, and switches it off", async () => {
    await using server = await openReceiver();
    const { page, faults } = await bench.open("/settings/notices");
    await page.getByText("No notifications yet").waitFor();
    await page.getByRole("button", { name: "New notification" }).click();
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
});
