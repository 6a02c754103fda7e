/** Writes refused requests and lockouts to the audit trail. */
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";

import type { Clock } from "../clock.ts";
import type { Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { Requirement } from "./permissions.ts";
import type { Principal } from "./principal.ts";
import type { SsoPerson } from "./sso/person.ts";

/** The same refusal of the same token or person is written again only after this time. */
const QUIET_MS = 60_000;
/** At most this many pairs of token or person and reason are remembered. Beyond that, an event may be written too often. */
const MAX_REMEMBERED = 10_000;

/** Its functions never reject, because a request must be refused even if the store cannot be written. */
export type RefusalTrail = ReturnType<typeof createRefusalTrail>;

export function createRefusalTrail({
  store,
  clock,
  log,
}: {
  store: MetadataStore;
  clock: Clock;
  log: Pick<Logger, "error">;
}) {
  const append = async (event: Parameters<typeof store.audit.append>[0]): Promise<boolean> => {
    try {
      await store.audit.append(event);
      return true;
    } catch (err) {
      log.error({ err, event }, "a refusal could not be written to the audit trail");
      return false;
    }
  };
  const notedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  /** Writes an event at most once a minute for a key. */
  const note = async (key: string, event: Parameters<typeof append>[0]): Promise<void> => {
    const now = clock.steadyMs();
    if (now - (notedAt.get(key) ?? -Infinity) < QUIET_MS) return;
    notedAt.set(key, now);
    if (!(await append(event))) notedAt.delete(key);
  };
  return {
    /** Records that a valid token had no right to do something. Written at most once a minute. */
    async noteRefusal(
      { workspace, actor, tokenId }: Principal,
      requirement: Requirement,
      source: string,
    ): Promise<void> {
      const details = { required: requirement };
      const event = { workspaceId: workspace.id, actor: actor.name, source, subject: tokenId ?? "", details };
      await note(`${tokenId} ${requirement}`, { action: "refused", ...event });
    },
    /**
     * Records that a person whom the provider of single sign-on knows was refused. Written at most once a minute.
     * @param workspace the one whose trail gets it; null if there is none: then every workspace sees the event, and it
     *   does not say who
     */
    async noteSsoRefusal(
      workspace: Workspace | null,
      { identity, claimed }: Pick<SsoPerson, "identity" | "claimed">,
      { reason, source }: { reason: string; source: string },
    ): Promise<void> {
      const details = {
        by: "single sign-on",
        reason,
        ...(workspace && { issuer: identity.issuer, sub: identity.subject }),
      };
      const who = { workspaceId: workspace?.id ?? null, actor: workspace ? claimed : "", subject: "" };
      await note(`${who.workspaceId} ${identity.subject} ${reason}`, {
        action: "login_failed",
        ...who,
        source,
        details,
      });
    },
    /** Records that a source was blocked after too many failures. */
    async noteLockout(source: string): Promise<void> {
      await append({ workspaceId: null, action: "lockout", actor: "", source, subject: "", details: {} });
    },
  };
}
