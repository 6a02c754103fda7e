/** What the agent answers over the sample: the words, the numbers and the citations. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Answered, type Ask, citedBy, createAsk } from "../../support/agent.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";

let running: RunningApp;
let ask: Ask;

beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createAsk(running);
});
afterAll(() => running.close());

/** Asked, and read with some sureness. */
async function askFor(question: string): Promise<Answered> {
  const answered = await ask(question);
  expect(answered).toMatchObject({ engine: "catalog", note: null });
  expect(answered.confidence).toBeGreaterThan(0.5);
  return answered;
}

interface Case {
  question: string;
  /** What the answer must say. */
  says: RegExp;
  /** All that it must cite; others may be cited too. */
  cites?: readonly string[];
}

/** Asks each, and looks at what is said and cited. */
function answers(cases: readonly Case[]): void {
  it.each(cases)("is right: $question", async ({ question, says, cites = [] }) => {
    const answered = await askFor(question);
    expect(answered.answer).toMatch(says);
    expect(citedBy(answered)).toEqual(expect.arrayContaining([...cites]));
  });
}

describe("a question that can be answered by yes or no", () => {
  it.each([
    ["Yes.", "is net_revenue certified?"],
    ["No.", "is contribution_margin_rate certified?"],
    ["Yes.", "does ad_spend depend on refunds"],
    ["No.", "does raw_zendesk.tickets reach the board revenue report?"],
    ["No.", "is fct_orders a view?"],
    ["No.", "are all metrics certified?"],
    ["Yes.", "do all dashboards have an owner?"],
    ["No.", "Is there any dashboard without an owner?"],
    ["Yes.", "are there any deprecated models?"],
    ["Yes.", "do any dashboards read from deprecated models"],
    ["No.", "is anything owned by priya nair deprecated?"],
    ["No.", "is fct_orders tagged finance"],
    ["Yes.", "does fct_orders have an owner"],
    ["Yes.", "does anything depend on orders_wide?"],
    ["No.", "can I safely drop orders_wide"],
    ["Yes.", "what happens to the trading floor if stg_shopify__orders is removed"],
  ])("is answered by %s before anything else: %s", async (word, question) => {
    expect((await askFor(question)).answer.startsWith(`${word} `)).toBe(true);
  });

  answers([
    {
      question: "does ad_spend depend on refunds",
      says: /The path: `refunds` → .* → `ad_spend`\./,
      cites: ["refunds", "fct_channel_days", "ad_spend"],
    },
    {
      question: "is fct_orders a view?",
      says: /^No\. `fct_orders` is materialized as `table`\./,
      cites: ["fct_orders"],
    },
    {
      question: "are all metrics certified?",
      says: /^No\. 2 of 15 metrics are not certified: `contribution_margin_rate` and `return_on_ad_spend`\.$/,
      cites: ["contribution_margin_rate", "return_on_ad_spend"],
    },
    { question: "do all dashboards have an owner?", says: /^Yes\. All 6 dashboards/, cites: ["Trading floor"] },
  ]);
});

