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

  it.each(["@fct_orders", "tag:daily+", "+tag:daily", "+a,b+", "a+b", "+"])(
    "The selector %s is reported as not supported",
    (text) => {
      expect(readSelector(text)).toBe("unknown");
    },
  );
});
