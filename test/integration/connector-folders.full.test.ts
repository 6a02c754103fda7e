/** CONNECTOR_FOLDERS: connectors read files only from these folders, however they were added. */
import { appendFile, cp, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { fromOperator } from "../../src/auth/origin.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { OUTSIDE_FOLDERS } from "../../src/connectors/source-folders.ts";
import type { ConnectorId } from "../../src/ids.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import type { Sync } from "../../src/metadata/records.ts";
import { SAMPLE_NAME } from "../../src/cli/start/sample.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { present } from "../support/present.ts";
import { at } from "../support/rest-client.ts";
import { writeDbtProject } from "../support/small-dbt-project.ts";

const CREATE = `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }`;
const UPDATE = `mutation ($input: UpdateConnectorInput!) { updateConnector(input: $input) { connector { id } } }`;
const TEST = `mutation ($input: TestConnectorInput!) { testConnector(input: $input) { isReadable } }`;

const REFUSED = OUTSIDE_FOLDERS;

let root: string;
/** Two folders with the same project. Only the first is permitted. */
let allowed: string;
let secret: string;
beforeEach(async () => {
  root = await realpath(await makeTemporaryFolder());
  [allowed, secret] = [join(root, "allowed"), join(root, "secret")];
  const project = await writeDbtProject({
    adapter: "postgres",
    sources: { orders: { id: "int", amount: "numeric" } },
    models: { revenue: "select sum(amount) as total from {orders}" },
  });
  for (const folder of [allowed, secret]) await cp(project, folder, { recursive: true });
});

async function startLimited(options: { sample?: boolean } = {}): Promise<RunningApp> {
  const running = await startApp({ ...options, env: { CONNECTOR_FOLDERS: `${join(root, "unused")},${allowed}` } });
  onTestFinished(() => running.close());
  return running;
}

/** Adds a connector as it could be added before the setting existed. */
async function addUnlimited(
  { app }: RunningApp,
  name: string,
  manifest: string,
  options: Record<string, string> = { manifest },
): Promise<ConnectorId> {
  const workspace = await getDefaultWorkspace(app.metadata);
  const origin = fromOperator(workspace, await getFirstAdmin(app.metadata, workspace));
  const request = { type: "dbt", name, options, test: false };
  const parts = { store: app.metadata, findConnectorType, clock: app.clock };
  return (await addConnector(parts, origin, request, new AbortController().signal)).id;
}

async function crawl({ app }: RunningApp, connectorId: ConnectorId): Promise<Sync> {
  const { id: workspaceId } = await getDefaultWorkspace(app.metadata);
  const { id } = await app.syncs.trigger({ workspaceId, connectorId, force: true });
  return app.queue.wait(workspaceId, id);
}

describe("over the network", () => {
  it("A connector over the network accepts permitted paths, and refuses others without telling anything about them", async () => {
    const running = await startLimited();
    const admin = createGraphqlClient(running);
    const input = { type: "dbt", name: "shop", options: { manifest: join(allowed, "manifest.json") } };
    await symlink(join(secret, "manifest.json"), join(allowed, "link.json"));
    const refused = [
      join(secret, "manifest.json"),
      join(secret, "none.json"),
      `${allowed}/../secret/manifest.json`,
      join(allowed, "link.json"),
    ];
    for (const manifest of refused) {
      for (const test of [true, false]) {
        const { codes, message } = await admin(CREATE, { input: { ...input, options: { manifest }, test } });
        expect({ codes, message }).toEqual({ codes: ["BAD_REQUEST"], message: `options.manifest: ${REFUSED}` });
      }
      const { message } = await admin(TEST, { input: { type: "dbt", options: { manifest } } });
      expect(message).toBe(`options.manifest: ${REFUSED}`);
    }

    const added = await admin(CREATE, { input });
    expect(added.message).toBe("");
    const id = at(added.data, "createConnector", "connector", "id");
    const catalog = join(secret, "catalog.json");
    for (const test of [true, false]) {
      const { message } = await admin(UPDATE, { input: { id, options: { catalog }, test } });
      expect(message).toBe(`options.catalog: ${REFUSED}`);
    }
    const inside = { id, options: { catalog: join(allowed, "catalog.json") } };
    expect((await admin(UPDATE, { input: inside })).message).toBe("");
    expect((await admin(TEST, { input: { id, options: {} } })).data).toEqual({ testConnector: { isReadable: true } });
  });

  it("The target folder of a connector must be permitted too, even if it is a link", async () => {
    const admin = createGraphqlClient(await startLimited());
    await symlink(secret, join(allowed, "latest"));
    for (const target of [secret, root, `${allowed}/../secret`, join(allowed, "latest")]) {
      const input = { type: "dbt", name: "folder", options: { target }, test: false };
      expect((await admin(CREATE, { input })).message).toBe(`options.target: ${REFUSED}`);
    }
    const input = { type: "dbt", name: "folder", options: { target: allowed } };
    expect((await admin(CREATE, { input })).message).toBe("");
  });

  it.each(["https://a.example/m.json", "s3://bucket/m.json"])(
    "A URL is no path, and is not refused: %s",
    async (manifest) => {
      const admin = createGraphqlClient(await startLimited());
      const input = { type: "dbt", name: "far", options: { manifest }, test: false };
      expect((await admin(CREATE, { input })).message).toBe("");
    },
  );
});

describe("a sync", () => {
  it("A sync fails for a connector from before the setting, which can still be tested, renamed and repaired", async () => {
    const running = await startLimited();
    const admin = createGraphqlClient(running);
    const manifest = join(secret, "manifest.json");
    // The estimate would reveal the size of such a large file.
    await appendFile(manifest, " ".repeat(10_000_000));
    const id = await addUnlimited(running, "old", manifest);
    const { status, assetsDiscovered, errors, estimatedDurationSeconds } = await crawl(running, id);
    expect({ status, assetsDiscovered, estimatedDurationSeconds }).toEqual({
      status: "failed",
      assetsDiscovered: 0,
      estimatedDurationSeconds: 1,
    });
    expect(errors).toMatchObject([
      { code: "invalid_options", message: `The connector's options are not valid: manifest: ${REFUSED}.` },
    ]);
    expect((await admin(TEST, { input: { id, options: {} } })).message).toBe(`options.manifest: ${REFUSED}`);
    expect((await admin(UPDATE, { input: { id, name: "renamed" } })).message).toBe("");
    const mended = { id, options: { manifest: join(allowed, "manifest.json") } };
    expect((await admin(UPDATE, { input: mended })).message).toBe("");
    expect((await crawl(running, id)).status).toBe("completed");
  });

  it("A sync follows a link within the folders, and fails if the link leads outside", async () => {
    const running = await startLimited();
    const link = join(allowed, "latest");
    await mkdir(join(allowed, "run-1"));
    await cp(join(allowed, "manifest.json"), join(allowed, "run-1/manifest.json"));
    await symlink("run-1", link);
    const id = await addUnlimited(running, "linked", join(link, "manifest.json"));
    expect((await crawl(running, id)).status).toBe("completed");
    await rm(link);
    await symlink(secret, link);
    const { status, errors } = await crawl(running, id);
    expect({ status, messages: errors.map(({ message }) => message) }).toEqual({
      status: "failed",
      messages: [`The connector's options are not valid: manifest: ${REFUSED}.`],
    });
  });

  it("A sync leaves out a file of the target folder that is a link to the outside", async () => {
    const running = await startLimited();
    await writeFile(join(secret, "results.json"), "{}");
    await symlink(join(secret, "results.json"), join(allowed, "run_results.json"));
    const id = await addUnlimited(running, "folder", "", { target: allowed });
    const { status, errors } = await crawl(running, id);
    expect({ status, errors }).toMatchObject({
      status: "completed",
      errors: [{ code: "outside_folders", severity: "warning", message: `run_results.json ${REFUSED}.` }],
    });
  });

  it("A sync still loads the sample, whose folder is always permitted", async () => {
    const { app } = await startLimited({ sample: true });
    const { id } = await getDefaultWorkspace(app.metadata);
    const connector = await app.metadata.connectors.findByName(id, SAMPLE_NAME);
    const sync = await app.metadata.syncs.findLatest(id, present(connector).id);
    expect(sync).toMatchObject({ status: "completed", errorsTotal: 0 });
  });
});

/** Runs a command on a data folder, with the setting unless `env` says otherwise. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runCommandHere(args, { DATA_DIR: join(root, "data"), CONNECTOR_FOLDERS: allowed, ...env });
}

/** Adds the project of a folder. */
function add(folder: string, env?: Record<string, string>): Promise<Ended> {
  const manifest = `manifest=${join(folder, "manifest.json")}`;
  return run(["connector", "add", "dbt", "--name", "shop", "--option", manifest], env);
}

describe("on the data folder", () => {
  beforeEach(async () => {
    await run(["workspace", "create", "default"]);
  });

  it("The command line adds no connector outside the folders, and syncs none", async () => {
    expect(await add(secret)).toEqual({ code: 2, stdout: "", stderr: `options.manifest: ${REFUSED}\n` });
    expect(await add(secret, { CONNECTOR_FOLDERS: "" })).toMatchObject({ code: 0, stderr: "" });
    // The connector was added before the setting.
    const { code, stdout } = await run(["sync", "shop", "--wait", "--json"]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, status: "failed", assets_discovered: 0 });
  });

  it("An impact on the command line reads its manifest anywhere", async () => {
    expect(await add(allowed)).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["sync", "shop", "--wait"])).toMatchObject({ code: 0 });
    const ended = await run(["impact", "--against", "shop", "--manifest", join(secret, "manifest.json")]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
  });
});

