/** What the audit trail keeps of those who were not let in. */
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";

import type { Clock } from "../clock.ts";
import { createSteadyTime } from "../limits/steady-time.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { Requirement } from "./permissions.ts";
import type { Principal } from "./principal.ts";

/** The same token, refused for the same reason, is noted again only after this. */
const QUIET_MS = 60_000;
/** Tokens and reasons that are remembered: beyond that, an event more is the lesser evil. */
const MAX_REMEMBERED = 10_000;

/** Whoever is refused hears so whether or not it can be written down: nothing here rejects because the store is away. */
export interface RefusalTrail {
  /** A token was valid but may not do what it asked for; noted at most once a minute. */
  noteRefusal(principal: Principal, requirement: Requirement, source: string): Promise<void>;
  /** A source failed to authenticate until it was blocked. */
  noteLockout(source: string): Promise<void>;
}

export function createRefusalTrail({
  store,
  clock,
  log,
}: {
  store: MetadataStore;
  clock: Clock;
  log: Pick<Logger, "error">;
}): RefusalTrail {
  const append = async (event: Parameters<typeof store.audit.append>[0]): Promise<boolean> => {
    try {
      await store.audit.append(event);
      return true;
    } catch (err) {
      log.error({ err, event }, "a refusal is not in the audit trail");
      return false;
    }
  };
  const steadyNow = createSteadyTime(clock);
  const notedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return {
    async noteRefusal({ workspace, actor, tokenId }, requirement, source) {
      const now = steadyNow();
      const key = `${tokenId} ${requirement}`;
      if (now - (notedAt.get(key) ?? -Infinity) < QUIET_MS) return;
      notedAt.set(key, now);
      const details = { required: requirement };
      const event = { workspaceId: workspace.id, actor: actor.name, source, subject: tokenId ?? "", details };
      if (!(await append({ action: "refused", ...event }))) notedAt.delete(key);
    },
    async noteLockout(source) {
      await append({ workspaceId: null, action: "lockout", actor: "", source, subject: "", details: {} });
    },
  };
}
