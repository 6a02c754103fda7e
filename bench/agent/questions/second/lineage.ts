/** What feeds and uses it, what breaks, whom to tell, and by which way. */
import type { Answerable } from "../../question.ts";

export const sources = [
  {
    question: "where does fct_support_tickets get its data from?",
    wording: "exact",
    cites: [
      ["shop.staging.stg_zendesk__tickets", "shop.raw_zendesk.tickets"],
      "shop.marts.dim_customers",
      "shop.marts.fct_orders",
    ],
    states: [["stg_zendesk__tickets", "tickets"], ["dim_customers"], ["fct_orders"]],
    because: [
      [
        "all",
        { feeds: "shop.marts.fct_support_tickets" },
        ["shop.staging.stg_zendesk__tickets", "shop.marts.dim_customers", "shop.marts.fct_orders"],
      ],
    ],
  },
  {
    question: "what goes into the monthly p&l",
    wording: "own words",
    cites: [
      "shop.finance.profit_and_loss_months",
      "shop.finance.order_margins",
      "shop.intermediate.int_ad_spend_by_day",
      "shop.intermediate.int_ledger_in_eur",
    ],
    states: [["order_margins"], ["int_ad_spend_by_day"], ["int_ledger_in_eur"]],
    because: [
      ["feeds", "shop.finance.order_margins", "shop.finance.profit_and_loss_months"],
      ["feeds", "shop.intermediate.int_ad_spend_by_day", "shop.finance.profit_and_loss_months"],
      ["feeds", "shop.intermediate.int_ledger_in_eur", "shop.finance.profit_and_loss_months"],
    ],
  },
  {
    question: "fct stock days, which raw tables does that rest on in the end?",
    wording: "near",
    cites: ["shop.raw_erp.stock_movements", "shop.raw_shopify.products"],
    states: [["stock_movements"], ["products"]],
    because: [
      ["reaches", "shop.raw_erp.stock_movements", "shop.marts.fct_stock_days"],
      ["reaches", "shop.raw_shopify.products", "shop.marts.fct_stock_days"],
    ],
  },
] as const satisfies readonly Answerable[];

export const uses = [
  {
    question: "does anybody use variant_prices or can it go?",
    wording: "exact",
    cites: ["shop.intermediate.int_order_lines_enriched", "shop.price_elasticity"],
    states: [["int_order_lines_enriched"], ["price_elasticity", "Price elasticity of bedding"]],
    because: [
      [
        "all",
        { uses: "shop.snapshots.variant_prices" },
        ["shop.intermediate.int_order_lines_enriched", "shop.price_elasticity"],
      ],
    ],
  },
  {
    question: "who's looking at fct channel days, any dashboards?",
    wording: "near",
    cites: ["shop.marketing_cockpit"],
    states: [["marketing_cockpit", "Marketing cockpit"]],
    because: [["all", { type: "dashboard", dependsOn: "shop.marketing.fct_channel_days" }, ["shop.marketing_cockpit"]]],
  },
  {
    question: "the list of countries we ship to - which model picks that up?",
    wording: "own words",
    cites: ["shop.seeds.country_codes", "shop.marts.dim_customers"],
    states: [["dim_customers"]],
    because: [["all", { uses: "shop.seeds.country_codes" }, ["shop.marts.dim_customers"]]],
  },
  {
    question: "Which dashboards show anything that comes out of the stripe payouts?",
    wording: "near",
    cites: ["shop.month_end_close"],
    states: [["month_end_close", "Month-end close"]],
    because: [["all", { type: "dashboard", dependsOn: "shop.raw_stripe.payouts" }, ["shop.month_end_close"]]],
  },
] as const satisfies readonly Answerable[];

