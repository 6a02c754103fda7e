/** The links by which somebody becomes the first admin of a workspace to which nobody can log in. */
import type { App } from "../../app.ts";
import { makeFirstAdminLink } from "../../auth/links/make-links.ts";
import { isShared } from "../../stores.ts";
import type { Workspace } from "../../metadata/records.ts";

export interface FirstAdminLink {
  workspace: Workspace;
  /** The address. It is not stored. */
  url: string;
}

/** Several servers that share a metadata store may start at the same time. */
const SAME_START_MS = 60_000;

/**
 * Makes a link for each workspace that needs one. Links of earlier starts end. If another server of the same store has
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
