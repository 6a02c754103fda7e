/** A workspace begins with its first user, by whose permissions its first keys are made. */
import { AppError } from "../errors.ts";
import type { User, Workspace, WorkspaceKind } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";

export const DEFAULT_WORKSPACE = "default";

/** It receives no mail; it stands for whoever runs the service. */
const FIRST_USER = "admin@localhost.localdomain";

type Nouns = Pick<MetadataStore, "workspaces" | "users">;

/** @throws AppError `bad_request` for a name that is none, `conflict` for one that is taken */
export async function establishWorkspace(store: Nouns, name: string, kind: WorkspaceKind): Promise<Workspace> {
  const workspace = await store.workspaces.create({ name, kind });
  await getFirstAdmin(store, workspace);
  return workspace;
}

/** The workspace that is there from the first start on, whichever process comes first. */
export async function getDefaultWorkspace(store: Nouns): Promise<Workspace> {
  return getOrCreate(
    () => store.workspaces.findByName(DEFAULT_WORKSPACE),
    () => establishWorkspace(store, DEFAULT_WORKSPACE, "live"),
  );
}

/** The user in whose name the command line acts; made where a beginning was cut short. */
export async function getFirstAdmin(store: Nouns, { id: workspaceId }: Workspace): Promise<User> {
  return getOrCreate(
    () => store.users.findFirstAdmin(workspaceId),
    () => store.users.create({ workspaceId, email: FIRST_USER, role: "admin" }),
  );
}

/** Another process may create the same between the two looks. */
async function getOrCreate<T>(find: () => Promise<T | null>, create: () => Promise<T>): Promise<T> {
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
