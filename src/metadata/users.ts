/** The users of a workspace. At least one admin always stays active. */
import type { ExpressionBuilder, Kysely } from "kysely";

import { isEmailAddress } from "../catalog/email.ts";
import { AppError, badField, notFound } from "../errors.ts";
import type { UserId, WorkspaceId } from "../ids.ts";
import { findEach, findFirst, hasRow, inTransaction, type StoreContext } from "./context.ts";
import type { Permission, Role, User } from "./records.ts";
import type { Tables } from "./tables.ts";
import { selectLogins, USER_COLUMNS } from "./user-row.ts";

type NewUser = Pick<User, "workspaceId" | "email" | "role"> & { name?: string };

export function createUserStore({ db, now, newId }: StoreContext) {
  const usersOf = (workspaceId: WorkspaceId) =>
    db
      .selectFrom("users")
      .select(USER_COLUMNS)
      .select(selectLogins)
      .where("workspaceId", "=", workspaceId)
      .orderBy("createdAt")
      .orderBy("id");

  /** Changes a user. It rolls back if no active admin is left. */
  const change = (
    workspaceId: WorkspaceId,
    id: UserId,
    values: { role?: Role; grants?: Permission[]; disabledAt?: string | null },
  ): Promise<User> =>
    inTransaction(db, (trx) =>
      requireLoginOfAdmin(trx, workspaceId, async () => {
        const row = await trx
          .updateTable("users")
          .set(values)
          .where((eb) => eb.and({ workspaceId, id }))
          .returning(USER_COLUMNS)
          .returning(selectLogins)
          .executeTakeFirstOrThrow(() => notFound("user", id));
        await requireAdmin(trx, workspaceId);
        return row;
      }),
    );

  return {
    findById: (workspaceId: WorkspaceId, id: UserId) => findFirst(usersOf(workspaceId).where("id", "=", id)),
    /** The user with this address, in upper or lower case. */
    findByAddress: (workspaceId: WorkspaceId, email: string) => findFirst(usersOf(workspaceId).where(isAddress(email))),
    /** The oldest active admin. */
    findFirstAdmin: (workspaceId: WorkspaceId) =>
      findFirst(usersOf(workspaceId).where("role", "=", "admin").where("disabledAt", "is", null).limit(1)),
    /** What the users with these addresses are called, in the order of the addresses; "" if it is not known. */
    async loadNames(workspaceId: WorkspaceId, addresses: readonly string[]): Promise<string[]> {
      const folded = addresses.map((address) => address.toLowerCase());
      const rows = await db
        .selectFrom("users")
        .select(["email", "name"])
        .where("workspaceId", "=", workspaceId)
        .where(({ eb, fn }) => eb(fn("lower", ["users.email"]), "in", folded))
        .execute();
      const names = new Map(rows.map(({ email, name }) => [email.toLowerCase(), name]));
      return folded.map((address) => names.get(address) ?? "");
    },
    /** Oldest first, including disabled users. */
    list: (workspaceId: WorkspaceId): Promise<User[]> => usersOf(workspaceId).execute(),
    /** The users in the order of `ids`; null for an id without a user. */
    loadByIds: (workspaceId: WorkspaceId, ids: readonly UserId[]) =>
      findEach(ids, usersOf(workspaceId).where("id", "in", ids), ({ id }) => id),
    /** @throws AppError `bad_request` if the address is not valid, `conflict` if the workspace has a user with it */
    async create({ workspaceId, email, role, name = "" }: NewUser): Promise<User> {
      if (!isEmailAddress(email)) throw badField("email", "must be an e-mail address");
      return inTransaction(db, async (trx) => {
        const others = trx.selectFrom("users").select("id").where("workspaceId", "=", workspaceId);
        if (await hasRow(others.where(isAddress(email)))) {
          throw new AppError("conflict", `A user with the e-mail address ${email} already exists.`);
        }
        const user = { id: newId("usr"), workspaceId, email, role, name, createdAt: now() };
        const insert = trx.insertInto("users").values(user);
        return insert.returning(USER_COLUMNS).returning(selectLogins).executeTakeFirstOrThrow();
      });
    },
    /** @throws AppError `not_found`; `conflict` if no active admin would be left, or none who can log in */
    setRole: (workspaceId: WorkspaceId, id: UserId, role: Role) => change(workspaceId, id, { role }),
    /** @throws AppError `not_found` */
    setGrants: (workspaceId: WorkspaceId, id: UserId, grants: readonly Permission[]) =>
      change(workspaceId, id, { grants: [...grants] }),
    /** @throws AppError `not_found`; `conflict` if no active admin would be left, or none who can log in */
    setDisabled: (workspaceId: WorkspaceId, id: UserId, disabled: boolean) =>
      change(workspaceId, id, { disabledAt: disabled ? now() : null }),
  };
}

/** People type their addresses in any case. */
export const isAddress =
  (email: string) =>
  ({ eb, fn }: ExpressionBuilder<Tables, "users">) =>
    eb(fn("lower", ["users.email"]), "=", email.toLowerCase());

const activeAdmins = (db: Kysely<Tables>, workspaceId: WorkspaceId) =>
  db
    .selectFrom("users")
    .select("id")
    .where((eb) => eb.and({ workspaceId, role: "admin" }))
    .where("disabledAt", "is", null)
    .limit(1);

export function hasAdminWhoLogsIn(db: Kysely<Tables>, workspaceId: WorkspaceId): Promise<boolean> {
  return hasRow(
    activeAdmins(db, workspaceId).where(({ eb, or }) =>
      or([eb("password", "is not", null), eb("ssoSubject", "is not", null)]),
    ),
  );
}

async function requireAdmin(db: Kysely<Tables>, workspaceId: WorkspaceId): Promise<void> {
  if (await hasRow(activeAdmins(db, workspaceId))) return;
  throw new AppError("conflict", "A workspace needs at least one active admin.");
}

/**
 * Makes a change, unless the workspace would lose its last admin who can log in. A workspace that never had such an admin
 * may be changed freely.
 * @throws AppError `conflict`, and the errors of the change
 */
export async function requireLoginOfAdmin<T>(
  db: Kysely<Tables>,
  workspaceId: WorkspaceId,
  change: () => Promise<T>,
): Promise<T> {
  const hadOne = await hasAdminWhoLogsIn(db, workspaceId);
  const changed = await change();
  if (hadOne && !(await hasAdminWhoLogsIn(db, workspaceId))) {
    throw new AppError("conflict", "A workspace needs at least one active admin who can log in.");
  }
  return changed;
}
