/** What breaks if it is dropped, renamed, retyped or deprecated? Only what follows from the lineage. */
import type { Answerable } from "../question.ts";

export const impact = [
  {
    question: "What breaks if I drop the column is_first_order from fct_orders?",
    wording: "exact",
    cites: ["shop.marts.fct_orders.is_first_order", "shop.new_customer_orders"],
    states: [["new_customer_orders", "orders of new customers"]],
    because: [["all", { dependsOn: "shop.marts.fct_orders.is_first_order" }, ["shop.new_customer_orders"]]],
  },
  {
    question: "what happens when we rename cost micros in the google campaign stats?",
    wording: "near",
    cites: ["shop.raw_google_ads.campaign_stats.cost_micros", "shop.ad_spend", "shop.return_on_ad_spend"],
    states: [
      ["ad_spend", "ad spend"],
      ["return_on_ad_spend", "return on ad spend"],
    ],
    because: [
      [
        "all",
        { dependsOn: "shop.raw_google_ads.campaign_stats.cost_micros", type: "metric" },
        ["shop.ad_spend", "shop.return_on_ad_spend"],
      ],
    ],
  },
  {
    question: "If treasury deletes the file of exchange rates, which model fails first?",
    wording: "own words",
    cites: ["shop.seeds.fx_rates", "shop.intermediate.int_fx_rates_daily"],
    states: [["int_fx_rates_daily"]],
    because: [["all", { uses: "shop.seeds.fx_rates" }, ["shop.intermediate.int_fx_rates_daily"]]],
  },
  {
    question: "Would anybody miss orders_wide if it were gone?",
    wording: "exact",
    cites: ["shop.marts.orders_wide", "shop.warehouse_screen"],
    states: [["warehouse screen", "warehouse_screen"]],
    because: [["all", { dependsOn: "shop.marts.orders_wide" }, ["shop.warehouse_screen"]]],
  },
  {
    question: "What breaks if raw_stripe.charges.fee changes its type to text?",
    wording: "exact",
    cites: ["shop.raw_stripe.charges.fee", "shop.contribution_margin", "shop.contribution_margin_rate"],
    states: [
      ["contribution_margin", "contribution margin"],
      ["contribution_margin_rate", "contribution margin rate"],
    ],
    because: [
      [
        "all",
        { dependsOn: "shop.raw_stripe.charges.fee", type: "metric" },
        ["shop.contribution_margin", "shop.contribution_margin_rate"],
      ],
    ],
  },
  {
    question: "who or what is affected if i deprecate fct payments",
    wording: "near",
    cites: ["shop.finance.fct_payments", "shop.finance.fct_payout_reconciliation", "shop.month_end_close"],
    states: [["fct_payout_reconciliation"], ["month-end close", "month_end_close"]],
    because: [
      [
        "all",
        { dependsOn: "shop.finance.fct_payments" },
        ["shop.finance.fct_payout_reconciliation", "shop.month_end_close"],
      ],
    ],
  },
  {
    question: "impact of dropping value segment from customer value",
    wording: "near",
    cites: [
      "shop.marketing.customer_value.value_segment",
      ["shop.marketing.crm_contacts.value_segment", "shop.marketing.crm_contacts"],
    ],
    states: [["crm_contacts"]],
    because: [
      [
        "all",
        { dependsOn: "shop.marketing.customer_value.value_segment" },
        ["shop.marketing.crm_contacts.value_segment"],
      ],
    ],
  },
  {
    question: "The carriers will bill the cost of a parcel as text instead of a number. Which metrics suffer?",
    wording: "own words",
    cites: [
      ["shop.raw_carrier.shipments.cost", "shop.staging.stg_carrier__shipments.shipping_cost"],
      "shop.contribution_margin",
      "shop.contribution_margin_rate",
    ],
    states: [["contribution_margin", "contribution margin"]],
    because: [
      [
        "all",
        { dependsOn: "shop.raw_carrier.shipments.cost", type: "metric" },
        ["shop.contribution_margin", "shop.contribution_margin_rate"],
      ],
    ],
  },
  {
    question: "Does anything break if vat_rate is dropped from country_codes?",
    wording: "exact",
    cites: ["shop.seeds.country_codes.vat_rate"],
    states: [["nothing", "no", "none", "not used", "unused", "safe", "safely"]],
    because: [["count", { dependsOn: "shop.seeds.country_codes.vat_rate" }, 0]],
  },
  {
    question: "What breaks if we drop the phone number from dim customers?",
    wording: "near",
    cites: ["shop.marts.dim_customers.phone"],
    states: [["nothing", "no", "none", "not used", "unused", "safe", "safely"]],
    because: [["count", { dependsOn: "shop.marts.dim_customers.phone" }, 0]],
  },
  {
    question: "What breaks if stg_zendesk__tickets goes away?",
    wording: "exact",
    cites: [
      "shop.staging.stg_zendesk__tickets",
      "shop.marts.fct_support_tickets",
      "shop.first_response_time",
      "shop.crm_sync",
      "shop.churn_model",
    ],
    states: [
      ["fct_support_tickets"],
      ["first_response_time", "first response time"],
      ["CRM sync", "crm_sync"],
      ["churn model", "churn_model"],
    ],
    because: [
      [
        "all",
        { dependsOn: "shop.staging.stg_zendesk__tickets" },
        [
          "shop.marts.fct_support_tickets",
          "shop.marketing.churn_features",
          "shop.marketing.crm_contacts",
          "shop.first_response_time",
          "shop.crm_sync",
          "shop.churn_model",
        ],
      ],
    ],
  },
  {
    question: "I want to rename fiscal year in dim dates, what do I have to fix after that?",
    wording: "near",
    cites: [
      "shop.marts.dim_dates.fiscal_year",
      [
        "shop.finance.fct_revenue_days",
        "shop.finance.fct_revenue_days.fiscal_year",
        "shop.finance.fct_revenue_days.net_revenue_to_date_eur",
      ],
      ["shop.finance.profit_and_loss_months", "shop.finance.profit_and_loss_months.fiscal_year"],
    ],
    states: [["fct_revenue_days"], ["profit_and_loss_months"]],
    because: [
      [
        "all",
        { dependsOn: "shop.marts.dim_dates.fiscal_year" },
        [
          "shop.finance.fct_revenue_days.fiscal_year",
          "shop.finance.fct_revenue_days.net_revenue_to_date_eur",
          "shop.finance.profit_and_loss_months.fiscal_year",
        ],
      ],
    ],
  },
  {
    question: "If Shopify stopped sending the total tax of an order, would net revenue still be right?",
    wording: "own words",
    cites: [["shop.raw_shopify.orders.total_tax", "shop.staging.stg_shopify__orders.tax_total"], "shop.net_revenue"],
    states: [["net_revenue", "net revenue"]],
    because: [["reaches", "shop.raw_shopify.orders.total_tax", "shop.net_revenue"]],
  },
  {
    question: "What if contribution_margin_eur were removed from order_margins?",
    wording: "exact",
    cites: [
      "shop.finance.order_margins.contribution_margin_eur",
      "shop.contribution_margin",
      "shop.contribution_margin_rate",
    ],
    states: [
      ["contribution_margin", "contribution margin"],
      ["contribution_margin_rate", "contribution margin rate"],
      ["customer_value"],
    ],
    because: [
      [
        "all",
        { dependsOn: "shop.finance.order_margins.contribution_margin_eur", type: "metric" },
        ["shop.contribution_margin", "shop.contribution_margin_rate"],
      ],
      [
        "reaches",
        "shop.finance.order_margins.contribution_margin_eur",
        "shop.marketing.customer_value.lifetime_margin_eur",
      ],
    ],
  },
  {
    question: "Which metrics break when the gross revenue metric changes?",
    wording: "near",
    cites: ["shop.gross_revenue", "shop.net_revenue", "shop.average_order_value", "shop.refund_rate"],
    states: [
      ["net_revenue", "net revenue"],
      ["average_order_value", "average order value"],
      ["refund_rate", "refund rate"],
    ],
    because: [
      ["all", { uses: "shop.gross_revenue" }, ["shop.net_revenue", "shop.average_order_value", "shop.refund_rate"]],
    ],
  },
  {
    question: "Zendesk may no longer give us the time of the first reply. Which KPI dies?",
    wording: "own words",
    cites: [
      ["shop.raw_zendesk.tickets.first_replied_at", "shop.staging.stg_zendesk__tickets.first_replied_at"],
      "shop.first_response_time",
    ],
    states: [["first_response_time", "first response time"]],
    because: [
      ["all", { dependsOn: "shop.raw_zendesk.tickets.first_replied_at", type: "metric" }, ["shop.first_response_time"]],
    ],
  },
  {
    question: "waht breaks if fct_refunds.is_cancelled_order is droped?",
    wording: "exact",
    cites: ["shop.finance.fct_refunds.is_cancelled_order", "shop.refunded_amount", "shop.net_revenue"],
    states: [
      ["refunded_amount", "refunded amount"],
      ["net_revenue", "net revenue"],
    ],
    because: [
      ["feeds", "shop.finance.fct_refunds.is_cancelled_order", "shop.refunded_amount"],
      ["reaches", "shop.finance.fct_refunds.is_cancelled_order", "shop.net_revenue"],
    ],
  },
] as const satisfies readonly Answerable[];
