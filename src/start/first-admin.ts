/** The links by which somebody becomes the first admin of a workspace to which nobody can log in. */
import type { App } from "../app.ts";
import { makeFirstAdminLink } from "../auth/links/make-links.ts";
import type { Workspace } from "../metadata/records.ts";

export interface FirstAdminLink {
  workspace: Workspace;
  /** The address. It is not stored. */
  url: string;
}

/** Makes a link for each workspace that needs one. Links of earlier starts end. */
export async function makeFirstAdminLinks({ metadata, logins }: App): Promise<FirstAdminLink[]> {
  const links: FirstAdminLink[] = [];
  for (const workspace of await metadata.workspaces.list()) {
    const made = await makeFirstAdminLink(logins, workspace);
    if (made !== null) links.push({ workspace, url: made.url });
  }
  return links;
}
