/** How fresh is it, and how did the last sync go? */
import type { Answerable } from "../question.ts";

export const syncs = [
  {
    question: "How did the last sync go?",
    wording: "exact",
    cites: [],
    states: [["completed", "succeeded", "successful", "successfully"]],
    because: [["sync", "status", "completed"]],
  },
  {
    question: "Did anything go wrong when the catalog was last filled?",
    wording: "own words",
    cites: [],
    states: [
      [
        "no",
        "no errors",
        "0 errors",
        "no error",
        "nothing",
        "without errors",
        "without an error",
        "none",
        "error-free",
      ],
    ],
    because: [["sync", "errorsTotal", 0]],
  },
  {
    question: "How many assets did the shop connector discover in its latest run?",
    wording: "exact",
    cites: [],
    states: [["697"]],
    because: [["sync", "assetsDiscovered", 697]],
  },
  {
    question: "Is what I see in here up to date?",
    wording: "own words",
    cites: [],
    states: [["completed", "synced", "sync", "crawled", "crawl", "succeeded"]],
    because: [["sync", "status", "completed"]],
  },
  {
    question: "how fresh is fct revenue days",
    wording: "near",
    cites: ["shop.finance.fct_revenue_days"],
    states: [["synced", "sync", "crawled", "crawl", "updated", "changed", "refreshed", "seen"]],
    because: [["sync", "status", "completed"]],
  },
  {
    question: "how is the dbt connector doing?",
    wording: "near",
    cites: [],
    states: [["healthy"]],
    because: [["connector", "health", "healthy"]],
  },
  {
    question: "Does the dbt connector run by itself every night?",
    wording: "own words",
    cites: [],
    states: [["no", "not", "only when", "manually", "unscheduled", "without a schedule"]],
    because: [["connector", "schedule", null]],
  },
] as const satisfies readonly Answerable[];
