/** When a connector runs by itself: a cron expression in a time zone. */
import { Cron } from "croner";

import { badField } from "../errors.ts";

/** The longest expression that people write lists every minute of an hour. */
const MAX_CRON_CHARACTERS = 200;
const MAX_ZONE_CHARACTERS = 64;

/** Times of a schedule, as people give it. */
export interface CronTimes {
  /** Five fields: minute, hour, day of the month, month, day of the week. Or a word such as `@hourly`. */
  cron: string;
  /** An IANA name, such as `Europe/Berlin`. */
  timeZone: string;
}

/**
 * The next time after the given one. A time that daylight saving skips comes right after the gap, and one that occurs
 * twice comes once; a schedule of every hour has an hour more or less on such a day.
 * @returns null if the expression fits no date
 */
export function nextRun({ cron, timeZone }: CronTimes, after: Date): Date | null {
  return new Cron(cron, { timezone: timeZone, paused: true, mode: "5-part" }).nextRun(after);
}

/**
 * @returns the schedule as it is stored, with its next time after the given one
 * @throws AppError `bad_request` if the expression or the time zone cannot be meant
 */
export function checkSchedule(given: CronTimes, after: Date): CronTimes & { nextRunAt: string } {
  const times = { cron: given.cron.trim().replace(/\s+/g, " "), timeZone: given.timeZone.trim() };
  if (times.timeZone.length > MAX_ZONE_CHARACTERS || !isTimeZone(times.timeZone)) {
    throw badField("schedule.timeZone", "must be the name of a time zone, such as Europe/Berlin");
  }
  const next = tryNext(times, after);
  if (next === null) throw badField("schedule.cron", "fits no date");
  return { ...times, nextRunAt: next.toISOString() };
}

function tryNext(times: CronTimes, after: Date): Date | null {
  const rule = 'must be a cron expression of five fields, such as "0 6 * * 1-5" or "@hourly"';
  // A date is a schedule too, for the library.
  const isCron = times.cron.startsWith("@") || times.cron.split(" ").length === 5;
  if (!isCron || times.cron.length > MAX_CRON_CHARACTERS) throw badField("schedule.cron", rule);
  try {
    return nextRun(times, after);
  } catch (error) {
    throw badField("schedule.cron", rule, error);
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
