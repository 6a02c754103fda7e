/** API keys as they are kept: never the token, only what recognises it. */
import { notFound } from "../errors.ts";
import type { ApiKey, Role, Scope, User, Workspace } from "./records.ts";
import type { StoreContext } from "./context.ts";

/** All that decides whether a token is believed and what it may do, read at once. */
export interface KeyCredential {
  key: ApiKey;
  salt: string;
  hash: string;
  workspace: Workspace;
  /** Null when the creator is gone. */
  creator: User | null;
}

type NewApiKey = Pick<ApiKey, "workspaceId" | "createdBy" | "name" | "prefix" | "scopes" | "expiresAt"> & {
  salt: string;
  hash: string;
};

export interface ApiKeyStore {
  create(key: NewApiKey): Promise<ApiKey>;
  /** Oldest first, revoked and expired ones too. */
  list(workspaceId: string): Promise<ApiKey[]>;
  /** Names no workspace: the key says which one it opens. */
  findByPrefix(prefix: string): Promise<KeyCredential | null>;
  /** Takes effect at once; a key that was revoked before stays as it is. @throws AppError `not_found` */
  revoke(workspaceId: string, id: string): Promise<ApiKey>;
}

const KEY_COLUMNS = [
  "apiKeys.id",
  "apiKeys.workspaceId",
  "apiKeys.createdBy",
  "apiKeys.name",
  "apiKeys.prefix",
  "apiKeys.scopes",
  "apiKeys.createdAt",
  "apiKeys.expiresAt",
  "apiKeys.revokedAt",
] as const;

export function createApiKeyStore({ db, now, newId }: StoreContext): ApiKeyStore {
  // Every request asks this: compiled once, it takes a fifth of the time.
  const credentialByPrefix = db
    .selectFrom("apiKeys")
    .innerJoin("workspaces", "workspaces.id", "apiKeys.workspaceId")
    .leftJoin("users", (join) =>
      join.onRef("users.id", "=", "apiKeys.createdBy").onRef("users.workspaceId", "=", "apiKeys.workspaceId"),
    )
    .select(KEY_COLUMNS)
    .select(["apiKeys.salt", "apiKeys.hash"])
    .select(["workspaces.name as workspaceName", "workspaces.kind", "workspaces.createdAt as workspaceCreatedAt"])
    .select(["users.email", "users.role", "users.createdAt as creatorCreatedAt"])
    .where("apiKeys.prefix", "=", "")
    .compile();

  return {
    async create({ salt, hash, ...key }) {
      const created: ApiKey = { id: newId("key"), ...key, createdAt: now(), revokedAt: null };
      const row = { ...created, scopes: JSON.stringify(created.scopes), salt, hash };
      await db.insertInto("apiKeys").values(row).execute();
      return created;
    },
    async list(workspaceId) {
      const rows = await db
        .selectFrom("apiKeys")
        .select(KEY_COLUMNS)
        .where("workspaceId", "=", workspaceId)
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(toApiKey);
    },
    async findByPrefix(prefix) {
      const query: typeof credentialByPrefix = { ...credentialByPrefix, parameters: [prefix] };
      const { rows } = await db.executeQuery(query);
      const [row] = rows;
      if (row === undefined) return null;
      const { workspaceId } = row;
      return {
        key: toApiKey(row),
        salt: row.salt,
        hash: row.hash,
        workspace: { id: workspaceId, name: row.workspaceName, kind: row.kind, createdAt: row.workspaceCreatedAt },
        creator: toCreator(row),
      };
    },
    async revoke(workspaceId, id) {
      await db
        .updateTable("apiKeys")
        .set({ revokedAt: now() })
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .where("revokedAt", "is", null)
        .execute();
      const row = await db
        .selectFrom("apiKeys")
        .select(KEY_COLUMNS)
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirst();
      if (row === undefined) throw notFound("key", id);
      return toApiKey(row);
    },
  };
}

function toApiKey(row: Omit<ApiKey, "scopes"> & { scopes: string }): ApiKey {
  const scopes: Scope[] = JSON.parse(row.scopes);
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    createdBy: row.createdBy,
    name: row.name,
    prefix: row.prefix,
    scopes,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
  };
}

function toCreator(row: {
  createdBy: string;
  workspaceId: string;
  email: string | null;
  role: Role | null;
  creatorCreatedAt: string | null;
}): User | null {
  const { createdBy: id, workspaceId, email, role, creatorCreatedAt: createdAt } = row;
  return email === null || role === null || createdAt === null ? null : { id, workspaceId, email, role, createdAt };
}
