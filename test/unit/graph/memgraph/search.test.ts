/** What an asset stores for the search, and the parameters of a search. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseSearch, type SearchQuery, toSearchFields } from "../../../../src/catalog/search.ts";
import { queryParameters } from "../../../../src/graph/memgraph/search-cypher.ts";
import { rangeOfFqn, searchEntry } from "../../../../src/graph/memgraph/search-index.ts";
import { texts } from "../../../../src/graph/memgraph/values.ts";
import { toWorkspaceId } from "../../../../src/ids.ts";

const W = toWorkspaceId("w");
const NODE = {
  workspace: W,
  key: "shop.orderitems\u00011f",
  certification: "certified",
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

describe("Search entries of an asset", () => {
  it("A search entry has each term between spaces", () => {
    expect(searchEntry(NODE, true).texts).toEqual({
      searchName: "orderitems",
      searchFqn: "shop.orderitems",
      searchPrefix: "orderitems",
      nameTerms: " order items item ",
      tagTerms: " pii order id ada example com ",
      descriptionTerms: "  ",
    });
  });

  it("A search entry is in the ranges of its name, fqn and terms, in its workspace and type", () => {
    const { places, terms } = searchEntry(NODE, true);
    expect(places).toMatchObject({
      nameAt: "w\u0001table\u0001orderitems\u00010\u0001shop.orderitems\u00011f",
      beginsAt: "w\u0001table\u0001orderitems",
      fqnAt: "w\u0001table\u0001smetiredro.pohs.",
      standing: "w\u0001asset\u00010\u0001shop.orderitems\u00011f",
    });
    expect(terms.map(({ at }) => at.split("\u0001").slice(2).join(" "))).toEqual(
      "n order, n items, n item, t pii, t order, t id, t ada, t example, t com".split(", "),
    );
    expect(rangeOfFqn(W, "table", "shop.orderitems").after).toBe(places["fqnAt"]);
  });

  it("An asset that is only referenced is in no search range", () => {
    const { texts: own, places, terms } = searchEntry(NODE, false);
    expect([own["searchName"], places, terms]).toEqual(["orderitems", {}, []]);
  });

  it("A search entry contains a term, or a prefix as the last term, exactly if its fields match", () => {
    const words = fc.array(fc.constantFrom("order", "orders", "Id", "customerID", "é", "表", "2", "x"), {
      maxLength: 5,
    });
    const phrase = words.map((chosen) => chosen.join(" "));
    const queries = phrase.map(parseSearch).filter((query): query is SearchQuery => query !== null);
    fc.assert(
      fc.property(phrase, queries, (description, query) => {
        const node = { ...NODE, description };
        const { descriptionTerms } = toSearchFields(node);
        const held = searchEntry(node, true).texts["descriptionTerms"] ?? "";
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

describe("Search queries", () => {
  it("A search query looks for the end of an fqn only if it has a dot", () => {
    expect(parametersOf("public.Orders")).toMatchObject({ dotted: true, fqnTail: ".public.orders" });
    expect(parametersOf("Orders")).toMatchObject({ dotted: false, folded: "orders", terms: [" order"] });
    expect(parametersOf("...")).toMatchObject({ terms: [] });
  });
});
