/** What each role may do, and the check of one scope. Scopes do not imply each other. */
import { AppError } from "../errors.ts";
import type { Role, Scope } from "../metadata/records.ts";
import type { Principal } from "./principal.ts";

const SCOPES_OF: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  analyst: new Set(["read"]),
  engineer: new Set(["read", "write"]),
  admin: new Set(["read", "write", "admin"]),
};

export function scopesOf(role: Role): ReadonlySet<Scope> {
  return SCOPES_OF[role];
}

/** @throws AppError `forbidden` where the token may not do this */
export function requireScope(principal: Principal, scope: Scope): void {
  if (!principal.scopes.has(scope)) throw new AppError("forbidden", `This needs a token with the scope "${scope}".`);
}
