/** The people and service accounts of a workspace. */
import { isEmailAddress } from "../catalog/email.ts";
import { AppError, badField } from "../errors.ts";
import type { Role, User } from "./records.ts";
import type { StoreContext } from "./context.ts";

export interface UserStore {
  findById(workspaceId: string, id: string): Promise<User | null>;
  /** The admin who came first. */
  findFirstAdmin(workspaceId: string): Promise<User | null>;
  /** Oldest first. */
  list(workspaceId: string): Promise<User[]>;
  /** @throws AppError `bad_request` for an address that is none, `conflict` for one that the workspace knows */
  create(user: { workspaceId: string; email: string; role: Role }): Promise<User>;
}

export function createUserStore({ db, now, newId }: StoreContext): UserStore {
  const usersOf = (workspaceId: string) =>
    db.selectFrom("users").selectAll().where("workspaceId", "=", workspaceId).orderBy("createdAt").orderBy("id");
  return {
    async findById(workspaceId, id) {
      return (await usersOf(workspaceId).where("id", "=", id).executeTakeFirst()) ?? null;
    },
    async findFirstAdmin(workspaceId) {
      return (await usersOf(workspaceId).where("role", "=", "admin").limit(1).executeTakeFirst()) ?? null;
    },
    list: (workspaceId) => usersOf(workspaceId).execute(),
    async create({ workspaceId, email, role }) {
      if (!isEmailAddress(email)) throw badField("email", "must be an e-mail address");
      return db.transaction().execute(async (trx) => {
        const taken = await trx
          .selectFrom("users")
          .select("id")
          .where("workspaceId", "=", workspaceId)
          .where("email", "=", email)
          .executeTakeFirst();
        if (taken !== undefined) throw new AppError("conflict", `There is a user ${email} already.`);
        const user = { id: newId("usr"), workspaceId, email, role, createdAt: now() };
        await trx.insertInto("users").values(user).execute();
        return user;
      });
    },
  };
}
