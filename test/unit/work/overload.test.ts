import { describe, expect, it } from "vitest";

import { createOverloadWatch } from "../../../src/work/overload.ts";

describe("a queue in which somebody waits", () => {
  it("is overloaded when that goes on for seconds without a pause", () => {
    let now = 0;
    const watch = createOverloadWatch(() => now);
    expect(watch.isOverloaded()).toBe(false);
    watch.update(1);
    now = 4_000;
    watch.update(7);
    expect(watch.isOverloaded()).toBe(false);
    now = 5_001;
    expect(watch.isOverloaded()).toBe(true);
  });

  it("is not overloaded once nobody waits, and the next wait counts anew", () => {
    let now = 0;
    const watch = createOverloadWatch(() => now);
    watch.update(1);
    now = 6_000;
    watch.update(0);
    expect(watch.isOverloaded()).toBe(false);
    watch.update(2);
    now = 10_000;
    expect(watch.isOverloaded()).toBe(false);
    now = 11_001;
    expect(watch.isOverloaded()).toBe(true);
  });
});
