/** What the first start does so that there is something to look at, and a key to look with. */
import type { App } from "../app.ts";
import { createApiKey } from "../auth/api-keys.ts";
import { fromOperator } from "../auth/origin.ts";
import { SCOPES, type Sync, type Workspace } from "../metadata/records.ts";
import { getDefaultWorkspace, getFirstAdmin } from "./workspace.ts";
import { loadSample } from "./sample.ts";

export interface FirstStart {
  workspace: Workspace;
  /** With every scope; nothing keeps it. */
  token: string;
  /** How the sample's crawl went; null where the settings do not want it. */
  sample: Sync | null;
}

/**
 * Establishes the workspace `default`, loads the sample, and makes the first key.
 * The key comes last: a first start that was cut short has none, and the next start takes up what is left to do.
 * @param onProgress told of the sample's crawl while it is under way
 * @returns null where the workspace had a key before
 */
export async function makeFirstStart(app: App, onProgress: (sync: Sync) => void): Promise<FirstStart | null> {
  const { metadata: store, clock, random } = app;
  const workspace = await getDefaultWorkspace(store);
  const keys = await store.keys.list(workspace.id);
  if (keys.length > 0) return null;
  const admin = await getFirstAdmin(store, workspace);
  const sample = app.settings.sample ? await loadSample(app, workspace, onProgress) : null;
  const { token } = await createApiKey({ store, clock, random }, fromOperator(workspace, admin), {
    name: "first start",
    scopes: SCOPES,
    expiresInDays: null,
    kind: "live",
  });
  return { workspace, token, sample };
}
