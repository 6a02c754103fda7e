/** Whom to tell before it changes? */
import type { Answerable } from "../question.ts";

export const notices = [
  {
    question: "Whom do I have to tell before I drop orders_wide?",
    wording: "exact",
    cites: ["shop.marts.orders_wide", "shop.warehouse_screen"],
    states: [["Warehouse crew"]],
    because: [
      ["all", { uses: "shop.marts.orders_wide" }, ["shop.warehouse_screen"]],
      ["owner", "shop.warehouse_screen", "Warehouse crew"],
    ],
  },
  {
    question: "i am about to change churn features, who needs to know",
    wording: "near",
    cites: ["shop.marketing.churn_features", "shop.churn_model"],
    states: [["data-science@example.com", "Data Science"]],
    because: [
      ["all", { dependsOn: "shop.marketing.churn_features" }, ["shop.churn_model"]],
      ["owner", "shop.churn_model", "data-science@example.com"],
    ],
  },
  {
    question: "We are going to rename the spend field of Meta's ads. Who should hear about it?",
    wording: "own words",
    cites: [["shop.raw_meta_ads.ad_insights.spend", "shop.staging.stg_meta_ads__campaign_days.spend"]],
    states: [["jonas.weber@example.com", "Jonas Weber"]],
    because: [
      ["reaches", "shop.raw_meta_ads.ad_insights.spend", "shop.ad_spend"],
      ["reaches", "shop.raw_meta_ads.ad_insights.spend", "shop.marketing_cockpit"],
      ["owner", "shop.ad_spend", "jonas.weber@example.com"],
      ["owner", "shop.marketing_cockpit", "jonas.weber@example.com"],
    ],
  },
  {
    question: "Who must be warned when fct_support_tickets is going to break?",
    wording: "exact",
    cites: ["shop.marts.fct_support_tickets"],
    states: [
      ["priya.nair@example.com", "Priya Nair"],
      ["data-science@example.com", "Data Science"],
    ],
    because: [
      ["reaches", "shop.marts.fct_support_tickets", "shop.crm_sync"],
      ["owner", "shop.crm_sync", "priya.nair@example.com"],
      ["feeds", "shop.marts.fct_support_tickets", "shop.marketing.churn_features"],
      ["owner", "shop.marketing.churn_features", "data-science@example.com"],
    ],
  },
] as const satisfies readonly Answerable[];
