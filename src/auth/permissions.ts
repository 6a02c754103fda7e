/** The scopes of each role, and the rights that routes and fields require. Scopes do not imply each other. */
import { AppError } from "../errors.ts";
import type { Permission, Role, Scope } from "../metadata/records.ts";
import type { Principal } from "./principal.ts";

/**
 * The requirement of a route or root field: nothing, any valid token, everything that its owner may do (`self`), a
 * scope, or a permission.
 */
export type Requirement = "nothing" | "token" | "self" | Scope | Permission;

const SCOPES_OF: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  analyst: new Set(["read"]),
  engineer: new Set(["read", "write"]),
  admin: new Set(["read", "write", "admin"]),
};

export function scopesOf(role: Role): ReadonlySet<Scope> {
  return SCOPES_OF[role];
}

type Powers = Pick<Principal, "actor" | "role" | "scopes" | "grants">;

/**
 * Whether the token may manage keys. It needs the scope `admin`, or an owner with the permission and all scopes of the
 * owner's role.
 */
export function mayManageKeys({ role, scopes, grants }: Omit<Powers, "actor">): boolean {
  if (scopes.has("admin")) return true;
  return grants.has("api:manage") && scopesOf(role).isSubsetOf(scopes);
}

/**
 * Whether the token may certify metrics. It needs the scope `write`, and must belong to a person who is an admin or has
 * the permission. A program may never certify.
 */
export function mayCertify({ actor, role, scopes, grants }: Powers): boolean {
  return actor.kind === "user" && scopes.has("write") && (role === "admin" || grants.has("metrics:certify"));
}

/** @throws AppError `forbidden` if the token may not do this */
export function requirePermission(principal: Powers, requirement: Requirement): void {
  if (requirement === "nothing" || requirement === "token") return;
  if (requirement === "self") {
    // A session has all scopes. A key with fewer scopes must not act as the person.
    if (scopesOf(principal.role).isSubsetOf(principal.scopes)) return;
    throw new AppError("forbidden", "This needs a login, or a token with all scopes of its owner's role.");
  }
  if (requirement === "api:manage") {
    if (mayManageKeys(principal)) return;
    throw new AppError(
      "forbidden",
      'This needs a token with the scope "admin", or a token with all scopes of its owner\'s role if the owner has the permission "api:manage".',
    );
  }
  if (requirement === "metrics:certify") {
    if (mayCertify(principal)) return;
    throw new AppError(
      "forbidden",
      'This needs a token with the scope "write" whose owner is an admin or a person with the permission "metrics:certify"; service accounts cannot do this.',
    );
  }
  if (!principal.scopes.has(requirement)) {
    throw new AppError("forbidden", `This needs a token with the scope "${requirement}".`);
  }
}
