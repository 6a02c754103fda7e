/** What a window of 1280 by 720 pixels shows at first, and in which words. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { hasBrowser } from "../../support/browser.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";
import { asks, isShown, startUi, type UiBench } from "../../support/ui.ts";

const browser = { viewport: { width: 1280, height: 720 } } as const;

/** The distinct values of one side of the boxes. */
async function sides(all: Locator, side: "x" | "y"): Promise<number> {
  await all.first().waitFor();
  const boxes = await Promise.all((await all.all()).map((each) => each.boundingBox()));
  return new Set(boxes.map((box) => Math.round(box?.[side] ?? 0))).size;
}

describe.skipIf(!hasBrowser)("the workspace at first glance", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi();
  });
  afterAll(() => bench?.close());

  it("The first steps are in one line, and so are the filters of the changes", async () => {
    const { page } = await bench.open("/", { browser });
    const steps = page.getByRole("region", { name: "First steps" }).getByRole("listitem");
    expect(await sides(steps, "x")).toBe(1);
    await page.goto(`${bench.running.url}/changes`);
    expect(await sides(page.getByRole("search", { name: "Filters" }).locator("label"), "y")).toBe(1);
  });

  it("The legend explains the marks of certification that are in the picture, and no other", async () => {
    const { data } = await createGraphqlClient(bench.running)('{ asset(fqn: "shop.marts.fct_orders") { id } }');
    const { page } = await bench.open(`/lineage/${at(data, "asset", "id")}`, { browser });
    const legend = page.locator("details").filter({ hasText: "Legend" });
    for (const state of ["certified", "pending", "deprecated"]) {
      await page.locator(`[data-part=asset] [title=${state}]`).first().waitFor();
      expect(await legend.getByText(state, { exact: true }).locator("svg").count()).toBe(1);
    }
    expect(await legend.getByText("only referenced").count()).toBe(0);
  });

  it("Names between backticks are code in the notices and in the audit trail", async () => {
    const { metadata } = bench.running.app;
    const { id: workspaceId } = await getDefaultWorkspace(metadata);
    const event = { id: "aud_1", workspaceId, action: "certification_lapsed", actor: "shop", source: "192.0.2.1" };
    const details = JSON.stringify({ reason: "`fct_orders` has other SQL" });
    await metadata.copier.copyIn(workspaceId, "auditEvents", [
      { ...event, subject: "met_1", details, at: new Date().toISOString() },
    ]);
    const { page } = await bench.open("/settings/audit?action=certification_lapsed", { browser });
    expect(await isShown(page.locator("dd code", { hasText: /^fct_orders$/ }))).toBe(true);

    const told = { kind: "certification_lapsed", text: "`net_revenue` lapsed", path: "/metrics", note: "by `shop`" };
    await page.route("**/graphql", async (route) => {
      if (!asks("MyNotices")(route.request())) return route.fallback();
      const at1 = "2026-01-01T00:00:00.000Z";
      const notices = [{ id: "n1", createdAt: at1, eventsTotal: 1, events: [{ at: at1, risk: null, ...told }] }];
      return route.fulfill({ json: { data: { myNotices: { readUntil: null, notices } } } });
    });
    await page.goto(`${bench.running.url}/notices`);
    await page
      .getByRole("link")
      .locator("code", { hasText: /^net_revenue$/ })
      .waitFor();
    expect(await isShown(page.locator("main code", { hasText: /^shop$/ }))).toBe(true);
  });

  it("A form of a connector says beside the first field for a path which paths are permitted", async () => {
    const { page } = await bench.open("/connectors/new?type=dbt", { browser });
    const target = page.getByLabel("Target", { exact: true });
    const described = await target.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).innerText()).toContain("CONNECTOR_FOLDERS");
    await page.goto(`${bench.running.url}/connectors/new?type=airflow`);
    await page.getByLabel("URL (required)").waitFor();
    expect(await page.getByText("CONNECTOR_FOLDERS").count()).toBe(0);
  });
});
