/** An authenticated principal, for tests behind the guard. */
import type { Principal } from "../../src/auth/principal.ts";
import { toTokenId, toUserId, toWorkspaceId, toWorkspaceName } from "../../src/ids.ts";
import { DEFAULT_RATE_LIMIT } from "../../src/metadata/records.ts";

/** Ada's key of a live workspace, with the scope `read`. */
export function makePrincipal(change: Partial<Principal> = {}): Principal {
  return {
    workspace: {
      id: toWorkspaceId("ws_1"),
      name: toWorkspaceName("default"),
      kind: "live",
      createdAt: "2026-01-01T00:00:00.000Z",
    },
    security: { rateLimitPerMinute: DEFAULT_RATE_LIMIT, allowlist: [], maxTokenLifetimeSeconds: null },
    networks: [],
    tokenId: toTokenId("key_1"),
    session: null,
    quotaId: "key_1",
    actor: { kind: "user", id: toUserId("usr_1"), name: "ada@example.com" },
    role: "analyst",
    scopes: new Set(["read"]),
    grants: new Set(),
    ...change,
  };
}
