/** Creates, renames and revokes API keys. */
import { AppError, badField, notFound } from "../errors.ts";
import type { AccountId, TokenId, UserId } from "../ids.ts";
import type { ApiKey, Scope } from "../metadata/records.ts";
import type { SecurityRepositories, Repositories } from "../metadata/store.ts";
import { type AuthParts, change, type Note } from "./change.ts";
import { keySeconds, secondsFrom } from "./lifetime.ts";
import { parseName } from "./names.ts";
import type { Origin } from "./origin.ts";
import { createToken, hashToken, lookupPrefix, type TokenKind, WORKSPACE_OF_TOKEN } from "./token.ts";

export const EXPIRY_DAYS = [30, 90, 365] as const;

const DAY_SECONDS = 24 * 60 * 60;

export interface ApiKeyRequest {
  /** A name for people. */
  name: string;
  scopes: readonly Scope[];
  /** One of `EXPIRY_DAYS`. Null: it never expires. */
  expiresInDays: number | null;
  kind: TokenKind;
}

/**
 * Creates a key that belongs to the origin's actor. The token is returned here and cannot be read later.
 * The key expires at the latest after the workspace's maximum lifetime.
 * @throws AppError `bad_request` if the kind does not fit the workspace, the name or expiry is not valid, or there is
 *   no scope; `forbidden` for scopes that the origin does not have
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
  const { expiresInDays, kind } = request;
  const token = createToken(kind, random);
  const addKey = async (nouns: Repositories, note: Note): Promise<NewApiKey> => {
    const seconds = keySeconds(expiresInDays && expiresInDays * DAY_SECONDS, await nouns.security.get(workspace.id));
    const key = await nouns.keys.create({
      workspaceId: workspace.id,
      createdBy: actor.id,
      name,
      prefix: lookupPrefix(token),
      scopes: [...new Set(request.scopes)],
      expiresAt: seconds === null ? null : secondsFrom(clock.now(), seconds),
      ...hashToken(token, random),
    });
    await note("key_created", key.id, { name, scopes: key.scopes, expiresAt: key.expiresAt });
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

function checkRequest({ scopes, expiresInDays, kind }: ApiKeyRequest, { workspace, ...origin }: Origin): void {
  if (scopes.length === 0) throw badField("scopes", "must name at least one scope");
  if (expiresInDays !== null && !EXPIRY_DAYS.some((days) => days === expiresInDays)) {
    throw badField("expiresInDays", `must be one of ${EXPIRY_DAYS.join(", ")}, or none`);
  }
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
