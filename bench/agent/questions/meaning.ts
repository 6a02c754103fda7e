/** What is it? */
import type { Answerable } from "../question.ts";

export const meaning = [
  {
    question: "What is fct_payout_reconciliation?",
    wording: "exact",
    cites: ["shop.finance.fct_payout_reconciliation"],
    states: [["payout"], ["charges"]],
    because: [["says", "shop.finance.fct_payout_reconciliation", "Each payout against the charges"]],
  },
  {
    question: "whats the int fx rates daily table for",
    wording: "near",
    cites: ["shop.intermediate.int_fx_rates_daily"],
    states: [["exchange rate", "exchange rates"]],
    because: [["says", "shop.intermediate.int_fx_rates_daily", "One exchange rate a currency and day"]],
  },
  {
    question: "Where do we keep what a single piece cost us, with freight and duty included?",
    wording: "own words",
    cites: [["shop.intermediate.int_variant_unit_costs", "shop.intermediate.int_variant_unit_costs.unit_cost_eur"]],
    states: [["int_variant_unit_costs"]],
    because: [["says", "shop.intermediate.int_variant_unit_costs", "Landed cost of one piece"]],
  },
  {
    question: "What does value_segment mean?",
    wording: "exact",
    cites: [["shop.marketing.customer_value.value_segment", "shop.marketing.crm_contacts.value_segment"]],
    states: [["lapsed"]],
    because: [["says", "shop.marketing.customer_value.value_segment", "best, regular, new and lapsed"]],
  },
  {
    question: "What is the churn model, and on which day is it trained?",
    wording: "near",
    cites: ["shop.churn_model"],
    states: [["Sunday", "Sundays"]],
    because: [["says", "shop.churn_model", "Trained each Sunday"]],
  },
  {
    question: "That big screen in the office with the day so far on it, what does it show?",
    wording: "own words",
    cites: ["shop.trading_floor"],
    states: [["trading floor", "trading_floor"], ["best sellers"]],
    because: [["says", "shop.trading_floor", "The day so far, on the big screen. Orders, best sellers"]],
  },
  {
    question: "what is the orders wide table and what should i use instead of it",
    wording: "near",
    cites: ["shop.marts.orders_wide"],
    states: [["deprecated"], ["fct_orders"]],
    because: [
      ["certification", "shop.marts.orders_wide", "deprecated"],
      ["says", "shop.marts.orders_wide", "Use fct_orders and fct_shipments"],
    ],
  },
  {
    question: "I am looking for the curency rates that tresury keeps by hand",
    wording: "own words",
    cites: ["shop.seeds.fx_rates"],
    states: [["fx_rates"]],
    because: [
      ["says", "shop.seeds.fx_rates", "The rates that treasury fixes on the first of each month, kept by hand"],
    ],
  },
  {
    question: "Describe shop.snapshots.variant_prices",
    wording: "exact",
    cites: ["shop.snapshots.variant_prices"],
    states: [["every price", "price a variant ever had"]],
    because: [["says", "shop.snapshots.variant_prices", "Every price a variant ever had"]],
  },
  {
    question: "What is the CRM sync, and what leaves the warehouse with it?",
    wording: "near",
    cites: ["shop.crm_sync"],
    states: [["names and addresses", "crm_contacts"]],
    because: [["says", "shop.crm_sync", "Names and addresses leave the warehouse here"]],
  },
  {
    question: "what is one row in the shipments fact",
    wording: "near",
    cites: ["shop.marts.fct_shipments"],
    states: [["parcel", "parcels"]],
    because: [["says", "shop.marts.fct_shipments", "Parcels with their cost"]],
  },
] as const satisfies readonly Answerable[];
