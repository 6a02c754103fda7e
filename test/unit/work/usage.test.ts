import { describe, expect, it } from "vitest";

import { createUsage } from "../../../src/work/usage.ts";

/** Usage counts half after this time. */
const HALF_LIFE_MS = 5_000;

function openUsage() {
  let now = 0;
  const usage = createUsage(() => now);
  return {
    usage,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("Usage of tenants", () => {
  it("A tenant that was never served has no usage", () => {
    expect(openUsage().usage.of("a")).toBe(0);
  });

  it("Usage counts half after a while, and is forgotten in the end", () => {
    const { usage, pass } = openUsage();
    usage.add("a", 100);
    expect(usage.of("a")).toBe(100);
    pass(HALF_LIFE_MS);
    expect(usage.of("a")).toBeCloseTo(50);
    usage.add("a", 10);
    pass(HALF_LIFE_MS);
    expect(usage.of("a")).toBeCloseTo(30);
    pass(20 * HALF_LIFE_MS);
    expect(usage.of("a")).toBeLessThan(0.001);
  });

  it("Usage includes work in progress", () => {
    const { usage, pass } = openUsage();
    const end = usage.begin("a");
    expect(usage.of("a")).toBeGreaterThan(0);
    pass(300);
    expect(usage.of("a")).toBeGreaterThan(300);
    end();
    expect(usage.of("a")).toBeCloseTo(300, 0);
  });
});
