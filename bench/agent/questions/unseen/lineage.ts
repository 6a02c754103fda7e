/** What stands before and after an asset, the way between two, what a change breaks and whom it concerns. */
import type { Answerable } from "../../question.ts";

export const sources = [
  {
    question: "what goes directly into fct_stock_days?",
    wording: "exact",
    cites: ["shop.marts.dim_dates", "shop.marts.dim_products", "shop.staging.stg_erp__stock_movements"],
    states: [["dim_dates"], ["dim_products"], ["stg_erp__stock_movements"]],
    because: [
      [
        "all",
        { feeds: "shop.marts.fct_stock_days" },
        ["shop.marts.dim_dates", "shop.marts.dim_products", "shop.staging.stg_erp__stock_movements"],
      ],
    ],
  },
  {
    question: "which tool loads the zendesk tickets into the warehouse",
    wording: "near",
    cites: ["shop.Airbyte"],
    states: [["Airbyte"]],
    because: [["feeds", "shop.Airbyte", "shop.raw_zendesk.tickets"]],
  },
  {
    question: "The auditors want to know where the month end close gets its numbers from, can you help?",
    wording: "near",
    cites: [
      "shop.finance.fct_payments",
      "shop.finance.fct_payout_reconciliation",
      "shop.intermediate.int_ledger_in_eur",
    ],
    states: [["fct_payments"], ["fct_payout_reconciliation"], ["int_ledger_in_eur"]],
    because: [
      [
        "all",
        { feeds: "shop.month_end_close" },
        ["shop.finance.fct_payments", "shop.finance.fct_payout_reconciliation", "shop.intermediate.int_ledger_in_eur"],
      ],
    ],
  },
] as const satisfies readonly Answerable[];

export const uses = [
  {
    question: "who reads customer_value? dashboards, models, anything",
    wording: "exact",
    cites: ["shop.marketing.churn_features", "shop.marketing.crm_contacts", "shop.marketing_cockpit"],
    states: [["churn_features"], ["crm_contacts"], ["marketing_cockpit", "Marketing cockpit"]],
    because: [
      [
        "all",
        { uses: "shop.marketing.customer_value" },
        ["shop.marketing.churn_features", "shop.marketing.crm_contacts", "shop.marketing_cockpit"],
      ],
    ],
  },
  {
    question: "which dashboards would be looking at orders wide these days",
    wording: "near",
    cites: ["shop.warehouse_screen"],
    states: [["warehouse_screen", "Warehouse screen"]],
    because: [["all", { type: "dashboard", dependsOn: "shop.marts.orders_wide" }, ["shop.warehouse_screen"]]],
  },
  {
    question: "is there any metric that's built straight on fct_refunds?",
    wording: "exact",
    cites: ["shop.refunded_amount"],
    states: [["refunded_amount", "Refunded amount"]],
    because: [["all", { type: "metric", uses: "shop.finance.fct_refunds" }, ["shop.refunded_amount"]]],
  },
  {
    question: "where's the history of our prices being used?",
    wording: "own words",
    cites: ["shop.intermediate.int_order_lines_enriched", "shop.price_elasticity"],
    states: [["int_order_lines_enriched"], ["price_elasticity", "Price elasticity"]],
    because: [
      [
        "all",
        { uses: "shop.snapshots.variant_prices" },
        ["shop.intermediate.int_order_lines_enriched", "shop.price_elasticity"],
      ],
    ],
  },
  {
    question: "does anyone even use the vat_rate in country_codes?",
    wording: "exact",
    cites: [["shop.seeds.country_codes.vat_rate", "shop.seeds.country_codes"]],
    states: [["nothing", "nobody", "no one", "not used", "unused", "no", "0"]],
    because: [["count", { uses: "shop.seeds.country_codes.vat_rate" }, 0]],
  },
] as const satisfies readonly Answerable[];

