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
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return isDay(text) ? mention(text, text) : [];
    const month = MONTHS.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word))) + 1;
    const year = tokens[at + 1]?.word ?? "";
    if (month > 0 && /^20\d{2}$/.test(year)) {
      const last = new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
      return mention(`${last.slice(0, 7)}-01`, last, 2);
    }
    return /^20\d{2}$/.test(word) ? mention(`${word}-01-01`, `${word}-12-31`) : [];
  });
}

/** Whether the calendar has the day: it has no 30 February. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** @param days how many days later, or earlier if it is negative */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
