/** The actor of a change, and where the change comes from. */
import type { SessionId, TokenId } from "../ids.ts";
import type { Permission, Scope, User, Workspace } from "../metadata/records.ts";
import { scopesOf } from "./permissions.ts";
import type { Actor, Principal } from "./principal.ts";

export const COMMAND_LINE = "command line";

export interface Origin {
  workspace: Workspace;
  actor: Actor;
  /** The scopes that the actor has here and may give to keys. */
  scopes: ReadonlySet<Scope>;
  /** Permissions that the actor has besides its role. */
  grants: ReadonlySet<Permission>;
  /** The token or session of the request. Null on the command line. */
  tokenId: TokenId | SessionId | null;
  /** The address that the request came from, or `command line`. */
  source: string;
}

/** @param source the address that the request came from */
export function fromRequest({ workspace, actor, scopes, grants, tokenId }: Principal, source: string): Origin {
  return { workspace, actor, scopes, grants, tokenId, source };
}

/**
 * The origin of the operator, who has a shell on the machine. The operator has the user's permissions, but the audit
 * trail names the command line instead of the user.
 * @param user limits the permissions of what the operator creates
 */
export function fromOperator(workspace: Workspace, user: User): Origin {
  const origin = fromCommandLine(workspace, user);
  return { ...origin, actor: { ...origin.actor, name: COMMAND_LINE } };
}

/** @param user the user for whom the command line acts */
export function fromCommandLine(workspace: Workspace, user: User): Origin {
  const actor: Actor = { kind: "user", id: user.id, name: user.email };
  const [scopes, grants] = [scopesOf(user.role), new Set(user.grants)];
  return { workspace, actor, scopes, grants, tokenId: null, source: COMMAND_LINE };
}
