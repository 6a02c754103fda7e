/** Whether a workspace takes tokens from an address. */
import { AppError } from "../errors.ts";
import { isAllowed } from "../limits/allowlist.ts";
import type { SecuritySettings } from "../metadata/records.ts";

/** @throws AppError `forbidden` where the workspace's allowlist does not have the address */
export function requireAllowedSource(source: string, { allowlist }: SecuritySettings): void {
  if (!isAllowed(source, allowlist))
    throw new AppError("forbidden", "The workspace takes no tokens from this address.");
}
