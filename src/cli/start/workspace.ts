/** Creates workspaces, each with its first user. The first keys get this user's permissions. */
import { AppError } from "../../errors.ts";
import type { User, Workspace, WorkspaceKind } from "../../metadata/records.ts";
import type { MetadataStore } from "../../metadata/store.ts";

export const DEFAULT_WORKSPACE = "default";

/** The operator of the service. This address receives no mail. */
const FIRST_USER = "admin@localhost.localdomain";

type Repositories = Pick<MetadataStore, "workspaces" | "users">;

/** @throws AppError `bad_request` if the name is not valid, `conflict` if it is taken */
export async function establishWorkspace(store: Repositories, name: string, kind: WorkspaceKind): Promise<Workspace> {
  const workspace = await store.workspaces.create({ name, kind });
  await getFirstAdmin(store, workspace);
  return workspace;
}

/** Returns the workspace `default`, and creates it if necessary. Several processes may call this at the same time. */
export async function getDefaultWorkspace(store: Repositories): Promise<Workspace> {
  return getOrCreate(
    () => store.workspaces.findByName(DEFAULT_WORKSPACE),
    () => establishWorkspace(store, DEFAULT_WORKSPACE, "live"),
  );
}

/** Returns the user for whom the command line acts. Creates it if the creation of the workspace was interrupted. */
export async function getFirstAdmin(store: Repositories, { id: workspaceId }: Workspace): Promise<User> {
  return getOrCreate(
    () => store.users.findFirstAdmin(workspaceId),
    () => store.users.create({ workspaceId, email: FIRST_USER, role: "admin" }),
  );
}

/** Another process may create the same thing between `find` and `create`. Then it is found again. */
export async function getOrCreate<T>(find: () => Promise<T | null>, create: () => Promise<T>): Promise<T> {
  const found = await find();
  if (found !== null) return found;
  try {
    return await create();
  } catch (error) {
    const theirs = error instanceof AppError && error.code === "conflict" ? await find() : null;
    if (theirs === null) throw error;
    return theirs;
  }
}
