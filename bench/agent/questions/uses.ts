/** What uses it, and which dashboards and metrics depend on it? */
import type { Answerable } from "../question.ts";

export const uses = [
  {
    question: "What uses int_orders_in_eur?",
    wording: "exact",
    cites: [
      "shop.intermediate.int_orders_in_eur",
      "shop.finance.fct_refunds",
      "shop.intermediate.int_customer_activity",
      "shop.intermediate.int_order_attribution",
      "shop.intermediate.int_order_lines_enriched",
      "shop.marts.fct_orders",
    ],
    states: [
      ["fct_refunds"],
      ["int_customer_activity"],
      ["int_order_attribution"],
      ["int_order_lines_enriched"],
      ["fct_orders"],
    ],
    because: [
      [
        "all",
        { uses: "shop.intermediate.int_orders_in_eur" },
        [
          "shop.finance.fct_refunds",
          "shop.intermediate.int_customer_activity",
          "shop.intermediate.int_order_attribution",
          "shop.intermediate.int_order_lines_enriched",
          "shop.marts.fct_orders",
        ],
      ],
    ],
  },
  {
    question: "who still reads orders wide",
    wording: "near",
    cites: ["shop.marts.orders_wide", "shop.warehouse_screen"],
    states: [["warehouse screen", "warehouse_screen"]],
    because: [["all", { uses: "shop.marts.orders_wide" }, ["shop.warehouse_screen"]]],
  },
  {
    question: "What is made with the calendar?",
    wording: "own words",
    cites: [
      "shop.marts.dim_dates",
      "shop.finance.fct_payout_reconciliation",
      "shop.finance.fct_revenue_days",
      "shop.finance.profit_and_loss_months",
      "shop.marketing.fct_channel_days",
      "shop.marts.fct_stock_days",
    ],
    states: [
      ["fct_payout_reconciliation"],
      ["fct_revenue_days"],
      ["profit_and_loss_months"],
      ["fct_channel_days"],
      ["fct_stock_days"],
    ],
    because: [
      ["says", "shop.marts.dim_dates", "The calendar."],
      [
        "all",
        { uses: "shop.marts.dim_dates" },
        [
          "shop.finance.fct_payout_reconciliation",
          "shop.finance.fct_revenue_days",
          "shop.finance.profit_and_loss_months",
          "shop.marketing.fct_channel_days",
          "shop.marts.fct_stock_days",
        ],
      ],
    ],
  },
  {
    question: "Which models use the UTM channels seed?",
    wording: "near",
    cites: [
      "shop.seeds.utm_channels",
      "shop.intermediate.int_ad_spend_by_day",
      "shop.intermediate.int_sessions",
      "shop.marketing.fct_channel_days",
    ],
    states: [["int_ad_spend_by_day"], ["int_sessions"], ["fct_channel_days"]],
    because: [
      [
        "all",
        { uses: "shop.seeds.utm_channels" },
        ["shop.intermediate.int_ad_spend_by_day", "shop.intermediate.int_sessions", "shop.marketing.fct_channel_days"],
      ],
    ],
  },
  {
    question: "downstream of customer_value?",
    wording: "exact",
    cites: [
      "shop.marketing.customer_value",
      "shop.marketing.churn_features",
      "shop.marketing.crm_contacts",
      "shop.marketing_cockpit",
    ],
    states: [["churn_features"], ["crm_contacts"], ["marketing cockpit", "marketing_cockpit"]],
    because: [
      [
        "all",
        { uses: "shop.marketing.customer_value" },
        ["shop.marketing.churn_features", "shop.marketing.crm_contacts", "shop.marketing_cockpit"],
      ],
    ],
  },
  {
    question: "Which raw tables does Snowplow load?",
    wording: "near",
    cites: ["shop.Snowplow", "shop.raw_web.page_views"],
    states: [["page_views"]],
    because: [["all", { uses: "shop.Snowplow" }, ["shop.raw_web.page_views"]]],
  },
  {
    question: "The ERP tells us about every change of stock. Which dashboard is that for in the end?",
    wording: "own words",
    cites: ["shop.raw_erp.stock_movements", "shop.warehouse_screen"],
    states: [["warehouse screen", "warehouse_screen"]],
    because: [
      ["says", "shop.raw_erp.stock_movements", "Every change of stock"],
      ["all", { dependsOn: "shop.raw_erp.stock_movements", type: "dashboard" }, ["shop.warehouse_screen"]],
    ],
  },
  {
    question: "Which dashboards depend on fct_orders, directly or further down?",
    wording: "exact",
    cites: [
      "shop.marts.fct_orders",
      "shop.board_revenue",
      "shop.marketing_cockpit",
      "shop.trading_floor",
      "shop.warehouse_screen",
    ],
    states: [
      ["board revenue report", "board_revenue"],
      ["marketing cockpit", "marketing_cockpit"],
      ["trading floor", "trading_floor"],
      ["warehouse screen", "warehouse_screen"],
    ],
    because: [
      [
        "all",
        { dependsOn: "shop.marts.fct_orders", type: "dashboard" },
        ["shop.board_revenue", "shop.marketing_cockpit", "shop.trading_floor", "shop.warehouse_screen"],
      ],
    ],
  },
  {
    question: "which metrics are measured on the order margins model",
    wording: "near",
    cites: ["shop.finance.order_margins", "shop.contribution_margin"],
    states: [["contribution_margin", "contribution margin"]],
    because: [["all", { uses: "shop.finance.order_margins", type: "metric" }, ["shop.contribution_margin"]]],
  },
  {
    question: "What figures rest on the money that we pay back to customers?",
    wording: "own words",
    cites: ["shop.net_revenue", "shop.refund_rate"],
    states: [
      ["net_revenue", "net revenue"],
      ["refund_rate", "refund rate"],
    ],
    because: [["all", { uses: "shop.refunded_amount" }, ["shop.net_revenue", "shop.refund_rate"]]],
  },
  {
    question: "Is there a dashboard on which I can see what each euro of ads brings in?",
    wording: "own words",
    cites: ["shop.marketing_cockpit"],
    states: [["marketing cockpit", "marketing_cockpit"]],
    because: [["all", { uses: "shop.return_on_ad_spend" }, ["shop.marketing_cockpit"]]],
  },
] as const satisfies readonly Answerable[];