export const impact = [
  {
    question: "google wants to drop cost_micros from campaign_stats. what would break on our side",
    wording: "exact",
    cites: ["shop.ad_spend", "shop.return_on_ad_spend"],
    states: [
      ["ad_spend", "Ad spend"],
      ["return_on_ad_spend", "Return on ad spend"],
    ],
    because: [
      ["reaches", "shop.raw_google_ads.campaign_stats.cost_micros", "shop.ad_spend"],
      ["reaches", "shop.raw_google_ads.campaign_stats.cost_micros", "shop.return_on_ad_spend"],
    ],
  },
  {
    question: "carrier shipments didn't load last night, what's affected downstream??",
    wording: "near",
    cites: ["shop.board_revenue", "shop.warehouse_screen"],
    states: [
      ["board_revenue", "Board revenue report"],
      ["warehouse_screen", "Warehouse screen"],
    ],
    because: [
      ["reaches", "shop.raw_carrier.shipments", "shop.board_revenue"],
      ["reaches", "shop.raw_carrier.shipments", "shop.warehouse_screen"],
    ],
  },
  {
    question: "if i rename is_dissatisfied in fct support tickets does something go wrong?",
    wording: "near",
    cites: [["shop.marketing.churn_features.dissatisfied_count", "shop.marketing.churn_features"]],
    states: [["dissatisfied_count", "churn_features"]],
    because: [
      [
        "all",
        { uses: "shop.marts.fct_support_tickets.is_dissatisfied" },
        ["shop.marketing.churn_features.dissatisfied_count"],
      ],
    ],
  },
  {
    question: "can I safely delete the column phone of dim_customers",
    wording: "exact",
    cites: ["shop.marts.dim_customers.phone"],
    states: [["no", "nothing", "none", "nobody"]],
    because: [["count", { uses: "shop.marts.dim_customers.phone" }, 0]],
  },
] as const satisfies readonly Answerable[];

export const notices = [
  {
    question: "who should hear about it before I touch fct_shipments.is_late",
    wording: "exact",
    cites: [
      ["shop.marketing.churn_features.late_delivery_count", "shop.marketing.churn_features"],
      ["shop.marts.orders_wide.is_late", "shop.marts.orders_wide"],
    ],
    states: [["data-science@example.com"], ["commerce-analytics@example.com"]],
    because: [
      ["feeds", "shop.marts.fct_shipments.is_late", "shop.marketing.churn_features.late_delivery_count"],
      ["feeds", "shop.marts.fct_shipments.is_late", "shop.marts.orders_wide.is_late"],
      ["owner", "shop.marketing.churn_features", "data-science@example.com"],
      ["owner", "shop.marts.orders_wide", "commerce-analytics@example.com"],
    ],
  },
  {
    question: "The zendesk tickets will be a day late on Monday, whom do I warn?",
    wording: "near",
    cites: [["shop.marketing.churn_features", "shop.churn_model"]],
    states: [["priya.nair@example.com"], ["data-science@example.com"]],
    because: [
      ["reaches", "shop.raw_zendesk.tickets", "shop.churn_model"],
      ["owner", "shop.churn_model", "data-science@example.com"],
      ["reaches", "shop.raw_zendesk.tickets", "shop.crm_sync"],
      ["owner", "shop.crm_sync", "priya.nair@example.com"],
    ],
  },
] as const satisfies readonly Answerable[];

export const paths = [
  {
    question: "trace purchase_orders to the trading floor for me",
    wording: "exact",
    cites: ["shop.raw_erp.purchase_orders", "shop.intermediate.int_variant_unit_costs", "shop.trading_floor"],
    states: [["int_variant_unit_costs"]],
    because: [
      [
        "shortest path",
        "shop.raw_erp.purchase_orders",
        "shop.intermediate.int_variant_unit_costs",
        "shop.trading_floor",
      ],
    ],
  },
  {
    question: "how do the google campaign stats get into return on ad spend, which steps are in between",
    wording: "near",
    cites: ["shop.intermediate.int_ad_spend_by_day", "shop.marketing.fct_channel_days", "shop.return_on_ad_spend"],
    states: [["int_ad_spend_by_day"], ["fct_channel_days"]],
    because: [
      [
        "shortest path",
        "shop.raw_google_ads.campaign_stats",
        "shop.intermediate.int_ad_spend_by_day",
        "shop.return_on_ad_spend",
      ],
      [
        "shortest path",
        "shop.raw_google_ads.campaign_stats",
        "shop.marketing.fct_channel_days",
        "shop.return_on_ad_spend",
      ],
    ],
  },
  {
    question: "is there any connection from our suppliers' data to the sync into the CRM?",
    wording: "own words",
    cites: [["shop.raw_erp.suppliers", "shop.staging.stg_erp__suppliers"], "shop.crm_sync"],
    states: [["no", "not", "nothing", "none"]],
    because: [["never reaches", "shop.raw_erp.suppliers", "shop.crm_sync"]],
  },
] as const satisfies readonly Answerable[];
