/** Where something is, how many there are, what columns it has, and how fresh the catalog is. */
import type { Answerable } from "../../question.ts";

export const finding = [
  {
    question: "where can i find tracking numbers",
    wording: "near",
    cites: [["shop.marts.fct_shipments.tracking_number", "shop.marts.fct_shipments"]],
    states: [["fct_shipments"]],
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
    question: "which tables have cost_centre",
    wording: "exact",
    cites: [
      ["shop.intermediate.int_ledger_in_eur.cost_centre", "shop.intermediate.int_ledger_in_eur"],
      ["shop.raw_erp.ledger_entries.cost_centre", "shop.raw_erp.ledger_entries"],
      ["shop.staging.stg_erp__ledger_entries.cost_centre", "shop.staging.stg_erp__ledger_entries"],
    ],
    states: [["int_ledger_in_eur"], ["ledger_entries"], ["stg_erp__ledger_entries"]],
    because: [
      [
        "all",
        { type: "column", name: "cost_centre" },
        [
          "shop.intermediate.int_ledger_in_eur.cost_centre",
          "shop.raw_erp.ledger_entries.cost_centre",
          "shop.staging.stg_erp__ledger_entries.cost_centre",
        ],
      ],
    ],
  },
  {
    question: "anything tagged ml?",
    wording: "exact",
    cites: ["shop.churn_model", "shop.marketing.churn_features"],
    states: [["churn_model", "Churn model"], ["churn_features"]],
    because: [["all", { tag: "ml" }, ["shop.churn_model", "shop.marketing.churn_features"]]],
  },
  {
    question: "Legal asks in which tables we keep people's telephone numbers.",
    wording: "own words",
    cites: [
      ["shop.marts.dim_customers.phone", "shop.marts.dim_customers"],
      ["shop.raw_shopify.customers.phone", "shop.raw_shopify.customers"],
    ],
    states: [["dim_customers"], ["customers"]],
    because: [
      ["says", "shop.marts.dim_customers.phone", "telephone number"],
      ["says", "shop.raw_shopify.customers.phone", "telephone number"],
    ],
  },
  {
    question: "what dashboards have we got here",
    wording: "own words",
    context: { tags: ["finance"] },
    cites: ["shop.board_revenue", "shop.month_end_close"],
    states: [
      ["board_revenue", "Board revenue report"],
      ["month_end_close", "Month-end close"],
    ],
    because: [["all", { type: "dashboard", tag: "finance" }, ["shop.board_revenue", "shop.month_end_close"]]],
  },
] as const satisfies readonly Answerable[];

export const counts = [
  {
    question: "how many models are tagged staging?",
    wording: "exact",
    cites: [],
    states: [["19", "nineteen"]],
    because: [["count", { type: "model", tag: "staging" }, 19]],
  },
  {
    question: "number of dashbords that ines owns",
    wording: "near",
    cites: [],
    states: [["2", "two"]],
    because: [["count", { type: "dashboard", owner: "ines.moreau@example.com" }, 2]],
  },
  {
    question: "How many tables do we pull in from Stripe?",
    wording: "own words",
    cites: [],
    states: [["4", "four"]],
    because: [["count", { type: "table", under: "shop.raw_stripe." }, 4]],
  },
] as const satisfies readonly Answerable[];

export const columns = [
  {
    question: "list the fields in fct_payout_reconciliation",
    wording: "exact",
    cites: ["shop.finance.fct_payout_reconciliation"],
    states: [["is_balanced"], ["paid_out"], ["expected_amount"]],
    because: [
      [
        "all",
        { columnOf: "shop.finance.fct_payout_reconciliation" },
        [
          "shop.finance.fct_payout_reconciliation.arrival_date",
          "shop.finance.fct_payout_reconciliation.currency",
          "shop.finance.fct_payout_reconciliation.difference",
          "shop.finance.fct_payout_reconciliation.expected_amount",
          "shop.finance.fct_payout_reconciliation.is_balanced",
          "shop.finance.fct_payout_reconciliation.month_start",
          "shop.finance.fct_payout_reconciliation.paid_out",
          "shop.finance.fct_payout_reconciliation.payout_id",
        ],
      ],
    ],
  },
  {
    question: "wat columns does the country codes seed have",
    wording: "near",
    cites: ["shop.seeds.country_codes"],
    states: [["country_name"], ["vat_rate"], ["is_eu"]],
    because: [
      [
        "all",
        { columnOf: "shop.seeds.country_codes" },
        [
          "shop.seeds.country_codes.country_code",
          "shop.seeds.country_codes.country_name",
          "shop.seeds.country_codes.is_eu",
          "shop.seeds.country_codes.region",
          "shop.seeds.country_codes.vat_rate",
        ],
      ],
    ],
  },
  {
    question: "data type of units_on_hand?",
    wording: "exact",
    cites: ["shop.marts.fct_stock_days.units_on_hand"],
    states: [["bigint"]],
    because: [["data type", "shop.marts.fct_stock_days.units_on_hand", "bigint"]],
  },
] as const satisfies readonly Answerable[];

export const syncs = [
  {
    question: "did the last load of the catalog go through ok",
    wording: "own words",
    cites: [],
    states: [["completed", "succeeded", "success", "successful", "successfully"]],
    because: [["sync", "status", "completed"]],
  },
  {
    question: "any errors in the latest sync?",
    wording: "near",
    cites: [],
    states: [["no", "0", "none", "without"]],
    because: [["sync", "errorsTotal", 0]],
  },
] as const satisfies readonly Answerable[];
