/** Reads what decides about a presented token in one query: the token, its owner, and its workspace's rules. */
import type { CompiledQuery } from "kysely";

import type { AccountId, TokenId, UserId } from "../ids.ts";
import type { StoreContext } from "./context.ts";
import type { Permission, Role, SaltedHash, Scope, SecuritySettings, Workspace } from "./records.ts";
import type { Session } from "./login-records.ts";
import { toSecurity, toWorkspace, WORKSPACE_COLUMNS } from "./workspace-row.ts";

/** Everything that decides whether a token is accepted and what it may do. */
export interface Credential extends SaltedHash {
  id: TokenId;
  prefix: string;
  scopes: Scope[];
  /** CIDRs from which the token is accepted; empty: from everywhere that the workspace accepts. */
  networks: string[];
  expiresAt: string | null;
  revokedAt: string | null;
  workspace: Workspace;
  security: SecuritySettings;
  /**
   * The owner, whose permissions limit the token: the creator of a key, or the account of an access token. Null if the
   * owner was deleted.
   */
  owner: TokenOwner | null;
}

type TokenOwner = ({ kind: "user"; id: UserId } | { kind: "account"; id: AccountId }) & {
  /** The e-mail address of a user, or the name of an account. */
  name: string;
  role: Role;
  grants: Permission[];
  disabledAt: string | null;
};

/** Everything that decides whether a person's session is accepted and what the person may do. */
interface SessionCredential extends SaltedHash {
  session: Session;
  workspace: Workspace;
  security: SecuritySettings;
  owner: TokenOwner;
}

/** Takes no workspace, because the token belongs to one. */
export function createCredentialStore({ db }: StoreContext) {
  // Every request runs one of these queries. Compiled once, they take a fifth of the time.
  const keyByPrefix = db
    .selectFrom("apiKeys")
    .innerJoin("workspaces", "workspaces.id", "apiKeys.workspaceId")
    .leftJoin("users", (join) =>
      join.onRef("users.id", "=", "apiKeys.createdBy").onRef("users.workspaceId", "=", "apiKeys.workspaceId"),
    )
    .leftJoin("serviceAccounts", (join) =>
      join
        .onRef("serviceAccounts.id", "=", "apiKeys.createdBy")
        .onRef("serviceAccounts.workspaceId", "=", "apiKeys.workspaceId"),
    )
    .select(["apiKeys.id", "apiKeys.prefix", "apiKeys.salt", "apiKeys.hash", "apiKeys.scopes"])
    .select(["apiKeys.networks", "apiKeys.expiresAt", "apiKeys.revokedAt"])
    .select(["users.id as userId", "users.email", "users.role as userRole", "users.grants"])
    .select(["users.disabledAt as userDisabledAt"])
    .select(["serviceAccounts.id as accountId", "serviceAccounts.name", "serviceAccounts.role"])
    .select(["serviceAccounts.disabledAt"])
    .select(WORKSPACE_COLUMNS)
    .where("apiKeys.prefix", "=", "")
    .compile();

  const accessTokenByPrefix = db
    .selectFrom("accessTokens")
    .innerJoin("workspaces", "workspaces.id", "accessTokens.workspaceId")
    .innerJoin("serviceAccounts", "serviceAccounts.id", "accessTokens.accountId")
    .select(["accessTokens.id", "accessTokens.prefix", "accessTokens.salt", "accessTokens.hash"])
    .select(["accessTokens.scopes", "accessTokens.expiresAt", "accessTokens.revokedAt"])
    .select(["serviceAccounts.id as accountId", "serviceAccounts.name", "serviceAccounts.role"])
    .select(["serviceAccounts.disabledAt"])
    .select(WORKSPACE_COLUMNS)
    .where("accessTokens.prefix", "=", "")
    .compile();

  const sessionByLookup = db
    .selectFrom("sessions")
    .innerJoin("workspaces", "workspaces.id", "sessions.workspaceId")
    .innerJoin("users", (join) =>
      join.onRef("users.id", "=", "sessions.userId").onRef("users.workspaceId", "=", "sessions.workspaceId"),
    )
    .select(["sessions.id", "sessions.salt", "sessions.hash", "sessions.source", "sessions.userAgent", "sessions.sso"])
    .select(["sessions.userIds", "sessions.createdAt", "sessions.seenAt", "sessions.expiresAt"])
    .select(["users.id as userId", "users.email", "users.role as userRole", "users.grants"])
    .select(["users.disabledAt as userDisabledAt"])
    .select(WORKSPACE_COLUMNS)
    .where("sessions.lookup", "=", "")
    .compile();

  const findRow = async <Row>(query: CompiledQuery<Row>, value: string): Promise<Row | undefined> =>
    (await db.executeQuery<Row>({ ...query, parameters: [value] })).rows[0];

  return {
    async findKey(prefix: string): Promise<Credential | null> {
      const row = await findRow(keyByPrefix, prefix);
      return row === undefined ? null : toCredential(row, toUser(row) ?? toAccount(row));
    },
    async findAccessToken(prefix: string): Promise<Credential | null> {
      const row = await findRow(accessTokenByPrefix, prefix);
      return row === undefined ? null : toCredential(row, toAccount(row));
    },
    async findSession(lookup: string): Promise<SessionCredential | null> {
      const row = await findRow(sessionByLookup, lookup);
      const owner = row && toUser(row);
      if (row === undefined || owner == null) return null;
      const { id, workspaceId, userId, source, userAgent, sso, userIds, createdAt, seenAt, expiresAt, salt, hash } =
        row;
      const session = { id, workspaceId, userId, source, userAgent, sso, userIds, createdAt, seenAt, expiresAt };
      return { session, workspace: toWorkspace(row), security: toSecurity(row), owner, salt, hash };
    },
  };
}

type CredentialRow = Parameters<typeof toWorkspace>[0] &
  Parameters<typeof toSecurity>[0] &
  Omit<Credential, "networks" | "workspace" | "security" | "owner"> & { networks?: string[] };

function toCredential(row: CredentialRow, owner: TokenOwner | null): Credential {
  const { id, prefix, salt, hash, scopes, networks = [], expiresAt, revokedAt } = row;
  const [workspace, security] = [toWorkspace(row), toSecurity(row)];
  return { id, prefix, salt, hash, scopes, networks, expiresAt, revokedAt, workspace, security, owner };
}

function toUser(row: {
  userId: UserId | null;
  email: string | null;
  userRole: Role | null;
  grants: Permission[] | null;
  userDisabledAt: string | null;
}): TokenOwner | null {
  const { userId: id, email: name, userRole: role, userDisabledAt: disabledAt } = row;
  if (id === null || name === null || role === null) return null;
  return { kind: "user", id, name, role, grants: row.grants ?? [], disabledAt };
}

function toAccount(row: {
  accountId: AccountId | null;
  name: string | null;
  role: Role | null;
  disabledAt: string | null;
}): TokenOwner | null {
  const { accountId: id, name, role, disabledAt } = row;
  return id === null || name === null || role === null
    ? null
    : { kind: "account", id, name, role, grants: [], disabledAt };
}
