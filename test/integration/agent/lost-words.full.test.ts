/** Words that change what is asked: an answer must show each of them in how it was read, or the question is declined. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Ask, createAsk } from "../../support/agent.ts";
import { type RunningApp, startApp } from "../../support/app.ts";

let running: RunningApp;
let ask: Ask;

beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createAsk(running);
});
afterAll(() => running.close());

describe("a question is declined rather than answered without", () => {
  it.each([
    // negations
    "Isn't net_revenue certified?",
    "Aren't all metrics certified?",
    "Are no metrics certified?",
    "Does no model use dim_dates?",
    "Does nothing break if I drop fct_orders?",
    "Will nothing break if I drop fct_orders?",
    "Does dropping fct_orders break nothing?",
    "Is nothing downstream of orders_wide?",
    "Is it not safe to drop fct_orders?",
    "Are there no dashboards?",
    "Isn't there a dashboard without an owner?",
    // quantifiers
    "Which models feed all dashboards?",
    "Which models use all seeds?",
    "Which dashboards use every mart?",
    "Does net_revenue depend on all sources?",
    "Is fct_orders used by all dashboards?",
    "Does fct_orders feed each dashboard?",
    "Are both dashboards certified?",
    "Is fct_orders used by everybody?",
    "Which models are almost certified?",
    "Is the entire staging layer tested?",
    // numbers
    "Which models are used by two models?",
    "Is fct_orders used by two dashboards?",
    "Are there 5 metrics?",
    "Do 3 dashboards use fct_orders?",
    // what else limits
    "Are only metrics certified?",
    "Which metrics were ever certified?",
    "Which models are certified unless tested?",
    "Which metrics are certified twice?",
    "Which model is used second most?",
    // dates that are none
    "Which metrics were certified before 2025-13-01?",
    "Which metrics were certified before 2025-02-30?",
    "Which metrics were certified on 2025-02-30?",
  ])("a word of it: %s", async (question) => {
    const { confidence, readAs } = await ask(question);
    expect([readAs, confidence < 0.2]).toEqual([null, true]);
  });
});

describe("a question is answered with all that it says", () => {
  it.each([
    ["Is every model tested?", /^No\. 35 of 51 models/],
    ["Are all marts tables?", /^(?:I |Yes\. All|No\. \d+ of)/],
    ["Does Jonas own all dashboards?", /^No\. 5 of 6 dashboards are not owned by/],
    [
      "Is everything downstream of fct_orders certified?",
      /^No\. \d+ of \d+ assets downstream of `fct_orders` are not certified/,
    ],
    ["Is net_revenue not certified?", /^No\. `net_revenue` is certified/],
    ["Does net_revenue not depend on fct_orders?", /^No\. `net_revenue` is downstream of `fct_orders`/],
    ["what else uses fct_orders besides gross_revenue?", /^(?:I |(?!.*`gross_revenue`[ ,)]))/],
    [
      "how many certified and pending metrics are there?",
      /^There are 15 (?:certified or pending|pending or certified) metrics/,
    ],
    ["which metrics have a certification?", /^There are 13 metrics with certification/],
    ["Is fct_orders a view or a table?", /^`fct_orders` is materialized as `table`/],
  ])("%s", async (question, answer) => {
    expect((await ask(question)).answer).toMatch(answer);
  });
});

describe("a day", () => {
  it.each([
    ["Which metrics were certified since 2025-09-01?", "certified metrics certified from 2025-09-01"],
    ["Which metrics were certified after 2025-09-01?", "certified metrics certified from 2025-09-02"],
    ["Which metrics were certified after January 2026?", "certified metrics certified from 2026-02-01"],
    ["Which metrics were certified later than 2025?", "certified metrics certified from 2026-01-01"],
    ["Which metrics were certified before 2026-01-31?", "certified metrics certified to 2026-01-30"],
    ["Which metrics were certified until 2026-01-31?", "certified metrics certified to 2026-01-31"],
    ["Which metrics were certified until February 2024?", "certified metrics certified to 2024-02-29"],
    ["Which metrics were certified in February 2026?", "certified metrics certified from 2026-02-01 to 2026-02-28"],
    ["Which models were not updated after 2025?", "models not updated from 2026-01-01"],
    ["Which models were not updated since 2025?", "models not updated from 2025-01-01"],
  ])("begins and ends what is asked as people say it: %s", async (question, reading) => {
    expect((await ask(question)).readAs).toBe(reading);
  });
});

describe("columns", () => {
  it.each([
    ["Who owns raw_stripe.refunds.amount?", "the owner of `refunds.amount`"],
    ["Who owns refunds.amount?", "the owner of `refunds.amount`"],
    ["Who owns stripe.refunds.amount?", "the owner of `refunds.amount`"],
    [
      "Which models have order_id but not customer_id?",
      "models, with columns called `order_id`, without columns called `customer_id`",
    ],
    [
      "Which models have both order_id and customer_id?",
      "models, with columns called `order_id`, with columns called `customer_id`",
    ],
    [
      "columns of fct_orders not from Shopify",
      "columns, of `fct_orders`, not in `raw_shopify`, not downstream of tables and models in `raw_shopify`",
    ],
    ["which columns are timestamps?", "columns of type `timestamp` or `datetime`"],
  ])("are those that are meant: %s", async (question, reading) => {
    expect((await ask(question)).readAs).toBe(reading);
  });
});

it("an asset that has exactly the name comes before one that people see called so", async () => {
  expect((await ask("what depends on orders?")).answer).toMatch(/downstream of `orders`.*`shop\.order_count`/s);
});
