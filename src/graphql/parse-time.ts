/** Times that clients ask about: a time in ISO 8601 with its offset, or a date in UTC. */
import { z } from "zod";

import { badField } from "../errors.ts";

const dateSchema = z.iso.date();
const timeSchema = z.iso.datetime({ offset: true });

/**
 * @param edge whether a date means its begin or its end
 * @returns ISO 8601, UTC, with milliseconds, as the graph stores times
 * @throws AppError `bad_request` if it is malformed or in the future
 */
export function parseTime(field: string, text: string, now: Date, edge: "begin" | "end" = "end"): string {
  const isDate = dateSchema.safeParse(text).success;
  if (!isDate && !timeSchema.safeParse(text).success) {
    throw badField(
      field,
      "must be a date, such as 2026-05-31, or a time with its offset, such as 2026-05-31T08:30:00Z",
    );
  }
  const ofDate = edge === "begin" ? beginOf : endOf;
  const time = isDate ? ofDate(text) : new Date(text).toISOString();
  // The end of today is not over, so its date asks about now. All cursors of one date are of one list.
  const latest = isDate ? endOf(now.toISOString().slice(0, "2026-05-31".length)) : now.toISOString();
  if (Date.parse(time) > Date.parse(latest)) throw badField(field, "must not be in the future");
  return time;
}

function beginOf(date: string): string {
  return `${date}T00:00:00.000Z`;
}

function endOf(date: string): string {
  return `${date}T23:59:59.999Z`;
}
