import { describe, expect, it } from "vitest";

import { createOverloadWatch } from "../../../src/work/overload.ts";

describe("Overload of a queue", () => {
  it("A queue is overloaded when callers keep each other waiting for seconds without a pause", () => {
    let now = 0;
    const watch = createOverloadWatch(() => now);
    expect(watch.isOverloaded()).toBe(false);
    watch.update(true);
    now = 4_000;
    watch.update(true);
    expect(watch.isOverloaded()).toBe(false);
    now = 5_001;
    expect(watch.isOverloaded()).toBe(true);
  });

  it("A queue is not overloaded once no caller keeps others waiting, and the next time counts from zero", () => {
    let now = 0;
    const watch = createOverloadWatch(() => now);
    watch.update(true);
    now = 6_000;
    watch.update(false);
    expect(watch.isOverloaded()).toBe(false);
    watch.update(true);
    now = 10_000;
    expect(watch.isOverloaded()).toBe(false);
    now = 11_001;
    expect(watch.isOverloaded()).toBe(true);
  });
});
