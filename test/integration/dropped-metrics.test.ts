/** A pull request that drops or renames metrics and dashboards, which no model reads. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { toImpactJson } from "../../src/what-if/impact-json.ts";
import { toImpactMarkdown } from "../../src/what-if/impact-markdown.ts";
import { type Manifest, openCertifiedProject } from "../support/certified-project.ts";
import { at, SHOP } from "../support/edited-shop.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { present } from "../support/present.ts";

async function openShop() {
  const shop = await openCertifiedProject(SHOP);
  const spend = present((await shop.listMetrics()).find(({ name }) => name === "ad_spend"));
  await shop.define({ name: "spend_twice", expression: "ad_spend * 2", sources: [spend.id] });
  await shop.certifyAll();
  return shop;
}

function drop(...names: string[]): (manifest: Manifest) => void {
  return ({ metrics = {} }) => {
    for (const name of names) delete metrics[`metric.shop.${name}`];
  };
}

const dropSpend = drop("ad_spend", "return_on_ad_spend");

function renameSpend({ metrics = {}, exposures = {} }: Manifest): void {
  const metric = at(metrics, "metric.shop.return_on_ad_spend");
  delete metrics["metric.shop.return_on_ad_spend"];
  metrics["metric.shop.roas"] = { ...metric, name: "roas", unique_id: "metric.shop.roas" };
  const { depends_on: reads } = at(exposures, "exposure.shop.marketing_cockpit");
  reads.nodes = reads.nodes.map((id) => (id === "metric.shop.return_on_ad_spend" ? "metric.shop.roas" : id));
}

describe("a pull request that drops or renames metrics and dashboards", () => {
  it("A dropped metric is a change, and a metric that is computed from it is at high risk", async () => {
    const shop = await openShop();
    const report = await shop.assess(shop.edit(dropSpend));
    expect(report.changes).toMatchObject([
      { kind: "asset_dropped", changeType: "asset_drop", fqn: "shop.ad_spend" },
      { kind: "asset_dropped", changeType: "asset_drop", fqn: "shop.return_on_ad_spend" },
    ]);
    const affected = report.affected.filter(({ state }) => state === "affected");
    expect(affected).toMatchObject([
      { impact: { name: "Marketing cockpit", risk: "high" } },
      { impact: { name: "spend_twice", risk: "high" } },
    ]);
  });

  it("The check predicts the lapses of the sync after certified metrics are dropped", async () => {
    const shop = await openShop();
    const manifest = shop.edit(dropSpend);
    const { lapses } = await shop.assess(manifest);
    expect(lapses.metrics).toMatchObject([{ name: "spend_twice", certifiedBy: "ada@example.com" }]);
    const foreseen = await shop.check(manifest);
    expect(foreseen).toEqual({ spend_twice: expect.stringContaining("Metric `ad_spend` is gone") });
    expect(await shop.merge(manifest)).toEqual(foreseen);
  });

  it("A pull request that drops a certified metric fails, and names its owner and certifier", async () => {
    const shop = await openShop();
    const report = await shop.assess(shop.edit(drop("order_count", "average_order_value")));
    const { failed, changes } = toImpactJson(report, "high");
    expect(failed).toBe(true);
    expect(changes[0]).toMatchObject({
      fqn: "shop.order_count",
      certification: "certified",
      certified_by: "aylin.kaya@example.com",
      owner: "commerce-analytics@example.com",
    });
    const markdown = toImpactMarkdown(report, "high");
    expect(markdown).toMatch(/^### ❌ Fails: .*2 certified metrics are dropped or renamed/);
    expect(markdown).toContain(
      "certified metric `order_count` (`commerce-analytics@example.com`, certified by `aylin.kaya@example.com`)",
    );
    expect(markdown).toMatch(/Who must be told:\*\* .*`aylin\.kaya@example\.com` \(1 dropped or renamed\)/);
  });

  it("A dropped metric is told though another object of the same name cannot be read", async () => {
    const shop = await openShop();
    const report = await shop.assess(
      shop.edit((manifest) => {
        drop("return_on_ad_spend")(manifest);
        const exposure = at(manifest.exposures ?? {}, "exposure.shop.marketing_cockpit");
        const named = { name: "return_on_ad_spend", unique_id: "exposure.shop.return_on_ad_spend" };
        Object.assign(manifest.exposures ?? {}, { [named.unique_id]: { ...exposure, ...named } });
      }),
    );
    expect(report.changes).toMatchObject([{ kind: "asset_dropped", fqn: "shop.return_on_ad_spend" }]);
  });

  it("A metric that another connector still states is not dropped", async () => {
    const shop = await openShop();
    const crawl = await shop.add({ type: "dbt", name: "copy", options: { manifest: join(SHOP, "manifest.json") } });
    expect(await crawl()).toMatchObject({ status: "completed" });
    const report = await shop.assess(shop.edit(drop("return_on_ad_spend")));
    expect(report.changes).toEqual([]);
  });

  it("A manifest without the section of metrics drops none, and says that it could not read them", async () => {
    const shop = await openShop();
    const manifest = shop.edit((edited) => {
      delete edited.metrics;
      delete edited.semantic_models;
    });
    const report = await shop.assess(manifest);
    const { changes, lapses, lineage, rewritten, affected } = report;
    expect([changes, lapses.metrics, rewritten.assets, affected]).toEqual([[], [], [], []]);
    expect(lineage.nodes).toEqual([]);
    expect(toImpactMarkdown(report, "high")).toMatch(
      /^### ⚠ Passes as far as compared.*objects could not be read: `shop\./,
    );
    expect(toImpactMarkdown(await shop.assess(shop.edit((edited) => void (edited.metrics = {}))), "high")).toMatch(
      /^### ❌ Fails/,
    );
  });

  it.for([
    ["a manifest without semantic models", (edited: Manifest): void => void delete edited.semantic_models],
    [
      "a metric that cannot be read",
      ({ metrics = {} }: Manifest): void => void Object.assign(at(metrics, "metric.shop.ad_spend"), { type: "weird" }),
    ],
  ] as const)("Metrics over what is not known are not told as defined otherwise: %s", async ([, edit]) => {
    const shop = await openShop();
    const { changes, lapses, lineage, rewritten, uncompared } = await shop.assess(shop.edit(edit));
    expect([changes, lapses.metrics, rewritten.assets, lineage.nodes]).toEqual([[], [], [], []]);
    expect(uncompared).not.toEqual([]);
  });

  it("A metric that only semantic_manifest.json has is not dropped, and is told as not compared", async () => {
    const shop = await openShop();
    const folder = await makeTemporaryFolder();
    const semantic = JSON.parse(readFileSync(join(SHOP, "semantic_manifest.json"), "utf8"));
    const simple = semantic.metrics.find(({ type }: { type: string }) => type === "simple");
    semantic.metrics.push({ ...simple, name: "proxy_orders" });
    const [manifest, both] = [join(SHOP, "manifest.json"), join(folder, "semantic_manifest.json")];
    writeFileSync(both, JSON.stringify(semantic));
    const crawl = await shop.add({ type: "dbt", name: "both", options: { manifest, semantic_manifest: both } });
    expect(await crawl()).toMatchObject({ status: "completed" });
    const { changes, uncompared, lineage } = await shop.assess(
      shop.edit(() => {}),
      "both",
    );
    expect({ changes, nodes: lineage.nodes }).toEqual({ changes: [], nodes: [] });
    expect(uncompared).toContainEqual({
      object: "shop.proxy_orders",
      message: "Only semantic_manifest.json has it, which is not compared.",
      unread: null,
    });
  });

  it("A metric that comes with the definition of one that goes is told as a guess at a rename", async () => {
    const shop = await openShop();
    const report = await shop.assess(shop.edit(renameSpend));
    expect(report.changes).toMatchObject([
      { kind: "asset_moved", fqn: "shop.return_on_ad_spend", newName: "shop.roas", because: "the same definition" },
    ]);
    expect(report.affected).toMatchObject([{ state: "affected", impact: { name: "Marketing cockpit", risk: "high" } }]);
  });

  it("A dashboard that becomes a pipeline is no dropped dashboard", async () => {
    const shop = await openShop();
    const { changes, lineage, rewritten } = await shop.assess(
      shop.edit(({ exposures = {} }) => {
        Object.assign(at(exposures, "exposure.shop.trading_floor"), { type: "application" });
      }),
    );
    expect([changes, rewritten.assets, lineage.edges]).toEqual([[], [], []]);
    expect(lineage.nodes).toMatchObject([
      { difference: "changed", details: [{ kind: "type_changed", before: "dashboard", after: "pipeline" }] },
    ]);
  });

  it("A dropped dashboard passes though it is certified", async () => {
    const folder = await makeTemporaryFolder();
    const manifest = JSON.parse(readFileSync(join(SHOP, "manifest.json"), "utf8"));
    const floor = manifest.exposures["exposure.shop.trading_floor"];
    floor.meta = { ...floor.meta, certification: "certified", certified_by: "ada@example.com" };
    floor.config = { ...floor.config, meta: floor.meta };
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    const shop = await openCertifiedProject(folder);
    const report = await shop.assess(
      shop.edit(({ exposures = {} }) => void delete exposures["exposure.shop.trading_floor"]),
    );
    expect(report.changes).toMatchObject([{ fqn: "shop.trading_floor", certification: "certified" }]);
    expect(toImpactMarkdown(report, "high")).toMatch(/^### ✅ Passes/);
  });

  it("A dropped dashboard is a change that passes, and its owner is named", async () => {
    const shop = await openShop();
    const report = await shop.assess(
      shop.edit(({ exposures = {} }) => void delete exposures["exposure.shop.trading_floor"]),
    );
    expect(report.changes).toMatchObject([
      { kind: "asset_dropped", fqn: "shop.trading_floor", owner: "commerce-analytics@example.com" },
    ]);
    const markdown = toImpactMarkdown(report, "high");
    expect(markdown).toMatch(/^### ✅ Passes/);
    expect(markdown).toContain(
      "- **Dropped or renamed:** dashboard `Trading floor` (`commerce-analytics@example.com`)\n- **Who must be told:** `commerce-analytics@example.com` (1 dropped or renamed)",
    );
  });
});
