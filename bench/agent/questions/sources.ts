/** What feeds it? */
import type { Answerable } from "../question.ts";

export const sources = [
  {
    question: "What feeds shop.finance.fct_revenue_days?",
    wording: "exact",
    cites: [
      "shop.finance.fct_revenue_days",
      "shop.finance.fct_refunds",
      "shop.marts.dim_dates",
      "shop.marts.fct_orders",
    ],
    states: [["fct_refunds"], ["dim_dates"], ["fct_orders"]],
    because: [
      [
        "all",
        { feeds: "shop.finance.fct_revenue_days" },
        ["shop.finance.fct_refunds", "shop.marts.dim_dates", "shop.marts.fct_orders"],
      ],
    ],
  },
  {
    question: "what is dim products built from?",
    wording: "near",
    cites: [
      "shop.marts.dim_products",
      "shop.intermediate.int_variant_unit_costs",
      "shop.staging.stg_erp__suppliers",
      "shop.staging.stg_shopify__product_variants",
      "shop.staging.stg_shopify__products",
    ],
    states: [
      ["int_variant_unit_costs"],
      ["stg_erp__suppliers"],
      ["stg_shopify__product_variants"],
      ["stg_shopify__products"],
    ],
    because: [
      [
        "all",
        { feeds: "shop.marts.dim_products" },
        [
          "shop.intermediate.int_variant_unit_costs",
          "shop.staging.stg_erp__suppliers",
          "shop.staging.stg_shopify__product_variants",
          "shop.staging.stg_shopify__products",
        ],
      ],
    ],
  },
  {
    question: "Where does the thing that predicts which customers leave get its data from?",
    wording: "own words",
    cites: ["shop.churn_model", "shop.marketing.churn_features"],
    states: [["churn_features"]],
    because: [["all", { feeds: "shop.churn_model" }, ["shop.marketing.churn_features"]]],
  },
  {
    question: "which tables go straight into order margins",
    wording: "near",
    cites: [
      "shop.finance.order_margins",
      "shop.marts.fct_order_lines",
      "shop.marts.fct_orders",
      "shop.marts.fct_shipments",
    ],
    states: [["fct_order_lines"], ["fct_orders"], ["fct_shipments"]],
    because: [
      [
        "all",
        { feeds: "shop.finance.order_margins" },
        ["shop.marts.fct_order_lines", "shop.marts.fct_orders", "shop.marts.fct_shipments"],
      ],
    ],
  },
  {
    question: "Where do the numbers on the checklist of the last working day of the month come from?",
    wording: "own words",
    cites: [
      "shop.month_end_close",
      "shop.finance.fct_payments",
      "shop.finance.fct_payout_reconciliation",
      "shop.intermediate.int_ledger_in_eur",
    ],
    states: [["fct_payments"], ["fct_payout_reconciliation"], ["int_ledger_in_eur"]],
    because: [
      ["says", "shop.month_end_close", "The checklist of the last working day"],
      [
        "all",
        { feeds: "shop.month_end_close" },
        ["shop.finance.fct_payments", "shop.finance.fct_payout_reconciliation", "shop.intermediate.int_ledger_in_eur"],
      ],
    ],
  },
  {
    question: "upstream of int_sessions",
    wording: "exact",
    cites: ["shop.intermediate.int_sessions", "shop.seeds.utm_channels", "shop.staging.stg_web__page_views"],
    states: [["utm_channels"], ["stg_web__page_views"]],
    because: [
      [
        "all",
        { feeds: "shop.intermediate.int_sessions" },
        ["shop.seeds.utm_channels", "shop.staging.stg_web__page_views"],
      ],
    ],
  },
  {
    question: "Which columns does finance.fct_refunds.days_after_order come from?",
    wording: "exact",
    cites: [
      "shop.finance.fct_refunds.days_after_order",
      "shop.intermediate.int_refunds_in_eur.refunded_on",
      "shop.intermediate.int_orders_in_eur.ordered_on",
    ],
    states: [["refunded_on"], ["ordered_on"]],
    because: [
      ["feeds", "shop.intermediate.int_refunds_in_eur.refunded_on", "shop.finance.fct_refunds.days_after_order"],
      ["feeds", "shop.intermediate.int_orders_in_eur.ordered_on", "shop.finance.fct_refunds.days_after_order"],
    ],
  },
  {
    question: "Which tables from Stripe end up in net revenue?",
    wording: "near",
    cites: ["shop.net_revenue", "shop.raw_stripe.charges", "shop.raw_stripe.refunds"],
    states: [["charges"], ["refunds"]],
    because: [
      ["reaches", "shop.raw_stripe.charges", "shop.net_revenue"],
      ["reaches", "shop.raw_stripe.refunds", "shop.net_revenue"],
      ["never reaches", "shop.raw_stripe.disputes", "shop.net_revenue"],
      ["never reaches", "shop.raw_stripe.payouts", "shop.net_revenue"],
    ],
  },
  {
    question: "Who or what loads the complaints from Zendesk?",
    wording: "own words",
    cites: ["shop.raw_zendesk.tickets", "shop.Airbyte"],
    states: [["Airbyte"]],
    because: [["all", { feeds: "shop.raw_zendesk.tickets" }, ["shop.Airbyte"]]],
  },
] as const satisfies readonly Answerable[];