const startUnset = async (): Promise<RunningApp> => {
  const running = await startApp({ env: { CONNECTOR_FOLDERS: "", DATA_DIR: join(root, "data") } });
  onTestFinished(() => running.close());
  return running;
};
const addHere = (folder: string, env: Record<string, string> = {}): Promise<Ended> =>
  runCommandHere(["connector", "add", "dbt", "--name", "shop", "--option", `target=${folder}`], env);

describe("without CONNECTOR_FOLDERS", () => {
  it("Without CONNECTOR_FOLDERS, a connector over the network reads no folder, and the refusal says what to set", async () => {
    const admin = createGraphqlClient(await startUnset());
    for (const test of [true, false]) {
      const input = { type: "dbt", name: "shop", options: { target: allowed }, test };
      expect((await admin(CREATE, { input })).message).toMatch(
        /^options\.target: is outside .* CONNECTOR_FOLDERS on the server$/,
      );
    }
  });

  it("Without CONNECTOR_FOLDERS, an older connector reads no folder either", async () => {
    const running = await startUnset();
    const { status } = await crawl(running, await addUnlimited(running, "old", join(secret, "manifest.json")));
    expect(status).toBe("failed");
  });

  it("The command line on the data folder permits the paths that it names, and the server reads only those", async () => {
    const running = await startUnset();
    const data = { DATA_DIR: join(root, "data") };
    expect(await addHere(allowed, data)).toMatchObject({ code: 0, stderr: "" });
    const { id: workspaceId } = await getDefaultWorkspace(running.app.metadata);
    const { id } = present(await running.app.metadata.connectors.findByName(workspaceId, "shop"));
    expect((await crawl(running, id)).status).toBe("completed");
    const admin = createGraphqlClient(running);
    expect((await admin(UPDATE, { input: { id, options: { target: secret } } })).message).toContain(REFUSED);
  });

  it("The command line with the server's address beside its data folder permits the paths that it names, too", async () => {
    const running = await startUnset();
    const env = { TRIBUTARY_URL: running.url.replace("127.0.0.1", "localhost"), TRIBUTARY_TOKEN: running.token };
    expect(await addHere(allowed, { ...env, DATA_DIR: join(root, "elsewhere") })).toMatchObject({ code: 2 });
    expect(await addHere(allowed, { ...env, DATA_DIR: join(root, "data") })).toMatchObject({ code: 0, stderr: "" });
  });

  it("The command line permits nothing for a remote service", async () => {
    const running = await startUnset();
    const other = await startApp({ env: { CONNECTOR_FOLDERS: "" } });
    onTestFinished(() => other.close());
    const env = { TRIBUTARY_URL: other.url, TRIBUTARY_TOKEN: other.token, DATA_DIR: join(root, "data") };
    expect(await addHere(allowed, env)).toMatchObject({ code: 2 });
    const input = { type: "dbt", name: "shop", options: { target: allowed }, test: false };
    expect((await createGraphqlClient(running)(CREATE, { input })).message).toContain(REFUSED);
  });

  it("The data folder can never be permitted", async () => {
    const running = await startUnset();
    const ended = await addHere(join(root, "data"), { DATA_DIR: join(root, "data") });
    expect(ended).toMatchObject({ code: 2, stderr: `options.target: ${REFUSED}\n` });
    expect((await createGraphqlClient(running)("{ health { status } }")).message).toBe("");
  });
});
