/** How long sessions last. */
import { latestFrom } from "../../clock.ts";
import type { Session } from "../../metadata/login-records.ts";

export interface SessionLifetime {
  /** A session ends when it was not used for this long. */
  idleMs: number;
  /** A session ends this long after the login, however much it is used. */
  maxMs: number;
}

/** The use of a session is noted when it was last noted this long ago, so that few requests write. */
const SEEN_EVERY_MS = 5 * 60_000;

/** When the session ends if it is not used any more. ISO 8601. */
export function endOf(
  { seenAt, expiresAt }: Pick<Session, "seenAt" | "expiresAt">,
  { idleMs }: SessionLifetime,
): string {
  const idleUntil = new Date(Date.parse(seenAt) + idleMs).toISOString();
  return idleUntil < expiresAt ? idleUntil : expiresAt;
}

/** After the clock was set back, the time that was noted lies in the future. */
export function isDueToBeSeen({ seenAt }: Pick<Session, "seenAt">, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(seenAt)) >= SEEN_EVERY_MS;
}

/** A session that began in the future is from before the clock was set back, and would last too long. */
export function hasEnded(
  session: Pick<Session, "createdAt" | "seenAt" | "expiresAt">,
  lifetime: SessionLifetime,
  now: Date,
): boolean {
  return endOf(session, lifetime) <= now.toISOString() || session.createdAt > latestFrom(now);
}
