/** Stores answers to what-ifs, so that a link shows them for a time. */
import type { WorkspaceId } from "../ids.ts";
import { findFirst, type StoreContext } from "./context.ts";

/** What a workspace may have. When it has more, the oldest are deleted. */
const MAX_COUNT = 2_000;
const MAX_BYTES = 128 * 1024 ** 2;
/** How many rows one statement deletes. */
const AT_ONCE = 100;

interface SavedImpact {
  /** Follows from the content, so that the same answer is stored once. */
  id: string;
  savedAt: string;
  /** Text. */
  body: string;
}

export function createSavedImpactStore({ db, now }: StoreContext) {
  /** Deletes the oldest answers of a workspace that has too many. */
  async function trim(workspaceId: WorkspaceId): Promise<void> {
    const newestFirst = db
      .selectFrom("savedImpacts")
      .where("workspaceId", "=", workspaceId)
      .select(({ fn }) => [
        "id",
        fn
          .agg<number>("row_number")
          .over((over) => over.orderBy("savedAt", "desc").orderBy("id"))
          .as("number"),
        fn
          .sum<number>("bytes")
          .over((over) => over.orderBy("savedAt", "desc").orderBy("id"))
          .as("total"),
      ]);
    const surplus = db
      .selectFrom(newestFirst.as("newest"))
      .select("id")
      .where(({ eb, or }) => or([eb("number", ">", MAX_COUNT), eb("total", ">", MAX_BYTES)]))
      .limit(AT_ONCE);
    await db.deleteFrom("savedImpacts").where("workspaceId", "=", workspaceId).where("id", "in", surplus).execute();
  }

  return {
    /** Stores an answer. If it is stored already, its time begins anew. */
    async save(workspaceId: WorkspaceId, { id, body }: Omit<SavedImpact, "savedAt">): Promise<void> {
      const savedAt = now();
      await db
        .insertInto("savedImpacts")
        .values({ workspaceId, id, savedAt, bytes: Buffer.byteLength(body), body })
        .onConflict((conflict) => conflict.columns(["workspaceId", "id"]).doUpdateSet({ savedAt }))
        .execute();
      await trim(workspaceId);
    },
    /** @returns null if there is none, or if it was saved before this time */
    find: (workspaceId: WorkspaceId, id: string, since: string): Promise<SavedImpact | null> =>
      findFirst(
        db
          .selectFrom("savedImpacts")
          .select(["id", "savedAt", "body"])
          .where((eb) => eb.and({ workspaceId, id }))
          .where("savedAt", ">=", since),
      ),
    /** Deletes at most 100 answers of all workspaces that were saved before this time, and returns how many there were. */
    async removeBefore(before: string): Promise<number> {
      const old = db
        .selectFrom("savedImpacts")
        .select(["workspaceId", "id"])
        .where("savedAt", "<", before)
        .orderBy("savedAt")
        .limit(AT_ONCE);
      const { numDeletedRows } = await db
        .deleteFrom("savedImpacts")
        .where(({ eb, refTuple }) => eb(refTuple("workspaceId", "id"), "in", old.$asTuple("workspaceId", "id")))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
