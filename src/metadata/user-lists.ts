/**
 * Lists that each person keeps: what they saw last, their favourites, saved searches, the first steps they took, and
 * when they were on a page.
 */
import { AppError } from "../errors.ts";
import type { UserId, WorkspaceId } from "../ids.ts";
import type { UserItem, UserList } from "./records.ts";
import { hasRow, inStep, type StoreContext } from "./context.ts";

/** The most items that one list of a person has. */
export const MAX_USER_ITEMS = 200;

interface Owner {
  workspaceId: WorkspaceId;
  userId: UserId;
}

export function createUserListStore({ db, now, isContention }: StoreContext) {
  return {
    /** The newest items first. */
    async list({ workspaceId, userId }: Owner, list: UserList, limit: number = MAX_USER_ITEMS): Promise<UserItem[]> {
      return db
        .selectFrom("userItems")
        .select(["item", "label", "at"])
        .where((eb) => eb.and({ workspaceId, userId, list }))
        .orderBy("at", "desc")
        .orderBy("item")
        .limit(limit)
        .execute();
    },
    has({ workspaceId, userId }: Owner, list: UserList, item: string): Promise<boolean> {
      const own = db.selectFrom("userItems").select("item");
      return hasRow(own.where((eb) => eb.and({ workspaceId, userId, list, item })));
    },
    /**
     * Puts an item at the beginning of a list, which has each item once. A full list of what the person saw loses its
     * oldest item.
     * @throws AppError `conflict` if another list is full
     */
    put: ({ workspaceId, userId }: Owner, list: UserList, item: string, label: string = "") =>
      inStep({ db, isContention }, async (trx) => {
        await trx
          .insertInto("userItems")
          .values({ workspaceId, userId, list, item, label, at: now() })
          .onConflict((conflict) => conflict.columns(["userId", "list", "item"]).doUpdateSet({ label, at: now() }))
          .execute();
        const beyond = await trx
          .selectFrom("userItems")
          .select("item")
          .where((eb) => eb.and({ userId, list }))
          .orderBy("at", "desc")
          .orderBy("item")
          .limit(MAX_USER_ITEMS)
          .offset(MAX_USER_ITEMS)
          .execute();
        if (beyond.length === 0) return;
        if (list !== "seen") {
          throw new AppError("conflict", `A list of yours has at most ${MAX_USER_ITEMS} items. Remove one first.`);
        }
        const oldest = beyond.map((row) => row.item);
        await trx
          .deleteFrom("userItems")
          .where((eb) => eb.and({ userId, list }))
          .where("item", "in", oldest)
          .execute();
      }),
    async remove({ workspaceId, userId }: Owner, list: UserList, item: string): Promise<void> {
      await db
        .deleteFrom("userItems")
        .where((eb) => eb.and({ workspaceId, userId, list, item }))
        .execute();
    },
  };
}
