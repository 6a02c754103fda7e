/** What one asset or metric is, whose, how defined, whether certified, and how two differ. */
import type { Answerable } from "../../question.ts";

export const meaning = [
  {
    question: "remind me what int_order_attribution does again?",
    wording: "exact",
    cites: ["shop.intermediate.int_order_attribution"],
    states: [["seven days", "7 days"]],
    because: [["says", "shop.intermediate.int_order_attribution", "seven days"]],
  },
  {
    question: "in one line pls, waht is int variant unit costs",
    wording: "near",
    cites: ["shop.intermediate.int_variant_unit_costs"],
    states: [["landed cost"]],
    because: [["says", "shop.intermediate.int_variant_unit_costs", "landed cost"]],
  },
  {
    question: "There's a file that says which utm source counts as which channel. What is it called here?",
    wording: "own words",
    cites: ["shop.seeds.utm_channels"],
    states: [["utm_channels"]],
    because: [["says", "shop.seeds.utm_channels", "utm_source belongs to"]],
  },
  {
    question: "what do the letters RTM and BRS in the warehouse code stand for",
    wording: "own words",
    cites: [
      [
        "shop.marts.fct_stock_days.warehouse_code",
        "shop.raw_erp.stock_movements.warehouse_code",
        "shop.staging.stg_erp__stock_movements.warehouse_code",
      ],
    ],
    states: [["Rotterdam"], ["Bristol"]],
    because: [
      ["says", "shop.marts.fct_stock_days.warehouse_code", "RTM is Rotterdam"],
      ["says", "shop.marts.fct_stock_days.warehouse_code", "BRS is Bristol"],
    ],
  },
] as const satisfies readonly Answerable[];

export const owners = [
  {
    question: "who do I bug about stg_web__page_views",
    wording: "exact",
    cites: ["shop.staging.stg_web__page_views"],
    states: [["Storefront team"]],
    because: [["owner", "shop.staging.stg_web__page_views", "Storefront team"]],
  },
  {
    question: "whos responsible for the churn featurs table??",
    wording: "near",
    cites: ["shop.marketing.churn_features"],
    states: [["data-science@example.com"]],
    because: [["owner", "shop.marketing.churn_features", "data-science@example.com"]],
  },
  {
    question: "The raw parcel files that we get from the carriers, whose are those?",
    wording: "own words",
    cites: ["shop.raw_carrier.shipments"],
    states: [["tom.devries@example.com"]],
    because: [["owner", "shop.raw_carrier.shipments", "tom.devries@example.com"]],
  },
  {
    question: "which models is priya on the hook for",
    wording: "own words",
    cites: ["shop.marketing.crm_contacts", "shop.marts.dim_customers", "shop.marts.fct_support_tickets"],
    states: [["crm_contacts"], ["dim_customers"], ["fct_support_tickets"]],
    because: [
      [
        "all",
        { type: "model", owner: "priya.nair@example.com" },
        ["shop.marketing.crm_contacts", "shop.marts.dim_customers", "shop.marts.fct_support_tickets"],
      ],
    ],
  },
  {
    question: "and who looks after this one?",
    wording: "own words",
    context: { asset_ids: ["shop.marts.fct_stock_days"] },
    cites: ["shop.marts.fct_stock_days"],
    states: [["Warehouse crew"]],
    because: [["owner", "shop.marts.fct_stock_days", "Warehouse crew"]],
  },
] as const satisfies readonly Answerable[];

export const definitions = [
  {
    question: "how exactly do we calculate refund rate",
    wording: "exact",
    cites: ["shop.refund_rate"],
    states: [
      ["refunded_eur", "refunded_amount", "refunded amount"],
      ["gross_revenue_eur", "gross_revenue", "gross revenue"],
    ],
    because: [
      ["says", "shop.refund_rate", "refunded_eur"],
      ["says", "shop.refund_rate", "gross_revenue_eur"],
    ],
  },
  {
    question: "when do we still count somebody as an active customer? over what period i mean",
    wording: "near",
    cites: ["shop.active_customers"],
    states: [["90 days"]],
    because: [["says", "shop.active_customers", "90 days"]],
  },
  {
    question: "formula for AOV?",
    wording: "own words",
    cites: ["shop.average_order_value"],
    states: [
      ["gross_revenue_eur", "gross_revenue", "gross revenue"],
      ["count(*)", "order_count", "orders", "each order"],
    ],
    because: [
      ["says", "shop.average_order_value", "gross_revenue_eur"],
      ["says", "shop.average_order_value", "count(*)"],
    ],
  },
  {
    question: "How does somebody end up in the best, regular or lapsed segment?",
    wording: "own words",
    cites: [
      [
        "shop.marketing.customer_value.value_segment",
        "shop.marketing.crm_contacts.value_segment",
        "shop.marketing.customer_value",
      ],
    ],
    states: [["margin"]],
    because: [["says", "shop.marketing.customer_value.value_segment", "by margin and time since the latest order"]],
  },
] as const satisfies readonly Answerable[];

export const certification = [
  {
    question: "has someone signed off contribution_margin_rate? want to put it in front of investors",
    wording: "exact",
    cites: ["shop.contribution_margin_rate"],
    states: [["pending", "not certified"]],
    because: [["certification", "shop.contribution_margin_rate", "pending"]],
  },
  {
    question: "when was dim customers certified and by whom",
    wording: "near",
    cites: ["shop.marts.dim_customers"],
    states: [["priya.nair@example.com"], ["2025-06-17", "17 June 2025", "June 17, 2025"]],
    because: [
      ["certified by", "shop.marts.dim_customers", "priya.nair@example.com"],
      ["certified on", "shop.marts.dim_customers", "2025-06-17"],
    ],
  },
  {
    question: "which of the marketing metrics arent certified yet",
    wording: "near",
    cites: ["shop.return_on_ad_spend"],
    states: [["return_on_ad_spend", "Return on ad spend"]],
    because: [
      ["all", { type: "metric", tag: "marketing", certification: "pending" }, ["shop.return_on_ad_spend"]],
      ["count", { type: "metric", tag: "marketing", certification: "none" }, 0],
    ],
  },
  {
    question: "can I still build something new on orders_wide?",
    wording: "exact",
    cites: ["shop.marts.orders_wide"],
    states: [["deprecated"]],
    because: [["certification", "shop.marts.orders_wide", "deprecated"]],
  },
] as const satisfies readonly Answerable[];

export const comparisons = [
  {
    question: "whats the difference between contribution margin and contribution margin rate",
    wording: "exact",
    cites: ["shop.contribution_margin", "shop.contribution_margin_rate"],
    states: [["net_revenue", "net revenue"]],
    because: [
      ["says", "shop.contribution_margin", "net revenue"],
      ["says", "shop.contribution_margin_rate", "net_revenue"],
    ],
  },
  {
    question: "net revenue vs revenue to date, same thing?",
    wording: "near",
    cites: ["shop.net_revenue", "shop.revenue_to_date"],
    states: [
      ["refunded_amount", "refunds", "refunded amount"],
      ["start of the year", "year to date", "first of January", "year"],
    ],
    because: [
      ["says", "shop.net_revenue", "refunded_amount"],
      ["says", "shop.revenue_to_date", "start of the year"],
    ],
  },
] as const satisfies readonly Answerable[];
