/** Service accounts and their client secrets. */
import type { Clock } from "../clock.ts";
import { notFound } from "../errors.ts";
import type { AccountId, SecretId } from "../ids.ts";
import type { ClientSecret, Role, ServiceAccount } from "../metadata/records.ts";
import type { SecurityRepositories } from "../metadata/store.ts";
import { type AuthParts, change } from "./change.ts";
import { DAY_SECONDS, requireExpiry, secondsFrom } from "./lifetime.ts";
import { parseName } from "./names.ts";
import type { Origin } from "./origin.ts";
import { createClientId, createClientSecret, hashToken } from "./token.ts";

/**
 * Creates an account with its first secret. The secret is returned here and cannot be read later.
 * @param request.expiresInDays one of `EXPIRY_DAYS`, counted for the secret; null: it never expires
 * @throws AppError `bad_request` if the name or expiry is not valid, `conflict` if the name is taken
 */
export async function createServiceAccount(
  { store, clock, random }: AuthParts,
  origin: Origin,
  { name: said, role, expiresInDays = null }: { name: string; role: Role; expiresInDays?: number | null | undefined },
): Promise<{ account: ServiceAccount; clientSecret: string }> {
  const name = parseName(said);
  const expiresAt = expiryOf(expiresInDays, clock);
  const workspaceId = origin.workspace.id;
  const clientSecret = createClientSecret(random);
  return change(store, origin, async (nouns, note) => {
    const account = await nouns.accounts.create({ workspaceId, name, role, clientId: createClientId(random) });
    const secret = await nouns.accounts.addSecret(workspaceId, account.id, {
      ...hashToken(clientSecret, random),
      expiresAt,
    });
    await note("account_created", account.id, { name, role, secretId: secret.id, ...(expiresAt && { expiresAt }) });
    return { account, clientSecret };
  });
}

/**
 * Adds a second secret. The first one stays valid until it is revoked, so a rotation needs no downtime.
 * @param expiresInDays one of `EXPIRY_DAYS`; null: it never expires
 * @throws AppError `not_found`; `bad_request` if the expiry is not valid; `conflict` if there are already two valid secrets
 */
export async function rotateClientSecret(
  { store, clock, random }: AuthParts,
  origin: Origin,
  accountId: AccountId,
  expiresInDays: number | null = null,
): Promise<{ secret: ClientSecret; clientSecret: string }> {
  const expiresAt = expiryOf(expiresInDays, clock);
  const clientSecret = createClientSecret(random);
  return change(store, origin, async (nouns, note) => {
    const kept = { ...hashToken(clientSecret, random), expiresAt };
    const secret = await nouns.accounts.addSecret(origin.workspace.id, accountId, kept);
    await note("secret_created", accountId, { secretId: secret.id, ...(expiresAt && { expiresAt }) });
    return { secret, clientSecret };
  });
}

/**
 * Revokes a secret: no new token is issued for it. Tokens that were already issued stay valid.
 * @throws AppError `not_found`
 */
export async function revokeClientSecret({ store }: AuthParts, origin: Origin, id: SecretId): Promise<ClientSecret> {
  return change(store, origin, async (nouns, note) => {
    const secret = await nouns.accounts.findSecretById(origin.workspace.id, id);
    if (secret === null) throw notFound("secret", id);
    if (secret.revokedAt !== null) return secret;
    await note("secret_revoked", secret.accountId, { secretId: id });
    return nouns.accounts.revokeSecret(origin.workspace.id, id);
  });
}

/**
 * Sets the account's role. It limits the account's tokens and keys from the next request on.
 * @throws AppError `not_found`
 */
export async function setAccountRole(
  { store }: AuthParts,
  origin: Origin,
  { id, role }: { id: AccountId; role: Role },
): Promise<ServiceAccount> {
  return change(store, origin, async (nouns, note) => {
    const account = await getAccount(nouns, origin, id);
    if (account.role === role) return account;
    await note("account_changed", id, { role: { from: account.role, to: role } });
    return nouns.accounts.setRole(origin.workspace.id, id, role);
  });
}

/**
 * Disables or enables an account. A disabled account gets no tokens, and its existing tokens are refused at once.
 * @throws AppError `not_found`
 */
export async function setAccountDisabled(
  { store }: AuthParts,
  origin: Origin,
  { id, disabled }: { id: AccountId; disabled: boolean },
): Promise<ServiceAccount> {
  return change(store, origin, async (nouns, note) => {
    const account = await getAccount(nouns, origin, id);
    if ((account.disabledAt !== null) === disabled) return account;
    await note("account_changed", id, { disabled: { from: !disabled, to: disabled } });
    return nouns.accounts.setDisabled(origin.workspace.id, id, disabled);
  });
}

/**
 * Removes an account for good, with its secrets. Its tokens and the keys that it made are refused from the next request
 * on.
 * @throws AppError `not_found`
 */
export async function removeServiceAccount({ store }: AuthParts, origin: Origin, id: AccountId): Promise<void> {
  await change(store, origin, async (nouns, note) => {
    const { name, clientId } = await getAccount(nouns, origin, id);
    // Its keys stay in the list of keys, as revoked ones.
    const revoked = await nouns.security.revokeAll(origin.workspace.id, id);
    await nouns.accounts.remove(origin.workspace.id, id);
    await note("account_removed", id, { name, clientId, ...revoked });
  });
}

/** @throws AppError `not_found` */
export async function getAccount(
  { accounts }: SecurityRepositories,
  { workspace }: Origin,
  id: AccountId,
): Promise<ServiceAccount> {
  const account = await accounts.findById(workspace.id, id);
  if (account === null) throw notFound("account", id);
  return account;
}

/** @throws AppError `bad_request` */
function expiryOf(days: number | null, clock: Clock): string | null {
  requireExpiry(days);
  return days === null ? null : secondsFrom(clock.now(), days * DAY_SECONDS);
}
