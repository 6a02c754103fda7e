/** Who may get mails: people of the workspace who have logged in, so that the address is theirs. */
import { fold } from "../catalog/text.ts";
import type { WorkspaceId } from "../ids.ts";
import type { NoticeRule } from "../metadata/notice-records.ts";
import type { Repositories } from "../metadata/store.ts";

/** @returns the person's address as the workspace has it; null if nobody may be written to there */
export async function findMailAddress(
  { users }: Pick<Repositories, "users">,
  workspaceId: WorkspaceId,
  email: string,
): Promise<string | null> {
  const user = email === "" ? null : await users.findByAddress(workspaceId, email);
  return user !== null && user.disabledAt === null && user.lastLoginAt !== null ? user.email : null;
}

export async function isReachable(
  store: Pick<Repositories, "users" | "noticeRules">,
  { id, workspaceId }: Pick<NoticeRule, "id" | "workspaceId">,
  email: string,
): Promise<boolean> {
  if ((await findMailAddress(store, workspaceId, email)) === null) return false;
  return !(await store.noticeRules.hasOptedOut(id, fold(email)));
}
