/** The real service on a free port, with its own data folder, which is removed when it closes. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type App, createApp, type Overrides } from "../../src/app.ts";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../src/auth/origin.ts";
import { establishWorkspace, getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import type { Scope, Workspace } from "../../src/metadata/records.ts";
import { loadSample } from "../../src/cli/start/sample.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { makeOnce } from "./run-folder.ts";
import { sqlLineage } from "./sql-lineage.ts";

export interface RunningApp {
  /** Origin, such as `http://127.0.0.1:49152`. */
  url: string;
  /** A key with every scope, of the workspace `default` or of the workspace that was opened. */
  token: string;
  app: App;
  /** Another key, of the same workspace unless another one is given. */
  createToken(scopes: readonly Scope[], of?: Workspace): Promise<string>;
  /** The same app with a new workspace. For a test this is cheaper than another app. */
  openWorkspace(): Promise<RunningApp>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** Load the sample first. */
  sample?: boolean;
  /** Settings by their names in the environment. */
  env?: Record<string, string>;
  overrides?: Overrides;
}

/** The app logs nothing unless `env` says otherwise. */
export async function startApp({ sample = false, env = {}, overrides = {} }: StartOptions = {}): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-app-"));
  if (sample && keepsAll(env)) await cp(await getSampleFolder(), folder, { recursive: true });
  const settings = settingsOf(folder, env);
  const app = await createApp(settings, { sqlLineage, ...overrides });
  // Tests in which the store comes later start the app themselves.
  if (settings.metadataUrl !== "sqlite:") await app.connected;
  const workspace = await getDefaultWorkspace(app.metadata);
  const url = await app.listen();
  if (sample) await loadSample(app, workspace);
  let opened = 0;

  async function runIn(own: Workspace): Promise<RunningApp> {
    const createToken = async (scopes: readonly Scope[], of = own): Promise<string> => {
      const admin = await getFirstAdmin(app.metadata, of);
      const request = { name: "test", scopes, expiresInDays: null, kind: "live" } as const;
      const parts = { store: app.metadata, clock: app.clock, random: app.random };
      const { token } = await createApiKey(parts, fromCommandLine(of, admin), request);
      return token;
    };
    return {
      url,
      token: await createToken(["read", "write", "admin"]),
      app,
      createToken,
      openWorkspace: async () => runIn(await establishWorkspace(app.metadata, `workspace-${++opened}`, "live")),
      async close() {
        await app.close();
        await rm(folder, { recursive: true });
      },
    };
  }
  return runIn(workspace);
}

/** Whether everything is stored in the data folder, under its own key. */
const keepsAll = (env: Record<string, string>): boolean =>
  ["GRAPH_URL", "METADATA_URL", "SECRET_KEY", "DATA_DIR"].every((name) => env[name] === undefined);

const settingsOf = (folder: string, env: Record<string, string> = {}) =>
  parseSettings({ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent", CONNECTOR_FOLDERS: "/", ...env });

/** A data folder with the sample. It is crawled once in a run, for all tests that start with it. */
const getSampleFolder = (): Promise<string> =>
  makeOnce("sample", async (folder) => {
    const app = await createApp(settingsOf(folder), { sqlLineage });
    await app.listen();
    await loadSample(app, await getDefaultWorkspace(app.metadata));
    await app.close();
  });
