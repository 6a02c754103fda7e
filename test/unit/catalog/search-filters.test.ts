import { expect, it } from "vitest";

import { readSearchFilters } from "../../../src/catalog/search-filters.ts";

it("takes filters out of the text of a search, wherever they stand, in any case", () => {
  expect(readSearchFilters("tag:pii fct_orders TYPE:Model schema:shop.marts amount")).toEqual({
    words: "fct_orders   amount",
    tag: "pii",
    types: ["model"],
    schema: "shop.marts",
  });
  expect(readSearchFilters("owner:ada@example.com")).toEqual({ words: "", owner: "ada@example.com" });
  expect(readSearchFilters('revenue owner:"Core Team"')).toEqual({ words: "revenue", responsible: "Core Team" });
});

it("takes the beginning of a type or its plural, as one types it", () => {
  expect(readSearchFilters("type:dashboards").types).toEqual(["dashboard"]);
  expect(readSearchFilters("type:m").types).toEqual(expect.arrayContaining(["model", "metric"]));
  expect(readSearchFilters("type:nothing").types).toEqual([]);
});

it("leaves all other text as it is", () => {
  for (const text of ["orders", "a:b", "mytag:pii", "tag:", "tag: pii", 'tag:"', "https://x.example/type:model"]) {
    expect(readSearchFilters(text)).toEqual({ words: text });
  }
});
