/** The first start: creates a workspace, the sample and a key. */
import type { App } from "../../app.ts";
import { createFirstApiKey } from "../../auth/api-keys.ts";
import { fromOperator } from "../../auth/origin.ts";
import { SCOPES, type Sync, type Workspace } from "../../metadata/records.ts";
import { makeFirstAdminLink } from "../../auth/links/make-links.ts";
import { isShared } from "../../stores.ts";
import { getDefaultWorkspace, getFirstAdmin } from "./workspace.ts";
import { isSample, loadSample } from "./sample.ts";

export interface FirstStart {
  workspace: Workspace;
  /** A token with all scopes. It is not stored. */
  token: string;
  /** The sync of the sample; null if the settings switch the sample off, or the workspace is not new. */
  sample: Sync | null;
}

/**
 * Creates the workspace `default`, loads the sample, and creates the first key. Of several servers that start at the same
 * time, each waits for the sample, and one creates the key.
 * The key comes last. If a first start is interrupted, there is no key, so the next start does the rest.
 * @param onProgress called with the progress of the sample's crawl
 * @returns null if the workspace already has a key, or another server was quicker
 */
export async function makeFirstStart(app: App, onProgress: (sync: Sync) => void): Promise<FirstStart | null> {
  const { metadata: store, clock, random } = app;
  const workspace = await getDefaultWorkspace(store);
  const keys = await store.keys.list(workspace.id);
  if (keys.length > 0) return null;
  const admin = await getFirstAdmin(store, workspace);
  const isForSample = app.settings.sample && (await isNew(app, workspace));
  const sample = isForSample ? await loadSample(app, workspace, onProgress) : null;
  const made = await createFirstApiKey({ store, clock, random }, fromOperator(workspace, admin), {
    name: "first start",
    scopes: SCOPES,
    expiresInDays: null,
    kind: "live",
  });
  return made && { workspace, token: made.token, sample };
}

/** Whether the workspace was not imported, and has no source, except for the sample of a first start that was cut short. */
async function isNew({ metadata: { audit, connectors } }: App, { id }: Workspace): Promise<boolean> {
  const [sources, imports] = await Promise.all([
    connectors.list(id, { after: null, limit: 2 }),
    audit.list(id, { action: "workspace_imported", after: null, limit: 1 }),
  ]);
  return sources.items.every(isSample) && imports.items.length === 0;
}

interface FirstAdminLink {
  workspace: Workspace;
  /** The address. It is not stored. */
  url: string;
}

/** Several servers that share a metadata store may start at the same time. */
const SAME_START_MS = 60_000;

/**
 * Makes a link for each workspace to which nobody can log in, by which somebody becomes its first admin. Links of earlier starts end. If another server of the same store has
 * just made one, that one counts.
 */
export async function makeFirstAdminLinks({ metadata, logins, settings, clock }: App): Promise<FirstAdminLink[]> {
  const keepFrom = isShared(settings) ? new Date(clock.now().getTime() - SAME_START_MS) : null;
  const links: FirstAdminLink[] = [];
  for (const workspace of await metadata.workspaces.list()) {
    const made = await makeFirstAdminLink(logins, workspace, keepFrom);
    if (made !== null) links.push({ workspace, url: made.url });
  }
  return links;
}
