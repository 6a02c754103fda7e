import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { systemClock } from "../../src/clock.ts";
import { AppError } from "../../src/errors.ts";
import { createCursors } from "../../src/cursors.ts";

const SECRET = Buffer.from("a secret that is long enough for tests");
const DAY_MS = 24 * 60 * 60 * 1000;

function cursorsAt(start = Date.UTC(2026, 0, 1)) {
  let time = start;
  const cursors = createCursors(SECRET, { ...systemClock, now: () => new Date(time) });
  return { cursors, advance: (ms: number) => (time += ms) };
}

function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof AppError && Array.isArray(error.details)) return String(error.details[0]?.message);
    throw error;
  }
  return "none";
}

describe("Cursors", () => {
  it("A cursor returns the position that it was issued for", () => {
    const { cursors } = cursorsAt();
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string({ unit: "grapheme" }), (query, position) => {
        expect(cursors.read(cursors.issue(query, position), query, z.string())).toBe(position);
      }),
    );
  });

  it("A cursor is refused with a different query", () => {
    const { cursors } = cursorsAt();
    const cursor = cursors.issue(["workspace", "nodes", { type: "table" }], "key");
    const other = ["workspace", "nodes", { type: "model" }];
    expect(faultOf(() => cursors.read(cursor, other, z.string()))).toBe("belongs to a query with other filters");
  });

  it("A cursor is valid for 24 hours and not a second longer", () => {
    const { cursors, advance } = cursorsAt();
    const cursor = cursors.issue([], "key");
    advance(DAY_MS);
    expect(cursors.read(cursor, [], z.string())).toBe("key");
    advance(1000);
    expect(faultOf(() => cursors.read(cursor, [], z.string()))).toBe("is older than 24 hours");
  });

  it("A cursor is valid for 24 hours before its issue if the clock was set back, and not a second longer", () => {
    const { cursors, advance } = cursorsAt();
    const cursor = cursors.issue([], "key");
    advance(-DAY_MS);
    expect(cursors.read(cursor, [], z.string())).toBe("key");
    advance(-1000);
    expect(faultOf(() => cursors.read(cursor, [], z.string()))).toBe("is older than 24 hours");
  });

  it("A cursor is refused if any of its characters is changed, removed or added", () => {
    const { cursors } = cursorsAt();
    const cursor = cursors.issue(["q"], "key");
    const refused = "is not a cursor of this service";
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom("", "A", "b", "-", ".", "é", "=="), (at, instead) => {
        const altered = cursor.slice(0, at) + instead + cursor.slice(at + 1);
        fc.pre(altered !== cursor);
        expect(faultOf(() => cursors.read(altered, ["q"], z.string()))).toBe(refused);
      }),
    );
    for (const suffix of ["=", ".", ".x", " ", "A"]) {
      expect(faultOf(() => cursors.read(cursor + suffix, ["q"], z.string()))).toBe(refused);
    }
  });

  it("A cursor is refused by a service with another secret", () => {
    const { cursors } = cursorsAt();
    const other = createCursors(Buffer.from("another secret that is long enough too"), systemClock);
    expect(faultOf(() => other.read(cursors.issue([], 1), [], z.number()))).toContain("not a cursor");
  });
});
