/** Where something is, how many there are, which columns and of what type, how fresh. */
import type { Answerable } from "../../question.ts";

export const finding = [
  {
    question: "where can I see whether a parcel turned up too late",
    wording: "own words",
    cites: [["shop.marts.fct_shipments", "shop.marts.fct_shipments.is_late"]],
    states: [["is_late", "fct_shipments"]],
    because: [["says", "shop.marts.fct_shipments.is_late", "after the promised day"]],
  },
  {
    question: "we're looking for how many days we've got to pay a supplier's invoice, do we store that anywhere?",
    wording: "own words",
    cites: [
      [
        "shop.raw_erp.suppliers",
        "shop.raw_erp.suppliers.payment_terms_days",
        "shop.staging.stg_erp__suppliers",
        "shop.staging.stg_erp__suppliers.payment_terms_days",
      ],
    ],
    states: [["payment_terms_days"]],
    because: [
      [
        "all",
        { name: "payment_terms_days" },
        ["shop.raw_erp.suppliers.payment_terms_days", "shop.staging.stg_erp__suppliers.payment_terms_days"],
      ],
    ],
  },
  {
    question: "everything tagged ml please",
    wording: "exact",
    cites: ["shop.marketing.churn_features", "shop.churn_model"],
    states: [["churn_features"], ["churn_model", "Churn model"]],
    because: [["all", { tag: "ml" }, ["shop.marketing.churn_features", "shop.churn_model"]]],
  },
  {
    question: "which model has the page a visit landed on?",
    wording: "own words",
    cites: [["shop.intermediate.int_sessions", "shop.intermediate.int_sessions.landing_page"]],
    states: [["int_sessions"]],
    because: [["all", { name: "landing_page" }, ["shop.intermediate.int_sessions.landing_page"]]],
  },
] as const satisfies readonly Answerable[];

export const counts = [
  {
    question: "how many tables are tagged hourly?",
    wording: "exact",
    cites: [],
    states: [["11", "eleven"]],
    because: [["count", { type: "table", tag: "hourly" }, 11]],
  },
  {
    question: "how many columns has dim products got",
    wording: "near",
    cites: [],
    states: [["12", "twelve"]],
    because: [["count", { columnOf: "shop.marts.dim_products" }, 12]],
  },
  {
    question: "Quick one for a slide: number of models that priya.nair@example.com owns?",
    wording: "exact",
    cites: [],
    states: [["3", "three"]],
    because: [["count", { type: "model", owner: "priya.nair@example.com" }, 3]],
  },
] as const satisfies readonly Answerable[];

export const columns = [
  {
    question: "what fields do I get in int_sessions",
    wording: "exact",
    cites: ["shop.intermediate.int_sessions"],
    states: [["landing_page"], ["page_view_count"], ["started_at"]],
    because: [
      [
        "all",
        { columnOf: "shop.intermediate.int_sessions" },
        [
          "shop.intermediate.int_sessions.session_id",
          "shop.intermediate.int_sessions.visitor_id",
          "shop.intermediate.int_sessions.channel",
          "shop.intermediate.int_sessions.campaign_name",
          "shop.intermediate.int_sessions.landing_page",
          "shop.intermediate.int_sessions.page_view_count",
          "shop.intermediate.int_sessions.started_at",
          "shop.intermediate.int_sessions.ended_at",
          "shop.intermediate.int_sessions.started_on",
        ],
      ],
    ],
  },
  {
    question: "For the GDPR register: which columns of raw_shopify.customers are tagged pii?",
    wording: "exact",
    cites: [["shop.raw_shopify.customers", "shop.raw_shopify.customers.email"]],
    states: [["email"], ["first_name"], ["last_name"], ["phone"]],
    because: [
      [
        "all",
        { columnOf: "shop.raw_shopify.customers", tag: "pii" },
        [
          "shop.raw_shopify.customers.email",
          "shop.raw_shopify.customers.first_name",
          "shop.raw_shopify.customers.last_name",
          "shop.raw_shopify.customers.phone",
        ],
      ],
    ],
  },
] as const satisfies readonly Answerable[];

export const dataTypes = [
  {
    question: "whats the datatype of order_id in fct_orders? a number or a string",
    wording: "exact",
    cites: [["shop.marts.fct_orders.order_id", "shop.marts.fct_orders"]],
    states: [["bigint"]],
    because: [["data type", "shop.marts.fct_orders.order_id", "bigint"]],
  },
  {
    question: "how many decimals do we keep on an exchange rate? i need the column's type for an import",
    wording: "own words",
    cites: [
      [
        "shop.seeds.fx_rates.eur_per_unit",
        "shop.seeds.fx_rates",
        "shop.intermediate.int_fx_rates_daily.eur_per_unit",
        "shop.intermediate.int_fx_rates_daily",
      ],
    ],
    states: [["numeric(12,6)"]],
    because: [
      ["data type", "shop.seeds.fx_rates.eur_per_unit", "numeric(12,6)"],
      ["data type", "shop.intermediate.int_fx_rates_daily.eur_per_unit", "numeric(12,6)"],
    ],
  },
] as const satisfies readonly Answerable[];

export const syncs = [
  {
    question: "did the last sync go through ok or was there trouble?",
    wording: "own words",
    cites: [],
    states: [["completed", "succeeded", "no errors", "0 errors", "without errors"]],
    because: [
      ["sync", "status", "completed"],
      ["sync", "errorsTotal", 0],
    ],
  },
  {
    question: "how late can the numbers from Instagram and Facebook ads come in",
    wording: "own words",
    cites: ["shop.raw_meta_ads.ad_insights"],
    states: [["eight days", "8 days"]],
    because: [["says", "shop.raw_meta_ads.ad_insights", "eight days late"]],
  },
  {
    question: "hiya, how often does raw_stripe.charges get refreshed?",
    wording: "exact",
    cites: ["shop.raw_stripe.charges"],
    states: [["hourly", "every hour"]],
    because: [["all", { type: "table", tag: "hourly", name: "charges" }, ["shop.raw_stripe.charges"]]],
  },
] as const satisfies readonly Answerable[];
