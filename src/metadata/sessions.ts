/** Stores the sessions of people who are logged in. Only a salted hash of each cookie is kept. */
import type { SessionId, UserId, WorkspaceId } from "../ids.ts";
import { findFirst, type StoreContext } from "./context.ts";
import type { Session } from "./login-records.ts";
import type { SaltedHash } from "./records.ts";

type NewSession = Omit<Session, "id" | "createdAt" | "seenAt"> & SaltedHash & { lookup: string };

const SESSION_COLUMNS = [
  "id",
  "workspaceId",
  "userId",
  "source",
  "userAgent",
  "sso",
  "userIds",
  "createdAt",
  "seenAt",
  "expiresAt",
] as const;

export function createSessionStore({ db, now, newId }: StoreContext) {
  const sessionsOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("sessions").select(SESSION_COLUMNS).where("workspaceId", "=", workspaceId);

  return {
    async create({ lookup, salt, hash, ...session }: NewSession): Promise<Session> {
      const created: Session = { id: newId("ses"), ...session, createdAt: now(), seenAt: now() };
      await db
        .insertInto("sessions")
        .values({ ...created, lookup, salt, hash })
        .execute();
      return created;
    },
    findById: (workspaceId: WorkspaceId, id: SessionId) => findFirst(sessionsOf(workspaceId).where("id", "=", id)),
    /** Finds a session by the first part of its cookie. Takes no workspace, because the cookie belongs to one. */
    findByLookup(lookup: string): Promise<(SaltedHash & { session: Session }) | null> {
      const columns = [...SESSION_COLUMNS, "salt", "hash"] as const;
      const found = db.selectFrom("sessions").select(columns).where("lookup", "=", lookup);
      return findFirst(found, ({ salt, hash, ...session }) => ({ session, salt, hash }));
    },
    /** All sessions of a user that are stored, the newest first. Some may have ended by their lifetime. */
    list: (workspaceId: WorkspaceId, userId: UserId): Promise<Session[]> =>
      sessionsOf(workspaceId).where("userId", "=", userId).orderBy("createdAt", "desc").orderBy("id").execute(),
    /** Notes that a session is in use. The time never moves back. Takes no workspace, because the id belongs to one. */
    async see(id: SessionId): Promise<void> {
      await db.updateTable("sessions").set({ seenAt: now() }).where("id", "=", id).execute();
    },
    /** Ends a session of the user. Returns whether there was one. */
    async end(workspaceId: WorkspaceId, userId: UserId, id: SessionId): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom("sessions")
        .where((eb) => eb.and({ workspaceId, userId, id }))
        .executeTakeFirst();
      return numDeletedRows > 0;
    },
    /**
     * The session works for another user of the same person from now on, with a new cookie. Returns false if it has ended
     * or works for somebody else than `from`.
     */
    async move(
      id: SessionId,
      from: UserId,
      to: { workspaceId: WorkspaceId; userId: UserId } & SaltedHash & { lookup: string },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("sessions")
        .set(to)
        .where((eb) => eb.and({ id, userId: from }))
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },
    /**
     * Ends all sessions of a user, or of all users of the workspace. Sessions in which the same people work for users of
     * other workspaces go on, but can no longer switch to these users. Returns how many were ended.
     */
    async endAll(workspaceId: WorkspaceId, of?: { userId: UserId; except?: SessionId | undefined }): Promise<number> {
      await db
        .updateTable("users")
        .set({ loginsEndedAt: now() })
        .where("workspaceId", "=", workspaceId)
        .$call((query) => (of === undefined ? query : query.where("id", "=", of.userId)))
        .execute();
      const { numDeletedRows } = await db
        .deleteFrom("sessions")
        .where("workspaceId", "=", workspaceId)
        .$call((query) => (of === undefined ? query : query.where("userId", "=", of.userId)))
        .$call((query) => (of?.except === undefined ? query : query.where("id", "!=", of.except)))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    /**
     * Deletes sessions of every workspace that have ended by their lifetime. They are refused like unknown ones.
     * @param unseenSince sessions that were not used since then have ended too
     */
    async removeEnded(unseenSince: string): Promise<void> {
      await db
        .deleteFrom("sessions")
        .where(({ eb, or }) => or([eb("expiresAt", "<=", now()), eb("seenAt", "<=", unseenSince)]))
        .execute();
    },
  };
}
