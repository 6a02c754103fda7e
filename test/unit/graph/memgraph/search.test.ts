/** The text that Memgraph searches, and the parameters of a search. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseSearch, type SearchQuery, toSearchFields } from "../../../../src/catalog/search.ts";
import { queryParameters, searchProperties } from "../../../../src/graph/memgraph/search.ts";
import { texts } from "../../../../src/graph/memgraph/values.ts";

const NODE = {
  type: "table",
  name: "OrderItems",
  fqn: "Shop.OrderItems",
  description: "",
  tags: ["PII"],
  columnNames: ["order_id"],
  owner: "ada@example.com",
  ownerName: "Ada",
} as const;

function parametersOf(typed: string) {
  const query = parseSearch(typed);
  return query === null ? {} : queryParameters(query);
}

describe("a searched asset", () => {
  it("has its terms with a space around each", () => {
    expect(searchProperties(NODE)).toEqual({
      searchName: "orderitems",
      searchFqn: "shop.orderitems",
      searchPrefix: "orderitems",
      nameTerms: " order items item ",
      tagTerms: " pii order id ada example com ",
      descriptionTerms: "  ",
    });
  });

  it("contains a term, or a prefix as the last term, exactly if its fields match", () => {
    const words = fc.array(fc.constantFrom("order", "orders", "Id", "customerID", "é", "表", "2", "x"), {
      maxLength: 5,
    });
    const phrase = words.map((chosen) => chosen.join(" "));
    const queries = phrase.map(parseSearch).filter((query): query is SearchQuery => query !== null);
    fc.assert(
      fc.property(phrase, queries, (description, query) => {
        const node = { ...NODE, description };
        const { descriptionTerms } = toSearchFields(node);
        const held = searchProperties(node)["descriptionTerms"] ?? "";
        const wanted = texts(queryParameters(query)["terms"]);
        query.terms.forEach((term, i) => {
          const isLast = i === query.terms.length - 1;
          const found = descriptionTerms.some((each) => (isLast ? each.startsWith(term) : each === term));
          expect(held.includes(wanted[i] ?? "")).toBe(found);
        });
      }),
    );
  });
});

describe("a query", () => {
  it("searches for the end of an fqn only if it has a dot", () => {
    expect(parametersOf("public.Orders")).toMatchObject({ dotted: true, fqnTail: ".public.orders" });
    expect(parametersOf("Orders")).toMatchObject({ dotted: false, folded: "orders", terms: [" order"] });
    expect(parametersOf("...")).toMatchObject({ terms: [] });
  });
});
