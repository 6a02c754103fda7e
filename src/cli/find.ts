/** What people name on the command line: by its id, or by the name that they know it by. */
import { AppError } from "../errors.ts";
import type { ServiceAccount, User } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";

/** @throws AppError `not_found` */
export async function getUser(store: MetadataStore, workspaceId: string, emailOrId: string): Promise<User> {
  const users = await store.users.list(workspaceId);
  const found = users.find(({ id, email }) => id === emailOrId || email === emailOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no user ${emailOrId}; tributary user list shows who there is.`);
}

/** @throws AppError `not_found` */
export async function getAccount(store: MetadataStore, workspaceId: string, nameOrId: string): Promise<ServiceAccount> {
  const accounts = await store.accounts.list(workspaceId);
  const found = accounts.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no account ${nameOrId}; tributary account list shows what there is.`);
}
