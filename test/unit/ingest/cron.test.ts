/** When a schedule runs next, and which schedules are refused. */
import { describe, expect, it } from "vitest";

import { checkSchedule, nextRun } from "../../../src/ingest/cron.ts";

/** The next times of a schedule, one after the other. */
function timesOf(cron: string, timeZone: string, from: string, count: number): string[] {
  const times: string[] = [];
  let at = new Date(from);
  while (times.length < count) {
    const next = nextRun({ cron, timeZone }, at);
    if (next === null) break;
    times.push(next.toISOString().replace(":00.000Z", "Z"));
    at = next;
  }
  return times;
}

describe("The next time of a schedule", () => {
  it("A schedule follows the clocks of its time zone, in summer and in winter", () => {
    expect(timesOf("0 6 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z", 3)).toEqual([
      "2026-03-28T05:00Z",
      "2026-03-29T04:00Z",
      "2026-03-30T04:00Z",
    ]);
  });

  it("A time that daylight saving skips comes right after the gap", () => {
    expect(timesOf("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-30T00:30Z",
    ]);
  });

  it("A time that daylight saving repeats comes once", () => {
    expect(timesOf("30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", 2)).toEqual([
      "2026-11-01T05:30Z",
      "2026-11-02T06:30Z",
    ]);
  });

  it("An hourly schedule runs every hour on every day", () => {
    expect(timesOf("0 * * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", 4)).toEqual([
      "2026-10-25T00:00Z",
      "2026-10-25T01:00Z",
      "2026-10-25T02:00Z",
      "2026-10-25T03:00Z",
    ]);
  });
});

describe("Schedules", () => {
  const NOW = new Date("2026-01-01T00:00:00Z");

  it("A schedule is stored with its next time, in its normal spelling", () => {
    expect(checkSchedule({ cron: "  0  6 * *  1-5 ", timeZone: "UTC" }, NOW)).toEqual({
      cron: "0 6 * * 1-5",
      timeZone: "UTC",
      nextRunAt: "2026-01-01T06:00:00.000Z",
    });
    expect(checkSchedule({ cron: "@daily", timeZone: "Asia/Kolkata" }, NOW).nextRunAt).toBe("2026-01-01T18:30:00.000Z");
  });

  it.each([
    ["", "UTC", "schedule.cron"],
    ["61 * * * *", "UTC", "schedule.cron"],
    ["* * * * * *", "UTC", "schedule.cron"],
    ["at six", "UTC", "schedule.cron"],
    ["2027-01-01T00:00:00", "UTC", "schedule.cron"],
    ["0 0 30 2 *", "UTC", "schedule.cron"],
    ["1,".repeat(200), "UTC", "schedule.cron"],
    ["0 6 * * *", "Mars/Olympus", "schedule.timeZone"],
    ["0 6 * * *", "", "schedule.timeZone"],
    ["0 6 * * *", "x".repeat(10_000), "schedule.timeZone"],
  ])("An impossible schedule is refused: %j in %j", (cron, timeZone, field) => {
    expect(() => checkSchedule({ cron, timeZone }, NOW)).toThrow(
      expect.objectContaining({ code: "bad_request", details: [expect.objectContaining({ field })] }),
    );
  });
});
