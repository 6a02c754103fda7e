/** What each role may do, and what is asked of a token, in one place. Scopes do not imply each other. */
import { AppError } from "../errors.ts";
import type { Permission, Role, Scope } from "../metadata/records.ts";
import type { Principal } from "./principal.ts";

/**
 * What a route or root field asks for: a scope of the token, the right to manage API keys or to certify metrics, any valid
 * token, or nothing at all.
 */
export type Requirement = "nothing" | "token" | Scope | Permission;

const SCOPES_OF: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  analyst: new Set(["read"]),
  engineer: new Set(["read", "write"]),
  admin: new Set(["read", "write", "admin"]),
};

export function scopesOf(role: Role): ReadonlySet<Scope> {
  return SCOPES_OF[role];
}

type Powers = Pick<Principal, "actor" | "role" | "scopes" | "grants">;

/** Admins may; others where they were granted it, by a token that holds back nothing of what their role allows. */
export function mayManageKeys({ role, scopes, grants }: Omit<Powers, "actor">): boolean {
  if (scopes.has("admin")) return true;
  return grants.has("api:manage") && scopesOf(role).isSubsetOf(scopes);
}

/** People may, never programs: admins, and others where they were granted it, by a token that may write. */
function mayCertify({ actor, role, scopes, grants }: Powers): boolean {
  return actor.kind === "user" && scopes.has("write") && (role === "admin" || grants.has("metrics:certify"));
}

/** @throws AppError `forbidden` where the token may not do this */
export function requirePermission(principal: Powers, requirement: Requirement): void {
  if (requirement === "nothing" || requirement === "token") return;
  if (requirement === "api:manage") {
    if (mayManageKeys(principal)) return;
    throw new AppError(
      "forbidden",
      'This needs a token with the scope "admin", or one with every scope of its owner\'s role where "api:manage" was granted.',
    );
  }
  if (requirement === "metrics:certify") {
    if (mayCertify(principal)) return;
    throw new AppError(
      "forbidden",
      'This needs a token with the scope "write" of a person who is an admin or was granted "metrics:certify"; no service account has it.',
    );
  }
  if (!principal.scopes.has(requirement)) {
    throw new AppError("forbidden", `This needs a token with the scope "${requirement}".`);
  }
}
