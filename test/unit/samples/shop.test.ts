import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { buildArtifacts } from "../../../samples/shop/generator/build-artifacts.ts";
import { readProject } from "../../../samples/shop/generator/read-project.ts";

const folder = join(import.meta.dirname, "../../../samples/shop");
const project = readProject(folder);
const artifacts = buildArtifacts(project);

const meta = z.looseObject({
  owner: z.string().optional(),
  certification: z.string().optional(),
  certified_by: z.email().optional(),
  certified_at: z.iso.datetime().optional(),
});
const columns = z.record(
  z.string(),
  z.object({ name: z.string(), description: z.string(), data_type: z.string(), tags: z.array(z.string()) }),
);
const relation = z.object({
  unique_id: z.string(),
  resource_type: z.string(),
  name: z.string(),
  schema: z.string(),
  columns,
  meta,
  tags: z.array(z.string()),
  group: z.string().nullish(),
  fqn: z.array(z.string()),
  compiled_code: z.string().optional(),
  loader: z.string().optional(),
});
const manifest = z
  .object({
    nodes: z.record(z.string(), relation),
    sources: z.record(z.string(), relation),
    exposures: z.record(
      z.string(),
      z.object({ type: z.string(), owner: z.object({ name: z.string(), email: z.string().nullable() }) }),
    ),
    metrics: z.record(z.string(), z.object({ type: z.string(), meta })),
    semantic_models: z.record(z.string(), z.unknown()),
    groups: z.record(z.string(), z.object({ owner: z.object({ name: z.string(), email: z.string().nullable() }) })),
    parent_map: z.record(z.string(), z.array(z.string())),
    child_map: z.record(z.string(), z.array(z.string())),
  })
  .parse(JSON.parse(artifacts["manifest.json"] ?? ""));

const catalogEntry = z.object({
  columns: z.record(z.string(), z.object({ name: z.string(), type: z.string(), index: z.number() })),
});
const catalog = z
  .object({ nodes: z.record(z.string(), catalogEntry), sources: z.record(z.string(), catalogEntry) })
  .parse(JSON.parse(artifacts["catalog.json"] ?? ""));

const ofType = (type: string) => Object.values(manifest.nodes).filter((node) => node.resource_type === type);
const models = ofType("model");
const sources = Object.values(manifest.sources);
const relations = [...models, ...ofType("seed"), ...ofType("snapshot"), ...sources];

/** The names of the models with a certification, in alphabetical order. */
function named(certification: string): string[] {
  return models
    .filter((model) => model.meta.certification === certification)
    .map(({ name }) => name)
    .toSorted();
}

/** The project with other SQL in one model. */
function withSql(sql: string): typeof project {
  const changed = project.models.map((model) =>
    model.properties.name === "dim_dates" ? Object.assign({}, model, { text: sql }) : model,
  );
  return { ...project, models: changed };
}

/** Fewest hops from the start to everything downstream of it. */
function distances(start: string): Map<string, number> {
  const found = new Map([[start, 0]]);
  for (const [id, hops] of found) {
    for (const child of manifest.child_map[id] ?? []) if (!found.has(child)) found.set(child, hops + 1);
  }
  return found;
}

describe("Files in the repository", () => {
  test.each(Object.keys(artifacts))("The file %s is what the generator writes", (name) => {
    expect(readFileSync(join(folder, name), "utf8") === artifacts[name], "run samples/shop/generate.ts").toBe(true);
  });

  test("The sample files are small enough to clone and read", () => {
    const bytes = Object.values(artifacts).reduce((sum, text) => sum + text.length, 0);
    expect(bytes).toBeLessThan(1_500_000);
  });
});

describe("The shop", () => {
  test("The sample shop has the size of a real warehouse", () => {
    expect(models).toHaveLength(51);
    expect(models.filter((model) => model.fqn[1] === "staging")).toHaveLength(19);
    expect(models.filter((model) => model.fqn[1] === "intermediate")).toHaveLength(13);
    expect(models.filter((model) => model.fqn[1] === "marts")).toHaveLength(19);
    expect(sources).toHaveLength(19);
    expect(ofType("seed")).toHaveLength(3);
    expect(ofType("snapshot")).toHaveLength(1);
    expect(ofType("test").length).toBeGreaterThan(20);
    expect(relations.flatMap(({ columns: all }) => Object.keys(all))).toHaveLength(612);
  });

  test("The sample shop is loaded by three tools from eight systems", () => {
    expect(new Set(sources.map((source) => source.loader))).toEqual(new Set(["Fivetran", "Airbyte", "Snowplow"]));
    expect(new Set(sources.map((source) => source.schema)).size).toBe(8);
  });

  test("The sample shop feeds dashboards, a notebook, an analysis and two exports", () => {
    const types = Object.values(manifest.exposures).map(({ type }) => type);
    const dashboards = ["dashboard", "dashboard", "dashboard", "dashboard"];
    expect(types.toSorted()).toEqual(["analysis", "application", ...dashboards, "ml", "notebook"]);
  });

  test("The sample shop has every type of metric except conversion, and all but two are certified", () => {
    const metrics = Object.values(manifest.metrics);
    expect(metrics).toHaveLength(15);
    expect(Object.keys(manifest.semantic_models)).toHaveLength(5);
    expect(new Set(metrics.map(({ type }) => type))).toEqual(new Set(["simple", "ratio", "derived", "cumulative"]));
    expect(metrics.filter((metric) => metric.meta.certification === "pending")).toHaveLength(2);
    const certified = metrics.filter((metric) => metric.meta.certification === "certified");
    expect(certified).toHaveLength(13);
    expect(certified.every(({ meta: { certified_by, certified_at } }) => certified_by && certified_at)).toBe(true);
  });

  test("The sample shop has certified, pending and deprecated models", () => {
    expect(named("certified").length).toBeGreaterThan(5);
    expect(named("pending")).toEqual(["customer_value", "fct_channel_days"]);
    expect(named("deprecated")).toEqual(["orders_wide"]);
  });

  test("The sample shop has an owner for every relation, two of them teams without an address", () => {
    const ownerOf = ({ meta: { owner }, group }: (typeof relations)[number]) => {
      const team = manifest.groups[`group.shop.${group}`]?.owner;
      return owner ?? team?.email ?? team?.name;
    };
    const owners = relations.map(ownerOf);
    expect(owners).not.toContain(undefined);
    expect(new Set(owners.filter((owner) => !owner?.endsWith("@example.com")))).toEqual(
      new Set(["Storefront team", "Warehouse crew"]),
    );
  });

  test("The sample shop tags personal, financial and daily data", () => {
    const tags = new Set(relations.flatMap((node) => node.tags));
    for (const tag of ["pii", "finance", "daily", "marketing"]) expect(tags).toContain(tag);
    const personal = relations.flatMap((node) => Object.values(node.columns).filter((c) => c.tags.includes("pii")));
    expect(personal.filter((column) => column.name === "email").length).toBeGreaterThan(3);
  });
});

