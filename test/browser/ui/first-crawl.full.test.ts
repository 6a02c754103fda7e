import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadSample } from "../../../src/cli/start/sample.ts";
import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { hasBrowser } from "../../support/browser.ts";
import { isShown, startUi, type UiBench } from "../../support/ui.ts";

describe.skipIf(!hasBrowser)("the first sync in a browser", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi({});
  });
  afterAll(() => bench?.close());

  it("Only admins are led to the first sync, because only they may start it", async () => {
    const { page } = await bench.open("/start", { as: "engineer" });
    await page.getByText("An admin of this workspace can connect a source.").waitFor();
    await page.goto(`${bench.running.url}/catalog`);
    await page.getByText("An admin of this workspace can connect a source").waitFor();
    const { page: admin } = await bench.open("/catalog");
    await admin.getByRole("link", { name: "Add a connector" }).click();
    expect(await isShown(admin.getByText("What do you want to read?"))).toBe(true);
  });

  it("The first sync fills pages that were empty, without a reload", async () => {
    const { page } = await bench.open("/start");
    const before = Number(await page.evaluate("history.length"));
    const go = (name: string) => page.getByRole("link", { name, exact: true }).first().click();
    await page.getByText("The catalog is empty.").waitFor();
    await go("Ask");
    await page.getByText("The catalog is empty, so there is nothing to ask yet.").waitFor();
    await go("Metrics");
    await page.getByText("No metrics yet").waitFor();
    await go("What breaks");
    await go("A pull request");
    await page.getByText("No dbt project is connected").waitFor();

    const { app } = bench.running;
    await loadSample(app, await getDefaultWorkspace(app.metadata));
    await go("One change");
    await go("A pull request");
    await page.getByLabel("The new manifest.json").waitFor();
    await go("Metrics");
    await page.getByText("15 metrics").waitFor();
    await go("Ask");
    await page.getByRole("button", { name: /^What breaks if \w+ is dropped\?$/ }).waitFor();
    // Goes from each page to the next, and back to the first.
    await page.evaluate(`history.go(${before} - history.length)`);
    expect(await isShown(page.getByText("Three steps show what this workspace can tell you."))).toBe(true);
  });
});
