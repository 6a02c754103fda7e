/** How many are there? */
import type { Answerable } from "../question.ts";

export const counts = [
  {
    question: "How many models are there?",
    wording: "exact",
    cites: [],
    states: [["51", "fifty-one"]],
    because: [["count", { type: "model" }, 51]],
  },
  {
    question: "How many of our KPIs has somebody certified?",
    wording: "own words",
    cites: [],
    states: [["13", "thirteen"]],
    because: [["count", { type: "metric", certification: "certified" }, 13]],
  },
  {
    question: "number of dashboards?",
    wording: "exact",
    cites: [],
    states: [["6", "six"]],
    because: [["count", { type: "dashboard" }, 6]],
  },
  {
    question: "How many columns does fct_orders have?",
    wording: "exact",
    cites: ["shop.marts.fct_orders"],
    states: [["16", "sixteen"]],
    because: [["count", { columnOf: "shop.marts.fct_orders" }, 16]],
  },
  {
    question: "How many columns do we have that are marked as personal data, pii I mean?",
    wording: "own words",
    cites: [],
    states: [["20", "twenty"]],
    because: [["count", { type: "column", tag: "pii" }, 20]],
  },
  {
    question: "how many models does analytics engineering own",
    wording: "near",
    cites: [],
    states: [["13", "thirteen"]],
    because: [["count", { type: "model", owner: "analytics-engineering@example.com" }, 13]],
  },
  {
    question: "How many models use dim_dates directly?",
    wording: "exact",
    cites: ["shop.marts.dim_dates"],
    states: [["5", "five"]],
    because: [["count", { uses: "shop.marts.dim_dates", type: "model" }, 5]],
  },
  {
    question: "How many models live here?",
    wording: "near",
    context: { workspace_area: "shop.marketing" },
    cites: [],
    states: [["4", "four"]],
    because: [["count", { type: "model", under: "shop.marketing." }, 4]],
  },
  {
    question: "How many of our figures have Ines Moreau's name on them? Metrics, I mean, that she owns.",
    wording: "own words",
    cites: [],
    states: [["5", "five"]],
    because: [["count", { type: "metric", owner: "ines.moreau@example.com" }, 5]],
  },
] as const satisfies readonly Answerable[];
