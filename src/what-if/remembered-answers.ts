/**
 * Caches how SQL was read, for what-ifs. A what-if is a question, so it writes to no store: it reads the answers that
 * crawls have stored, and keeps its own in memory. So checking the same pull request a second time is quick.
 */
import { LRUCache } from "lru-cache";

import type { KeptAnswers } from "../ingest/statement-reader.ts";
import type { LineageAnswerStore } from "../metadata/lineage-answers.ts";
import type { LineageAnswer } from "../sql-lineage/request.ts";

const MAX_BYTES = 16 * 1024 ** 2;
/** V8 stores a character in one or two bytes. The larger number counts. */
const BYTES_PER_CHARACTER = 2;

/**
 * One cache serves all workspaces. A key is a hash of the whole SQL text and of the relations that it reads. So an
 * answer, or the time that it takes, reveals nothing that the caller did not send.
 * @param maxBytes the limit for all answers together. The least recently used ones are dropped first.
 */
export function createRememberedAnswers(kept: Pick<LineageAnswerStore, "peek">, maxBytes = MAX_BYTES): KeptAnswers {
  /** Kept as JSON: its size is known, and callers cannot change it. */
  const texts = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (text, key) => (text.length + key.length) * BYTES_PER_CHARACTER,
  });
  return {
    async find(keys) {
      const own = keys.flatMap((key) => {
        const text = texts.get(key);
        // Only `save` writes the texts.
        return text === undefined ? [] : [[key, JSON.parse(text) as LineageAnswer] as const];
      });
      const found = new Map(own);
      const stored = await kept.peek(keys.filter((key) => !found.has(key)));
      return new Map([...found, ...stored]);
    },
    save(answers) {
      for (const [key, answer] of answers) texts.set(key, JSON.stringify(answer));
      return Promise.resolve();
    },
  };
}
