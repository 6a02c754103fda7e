/** The span of time that a question about changes is about, as people write it. */
import { badField } from "../../errors.ts";

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const DURATION = /^([1-9]\d{0,5})([mhdw])$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

export const SPAN_FORMS =
  "a duration before now, such as `7d`, `12h`, `30m` or `2w`; a date, such as `2026-05-31`; or a time with its offset, " +
  "such as `2026-05-31T08:30:00Z`";

/** How long the span is if nobody says where it begins, or as long as the history. */
export const DEFAULT_SPAN = "7d";

/** ISO 8601, UTC, with milliseconds, as the graph stores times. */
export interface TimeSpan {
  since: string;
  until: string;
}

/**
 * A date means its begin in UTC if the span begins there, and its end if the span ends there. Today's end is now.
 * @param until now if left out
 * @throws AppError `bad_request` on `since` or `until`
 */
export function parseSpan(given: { since: string; until?: string | null | undefined }, now: Date): TimeSpan {
  const since = parseTime(given.since, "since", now, "T00:00:00.000Z");
  const until = given.until == null ? now.getTime() : parseTime(given.until, "until", now, "T23:59:59.999Z");
  if (until < since) throw badField("until", "must not be before since");
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

/** A duration goes back to the begin of the history at most, because nobody who writes `7d` knows when that was. */
export function isDuration(text: string): boolean {
  return DURATION.test(text);
}

function parseTime(text: string, field: string, now: Date, rest: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  const time =
    amount !== undefined
      ? now.getTime() - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
      : DATE.test(text)
        ? Date.parse(`${text}${rest}`)
        : TIME.test(text)
          ? Date.parse(text)
          : Number.NaN;
  if (Number.isNaN(time) || !isDay(text)) throw badField(field, `must be ${SPAN_FORMS}`);
  if (time < 0) throw badField(field, "is before 1970");
  const isToday = DATE.test(text) && text === now.toISOString().slice(0, text.length);
  if (time > now.getTime() && !isToday) throw badField(field, "must not be in the future");
  return Math.min(time, now.getTime());
}

/** Refuses a day such as 2026-02-31, which would mean one in March. */
function isDay(text: string): boolean {
  if (isDuration(text)) return true;
  const day = text.slice(0, "2026-05-31".length);
  const begin = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(begin.getTime()) && begin.toISOString().startsWith(day);
}
