/** Who a request is from, once its token was believed. */
import type { Scope, Workspace } from "../metadata/records.ts";

export interface Principal {
  workspace: Workspace;
  /** The key or account that the request's quota and audit belong to. */
  tokenId: string;
  /** Who stands behind it: a user's e-mail address. */
  actor: string;
  /** What it may do now. */
  scopes: ReadonlySet<Scope>;
}
