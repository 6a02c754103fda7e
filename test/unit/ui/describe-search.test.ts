import { describe, expect, it } from "vitest";

import { describeSearch } from "../../../src/ui/pages/catalog/describe-search.ts";

const match = (words: string, tier: "name" | "exact_fqn" = "name") => ({
  tier,
  corrections: [],
  words: words.split(" ").map((word) => ({ word, field: "name" as const, text: null })),
});

describe("The sentence about a search", () => {
  it("A search has no sentence if the best asset has all words, whatever their endings, accents and case", () => {
    expect(describeSearch("net_revenue.EUR", match("net revenue eur"))).toBeNull();
    expect(describeSearch("Catégories", match("category"))).toBeNull();
    expect(describeSearch("refund €", match("refund"))).toBeNull();
    expect(describeSearch("", null)).toBeNull();
  });

  it("A search says that no asset has all words if the best one does not", () => {
    expect(describeSearch("marts orders", match("order"))).toBe(
      "Nothing has all of these words. These have some of them.",
    );
  });

  it("A search for a full name has no sentence about the name's parts", () => {
    expect(describeSearch("marts.fct_orders", match("fct order", "exact_fqn"))).toBeNull();
  });

  it("A search says which words were corrected", () => {
    const corrected = { ...match("order", "exact_fqn"), corrections: [{ from: "ordr", to: "order" }] };
    expect(describeSearch("ordr", corrected)).toBe("Nothing has “ordr”. These have “order”.");
  });
});
