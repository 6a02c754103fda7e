import { expect, test } from "vitest";

import { readColumns } from "../../../../src/connectors/dbt/columns.ts";
import { type Member, readMembers } from "../../../../src/connectors/dbt/read-members.ts";
import { textAsFile } from "../../../../src/connectors/source-file.ts";
import { catalog, crawlArtifacts, entries, manifest } from "./project.ts";

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

const LARGE: [string, Record<string, unknown>, RegExp][] = [
  ["nested 2,500 levels deep", { meta: nested(2_500) }, /nested more than 64 levels/],
  ["of one text of 20 MB", { meta: { a: "x".repeat(20_000_000) } }, /more than 16777216 characters/],
  ["of one key of 20 MB", { meta: { ["x".repeat(20_000_000)]: 1 } }, /more than 16777216 characters/],
  ["of a million small values", { tags: Array.from({ length: 1_000_000 }, () => "") }, /more than 500000 values/],
];

test.each(LARGE)(
  "A model %s is left out with an error that names it, and the rest is stated",
  async (_, own, reason) => {
    const nodes = entries({ "model.shop.a": {}, "model.shop.large": own, "model.shop.z": {} });
    const { assets, errors, complete } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect([...assets.keys()]).toEqual(["model wh.mart.a", "model wh.mart.z"]);
    expect(errors).toMatchObject([
      { code: "oversized_node", object: "model.shop.large", message: expect.stringMatching(reason), severity: "error" },
    ]);
    expect(complete).toBe(false);
  },
);

test("An oversized exposure, relation of the catalog or entry of the semantic manifest is left out", async () => {
  const deep = nested(100);
  const { errors } = await crawlArtifacts({
    manifest: manifest({ exposures: { "exposure.shop.board": { meta: deep } } }),
    catalog: { ...catalog({}), nodes: { "model.shop.a": { columns: deep } } },
    semantic_manifest: { metrics: [{ name: "m", config: deep }], project_configuration: { a: 1 } },
  });
  expect(errors.map(({ code, object }) => [code, object.replace(/ of .*/, "")])).toEqual([
    ["oversized_node", "exposure.shop.board"],
    ["oversized_node", "metrics[0]"],
    ["oversized_node", "model.shop.a"],
  ]);
});

test("An entry that is nested extremely deep fails the crawl, and the error names the entry", async () => {
  const text = JSON.stringify(manifest({ nodes: { "model.shop.deep": 7 } }));
  await expect(crawlArtifacts({ manifest: text.replace(":7", `:${"[".repeat(300_000)}`) })).rejects.toMatchObject({
    error: { code: "malformed_json", message: expect.stringMatching(/100000 levels deep, in model\.shop\.deep\.$/) },
  });
});

test("Limits apply to one entry at a time, and an entry within them is read completely", async () => {
  const section = { a: { k: "four" }, b: [1, 2, 3], c: "12345678", d: { e: {} }, "": 12.5, f: "123456789" };
  const { name: location, open } = textAsFile("a.json", JSON.stringify({ section }));
  const limits = { characters: 8, values: 4, depth: 1 };
  const members: Member[] = [];
  const { signal } = new AbortController();
  for await (const member of readMembers({ name: "a.json", location, open }, () => true, { signal, limits }))
    members.push(member);
  expect(members.map(({ key, value, excess }) => [key, excess ?? value])).toEqual([
    ["a", { k: "four" }],
    ["b", [1, 2, 3]],
    ["c", "12345678"],
    ["d", "it is nested more than 1 levels deep"],
    ["", 12.5],
    ["f", "it has more than 8 characters"],
  ]);
});

test("The name of a property that every object inherits is read as any other name", async () => {
  const nodes = entries({ "model.shop.constructor": { columns: { constructor: { description: "c" } } } });
  const { assets, errors } = await crawlArtifacts({
    manifest: manifest({ nodes, metrics: entries({ "metric.shop.m": { type: "simple", type_params: {} } }) }),
    semantic_manifest: { metrics: [{ name: "m", meta: { constructor: { prototype: 1 } }, constructor: 1 }] },
  });
  expect(errors).toEqual([]);
  expect(assets.get("model wh.mart.constructor")?.columns).toMatchObject([{ name: "constructor", description: "c" }]);
  expect(assets.get("metric shop.m")?.facts.meta).toEqual({ constructor: { prototype: 1 } });
});

test("Of 240,000 columns, only one more than the catalog's limit is read", async () => {
  const columns = Object.fromEntries(Array.from({ length: 240_000 }, (_, at) => [`c${at}`, {}]));
  const nodes = entries({ "model.shop.wide": { columns, tags: ["after"] }, "model.shop.z": {} });
  const { assets, errors } = await crawlArtifacts({ manifest: manifest({ nodes }) });
  const wide = assets.get("model wh.mart.wide");
  expect(wide?.columns).toHaveLength(10_001);
  expect([wide?.columns[10_000]?.name, wide?.facts.tags]).toEqual(["c10000", ["after"]]);
  expect([...assets.keys(), ...errors]).toEqual(["model wh.mart.wide", "model wh.mart.z"]);
});

test("The columns of a wide model are read with pauses, and an error names its column", () => {
  const columns = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`c${at}`, {}]));
  expect([...readColumns("model.shop.wide", columns)]).toHaveLength(5);
  const events = [...readColumns("model.shop.wide", { ...columns, bad: { name: 7 } })].filter(
    (event) => event !== null,
  );
  expect(events).toEqual([
    expect.objectContaining({
      error: expect.objectContaining({ message: expect.stringContaining("columns.bad.name") }),
    }),
  ]);
});
