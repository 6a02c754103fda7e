/** Who changes something, and from where. */
import type { Permission, Scope, User, Workspace } from "../metadata/records.ts";
import { scopesOf } from "./permissions.ts";
import type { Actor, Principal } from "./principal.ts";

export const COMMAND_LINE = "command line";

export interface Origin {
  workspace: Workspace;
  actor: Actor;
  /** What the actor may do here, and hand on. */
  scopes: ReadonlySet<Scope>;
  /** What the actor was granted beside its role. */
  grants: ReadonlySet<Permission>;
  /** The token that was presented; null on the command line. */
  tokenId: string | null;
  /** The address that the request came from, or `command line`. */
  source: string;
}

/** @param source the address that the request came from */
export function fromRequest({ workspace, actor, scopes, grants, tokenId }: Principal, source: string): Origin {
  return { workspace, actor, scopes, grants, tokenId, source };
}

/**
 * Whoever has the shell: may do what the user may, but is not that user, and is not named as one in the trail.
 * @param user by whose permissions what is made is bound
 */
export function fromOperator(workspace: Workspace, user: User): Origin {
  const origin = fromCommandLine(workspace, user);
  return { ...origin, actor: { ...origin.actor, name: COMMAND_LINE } };
}

/** @param user in whose name the command line acts */
export function fromCommandLine(workspace: Workspace, user: User): Origin {
  const actor: Actor = { kind: "user", id: user.id, name: user.email };
  const [scopes, grants] = [scopesOf(user.role), new Set(user.grants)];
  return { workspace, actor, scopes, grants, tokenId: null, source: COMMAND_LINE };
}