describe("Consistency of the artifacts", () => {
  test("Every column of the sample shop has a description without Jinja", () => {
    const poor = relations.flatMap((node) =>
      Object.values(node.columns)
        .filter(({ description }) => !/^[A-Z].{4,}/.test(description) || /\{[{%]/.test(description))
        .map((column) => `${node.name}.${column.name}`),
    );
    expect(poor).toEqual([]);
  });

  test("The sample shop's catalog has the manifest's columns, with their types and in their order", () => {
    const entries = { ...catalog.nodes, ...catalog.sources };
    expect(Object.keys(entries)).toHaveLength(relations.length);
    for (const node of relations) {
      const documented = Object.values(node.columns).map(({ name, data_type }, position) => ({
        name,
        type: data_type,
        index: position + 1,
      }));
      expect(Object.values(entries[node.unique_id]?.columns ?? {})).toEqual(documented);
    }
  });

  test("The rows of every seed have its columns", () => {
    for (const { properties, text } of project.seeds) {
      const [header, ...rows] = text.trim().split("\n");
      expect(header).toBe(properties.columns.map(({ name }) => name).join(","));
      for (const row of rows) expect(row.split(",")).toHaveLength(properties.columns.length);
    }
  });

  test("The sample shop's compiled SQL contains no Jinja", () => {
    for (const { compiled_code } of models) expect(compiled_code).toMatch(/^(?:(?!\{[{%#]).)+$/s);
  });

  test("Every parent in the sample shop exists and knows its child", () => {
    for (const [id, parents] of Object.entries(manifest.parent_map)) {
      for (const parent of parents) expect(manifest.child_map[parent]).toContain(id);
    }
    expect(models.every((model) => manifest.parent_map[model.unique_id] !== undefined)).toBe(true);
  });
});

describe("Lineage of the shop", () => {
  test("The seed of exchange rates reaches every finance mart, the CRM and the churn model", () => {
    const reached = distances("seed.shop.fx_rates");
    for (const model of models.filter(({ schema }) => schema === "finance")) {
      expect(reached.keys()).toContain(model.unique_id);
    }
    expect(reached.keys()).toContain("exposure.shop.crm_sync");
    expect(reached.keys()).toContain("exposure.shop.churn_model");
  });

  test("A loader is six hops or more from the board's dashboard", () => {
    const orders = distances("source.shop.shopify.orders").get("exposure.shop.board_revenue");
    expect(1 + (orders ?? 0)).toBeGreaterThanOrEqual(6);
  });

  test("Net revenue depends on refunds, which are joined with charges again", () => {
    expect(distances("source.shop.stripe.refunds").keys()).toContain("metric.shop.net_revenue");
    expect(manifest.parent_map["model.shop.int_order_settlements"]).toEqual([
      "model.shop.int_charges_in_eur",
      "model.shop.int_refunds_in_eur",
    ]);
    expect(distances("model.shop.stg_stripe__charges").get("model.shop.int_order_settlements")).toBe(2);
  });

  test("The calendar is a hub, and a dashboard still reads the deprecated model", () => {
    expect(manifest.child_map["model.shop.dim_dates"]?.filter((id) => id.startsWith("model.")).length).toBe(5);
    expect(manifest.child_map["model.shop.orders_wide"]).toEqual(["exposure.shop.warehouse_screen"]);
  });
});

describe("Faults that the generator refuses", () => {
  test("The generator refuses a ref to an unknown model", () => {
    expect(() => buildArtifacts(withSql("select * from {{ ref('nowhere') }}"))).toThrow("nowhere");
  });

  test("The generator refuses unknown Jinja", () => {
    expect(() => buildArtifacts(withSql("select {{ now() }} as date_day"))).toThrow("Jinja");
  });

  test("The generator refuses a word that is not in the glossary", () => {
    const glossary = { ...project.glossary, text: "" };
    expect(() => buildArtifacts({ ...project, glossary })).toThrow("glossary");
  });
});
