/** When a connector runs by itself: a cron expression in a time zone. */
import { Cron } from "croner";

import { badFields, type FieldFault } from "../errors.ts";

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
 * @throws AppError `bad_request` with the faults of the time zone and of the expression
 */
export function checkSchedule(given: CronTimes, after: Date): CronTimes & { nextRunAt: string } {
  const times = { cron: given.cron.trim().replace(/\s+/g, " "), timeZone: given.timeZone.trim() };
  const faults: FieldFault[] = [];
  if (times.timeZone.length > MAX_ZONE_CHARACTERS || !isTimeZone(times.timeZone)) {
    faults.push({ field: "schedule.timeZone", message: "must be the name of a time zone, such as Europe/Berlin" });
  }
  const next = tryNext(faults.length > 0 ? { ...times, timeZone: "UTC" } : times, after);
  if (typeof next === "string") faults.push({ field: "schedule.cron", message: next });
  if (typeof next === "string" || faults.length > 0) throw badFields(faults);
  return { ...times, nextRunAt: next.toISOString() };
}

/** Returns the next time, or what is wrong with the expression. */
function tryNext(times: CronTimes, after: Date): Date | string {
  const rule = 'must be a cron expression of five fields, such as "0 6 * * 1-5" or "@hourly"';
  // A date is a schedule too, for the library.
  const isCron = times.cron.startsWith("@") || times.cron.split(" ").length === 5;
  if (!isCron || times.cron.length > MAX_CRON_CHARACTERS) return rule;
  try {
    return nextRun(times, after) ?? "fits no date";
  } catch {
    return rule;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
