/** Who owns it, and what does somebody own? */
import type { Answerable } from "../question.ts";

export const owners = [
  {
    question: "Who owns shop.marts.fct_orders?",
    wording: "exact",
    cites: ["shop.marts.fct_orders"],
    states: [["commerce-analytics@example.com"]],
    because: [["owner", "shop.marts.fct_orders", "commerce-analytics@example.com"]],
  },
  {
    question: "who is responsible for the dim customers model",
    wording: "near",
    cites: ["shop.marts.dim_customers"],
    states: [["priya.nair@example.com"]],
    because: [["owner", "shop.marts.dim_customers", "priya.nair@example.com"]],
  },
  {
    question: "onwer of custmer value?",
    wording: "near",
    cites: ["shop.marketing.customer_value"],
    states: [["growth@example.com", "Growth"]],
    because: [["owner", "shop.marketing.customer_value", "growth@example.com"]],
  },
  {
    question: "Whom do I ask about the revenue report that the board gets?",
    wording: "own words",
    cites: ["shop.board_revenue"],
    states: [["ines.moreau@example.com", "Ines Moreau"]],
    because: [["owner", "shop.board_revenue", "ines.moreau@example.com"]],
  },
  {
    question: "Who looks after the raw parcels file that the carriers send every night?",
    wording: "own words",
    cites: ["shop.raw_carrier.shipments"],
    states: [["tom.devries@example.com"]],
    because: [["owner", "shop.raw_carrier.shipments", "tom.devries@example.com"]],
  },
  {
    question: "who owns fct_stock_days",
    wording: "exact",
    cites: ["shop.marts.fct_stock_days"],
    states: [["Warehouse crew"]],
    because: [["owner", "shop.marts.fct_stock_days", "Warehouse crew"]],
  },
  {
    question: "Who is the owner of the raw web page views?",
    wording: "near",
    cites: ["shop.raw_web.page_views"],
    states: [["Storefront team"]],
    because: [["owner", "shop.raw_web.page_views", "Storefront team"]],
  },
  {
    question: "Who is behind the ROAS metric?",
    wording: "own words",
    cites: ["shop.return_on_ad_spend"],
    states: [["jonas.weber@example.com"]],
    because: [["owner", "shop.return_on_ad_spend", "jonas.weber@example.com"]],
  },
  {
    question: "A country name is spelled wrong in the list of countries we ship to. Who maintains it?",
    wording: "own words",
    cites: ["shop.seeds.country_codes"],
    states: [["data-platform@example.com"]],
    because: [
      ["owner", "shop.seeds.country_codes", "data-platform@example.com"],
      ["says", "shop.seeds.country_codes", "Countries that we ship to"],
    ],
  },
  {
    question: "Who owns this?",
    wording: "exact",
    context: { asset_ids: ["shop.marts.dim_products"] },
    cites: ["shop.marts.dim_products"],
    states: [["commerce-analytics@example.com"]],
    because: [["owner", "shop.marts.dim_products", "commerce-analytics@example.com"]],
  },
  {
    question: "What does tom.devries@example.com own?",
    wording: "exact",
    cites: ["shop.raw_carrier.shipments"],
    states: [["shipments"]],
    because: [["all", { owner: "tom.devries@example.com" }, ["shop.raw_carrier.shipments"]]],
  },
  {
    question: "List everything the data science people are responsible for",
    wording: "near",
    cites: ["shop.marketing.churn_features", "shop.churn_model", "shop.price_elasticity"],
    states: [["churn_features"], ["churn model", "churn_model"], ["price elasticity", "price_elasticity"]],
    because: [
      [
        "all",
        { owner: "data-science@example.com" },
        ["shop.marketing.churn_features", "shop.churn_model", "shop.price_elasticity"],
      ],
    ],
  },
  {
    question: "which metrics belong to Jonas Weber",
    wording: "near",
    cites: [
      "shop.active_customers",
      "shop.ad_spend",
      "shop.attributed_revenue",
      "shop.new_customer_orders",
      "shop.return_on_ad_spend",
    ],
    states: [
      ["active_customers", "active customers"],
      ["ad_spend", "ad spend"],
      ["return_on_ad_spend", "return on ad spend"],
    ],
    because: [
      [
        "all",
        { owner: "jonas.weber@example.com", type: "metric" },
        [
          "shop.active_customers",
          "shop.ad_spend",
          "shop.attributed_revenue",
          "shop.new_customer_orders",
          "shop.return_on_ad_spend",
        ],
      ],
    ],
  },
  {
    question: "What is the warehouse crew in charge of?",
    wording: "near",
    cites: ["shop.marts.fct_shipments", "shop.marts.fct_stock_days", "shop.warehouse_screen"],
    states: [["fct_shipments"], ["fct_stock_days"], ["warehouse screen", "warehouse_screen"]],
    because: [
      [
        "all",
        { owner: "Warehouse crew" },
        ["shop.marts.fct_shipments", "shop.marts.fct_stock_days", "shop.warehouse_screen"],
      ],
    ],
  },
  {
    question: "Which things in here have nobody who owns them?",
    wording: "own words",
    cites: ["shop.Airbyte", "shop.Fivetran", "shop.Snowplow"],
    states: [["Airbyte"], ["Fivetran"], ["Snowplow"]],
    because: [
      ["all", { owner: "", type: "pipeline" }, ["shop.Airbyte", "shop.Fivetran", "shop.Snowplow"]],
      ["count", { owner: "", type: "model" }, 0],
      ["count", { owner: "", type: "table" }, 0],
      ["count", { owner: "", type: "dashboard" }, 0],
      ["count", { owner: "", type: "metric" }, 0],
    ],
  },
  {
    question: "whcih dashbords does ines moreau own",
    wording: "near",
    cites: ["shop.board_revenue", "shop.month_end_close"],
    states: [
      ["board revenue report", "board_revenue"],
      ["month-end close", "month_end_close"],
    ],
    because: [
      ["all", { owner: "ines.moreau@example.com", type: "dashboard" }, ["shop.board_revenue", "shop.month_end_close"]],
    ],
  },
] as const satisfies readonly Answerable[];
