import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { CERTIFICATIONS } from "../../../src/catalog/asset.ts";
import {
  type SearchMode,
  type SearchPosition,
  type Searchable,
  type Standing,
  TIER,
  comparePositions,
  parseSearch,
  rankOf,
  singularOf,
  standingOf,
  splitIdentifier,
  toSearchFields,
} from "../../../src/catalog/search.ts";
import { compareCodePoints } from "../../../src/catalog/text.ts";
import { present } from "../../support/present.ts";
import * as random from "../../support/random-text.ts";

describe("splitIdentifier", () => {
  it.each([
    ["customer_orders", ["customer", "orders"]],
    ["customerOrders", ["customer", "orders"]],
    ["CustomerOrders", ["customer", "orders"]],
    ["HTTPServer2", ["http", "server", "2"]],
    ["user_ID", ["user", "id"]],
    ["iPhone", ["i", "phone"]],
    ["orders2024q1", ["orders", "2024", "q", "1"]],
    ["shop.public.orders", ["shop", "public", "orders"]],
    ["it's -- 100%!", ["it", "s", "100"]],
    ["customers' E-Mail addresses", ["customers", "email", "addresses"]],
    ["CUSTOMER_E_MAIL", ["customer", "email"]],
    ["size_e_2", ["size", "e", "2"]],
    ["Crème Brûlée", ["creme", "brulee"]],
    ["X\u030cabc", ["xabc"]],
    ["ABX\u030cabc", ["ab", "xabc"]],
    ["ｆｕｌｌ_ﬁn", ["full", "fin"]],
    ["注文 テーブル", ["注文", "テーフル"]],
    ["заказКлиента", ["заказ", "клиента"]],
    ["😀", []],
    ["\u0301", []],
    ["", []],
  ])("splitIdentifier splits %j", (text, terms) => {
    expect(splitIdentifier(text)).toEqual(terms);
  });

  it("splitIdentifier splits ASCII as it splits the same text among other letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aeExYZ09_-. "), maxLength: 12 }), (text) => {
        expect(splitIdentifier(`${text} é`)).toEqual([...splitIdentifier(text), "e"]);
      }),
    );
  });

  it("splitIdentifier returns terms that stay the same if they are split again", () => {
    fc.assert(
      fc.property(random.name, (text) => {
        const terms = splitIdentifier(text);
        expect(terms.flatMap(splitIdentifier)).toEqual(terms);
      }),
    );
  });
});

describe("singularOf", () => {
  it.each([
    ["ballparks", "ballpark"],
    ["categories", "category"],
    ["boxes", "box"],
    ["batches", "batch"],
    ["classes", "class"],
    ["class", "class"],
    ["status", "status"],
    ["analysis", "analysis"],
    ["gas", "gas"],
    ["series", "sery"],
    ["注文", "注文"],
  ])("singularOf returns for %s the singular %s", (plural, singular) => {
    expect(singularOf(plural)).toBe(singular);
  });

  it("singularOf changes nothing if it is applied again", () => {
    fc.assert(
      fc.property(random.name, (text) => {
        for (const word of splitIdentifier(text)) expect(singularOf(singularOf(word))).toBe(singularOf(word));
      }),
    );
  });
});

describe("parseSearch", () => {
  it("parseSearch returns null for blank text", () => {
    for (const blank of ["", " ", "\t\n\u00a0"]) expect(parseSearch(blank)).toBeNull();
  });

  it("parseSearch trims, folds and splits", () => {
    expect(parseSearch("  Café.Orders ")).toEqual({
      folded: "café.orders",
      path: "café.orders",
      prefix: "cafe.orders",
      terms: ["cafe", "order"],
    });
  });

  it("parseSearch keeps each term once, and the last one last, because only that one is a prefix", () => {
    expect(parseSearch("a b a c a")?.terms).toEqual(["b", "c", "a"]);
    expect(parseSearch("x x")?.terms).toEqual(["x"]);
  });

  it("parseSearch returns no terms if the text has no letter or digit", () => {
    expect(parseSearch("%_")).toEqual({ folded: "%_", path: "%_", prefix: "%_", terms: [] });
    expect(parseSearch("\u0301")).toMatchObject({ prefix: "", terms: [] });
  });
});