export const impact = [
  {
    question: "im thinking of dropping phone from the raw shopify customers, what would break?",
    wording: "near",
    cites: [["shop.marts.dim_customers.phone", "shop.marts.dim_customers"]],
    states: [["dim_customers"]],
    because: [
      ["reaches", "shop.raw_shopify.customers.phone", "shop.marts.dim_customers.phone"],
      [
        "all",
        { dependsOn: "shop.raw_shopify.customers.phone" },
        ["shop.staging.stg_shopify__customers.phone", "shop.marts.dim_customers.phone"],
      ],
    ],
  },
  {
    question: "whats going to stop working if the erp suppliers table disappears tomorrow",
    wording: "near",
    cites: ["shop.marts.dim_products", "shop.trading_floor", "shop.warehouse_screen"],
    states: [["dim_products"], ["trading_floor", "Trading floor"], ["warehouse_screen", "Warehouse screen"]],
    because: [
      [
        "all",
        { dependsOn: "shop.raw_erp.suppliers" },
        [
          "shop.staging.stg_erp__suppliers",
          "shop.marts.dim_products",
          "shop.marts.fct_stock_days",
          "shop.trading_floor",
          "shop.warehouse_screen",
        ],
      ],
    ],
  },
  {
    question:
      "Zendesk wants to turn satisfaction_score in raw_zendesk.tickets into a number instead of good/bad. What does that hit downstream?",
    wording: "exact",
    cites: [
      ["shop.marts.fct_support_tickets.is_dissatisfied", "shop.marts.fct_support_tickets"],
      ["shop.marketing.churn_features.dissatisfied_count", "shop.marketing.churn_features"],
    ],
    states: [
      ["is_dissatisfied", "fct_support_tickets"],
      ["dissatisfied_count", "churn_features"],
    ],
    because: [
      ["reaches", "shop.raw_zendesk.tickets.satisfaction_score", "shop.marts.fct_support_tickets.is_dissatisfied"],
      ["reaches", "shop.raw_zendesk.tickets.satisfaction_score", "shop.marketing.churn_features.dissatisfied_count"],
    ],
  },
  {
    question: "which metrics should I worry about when what the carriers bill us for parcels comes in wrong?",
    wording: "own words",
    cites: ["shop.contribution_margin", "shop.contribution_margin_rate"],
    states: [
      ["contribution_margin", "Contribution margin"],
      ["contribution_margin_rate", "Contribution margin rate"],
    ],
    because: [
      [
        "all",
        { type: "metric", dependsOn: "shop.raw_carrier.shipments.cost" },
        ["shop.contribution_margin", "shop.contribution_margin_rate"],
      ],
    ],
  },
] as const satisfies readonly Answerable[];

export const notices = [
  {
    question: "we're pausing the stripe payouts feed for a day, who needs a heads-up?",
    wording: "near",
    cites: [["shop.finance.fct_payout_reconciliation", "shop.month_end_close"]],
    states: [["ines.moreau@example.com"]],
    because: [
      ["owner", "shop.finance.fct_payout_reconciliation", "ines.moreau@example.com"],
      ["owner", "shop.month_end_close", "ines.moreau@example.com"],
      ["reaches", "shop.raw_stripe.payouts", "shop.month_end_close"],
    ],
  },
  {
    question: "I'd like to change how customer_value is computed. Who should I let know beforehand?",
    wording: "exact",
    cites: [
      ["shop.marketing.churn_features", "shop.churn_model"],
      ["shop.marketing.crm_contacts", "shop.crm_sync"],
      "shop.marketing_cockpit",
    ],
    states: [["data-science@example.com"], ["priya.nair@example.com"], ["jonas.weber@example.com"]],
    because: [
      ["owner", "shop.marketing.churn_features", "data-science@example.com"],
      ["owner", "shop.marketing.crm_contacts", "priya.nair@example.com"],
      ["owner", "shop.marketing_cockpit", "jonas.weber@example.com"],
      [
        "all",
        { dependsOn: "shop.marketing.customer_value" },
        [
          "shop.marketing.churn_features",
          "shop.churn_model",
          "shop.marketing.crm_contacts",
          "shop.crm_sync",
          "shop.marketing_cockpit",
        ],
      ],
    ],
  },
] as const satisfies readonly Answerable[];

export const paths = [
  {
    question: "how does a ticket from raw_zendesk.tickets make it into churn_model",
    wording: "exact",
    cites: ["shop.marts.fct_support_tickets", "shop.marketing.churn_features"],
    states: [["fct_support_tickets"], ["churn_features"]],
    because: [
      ["shortest path", "shop.raw_zendesk.tickets", "shop.marts.fct_support_tickets", "shop.churn_model"],
      ["shortest path", "shop.raw_zendesk.tickets", "shop.marketing.churn_features", "shop.churn_model"],
    ],
  },
  {
    question: "Whats the connection between the snapshot of prices and what the board gets to see, if there is one?",
    wording: "own words",
    cites: ["shop.finance.order_margins", "shop.finance.profit_and_loss_months"],
    states: [["order_margins"], ["profit_and_loss_months"]],
    because: [
      ["shortest path", "shop.snapshots.variant_prices", "shop.finance.order_margins", "shop.board_revenue"],
      ["shortest path", "shop.snapshots.variant_prices", "shop.finance.profit_and_loss_months", "shop.board_revenue"],
    ],
  },
  {
    question: "do the google ads campaign stats get to profit and loss months somehow, and via what?",
    wording: "near",
    cites: ["shop.intermediate.int_ad_spend_by_day"],
    states: [["int_ad_spend_by_day"]],
    because: [
      [
        "shortest path",
        "shop.raw_google_ads.campaign_stats",
        "shop.intermediate.int_ad_spend_by_day",
        "shop.finance.profit_and_loss_months",
      ],
    ],
  },
  {
    question: "can anything that happens in raw_stripe.payouts end up in board_revenue?",
    wording: "exact",
    cites: ["shop.raw_stripe.payouts", "shop.board_revenue"],
    states: [["no", "not", "nothing", "never", "doesn't", "can't"]],
    because: [["never reaches", "shop.raw_stripe.payouts", "shop.board_revenue"]],
  },
] as const satisfies readonly Answerable[];