describe("a count", () => {
  answers([
    { question: "how many models are there?", says: /^There are 51 models\.$/ },
    { question: "how many columns does fct_orders have?", says: /^There are 16 columns/, cites: ["fct_orders"] },
    { question: "how many columns are of type date", says: /^There are 57 columns/ },
    { question: "how many metrics are certified?", says: /^There are 13 certified metrics: /, cites: ["net_revenue"] },
    {
      question: "how many assets does ines moreau own?",
      says: /^There are 14 assets and 5 metrics \(19 in all\) owned by `ines\.moreau@example\.com` or `Ines Moreau`: 5 metrics \(/,
    },
    { question: "how many assets are upstream of the month-end close", says: /^There are 27 assets/ },
    {
      question: "how many tests do fct_orders and fct_refunds have together?",
      says: / Together they have 4 checks\.$/,
      cites: ["fct_orders", "fct_refunds"],
    },
    {
      question: "which raw column does email in crm_contacts originally come from",
      says: /^There is 1 column, .*: `customers\.email`\.$/,
    },
  ]);
});

describe("a list", () => {
  it.each([
    ["which metrics are not certified?", ["contribution_margin_rate", "return_on_ad_spend"]],
    ["Which seeds are there", ["country_codes", "fx_rates", "utm_channels"]],
    ["list pipelines", ["Airbyte", "CRM sync", "Churn model", "Fivetran", "Snowplow"]],
    ["tables in raw_stripe", ["charges", "disputes", "payouts", "refunds"]],
    ["which models have more than 15 columns", ["fct_orders"]],
    ["which models are owned by priya nair?", ["crm_contacts", "dim_customers", "fct_support_tickets"]],
    ["which columns are named email", ["crm_contacts", "customers", "dim_customers", "stg_shopify__customers"]],
  ])("is complete, and cites what it names: %s", async (question, names) => {
    const answered = await askFor(question);
    const cited = citedBy(answered).map((name) => name.replace(/\.email$/, ""));
    expect(cited.toSorted()).toEqual(names);
    for (const name of citedBy(answered)) expect(answered.answer).toContain(`\`${name}\``);
    expect(answered.answer).not.toContain(" more");
  });

  it("of nothing says that there is none, and cites what it is about", async () => {
    const answered = await askFor("which dashboards have no owner but depend on fct_orders?");
    expect(answered.answer).toBe("There are no dashboards, without an owner, downstream of `fct_orders`.");
    expect(citedBy(answered)).toEqual(["fct_orders"]);
  });

  it("of direct neighbours tells what lies farther", async () => {
    const { answer } = await askFor("what uses fx_rates?");
    expect(answer).toMatch(/^There is 1 asset directly downstream of `fx_rates`: `int_fx_rates_daily`\. Farther away /);
    expect(answer).toMatch(/Farther away are 51: 15 metrics .*, 6 dashboards .*, 2 pipelines .* and 28 models /);
  });

  it("cites each asset once and thirty at most, and says that there are more", async () => {
    const { answer, citations } = await askFor("which assets depend on fx_rates?");
    const ids = citations.map(({ assetId }) => assetId);
    expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
    expect(answer).toMatch(
      /^There are 37 assets and 15 metrics \(52 in all\) downstream .* This is about at least 5[0-9] assets, of which 30 are cited\.$/,
    );
  });
});

describe("what is said of an asset", () => {
  answers([
    { question: "who owns fct_stock_days", says: /^`fct_stock_days` is owned by “Warehouse crew”\.$/ },
    {
      question: "who owns dim_customers.email",
      says: /is owned by priya\.nair@example\.com, through `dim_customers`\.$/,
      cites: ["dim_customers.email"],
    },
    {
      question: "what's the SQL definition of refund_rate",
      says: /^`refund_rate` is computed as `sum\(refunded_eur\) filter .*` by `day`\..* made from `gross_revenue` and `refunded_amount`\.$/,
      cites: ["refund_rate", "gross_revenue", "refunded_amount"],
    },
    {
      question: "when was net_revenue certified and by whom",
      says: /^`net_revenue` is certified by ines\.moreau@example\.com on 2025-09-01\.$/,
      cites: ["net_revenue"],
    },
    {
      question: "show the audit trail of net_revenue",
      says: /Its trail: 2025-09-01: .*ines\.moreau@example\.com, “Stated by connector shop”/,
    },
    {
      question: "what are the columns of country_codes",
      says: /^`country_codes` has 5 columns: `country_code` \(text\), .* and `vat_rate` \(numeric\(5,4\)\)\.$/,
    },
    { question: "What data type is status in dim_products?", says: /is a column of type `text`, / },
    { question: "what data type is fct_orders.order_id", says: /is a column of type `bigint`, / },
    { question: "what is the grain of average order value", says: /: `day`\.$/, cites: ["average_order_value"] },
    { question: "what is the materialization of fct_orders", says: /is materialized as `table`\.$/ },
    { question: "what checks does fct_orders have?", says: /has 2 checks: `not_null_fct_orders_order_id`/ },
    { question: "when was fct_orders last updated", says: /When its data last changed is not in the catalog\.$/ },
  ]);

  it("quotes what a person wrote", async () => {
    const { answer } = await askFor("tell me about the churn model");
    expect(answer).toContain(
      "It is described as: “Trained each Sunday; its scores decide who gets a voucher”. `Churn model` is owned by data-science@example.com (“Data Science”).",
    );
  });
});

describe("lineage, paths and changes", () => {
  answers([
    {
      question: "path from fx_rates to net_revenue",
      says: /^`fx_rates` → `int_fx_rates_daily` → .* → `net_revenue`, 5 hops\.$/,
      cites: ["fx_rates", "int_fx_rates_daily", "net_revenue"],
    },
    {
      question: "path from net_revenue to fx_rates",
      says: /^Data goes from `fx_rates` to `net_revenue`: .*, 5 hops\.$/,
    },
    {
      question: "path from raw_zendesk.tickets to net_revenue",
      says: /^There is no path: the catalog knows of no lineage between `tickets` and `net_revenue`\.$/,
      cites: ["tickets", "net_revenue"],
    },
    {
      question: "which metrics would be affected by dropping fct_refunds",
      says: /^If `fct_refunds` is dropped, .* Among them: 4 metrics \(/,
      cites: ["refunded_amount", "net_revenue", "refund_rate", "contribution_margin_rate"],
    },
    {
      question: "what breaks if I drop fct_refunds?",
      says: /^If `fct_refunds` is dropped, 8 assets and metrics are affected, with 16 columns: 7 at high risk and 1 at medium risk\..*The owners to tell, /,
      cites: ["fct_refunds", "net_revenue", "Board revenue report"],
    },
    {
      question: "Can net_revenue be trusted?",
      says: /^Yes\. .*But checks fail on what feeds it: `fct_refunds`/,
      cites: ["net_revenue", "fct_refunds"],
    },
    {
      question: "which dashboards use stg_shopify__orders",
      says: /^There are \d+ dashboards downstream of `stg_shopify__orders`: /,
    },
    {
      question: "how many metrics use stg_shopify__orders",
      says: /Counting those farther away, there are \d+\.$/,
    },
    {
      question: "which assets directly use fx_rates",
      says: /^There is 1 asset directly downstream of `fx_rates`: `int_fx_rates_daily`\.$/,
    },
    { question: "net revenue looks wrong today", says: /^Since .* Checks fail on what feeds it: `fct_refunds`/ },
    {
      question: "where is customer email used?",
      says: /`orders_wide\.customer_email`.*`dim_customers\.email`.* could be meant as well\.$/,
      cites: ["orders_wide.customer_email"],
    },
    {
      question: "who should I tell before dropping dim_customers.email",
      says: /^The owners to tell, .*priya\.nair@example\.com \(4\)/,
      cites: ["dim_customers.email"],
    },
    {
      question: "compare net_revenue and gross_revenue",
      says: /`gross_revenue - refunded_amount`.*`sum\(gross_revenue_eur\)`.*Both come from \d+ common sources/,
      cites: ["net_revenue", "gross_revenue"],
    },
  ]);
});

describe("an order", () => {
  answers([
    {
      question: "top 3 models by number of columns",
      says: /: `fct_orders` \(16\), `stg_shopify__orders` \(15\) and `int_orders_in_eur` \(14\)\.$/,
      cites: ["fct_orders", "stg_shopify__orders", "int_orders_in_eur"],
    },
    { question: "what is the most used model", says: /: `fct_orders` \(12\)\.$/, cites: ["fct_orders"] },
    { question: "which model has the fewest columns?", says: /: `int_date_spine` \(1\)\.$/ },
  ]);
});

describe("several questions in one", () => {
  answers([
    {
      question: "When was fct_orders last updated? Who owns fct_orders?",
      says: /^What the catalog shows of `fct_orders` last changed at .* `fct_orders` is owned by /,
    },
    {
      question: "When was net_revenue certified? What does it depend on?",
      says: /^`net_revenue` is certified by .* upstream of `net_revenue`/,
    },
    {
      question: "Who owns dim_products and what columns does it have?",
      says: /^`dim_products` is owned by commerce-analytics@example\.com.* `dim_products` has 12 columns: /,
    },
    {
      question: "Which metrics are pending? Who owns them?",
      says: /^There are 2 pending metrics: .* by owner: finance-data@example\.com .* and jonas\.weber@example\.com /,
      cites: ["contribution_margin_rate", "return_on_ad_spend"],
    },
    {
      question: "Who owns net_revenue? Is it certified?",
      says: /^`net_revenue` is owned by ines\.moreau@example\.com\. Yes\. `net_revenue` is certified by /,
    },
  ]);
});

describe("checks", () => {
  answers([
    // The unit test of another model needs a model without testing it.
    {
      question: "which checks are failing right now",
      says: / Failing: `unique_fct_refunds_refund_id`\.$/,
      cites: ["fct_refunds"],
    },
    {
      question: "are any checks failing, and on which model?",
      says: /^Yes\. .* Failing: `unique_fct_refunds_refund_id`\.$/,
    },
    {
      question: "which models are not tested for uniqueness?",
      says: /^There are 35 models without a check `unique`: /,
    },
    { question: "which models are untested for uniqueness?", says: /^There are 35 models without a check `unique`: / },
    { question: "which models are tested for uniqueness?", says: /^There are 16 models with a check `unique`: / },
    { question: "is fct_orders tested for nulls?", says: /^Yes\. `fct_orders` has 2 checks: / },
    { question: "what tests do we run on fct_orders", says: /^`fct_orders` has 2 checks: / },
  ]);
});

describe("a question in the words of people at work", () => {
  answers([
    { question: "whose models are untested?", says: / by owner: / },
    { question: "is there a column vat_rate anywhere?", says: /^Yes\. `country_codes\.vat_rate` is a column of type / },
    { question: "Has dim_dates got an owner?", says: /^Yes\. `dim_dates` is owned by / },
    { question: "Which connector does fct_orders come from?", says: /, known from `shop`\.$/ },
    { question: "which schema is fct_orders built into", says: /, in `shop\.marts`, / },
    { question: "which tables come in through Snowplow", says: /: `page_views`\.$/, cites: ["page_views"] },
    {
      question: "What is dim_dates, according to its description?",
      says: /^`dim_dates` is described as: “The calendar\./,
    },
    {
      question: "How do page_views get to fct_orders? Show me the path.",
      says: /^`page_views` → .* → `fct_orders`, 4 hops\.$/,
    },
    {
      question: "Which dashboards depend on fct_order_lines, however far down?",
      says: /^There are 4 dashboards downstream of /,
    },
    {
      question: "I'd like to rename dim_customers.email - which models would fail?",
      says: /^If `dim_customers\.email` is renamed, 8 /,
    },
    {
      question: "fct_refunds gets dropped - which models are affected downstream?",
      says: /^If `fct_refunds` is dropped, 8 /,
    },
    { question: "We want to drop fct_support_tickets. Who do I have to talk to first?", says: /^The owners to tell, / },
  ]);
});

describe("connectors", () => {
  answers([
    {
      question: "how many connectors are there?",
      says: /^There is 1 connector\. The connector `shop`, of type `dbt`,/,
    },
    {
      question: "how did the last sync go?",
      says: /`shop`, of type `dbt`, is healthy\. Its last sync completed at .* with no errors: it discovered 697 assets\./,
    },
  ]);
});

describe("a comparison of two relations", () => {
  answers([
    {
      question: "compare stg_google_ads__campaign_days and stg_meta_ads__campaign_days",
      says: /Both have the same columns\./,
    },
  ]);
});

describe("a question that only a language model reads", () => {
  it.each([
    ["how many models sit between raw_shopify.orders and the board revenue report", "between"],
    ["which column is in fct_orders but missing in int_orders_in_eur?", "missing"],
  ])("is declined, and the answer leads to what it names: %s", async (question, word) => {
    const { answer, confidence } = await ask(question);
    expect(confidence).toBeLessThan(0.2);
    expect(answer).toMatch(new RegExp(`^I did not understand .*\`${word}\` .* The catalog has \``));
  });
});

it("A step of a trail is told if nobody gave a reason for it", async () => {
  const graphql = createGraphqlClient(running);
  const [id = ""] = (await ask("who owns return_on_ad_spend")).citations.map(({ assetId }) => assetId);
  await graphql("mutation ($id: ID!) { certifyMetric(input: { id: $id }) { metric { id } } }", { id });
  expect((await askFor("show the audit trail of return_on_ad_spend")).answer).toMatch(/: certify by [^,;]+\.$/);
});
