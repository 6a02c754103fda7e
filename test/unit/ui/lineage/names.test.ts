import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { breakName, shortenName } from "../../../../src/ui/pages/lineage/model/names.ts";

const EVENTS = ["bounce", "click", "deferred", "delivered", "dropped"].map((event) => `hubspot__email_event_${event}`);
const labelOf = (name: string, others: readonly string[], most = 20): string => shortenName(name, others, most);

describe("The label of a name", () => {
  it("A label is the whole name if there is room for it", () => {
    expect(shortenName("fct_orders", EVENTS, 20)).toBe("fct_orders");
  });

  it("Labels keep the end of names that begin alike", () => {
    expect(EVENTS.map((name) => labelOf(name, EVENTS))).toEqual([
      "hubspot__ema…_bounce",
      "hubspot…_event_click",
      "hubspot__e…_deferred",
      "hubspot__…_delivered",
      "hubspot__em…_dropped",
    ]);
  });

  it("Labels keep the beginning of names that end alike", () => {
    const names = ["contact_engagement_history_tmp", "company_engagement_history_tmp"];
    expect(names.map((name) => labelOf(name, names))).toEqual([
      expect.stringMatching(/^conta.*…/),
      expect.stringMatching(/^compa.*…/),
    ]);
  });

  it("Labels keep the middle of names that begin and end alike", () => {
    const names = [
      "stg_hubspot__marketing_email_open_event_data_tmp",
      "stg_hubspot__marketing_email_sent_event_data_tmp",
    ];
    const labels = names.map((name) => labelOf(name, names));
    expect(labels[0]).toContain("open");
    expect(labels[1]).toContain("sent");
  });

  it("A label never has more characters than there is room for", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab_"), minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 8 }), fc.integer({ min: 8, max: 40 }), (name, others, most) => {
        const label = labelOf(name, others, most);
        expect(label.length).toBeLessThanOrEqual(Math.max(most, 3));
      }),
    );
  });

  it("A label fits no other name if one cut can tell them apart", () => {
    const tail = fc.string({ unit: fc.constantFrom(..."abc"), minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.uniqueArray(tail, { minLength: 2, maxLength: 8 }), (tails) => {
        const names = tails.map((end) => `a_long_beginning_that_all_share_${end}`);
        expect(new Set(names.map((name) => labelOf(name, names))).size).toBe(names.length);
      }),
    );
  });
});

describe("A name in two lines", () => {
  const NAMES = ["salesforce", "hubspot"].map((system) => `int_${system}_emea__accounts_refunds_174`);

  it("A name that is too long for one line is whole on two, broken after a word", () => {
    expect(NAMES.map((name) => breakName(name, NAMES, 27))).toEqual([
      "int_salesforce_emea__\naccounts_refunds_174",
      "int_hubspot_emea__\naccounts_refunds_174",
    ]);
    expect(breakName("fct_orders", NAMES, 27)).toBe("fct_orders");
  });

  it("A name without a word that ends near its middle is broken in the middle", () => {
    expect(breakName("abcdefghijklmnopqrstuvwxyz", [], 20)).toBe("abcdefghijklm\nnopqrstuvwxyz");
  });

  it("No line has more characters than there is room for, and nothing is left out if two lines have room", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab_"), minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), fc.integer({ min: 8, max: 40 }), (name, others, most) => {
        const lines = breakName(name, others, most).split("\n");
        expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(most);
        expect(name.length > 2 * most || lines.join("") === name).toBe(true);
      }),
    );
  });
});
