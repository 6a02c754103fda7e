/** Checks whether a workspace accepts tokens from an address. */
import { AppError } from "../errors.ts";
import { isAllowed } from "../addresses/allowlist.ts";
import type { SecuritySettings } from "../metadata/records.ts";

/** @throws AppError `forbidden` if the workspace's allowlist does not contain the address */
export function requireAllowedSource(source: string, { allowlist }: SecuritySettings): void {
  if (!isAllowed(source, allowlist))
    throw new AppError("forbidden", "The workspace accepts no tokens from this address.");
}
