/** Creates the users of a workspace, and changes their roles and permissions. */
import { notFound } from "../errors.ts";
import type { UserId } from "../ids.ts";
import type { Permission, Role, User } from "../metadata/records.ts";
import type { SecurityNouns } from "../metadata/store.ts";
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
 * Sets the user's role. It limits the user's keys from the next request on.
 * @throws AppError `not_found`; `conflict` if no active admin would remain
 */
export async function setUserRole(
  { store }: AuthParts,
  origin: Origin,
  { id, role }: { id: UserId; role: Role },
): Promise<User> {
  return change(store, origin, async (nouns, note) => {
    const user = await getUser(nouns, origin, id);
    if (user.role === role) return user;
    await note("user_changed", id, { role: { from: user.role, to: role } });
    return nouns.users.setRole(origin.workspace.id, id, role);
  });
}

/**
 * Disables or enables a user. The keys of a disabled user are refused at once.
 * @throws AppError `not_found`; `conflict` if no active admin would remain
 */
export async function setUserDisabled(
  { store }: AuthParts,
  origin: Origin,
  { id, disabled }: { id: UserId; disabled: boolean },
): Promise<User> {
  return change(store, origin, async (nouns, note) => {
    const user = await getUser(nouns, origin, id);
    if ((user.disabledAt !== null) === disabled) return user;
    await note("user_changed", id, { disabled: { from: !disabled, to: disabled } });
    return nouns.users.setDisabled(origin.workspace.id, id, disabled);
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

async function getUser({ users }: SecurityNouns, { workspace }: Origin, id: UserId): Promise<User> {
  const user = await users.findById(workspace.id, id);
  if (user === null) throw notFound("user", id);
  return user;
}
