/** Creates the users of a workspace, and changes their roles and permissions. */
import { notFound } from "../errors.ts";
import type { UserId } from "../ids.ts";
import type { Permission, Role, User } from "../metadata/records.ts";
import type { SecurityRepositories } from "../metadata/store.ts";
import { type AuthParts, change } from "./change.ts";
import type { Origin } from "./origin.ts";

/** @throws AppError `bad_request` if the e-mail address is not valid, `conflict` if the workspace already has it */
export async function createUser(
  { store }: AuthParts,
  origin: Origin,
  { email, role }: { email: string; role: Role },
): Promise<User> {
  return change(store, origin, async (nouns, note) => {
    const user = await nouns.users.create({ workspaceId: origin.workspace.id, email, role });
    await note("user_created", user.id, { email, role });
    return user;
  });
}

/**
 * Sets the user's role, or disables or enables the user. The user's keys and sessions follow from the next request on:
 * the role limits what they may do, and those of a disabled user are refused.
 * @throws AppError `not_found`; `conflict` if no active admin would remain, or none who can log in
 */
export async function changeUser(
  { store }: AuthParts,
  origin: Origin,
  { id, role, disabled }: { id: UserId; role?: Role | undefined; disabled?: boolean | undefined },
): Promise<User> {
  return change(store, origin, async (nouns, note) => {
    const { workspace } = origin;
    let user = await getUser(nouns, origin, id);
    if (role !== undefined && user.role !== role) {
      await note("user_changed", id, { role: { from: user.role, to: role } });
      user = await nouns.users.setRole(workspace.id, id, role);
    }
    if (disabled !== undefined && (user.disabledAt !== null) !== disabled) {
      await note("user_changed", id, { disabled: { from: !disabled, to: disabled } });
      user = await nouns.users.setDisabled(workspace.id, id, disabled);
      if (disabled) {
        // Enabled again, the person logs in again.
        await nouns.sessions.endAll(workspace.id, { userId: id });
        await nouns.loginLinks.endAll(workspace.id, { email: user.email });
      }
    }
    return user;
  });
}

interface PermissionChange {
  id: UserId;
  permission: Permission;
}

/** @throws AppError `not_found` */
export function grantPermission(parts: AuthParts, origin: Origin, { id, permission }: PermissionChange): Promise<User> {
  return changeGrants(parts, origin, id, (grants) => grants.add(permission));
}

/** @throws AppError `not_found` */
export function revokePermission(
  parts: AuthParts,
  origin: Origin,
  { id, permission }: PermissionChange,
): Promise<User> {
  return changeGrants(parts, origin, id, (grants) => grants.delete(permission));
}

async function changeGrants(
  { store }: AuthParts,
  origin: Origin,
  id: UserId,
  apply: (grants: Set<Permission>) => void,
): Promise<User> {
  return change(store, origin, async (nouns, note) => {
    const user = await getUser(nouns, origin, id);
    const grants = new Set(user.grants);
    apply(grants);
    if (grants.size === user.grants.length) return user;
    await note("user_changed", id, { grants: { from: user.grants, to: [...grants] } });
    return nouns.users.setGrants(origin.workspace.id, id, [...grants]);
  });
}

/** @throws AppError `not_found` */
export async function getUser({ users }: SecurityRepositories, { workspace }: Origin, id: UserId): Promise<User> {
  const user = await users.findById(workspace.id, id);
  if (user === null) throw notFound("user", id);
  return user;
}
