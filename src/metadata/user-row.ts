/** Columns of a user, without the hash of the password. */
import { type ExpressionBuilder, sql } from "kysely";

import type { Tables } from "./tables.ts";

export const USER_COLUMNS = [
  "users.id",
  "users.workspaceId",
  "users.email",
  "users.name",
  "users.role",
  "users.grants",
  "users.createdAt",
  "users.disabledAt",
  "users.lastLoginAt",
] as const;

/** Whether the user can log in, and how. */
export function selectLogins(_eb: ExpressionBuilder<Tables, "users">) {
  return [
    sql<boolean>`case when users.password is null then 0 else 1 end`.as("hasPassword"),
    sql<boolean>`case when users.sso_subject is null then 0 else 1 end`.as("sso"),
  ];
}
