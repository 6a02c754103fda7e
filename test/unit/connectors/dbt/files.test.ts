import { tmpdir } from "node:os";
import { relative, resolve } from "node:path";

import { describe, expect, test } from "vitest";

import { dbtConnector } from "../../../../src/connectors/dbt/connector.ts";
import { crawl, crawlArtifacts, entries, manifest } from "./project.ts";

const faults = (options: Record<string, string>) =>
  dbtConnector.options.safeParse(options).error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);

const failsWith = (code: string, message?: RegExp) =>
  expect.objectContaining({
    name: "CrawlFailure",
    error: expect.objectContaining({ code, message: expect.stringMatching(message ?? /./), severity: "error" }),
  });

const WHOLE = JSON.stringify(manifest({ nodes: entries({ "model.shop.orders": { compiled_code: "select 'ä'" } }) }));

describe("Manifests that cannot be read", () => {
  test.each([
    ["cut off within a string", WHOLE.slice(0, WHOLE.indexOf("select") + 3), "malformed_json", /ends too early/],
    ["cut off between two entries", WHOLE.slice(0, -1), "malformed_json", /ends too early/],
    ["with a comma too many", WHOLE.replace('"nodes":', ',"nodes":'), "malformed_json", /not complete JSON/],
    ["with more after its end", `${WHOLE}{}`, "malformed_json", /not complete JSON/],
    ["empty", "", "malformed_json", /the file is empty/],
    ["of blanks", " \n ", "malformed_json", /the file is empty/],
    ["of words", "not json", "malformed_json", /it does not begin with \{/],
    ["an array", "[{}]", "malformed_json", /an array/],
    ["a single value", '"manifest"', "malformed_json", /a single value/],
    ["not UTF-8", Buffer.from(WHOLE, "latin1"), "malformed_json", /not complete JSON/],
    ["some other object", '{"name":{"a":1}}', "not_a_manifest", /not a dbt manifest/],
    [
      "a run's results",
      JSON.stringify(manifest()).replace("/manifest/v12", "/run-results/v6"),
      "not_a_manifest",
      /run-results/,
    ],
    ["an older version", JSON.stringify(manifest({}, 9)), "unsupported_version", /v9/],
    ["a newer version", JSON.stringify(manifest({}, 13)), "unsupported_version", /v13/],
  ])("A crawl fails and says why if its manifest is %s", async (_, content, code, message) => {
    await expect(crawlArtifacts({ manifest: content })).rejects.toEqual(failsWith(code, message));
  });

  test("A crawl of a missing manifest fails, and gives the operator the absolute path", async () => {
    const path = "no/such/file.json";
    const location = resolve(path);
    const expected = { code: "not_found", object: "manifest.json", location, stage: "connect", retryable: false };
    await expect(crawl({ manifest: path })).rejects.toMatchObject({ error: expected });
  });

  test("A crawl of a device fails, because a device may have no end", async () => {
    await expect(crawl({ manifest: "/dev/zero" })).rejects.toEqual(failsWith("unreadable", /not a regular file/));
  });

  test("A crawl of a directory fails", async () => {
    await expect(crawl({ manifest: tmpdir() })).rejects.toEqual(failsWith("unreadable", /is a directory/));
  });
});

test("A manifest may have a byte order mark, its sections in any order and its metadata at the end", async () => {
  const { metadata, ...sections } = manifest({ nodes: entries({ "model.shop.orders": { group: "g" } }) });
  const { assets } = await crawlArtifacts({ manifest: `\ufeff${JSON.stringify({ ...sections, metadata })}` });
  expect([...assets.keys()]).toEqual(["model wh.mart.orders"]);
});

test("An entry that spans many chunks is read completely", async () => {
  const sql = `select '${'ä"\\\n😀'.repeat(50_000)}'`;
  const { assets } = await crawlArtifacts({
    manifest: manifest({ nodes: entries({ "model.shop.a": { compiled_code: sql }, "model.shop.b": {} }) }),
  });
  expect(assets.get("model wh.mart.a")?.facts.sql).toBe(sql);
  expect(assets.size).toBe(2);
});

test("A crawl that is stopped ends as aborted, not with an error about its input", async () => {
  const signal = AbortSignal.abort();
  await expect(crawlArtifacts({ manifest: manifest() }, { signal })).rejects.toMatchObject({ name: "AbortError" });
});

test("The progress of a crawl grows from 0 to 1, and assets come before the edges that name them", async () => {
  const nodes = entries({ "model.shop.a": { depends_on: { nodes: ["model.shop.b"] } }, "model.shop.b": {} });
  const { events } = await crawlArtifacts({ manifest: manifest({ nodes }) });
  const fractions = events.flatMap((event) => (event.kind === "progress" ? [event.fraction] : []));
  expect(fractions[0]).toBe(0);
  expect(fractions.at(-1)).toBe(1);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  const order = events.map((event) => event.kind).filter((kind) => kind !== "progress");
  expect(order).toEqual(["begin", "asset", "asset", "edge", "end", "state"]);
});

describe("Incremental crawls", () => {
  const artifacts = { manifest: manifest({ nodes: entries({ "model.shop.a": {} }) }) };

  test("An incremental crawl of the same files states nothing and opens no scope", async () => {
    const { state: previousState } = await crawlArtifacts(artifacts);
    const again = await crawlArtifacts(artifacts, { mode: "incremental", previousState });
    expect(new Set(again.events.map((event) => event.kind))).toEqual(new Set(["progress"]));
    const full = await crawlArtifacts(artifacts, { mode: "full", previousState });
    expect(full.assets.size).toBe(1);
  });

  test("An incremental crawl of a changed or additional file states everything", async () => {
    const { state: previousState } = await crawlArtifacts(artifacts);
    const mode = "incremental";
    const changed = { manifest: manifest({ nodes: entries({ "model.shop.b": {} }) }) };
    expect((await crawlArtifacts(changed, { mode, previousState })).assets.size).toBe(1);
    const more = { ...artifacts, semantic_manifest: { metrics: [], project_configuration: { a: 1 } } };
    expect((await crawlArtifacts(more, { mode, previousState })).assets.size).toBe(1);
    const { state: ofMore } = await crawlArtifacts(more);
    expect((await crawlArtifacts(artifacts, { mode, previousState: ofMore })).assets.size).toBe(1);
  });

  test("An incremental crawl states everything if another version of the connector read the files last", async () => {
    const { state } = await crawlArtifacts(artifacts);
    const previousState = { ...state, reader: "of another version" };
    expect(state).toHaveProperty("reader");
    expect((await crawlArtifacts(artifacts, { mode: "incremental", previousState })).assets.size).toBe(1);
  });
});

describe("Options", () => {
  test("The dbt options refuse an unknown option, a missing manifest and a location that is neither path nor http URL", () => {
    expect(faults({ manifest: "a.json", manfest: "b.json" })).toEqual([expect.stringContaining("manfest")]);
    expect(faults({})).toEqual([expect.stringMatching(/^target: is required/)]);
    expect(faults({ manifest: " " })).toEqual([expect.stringMatching(/^manifest: must name/)]);
    expect(faults({ manifest: "gs://bucket/manifest.json" })).toEqual([
      "manifest: must be a path, or a URL with http, https or s3",
    ]);
    expect(faults({ manifest: "https://u:p@example.com/m.json" })).toEqual([expect.stringContaining("token")]);
    expect(faults({ manifest: "target/manifest.json", catalog: "https://example.com/c.json" })).toBeUndefined();
  });

  test("The duration of a first crawl is estimated from the sizes of its files, and is at least a second", async () => {
    expect(
      await dbtConnector.pull.estimateSeconds({ manifest: relative(".", import.meta.filename), instance: "" }),
    ).toBe(1);
    expect(await dbtConnector.pull.estimateSeconds({ manifest: "no/such/file.json", instance: "" })).toBe(1);
    expect(
      await dbtConnector.pull.estimateSeconds({ manifest: "https://example.com/m.json", instance: "" }),
    ).toBeGreaterThan(1);
  });
});
