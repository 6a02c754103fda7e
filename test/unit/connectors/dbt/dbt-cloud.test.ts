/** Artifacts of the latest successful run in dbt Cloud. */
import { describe, expect, it } from "vitest";

import type { Network } from "../../../../src/connectors/dbt/download.ts";
import { CLOUD_ACCOUNT, CLOUD_TOKEN, type CloudRun, startDbtCloud } from "../../../support/dbt-cloud-server.ts";
import { serveHttp } from "../../../support/http-server.ts";
import { entries, manifest, runResults } from "./project.ts";
import { faultsOfOptions, findFaults, read, toThisMachine } from "./reading.ts";

const project = (name: string) => JSON.stringify(manifest({ nodes: entries({ [`model.shop.${name}`]: {} }) }));
const RESULTS = JSON.stringify(runResults([]));
const run = (id: number, more: Partial<CloudRun> = {}): CloudRun => ({
  id,
  job: 1,
  environment: 5,
  finished: `2026-01-01T00:00:${String(id).padStart(2, "0")}Z`,
  artifacts: { "manifest.json": project(`of_run_${id}`), "run_results.json": RESULTS },
  ...more,
});
const OPTIONS = { dbt_cloud_account: CLOUD_ACCOUNT, dbt_cloud_job: "1", token: CLOUD_TOKEN };
const RUNS = [
  run(3),
  run(4),
  run(5, { status: 20 }),
  run(6, { job: 2 }),
  run(7, { artifacts: { "run_results.json": RESULTS } }),
];

