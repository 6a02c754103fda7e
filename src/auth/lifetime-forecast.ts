/** Forecasts what a new maximum lifetime will do to existing tokens. */
import type { WorkspaceId } from "../ids.ts";
import type { AuthParts } from "./change.ts";
import { secondsFrom } from "./lifetime.ts";
import { requireLifetime } from "./security-settings.ts";

interface Counts {
  keys: number;
  accessTokens: number;
}

export interface LifetimeForecast {
  /** Valid tokens that are already older than the maximum. */
  endNow: Counts;
  /** Valid tokens that will end sooner than planned. */
  endSooner: Counts;
  /** When the first token of `endSooner` will end. Null if there is none. */
  firstEnd: string | null;
}

interface Lived {
  createdAt: string;
  expiresAt: string | null;
}

/**
 * @param seconds the maximum lifetime, from a token's creation
 * @throws AppError `bad_request` for a maximum that cannot be set
 */
export async function forecastLifetime(
  { store, clock }: Pick<AuthParts, "store" | "clock">,
  workspaceId: WorkspaceId,
  seconds: number,
): Promise<LifetimeForecast> {
  requireLifetime(seconds);
  const keys = await store.keys.list(workspaceId);
  const accessTokens = await store.accessTokens.listLive(workspaceId);
  const now = clock.now().toISOString();
  const live = keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now));
  const endsOf = (tokens: readonly Lived[]): string[] =>
    tokens.flatMap(({ createdAt, expiresAt }) => {
      const end = secondsFrom(new Date(createdAt), seconds);
      return expiresAt === null || end < expiresAt ? [end] : [];
    });
  const ends = { keys: endsOf(live), accessTokens: endsOf(accessTokens) };
  const count = (counted: (end: string) => boolean): Counts => ({
    keys: ends.keys.filter(counted).length,
    accessTokens: ends.accessTokens.filter(counted).length,
  });
  const later = [...ends.keys, ...ends.accessTokens].filter((end) => end > now).toSorted();
  return { endNow: count((end) => end <= now), endSooner: count((end) => end > now), firstEnd: later[0] ?? null };
}
