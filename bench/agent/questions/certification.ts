/** What is certified, pending, deprecated or undescribed, and by whom? */
import type { Answerable } from "../question.ts";

export const certification = [
  {
    question: "Which metrics are still pending?",
    wording: "exact",
    cites: ["shop.contribution_margin_rate", "shop.return_on_ad_spend"],
    states: [
      ["contribution_margin_rate", "contribution margin rate"],
      ["return_on_ad_spend", "return on ad spend"],
    ],
    because: [
      [
        "all",
        { certification: "pending", type: "metric" },
        ["shop.contribution_margin_rate", "shop.return_on_ad_spend"],
      ],
    ],
  },
  {
    question: "list the certified models in finance",
    wording: "near",
    context: { workspace_area: "shop.finance" },
    cites: [
      "shop.finance.fct_payments",
      "shop.finance.fct_refunds",
      "shop.finance.fct_revenue_days",
      "shop.finance.order_margins",
      "shop.finance.profit_and_loss_months",
    ],
    states: [["fct_payments"], ["fct_refunds"], ["fct_revenue_days"], ["order_margins"], ["profit_and_loss_months"]],
    because: [
      [
        "all",
        { certification: "certified", type: "model", under: "shop.finance." },
        [
          "shop.finance.fct_payments",
          "shop.finance.fct_refunds",
          "shop.finance.fct_revenue_days",
          "shop.finance.order_margins",
          "shop.finance.profit_and_loss_months",
        ],
      ],
    ],
  },
  {
    question: "Is there anything in the warehouse that we should stop using?",
    wording: "own words",
    cites: ["shop.marts.orders_wide"],
    states: [["orders_wide"], ["deprecated"]],
    because: [["all", { certification: "deprecated" }, ["shop.marts.orders_wide"]]],
  },
  {
    question: "Which things has nobody described yet?",
    wording: "own words",
    cites: ["shop.Airbyte", "shop.Fivetran", "shop.Snowplow"],
    states: [["Airbyte"], ["Fivetran"], ["Snowplow"]],
    because: [["all", { described: false }, ["shop.Airbyte", "shop.Fivetran", "shop.Snowplow"]]],
  },
  {
    question: "Which models are pending certification?",
    wording: "exact",
    cites: ["shop.marketing.customer_value", "shop.marketing.fct_channel_days"],
    states: [["customer_value"], ["fct_channel_days"]],
    because: [
      [
        "all",
        { certification: "pending", type: "model" },
        ["shop.marketing.customer_value", "shop.marketing.fct_channel_days"],
      ],
    ],
  },
  {
    question: "which metrics did Aylin Kaya certify",
    wording: "near",
    cites: ["shop.attributed_revenue", "shop.new_customer_orders", "shop.order_count"],
    states: [
      ["attributed_revenue", "attributed revenue"],
      ["new_customer_orders", "orders of new customers"],
      ["order_count", "orders"],
    ],
    because: [
      [
        "all",
        { certifiedBy: "aylin.kaya@example.com", type: "metric" },
        ["shop.attributed_revenue", "shop.new_customer_orders", "shop.order_count"],
      ],
    ],
  },
  {
    question: "certified metrics tagged marketing",
    wording: "exact",
    cites: ["shop.active_customers", "shop.ad_spend", "shop.attributed_revenue", "shop.new_customer_orders"],
    states: [
      ["active_customers", "active customers"],
      ["ad_spend", "ad spend"],
      ["attributed_revenue", "attributed revenue"],
      ["new_customer_orders", "orders of new customers"],
    ],
    because: [
      [
        "all",
        { certification: "certified", type: "metric", tag: "marketing" },
        ["shop.active_customers", "shop.ad_spend", "shop.attributed_revenue", "shop.new_customer_orders"],
      ],
    ],
  },
  {
    question: "Which metric here is not certified?",
    wording: "near",
    context: { tags: ["marketing"] },
    cites: ["shop.return_on_ad_spend"],
    states: [["return_on_ad_spend", "return on ad spend"]],
    because: [["all", { certification: "pending", type: "metric", tag: "marketing" }, ["shop.return_on_ad_spend"]]],
  },
  {
    question: "Is gross_revenue certified, and by whom?",
    wording: "exact",
    cites: ["shop.gross_revenue"],
    states: [["ines.moreau@example.com"]],
    because: [
      ["certification", "shop.gross_revenue", "certified"],
      ["certified by", "shop.gross_revenue", "ines.moreau@example.com"],
    ],
  },
  {
    question: "is dim dates certified? who did that",
    wording: "near",
    cites: ["shop.marts.dim_dates"],
    states: [["aylin.kaya@example.com"]],
    because: [
      ["certification", "shop.marts.dim_dates", "certified"],
      ["certified by", "shop.marts.dim_dates", "aylin.kaya@example.com"],
    ],
  },
  {
    question: "I need the margin in percent for the controller. Can she rely on it?",
    wording: "own words",
    cites: ["shop.contribution_margin_rate"],
    states: [["pending", "not certified"]],
    because: [["certification", "shop.contribution_margin_rate", "pending"]],
  },
  {
    question: "When was the active customers metric certified?",
    wording: "near",
    cites: ["shop.active_customers"],
    states: [["2026-03-24", "24 March 2026", "March 24, 2026", "24 Mar 2026", "Mar 24, 2026"]],
    because: [["certified on", "shop.active_customers", "2026-03-24"]],
  },
  {
    question: "Did anybody sign off the contacts that go to the CRM?",
    wording: "own words",
    cites: ["shop.marketing.crm_contacts"],
    states: [["certified"], ["priya.nair@example.com"]],
    because: [
      ["certification", "shop.marketing.crm_contacts", "certified"],
      ["certified by", "shop.marketing.crm_contacts", "priya.nair@example.com"],
    ],
  },
  {
    question: "Is customer_value certified?",
    wording: "exact",
    cites: ["shop.marketing.customer_value"],
    states: [["pending", "not certified", "not yet certified"]],
    because: [["certification", "shop.marketing.customer_value", "pending"]],
  },
  {
    question: "Why is the return on ad spend not certified yet?",
    wording: "near",
    cites: ["shop.return_on_ad_spend"],
    states: [["pending"], ["consent"]],
    because: [
      ["certification", "shop.return_on_ad_spend", "pending"],
      ["says", "shop.return_on_ad_spend", "Pending until attribution also sees visitors without consent"],
    ],
  },
] as const satisfies readonly Answerable[];
