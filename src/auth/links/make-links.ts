/** The occasions for one-time links: the first admin of a workspace, an invitation, and a password that was forgotten. */
import { isEmailAddress } from "../../catalog/email.ts";
import { AppError, badField } from "../../errors.ts";
import type { UserId } from "../../ids.ts";
import type { Role, Workspace } from "../../metadata/records.ts";
import { change } from "../change.ts";
import type { Origin } from "../origin.ts";
import { scopesOf } from "../permissions.ts";
import { getUser } from "../users.ts";
import { type LinkParts, type MadeLink, makeLink } from "./link.ts";

/**
 * Makes the link for the first admin, if no admin can log in to the workspace. Older ones end.
 * @param keepFrom a link that was made after this time is kept. Null: none is.
 * @returns null if an admin can log in, or if there is such a link
 */
export async function makeFirstAdminLink(
  parts: LinkParts,
  { id: workspaceId }: Workspace,
  keepFrom: Date | null = null,
): Promise<MadeLink | null> {
  return parts.store.transaction(async (nouns) => {
    if (await nouns.logins.hasAdmin(workspaceId)) return null;
    if (keepFrom !== null && (await nouns.loginLinks.hasSince(workspaceId, "first_admin", keepFrom))) return null;
    return makeLink(parts, nouns, { workspaceId, kind: "first_admin", email: null, role: "admin", createdBy: null });
  });
}

/**
 * Invites a person. Nobody is added before the link is used.
 * @throws AppError `forbidden` for a service account and for a token with fewer scopes than an admin's; `bad_request` if
 *   the address is not valid; `conflict` if somebody has it who can log in or is disabled
 */
export async function invitePerson(
  parts: LinkParts,
  origin: Origin,
  { email, role }: { email: string; role: Role },
): Promise<MadeLink> {
  const createdBy = requireMaker(origin);
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
      createdBy,
    });
    await note("person_invited", made.link.id, { email, role });
    return made;
  });
}

/**
 * Makes a link by which a person sets a new password. The present one stays valid until then.
 * @throws AppError `forbidden` as above; `not_found`; `conflict` if the person is disabled
 */
export async function makeResetLink(parts: LinkParts, origin: Origin, userId: UserId): Promise<MadeLink> {
  const createdBy = requireMaker(origin);
  return change(parts.store, origin, async (nouns, note) => {
    const { id: workspaceId } = origin.workspace;
    const { email, role, disabledAt } = await getUser(nouns, origin, userId);
    if (disabledAt !== null) throw new AppError("conflict", `${email} is disabled.`);
    const made = await makeLink(parts, nouns, { workspaceId, kind: "reset", email, role, createdBy });
    await note("reset_link_created", userId, { email });
    return made;
  });
}

/**
 * The admin who makes the link. Whoever uses a link logs in with all rights of the person, so a service account or a key
 * with fewer scopes must not make one.
 * @throws AppError `forbidden`
 */
function requireMaker({ actor, scopes }: Origin): UserId {
  if (actor.kind === "user" && scopesOf("admin").isSubsetOf(scopes)) return actor.id;
  throw new AppError(
    "forbidden",
    "This needs a login, or a token with all scopes of an admin; service accounts cannot do this.",
  );
}
