/** What an address says of a filter by owner for whatever has none. */
export const NO_OWNER = "none";

/** @returns the variable of a list's owner: null for what has no owner, and no variable for whatever the owner is */
export function ownedBy(owner: string | null | undefined): { owner?: string | null } {
  return owner == null ? {} : { owner: owner === NO_OWNER ? null : owner };
}
