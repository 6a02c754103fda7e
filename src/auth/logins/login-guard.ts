/**
 * Stops people who try many passwords. Failures are counted for each e-mail address and for each client. If a device or
 * session proves an earlier login, only the failures with this proof count, so others cannot lock the person out.
 * Failures are written to the audit trail.
 */
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";

import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import type { Lockout } from "../../limits/limits.ts";
import type { LoginUser } from "../../metadata/logins.ts";
import type { AuditAction } from "../../metadata/audit-actions.ts";
import type { MetadataStore } from "../../metadata/store.ts";

/** A failure for the same address from the same client is written again only after this time. */
const QUIET_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Attempt {
  /** The address that the request came from. */
  source: string;
  /** As it was typed. */
  email: string;
  /** The id of the device or session that proves an earlier login of this address; null if there is none. */
  device: string | null;
}

export type LoginGuard = ReturnType<typeof createLoginGuard>;

interface GuardParts {
  /** Counts failures by e-mail address, and by device. */
  byEmail: Lockout;
  /** Counts failures by client. */
  bySource: Lockout;
  store: MetadataStore;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
}

export function createLoginGuard({ byEmail, bySource, store, clock, log }: GuardParts) {
  const writtenAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Never rejects: a login is refused even if the store cannot be written. */
  async function write(action: AuditAction, { source, email }: Attempt, users: readonly LoginUser[]): Promise<void> {
    // An address that nobody has is not written, because every workspace sees events that belong to none.
    const events = users.map(({ user }) => ({ workspaceId: user.workspaceId, actor: email, subject: user.id }));
    const unknown = { workspaceId: null, actor: "", subject: "" };
    try {
      await store.transaction(async ({ audit }) => {
        for (const event of events.length === 0 ? [unknown] : events) {
          await audit.append({ action, source, details: {}, ...event });
        }
      });
    } catch (err) {
      log.error({ err, action, source }, "a failed login could not be written to the audit trail");
    }
  }

  async function count(
    lockout: Lockout,
    keys: readonly string[],
    attempt: Attempt,
    users: readonly LoginUser[],
  ): Promise<void> {
    const blocks = await Promise.all(keys.map((key) => lockout.noteFailure(key)));
    if (!blocks.includes(true)) return;
    log.warn({ source: attempt.source }, "locked out: too many attempts to log in failed");
    await write("lockout", attempt, users);
  }

  return {
    /** @throws AppError `rate_limited` while the device or else the client or the e-mail address is locked out */
    async refuseBlocked(attempt: Attempt): Promise<void> {
      const { source, device } = attempt;
      const own = byEmail.blockedForSeconds(toKey(attempt));
      const seconds = await Promise.all(device === null ? [own, bySource.blockedForSeconds(source)] : [own]);
      const retryAfterSeconds = Math.max(...seconds);
      if (retryAfterSeconds === 0) return;
      throw new AppError("rate_limited", "Too many attempts to log in failed. Try again later.", {
        details: { reason: "login_lockout" },
        retryAfterSeconds,
      });
    },
    /**
     * Counts a failure, and writes it to the audit trail. It takes as long for an address that nobody has. A failure of a
     * device also counts for the address and the client, so that a device does not evade their lockouts.
     * @param users those with this address; empty if nobody has it
     */
    async noteFailure(attempt: Attempt, users: readonly LoginUser[]): Promise<void> {
      const { source } = attempt;
      const ofEmail = toKey({ ...attempt, device: null });
      const key = `${source} ${ofEmail}`;
      const now = clock.steadyMs();
      if (now - (writtenAt.get(key) ?? -Infinity) >= QUIET_MS) {
        writtenAt.set(key, now);
        await write("login_failed", attempt, users);
      }
      await count(byEmail, [...new Set([toKey(attempt), ofEmail])], attempt, users);
      await count(bySource, [source], attempt, []);
    },
    /**
     * Resets the count of the device. Without a device, it resets the count of the address. The count of the client stays:
     * otherwise, someone with an account could try the passwords of others without a limit.
     */
    noteSuccess: (attempt: Attempt) => byEmail.noteSuccess(toKey(attempt)),
  };
}

/** Not mistaken for an address of the network. */
function toKey({ email, device }: Attempt): string {
  return `${device === null ? "email" : `device ${device}`} ${email.toLowerCase()}`;
}
