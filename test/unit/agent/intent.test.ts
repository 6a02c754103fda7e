/** What questions ask, whatever they are about: names stand in braces. */
import { describe, expect, it } from "vitest";

import type { NodeType } from "../../../src/catalog/asset.ts";
import { type Intent, readIntent } from "../../../src/agent/understand/intent.ts";
import { tokenize } from "../../../src/agent/understand/tokens.ts";

const ASKED: Record<Exclude<Intent, "find">, string[]> = {
  what: [
    "what is {net_revenue}?",
    "tell me about {fct_orders}",
    "{fct_orders}",
    "What's {AOV}",
    "what does the {Trading floor} show",
  ],
  owner: [
    "who owns {fct_orders}?",
    "Who's responsible for {net revenue}",
    "which team maintains {orders}",
    "who do I talk to about {refunds}",
  ],
  owned: ["what does P own?", "which tables does P own", "what is P responsible for"],
  upstream: [
    "what feeds {dim_customers}",
    "where does {net_revenue} come from?",
    "what does {fct_orders} depend on",
    "what is {fct_orders} built from",
    "which tables are used to compute {net_revenue}",
    "sources of {net_revenue}",
    "which models go into {net_revenue}?",
  ],
  downstream: [
    "what uses {fct_orders}?",
    "who uses {fct_orders}",
    "which dashboards depend on {fct_orders}",
    "where is {fct_orders} used",
    "what is downstream of {fct_orders}",
    "what does {Fivetran} load",
    "which certified metrics depend on {stg_payments}?",
  ],
  impact: [
    "what breaks if I drop {fct_orders}",
    "what happens if {amount} is renamed",
    "impact of deprecating {orders_wide}",
    "who should I tell if I drop {amount}?",
    "can I safely delete {orders_wide}",
  ],
  definition: [
    "how is {net_revenue} computed?",
    "definition of {net_revenue}",
    "what is the formula for {refund_rate}",
  ],
  certification: [
    "is {net_revenue} certified?",
    "who certified {net_revenue}",
    "why is {roas} pending",
    "can I trust {orders}",
  ],
  columns: ["what columns does {dim_customers} have", "list the columns of {fct_orders}", "schema of {fct_orders}"],
  where: ["where is {fct_orders}?", "where can I find {churn}"],
  count: ["how many models are there?", "how many tables does P own", "number of certified metrics"],
  list: [
    "which metrics are certified?",
    "list deprecated models",
    "which models have no owner",
    "what tables are tagged T",
    "what tags are there",
  ],
  freshness: [
    "how fresh is {fct_orders}?",
    "when was {fct_orders} last updated",
    "how did the last sync go?",
    "is the C connector healthy",
  ],
  path: ["path from {fx_rates} to {board}", "how does {fx_rates} get to {board}?", "how are {a} and {b} connected"],
  uses: ["does {board} use {refunds}?", "is {fct_orders} upstream of {board}", "does {refunds} feed {board}"],
  compare: ["compare {gross} and {net}", "what's the difference between {gross} and {net}?", "{gross} vs {net}"],
};

/** The words with `N` for each name, as the agent sees them. */
function toTemplate(question: string): string {
  const tokens = tokenize(question.replaceAll(/\{[^}]*\}/g, "N"));
  return tokens
    .filter(({ words }) => words.length > 0)
    .map(({ text, word }) => (/^[NPTC]$/.test(text) ? text : word))
    .join(" ");
}

describe("the intent of a question", () => {
  for (const [intent, questions] of Object.entries(ASKED)) {
    it.each(questions)(`is ${intent}: %s`, (question) => {
      const names = question.match(/\{/g) ?? [];
      const type: NodeType = intent === "what" ? "dashboard" : "model";
      expect(
        readIntent(
          toTemplate(question),
          names.map(() => ({ type })),
        ),
      ).toBe(intent);
    });
  }

  it("is where, when tables with a column are asked for", () => {
    expect(readIntent("which tables have a N", [{ type: "column" }])).toBe("where");
    expect(readIntent("which tables have a N", [{ type: "model" }])).not.toBe("where");
  });

  it("is none where nothing is named and nothing asked for", () => {
    expect(readIntent("hello there", [])).toBeNull();
    expect(readIntent("who owns", [])).toBeNull();
  });
});
