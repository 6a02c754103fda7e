/** Stores workspaces. Every asset, key and connector belongs to one. */
import { AppError, badField } from "../errors.ts";
import { toWorkspaceName, type WorkspaceId, type WorkspaceName } from "../ids.ts";
import type { Workspace, WorkspaceKind } from "./records.ts";
import { findFirst, hasRow, inTransaction, type StoreContext } from "./context.ts";
import { UNFINISHED } from "./workspace-row.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The rest of the row is in `security.ts`. */
const COLUMNS = ["id", "name", "kind", "createdAt"] as const;

export function createWorkspaceStore({ db, now, newId }: StoreContext) {
  const workspaces = () => db.selectFrom("workspaces").select(COLUMNS);
  return {
    findByName: (name: string): Promise<Workspace | null> =>
      findFirst(workspaces().where("name", "=", toWorkspaceName(name))),
    findById: (id: WorkspaceId): Promise<Workspace | null> => findFirst(workspaces().where("id", "=", id)),
    /** In the order of names. Copies that are not whole yet are left out. */
    list: () =>
      workspaces()
        .where("name", "not like", toWorkspaceName(`% ${UNFINISHED} %`))
        .orderBy("name")
        .execute(),
    /** @throws AppError `bad_request` if the name is not valid, `conflict` if it is taken */
    async create({ name: text, kind }: { name: string; kind: WorkspaceKind }): Promise<Workspace> {
      const name = parseName(text);
      return inTransaction(db, async (trx) => {
        const others = trx.selectFrom("workspaces").select("id").where("name", "=", name);
        if (await hasRow(others)) throw new AppError("conflict", `A workspace named ${name} already exists.`);
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
