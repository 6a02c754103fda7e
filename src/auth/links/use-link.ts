/** Reads one-time links, and uses them: a link sets a password once, and logs the person in. */
import { isEmailAddress } from "../../catalog/email.ts";
import { latestFrom } from "../../clock.ts";
import { badField } from "../../errors.ts";
import type { User } from "../../metadata/records.ts";
import type { LoginLink } from "../../metadata/login-records.ts";
import type { Repositories } from "../../metadata/store.ts";
import type { Caller } from "../../work/caller.ts";
import { invalidLink } from "../logins/login-error.ts";
import type { LoginParts } from "../logins/login-parts.ts";
import { parseName } from "../names.ts";
import { requireGoodPassword } from "../passwords/rules.ts";
import { isSecretValue, lookupOf } from "../sessions/cookie-value.ts";
import { type Browser, openSession } from "../sessions/open.ts";

export interface LinkUse {
  token: string;
  /** Null: the name stays as it is. */
  name: string | null;
  /** Only for the first admin, whose address nobody knows yet. */
  email: string | null;
  password: string;
}

/** @throws LoginError `invalid_link` if it is unknown, used or too old, or its maker may no longer make links */
export async function readLink({ store, clock }: LoginParts, token: string): Promise<LoginLink> {
  return getLink(store, clock.now(), token);
}

/**
 * Sets the password that the link is for, and logs the person in. The first admin and an invited person are added.
 * The person's other sessions end.
 * @returns the value of the session's cookie
 * @throws LoginError `invalid_link`; AppError `bad_request` if the password, the name or the address is not good
 */
export async function useLink(
  parts: LoginParts,
  { token, name: said, email: given, password }: LinkUse,
  browser: Browser,
  { signal }: Pick<Caller, "signal">,
): Promise<string> {
  const { store, clock, hasher, guard } = parts;
  const asked = await getLink(store, clock.now(), token);
  const email = addressFor(asked, given);
  const name = said === null ? null : parseName(said);
  requireGoodPassword(password, email);
  const others = await store.logins.findByAddress(email);
  const like = others.find((other) => other.password !== null)?.password;
  const hash = await hasher.hash(password, { tenant: `link ${asked.id}`, signal }, like ?? null);
  const cookie = await store.transaction(async (nouns) => {
    // If two people use the link at once, the second finds it gone.
    const link = await getLink(nouns, clock.now(), token);
    if (!(await nouns.loginLinks.end(link.id))) throw invalidLink();
    const { user, isNew } = await findOrAdd(nouns, link, email);
    const { workspaceId, id: userId } = user;
    await nouns.logins.setPassword(workspaceId, userId, hash);
    // Clear the SSO binding; the next SSO login sets it.
    if (link.kind === "reset") await nouns.logins.bindIdentity(workspaceId, userId, null);
    if (name !== null) await nouns.logins.setName(workspaceId, userId, name);
    await nouns.sessions.endAll(workspaceId, { userId });
    await nouns.loginLinks.endAll(workspaceId, { email });
    const event = { workspaceId, actor: email, source: browser.source, subject: userId };
    if (isNew) await nouns.audit.append({ action: "user_created", ...event, details: { email, role: user.role } });
    await nouns.audit.append({ action: "password_set", ...event, details: { by: link.kind } });
    return openSession(parts, nouns, { user, sso: false, userIds: [userId] }, browser);
  });
  await guard.noteSuccess({ source: browser.source, email, device: null });
  return cookie;
}

function addressFor({ email }: LoginLink, given: string | null): string {
  if (email !== null && given !== null && given.toLowerCase() !== email.toLowerCase()) {
    throw badField("email", "is not the address that the link is for");
  }
  const address = email ?? given ?? "";
  if (!isEmailAddress(address)) throw badField("email", "must be an e-mail address");
  return address;
}

async function getLink(
  { loginLinks, users }: Pick<Repositories, "loginLinks" | "users">,
  now: Date,
  token: string,
): Promise<LoginLink> {
  const found = await loginLinks.find(lookupOf(token));
  const known = isSecretValue(token, found);
  if (found === null || !known) throw invalidLink();
  const { link } = found;
  // A link from the future was made before the clock was set back, and would last too long.
  if (link.expiresAt <= now.toISOString() || link.createdAt > latestFrom(now)) throw invalidLink();
  if (link.createdBy === null) return link;
  const maker = await users.findById(link.workspaceId, link.createdBy);
  // A link works only while its maker may make links.
  if (maker === null || maker.disabledAt !== null || maker.role !== "admin") throw invalidLink();
  return link;
}

/** @throws LoginError `invalid_link` if what the link is for has changed in the meantime */
async function findOrAdd(
  nouns: Repositories,
  { workspaceId, kind, role }: LoginLink,
  email: string,
): Promise<{ user: User; isNew: boolean }> {
  const user = await nouns.users.findByAddress(workspaceId, email);
  if (user?.disabledAt != null) throw invalidLink();
  if (kind === "reset") {
    if (user === null) throw invalidLink();
    return { user, isNew: false };
  }
  if (kind === "first_admin" && (await nouns.logins.hasAdmin(workspaceId))) throw invalidLink();
  if (user === null) return { user: await nouns.users.create({ workspaceId, email, role }), isNew: true };
  if (user.hasPassword || user.sso) throw invalidLink();
  return { user: user.role === role ? user : await nouns.users.setRole(workspaceId, user.id, role), isNew: false };
}
