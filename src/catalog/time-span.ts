/** Times and spans of time, as people write them. */
import { z } from "zod";

import { badField } from "../errors.ts";

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const DURATION = /^([1-9]\d{0,5})([mhdw])$/;
const dateSchema = z.iso.date();
const timeSchema = z.iso.datetime({ offset: true });

const MOMENT_FORMS = "a date, such as `2026-05-31`; or a time with its offset, such as `2026-05-31T08:30:00Z`";

export const SPAN_FORMS = `a duration before now, such as \`7d\`, \`12h\`, \`30m\` or \`2w\`; ${MOMENT_FORMS}`;

/** How long the span is if nobody says where it begins, or as long as the history. */
export const DEFAULT_SPAN = "7d";

/** ISO 8601, UTC, with milliseconds, as the graph stores times. */
export interface TimeSpan {
  since: string;
  until: string;
}

/** A duration goes back to the begin of the history at most, because nobody who writes `7d` knows when that was. */
export function isDuration(text: string): boolean {
  return DURATION.test(text);
}

/**
 * A date means its begin in UTC if the span begins there, and its end if the span ends there. Today's end is now.
 * @param until now if left out
 * @throws AppError `bad_request` on `since` or `until`
 */
export function parseSpan(given: { since: string; until?: string | null | undefined }, now: Date): TimeSpan {
  const since = parseTime("since", given.since, now, "begin");
  const until = given.until == null ? now.toISOString() : parseTime("until", given.until, now, "end");
  if (until < since) throw badField("until", "must not be before since");
  return { since, until };
}

/**
 * @param edge whether a date means its begin or its end in UTC; today's end is now
 * @throws AppError `bad_request` on the field
 */
export function parseTime(field: string, text: string, now: Date, edge: "begin" | "end"): string {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount !== undefined) {
    const time = now.getTime() - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
    if (time < 0) throw badField(field, "is before 1970");
    return new Date(time).toISOString();
  }
  if (!isMoment(text)) throw badField(field, `must be ${SPAN_FORMS}`);
  const time = parseMoment(field, text, now, edge);
  return time < now.toISOString() ? time : now.toISOString();
}

function isMoment(text: string): boolean {
  return dateSchema.safeParse(text).success || timeSchema.safeParse(text).success;
}

/**
 * @param edge whether a date means its begin or its end in UTC. The end of today is not over, so today asks about now:
 * all cursors of one date are of one list.
 * @returns ISO 8601, UTC, with milliseconds, as the graph stores times
 * @throws AppError `bad_request` if it is malformed or in the future
 */
export function parseMoment(field: string, text: string, now: Date, edge: "begin" | "end" = "end"): string {
  if (!isMoment(text)) throw badField(field, `must be ${MOMENT_FORMS}`);
  const isDate = dateSchema.safeParse(text).success;
  const time = isDate ? `${text}${edge === "begin" ? BEGIN : END}` : new Date(text).toISOString();
  const today = now.toISOString().slice(0, "2026-05-31".length);
  const latest = isDate ? `${today}${END}` : now.toISOString();
  if (Date.parse(time) > Date.parse(latest)) throw badField(field, "must not be in the future");
  return time;
}

const BEGIN = "T00:00:00.000Z";
const END = "T23:59:59.999Z";
