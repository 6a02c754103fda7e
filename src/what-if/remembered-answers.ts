/**
 * Answers of the reader of SQL for what-ifs. A what-if is a question and writes to no store: it reads what crawls have
 * kept, and remembers its own answers in memory, so that the same pull request checked twice is quick.
 */
import { LRUCache } from "lru-cache";

import type { KeptAnswers } from "../crawl/statement-reader.ts";
import type { LineageAnswerStore } from "../metadata/lineage-answers.ts";
import type { LineageAnswer } from "../sql-lineage/request.ts";

const MAX_BYTES = 16 * 1024 ** 2;
/** V8 keeps a string in one or two bytes a character: the larger counts. */
const BYTES_PER_CHARACTER = 2;

/**
 * One memory serves all workspaces. A key is a hash of the whole SQL text and of the relations that it reads, so nobody
 * learns from an answer, or from how quickly it came, what they did not send themselves.
 * @param maxBytes what the remembered answers take together; the ones that were not used for longest go first
 */
export function createRememberedAnswers(kept: Pick<LineageAnswerStore, "peek">, maxBytes = MAX_BYTES): KeptAnswers {
  /** As JSON, of which the size is known, and which nobody who got an answer can change. */
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
