/** Makes API keys. */
import type { Clock, RandomBytes } from "../clock.ts";
import { AppError, badField } from "../errors.ts";
import type { ApiKey, Scope, User, Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { scopesOf } from "./scopes.ts";
import { createToken, hashToken, lookupPrefix, type TokenKind, WORKSPACE_OF_TOKEN } from "./token.ts";

export const EXPIRY_DAYS = [30, 90, 365] as const;
type ExpiryDays = (typeof EXPIRY_DAYS)[number];

const MAX_NAME_CHARACTERS = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface ApiKeyRequest {
  workspace: Workspace;
  /** Whose permissions bound the key, now and whenever it is used. */
  createdBy: User;
  /** For people to tell keys apart by. */
  name: string;
  scopes: readonly Scope[];
  /** Null: it never expires. */
  expiresInDays: ExpiryDays | null;
  kind: TokenKind;
}

/**
 * Creates a key. Its token is answered here and can never be read again.
 * @throws AppError `bad_request` for a kind that does not fit the workspace, or a bad name or expiry or no scope;
 * `forbidden` for scopes beyond the creator's role
 */
export async function createApiKey(
  parts: { store: MetadataStore; clock: Clock; random: RandomBytes },
  request: ApiKeyRequest,
): Promise<{ key: ApiKey; token: string }> {
  checkRequest(request);
  const { workspace, createdBy, name, scopes, expiresInDays, kind } = request;
  const token = createToken(kind, parts.random);
  const expiresAt =
    expiresInDays === null ? null : new Date(parts.clock.now().getTime() + expiresInDays * DAY_MS).toISOString();
  const key = await parts.store.keys.create({
    workspaceId: workspace.id,
    createdBy: createdBy.id,
    name,
    prefix: lookupPrefix(token),
    scopes: [...new Set(scopes)],
    expiresAt,
    ...hashToken(token, parts.random),
  });
  return { key, token };
}

function checkRequest({ workspace, createdBy, name, scopes, expiresInDays, kind }: ApiKeyRequest): void {
  if (name.trim() === "" || name.length > MAX_NAME_CHARACTERS) {
    throw badField("name", `must be 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
  if (scopes.length === 0) throw badField("scopes", "must name at least one scope");
  if (expiresInDays !== null && !EXPIRY_DAYS.includes(expiresInDays)) {
    throw badField("expires_in_days", `must be one of ${EXPIRY_DAYS.join(", ")}, or none`);
  }
  if (workspace.kind !== WORKSPACE_OF_TOKEN[kind]) {
    throw badField("kind", `a ${kind} key needs a ${WORKSPACE_OF_TOKEN[kind]} workspace; ${workspace.name} is none`);
  }
  const allowed = scopesOf(createdBy.role);
  const beyond = scopes.filter((scope) => !allowed.has(scope));
  if (createdBy.workspaceId !== workspace.id || beyond.length > 0) {
    throw new AppError(
      "forbidden",
      `${createdBy.email} may not grant: ${beyond.join(", ") || "keys of this workspace"}.`,
    );
  }
}
