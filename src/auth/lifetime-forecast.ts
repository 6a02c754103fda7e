/** What a new bound on the lifetime of tokens will do to those that are there. */
import type { Clock } from "../clock.ts";
import { secondsFrom } from "./lifetime.ts";

interface Counts {
  keys: number;
  accessTokens: number;
}

export interface LifetimeForecast {
  /** Live tokens that are older than the bound already. */
  endNow: Counts;
  /** Live tokens that will end sooner than they would have. */
  endSooner: Counts;
  /** When the first of those that end sooner will end; null if there is none. */
  firstEnd: string | null;
}

interface Lived {
  createdAt: string;
  expiresAt: string | null;
}

interface Tokens {
  /** Revoked and expired ones too. */
  keys: readonly (Lived & { revokedAt: string | null })[];
  /** Only those that are neither revoked nor expired. */
  accessTokens: readonly Lived[];
}

/** @param seconds from a token's creation */
export function forecastLifetime({ keys, accessTokens }: Tokens, clock: Clock, seconds: number): LifetimeForecast {
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
