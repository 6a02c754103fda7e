/** Logs people in with an e-mail address and a password. */
import type { LoginUser } from "../../metadata/logins.ts";
import type { Caller } from "../../work/caller.ts";
import { type HashCaller, isOutdated } from "../passwords/hash.ts";
import { requirePossiblePassword } from "../passwords/rules.ts";
import { type Browser, openSession } from "../sessions/open.ts";
import { invalidLogin } from "./login-error.ts";
import type { LoginParts } from "./login-parts.ts";

export interface LoginRequest {
  email: string;
  password: string;
  /** The id or name of a workspace. Null: of the workspaces that accept the password, the one that was last used. */
  workspace: string | null;
  /** The cookie of a browser in which the person logged in before; null if there is none. */
  device: string | null;
}

/**
 * It takes the same steps for an unknown address, a wrong password and a disabled user, so that nothing tells them
 * apart.
 * @param stranger the caller, unless the browser is recognised: then it takes turns by the e-mail address
 * @returns the value of the session's cookie
 * @throws LoginError `invalid_login`; AppError `rate_limited` while the address or the client is locked out, and the
 *   errors of `openSession` and of the hasher
 */
export async function logIn(
  parts: LoginParts,
  { email, password, workspace, device: deviceCookie }: LoginRequest,
  browser: Browser,
  stranger: Caller,
): Promise<string> {
  const { store, hasher, guard, devices } = parts;
  const device = devices.recognise(deviceCookie, email);
  const attempt = { source: browser.source, email, device };
  const caller: HashCaller =
    device === null ? { ...stranger, isStranger: true } : { ...stranger, tenant: `login of ${email.toLowerCase()}` };
  requirePossiblePassword(password);
  await guard.refuseBlocked(attempt);
  const users = await store.logins.findByAddress(email);
  const matches = await hasher.compare(
    password,
    users.map((each) => each.password),
    caller,
  );
  // Others may have failed in the meantime. Otherwise, requests that come at once could try many passwords.
  await guard.refuseBlocked(attempt);
  const own = users.filter((_, index) => matches[index]);
  const chosen = own.find((each) => isAt(each, workspace));
  if (chosen === undefined) {
    await guard.noteFailure(attempt, users);
    throw invalidLogin();
  }
  const outdated = chosen.password !== null && isOutdated(chosen.password);
  const like = users.find((each) => each.password !== null && !isOutdated(each.password))?.password ?? null;
  const anew = outdated ? await hasher.hash(password, caller, like) : null;
  const cookie = await store.transaction(async (nouns) => {
    // The user may have been disabled, or the password changed, while the hash was computed.
    const still = (await nouns.logins.findByAddress(email)).find(({ user }) => user.id === chosen.user.id);
    if (still === undefined || still.password !== chosen.password) throw invalidLogin();
    if (anew !== null) await nouns.logins.setPassword(still.workspace.id, still.user.id, anew);
    const userIds = own.map(({ user }) => user.id);
    return openSession(parts, nouns, { user: still.user, sso: false, userIds }, browser);
  });
  await guard.noteSuccess(attempt);
  return cookie;
}

export function isAt({ workspace: { id, name } }: Pick<LoginUser, "workspace">, wanted: string | null): boolean {
  return wanted === null || id === wanted || name === wanted;
}
