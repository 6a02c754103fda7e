/** Questions whose answers were false, or that were read as something else than they ask. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Ask, citedBy, createAsk } from "../../support/agent.ts";
import { type RunningApp, startApp } from "../../support/app.ts";

let running: RunningApp;
let ask: Ask;

beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createAsk(running);
});
afterAll(() => running.close());

describe("a question", () => {
  it.each([
    ["fct_payments columns", "the columns of `fct_payments`"],
    ["columns fct_payments", "the columns of `fct_payments`"],
    ["what are fct_payments's columns?", "the columns of `fct_payments`"],
    ["net_revenue's owner", "the owner of `net_revenue`"],
    ["who ownes fct_odrers", "the owner of `fct_orders`"],
    ["fct_orders is owned by whom?", "the owner of `fct_orders`"],
    ["fct_orders feeds which dashboards?", "dashboards downstream of `fct_orders`"],
    ["dim_customers columns tagged pii", "columns, tagged `pii`, of `dim_customers`"],
    ["is it true that net_revenue is certified?", "whether `net_revenue` is certified"],
    ["Could you please tell me who owns fct_orders?", "the owner of `fct_orders`"],
    [
      "how many models are there and how many of them are certified?",
      "the number of models; the number of certified models",
    ],
  ])("is read as it is meant: %s", async (question, reading) => {
    expect((await ask(question)).readAs).toBe(reading);
  });

  it("has its third sentence about the same thing as its first", async () => {
    const { readAs } = await ask("What is net_revenue? Who owns it? Is it certified?");
    expect(readAs).toBe(
      "what is known of `net_revenue`; the owner of `net_revenue`; whether `net_revenue` is certified",
    );
  });

  it.each(["is orders_wide used?", "does anyone use orders_wide?"])("turns no relation round: %s", async (question) => {
    expect((await ask(question)).readAs).toMatch(/ downstream of `orders_wide`$|`orders_wide` is used by something$/);
  });

  it.each([
    "what is the salary of ines moreau",
    "which tables do we load from shopify",
    "which columns feed net_revenue",
    "which columns of fct_orders are used by gross_revenue",
    "boolean columns of fct_orders",
    "which tables would be affected by dropping tables without an owner",
  ])("is not answered with a no that is false: %s", async (question) => {
    expect((await ask(question)).answer).not.toMatch(/^(?:No\. No|There are no)|No\. No /);
  });

  it("for what uses a column tells the reports that read its table", async () => {
    const answered = await ask("which dashboards and pipelines use churn_features.refund_share");
    expect(citedBy(answered)).toContain("Churn model");
  });

  it("about what a clause describes is not about the name within it", async () => {
    const { readAs } = await ask("The model which reads raw_stripe.charges isn't certified; what relies on it?");
    expect(readAs).toContain("downstream of (models, directly downstream of `charges`, not certified)");
  });

  it("with no direct neighbour is told what lies farther", async () => {
    const answered = await ask("which certified models use raw_stripe.charges");
    expect(citedBy(answered).concat(answered.answer).join(" ")).toContain("fct_payments");
  });

  it.each([
    "is gross_revenue better than net_revenue",
    "what's the best dashboard?",
    "do you like fct_orders?",
    "who viewed the trading floor",
    "run the sync",
  ])("that no catalog can answer is declined: %s", async (question) => {
    expect((await ask(question)).confidence).toBeLessThan(0.2);
  });

  it.each([
    "who flibbers fct_orders, any dashboards?",
    "which flibbers run on fct_orders, anything?",
    "the flibbers of fct_orders, which models?",
  ])("is not answered by its end alone, where its beginning names or asks something: %s", async (question) => {
    expect((await ask(question)).readAs).toBeNull();
  });

  it.each([
    "hey folks, growth team here: which dashboards do we own?",
    "can order_id be null in fct_orders",
    "which store sold the most sandwiches yesterday",
    "we changed fct_orders and dim_customers. what depends on it?",
    "which dashboards, of the certified metrics?",
  ])("that would be answered by a part of it is declined: %s", async (question) => {
    expect((await ask(question)).readAs).toBeNull();
  });

  it("may be about a column or a tag that is called a secret", async () => {
    expect((await ask("which columns are named password")).answer).toBe("There are no columns called `password`.");
  });
});
