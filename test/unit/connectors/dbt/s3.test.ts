/** Artifacts in S3 and in storage with its interface. */
import { describe, expect, it } from "vitest";

import type { Network } from "../../../../src/connectors/dbt/download.ts";
import { serveHttp } from "../../../support/http-server.ts";
import { type Bucket, S3_KEYS, startS3 } from "../../../support/s3-server.ts";
import { catalog, entries, manifest } from "./project.ts";
import { faultsOfOptions, findFaults, read, toThisMachine } from "./reading.ts";

const MANIFEST = JSON.stringify(manifest({ nodes: entries({ "model.shop.orders": {} }) }));
const CATALOG = JSON.stringify(catalog({ "model.shop.orders": { id: "int" } }));
const OBJECTS = { "prod/target/manifest.json": MANIFEST, "prod/target/catalog.json": CATALOG };
const REGION = { region: "eu-west-1" };
const TARGET = { target: "s3://artifacts/prod/target", ...REGION };

const storage = (bucket: Partial<Bucket> = {}, more: Partial<Parameters<typeof startS3>[0]> = {}) =>
  startS3({ buckets: { artifacts: { objects: OBJECTS, ...bucket } }, ...more });

describe("Buckets", () => {
  it("A bucket is read with keys, by a signature that the storage checks", async () => {
    await using s3 = await storage();
    const { assets, errors, state } = await read({ ...TARGET, ...S3_KEYS, endpoint: s3.url });
    expect({ assets, errors }).toEqual({ assets: ["orders"], errors: [] });
    expect(Object.keys(state ?? {})).toEqual(["reader", "manifest", "catalog"]);
    expect(s3.seen.map(({ url }) => url).toSorted()).toEqual(
      ["catalog", "manifest", "run_results", "semantic_manifest", "sources"].map(
        (name) => `/artifacts/prod/target/${name}.json`,
      ),
    );
    const secrets = JSON.stringify(s3.seen.map(({ rawHeaders }) => rawHeaders));
    expect(secrets).not.toContain(S3_KEYS.secret_access_key);
  });

  it("A single object with any characters in its name is read from a bucket", async () => {
    const name = "a=b/ä+ñ (1)'s & 100%#?.json";
    await using s3 = await storage({ objects: { [name]: MANIFEST } });
    const options = { manifest: `s3://artifacts/${name}`, ...REGION, ...S3_KEYS, endpoint: s3.url };
    expect(await read(options)).toMatchObject({ assets: ["orders"], errors: [] });
    expect(s3.seen).toHaveLength(1);
  });

  it("A public bucket is read without keys, and without a token, which is for web servers", async () => {
    await using s3 = await storage({ isPublic: true });
    expect(await read({ ...TARGET, endpoint: s3.url, token: "t0ken" })).toMatchObject({
      assets: ["orders"],
      errors: [],
    });
    expect(s3.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it("A bucket is read with temporary keys", async () => {
    await using s3 = await storage({}, { sessionToken: "session" });
    const options = { ...TARGET, ...S3_KEYS, session_token: "session", endpoint: s3.url };
    expect(await read(options)).toMatchObject({ assets: ["orders"], errors: [] });
  });

  it("A busy bucket is asked again, with a new signature", async () => {
    let minute = 0;
    const now = () => new Date(Date.UTC(2026, 0, 1, 0, minute));
    await using s3 = await storage(
      {},
      {
        now,
        instead: (response, count) => {
          minute = count;
          if (count === 1) response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
          return count === 1;
        },
      },
    );
    expect(await read({ ...TARGET, ...S3_KEYS, endpoint: s3.url }, { network: { now } })).toMatchObject({ errors: [] });
    const dates = s3.seen.map(({ headers }) => headers["x-amz-date"]);
    expect(dates.slice(0, 2)).toEqual(["20260101T000000Z", "20260101T000100Z"]);
  });

  it("A bucket that does not say which object is missing causes a warning, and all else is loaded", async () => {
    await using s3 = await storage({ listable: false });
    const { assets, errors, failed } = await read({ ...TARGET, ...S3_KEYS, endpoint: s3.url });
    expect([assets, failed]).toEqual([["orders"], false]);
    expect(errors.map(({ object, code, severity }) => [object, code, severity])).toEqual(
      ["semantic_manifest", "run_results", "sources"].map((name) => [`${name}.json`, "access_denied", "warning"]),
    );
  });
});

describe("Faults of the options", () => {
  const WRONG = { secret_access_key: "another" };
  it.each<[string, Record<string, string>, Partial<Bucket>, string, RegExp]>([
    ["an unknown key", { access_key_id: "AKIDOTHER" }, {}, "access_key_id", /does not know the access_key_id/],
    ["a wrong secret", WRONG, {}, "secret_access_key", /not that of the access_key_id/],
    ["a stale session", { session_token: "old" }, {}, "session_token", /has expired/],
    ["a wrong region", { region: "us-east-1" }, {}, "region", /region eu-west-1, not in us-east-1: set the option/],
    ["a bucket elsewhere", {}, { region: "ap-south-1" }, "region", /region ap-south-1, not in eu-west-1/],
    ["an unknown bucket", { target: "s3://other/prod" }, {}, "target", /bucket that does not exist: other/],
    [
      "an unknown prefix",
      { target: "s3://artifacts/dev" },
      {},
      "target",
      /not found \(HTTP 404\).*s3:\/\/artifacts\/dev\/m/,
    ],
    [
      "no permission",
      { target: "s3://artifacts/dev" },
      { listable: false },
      "target",
      /may not be read with these keys/,
    ],
  ])("A test of the S3 source finds %s, and names the option", async (_, options, bucket, option, message) => {
    await using s3 = await storage(bucket);
    const all = { ...TARGET, ...S3_KEYS, endpoint: s3.url, ...options };
    expect((await findFaults(all))[0]).toEqual({ option, severity: "error", message: expect.stringMatching(message) });
    const { errors, failed } = await read(all);
    expect(failed).toBe(true);
    expect(errors[0]?.message).not.toMatch(/127\.0\.0\.1|AKID|s3:\/\/|s3cr3t/);
  });

  it("A test of the S3 source finds that a bucket is not public and keys are missing", async () => {
    await using s3 = await storage();
    expect(await findFaults({ ...TARGET, endpoint: s3.url })).toMatchObject([
      { option: "target", message: expect.stringMatching(/not public.*give access_key_id/) },
    ]);
  });

  it("A test of the S3 source finds that the clock is wrong", async () => {
    await using s3 = await storage();
    const late = { now: () => new Date("2020-01-01") };
    expect(await findFaults({ ...TARGET, ...S3_KEYS, endpoint: s3.url }, late)).toMatchObject([
      { option: "target", message: expect.stringMatching(/clock of this machine/) },
    ]);
  });

  it("A test of the S3 source finds a redirect, and does not follow it because it needs another signature", async () => {
    await using other = await serveHttp((_, response) => response.end(MANIFEST));
    await using s3 = await serveHttp((_, response) => response.writeHead(307, { location: other.url }).end());
    expect(await findFaults({ ...TARGET, ...S3_KEYS, endpoint: s3.url })).toMatchObject([
      {
        option: "region",
        message: expect.stringMatching(/somewhere else \(HTTP 307\): set the option region, or endpoint/),
      },
    ]);
    expect(other.seen).toEqual([]);
  });
});

const failing = async (network: Partial<Network>, options: Record<string, string>) =>
  (await read({ ...TARGET, ...S3_KEYS, ...options }, { network })).errors.map(({ code }) => code);

describe("Limits of downloads", () => {
  it("Storage at a private address is not asked", async () => {
    await using s3 = await storage();
    expect(await failing({ privateSources: [] }, { endpoint: s3.url })).toEqual(["private_address"]);
    expect(s3.seen).toEqual([]);
  });

  it("Storage on another host is not asked over plain http, unless INSECURE_HOSTS lists the host", async () => {
    await using s3 = await storage();
    const endpoint = `http://minio.example.com:${s3.port}`;
    expect(await failing({ resolve: toThisMachine }, { endpoint })).toEqual(["insecure_source"]);
    expect(s3.seen).toEqual([]);
    expect(await failing({ resolve: toThisMachine, insecureHosts: ["minio.example.com"] }, { endpoint })).toEqual([]);
  });

  it("A download from storage is limited in size and time", async () => {
    await using s3 = await storage();
    expect(await failing({ maxBytes: 100 }, { endpoint: s3.url })).toEqual(["too_large"]);
    await using silent = await serveHttp((_, response) => response.writeHead(200).write("{"));
    const network = { idleTimeoutMs: 50, retryDelaysMs: [] };
    expect(await failing(network, { endpoint: silent.url })).toEqual(["timeout"]);
  });
});

it("Options of S3 that contradict each other are refused", () => {
  expect(faultsOfOptions({ target: "s3://bucket", access_key_id: "a" })).toEqual([
    "secret_access_key: is required: an access key and its secret go together",
  ]);
  expect(faultsOfOptions({ target: "s3://bucket", session_token: "a" })).toEqual([
    "access_key_id: is required with session_token",
  ]);
  expect(faultsOfOptions({ manifest: "s3://bucket" })).toEqual(["manifest: must name a file in the bucket"]);
  expect(faultsOfOptions({ manifest: "s3://bucket/prod/" })).toEqual(["manifest: must name a file in the bucket"]);
  for (const endpoint of ["minio:9000", "ftp://minio", "https://u:p@minio", "https://minio/?a=b"]) {
    expect(faultsOfOptions({ target: "s3://bucket", endpoint })).toEqual([expect.stringMatching(/^endpoint: must be/)]);
  }
  expect(faultsOfOptions({ target: "s3://bucket", region: "evil.example/" })).toEqual([
    "region: must be a region, such as eu-west-1",
  ]);
});
