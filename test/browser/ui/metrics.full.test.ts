import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasBrowser } from "../../support/browser.ts";
import { findAxeFaults, isShown, startUi, type UiBench } from "../../support/ui.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

describe.skipIf(!hasBrowser)("metrics in a browser", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi();
  });
  afterAll(() => bench?.close());

  it("Metrics are listed, searched and filtered by certification, and the address keeps all of it", async () => {
    const { page, faults } = await bench.open("/metrics");
    await page.getByText("15 metrics").waitFor();
    await page.getByText("Pending", { exact: true }).click();
    await page.getByText("2 metrics").waitFor();
    await page.getByRole("searchbox").fill("nothing like this");
    await page.getByText("No such metric").waitFor();
    expect(page.url()).toContain("certification=pending&q=nothing+like+this");
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.getByText("15 metrics").waitFor();
    expect(faults).toEqual([]);
  });

  it("The link to the metrics shows all of them again, without a search", async () => {
    const { page } = await bench.open("/metrics?q=net_revenue");
    await page.getByRole("link", { name: "Net revenue", exact: true }).waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("net_revenue");
    await page.getByRole("link", { name: "Metrics", exact: true }).click();
    await page.getByText("15 metrics").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("");
  });

  it("The page of a metric lists the checks that fail on what feeds it, and leads there", async () => {
    const { page, faults } = await bench.open("/metrics?q=net_revenue");
    await page.getByRole("link", { name: "Net revenue", exact: true }).click();
    const failing = section(page, "Failing checks");
    await failing.getByText("unique_fct_refunds_refund_id").waitFor();
    expect(await failing.getByRole("listitem").first().innerText()).toContain("2 hops upstream");
    await failing.getByRole("link", { name: "fct_refunds" }).click();
    await heading(page, "fct_refunds").waitFor();
    await page.getByText("this one").waitFor();

    await page.goto(`${bench.running.url}/metrics?q=ad_spend`);
    await page.getByRole("link", { name: "Ad spend", exact: true }).click();
    await section(page, "Failing checks").getByText("No check fails on it or on what feeds it").waitFor();
    expect(faults).toEqual([]);
  });

  it("A metric loses and gets a certification, with a reason that stays in the trail", async () => {
    const { page } = await bench.open("/metrics?q=net_revenue");
    await page.getByRole("link", { name: "Net revenue", exact: true }).click();
    await heading(page, "Net revenue").waitFor();
    await section(page, "What it stands on").getByRole("link", { name: "fct_refunds" }).waitFor();
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByLabel("Why", { exact: true }).fill("The refunds of March are being recounted.");
    await page.keyboard.press("Enter");
    const state = section(page, "Certification");
    await state.getByText("withdrew the certification").waitFor();
    await page.getByRole("button", { name: "Certify" }).click();
    await page.getByLabel("Why", { exact: true }).fill("Recounted with finance.");
    await page.keyboard.press("Enter");
    await state.getByText("“Recounted with finance.”").waitFor();
    const trail = section(page, "Trail of the certification").getByRole("listitem");
    expect(await trail.count()).toBe(3);
    expect(await trail.first().innerText()).toMatch(/certified it.*Recounted with finance\./s);
  });

  it("Only people with the right to certify can certify a metric", async () => {
    const { page } = await bench.open("/metrics", { as: "analyst" });
    await page.getByRole("link", { name: "Ad spend", exact: true }).click();
    await section(page, "Certification").getByText("Certified by").waitFor();
    expect(await page.getByRole("button", { name: "Withdraw" }).count()).toBe(0);
    await page.goto(`${bench.running.url}/metrics/new`);
    expect(await isShown(page.getByText("You may not define metrics"))).toBe(true);
    await page.goto(`${bench.running.url}/metrics/anything/edit`);
    expect(await isShown(page.getByText("You may not edit metrics"))).toBe(true);
  });

  it("A metric can be defined by hand, edited with a hint about its certification, and removed", async () => {
    const { page, faults } = await bench.open("/metrics/new");
    await page.getByLabel("Name", { exact: true }).fill("refunds_twice");
    await page.getByLabel("Name for people").fill("Refunds, twice");
    await page.getByLabel("Expression").fill("sum(refunded_eur)");
    await page.getByRole("combobox", { name: "Add a source" }).fill("refunded_eur");
    await page
      .getByRole("option", { name: /^column refunded_eur shop.finance.fct_refunds/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Remove .*fct_refunds.refunded_eur$/ }).waitFor();
    await page.getByRole("button", { name: "Define the metric" }).click();
    await heading(page, "Refunds, twice").waitFor();
    await section(page, "Certification").getByText("Nobody has certified it").waitFor();
    await section(page, "What it stands on").getByText("SUM(refunded_eur)").waitFor();
    await page.getByRole("button", { name: "Certify" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Certify" }).click();
    await section(page, "Certification").getByText("Certified by").waitFor();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("What it measures").fill("Each refund, counted twice.");
    await page.getByText("leaves certifications as they are").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    // Its history tells it too.
    await page.getByText("Each refund, counted twice.").first().waitFor();
    await section(page, "Certification").getByText("Certified by").waitFor();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("Expression").fill("avg(refunded_eur)");
    await page.getByText("You changed its expression.").waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. Its certification has lapsed.").waitFor();
    await section(page, "What it stands on").getByText("AVG(refunded_eur)").waitFor();
    await page.getByRole("button", { name: "Remove this metric" }).click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("Refunds, twice is removed.").waitFor();
    await page.getByText("15 metrics").waitFor();
    expect(faults).toEqual([]);
  });

  it("The form of a metric says what is wrong, and keeps what was typed", async () => {
    const { page } = await bench.open("/metrics/new");
    await page.getByLabel("Name", { exact: true }).fill("odd");
    await page.getByLabel("Expression").fill("   ");
    await page.getByRole("button", { name: "Define the metric" }).click();
    expect(await isShown(page.getByText("must not be blank").first())).toBe(true);
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("odd");
  });
});
