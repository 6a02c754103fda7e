/** How is it defined? */
import type { Answerable } from "../question.ts";

export const definitions = [
  {
    question: "How is net_revenue defined?",
    wording: "exact",
    cites: ["shop.net_revenue"],
    states: [
      ["gross_revenue", "gross revenue"],
      ["refunded_amount", "refunded amount", "refunds"],
    ],
    because: [["says", "shop.net_revenue", "gross_revenue - refunded_amount"]],
  },
  {
    question: "how do we calculate the average order value",
    wording: "near",
    cites: ["shop.average_order_value"],
    states: [
      ["gross_revenue_eur", "gross_revenue", "gross revenue"],
      ["count(*)", "order_count", "orders", "each order"],
    ],
    because: [["says", "shop.average_order_value", "sum(gross_revenue_eur) / count(*)"]],
  },
  {
    question: "How recently must somebody have bought to count as active?",
    wording: "own words",
    cites: ["shop.active_customers"],
    states: [["90 days", "ninety days"]],
    because: [["says", "shop.active_customers", "last 90 days"]],
  },
  {
    question: "formula of refund rate?",
    wording: "near",
    cites: ["shop.refund_rate"],
    states: [
      ["refunded_eur", "refunded_amount", "refunded amount"],
      ["gross_revenue_eur", "gross_revenue", "gross revenue"],
    ],
    because: [
      ["says", "shop.refund_rate", "sum(refunded_eur)"],
      ["says", "shop.refund_rate", "sum(gross_revenue_eur)"],
    ],
  },
  {
    question: "how is contribtion margin rate computd",
    wording: "near",
    cites: ["shop.contribution_margin_rate"],
    states: [
      ["contribution_margin_eur", "contribution_margin", "contribution margin"],
      ["net_revenue", "net revenue"],
    ],
    because: [["says", "shop.contribution_margin_rate", "sum(contribution_margin_eur) / net_revenue"]],
  },
  {
    question: "Which kind of revenue do we add up since January for the year to date?",
    wording: "own words",
    cites: ["shop.revenue_to_date"],
    states: [["gross_revenue_eur", "gross_revenue", "gross revenue"]],
    because: [["says", "shop.revenue_to_date", "Gross revenue since the first of January"]],
  },
  {
    question: "Show me the definition of first_response_time",
    wording: "exact",
    cites: ["shop.first_response_time"],
    states: [
      ["first_response_hours", "hours"],
      ["avg", "average", "mean"],
    ],
    because: [["says", "shop.first_response_time", "avg(first_response_hours)"]],
  },
  {
    question: "What is divided by what to get the ROAS?",
    wording: "own words",
    cites: ["shop.return_on_ad_spend"],
    states: [
      ["attributed_revenue_eur", "attributed_revenue", "attributed revenue", "attributed net revenue"],
      ["ad_spend_eur", "ad_spend", "ad spend"],
    ],
    because: [["says", "shop.return_on_ad_spend", "sum(attributed_revenue_eur) / sum(ad_spend_eur)"]],
  },
  {
    question: "How is operating_profit_eur in profit_and_loss_months worked out?",
    wording: "exact",
    cites: [["shop.finance.profit_and_loss_months.operating_profit_eur", "shop.finance.profit_and_loss_months"]],
    states: [["net_revenue_eur", "net revenue"]],
    because: [
      ["says", "shop.finance.profit_and_loss_months.operating_profit_eur", "Net revenue less all of the costs"],
      [
        "feeds",
        "shop.finance.order_margins.net_revenue_eur",
        "shop.finance.profit_and_loss_months.operating_profit_eur",
      ],
    ],
  },
  {
    question: "Do the refunds of cancelled orders go into the refunded amount?",
    wording: "near",
    cites: ["shop.refunded_amount"],
    states: [
      ["is_cancelled_order", "but for orders that were cancelled", "not", "no", "except", "excluded", "without"],
    ],
    because: [["says", "shop.refunded_amount", "but for orders that were cancelled"]],
  },
  {
    question: "By which rule is a parcel late?",
    wording: "own words",
    cites: [["shop.marts.fct_shipments.is_late", "shop.marts.fct_shipments", "shop.marts.orders_wide.is_late"]],
    states: [["promised_on", "promised"]],
    because: [["says", "shop.marts.fct_shipments", "> shipments.promised_on as is_late"]],
  },
] as const satisfies readonly Answerable[];
