/** Lets people who are logged in change their own password. */
import { AppError, badField } from "../../errors.ts";
import type { Caller } from "../../work/caller.ts";
import { requireGoodPassword, requirePossiblePassword } from "../passwords/rules.ts";
import type { SessionPrincipal } from "../sessions/authenticate.ts";
import { unauthorized } from "../unauthorized.ts";
import type { LoginParts } from "./login-parts.ts";

/**
 * Changes the password in all workspaces that the session's login was good for and that have the same one. The person's
 * other sessions end there.
 * @throws AppError `bad_request` if the present password is wrong or the new one is not good; `conflict` if the person
 *   has no password; `rate_limited` while the address or the client is locked out
 */
export async function changePassword(
  { store, hasher, guard }: LoginParts,
  { session, actor, workspace }: SessionPrincipal,
  { current, next, source }: { current: string; next: string; source: string },
  caller: Caller,
): Promise<void> {
  const attempt = { source, email: actor.name, device: session.id };
  requirePossiblePassword(current, "current");
  requireGoodPassword(next, actor.name, "next");
  await guard.refuseBlocked(attempt);
  const users = (await store.logins.findByAddress(actor.name)).filter(({ user }) => session.userIds.includes(user.id));
  const self = users.find(({ user }) => user.id === session.userId);
  if (self === undefined) throw unauthorized();
  if (self.password === null) throw new AppError("conflict", "You have no password: you log in by single sign-on.");
  const matches = await hasher.compare(
    current,
    users.map(({ password }) => password),
    caller,
  );
  await guard.refuseBlocked(attempt);
  const changed = users.filter((_, index) => matches[index]);
  if (!changed.includes(self)) {
    await guard.noteFailure(attempt, [self]);
    throw badField("current", "is not your password");
  }
  const password = await hasher.hash(next, caller, self.password);
  await store.transaction(async (nouns) => {
    if ((await nouns.sessions.findById(workspace.id, session.id)) === null) throw unauthorized();
    // A reset may have set another one while the hashes were computed.
    const still = await nouns.logins.findByAddress(actor.name);
    const unchanged = changed.filter((own) =>
      still.some(({ user, password: present }) => user.id === own.user.id && present === own.password),
    );
    if (!unchanged.includes(self)) throw unauthorized();
    for (const { user } of unchanged) {
      const { workspaceId, id: userId } = user;
      await nouns.logins.setPassword(workspaceId, userId, password);
      await nouns.sessions.endAll(workspaceId, { userId, except: session.id });
      const details = { by: "the person" };
      await nouns.audit.append({
        workspaceId,
        action: "password_set",
        actor: actor.name,
        source,
        subject: userId,
        details,
      });
    }
  });
  await guard.noteSuccess(attempt);
}
