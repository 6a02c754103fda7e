/** What one asset or metric is, whose, how defined, whether certified, and how two differ. */
import type { Answerable } from "../../question.ts";

export const meaning = [
  {
    question: "sorry, new here, whats the Trading floor everyone keeps mentioning",
    wording: "near",
    cites: ["shop.trading_floor"],
    states: [["big screen", "best sellers", "day so far"]],
    because: [["says", "shop.trading_floor", "big screen"]],
  },
  {
    question: "does a margin quintile of 1 mean the customer is good or bad?",
    wording: "near",
    cites: [["shop.marketing.customer_value.margin_quintile", "shop.marketing.customer_value"]],
    states: [["best fifth", "the best"]],
    because: [["says", "shop.marketing.customer_value.margin_quintile", "1 is the best fifth"]],
  },
  {
    question: "Could you explian int_customer_activity to me in plain english?",
    wording: "exact",
    cites: ["shop.intermediate.int_customer_activity"],
    states: [["bought"]],
    because: [["says", "shop.intermediate.int_customer_activity", "bought and sent back"]],
  },
  {
    question: "what's this one for?",
    wording: "own words",
    context: { asset_ids: ["shop.intermediate.int_order_settlements"] },
    cites: ["shop.intermediate.int_order_settlements"],
    states: [["paid back", "lost in fees"]],
    because: [["says", "shop.intermediate.int_order_settlements", "paid back and lost in fees"]],
  },
  {
    question: "I always forget, which month does our fiscal year begin in?",
    wording: "near",
    cites: [
      [
        "shop.marts.dim_dates",
        "shop.marts.dim_dates.fiscal_year",
        "shop.finance.fct_revenue_days",
        "shop.finance.fct_revenue_days.fiscal_year",
        "shop.finance.profit_and_loss_months",
        "shop.finance.profit_and_loss_months.fiscal_year",
      ],
    ],
    states: [["February"]],
    because: [["says", "shop.marts.dim_dates.fiscal_year", "February to January"]],
  },
] as const satisfies readonly Answerable[];

export const owners = [
  {
    question: "whos teh owner of int order atribution?",
    wording: "near",
    cites: ["shop.intermediate.int_order_attribution"],
    states: [["analytics-engineering@example.com"]],
    because: [["owner", "shop.intermediate.int_order_attribution", "analytics-engineering@example.com"]],
  },
  {
    question:
      "Good morning all! Quick one before stand-up: would anyone know who's in charge of the raw suppliers table from the ERP? One of the mills has a new address and it's still wrong in there. Thanks!!",
    wording: "near",
    cites: ["shop.raw_erp.suppliers"],
    states: [["ines.moreau@example.com"]],
    because: [["owner", "shop.raw_erp.suppliers", "ines.moreau@example.com"]],
  },
  {
    question: "who do i bug about warehouse_screen? the packing guys say it's frozen again",
    wording: "exact",
    cites: ["shop.warehouse_screen"],
    states: [["Warehouse crew"]],
    because: [["owner", "shop.warehouse_screen", "Warehouse crew"]],
  },
  {
    question: "hey, whos repsonsible for the file with the exchange rates",
    wording: "own words",
    cites: ["shop.seeds.fx_rates"],
    states: [["ines.moreau@example.com"]],
    because: [["owner", "shop.seeds.fx_rates", "ines.moreau@example.com"]],
  },
  {
    question: "Is anybody actually looking after the page views we collect on the site? I couldn't find a name.",
    wording: "near",
    cites: [["shop.raw_web.page_views", "shop.staging.stg_web__page_views"]],
    states: [["Storefront team"]],
    because: [
      ["owner", "shop.raw_web.page_views", "Storefront team"],
      ["owner", "shop.staging.stg_web__page_views", "Storefront team"],
    ],
  },
  {
    question: "what all belongs to data-science@example.com",
    wording: "exact",
    cites: ["shop.marketing.churn_features", "shop.churn_model", "shop.price_elasticity"],
    states: [["churn_features"], ["churn_model", "Churn model"], ["price_elasticity", "Price elasticity"]],
    because: [
      [
        "all",
        { owner: "data-science@example.com" },
        ["shop.marketing.churn_features", "shop.churn_model", "shop.price_elasticity"],
      ],
    ],
  },
] as const satisfies readonly Answerable[];

