/** Hostile manifests: each fault is named, and the rest of the manifest is loaded. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openDbtCrawl } from "../../support/dbt-crawl.ts";
import { makeTemporaryFolder } from "../../support/metadata-store.ts";
import { entries, manifest } from "../../unit/connectors/dbt/project.ts";

type Json = Record<string, unknown>;

async function load(sections: Json | string) {
  const folder = await makeTemporaryFolder();
  const text = typeof sections === "string" ? sections : JSON.stringify(manifest(sections));
  writeFileSync(join(folder, "manifest.json"), text);
  const crawled = await openDbtCrawl(folder, ["manifest"]);
  const outcome = await crawled.crawl();
  const faults = outcome.errors.map(({ code, object }) => `${code} ${object}`);
  const models = (await crawled.list("model")).map(({ name }) => name);
  return { ...crawled, outcome, faults, models };
}

const beside = (members: Record<string, Json>) => ({ nodes: entries({ "model.shop.good": {}, ...members }) });
const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i}`);
const dependingOn = (...names: string[]) => ({ depends_on: { nodes: names.map((name) => `model.shop.${name}`) } });
const documented = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { name }]));

describe("a hostile model", () => {
  it.each<[string, string, Json]>([
    ["of twenty megabytes of meta", "oversized_node model.shop.bad", { meta: { a: "x".repeat(20_000_000) } }],
    ["of a name of ten megabytes", "invalid_name wh.mart.", { name: "x".repeat(10_000_000) }],
    ["with NUL in its name", "invalid_name model.shop.bad", { name: "a\0b" }],
    ["with half a character in its name", "invalid_name model.shop.bad", { name: "a\ud800" }],
    ["of numbers where text is due", "malformed_node model.shop.bad", { name: 7, description: 9 }],
    ["that is a list", "malformed_node model.shop.bad", { columns: [[]], config: 3 }],
  ])("A hostile model %s is left out", async (_, fault, bad) => {
    const { outcome, faults, models } = await load(beside({ "model.shop.bad": bad }));
    expect(outcome).toMatchObject({ status: "completed", errorsTotal: 1 });
    expect(faults[0]).toContain(fault);
    expect(models).toEqual(["good"]);
  });

  it("A model with too much text is cut, and the lineage of cut SQL is unknown", async () => {
    const bad = {
      compiled_code: `select 1 as a -- ${"x".repeat(2_000_000)}`,
      tags: many(2_000),
      description: "d".repeat(200_000),
      columns: documented(many(10_500)),
      meta: { deep: JSON.parse(`${"[".repeat(50)}${"]".repeat(50)}`) as unknown },
    };
    const { outcome, faults, findNode } = await load(beside({ "model.shop.bad": bad }));
    expect(outcome.status).toBe("completed");
    expect(outcome.read).toBe(0);
    expect(faults.toSorted()).toEqual([
      "description_too_long wh.mart.bad",
      "meta_too_long wh.mart.bad",
      "sql_too_long wh.mart.bad",
      "too_many wh.mart.bad",
      "too_many wh.mart.bad",
    ]);
    const node = await findNode("wh.mart.bad", "model");
    expect(node.sql).toMatch(/\n-- cut: [\d,]+ more characters$/);
    expect(node.columnLineage).toEqual({ status: "unknown", reason: "the SQL has more than 1048576 characters" });
    expect(node.tags).toHaveLength(1_000);
    expect(node.meta).toEqual({});
  });

  it("A model with names of Object members in its id, columns and meta pollutes no prototype", async () => {
    const text = JSON.stringify(manifest(beside({ "model.shop.constructor": { columns: documented(["toString"]) } })));
    const meta = `"meta":{"__proto__":{"polluted":1},"constructor":{"prototype":2}},"name":"constructor"`;
    const { outcome, findNode, list } = await load(text.replace('"name":"constructor"', meta));
    expect(outcome).toMatchObject({ status: "completed", errorsTotal: 0 });
    const { meta: kept } = await findNode("wh.mart.constructor", "model");
    expect(Object.entries(kept)).toEqual([["constructor", { prototype: 2 }]]);
    expect(kept).not.toHaveProperty("polluted");
    expect((await list("column")).map(({ name }) => name)).toEqual(["toString"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("A model that filters every column by every column has bounded lineage, and its columns say what is missing", async () => {
    const names = many(400);
    const bad = { compiled_code: `select * from wh.mart.good where ${names.join(" + ")} > 0`, ...dependingOn("good") };
    const sections = beside({ "model.shop.good": { columns: documented(names) }, "model.shop.bad": bad });
    const { outcome, findNode, sourcesOf } = await load(sections);
    expect(outcome).toMatchObject({ status: "completed", errorsTotal: 0 });
    const column = await findNode("wh.mart.bad.c7", "column");
    expect(column.columnLineage).toMatchObject({ status: "partial", reason: expect.stringContaining("50000 ways") });
    expect(await sourcesOf(column)).toEqual(["wh.mart.good.c7 IDENTITY c7"]);
  });

  it("A model that depends on itself, on unknown models, and twice on the same is loaded", async () => {
    const { outcome, models } = await load(beside({ "model.shop.bad": dependingOn("bad", "good", "good", "gone") }));
    expect(outcome.errors).toMatchObject([{ code: "missing_reference", object: "model.shop.bad" }]);
    expect(models).toEqual(["bad", "good"]);
  });
});

describe("a hostile manifest", () => {
  const whole = JSON.stringify(manifest(beside({})));

  it.each<[string, string]>([
    ["that is one giant text", `"${"x".repeat(20_000_000)}"`],
    ["that is one giant number", "1".repeat(20_000_000)],
    ["that was cut off", whole.slice(0, -20)],
    ["that is compressed", "\u001f\u008b\u0008\u0000\u0000"],
    ["that is nested without end", `{"nodes":{"model.shop.deep":${"[".repeat(300_000)}`],
  ])("A manifest %s fails the sync, which says why", async (_, text) => {
    const { outcome } = await load(text);
    expect(outcome).toMatchObject({ status: "failed", errorsTotal: 1, assetsDiscovered: 0 });
    expect(outcome.errors[0]).toMatchObject({ code: "malformed_json" });
  });

  it("A manifest that states one model twice shows the first", async () => {
    const { outcome, faults } = await load(whole.replace('"nodes":{', '"nodes":{"model.shop.good":0,'));
    expect(outcome.status).toBe("completed");
    expect(faults).toEqual(["malformed_node model.shop.good"]);
  });

  it("A manifest whose models derive from each other in a circle is loaded", async () => {
    const names = many(100);
    const circle = names.map((name, i) => {
      const after = names[(i + 1) % names.length] ?? "";
      return [`model.shop.${name}`, { columns: {}, compiled_code: "select 1 as a", ...dependingOn(after) }] as const;
    });
    const { outcome } = await load({ nodes: entries(Object.fromEntries(circle)) });
    expect(outcome).toMatchObject({ status: "completed", assetsDiscovered: 200, errorsTotal: 0 });
  });
});
