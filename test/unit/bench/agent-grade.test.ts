/** How an answer of the agent is marked. */
import { describe, expect, it } from "vitest";

import { mark, says } from "../../../bench/agent/grade.ts";
import type { Answerable } from "../../../bench/agent/question.ts";

const item: Answerable = {
  question: "Who owns the orders?",
  wording: "near",
  cites: ["shop.marts.fct_orders", ["shop.marts.orders_wide", "shop.marts.orders_wide.revenue"]],
  states: [["growth@example.com", "Growth"], ["16"]],
  because: [],
};
const answer = {
  text: "`growth@example.com` owns 16.",
  confidence: 0.2,
  cited: ["shop.marts.fct_orders", "shop.marts.orders_wide.revenue", "shop.seeds.fx_rates"],
};

describe("the marking of an answer", () => {
  it("passes one that cites and states all that it must, whatever else it cites", () => {
    expect(mark(item, answer)).toEqual({ right: true, missing: [] });
  });

  it("fails one that is declined, does not cite, or does not state, and says what is missing", () => {
    expect(mark(item, { ...answer, confidence: 0.19 }).missing).toEqual(["answer at all"]);
    expect(mark(item, { ...answer, cited: ["shop.marts.fct_orders"] }).missing).toEqual([
      "cite shop.marts.orders_wide or shop.marts.orders_wide.revenue",
    ]);
    expect(mark(item, { ...answer, text: "Growth owns 161." })).toEqual({ right: false, missing: ["say 16"] });
  });

  it.each([
    ["It is `Fct_Orders`.", "fct_orders", true],
    ["It is shop.marts.fct_orders.order_id.", "fct_orders", true],
    ["It is fct_orders_wide.", "fct_orders", false],
    ["There are 13.", "13", true],
    ["There are 13 of them, 13,000 and 13.5 of others.", "13", true],
    ["There are 13,000 and 13.5, 113 and 2.13.", "13", false],
    ["On 2026-03-24T11:45:00Z.", "2026-03-24", true],
    ["It is sum(x) / count(*) by day.", "count(*)", true],
    ["Nothing is known.", "no", false],
  ])("finds in %j the phrase %j: %j", (text, phrase, found) => {
    expect(says(text, phrase)).toBe(found);
  });
});
