import { expect, test } from "vitest";

import { crawlArtifacts, entries, manifest, MODEL } from "./project.ts";

const METRIC = { type: "simple", type_params: { measure: { name: "amount" } }, depends_on: { nodes: [] } };

test("An exposure that is a dashboard is powered by its inputs, and an application is a pipeline that they are exported to", async () => {
  const exposures = entries(
    {
      "exposure.shop.sales": {
        type: "dashboard",
        label: "Sales overview",
        url: "https://bi.example.com/1",
        owner: { name: "Ann", email: ["ann@example.com", "bob@example.com"] },
        depends_on: { nodes: ["model.shop.orders", "metric.shop.revenue"] },
        tags: "board",
      },
      "exposure.shop.notes": { type: "notebook", label: null, owner: { name: "Ann", email: null } },
      "exposure.shop.ads": {
        type: "application",
        owner: { email: "ads@example.com" },
        url: "javascript:alert(1)",
        depends_on: { nodes: ["model.shop.orders"] },
      },
      "exposure.shop.churn": {
        type: "ml",
        owner: null,
        depends_on: { nodes: ["metric.shop.revenue", "model.shop.gone"] },
      },
    },
    { ...MODEL, depends_on: { nodes: [] } },
  );
  const { assets, edges, errors } = await crawlArtifacts({
    manifest: manifest({
      exposures,
      nodes: entries({ "model.shop.orders": {} }),
      metrics: entries({ "metric.shop.revenue": METRIC }),
      semantic_models: entries({ "semantic_model.shop.o": { measures: [{ name: "amount", agg: "sum" }] } }),
    }),
  });
  expect([...assets.keys()].toSorted()).toEqual([
    "dashboard shop.notes",
    "dashboard shop.sales",
    "metric shop.revenue",
    "model wh.mart.orders",
    "pipeline shop.ads",
    "pipeline shop.churn",
  ]);
  expect(assets.get("dashboard shop.sales")).toMatchObject({
    name: "Sales overview",
    facts: { owner: "ann@example.com", url: "https://bi.example.com/1", tags: ["board"] },
  });
  expect(assets.get("dashboard shop.notes")?.facts).toMatchObject({ owner: "", ownerName: "Ann", url: null });
  expect(edges.filter((edge) => !edge.includes("defines"))).toEqual([
    "wh.mart.orders powers shop.sales",
    "shop.revenue powers shop.sales",
    "wh.mart.orders exports shop.ads",
    "shop.revenue exports shop.churn",
  ]);
  expect(assets.get("pipeline shop.ads")?.facts.url).toBeNull();
  expect(errors).toContainEqual(expect.objectContaining({ code: "invalid_url", object: "exposure.shop.ads" }));
  expect(errors.find(({ object }) => object === "exposure.shop.churn")?.message).toContain("model.shop.gone");
});
