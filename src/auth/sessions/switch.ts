/** Lets a session work for another workspace that its login was good for. */
import { AppError } from "../../errors.ts";
import { requireAllowedSource } from "../allowed-source.ts";
import type { AuthParts } from "../change.ts";
import { isAt } from "../logins/log-in.ts";
import { unauthorized } from "../unauthorized.ts";
import type { SessionPrincipal } from "./authenticate.ts";
import { createSecretValue } from "./cookie-value.ts";

/**
 * The session gets a new cookie, and with it a new CSRF token. So a page of the earlier workspace in another tab cannot
 * change anything in this workspace.
 * @param workspace its id or name
 * @returns the value of the cookie; null if the session works for this workspace already
 * @throws AppError `not_found` for a workspace that the login does not open, or no more; `forbidden` if the workspace
 *   accepts nobody from this address; `unauthorized` if the session has ended meanwhile
 */
export async function switchWorkspace(
  { store, random }: AuthParts,
  { session, actor, workspace: present }: SessionPrincipal,
  workspace: string,
  source: string,
): Promise<string | null> {
  return store.transaction(async (nouns) => {
    const chosen = (await nouns.logins.listProven(session)).find((each) => isAt(each, workspace));
    if (chosen === undefined) throw new AppError("not_found", "This login does not open that workspace. Log in to it.");
    const { id: workspaceId } = chosen.workspace;
    if (workspaceId === present.id) return null;
    requireAllowedSource(source, await nouns.security.get(workspaceId));
    const { id: userId, email } = chosen.user;
    const { value, stored } = createSecretValue(random);
    if (!(await nouns.sessions.move(session.id, session.userId, { workspaceId, userId, ...stored }))) {
      throw unauthorized();
    }
    await nouns.logins.noteLogin(workspaceId, userId);
    const event = { source, subject: session.id };
    const by = "switch of workspace";
    await nouns.audit.append({
      ...event,
      workspaceId: present.id,
      action: "logged_out",
      actor: actor.name,
      details: { by },
    });
    await nouns.audit.append({ ...event, workspaceId, action: "logged_in", actor: email, details: { userId, by } });
    return value;
  });
}
