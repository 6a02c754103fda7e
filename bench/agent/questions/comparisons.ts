/** How do two metrics differ? */
import type { Answerable } from "../question.ts";

export const comparisons = [
  {
    question: "What is the difference between gross_revenue and net_revenue?",
    wording: "exact",
    cites: ["shop.gross_revenue", "shop.net_revenue"],
    states: [["refunds", "refunded_amount", "refunded amount"]],
    because: [
      ["says", "shop.gross_revenue", "before refunds"],
      ["says", "shop.net_revenue", "Gross revenue less refunds"],
    ],
  },
  {
    question: "compare contribution margin to contribution margin rate",
    wording: "near",
    cites: ["shop.contribution_margin", "shop.contribution_margin_rate"],
    states: [["net_revenue", "net revenue"]],
    because: [["says", "shop.contribution_margin_rate", "/ net_revenue"]],
  },
  {
    question: "Attributed revenue vs net revenue: are these the same thing?",
    wording: "near",
    cites: ["shop.attributed_revenue", "shop.net_revenue"],
    states: [
      ["channel", "attributed_revenue_eur"],
      ["refunded_amount", "refunds", "refunded amount"],
    ],
    because: [
      ["says", "shop.attributed_revenue", "that a marketing channel is credited with"],
      ["says", "shop.net_revenue", "gross_revenue - refunded_amount"],
    ],
  },
  {
    question: "refunded_amount or refund_rate, what's the difference",
    wording: "exact",
    cites: ["shop.refunded_amount", "shop.refund_rate"],
    states: [["gross_revenue", "gross revenue", "gross_revenue_eur"]],
    because: [["says", "shop.refund_rate", "Part of the gross revenue that goes back"]],
  },
  {
    question: "How is counting first-time buyers' orders different from counting all orders?",
    wording: "own words",
    cites: ["shop.new_customer_orders", "shop.order_count"],
    states: [["first orders", "first order", "is_first_order"]],
    because: [
      ["says", "shop.new_customer_orders", "Number of first orders"],
      ["says", "shop.order_count", "Number of orders that were not cancelled"],
    ],
  },
] as const satisfies readonly Answerable[];
