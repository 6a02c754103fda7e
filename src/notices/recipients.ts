/** Who may be told in person: people of the workspace who have logged in, so that the address is theirs. */
import { fold } from "../catalog/text.ts";
import type { WorkspaceId } from "../ids.ts";
import type { NoticeRule } from "../metadata/notice-records.ts";
import type { User } from "../metadata/records.ts";
import type { Repositories } from "../metadata/store.ts";

/** @returns null if nobody may be told there */
export async function findPerson(
  { users }: Pick<Repositories, "users">,
  workspaceId: WorkspaceId,
  email: string,
): Promise<User | null> {
  const user = email === "" ? null : await users.findByAddress(workspaceId, email);
  return user !== null && user.disabledAt === null && user.lastLoginAt !== null ? user : null;
}

/** @returns null if the rule tells nobody there, for example because the person wants no more mails of it */
export async function findReader(
  store: Pick<Repositories, "users" | "noticeRules">,
  { id, workspaceId }: Pick<NoticeRule, "id" | "workspaceId">,
  email: string,
): Promise<User | null> {
  const person = await findPerson(store, workspaceId, email);
  return person === null || (await store.noticeRules.hasOptedOut(id, fold(person.email))) ? null : person;
}
