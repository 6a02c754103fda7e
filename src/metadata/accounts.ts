/** Stores service accounts and their client secrets. Only a salted hash of each secret is kept. */
import { AppError, notFound } from "../errors.ts";
import type { AccountId, SecretId, WorkspaceId } from "../ids.ts";
import { findEach, findFirst, hasRow, inTransaction, type StoreContext } from "./context.ts";
import type { ClientSecret, Role, SaltedHash, SecuritySettings, ServiceAccount, Workspace } from "./records.ts";
import { toSecurity, toWorkspace, WORKSPACE_COLUMNS } from "./workspace-row.ts";

/** How many secrets may be valid at once. With two, a secret can be replaced without downtime. */
const MAX_CLIENT_SECRETS = 2;

/** Everything that decides whether a client may get a token, read at once. */
export interface ClientCredential {
  account: ServiceAccount;
  workspace: Workspace;
  security: SecuritySettings;
  /** The valid secrets: at most two. */
  secrets: (SaltedHash & Pick<ClientSecret, "id">)[];
}

export function createAccountStore(context: StoreContext) {
  const { db, now, newId } = context;
  const accountsOf = (workspaceId: WorkspaceId) =>
    db
      .selectFrom("serviceAccounts")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .orderBy("createdAt")
      .orderBy("id");

  const secretsOf = (workspaceId: WorkspaceId) =>
    db
      .selectFrom("clientSecrets")
      .innerJoin("serviceAccounts", "serviceAccounts.id", "clientSecrets.accountId")
      .select(["clientSecrets.id", "clientSecrets.accountId", "clientSecrets.createdAt"])
      .select(["clientSecrets.expiresAt", "clientSecrets.revokedAt", "clientSecrets.lastUsedAt"])
      .where("serviceAccounts.workspaceId", "=", workspaceId)
      .orderBy("clientSecrets.createdAt")
      .orderBy("clientSecrets.id");

  const findById = (workspaceId: WorkspaceId, id: AccountId): Promise<ServiceAccount | null> =>
    findFirst(accountsOf(workspaceId).where("id", "=", id));

  const findSecretById = (workspaceId: WorkspaceId, id: SecretId): Promise<ClientSecret | null> =>
    findFirst(secretsOf(workspaceId).where("clientSecrets.id", "=", id));

  const change = (
    workspaceId: WorkspaceId,
    id: AccountId,
    values: { role?: Role; disabledAt?: string | null },
  ): Promise<ServiceAccount> =>
    db
      .updateTable("serviceAccounts")
      .set(values)
      .where((eb) => eb.and({ workspaceId, id }))
      .returningAll()
      .executeTakeFirstOrThrow(() => notFound("account", id));

  return {
    /** @throws AppError `conflict` if the name is taken */
    create: (account: Pick<ServiceAccount, "workspaceId" | "name" | "role" | "clientId">) =>
      inTransaction(db, async (trx) => {
        const { workspaceId, name } = account;
        const others = trx.selectFrom("serviceAccounts").select("id");
        if (await hasRow(others.where((eb) => eb.and({ workspaceId, name })))) {
          throw new AppError("conflict", `An account named ${name} already exists.`);
        }
        const created = { id: newId("acc"), ...account, createdAt: now(), disabledAt: null };
        await trx.insertInto("serviceAccounts").values(created).execute();
        return created;
      }),
    /** Oldest first, including disabled accounts. */
    list: (workspaceId: WorkspaceId) => accountsOf(workspaceId).execute(),
    findById,
    /** The accounts in the order of `ids`; null for an id without an account. */
    loadByIds: (workspaceId: WorkspaceId, ids: readonly AccountId[]): Promise<(ServiceAccount | null)[]> =>
      findEach(ids, accountsOf(workspaceId).where("id", "in", ids), ({ id }) => id),
    /** Takes no workspace, because the client id belongs to one. */
    async findByClientId(clientId: string): Promise<ClientCredential | null> {
      // No id has it, and the store refuses to look for it.
      if (clientId.includes("\0")) return null;
      const rows = await db
        .selectFrom("serviceAccounts")
        .innerJoin("workspaces", "workspaces.id", "serviceAccounts.workspaceId")
        .leftJoin("clientSecrets", (join) =>
          join
            .onRef("clientSecrets.accountId", "=", "serviceAccounts.id")
            .on("clientSecrets.revokedAt", "is", null)
            .on(({ or, eb }) =>
              or([eb("clientSecrets.expiresAt", "is", null), eb("clientSecrets.expiresAt", ">", now())]),
            ),
        )
        .select(["serviceAccounts.id", "serviceAccounts.name", "serviceAccounts.role", "serviceAccounts.clientId"])
        .select(["serviceAccounts.createdAt", "serviceAccounts.disabledAt"])
        .select(["clientSecrets.id as secretId", "clientSecrets.salt", "clientSecrets.hash"])
        .select(WORKSPACE_COLUMNS)
        .where("serviceAccounts.clientId", "=", clientId)
        .execute();
      const [row] = rows;
      if (row === undefined) return null;
      const { id, workspaceId, name, role, createdAt, disabledAt } = row;
      return {
        account: { id, workspaceId, name, role, clientId, createdAt, disabledAt },
        workspace: toWorkspace(row),
        security: toSecurity(row),
        secrets: rows.flatMap(({ secretId, salt, hash }) =>
          secretId === null || salt === null || hash === null ? [] : [{ id: secretId, salt, hash }],
        ),
      };
    },
    /** @throws AppError `not_found` */
    setRole: (workspaceId: WorkspaceId, id: AccountId, role: Role) => change(workspaceId, id, { role }),
    /** @throws AppError `not_found` */
    setDisabled: (workspaceId: WorkspaceId, id: AccountId, disabled: boolean) =>
      change(workspaceId, id, { disabledAt: disabled ? now() : null }),
    /**
     * Removes an account with its secrets and access tokens.
     * @throws AppError `not_found`
     */
    remove: (workspaceId: WorkspaceId, id: AccountId) =>
      inTransaction(db, async (trx) => {
        const account = await createAccountStore({ ...context, db: trx }).findById(workspaceId, id);
        if (account === null) throw notFound("account", id);
        await trx.deleteFrom("accessTokens").where("accountId", "=", id).execute();
        await trx.deleteFrom("clientSecrets").where("accountId", "=", id).execute();
        await trx.deleteFrom("serviceAccounts").where("id", "=", id).execute();
      }),
    /** @throws AppError `not_found`; `conflict` if two secrets are valid already */
    addSecret: (
      workspaceId: WorkspaceId,
      accountId: AccountId,
      { expiresAt, ...kept }: SaltedHash & Pick<ClientSecret, "expiresAt">,
    ) =>
      inTransaction(db, async (trx) => {
        const store = createAccountStore({ ...context, db: trx });
        if ((await store.findById(workspaceId, accountId)) === null) throw notFound("account", accountId);
        const [secrets = []] = await store.loadSecrets(workspaceId, [accountId]);
        if (secrets.filter((secret) => isValid(secret, now())).length >= MAX_CLIENT_SECRETS) {
          throw new AppError("conflict", `An account has at most ${MAX_CLIENT_SECRETS} secrets: revoke one first.`);
        }
        const secret = { id: newId("sec"), accountId, createdAt: now(), expiresAt, revokedAt: null, lastUsedAt: null };
        await trx
          .insertInto("clientSecrets")
          .values({ ...secret, ...kept })
          .execute();
        return secret;
      }),
    /**
     * Revokes a secret. One that is already revoked stays as it is.
     * @throws AppError `not_found`
     */
    revokeSecret: (workspaceId: WorkspaceId, id: SecretId) =>
      inTransaction(db, async (trx) => {
        const secret = await createAccountStore({ ...context, db: trx }).findSecretById(workspaceId, id);
        if (secret === null) throw notFound("secret", id);
        if (secret.revokedAt !== null) return secret;
        const revoked = { revokedAt: now() };
        await trx.updateTable("clientSecrets").set(revoked).where("id", "=", id).execute();
        return { ...secret, ...revoked };
      }),
    findSecretById,
    /** Notes that this secret was used just now to get a token. */
    async noteSecretUse(id: SecretId): Promise<void> {
      await db.updateTable("clientSecrets").set({ lastUsedAt: now() }).where("id", "=", id).execute();
    },
    /** The secrets of each account in the order of `accountIds`: oldest first, including revoked ones. */
    async loadSecrets(workspaceId: WorkspaceId, accountIds: readonly AccountId[]): Promise<ClientSecret[][]> {
      if (accountIds.length === 0) return [];
      const secrets = await secretsOf(workspaceId).where("clientSecrets.accountId", "in", accountIds).execute();
      const byAccount = Map.groupBy(secrets, ({ accountId }) => accountId);
      return accountIds.map((id) => byAccount.get(id) ?? []);
    },
  };
}

function isValid({ expiresAt, revokedAt }: ClientSecret, now: string): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}
