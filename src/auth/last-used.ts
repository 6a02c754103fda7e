/**
 * Records when keys were last used. The times are kept in memory and written for many keys together, not once a
 * request.
 */
import type { Logger } from "pino";

import type { Clock } from "../clock.ts";
import type { TokenId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";

const FLUSH_AFTER_MS = 60_000;

/** @param parts.later calls back once after some milliseconds. It does not keep the process alive. */
export function createLastUsed({
  store,
  clock,
  log,
  later = (work, ms) => void setTimeout(work, ms).unref(),
}: {
  store: MetadataStore;
  clock: Clock;
  log: Logger;
  later?: (work: () => void, ms: number) => void;
}) {
  let uses = new Map<TokenId, string>();
  let waiting = false;
  let writing = Promise.resolve();

  function note(keyId: TokenId, at = toMinute(clock.now())): void {
    uses.set(keyId, at);
    if (waiting) return;
    waiting = true;
    later(() => {
      waiting = false;
      void flush();
    }, FLUSH_AFTER_MS);
  }

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    try {
      await store.keys.touch(written);
    } catch (err) {
      log.warn({ err }, "the keys' last use could not be written");
      for (const [keyId, at] of written) if (!uses.has(keyId)) note(keyId, at);
    }
  }

  /** Writes the times. Never rejects: if writing fails, it is tried again later. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return { note: (keyId: TokenId) => note(keyId), flush };
}

function toMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16)}:00.000Z`;
}
