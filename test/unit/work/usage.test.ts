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

/** So many tenants that each used as much. */
const tenants = (count: number, ms: number, name = "busy"): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name} ${at}`, ms]));

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

  it.each([
    ["nobody else is there", { a: 700 }, true],
    ["all together leave much of a processor free", { a: 700, b: 700, c: 700 }, true],
    ["it used more than a ninth of a processor", { a: 900, b: 9_000 }, false],
    ["each of many who keep the processor busy used as much", { a: 650, ...tenants(10, 650) }, false],
    ["it used two thirds as much as each of many who keep the processor busy", { a: 470, ...tenants(10, 720) }, true],
    ["it used a third as much as each of many who keep the processor busy", { a: 200, ...tenants(10, 650) }, true],
    ["somebody else alone keeps more than the processor busy", { a: 200, crawl: 7_000, ...tenants(10, 650) }, true],
    ["many others ask for next to nothing", { a: 650, ...tenants(10, 650), ...tenants(900, 0.1, "idle") }, false],
  ])("Whether a tenant used little if %s", (_when, used: Record<string, number>, isLittle) => {
    const { usage } = openUsage();
    for (const [tenant, ms] of Object.entries(used)) usage.add(tenant, ms);
    expect(usage.isLittle("a")).toBe(isLittle);
  });

  it("What is little is found again as usage changes", () => {
    const { usage, pass } = openUsage();
    usage.add("a", 700);
    expect(usage.isLittle("a")).toBe(true);
    for (const tenant of Object.keys(tenants(10, 0))) usage.add(tenant, 700);
    pass(100);
    expect(usage.isLittle("a")).toBe(false);
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