describe("rankOf", () => {
  const row: Searchable = {
    type: "table",
    name: "",
    fqn: "db.t",
    description: "",
    tags: [],
    columnNames: [],
    owner: "",
    ownerName: "",
  };
  const rank = (text: string, node: Partial<Searchable>, mode: SearchMode = "all") =>
    rankOf(present(parseSearch(text)), toSearchFields({ ...row, ...node }), mode);

  it.each([
    ["the exact name, whatever its case", "ORDERS", { name: "Orders" }, TIER.exactName],
    ["the exact fqn", "shop.orders", { name: "o", fqn: "Shop.Orders" }, TIER.exactFqn],
    ["whole parts at the end of the fqn", "public.orders", { name: "o", fqn: "shop.public.orders" }, TIER.exactFqn],
    [
      "the last part of the fqn of what has a label",
      "weekly",
      { type: "dashboard" as const, name: "Board", fqn: "bi.weekly" },
      TIER.exactFqn,
    ],
    ["a name that begins with the text", "ord", { name: "orders" }, TIER.nameBegins],
    ["a name that begins with the text apart from accents", "creme", { name: "Crème_brûlée" }, TIER.nameBegins],
    ["all terms in the name, in any order", "orders daily", { name: "daily_orders" }, TIER.name],
    [
      "all terms in the name that people read of a metric",
      "year revenue",
      { name: "revenue_to_date", metric: { displayName: "Revenue, year to date" } },
      TIER.name,
    ],
    ["some terms in tags alone", "orders pii", { name: "orders", tags: ["PII"] }, TIER.tagsOrColumns],
    ["some terms in column names alone", "customer id", { columnNames: ["customerId"] }, TIER.tagsOrColumns],
    ["the owner's name", "ada lovelace", { ownerName: "Ada Lovelace" }, TIER.tagsOrColumns],
    ["the owner's address", "ada@example.com", { owner: "ada@example.com" }, TIER.tagsOrColumns],
    ["a plural by its singular", "ballpark", { name: "dim_ballparks" }, TIER.name],
    ["a singular by its plural", "ballparks visits", { name: "visit_of_ballpark" }, TIER.name],
    ["a plural that is typed in part", "categori", { name: "all_categories" }, TIER.name],
    [
      "a column behind assets that match equally well",
      "amount",
      { type: "column" as const, name: "amount_eur" },
      TIER.columnNameBegins,
    ],
    [
      "a nested column behind what has that name",
      "city",
      { type: "column" as const, name: "address.city", fqn: "db.t.address.city" },
      TIER.columnName,
    ],
    ["a column with exactly that name", "amount", { type: "column" as const, name: "Amount" }, TIER.exactName],
    ["some terms in the description alone", "orders late", { name: "orders", description: "Late." }, TIER.description],
  ])("rankOf ranks %s", (_, text, node, tier) => {
    expect(rank(text, node)?.tier).toBe(tier);
  });

  it.each([
    ["another part of the fqn alone", "shop", { name: "o", fqn: "shop.orders" }],
    ["half a part at the end of the fqn", "lic.orders", { name: "o", fqn: "shop.public.orders" }],
    ["a query with one term that is missing", "orders late", { name: "orders" }],
    ["a prefix that is not the last term", "ord daily", { name: "daily orders" }],
    ["the middle of a word", "rders", { name: "orders" }],
    ["marks that fold to nothing", "\u0301", { name: "orders" }],
  ])("rankOf does not match %s", (_, text, node) => {
    expect(rank(text, node)).toBeNull();
  });

  it("rankOf counts the terms that it found if any of them is enough", () => {
    expect(rank("alpha beta gamma", { name: "beta", description: "alpha" }, "any")).toEqual({
      tier: TIER.name,
      matched: 2,
    });
    expect(rank("alpha beta", { tags: ["alpha"] }, "any")).toEqual({ tier: TIER.tagsOrColumns, matched: 1 });
    expect(rank("alpha beta", { description: "betamax" }, "any")).toEqual({ tier: TIER.description, matched: 1 });
    expect(rank("alpha beta", { name: "alphabet" }, "any")).toBeNull();
  });

  it("rankOf finds every node by its name, before anything else", () => {
    fc.assert(
      fc.property(random.name, (text) => {
        const name = text.trim();
        expect(rank(name, { name })?.tier).toBe(TIER.exactName);
      }),
    );
  });

  it("rankOf matches all terms of a description in one mode if it finds all of them in the other", () => {
    fc.assert(
      fc.property(random.description, random.query, (description, text) => {
        const terms = parseSearch(text)?.terms ?? [];
        fc.pre(terms.length > 0);
        const all = rank(text, { description });
        const any = rank(text, { description }, "any");
        expect(all?.matched === terms.length).toBe(any?.matched === terms.length);
      }),
    );
  });
});

function at(tier: 1 | 4, standing: Standing, matched: number, key: string): SearchPosition {
  return { mode: "any", tier, standing, matched, key };
}

function standings(owner: string, ownerName: string): Standing[] {
  return CERTIFICATIONS.map((certification) => standingOf({ certification, owner, ownerName }));
}

describe("comparePositions", () => {
  it("comparePositions orders by tier, then standing, then more matched terms, then key", () => {
    const inOrder = [at(1, 2, 1, "z"), at(4, 0, 1, "b"), at(4, 1, 3, "z"), at(4, 1, 2, "a"), at(4, 1, 2, "b")];
    const sorted = inOrder.toReversed().toSorted((a, b) => comparePositions(a, b, compareCodePoints));
    expect(sorted).toEqual(inOrder);
  });

  it("standingOf puts certified first, then owned, and deprecated last; pending equals none", () => {
    expect(CERTIFICATIONS).toEqual(["certified", "pending", "deprecated", "none"]);
    expect(standings("", "")).toEqual([0, 2, 3, 2]);
    expect(standings("ada@example.com", "")).toEqual([0, 1, 3, 1]);
    expect(standings("", "Grace")).toEqual([0, 1, 3, 1]);
  });
});
