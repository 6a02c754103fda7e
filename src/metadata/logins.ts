/** How people log in: passwords, and identities at the provider. Only hashes of passwords are kept. */
import type { Selectable, Updateable } from "kysely";

import type { UserId, WorkspaceId } from "../ids.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import type { User, Workspace } from "./records.ts";
import type { Identity, Session } from "./login-records.ts";
import type { Tables } from "./tables.ts";
import { selectLogins, USER_COLUMNS } from "./user-row.ts";
import { hasAdminWhoLogsIn, isAddress, requireLoginOfAdmin } from "./users.ts";
import { toWorkspace, WORKSPACE_COLUMNS } from "./workspace-row.ts";

/** A user of one workspace who tries to log in. */
export interface LoginUser {
  user: User;
  workspace: Workspace;
  /** A PHC string of argon2id. Null: no password. */
  password: string | null;
  identity: Identity | null;
}

/** The first three take no workspace: the same person may be a user of several. */
export function createLoginStore({ db, now }: StoreContext) {
  const users = () =>
    db
      .selectFrom("users")
      .innerJoin("workspaces", "workspaces.id", "users.workspaceId")
      .select(USER_COLUMNS)
      .select(selectLogins)
      .select(["users.password", "users.ssoIssuer", "users.ssoSubject"])
      .select(WORKSPACE_COLUMNS)
      .orderBy(({ fn, val }) => fn.coalesce("users.lastLoginAt", val("")), "desc")
      .orderBy("workspaces.name");
  const active = () => users().where("users.disabledAt", "is", null);

  const update = async (workspaceId: WorkspaceId, id: UserId, values: Updateable<Tables["users"]>): Promise<void> => {
    await db.updateTable("users").set(values).where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  };

  return {
    /** The users with this address, in upper or lower case, who are not disabled. The last one who logged in is first. */
    async findByAddress(email: string): Promise<LoginUser[]> {
      const rows = await active().where(isAddress(email)).execute();
      return rows.map(toLoginUser);
    },
    /** The users who are bound to an identity at the provider, in the same order, including disabled ones. */
    async findByIdentity({ issuer, subject }: Identity): Promise<LoginUser[]> {
      const rows = await users()
        .where("users.ssoIssuer", "=", issuer)
        .where("users.ssoSubject", "=", subject)
        .execute();
      return rows.map(toLoginUser);
    },
    /**
     * The users for whom a session may work, in the order of their workspaces' names: those that its login has proven,
     * without users who are disabled, or whose sessions were all ended since then. The present one is always there.
     */
    async listProven(session: Pick<Session, "userId" | "userIds" | "createdAt">): Promise<LoginUser[]> {
      const { userId, userIds, createdAt } = session;
      const rows = await active()
        .where("users.id", "in", [userId, ...userIds])
        .where(({ eb, or }) =>
          or([
            eb("users.id", "=", userId),
            eb("users.loginsEndedAt", "is", null),
            eb("users.loginsEndedAt", "<", createdAt),
          ]),
        )
        .execute();
      return rows.map(toLoginUser).toSorted((a, b) => (a.workspace.name < b.workspace.name ? -1 : 1));
    },
    /** Whether an admin of the workspace can log in. */
    hasAdmin: (workspaceId: WorkspaceId) => hasAdminWhoLogsIn(db, workspaceId),
    /**
     * @param password a PHC string. Null: the user can no longer log in with a password.
     * @throws AppError `conflict` if no admin could log in any more
     */
    setPassword: (workspaceId: WorkspaceId, userId: UserId, password: string | null) =>
      inTransaction(db, (trx) =>
        requireLoginOfAdmin(trx, workspaceId, async () => {
          await trx
            .updateTable("users")
            .set({ password })
            .where((eb) => eb.and({ workspaceId, id: userId }))
            .execute();
        }),
      ),
    /** @param identity null: the user is bound to nobody */
    bindIdentity: (workspaceId: WorkspaceId, userId: UserId, identity: Identity | null) =>
      update(workspaceId, userId, { ssoIssuer: identity?.issuer ?? null, ssoSubject: identity?.subject ?? null }),
    setName: (workspaceId: WorkspaceId, userId: UserId, name: string) => update(workspaceId, userId, { name }),
    noteLogin: (workspaceId: WorkspaceId, userId: UserId) => update(workspaceId, userId, { lastLoginAt: now() }),
  };
}

type LoginRow = User &
  Parameters<typeof toWorkspace>[0] &
  Pick<Selectable<Tables["users"]>, "password" | "ssoIssuer" | "ssoSubject">;

function toLoginUser(row: LoginRow): LoginUser {
  const { id, workspaceId, email, name, role, grants, createdAt, disabledAt, lastLoginAt, hasPassword, sso } = row;
  const user = { id, workspaceId, email, name, role, grants, createdAt, disabledAt, lastLoginAt, hasPassword, sso };
  const { password, ssoIssuer: issuer, ssoSubject: subject } = row;
  const identity = issuer === null || subject === null ? null : { issuer, subject };
  return { user, workspace: toWorkspace(row), password, identity };
}
