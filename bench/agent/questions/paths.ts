/** How does data get from one to the other? */
import type { Answerable } from "../question.ts";

export const paths = [
  {
    question: "How does data get from raw_stripe.refunds to net_revenue?",
    wording: "exact",
    cites: [
      "shop.raw_stripe.refunds",
      "shop.staging.stg_stripe__refunds",
      "shop.intermediate.int_refunds_in_eur",
      "shop.net_revenue",
    ],
    states: [["stg_stripe__refunds"], ["int_refunds_in_eur"]],
    because: [
      ["shortest path", "shop.raw_stripe.refunds", "shop.staging.stg_stripe__refunds", "shop.net_revenue"],
      ["shortest path", "shop.raw_stripe.refunds", "shop.intermediate.int_refunds_in_eur", "shop.net_revenue"],
    ],
  },
  {
    question: "path from the fx rates seed to the churn model please",
    wording: "near",
    cites: [
      "shop.seeds.fx_rates",
      "shop.intermediate.int_fx_rates_daily",
      "shop.marketing.churn_features",
      "shop.churn_model",
    ],
    states: [["int_fx_rates_daily"], ["churn_features"]],
    because: [
      ["shortest path", "shop.seeds.fx_rates", "shop.intermediate.int_fx_rates_daily", "shop.churn_model"],
      ["shortest path", "shop.seeds.fx_rates", "shop.marketing.churn_features", "shop.churn_model"],
    ],
  },
  {
    question: "How do the Google campaign stats get into the marketing cockpit?",
    wording: "near",
    cites: [
      "shop.raw_google_ads.campaign_stats",
      "shop.intermediate.int_ad_spend_by_day",
      "shop.marketing.fct_channel_days",
      "shop.marketing_cockpit",
    ],
    states: [["stg_google_ads__campaign_days"], ["int_ad_spend_by_day"], ["fct_channel_days"]],
    because: [
      [
        "shortest path",
        "shop.raw_google_ads.campaign_stats",
        "shop.staging.stg_google_ads__campaign_days",
        "shop.marketing_cockpit",
      ],
      [
        "shortest path",
        "shop.raw_google_ads.campaign_stats",
        "shop.intermediate.int_ad_spend_by_day",
        "shop.marketing_cockpit",
      ],
      [
        "shortest path",
        "shop.raw_google_ads.campaign_stats",
        "shop.marketing.fct_channel_days",
        "shop.marketing_cockpit",
      ],
    ],
  },
  {
    question: "Path from raw_shopify.customers.email to crm_contacts.email",
    wording: "exact",
    cites: ["shop.raw_shopify.customers.email", "shop.marts.dim_customers.email", "shop.marketing.crm_contacts.email"],
    states: [["stg_shopify__customers"], ["dim_customers"]],
    because: [
      [
        "shortest path",
        "shop.raw_shopify.customers.email",
        "shop.staging.stg_shopify__customers.email",
        "shop.marketing.crm_contacts.email",
      ],
      [
        "shortest path",
        "shop.raw_shopify.customers.email",
        "shop.marts.dim_customers.email",
        "shop.marketing.crm_contacts.email",
      ],
    ],
  },
  {
    question: "how is the journal of the ledger connected to the monthly P&L",
    wording: "own words",
    cites: [
      ["shop.raw_erp.ledger_entries", "shop.staging.stg_erp__ledger_entries"],
      "shop.intermediate.int_ledger_in_eur",
      "shop.finance.profit_and_loss_months",
    ],
    states: [["int_ledger_in_eur"]],
    because: [
      [
        "shortest path",
        "shop.raw_erp.ledger_entries",
        "shop.intermediate.int_ledger_in_eur",
        "shop.finance.profit_and_loss_months",
      ],
    ],
  },
  {
    question: "Do the support desk's tickets ever end up in the report for the board?",
    wording: "own words",
    cites: [
      ["shop.raw_zendesk.tickets", "shop.staging.stg_zendesk__tickets", "shop.marts.fct_support_tickets"],
      "shop.board_revenue",
    ],
    states: [["no", "not", "none", "nothing", "doesn't"]],
    because: [
      ["never reaches", "shop.raw_zendesk.tickets", "shop.board_revenue"],
      ["never reaches", "shop.marts.fct_support_tickets", "shop.board_revenue"],
    ],
  },
] as const satisfies readonly Answerable[];
