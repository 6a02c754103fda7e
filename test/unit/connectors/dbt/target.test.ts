/** One option for all artifacts: a folder on this machine, on a web server or in storage. All behave alike. */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createDbtConnector } from "../../../../src/connectors/dbt/connector.ts";
import { serveHttp } from "../../../support/http-server.ts";
import { S3_KEYS, startS3 } from "../../../support/s3-server.ts";
import { catalog, entries, manifest, runResults } from "./project.ts";
import { findFaults, read } from "./reading.ts";

type Files = Record<string, string>;
interface Folder extends AsyncDisposable {
  options: Record<string, string>;
}

const TEST = { "test.shop.t.1": { resource_type: "test", depends_on: { nodes: ["model.shop.orders"] } } };
const MANIFEST = JSON.stringify(manifest({ nodes: entries({ "model.shop.orders": {}, ...TEST }) }));
const CATALOG = JSON.stringify(catalog({ "model.shop.orders": { id: "int" } }));
const RESULTS = JSON.stringify(runResults([{ unique_id: "test.shop.t.1", status: "pass", timing: [] }]));
const WHOLE: Files = { "manifest.json": MANIFEST, "catalog.json": CATALOG, "run_results.json": RESULTS };

const KINDS: [string, (files: Files) => Promise<Folder>][] = [
  [
    "a folder on this machine",
    async (files) => {
      const folder = await mkdtempDisposable(join(tmpdir(), "target-"));
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
      return { options: { target: folder.path }, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
    },
  ],
  [
    "a URL",
    async (files) => {
      const server = await serveHttp(({ url = "" }, response) => {
        const text = files[/^\/ci\/target\/(.*)\?sig=1$/.exec(url)?.[1] ?? ""];
        if (text === undefined) response.writeHead(404).end();
        else response.end(text);
      });
      return Object.assign(server, { options: { target: `${server.url}/ci/target?sig=1` } });
    },
  ],
  [
    "a prefix in a bucket",
    async (files) => {
      const objects = Object.fromEntries(Object.entries(files).map(([name, text]) => [`ci/${name}`, text]));
      const server = await startS3({ buckets: { artifacts: { objects } }, region: "us-east-1" });
      return Object.assign(server, { options: { target: "s3://artifacts/ci/", endpoint: server.url, ...S3_KEYS } });
    },
  ],
];

describe.each(KINDS)("The target as %s", (_, open) => {
  it("A target provides every artifact that exists, and a test of it finds no fault", async () => {
    await using folder = await open(WHOLE);
    const { assets, checks, errors, state } = await read(folder.options);
    expect({ assets, checks, errors }).toEqual({ assets: ["orders"], checks: ["pass"], errors: [] });
    expect(Object.keys(state ?? {})).toEqual(["reader", "manifest", "catalog", "run_results"]);
    expect(await findFaults(folder.options)).toEqual([]);
    const again = await read(folder.options, { mode: "incremental", previousState: state });
    expect(again).toMatchObject({ assets: [], errors: [] });
  });

  it("A file named in the options replaces the artifact in the target", async () => {
    await using folder = await open(WHOLE);
    await using own = await mkdtempDisposable(join(tmpdir(), "own-"));
    const results = join(own.path, "r.json");
    await writeFile(results, RESULTS.replace('"pass"', '"fail"'));
    expect((await read({ ...folder.options, run_results: results })).checks).toEqual(["fail"]);
    const named = await read({ ...folder.options, catalog: join(own.path, "gone.json") });
    expect(named.errors).toMatchObject([{ object: "catalog.json", code: "not_found", severity: "error" }]);
  });

  it("A target without a manifest fails the crawl, and a test of it names the option", async () => {
    await using folder = await open({ "catalog.json": CATALOG });
    expect(await read(folder.options)).toMatchObject({ failed: true, errors: [{ code: "not_found" }] });
    expect(await findFaults(folder.options)).toMatchObject([
      { option: "target", severity: "error", message: expect.stringContaining("manifest.json") },
    ]);
  });

  it("Half-written results in the target cause a warning, and a half-written catalog causes an error", async () => {
    await using folder = await open({ ...WHOLE, "catalog.json": "{ half", "run_results.json": "{ half" });
    const { assets, errors } = await read(folder.options);
    expect(assets).toEqual(["orders"]);
    expect(errors.map(({ object, severity }) => [object, severity])).toEqual([
      ["catalog.json", "error"],
      ["run_results.json", "warning"],
    ]);
    expect((await findFaults(folder.options)).map(({ option }) => option)).toEqual(["target", "target"]);
  });
});

it("A missing folder, a file and a folder without a manifest have different errors", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "target-"));
  const file = join(folder.path, "file");
  await writeFile(file, "");
  const messages = await Promise.all(
    [folder.path, join(folder.path, "gone"), file].map(async (target) => (await findFaults({ target }))[0]?.message),
  );
  expect(messages).toEqual([
    `there is no file manifest.json in ${folder.path}`,
    `there is no folder ${join(folder.path, "gone")}`,
    `${file} is not a folder`,
  ]);
});

it("A token is sent to the target's origin for each artifact", async () => {
  await using server = await serveHttp(({ url }, response) =>
    url === "/manifest.json" ? response.end(MANIFEST) : response.writeHead(404).end(),
  );
  await read({ target: server.url, token: "t0ken" });
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill("Bearer t0ken"));
});

describe("The origins that secrets are sent to", () => {
  it.each<[Record<string, string>, string[]]>([
    [{ target: "/srv/target" }, []],
    [{ target: "https://a.example/x", manifest: "http://b.example/m.json" }, ["https://a.example", "http://b.example"]],
    [{ target: "s3://bucket/x" }, ["Amazon S3"]],
    [{ target: "s3://bucket/x", endpoint: "https://minio.example" }, ["https://minio.example"]],
    [{ dbt_cloud_account: "7" }, ["https://cloud.getdbt.com"]],
    [{ dbt_cloud_account: "7", dbt_cloud_host: "evil.example" }, ["https://evil.example"]],
    [{ dbt_cloud_account: "7", dbt_cloud_host: "not a host" }, ["not a host"]],
  ])("Secrets are sent to the origins of %o", (options, origins) => {
    expect(createDbtConnector().secretOrigins?.(options).toSorted()).toEqual(origins.toSorted());
  });
});
