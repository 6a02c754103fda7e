/** The occasions for one-time links: the first admin of a workspace, an invitation, and a password that was forgotten. */
import { isEmailAddress } from "../../catalog/email.ts";
import { AppError, badField } from "../../errors.ts";
import type { UserId } from "../../ids.ts";
import type { Role, Workspace } from "../../metadata/records.ts";
import { change } from "../change.ts";
import type { Origin } from "../origin.ts";
import { getUser } from "../users.ts";
import { type LinkParts, type MadeLink, makeLink } from "./link.ts";

/**
 * Makes the link for the first admin, if nobody can log in to the workspace. Older ones end.
 * @returns null if somebody can
 */
export async function makeFirstAdminLink(parts: LinkParts, { id: workspaceId }: Workspace): Promise<MadeLink | null> {
  return parts.store.transaction(async (nouns) => {
    if (await nouns.logins.hasAny(workspaceId)) return null;
    return makeLink(parts, nouns, { workspaceId, kind: "first_admin", email: null, role: "admin", createdBy: null });
  });
}

/**
 * Invites a person. Nobody is added before the link is used.
 * @throws AppError `bad_request` if the address is not valid; `conflict` if somebody has it who can log in or is disabled
 */
export async function invitePerson(
  parts: LinkParts,
  origin: Origin,
  { email, role }: { email: string; role: Role },
): Promise<MadeLink> {
  if (!isEmailAddress(email)) throw badField("email", "must be an e-mail address");
  return change(parts.store, origin, async (nouns, note) => {
    const { id: workspaceId } = origin.workspace;
    const found = await nouns.users.findByAddress(workspaceId, email);
    if (found !== null && (found.hasPassword || found.sso || found.disabledAt !== null)) {
      throw new AppError(
        "conflict",
        `${email} is in this workspace already. Enable the person, or reset the password.`,
      );
    }
    const made = await makeLink(parts, nouns, {
      workspaceId,
      kind: "invitation",
      email,
      role,
      createdBy: makerOf(origin),
    });
    await note("person_invited", made.link.id, { email, role });
    return made;
  });
}

/**
 * Makes a link by which a person sets a new password. The present one stays valid until then.
 * @throws AppError `not_found`; `conflict` if the person is disabled
 */
export async function makeResetLink(parts: LinkParts, origin: Origin, userId: UserId): Promise<MadeLink> {
  return change(parts.store, origin, async (nouns, note) => {
    const { id: workspaceId } = origin.workspace;
    const { email, role, disabledAt } = await getUser(nouns, origin, userId);
    if (disabledAt !== null) throw new AppError("conflict", `${email} is disabled.`);
    const made = await makeLink(parts, nouns, { workspaceId, kind: "reset", email, role, createdBy: makerOf(origin) });
    await note("reset_link_created", userId, { email });
    return made;
  });
}

/** The admin who makes the link. A service account's links are not bound to it, because only people are. */
function makerOf({ actor }: Origin): UserId | null {
  return actor.kind === "user" ? actor.id : null;
}