export const definitions = [
  {
    question: "how's AOV calculated",
    wording: "own words",
    cites: ["shop.average_order_value"],
    states: [["gross revenue", "gross_revenue", "gross_revenue_eur"]],
    because: [
      ["says", "shop.average_order_value", "gross revenue"],
      ["feeds", "shop.gross_revenue", "shop.average_order_value"],
    ],
  },
  {
    question: "When do we say a customer is active? bought within the last month, the last year?",
    wording: "near",
    cites: ["shop.active_customers"],
    states: [["90 days"]],
    because: [["says", "shop.active_customers", "90 days"]],
  },
  {
    question: "does refunded_amount include the orders people cancelled?",
    wording: "exact",
    cites: ["shop.refunded_amount"],
    states: [
      ["but for orders that were cancelled", "is_cancelled_order", "refund__is_cancelled_order", "not cancelled"],
    ],
    because: [
      ["says", "shop.refunded_amount", "but for orders that were cancelled"],
      ["says", "shop.finance.fct_refunds.is_cancelled_order", "cancelled"],
    ],
  },
  {
    question: "whats the formula for ROAS pls",
    wording: "own words",
    cites: ["shop.return_on_ad_spend"],
    states: [["attributed_revenue", "attributed revenue", "attributed net revenue", "attributed_revenue_eur"]],
    because: [
      ["says", "shop.return_on_ad_spend", "attributed net revenue"],
      ["feeds", "shop.attributed_revenue", "shop.return_on_ad_spend"],
    ],
  },
] as const satisfies readonly Answerable[];

export const certification = [
  {
    question: "is fct_channel_days ok to use, i.e. has someone certified it?",
    wording: "exact",
    cites: ["shop.marketing.fct_channel_days"],
    states: [["pending"]],
    because: [["certification", "shop.marketing.fct_channel_days", "pending"]],
  },
  {
    question: "who signed off the contribution margin",
    wording: "near",
    cites: [["shop.contribution_margin", "shop.finance.order_margins"]],
    states: [["ines.moreau@example.com"]],
    because: [
      ["certified by", "shop.contribution_margin", "ines.moreau@example.com"],
      ["certified by", "shop.finance.order_margins", "ines.moreau@example.com"],
    ],
  },
  {
    question: "any marketing metrics still waiting for their sign-off?",
    wording: "own words",
    cites: ["shop.return_on_ad_spend"],
    states: [["return_on_ad_spend", "Return on ad spend"]],
    because: [["all", { type: "metric", tag: "marketing", certification: "pending" }, ["shop.return_on_ad_spend"]]],
  },
  {
    question: "My predecessor built everything on orders_wide. Should I keep using it?",
    wording: "exact",
    cites: ["shop.marts.orders_wide"],
    states: [["deprecated"]],
    because: [["certification", "shop.marts.orders_wide", "deprecated"]],
  },
] as const satisfies readonly Answerable[];

export const comparisons = [
  {
    question: "gross vs net revenue, whats the difference??",
    wording: "near",
    cites: ["shop.gross_revenue", "shop.net_revenue"],
    states: [["refunds", "refunded_amount", "refunded amount"]],
    because: [
      ["says", "shop.net_revenue", "less refunds"],
      ["feeds", "shop.refunded_amount", "shop.net_revenue"],
    ],
  },
  {
    question: "what's different between stg_stripe__charges and fct_payments?",
    wording: "exact",
    cites: ["shop.staging.stg_stripe__charges", "shop.finance.fct_payments"],
    states: [["successful", "succeeded"]],
    because: [["says", "shop.finance.fct_payments", "successful charges"]],
  },
  {
    question:
      "My net revenue for March is not the same in the daily revenue table and in the P&L. Is there a difference in how fct_revenue_days and profit_and_loss_months treat refunds?",
    wording: "exact",
    cites: ["shop.finance.profit_and_loss_months"],
    states: [["month of its order", "month of the order"]],
    because: [["says", "shop.finance.profit_and_loss_months", "month of its order"]],
  },
] as const satisfies readonly Answerable[];
