/** Stores workspaces. Every asset, key and connector belongs to one. */
import { AppError, badField } from "../errors.ts";
import { toWorkspaceName, type WorkspaceId, type WorkspaceName } from "../ids.ts";
import type { Workspace, WorkspaceKind } from "./records.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import { UNFINISHED } from "./workspace-row.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The rest of the row is in `security.ts`. */
const COLUMNS = ["id", "name", "kind", "createdAt"] as const;

export function createWorkspaceStore({ db, now, newId }: StoreContext) {
  return {
    async findByName(name: string): Promise<Workspace | null> {
      return (
        (await db
          .selectFrom("workspaces")
          .select(COLUMNS)
          .where("name", "=", toWorkspaceName(name))
          .executeTakeFirst()) ?? null
      );
    },
    async findById(id: WorkspaceId): Promise<Workspace | null> {
      return (await db.selectFrom("workspaces").select(COLUMNS).where("id", "=", id).executeTakeFirst()) ?? null;
    },
    /** In the order of names. Copies that are not whole yet are left out. */
    list: () =>
      db
        .selectFrom("workspaces")
        .select(COLUMNS)
        .where("name", "not like", toWorkspaceName(`% ${UNFINISHED} %`))
        .orderBy("name")
        .execute(),
    /** @throws AppError `bad_request` if the name is not valid, `conflict` if it is taken */
    async create({ name: text, kind }: { name: string; kind: WorkspaceKind }): Promise<Workspace> {
      const name = parseName(text);
      return inTransaction(db, async (trx) => {
        const taken = await trx.selectFrom("workspaces").select("id").where("name", "=", name).executeTakeFirst();
        if (taken !== undefined) throw new AppError("conflict", `A workspace named ${name} already exists.`);
        const workspace = { id: newId("ws"), name, kind, createdAt: now() };
        await trx.insertInto("workspaces").values(workspace).execute();
        return workspace;
      });
    },
  };
}

function parseName(text: string): WorkspaceName {
  if (NAME.test(text)) return toWorkspaceName(text);
  throw badField("name", "must be 1 to 64 of a-z, 0-9, _ and -, and begin with a letter or digit");
}
