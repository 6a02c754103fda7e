/** Columns of a user, without the hash of the password, and the record that is made from them. */
import { type ExpressionBuilder, sql } from "kysely";

import type { Permission, User } from "./records.ts";
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

/** Whether the user can log in, and how: 1 or 0 each. */
export function selectLogins(_eb: ExpressionBuilder<Tables, "users">) {
  return [
    sql<number>`case when users.password is null then 0 else 1 end`.as("hasPassword"),
    sql<number>`case when users.sso_subject is null then 0 else 1 end`.as("sso"),
  ];
}

export interface UserRow extends Omit<User, "grants" | "hasPassword" | "sso"> {
  grants: string;
  hasPassword: number;
  sso: number;
}

export function toUser({ hasPassword, sso, grants: text, ...row }: UserRow): User {
  const grants: Permission[] = JSON.parse(text);
  return { ...row, grants, hasPassword: hasPassword === 1, sso: sso === 1 };
}
