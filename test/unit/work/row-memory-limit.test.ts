import { describe, expect, it } from "vitest";

import { Budget } from "../../../src/work/budget.ts";
import { createRowMemoryLimit } from "../../../src/work/row-memory-limit.ts";

const SMALL = 10_000;
const limits = { rows: 1_000_000, fields: 0, bytes: 0 };

describe("Rows that requests hold in memory", () => {
  it("Rows are refused beyond the share of one tenant, and beyond the limit of all", () => {
    const rows = createRowMemoryLimit({ all: 150, ofOne: 100 });
    rows.open("a").hold(SMALL + 100);
    expect(() => rows.open("a").hold(SMALL + 1)).toThrow("Too many large requests are running");
    const other = rows.open("b");
    other.hold(SMALL + 50);
    expect(() => other.hold(1)).toThrow("Too many large requests are running");
  });

  it("A small request is never refused, however many rows large ones hold", () => {
    const rows = createRowMemoryLimit({ all: 100, ofOne: 100 });
    rows.open("a").hold(SMALL + 100);
    for (const tenant of ["a", "b"]) expect(() => rows.open(tenant).hold(SMALL)).not.toThrow();
  });

  it("Rows are released once, when their request has been answered", () => {
    const rows = createRowMemoryLimit({ all: 100, ofOne: 100 });
    const first = new Budget({ limits, held: rows.open("a") });
    const second = new Budget({ limits, held: rows.open("a") });
    first.draw("rows", SMALL + 60);
    expect(() => second.draw("rows", SMALL + 60)).toThrow(expect.objectContaining({ code: "unavailable" }));
    first.close();
    first.close();
    const third = new Budget({ limits, held: rows.open("a") });
    third.draw("rows", SMALL + 60);
    expect(() => rows.open("a").hold(SMALL + 41)).toThrow(expect.objectContaining({ endsRequest: true }));
  });
});
