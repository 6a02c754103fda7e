/** The principal of an authenticated request. */
import type { AccountId, SessionId, TokenId, UserId } from "../ids.ts";
import type { Permission, Role, Scope, SecuritySettings, Workspace } from "../metadata/records.ts";
import type { Session } from "../metadata/login-records.ts";

/** A user or a service account. It owns tokens, and it is the actor of everything that they do. */
export type Actor = ({ kind: "user"; id: UserId } | { kind: "account"; id: AccountId }) & {
  /** A user's e-mail address, or an account's name. */
  name: string;
};

export interface Principal {
  workspace: Workspace;
  /** The workspace's settings at the time when the token was looked up. The later checks of the guard use them. */
  security: SecuritySettings;
  /** The networks from which the key is accepted; empty: from everywhere that the workspace accepts. */
  networks: readonly string[];
  /** The key, access token or session of the request. Null on the command line. */
  tokenId: TokenId | SessionId | null;
  /** The session, if a person asks with a browser. Then `tokenId` is its id, and `expiresAt` says when it ends if idle. */
  session: Session | null;
  /**
   * The id that the rate limit counts: the key, or the account of an access token, because its tokens share one quota.
   * The sessions of a person share one too.
   */
  quotaId: string;
  actor: Actor;
  /** The actor's current role. */
  role: Role;
  /** The token's scopes that the actor's current role allows. */
  scopes: ReadonlySet<Scope>;
  /** Permissions that the actor has besides its role. */
  grants: ReadonlySet<Permission>;
}
