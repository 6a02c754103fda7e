/** Changes a workspace's security settings: rate limit, allowlist, and the maximum lifetime of tokens. */
import { AppError, badField } from "../errors.ts";
import { isAllowed, parseCidrs } from "../addresses/allowlist.ts";
import { MAX_RATE_LIMIT, type SecuritySettings } from "../metadata/records.ts";
import { type AuthParts, change } from "./change.ts";
import { COMMAND_LINE, type Origin } from "./origin.ts";

export const MIN_TOKEN_LIFETIME_SECONDS = 60;
/** Ten years. */
export const MAX_TOKEN_LIFETIME_SECONDS = 10 * 365 * 24 * 60 * 60;

/**
 * @param perMinute requests in any 60 seconds, per key or OAuth client
 * @throws AppError `bad_request` if it is not a whole number from 1 to 10,000
 */
export async function setRateLimit(parts: AuthParts, origin: Origin, perMinute: number): Promise<SecuritySettings> {
  requireWithin("perMinute", perMinute, 1, MAX_RATE_LIMIT);
  return setSetting(parts, origin, "rateLimitPerMinute", perMinute);
}

/**
 * @param cidrs networks from which tokens are accepted. An empty list: from anywhere.
 * @throws AppError `bad_request` for a text that is not a CIDR, or more than 200 of them; `conflict` if the list would
 *   lock out the address of this request
 */
export async function setAllowlist(
  parts: AuthParts,
  origin: Origin,
  cidrs: readonly string[],
): Promise<SecuritySettings> {
  const allowlist = parseCidrs("cidrs", cidrs);
  if (origin.source !== COMMAND_LINE && !isAllowed(origin.source, allowlist)) {
    throw new AppError("conflict", `This would lock out ${origin.source}, from which this request comes.`);
  }
  return setSetting(parts, origin, "allowlist", allowlist);
}

/**
 * Sets the maximum lifetime of keys and access tokens, also for existing ones. Tokens that are already older end now,
 * and stay ended if the maximum is removed later.
 * @param seconds counted from a token's creation. Null: no maximum.
 * @throws AppError `bad_request` for less than a minute or more than ten years
 */
export async function setMaxTokenLifetime(
  parts: AuthParts,
  origin: Origin,
  seconds: number | null,
): Promise<SecuritySettings> {
  if (seconds !== null) requireLifetime(seconds);
  return setSetting(parts, origin, "maxTokenLifetimeSeconds", seconds);
}

/** @throws AppError `bad_request` for less than a minute or more than ten years */
export function requireLifetime(seconds: number): void {
  requireWithin("seconds", seconds, MIN_TOKEN_LIFETIME_SECONDS, MAX_TOKEN_LIFETIME_SECONDS);
}

function requireWithin(field: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw badField(field, `must be a whole number from ${min} to ${max}`);
  }
}

async function setSetting<Name extends keyof SecuritySettings>(
  { store }: AuthParts,
  origin: Origin,
  name: Name,
  value: SecuritySettings[Name],
): Promise<SecuritySettings> {
  return change(store, origin, async (nouns, note) => {
    const before = await nouns.security.get(origin.workspace.id);
    if (JSON.stringify(before[name]) === JSON.stringify(value)) return before;
    await note("setting_changed", name, { from: before[name], to: value });
    return nouns.security.set(origin.workspace.id, { [name]: value });
  });
}
