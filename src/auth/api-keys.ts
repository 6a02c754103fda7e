/** Creates, renames and revokes API keys. */
import { parseCidrs } from "../addresses/allowlist.ts";
import { AppError, badField, notFound } from "../errors.ts";
import type { AccountId, TokenId, UserId } from "../ids.ts";
import type { ApiKey, Scope, ServiceAccount } from "../metadata/records.ts";
import type { SecurityRepositories, Repositories } from "../metadata/store.ts";
import { type AuthParts, change, type Note } from "./change.ts";
import { DAY_SECONDS, keySeconds, requireExpiry, secondsFrom } from "./lifetime.ts";
import { parseName } from "./names.ts";
import type { Origin } from "./origin.ts";
import { scopesOf } from "./permissions.ts";
import { getAccount } from "./service-accounts.ts";
import { createToken, hashToken, lookupPrefix, type TokenKind, WORKSPACE_OF_TOKEN } from "./token.ts";

export interface ApiKeyRequest {
  /** A name for people. */
  name: string;
  scopes: readonly Scope[];
  /** One of `EXPIRY_DAYS`. Null: it never expires. */
  expiresInDays: number | null;
  kind: TokenKind;
  /** CIDRs from which the key is accepted. None: from everywhere that the workspace accepts. */
  networks?: readonly string[];
  /** The service account to which the key belongs. Left out: the origin's actor. */
  accountId?: AccountId | undefined;
}

/**
 * Creates a key that belongs to the origin's actor or to a service account. The token is returned here and cannot be read later.
 * The key expires at the latest after the workspace's maximum lifetime.
 * @throws AppError `bad_request` if the kind does not fit the workspace, the name or expiry is not valid, or there is
 *   no scope, a network is no CIDR, or the account's role lacks a scope; `forbidden` for scopes that the origin does not
 *   have; `not_found` if there is no such account
 */
export function createApiKey(parts: AuthParts, origin: Origin, request: ApiKeyRequest): Promise<NewApiKey> {
  return create(parts, origin, request, (_nouns, addKey) => addKey());
}

/**
 * Does the same if the workspace has no key yet, and returns null if it has one. If several calls run at once, one of
 * them creates the key.
 */
export function createFirstApiKey(parts: AuthParts, origin: Origin, request: ApiKeyRequest): Promise<NewApiKey | null> {
  return create(parts, origin, request, async (nouns, addKey) => {
    const keys = await nouns.keys.list(origin.workspace.id);
    return keys.length > 0 ? null : addKey();
  });
}

interface NewApiKey {
  key: ApiKey;
  token: string;
}

async function create<T>(
  { store, clock, random }: AuthParts,
  origin: Origin,
  request: ApiKeyRequest,
  decide: (nouns: Repositories, addKey: () => Promise<NewApiKey>) => Promise<T>,
): Promise<T> {
  const name = parseName(request.name);
  checkRequest(request, origin);
  const { workspace, actor } = origin;
  const { expiresInDays, kind, scopes, accountId } = request;
  const networks = parseCidrs("networks", request.networks ?? []);
  const token = createToken(kind, random);
  const addKey = async (nouns: Repositories, note: Note): Promise<NewApiKey> => {
    const account = accountId === undefined ? null : await getAccount(nouns, origin, accountId);
    if (account !== null) requireScopesOf(account, scopes);
    const seconds = keySeconds(expiresInDays && expiresInDays * DAY_SECONDS, await nouns.security.get(workspace.id));
    const key = await nouns.keys.create({
      workspaceId: workspace.id,
      createdBy: account?.id ?? actor.id,
      name,
      prefix: lookupPrefix(token),
      scopes: [...new Set(scopes)],
      networks,
      expiresAt: seconds === null ? null : secondsFrom(clock.now(), seconds),
      ...hashToken(token, random),
    });
    await note("key_created", key.id, {
      name,
      scopes: key.scopes,
      expiresAt: key.expiresAt,
      ...(networks.length > 0 && { networks }),
      ...(account !== null && { account: account.name }),
    });
    return { key, token };
  };
  return change(store, origin, (nouns, note) => decide(nouns, () => addKey(nouns, note)));
}

/** The id of the user whose keys the origin may see and manage. Undefined for an admin, who may manage all keys. */
export function ownerWithinReach({ scopes, actor }: Pick<Origin, "scopes" | "actor">): UserId | AccountId | undefined {
  return scopes.has("admin") ? undefined : actor.id;
}

/** @throws AppError `bad_request` if the name is not valid, `not_found` if the origin may not see the key */
export async function renameApiKey(
  { store }: AuthParts,
  origin: Origin,
  { id, name: said }: { id: TokenId; name: string },
): Promise<ApiKey> {
  const name = parseName(said);
  return change(store, origin, async (nouns, note) => {
    const key = await getKeyWithinReach(nouns, origin, id);
    if (key.name === name) return key;
    await note("key_renamed", id, { from: key.name, to: name });
    return nouns.keys.rename(origin.workspace.id, id, name);
  });
}

/**
 * Revokes a key immediately and permanently. A key that is already revoked does not change.
 * @throws AppError `not_found` if the origin may not see the key
 */
export async function revokeApiKey({ store }: AuthParts, origin: Origin, id: TokenId): Promise<ApiKey> {
  return change(store, origin, async (nouns, note) => {
    const key = await getKeyWithinReach(nouns, origin, id);
    if (key.revokedAt !== null) return key;
    await note("key_revoked", id, { name: key.name });
    return nouns.keys.revoke(origin.workspace.id, id);
  });
}

async function getKeyWithinReach({ keys }: SecurityRepositories, origin: Origin, id: TokenId): Promise<ApiKey> {
  const key = await keys.findById(origin.workspace.id, id);
  const owner = ownerWithinReach(origin);
  if (key === null || (owner !== undefined && key.createdBy !== owner)) throw notFound("key", id);
  return key;
}

/** A key never does more than its owner, so a scope beyond the owner's role would be an empty promise. */
function requireScopesOf({ name, role }: ServiceAccount, scopes: readonly Scope[]): void {
  const allowed = scopesOf(role);
  const beyond = scopes.filter((scope) => !allowed.has(scope));
  if (beyond.length > 0) throw badField("scopes", `${name} has the role ${role}, which lacks: ${beyond.join(", ")}`);
}

function checkRequest({ scopes, expiresInDays, kind }: ApiKeyRequest, { workspace, ...origin }: Origin): void {
  if (scopes.length === 0) throw badField("scopes", "must name at least one scope");
  requireExpiry(expiresInDays);
  if (workspace.kind !== WORKSPACE_OF_TOKEN[kind]) {
    throw badField(
      "test",
      `a ${kind} key needs a ${WORKSPACE_OF_TOKEN[kind]} workspace, and ${workspace.name} is not one`,
    );
  }
  const beyond = scopes.filter((scope) => !origin.scopes.has(scope));
  if (beyond.length > 0) {
    throw new AppError("forbidden", `${origin.actor.name} may not grant here: ${beyond.join(", ")}.`);
  }
}
