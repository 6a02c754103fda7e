/** Days, months and years in a question, as the days from and to which they last. */
import type { Token } from "./tokens.ts";

interface DateMention {
  meaning: { from: string; to: string };
  from: number;
  to: number;
}

/** On which day a week, a month or a year began. */
const STARTS: ReadonlyMap<string, (day: string) => string> = new Map([
  ["week", (day) => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))],
  ["month", (day) => `${day.slice(0, 7)}-01`],
  ["year", (day) => `${day.slice(0, 4)}-01-01`],
]);
const MONTHS = "january february march april may june july august september october november december".split(" ");

/** @param today the day that "yesterday" is the one before */
export function findDates(tokens: readonly Token[], today: string): DateMention[] {
  return tokens.flatMap(({ text, word }, at) => {
    const mention = (from: string, to: string, length = 1): DateMention[] => [
      { meaning: { from, to }, from: at, to: at + length },
    ];
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return isDay(text) ? mention(text, text) : [];
    const near = daysNear(
      tokens.slice(at, at + 3).map((token) => token.word),
      today,
    );
    if (near !== null) return mention(...near);
    const month = MONTHS.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word))) + 1;
    const year = tokens[at + 1]?.word ?? "";
    if (month > 0 && /^20\d{2}$/.test(year)) {
      const last = new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
      return mention(`${last.slice(0, 7)}-01`, last, 2);
    }
    return /^20\d{2}$/.test(word) ? mention(`${word}-01-01`, `${word}-12-31`) : [];
  });
}

/** "yesterday", "this week", "last month", "the last 7 days": from, to, and how many words say so. */
function daysNear([first, second = "", third = ""]: readonly string[], today: string): [string, string, number] | null {
  if (first === "today") return [today, today, 1];
  if (first === "yesterday") return [addDays(today, -1), addDays(today, -1), 1];
  if (first !== "this" && first !== "last" && first !== "past") return null;
  if (/^\d{1,3}$/.test(second) && /^days?$/.test(third)) return [addDays(today, -Number(second)), today, 3];
  const startOf = STARTS.get(second);
  if (startOf === undefined || first === "past") return null;
  const start = startOf(today);
  const before = addDays(start, -1);
  return first === "this" ? [start, today, 2] : [startOf(before), before, 2];
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
