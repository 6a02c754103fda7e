/** Who a request is from, once its token was believed. */
import type { Permission, Role, Scope, SecuritySettings, Workspace } from "../metadata/records.ts";

/** A user or a service account: what a token inherits from, and what it does is done by. */
export interface Actor {
  kind: "user" | "account";
  id: string;
  /** A user's e-mail address, an account's name. */
  name: string;
}

export interface Principal {
  workspace: Workspace;
  /** The workspace's settings as they were when the token was looked up: for the guard behind it. */
  security: SecuritySettings;
  /** The key or access token that was presented; null on the command line. */
  tokenId: string | null;
  /** What the rate limit counts by: the key, or the account of an access token, whose tokens share one quota. */
  quotaId: string;
  actor: Actor;
  /** The actor's role now. */
  role: Role;
  /** What it may do now: the token's scopes, as far as the actor's role goes. */
  scopes: ReadonlySet<Scope>;
  /** What the actor was granted beside its role. */
  grants: ReadonlySet<Permission>;
}
