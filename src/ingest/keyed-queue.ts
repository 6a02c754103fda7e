/** Applies the messages of subjects: one subject at a time by itself, a few subjects at once. */
import type { Subject } from "../metadata/inbox.ts";
import { createSemaphore } from "../work/semaphore.ts";

/** The graph has one writer, so more would only wait there. */
const AT_ONCE = 4;

interface Line {
  running: Promise<Subject[]>;
  /** The run that begins when the running one ends. All who ask in the meantime share it. */
  next: Promise<void> | null;
}

/** @param applyOne applies the messages of one subject, and returns the subjects that wait now because of them */
export function createKeyedQueue(applyOne: (subject: Subject) => Promise<Subject[]>) {
  const lines = new Map<string, Line>();
  const withSlot = createSemaphore(AT_ONCE);

  async function run(key: string, line: Line): Promise<void> {
    let touched: Subject[] | null = null;
    try {
      touched = await line.running;
    } finally {
      // After a failure nothing runs at once, because it would only fail again.
      if (line.next === null || touched === null) lines.delete(key);
    }
    // These subjects may touch this one in turn. By now it has freed its slot and its line.
    await Promise.all(touched.map((each) => apply(each)));
  }

  function start(key: string, subject: Subject): Promise<void> {
    const line: Line = { running: withSlot(() => applyOne(subject)), next: null };
    lines.set(key, line);
    return run(key, line);
  }

  /**
   * Resolves when the graph has everything that was known about the subject at the time of the call.
   * @throws the error of the run, also of one that it waited for; the subject waits then
   */
  function apply(subject: Subject): Promise<void> {
    const key = JSON.stringify([subject.connectorId, subject.subject]);
    const line = lines.get(key);
    if (line === undefined) return start(key, subject);
    line.next ??= line.running.then(() => start(key, subject));
    return line.next;
  }

  return {
    apply,
    /** Resolves when nothing runs. */
    async idle(): Promise<void> {
      while (lines.size > 0) await Promise.allSettled([...lines.values()].map(({ running, next }) => next ?? running));
    },
  };
}
