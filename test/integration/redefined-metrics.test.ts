/** A pull request that changes what a metric counts: by its definition, by the rows of its model, or by what is read. */
import { describe, expect, it } from "vitest";

import { type Manifest, openCertifiedProject } from "../support/certified-project.ts";
import { at, moveModel, rewrite, SHOP, type ShopManifest } from "../support/edited-shop.ts";
import { present } from "../support/present.ts";

/** The shop, with a metric that counts the rows of its orders. */
async function openShop() {
  const shop = await openCertifiedProject(SHOP);
  const orders = await shop.findNode("shop.marts.fct_orders", "model");
  await shop.define({ name: "all_orders", expression: "count(*)", sources: [orders.id] });
  const assess = (edit: (manifest: ShopManifest) => void) =>
    shop.assess(shop.edit((manifest: Manifest) => edit(manifest as unknown as ShopManifest)));
  return { ...shop, assess };
}

const named = ({ name }: { name: string }): string => name;

describe("a pull request that changes what a metric counts", () => {
  it("A metric with another filter is computed otherwise, and its owner must be told", async () => {
    const { assess } = await openShop();
    const { rewritten, lineage } = await assess(({ metrics }) => {
      Object.assign(at(metrics, "metric.shop.refunded_amount"), { filter: null });
    });
    const own = present(rewritten.assets.find(({ name }) => name === "refunded_amount"));
    expect(own.owner).toBe("ines.moreau@example.com");
    const { difference, details } = present(lineage.nodes.find(({ node }) => node.id === own.id));
    expect(difference).toBe("changed");
    expect(details).toMatchObject([{ kind: "sql_changed", before: "refund__is_cancelled_order = false", after: "" }]);
  });

  it("Dashboards and metrics over a metric with another filter read other values", async () => {
    const { assess, define, list } = await openShop();
    const spend = present((await list("metric")).find(({ name }) => name === "return_on_ad_spend"));
    await define({ name: "spend_twice", expression: "return_on_ad_spend * 2", sources: [spend.id] });
    const { rewritten, affected } = await assess(({ metrics }) => {
      const filter = { where_filters: [{ where_sql_template: "1 = 0" }] };
      Object.assign(at(metrics, "metric.shop.return_on_ad_spend"), { filter });
    });
    expect(rewritten.assets.map(named)).toEqual(["return_on_ad_spend"]);
    expect(rewritten.readers.map(named)).toEqual(["Marketing cockpit", "spend_twice"]);
    expect(affected).toEqual([]);
  });

  it("A new dimension is a change of a metric, which is not computed otherwise", async () => {
    const { assess } = await openShop();
    const { rewritten, lineage } = await assess(({ semantic_models: models }) => {
      const { dimensions } = Object.values(models)[0] as unknown as { dimensions: object[] };
      const fresh = { name: "brand_new", type: "categorical", expr: "order_id", type_params: null };
      dimensions.push({ ...dimensions.at(-1), ...fresh });
    });
    expect(rewritten.assets).toEqual([]);
    expect(lineage.nodes.map(({ node }) => node.type)).toContain("metric");
  });

  it("Dimensions in another order are no change", async () => {
    const { assess } = await openShop();
    const { rewritten, lineage, lapses } = await assess(({ semantic_models: models }) => {
      for (const model of Object.values(models)) (model as unknown as { dimensions: object[] }).dimensions.reverse();
    });
    expect([rewritten.assets, lineage.nodes, lapses.metrics]).toEqual([[], [], []]);
  });

  it("A filter in another layout is no change", async () => {
    const { assess } = await openShop();
    const template = "{{ Dimension('refund__is_cancelled_order') }}   =\n  false";
    const { rewritten, lineage } = await assess(({ metrics }) => {
      const filter = { where_filters: [{ where_sql_template: template }] };
      Object.assign(at(metrics, "metric.shop.refunded_amount"), { filter });
    });
    expect({ assets: rewritten.assets, nodes: lineage.nodes }).toEqual({ assets: [], nodes: [] });
  });

  it("A metric that only counts the rows of a model reads other values if the model gets other rows", async () => {
    const { assess } = await openShop();
    const { rewritten } = await assess(({ nodes }) =>
      rewrite(at(nodes, "model.shop.fct_orders"), ["where not orders.is_cancelled", "where orders.is_cancelled"]),
    );
    expect(rewritten.readers.map(named)).toContain("all_orders");
  });

  it("A metric that only counts the rows of a model is at high risk if the model moves", async () => {
    const { assess } = await openShop();
    const { affected } = await assess((manifest) => moveModel(manifest, "fct_orders", "finance"));
    const counting = present(affected.find(({ impact }) => impact.name === "all_orders"));
    expect(counting).toMatchObject({ state: "affected", impact: { risk: "high" } });
  });

  it("A dashboard that no longer reads a model is told with its owner, and one that reads more is not", async () => {
    const { assess } = await openShop();
    const { rewritten, lineage } = await assess(({ exposures }) => {
      const read = (name: string) => at(exposures as NonNullable<Manifest["exposures"]>, `exposure.shop.${name}`);
      const { depends_on: trading } = read("trading_floor");
      trading.nodes = trading.nodes.filter((id) => id !== "model.shop.dim_products");
      read("crm_sync").depends_on.nodes.push("model.shop.dim_products");
    });
    expect(rewritten.assets).toMatchObject([{ name: "Trading floor", owner: "commerce-analytics@example.com" }]);
    expect(lineage.edges.map(({ difference, to }) => `${difference} ${to.fqn}`).toSorted()).toEqual([
      "added shop.crm_sync",
      "removed shop.trading_floor",
    ]);
  });
});
