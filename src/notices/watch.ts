/** Wakes those who wait for new notices, in this process and in the others that share the metadata store. */
import type { MetadataStore } from "../metadata/store.ts";

/** A signal of another process may be lost, and so nobody waits longer. */
const LONGEST_MS = 30_000;

export type NoticeWatch = ReturnType<typeof createNoticeWatch>;

export function createNoticeWatch({ signals }: Pick<MetadataStore, "signals">) {
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach((resolve) => resolve());
  let listens = false;
  return {
    /** Somebody has new notices, or has read some. */
    changed(): void {
      wake();
      void signals.send("notices");
    },
    /** Resolves when somebody may have new notices, at the latest after half a minute, or when the signal aborts. */
    async next(signal: AbortSignal): Promise<void> {
      if (!listens) signals.listen("notices", wake);
      listens = true;
      if (signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, LONGEST_MS).unref();
      // One request waits again and again, so nothing of a wait may stay with it.
      const leave = (): void => resolve();
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(leave);
      await promise;
      waiting.delete(leave);
      signal.removeEventListener("abort", leave);
      clearTimeout(timer);
    },
  };
}
