/** Days, months and years in a question, as the days from and to which they last. */
import type { Token } from "./tokens.ts";

interface DateMention {
  meaning: { from: string; to: string };
  from: number;
  to: number;
}

const MONTHS = "january february march april may june july august september october november december".split(" ");

export function findDates(tokens: readonly Token[]): DateMention[] {
  return tokens.flatMap(({ text, word }, at) => {
    const mention = (from: string, to: string, length = 1): DateMention[] => [
      { meaning: { from, to }, from: at, to: at + length },
    ];
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return mention(text, text);
    const month = MONTHS.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word))) + 1;
    const year = tokens[at + 1]?.word ?? "";
    if (month > 0 && /^20\d{2}$/.test(year)) {
      const start = `${year}-${String(month).padStart(2, "0")}`;
      return mention(`${start}-01`, `${start}-31`, 2);
    }
    return /^20\d{2}$/.test(word) ? mention(`${word}-01-01`, `${word}-12-31`) : [];
  });
}
