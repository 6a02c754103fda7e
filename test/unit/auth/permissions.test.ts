import { describe, expect, it } from "vitest";

import { mayManageKeys, requirePermission, type Requirement, scopesOf } from "../../../src/auth/permissions.ts";
import { AppError } from "../../../src/errors.ts";
import type { Role, Scope } from "../../../src/metadata/records.ts";
import { makePrincipal } from "../../support/principal.ts";

function allows(
  scopes: readonly Scope[],
  requirement: Requirement,
  { role = "admin", granted = false }: { role?: Role; granted?: boolean } = {},
): boolean {
  const grants = new Set(granted ? (["api:manage"] as const) : []);
  try {
    requirePermission(makePrincipal({ role, scopes: new Set(scopes), grants }), requirement);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "forbidden") return false;
    throw error;
  }
}

describe("Scopes", () => {
  it("A role determines the scopes that a token may have", () => {
    expect([...scopesOf("analyst")]).toEqual(["read"]);
    expect([...scopesOf("engineer")]).toEqual(["read", "write"]);
    expect([...scopesOf("admin")]).toEqual(["read", "write", "admin"]);
  });

  it("No scope implies another", () => {
    const all = ["read", "write", "admin"] as const;
    for (const held of all) {
      expect(all.filter((asked) => allows([held], asked))).toEqual([held]);
    }
  });

  it("A route that accepts any token, or needs none, asks for no scope", () => {
    expect(allows([], "token")).toBe(true);
    expect(allows([], "nothing")).toBe(true);
  });
});

describe("Managing keys", () => {
  it("Keys are managed by admins, and by users with api:manage whose token has every scope of their role", () => {
    expect(allows(["admin"], "api:manage")).toBe(true);
    expect(allows(["read"], "api:manage", { role: "analyst", granted: true })).toBe(true);
    expect(allows(["read", "write"], "api:manage", { role: "engineer", granted: true })).toBe(true);
    expect(allows(["read", "write"], "api:manage", { role: "engineer", granted: false })).toBe(false);
    expect(allows(["read"], "api:manage", { role: "engineer", granted: true })).toBe(false);
    expect(allows(["write"], "api:manage", { role: "engineer", granted: true })).toBe(false);
    expect(mayManageKeys(makePrincipal({ scopes: new Set(["admin"]) }))).toBe(true);
    expect(mayManageKeys(makePrincipal())).toBe(false);
  });
});
