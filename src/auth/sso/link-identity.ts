/**
 * Finds the users of a person who comes from the provider, binds users to the person, and adds new people.
 *
 * A user is bound to the person's identity (issuer and subject), because addresses change hands. A user who is not
 * bound yet is bound by the address, if the provider has verified it and its domain is one that the provider answers
 * for. From then on the person logs in there alone: a password that the user had ends, because somebody else may have
 * set it.
 */
import type { Logger } from "pino";

import { AppError } from "../../errors.ts";
import type { LoginUser } from "../../metadata/logins.ts";
import type { Workspace } from "../../metadata/records.ts";
import type { MetadataStore, Repositories } from "../../metadata/store.ts";
import { notAllowed } from "../logins/login-error.ts";
import type { SsoPerson } from "./person.ts";

interface LinkIdentityParts {
  store: MetadataStore;
  log: Pick<Logger, "warn">;
  /** The name of the workspace that new people join. */
  workspace: string;
}

/**
 * @param source the address that the request came from
 * @returns the person's users, the one who last logged in first; at least one
 * @throws LoginError `sso_not_allowed` if nobody is bound to the person and the person may not join
 */
export async function linkIdentity(
  { store, log, workspace: name }: LinkIdentityParts,
  person: SsoPerson,
  source: string,
): Promise<LoginUser[]> {
  const home = await store.workspaces.findByName(name);
  if (home === null) log.warn({ workspace: name }, "OIDC_WORKSPACE names no workspace: nobody new can join");
  await store.transaction(async (nouns) => {
    const bound = await nouns.logins.findByIdentity(person.identity);
    const bindable = person.email === null ? [] : await nouns.logins.findByAddress(person.email);
    // A disabled user must not regain access by another e-mail address.
    const joined = new Set(bound.map(({ workspace }) => workspace.id));
    const free = bindable.filter(({ workspace, identity }) => !joined.has(workspace.id) && isFree(identity, person));
    for (const each of free) await bind(nouns, each, person, source);
    if (bound.every(isDisabled) && free.length === 0) await join(nouns, home, person, source);
  });
  if (home !== null && person.role !== null) await setRole(store, home, person, source, log);
  const users = await store.logins.findByIdentity(person.identity);
  return users.filter((each) => !isDisabled(each));
}

function isDisabled({ user }: LoginUser): boolean {
  return user.disabledAt !== null;
}

/** There is one provider at a time. A binding to an earlier provider no longer counts. */
function isFree(identity: LoginUser["identity"], person: SsoPerson): boolean {
  return identity === null || identity.issuer !== person.identity.issuer;
}

async function bind(nouns: Repositories, { user }: LoginUser, person: SsoPerson, source: string): Promise<void> {
  const { workspaceId, id, email } = user;
  await nouns.logins.bindIdentity(workspaceId, id, person.identity);
  if (user.hasPassword) {
    await nouns.logins.setPassword(workspaceId, id, null);
    await nouns.sessions.endAll(workspaceId, { userId: id });
  }
  await nouns.loginLinks.endAll(workspaceId, { email });
  if (user.name === "" && person.name !== "") await nouns.logins.setName(workspaceId, id, person.name);
  const details = { issuer: person.identity.issuer, passwordEnded: user.hasPassword };
  await nouns.audit.append({ workspaceId, action: "identity_bound", actor: email, source, subject: id, details });
}

async function join(nouns: Repositories, home: Workspace | null, person: SsoPerson, source: string): Promise<void> {
  const { email, noEmail, name, identity, role } = person;
  const known = await nouns.logins.findByIdentity(identity);
  if (known.some(({ workspace }) => workspace.id === home?.id))
    throw notAllowed("The user of this person is disabled.");
  if (email === null) throw notAllowed(noEmail);
  if (home === null) throw notAllowed("OIDC_WORKSPACE names no workspace, so nobody new can join.");
  if ((await nouns.users.findByAddress(home.id, email)) !== null) {
    throw notAllowed("The user with this address is disabled, or bound to another person of the provider.");
  }
  const user = await nouns.users.create({ workspaceId: home.id, email, name, role: role ?? "analyst" });
  await nouns.logins.bindIdentity(home.id, user.id, identity);
  const details = { email, role: user.role, by: "single sign-on" };
  const event = { workspaceId: home.id, actor: email, source, subject: user.id, details };
  await nouns.audit.append({ action: "user_created", ...event });
}

/**
 * Sets the role that the person's groups give. Groups count only in the workspace that new people join. The admins of
 * other workspaces set roles themselves.
 */
async function setRole(
  store: MetadataStore,
  home: Workspace,
  { identity, role }: SsoPerson,
  source: string,
  log: Pick<Logger, "warn">,
): Promise<void> {
  const found = (await store.logins.findByIdentity(identity)).find(({ workspace }) => workspace.id === home.id);
  if (found === undefined || isDisabled(found) || role === null || found.user.role === role) return;
  const { id, email, role: from } = found.user;
  try {
    await store.transaction(async ({ users, audit }) => {
      await users.setRole(home.id, id, role);
      const details = { role: { from, to: role }, by: "single sign-on" };
      await audit.append({ workspaceId: home.id, action: "user_changed", actor: email, source, subject: id, details });
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    log.warn({ userId: id, role }, "a role that the provider's groups give was not set: it is the last admin");
  }
}
