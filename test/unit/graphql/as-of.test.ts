import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { AppError } from "../../../src/errors.ts";
import { parseMoment } from "../../../src/catalog/time-span.ts";

const NOW = new Date("2026-05-31T08:30:00.000Z");
const past = fc.date({ min: new Date("0001-01-02T00:00:00Z"), max: NOW, noInvalidDate: true });

const two = (amount: number): string => String(amount).padStart(2, "0");

/** The time, or the error that refuses it. */
function tryParse(text: string): unknown {
  try {
    return parseMoment("asOf", text, NOW);
  } catch (error) {
    return error;
  }
}

describe("The time that a query asks about", () => {
  it("A time is the same instant in UTC, whatever its offset", () => {
    fc.assert(
      fc.property(past, fc.integer({ min: -14 * 60, max: 14 * 60 }), (time, minutes) => {
        const local = new Date(time.getTime() + minutes * 60_000).toISOString();
        fc.pre(/^\d{4}-/.test(local));
        const offset = `${minutes < 0 ? "-" : "+"}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
        expect(parseMoment("asOf", local.replace("Z", offset), NOW)).toBe(time.toISOString());
      }),
    );
  });

  it("A date means the last millisecond of its day in UTC", () => {
    fc.assert(
      fc.property(past, (time) => {
        const date = time.toISOString().slice(0, 10);
        const parsed = parseMoment("asOf", date, NOW);
        expect(parsed.slice(0, 10)).toBe(date);
        expect(new Date(Date.parse(parsed) + 1).toISOString().slice(11)).toBe("00:00:00.000Z");
      }),
    );
  });

  it("Nothing but a time of the past or a date until today is taken, and any other text is a fault of asOf", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        ),
        (text) => {
          const parsed = tryParse(text);
          const isTime = typeof parsed === "string" && new Date(parsed).toISOString() === parsed;
          const isTaken = isTime && Date.parse(parsed) <= Date.parse("2026-05-31T23:59:59.999Z");
          const isFault = parsed instanceof AppError && parsed.message.startsWith("asOf: must ");
          expect([text, isTaken !== isFault]).toEqual([text, true]);
        },
      ),
    );
  });

  it.each([
    ["2026-05-31T08:30:00Z", "2026-05-31T08:30:00.000Z"],
    ["2026-05-31T10:29:59.5+02:00", "2026-05-31T08:29:59.500Z"],
    ["2026-05-31", "2026-05-31T23:59:59.999Z"],
    ["2024-02-29", "2024-02-29T23:59:59.999Z"],
  ])("%j means %s", (text, time) => expect(parseMoment("asOf", text, NOW)).toBe(time));

  it.each(["2026-05-31T08:30:00.001Z", "2026-06-01", "2026-05-31T08:29:00-00:02", "9999-12-31T23:59:59-14:00"])(
    "%j is in the future",
    (text) => expect(() => parseMoment("asOf", text, NOW)).toThrow("asOf: must not be in the future"),
  );

  it.each([
    "",
    " 2026-05-30",
    "2026-5-30",
    "2025-02-29",
    "20260530",
    "2026-05-30T08:30:00",
    "2026-05-30T08:30Z",
    "2026-05-30 08:30:00Z",
    "2026-05-30T24:00:00Z",
    "2026-05-30T08:30:00 02:00",
    "1780000000",
    "yesterday",
    "2026-W22",
    "+002026-05-30",
  ])("%j is no time", (text) => expect(() => parseMoment("asOf", text, NOW)).toThrow("asOf: must be a date"));
});
