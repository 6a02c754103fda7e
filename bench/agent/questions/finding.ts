/** Where is a column or a tag, and what columns has it? */
import type { Answerable } from "../question.ts";

export const finding = [
  {
    question: "Where is the column margin_quintile?",
    wording: "exact",
    cites: [["shop.marketing.customer_value.margin_quintile", "shop.marketing.customer_value"]],
    states: [["customer_value"]],
    because: [["all", { type: "column", name: "margin_quintile" }, ["shop.marketing.customer_value.margin_quintile"]]],
  },
  {
    question: "which tables have a fiscal year column",
    wording: "near",
    cites: [
      ["shop.marts.dim_dates.fiscal_year", "shop.marts.dim_dates"],
      ["shop.finance.fct_revenue_days.fiscal_year", "shop.finance.fct_revenue_days"],
      ["shop.finance.profit_and_loss_months.fiscal_year", "shop.finance.profit_and_loss_months"],
    ],
    states: [["dim_dates"], ["fct_revenue_days"], ["profit_and_loss_months"]],
    because: [
      [
        "all",
        { type: "column", name: "fiscal_year" },
        [
          "shop.marts.dim_dates.fiscal_year",
          "shop.finance.fct_revenue_days.fiscal_year",
          "shop.finance.profit_and_loss_months.fiscal_year",
        ],
      ],
    ],
  },
  {
    question: "In which tables do we store the telephone numbers of customers?",
    wording: "own words",
    cites: [
      ["shop.marts.dim_customers.phone", "shop.marts.dim_customers"],
      ["shop.raw_shopify.customers.phone", "shop.raw_shopify.customers"],
    ],
    states: [["dim_customers"], ["raw_shopify.customers", "customers"]],
    because: [
      [
        "all",
        { type: "column", name: "phone" },
        [
          "shop.marts.dim_customers.phone",
          "shop.raw_shopify.customers.phone",
          "shop.staging.stg_shopify__customers.phone",
        ],
      ],
    ],
  },
  {
    question: "What is tagged ml?",
    wording: "exact",
    cites: ["shop.churn_model", "shop.marketing.churn_features"],
    states: [["churn model", "churn_model"], ["churn_features"]],
    because: [["all", { tag: "ml" }, ["shop.churn_model", "shop.marketing.churn_features"]]],
  },
  {
    question: "which columns of dim customers are pii",
    wording: "near",
    cites: ["shop.marts.dim_customers.email", "shop.marts.dim_customers.full_name", "shop.marts.dim_customers.phone"],
    states: [["email"], ["full_name"], ["phone"]],
    because: [
      [
        "all",
        { columnOf: "shop.marts.dim_customers", tag: "pii" },
        ["shop.marts.dim_customers.email", "shop.marts.dim_customers.full_name", "shop.marts.dim_customers.phone"],
      ],
    ],
  },
  {
    question: "where do tracking numbers show up?",
    wording: "near",
    cites: [
      ["shop.marts.fct_shipments.tracking_number", "shop.marts.fct_shipments"],
      ["shop.marts.orders_wide.tracking_number", "shop.marts.orders_wide"],
      ["shop.raw_carrier.shipments.tracking_number", "shop.raw_carrier.shipments"],
    ],
    states: [["fct_shipments"], ["orders_wide"]],
    because: [
      [
        "all",
        { type: "column", name: "tracking_number" },
        [
          "shop.marts.fct_shipments.tracking_number",
          "shop.marts.orders_wide.tracking_number",
          "shop.raw_carrier.shipments.tracking_number",
          "shop.staging.stg_carrier__shipments.tracking_number",
        ],
      ],
    ],
  },
  {
    question: "How can I tell a robot from a person among the page views? Is there a flag?",
    wording: "own words",
    cites: [["shop.raw_web.page_views.is_bot", "shop.raw_web.page_views"]],
    states: [["is_bot"]],
    because: [["all", { type: "column", name: "is_bot" }, ["shop.raw_web.page_views.is_bot"]]],
  },
  {
    question: "Which dashboards are tagged finance?",
    wording: "exact",
    cites: ["shop.board_revenue", "shop.month_end_close"],
    states: [
      ["board revenue report", "board_revenue"],
      ["month-end close", "month_end_close"],
    ],
    because: [["all", { type: "dashboard", tag: "finance" }, ["shop.board_revenue", "shop.month_end_close"]]],
  },
  {
    question: "what carries the tag monthly",
    wording: "near",
    cites: ["shop.finance.profit_and_loss_months", "shop.month_end_close", "shop.seeds.fx_rates"],
    states: [["profit_and_loss_months"], ["month-end close", "month_end_close"], ["fx_rates"]],
    because: [
      [
        "all",
        { tag: "monthly" },
        ["shop.finance.profit_and_loss_months", "shop.month_end_close", "shop.seeds.fx_rates"],
      ],
    ],
  },
  {
    question: "Where's the percentage of VAT for each country?",
    wording: "own words",
    cites: [["shop.seeds.country_codes.vat_rate", "shop.seeds.country_codes"]],
    states: [["vat_rate"], ["country_codes"]],
    because: [["all", { type: "column", name: "vat_rate" }, ["shop.seeds.country_codes.vat_rate"]]],
  },
  {
    question: "wich table has the colum is_balanced",
    wording: "exact",
    cites: [["shop.finance.fct_payout_reconciliation.is_balanced", "shop.finance.fct_payout_reconciliation"]],
    states: [["fct_payout_reconciliation"]],
    because: [["all", { type: "column", name: "is_balanced" }, ["shop.finance.fct_payout_reconciliation.is_balanced"]]],
  },
  {
    question: "I need to know how many days each parcel was in transit. Which column has that?",
    wording: "own words",
    cites: [["shop.marts.fct_shipments.days_in_transit", "shop.marts.fct_shipments"]],
    states: [["days_in_transit"]],
    because: [["all", { type: "column", name: "days_in_transit" }, ["shop.marts.fct_shipments.days_in_transit"]]],
  },
  {
    question: "List the columns of shop.seeds.utm_channels",
    wording: "exact",
    cites: ["shop.seeds.utm_channels"],
    states: [["utm_source"], ["channel"]],
    because: [
      [
        "all",
        { columnOf: "shop.seeds.utm_channels" },
        ["shop.seeds.utm_channels.utm_source", "shop.seeds.utm_channels.channel"],
      ],
    ],
  },
  {
    question: "what fields do the crm contacts have",
    wording: "near",
    cites: ["shop.marketing.crm_contacts"],
    states: [["email"], ["full_name"], ["value_segment"], ["open_ticket_count"]],
    because: [
      ["count", { columnOf: "shop.marketing.crm_contacts" }, 8],
      ["count", { columnOf: "shop.marketing.crm_contacts", name: "email" }, 1],
      ["count", { columnOf: "shop.marketing.crm_contacts", name: "full_name" }, 1],
      ["count", { columnOf: "shop.marketing.crm_contacts", name: "value_segment" }, 1],
      ["count", { columnOf: "shop.marketing.crm_contacts", name: "open_ticket_count" }, 1],
    ],
  },
  {
    question: "What columns does it have?",
    wording: "exact",
    context: { asset_ids: ["shop.marts.fct_stock_days"] },
    cites: ["shop.marts.fct_stock_days"],
    states: [["units_on_hand"], ["stock_value_eur"]],
    because: [
      ["count", { columnOf: "shop.marts.fct_stock_days", name: "units_on_hand" }, 1],
      ["count", { columnOf: "shop.marts.fct_stock_days", name: "stock_value_eur" }, 1],
    ],
  },
  {
    question: "which fields are in the table for the monthly profit and loss statement",
    wording: "own words",
    cites: ["shop.finance.profit_and_loss_months"],
    states: [["overhead_eur"], ["operating_profit_eur"]],
    because: [
      ["says", "shop.finance.profit_and_loss_months", "The management profit and loss statement, one row a month"],
      ["count", { columnOf: "shop.finance.profit_and_loss_months", name: "overhead_eur" }, 1],
      ["count", { columnOf: "shop.finance.profit_and_loss_months", name: "operating_profit_eur" }, 1],
    ],
  },
  {
    question: "What is the data type of fct_orders.ordered_at?",
    wording: "exact",
    cites: [["shop.marts.fct_orders.ordered_at", "shop.marts.fct_orders"]],
    states: [["timestamp with time zone", "timestamptz"]],
    because: [["data type", "shop.marts.fct_orders.ordered_at", "timestamp with time zone"]],
  },
] as const satisfies readonly Answerable[];
