import { describe, expect, it } from "vitest";

import { describeSearch, showsMetrics } from "../../../src/ui/pages/catalog/describe-search.ts";

const complete = { isComplete: true, corrections: [] };
const partial = { isComplete: false, corrections: [] };

describe("The sentence about a search", () => {
  it("A search has no sentence if the best asset has all words, or if nothing was found", () => {
    expect(describeSearch(complete)).toBeNull();
    expect(describeSearch(null)).toBeNull();
  });

  it("A search says that no asset has all words if the best one does not", () => {
    expect(describeSearch(partial)).toBe("No asset has all of these words. These have some of them.");
  });

  it("A search says which words were corrected", () => {
    const corrected = { isComplete: false, corrections: [{ from: "ordr", to: "order" }] };
    expect(describeSearch(corrected)).toBe("No asset has “ordr”. These have “order”.");
  });
});

describe("The metrics of a search", () => {
  it("Metrics that have only some words are not shown with assets that have all", () => {
    expect(showsMetrics(partial, complete)).toBe(false);
    expect(showsMetrics(complete, complete)).toBe(true);
    expect(showsMetrics(partial, partial)).toBe(true);
    expect(showsMetrics(partial, null)).toBe(true);
  });
});