describe("Artifacts of a job", () => {
  it("The artifacts of a dbt Cloud job come from its latest successful run that wrote a manifest", async () => {
    await using cloud = await startDbtCloud({ runs: RUNS });
    const { assets, errors, state } = await read({ ...OPTIONS, dbt_cloud_host: cloud.url });
    expect({ assets, errors }).toEqual({ assets: ["of_run_4"], errors: [] });
    expect(state).toMatchObject({ manifest: "run 4 of dbt Cloud", run_results: "run 4 of dbt Cloud" });
    expect(cloud.seen.map(({ url }) => url?.replace(/.*accounts\/7\//, ""))).toEqual([
      "runs/?job_definition_id=1&status=10&order_by=-finished_at&limit=20",
      "runs/7/artifacts/",
      "runs/4/artifacts/",
      "runs/4/artifacts/manifest.json",
      "runs/4/artifacts/run_results.json",
    ]);
  });

  it("The artifacts of a dbt Cloud environment come from the latest run of any of its jobs", async () => {
    await using cloud = await startDbtCloud({ runs: RUNS });
    const { dbt_cloud_job: _, ...options } = OPTIONS;
    const { assets } = await read({ ...options, dbt_cloud_environment: "5", dbt_cloud_host: cloud.url });
    expect(assets).toEqual(["of_run_6"]);
  });

  it("The artifacts of dbt Cloud are not downloaded again until there is a newer run", async () => {
    const runs = [run(3)];
    await using cloud = await startDbtCloud({ runs });
    const options = { ...OPTIONS, dbt_cloud_host: `${cloud.url}/` };
    const { state: previousState } = await read(options);
    const before = cloud.seen.length;
    expect(await read(options, { mode: "incremental", previousState })).toMatchObject({ assets: [], state: null });
    expect(cloud.seen.slice(before).filter(({ url }) => url?.endsWith(".json"))).toEqual([]);
    runs.push(run(4));
    const next = await read(options, { mode: "incremental", previousState });
    expect(next).toMatchObject({ assets: ["of_run_4"], state: { manifest: "run 4 of dbt Cloud" } });
    expect((await read(options, { mode: "full", previousState: next.state })).assets).toEqual(["of_run_4"]);
  });

  it("A file named in the options replaces the artifact of dbt Cloud, and its server does not get the token", async () => {
    await using cloud = await startDbtCloud({ runs: [run(3)] });
    await using web = await serveHttp((_, response) => response.end(project("elsewhere")));
    const options = { ...OPTIONS, dbt_cloud_host: cloud.url, manifest: `${web.url}/manifest.json` };
    expect(await read(options)).toMatchObject({ assets: ["elsewhere"], errors: [] });
    expect(web.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

describe("Faults of the options", () => {
  const HOSTED = / \(http:\/\/127\.0\.0\.1:\d+\/api\/v2\/accounts\//;
  it.each<[string, Record<string, string>, CloudRun[], string, RegExp]>([
    ["a wrong token", { token: "dbtc_old" }, [run(3)], "token", /does not accept the token \(HTTP 401\)\./],
    [
      "another account",
      { dbt_cloud_account: "8" },
      [run(3)],
      "dbt_cloud_account",
      /no account 8 that this token may read/,
    ],
    [
      "a forbidden account",
      { dbt_cloud_account: "9" },
      [run(3)],
      "dbt_cloud_account",
      /may not read jobs of account 9/,
    ],
    [
      "an unknown job",
      { dbt_cloud_job: "99" },
      [run(3)],
      "dbt_cloud_job",
      /no successful run of job 99 yet, or none that this token may read/,
    ],
    ["a job without runs", {}, [], "dbt_cloud_job", /has no successful run of job 1 yet/],
    ["a job that always failed", {}, [run(3, { status: 20 })], "dbt_cloud_job", /has no successful run of job 1 yet/],
    [
      "runs that saved nothing",
      {},
      [run(3, { saved: false })],
      "dbt_cloud_job",
      /no artifacts of the last 1 successful/,
    ],
    ["artifacts that expired", {}, [run(3, { artifacts: null })], "dbt_cloud_job", /of job 1: they expired, or/],
  ])("A test of the dbt Cloud source finds %s, and names the option", async (_, options, runs, option, message) => {
    await using cloud = await startDbtCloud({ runs, forbidden: ["9"] });
    const all = { ...OPTIONS, dbt_cloud_host: cloud.url, ...options };
    const findings = await findFaults(all);
    expect(findings).toEqual([{ option, severity: "error", message: expect.stringMatching(message) }]);
    expect(findings[0]?.message).toMatch(HOSTED);
    const { errors, failed } = await read(all);
    expect(failed).toBe(true);
    expect(errors[0]?.message).not.toMatch(/127\.0\.0\.1|dbtc_/);
  });

  it("A test of the dbt Cloud source finds an unpaid account, which has no API", async () => {
    const body =
      '{"status": {"code": 401, "user_message": "The API is not accessible to unpaid accounts."}, "data": null}';
    await using cloud = await serveHttp((_, response) => response.writeHead(401).end(body));
    expect(await findFaults({ ...OPTIONS, dbt_cloud_host: cloud.url })).toMatchObject([
      { option: "token", message: expect.stringMatching(/not for unpaid accounts/) },
    ]);
  });

  it("A test of the dbt Cloud source finds a host that is not dbt Cloud", async () => {
    await using web = await serveHttp((_, response) => response.end("<!doctype html><title>Sign in</title>"));
    expect(await findFaults({ ...OPTIONS, dbt_cloud_host: web.url })).toMatchObject([
      { option: "dbt_cloud_host", message: expect.stringMatching(/is dbt_cloud_host right\?/) },
    ]);
    const gone = { ...OPTIONS, dbt_cloud_host: "http://127.0.0.1:1" };
    expect(await findFaults(gone)).toMatchObject([
      { option: "dbt_cloud_host", message: expect.stringMatching(/cannot be reached: ECONNREFUSED/) },
    ]);
  });

  it("A test of the dbt Cloud source finds artifacts that disappear while they are read", async () => {
    const runs = [run(3, { artifacts: { "manifest.json": project("a") } })];
    await using cloud = await startDbtCloud({ runs });
    await using front = await serveHttp((request, response) => {
      if (request.url?.endsWith("manifest.json") === true) return void response.writeHead(404).end();
      void fetch(`${cloud.url}${request.url}`, { headers: { authorization: request.headers.authorization ?? "" } })
        .then((answer) => answer.text())
        .then((text) => response.end(text));
    });
    expect(await findFaults({ ...OPTIONS, dbt_cloud_host: front.url })).toMatchObject([
      { option: "dbt_cloud_job", message: expect.stringMatching(/^manifest\.json was not found \(HTTP 404\)/) },
    ]);
  });
});

const codes = async (options: Record<string, string>, network: Partial<Network> = {}) =>
  (await read({ ...OPTIONS, ...options }, { network })).errors.map(({ code }) => code);

describe("The token", () => {
  it("The dbt Cloud token is not sent over plain http to another host, unless INSECURE_HOSTS lists it", async () => {
    await using cloud = await startDbtCloud({ runs: [run(3)] });
    const options = { dbt_cloud_host: `http://cloud.example.com:${cloud.port}` };
    expect(await codes(options, { resolve: toThisMachine })).toEqual(["insecure_source"]);
    expect(cloud.seen).toEqual([]);
    expect(await codes(options, { resolve: toThisMachine, insecureHosts: ["cloud.example.com"] })).toEqual([]);
  });

  it("The dbt Cloud token is not sent along with a redirect to another origin", async () => {
    await using storage = await serveHttp((_, response) => response.end(project("stored")));
    await using cloud = await serveHttp(({ url = "" }, response) => {
      if (url.includes("/runs/?")) response.end('{"data":[{"id":3}]}');
      else if (url.endsWith("/artifacts/")) response.end('{"data":["manifest.json"]}');
      else response.writeHead(302, { location: `${storage.url}/signed?signature=1` }).end();
    });
    expect(await read({ ...OPTIONS, dbt_cloud_host: cloud.url })).toMatchObject({ assets: ["stored"], errors: [] });
    expect(cloud.seen.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Token ${CLOUD_TOKEN}`));
    expect(storage.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it("The dbt Cloud token is not sent to a private address", async () => {
    await using cloud = await startDbtCloud({ runs: [run(3)] });
    expect(await codes({ dbt_cloud_host: cloud.url }, { privateSources: [] })).toEqual(["private_address"]);
    expect(cloud.seen).toEqual([]);
  });
});

it("Options of dbt Cloud that contradict each other are refused", () => {
  expect(faultsOfOptions({ dbt_cloud_account: "7", dbt_cloud_job: "1" })).toEqual([
    "token: is required with dbt_cloud_account",
  ]);
  const neither = "dbt_cloud_job: is required, or else dbt_cloud_environment; not both";
  expect(faultsOfOptions({ dbt_cloud_account: "7", token: "t" })).toEqual([neither]);
  expect(faultsOfOptions({ ...OPTIONS, dbt_cloud_environment: "2" })).toEqual([neither]);
  expect(faultsOfOptions({ ...OPTIONS, target: "target" })).toEqual([
    expect.stringMatching(/^target: is not possible/),
  ]);
  expect(faultsOfOptions({ target: "target", dbt_cloud_job: "1" })).toEqual([
    "dbt_cloud_account: is required with a job or environment",
  ]);
  expect(faultsOfOptions({ ...OPTIONS, dbt_cloud_account: "7/../8" })).toEqual(["dbt_cloud_account: must be a number"]);
  for (const host of ["ab123.us1.dbt.com", "https://ab123.us1.dbt.com/", "emea.dbt.com:443"]) {
    expect(faultsOfOptions({ ...OPTIONS, dbt_cloud_host: host })).toEqual([]);
  }
  for (const host of ["", "ftp://dbt.com", "a.dbt.com/api", "u:p@dbt.com", "https://a.dbt.com/?x"]) {
    expect(faultsOfOptions({ ...OPTIONS, dbt_cloud_host: host })).toEqual([expect.stringMatching(/must be a host/)]);
  }
});
