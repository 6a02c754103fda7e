/** Invitations that nobody has used yet. */
import { notFound } from "../../errors.ts";
import type { LinkId, WorkspaceId } from "../../ids.ts";
import type { LoginLink } from "../../metadata/login-records.ts";
import type { Role, User } from "../../metadata/records.ts";
import { type AuthParts, change } from "../change.ts";
import type { Origin } from "../origin.ts";

export interface Invitation {
  id: LinkId;
  email: string;
  role: Role;
  /** Who invited the person; null if that user no longer exists. */
  invitedBy: User | null;
  createdAt: string;
  expiresAt: string;
  /** Whether the link still works: it is not too old, and its maker is still an admin. */
  works: boolean;
}

/** Oldest first. An invitation whose link has ended is listed for 30 more days. */
export async function listInvitations(
  { store, clock }: Pick<AuthParts, "store" | "clock">,
  workspaceId: WorkspaceId,
): Promise<Invitation[]> {
  const links = await store.loginLinks.listInvitations(workspaceId);
  const makers = await store.users.loadByIds(
    workspaceId,
    links.flatMap(({ createdBy }) => createdBy ?? []),
  );
  const byId = new Map(makers.map((maker) => [maker?.id, maker]));
  const now = clock.now().toISOString();
  return links.map(({ createdBy, ...link }) => toInvitation(link, byId.get(createdBy ?? undefined) ?? null, now));
}

/**
 * Ends an invitation's link before anybody has used it.
 * @throws AppError `not_found` if there is none, such as one that was used
 */
export async function cancelInvitation({ store }: AuthParts, origin: Origin, id: LinkId): Promise<void> {
  await change(store, origin, async ({ loginLinks }, note) => {
    const found = (await loginLinks.listInvitations(origin.workspace.id)).find((link) => link.id === id);
    if (found === undefined) throw notFound("invitation", id);
    await loginLinks.end(id);
    await note("invitation_cancelled", id, { email: found.email });
  });
}

function toInvitation(
  { id, email, role, createdAt, expiresAt }: Omit<LoginLink, "createdBy">,
  invitedBy: User | null,
  now: string,
): Invitation {
  const mayInvite = invitedBy !== null && invitedBy.disabledAt === null && invitedBy.role === "admin";
  return { id, email: email ?? "", role, invitedBy, createdAt, expiresAt, works: mayInvite && expiresAt > now };
}
