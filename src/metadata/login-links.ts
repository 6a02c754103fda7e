/** Stores one-time links. Only a salted hash of each is kept. A link that was used is deleted. */
import { latestFrom } from "../clock.ts";
import type { LinkId, WorkspaceId } from "../ids.ts";
import { findFirst, hasRow, type StoreContext } from "./context.ts";
import type { LinkKind, LoginLink } from "./login-records.ts";
import type { SaltedHash } from "./records.ts";
import type { Tables } from "./tables.ts";
import type { Selectable } from "kysely";

/** How long links that have ended are kept, so that admins see who never used one. */
const KEPT_MS = 30 * 86_400_000;

type NewLink = Omit<LoginLink, "id" | "createdAt"> & SaltedHash & { lookup: string };

/** What a link is checked by. */
interface LinkCredential extends SaltedHash {
  link: LoginLink;
}

export function createLoginLinkStore({ db, now, newId }: StoreContext) {
  const endAll = async (
    workspaceId: WorkspaceId,
    { kind, email }: { kind?: LinkKind; email?: string } = {},
  ): Promise<void> => {
    await db
      .deleteFrom("loginLinks")
      .where("workspaceId", "=", workspaceId)
      .$call((query) => (kind === undefined ? query : query.where("kind", "=", kind)))
      .$call((query) =>
        email === undefined ? query : query.where(({ eb, fn }) => eb(fn("lower", ["email"]), "=", email.toLowerCase())),
      )
      .execute();
  };
  return {
    /** Creates a link. Older links of the same kind for the same address end. */
    async replace(link: NewLink): Promise<LoginLink> {
      const { workspaceId, kind, email } = link;
      const forgotten = new Date(Date.parse(now()) - KEPT_MS).toISOString();
      await db.deleteFrom("loginLinks").where("expiresAt", "<=", forgotten).execute();
      await endAll(workspaceId, { kind, ...(email !== null && { email }) });
      const row = { id: newId("lnk"), ...link, createdAt: now() };
      await db.insertInto("loginLinks").values(row).execute();
      return toLink(row);
    },
    /** Takes no workspace, because the link belongs to one. */
    find: (lookup: string): Promise<LinkCredential | null> =>
      findFirst(db.selectFrom("loginLinks").selectAll().where("lookup", "=", lookup), (row) => {
        return { link: toLink(row), salt: row.salt, hash: row.hash };
      }),
    /** The invitations that nobody has used, the oldest first. Those that have ended stay for 30 days. */
    async listInvitations(workspaceId: WorkspaceId): Promise<LoginLink[]> {
      const rows = await db
        .selectFrom("loginLinks")
        .selectAll()
        .where((eb) => eb.and({ workspaceId, kind: "invitation" }))
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(toLink);
    },
    /** Whether a link of this kind was made after a time. */
    hasSince(workspaceId: WorkspaceId, kind: LinkKind, since: Date): Promise<boolean> {
      const ofKind = db
        .selectFrom("loginLinks")
        .select("id")
        .where((eb) => eb.and({ workspaceId, kind }));
      const after = ofKind.where("createdAt", ">", since.toISOString());
      return hasRow(after.where("createdAt", "<=", latestFrom(new Date(now()))).limit(1));
    },
    /** Ends a link. Returns whether it was there, so that of two who use a link at once only one succeeds. */
    async end(id: LinkId): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom("loginLinks").where("id", "=", id).executeTakeFirst();
      return numDeletedRows > 0;
    },
    /** Ends links of the workspace: all, those of a kind, or those for an address. */
    endAll,
  };
}

function toLink(row: Selectable<Tables["loginLinks"]>): LoginLink {
  const { id, workspaceId, kind, email, role, createdBy, createdAt, expiresAt } = row;
  return { id, workspaceId, kind, email, role, createdBy, createdAt, expiresAt };
}
