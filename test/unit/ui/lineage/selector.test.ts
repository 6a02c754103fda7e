import { describe, expect, it } from "vitest";

import { readSelector } from "../../../../src/ui/pages/lineage/model/selector.ts";

describe("A dbt selector", () => {
  it.each([
    ["+fct_orders", 10, 0],
    ["fct_orders+", 0, 10],
    ["+fct_orders+", 10, 10],
    ["2+fct_orders", 2, 0],
    ["fct_orders+3", 0, 3],
    ["2+fct_orders+3", 2, 3],
    ["+fct_orders+2", 10, 2],
    ["99+fct_orders", 10, 0],
  ])("The selector %s is read as hops upstream and downstream", (text, up, down) => {
    expect(readSelector(text)).toEqual({ name: "fct_orders", hops: { up, down } });
  });

  it("A text without a plus is no selector", () => {
    expect(readSelector("fct_orders")).toBeNull();
    expect(readSelector("Trading floor")).toBeNull();
  });

  it.each([
    ["tag:daily+", "tag:daily", 0, 10],
    ["2+schema:shop.marts", "schema:shop.marts", 2, 0],
    ["owner:ada@example.com", "owner:ada@example.com", 0, 0],
    ["source:raw_stripe.refunds+1", "type:table raw_stripe refunds", 0, 1],
  ])("The method of %s is read as a search", (text, name, up, down) => {
    expect(readSelector(text)).toEqual({ name, hops: { up, down } });
  });

  it.each([
    ["@fct_orders", /^@model/],
    ["+a,b+", /^Intersections/],
    ["a+ b+", /^One selector at a time/],
    ["a+b", /^Write a name/],
    ["+", /^Write a name/],
    ["tag:", /after tag:/],
    ["+exposure:weekly", /^The method exposure:.*tag:, owner:, schema:, type:, source:/],
  ])("The selector %s is answered with a word about what is wrong", (text, word) => {
    expect(readSelector(text)).toMatch(word);
  });
});
