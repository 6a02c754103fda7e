/** Checks whether a workspace and a key accept requests from an address. */
import { AppError } from "../errors.ts";
import { isAllowed } from "../addresses/allowlist.ts";
import type { SecuritySettings } from "../metadata/records.ts";

/** @throws AppError `forbidden` if the workspace or the key itself does not accept the address */
export function requireAllowedKey(
  source: string,
  { security, networks }: { security: SecuritySettings; networks: readonly string[] },
): void {
  requireAllowedSource(source, security);
  if (!isAllowed(source, networks)) throw new AppError("forbidden", "This key is not accepted from this address.");
}

/** @throws AppError `forbidden` if the workspace's allowlist does not contain the address */
export function requireAllowedSource(source: string, { allowlist }: SecuritySettings): void {
  if (!isAllowed(source, allowlist))
    throw new AppError("forbidden", "The workspace accepts no tokens from this address.");
}
