/** When a notice that did not arrive is sent again. */
import type { RandomBytes } from "../clock.ts";
import type { Notice } from "../metadata/notice-records.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The pauses before the second try, the third and so on. The last one is repeated. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];
/** A notice is tried for so long. */
const TRIED_FOR_MS = 24 * HOUR_MS;
/** Each pause is up to so much longer, so that a receiver that comes back is not met by all at once. */
const JITTER = 0.1;

/**
 * @param tried.triesSoFar how many there were, with the one that has just failed
 * @returns null if it was tried for a day: it has failed
 */
export function findNextTry(
  { firstTryAt, triesSoFar }: { firstTryAt: Notice["firstTryAt"]; triesSoFar: number },
  now: Date,
  random: RandomBytes,
): Date | null {
  if (firstTryAt !== null && now.getTime() - Date.parse(firstTryAt) >= TRIED_FOR_MS) return null;
  const pause = PAUSES_MS[Math.min(triesSoFar, PAUSES_MS.length) - 1] ?? 0;
  const share = random(2).readUInt16BE() / 0xff_ff;
  return new Date(now.getTime() + Math.round(pause * (1 + JITTER * share)));
}
