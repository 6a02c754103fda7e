/** Answers that were wrong once, over a small catalog that is made for them. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { toWorkspaceId } from "../../../src/ids.ts";
import { type AgentBench, openAgentBench } from "../../support/agent-bench.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";

const WORKSPACE = toWorkspaceId("mends");
let bench: AgentBench;

beforeAll(async () => {
  bench = await openAgentBench();
  const lines = nodeOf(WORKSPACE, "model", "shop.staging.stg_bill_line", { description: "Lines of bills." });
  const bills = nodeOf(WORKSPACE, "model", "shop.marts.bill_join", { tags: ["staging"] });
  const aging = nodeOf(WORKSPACE, "model", "shop.marts.ap_ar_enhanced", {
    description: "Annual average daily traffic.",
  });
  const yearly = nodeOf(WORKSPACE, "model", "shop.marts.yearly_traffic", {
    description: "Annual figures.",
    owner: "ana@example.com",
    ownerName: "Ana Silva",
  });
  const board = nodeOf(WORKSPACE, "dashboard", "bi.bills_board", { materialization: "dashboard" });
  const amount = columnOf(WORKSPACE, lines, "amount", 0, { dataType: "int" });
  const tax = nodeOf(WORKSPACE, "model", "shop.marts.stg_bill_tax", {});
  const built = nodeOf(WORKSPACE, "model", "shop.marts.built", {
    sql: `select 1 as one, ${"'x' as many, ".repeat(200)}1`,
  });
  const refunds = nodeOf(WORKSPACE, "table", "shop.land_stripe.refunds", {});
  const taxed = columnOf(WORKSPACE, tax, "bill_id", 0, {});
  const total = columnOf(WORKSPACE, bills, "total", 0, { dataType: "int" });
  const stamp = stampOf(WORKSPACE, "dbt", 1);
  await bench.graph.writeNodes(stamp, "all", [
    lines,
    bills,
    built,
    refunds,
    tax,
    taxed,
    aging,
    yearly,
    board,
    amount,
    total,
  ]);
  // The join reads the lines by `select *` and uses none of their columns for a value.
  await bench.graph.writeEdges(stamp, "all", [
    edgeOf(lines, bills, "derives"),
    edgeOf(bills, board, "derives"),
    edgeOf(amount, total, "derives", [{ kind: "INDIRECT", transformation: "FILTER", expression: "amount > 0" }]),
  ]);
});
afterAll(() => bench.close());

const ask = (question: string) => bench.ask(WORKSPACE, question);

it.each(["Is bill_join affected if stg_bill_line is dropped?", "Would bill_join break if we deleted stg_bill_line?"])(
  "what reads a dropped model is affected, whichever columns it uses: %s",
  async (question) => {
    const { answer, readAs } = await ask(question);
    expect(readAs).toBe("whether `bill_join` is affected by dropping `stg_bill_line`");
    expect(answer).toMatch(/^Yes\. /);
  },
);

it("a column that only decides others says so", async () => {
  const { answer } = await ask("what is amount in stg_bill_line?");
  expect(answer).toContain("By joins, filters and conditions, it decides the rows or values of `bill_join.total`.");
});

it("a tag and a schema of one name are both meant, until the words say which", async () => {
  expect((await ask("which models are in staging?")).answer).toContain("There are 2 models");
  expect((await ask("which models are tagged staging?")).answer).toContain("1 model tagged `staging`: `bill_join`");
  expect((await ask("which models are in the staging schema?")).answer).toContain("`stg_bill_line`");
});

it("a connector that is not there is named", async () => {
  const { answer } = await ask("when did the salesforce connector last sync?");
  expect(answer).toBe("There is no connector called `salesforce`.");
});

it("words such as average are no values of data where they describe an asset", async () => {
  const { answer } = await ask("which model has the annual average daily traffic?");
  expect(answer).not.toContain("metadata, not data");
});

it("a declined question names the words that were not understood", async () => {
  const { answer, confidence } = await ask("which models flibber bill_join?");
  expect(answer).toMatch(/^I did not understand `flibber` in this question.* you can ask who owns it/);
  expect(confidence).toBeLessThan(0.2);
});

it("a name of which nothing is found is named", async () => {
  const { answer } = await ask("what breaks if `amount` is renamed in bill_join?");
  expect(answer).toMatch(/^I did not understand `amount of bill_join` /);
});

it("the action of a question on a dropped model is about the model, and its REST call about the nearest change", async () => {
  const { suggestedActions } = await ask("what breaks if stg_bill_line is dropped?");
  expect(suggestedActions[0]).toMatchObject({
    type: "run_impact",
    params: { change_type: "column_drop" },
    changeType: "asset_drop",
  });
});

it("no columns behind another lack is what a table has not", async () => {
  const { readAs } = await ask("which tables have no owner and no columns and no description");
  expect(readAs).toBe("tables and models, without an owner, without columns, without a description");
});

it.each([
  ["models without an owner or a description", "models, without an owner, without a description"],
  ["models without an owner and description", "models, without an owner, without a description"],
  ["models that are not certified or deprecated", "models, not certified, not deprecated"],
])("a word that reaches over several conditions is read with each: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it.each([
  ["what is bill_join influenced by?", "assets upstream of `bill_join`"],
  ["which models influence bill_join?", "models upstream of `bill_join`"],
  ["what dependency does bill_join have?", "assets upstream of `bill_join`"],
  ["what are the dependencies of bill_join?", "assets upstream of `bill_join`"],
  ["which models have stg_bill_line as a dependency?", "models downstream of `stg_bill_line`"],
])("what an asset depends on lies upstream of it: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it.each([
  ["assets below stg_bill_line", "assets downstream of `stg_bill_line`"],
  ["which models are below stg_bill_line?", "models downstream of `stg_bill_line`"],
  ["what is above bill_join?", "assets upstream of `bill_join`"],
  ["assets above bill_join", "assets upstream of `bill_join`"],
  ["is bill_join below stg_bill_line", "whether `bill_join` is downstream of `stg_bill_line`"],
  ["models with below 3 columns", "models with at most 2 columns"],
  ["tables and models with columns above 3", null],
  ["models above 3 columns", "models with at least 4 columns"],
])("a name is above or below another by lineage, and a number by its amount: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it.each([
  ["does bill_join use stg_bill_line?", "whether `bill_join` is downstream of `stg_bill_line`"],
  [
    "does bill_join use stg_bill_line or yearly_traffic?",
    "whether `bill_join` is downstream of `stg_bill_line` or downstream of `yearly_traffic`",
  ],
])("a yes or no about use is about all lineage, of one asset or of several: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it.each([
  ["which models have one column?", "models with exactly 1 column"],
  ["which models have a single column?", "models with exactly 1 column"],
  [
    "which models use stg_bill_line or yearly_traffic but not built?",
    "models, directly downstream of `stg_bill_line` or directly downstream of `yearly_traffic`, not directly downstream of `built`",
  ],
  ["models that are not in staging or marts", "models, not tagged `staging` or in `staging`, not in `marts`"],
  ["models that are not tagged staging or in marts", "models, not tagged `staging`, not in `marts`"],
  ["models that are not certified or have no owner", "models not certified or without an owner"],
  [
    "which tables are owned by nobody and used by a dashboard?",
    "tables and models, without an owner, directly upstream of dashboards",
  ],
  ["what tables do I need for bill_join?", "tables and models directly upstream of `bill_join`"],
  ["which column of stg_bill_line must be unique?", "columns, of `stg_bill_line`, with a check `unique`"],
])("no word that says something is left out: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it.each([
  ["Can you tell me who owns bill_join at all?", "the owner of `bill_join`"],
  ["Who owns bill_join? Is it certified?", "the owner of `bill_join`; whether `bill_join` is certified"],
  ["Which models are untested, and who owns them?", "models without checks; the owner of models without checks"],
])("every sentence is a question: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it.each(["which checks fail upstream of bill_join?", "which tests are failing upstream of bill_join"])(
  "checks that fail are those of the assets that lie so: %s",
  async (question) => {
    const { answer, readAs } = await ask(question);
    expect(readAs).toBe("assets, with failing checks, upstream of `bill_join`");
    expect(answer).toBe("There are no assets, with failing checks, upstream of `bill_join`.");
  },
);

it("where something goes is told by what uses it", async () => {
  const { answer, readAs } = await ask("where does stg_bill_line go?");
  expect(readAs).toBe("the sources and uses of `stg_bill_line`");
  expect(answer).toContain("used by `bill_join`");
});

it.each([
  ["which dashboards are there?", "dashboards"],
  ["how many dashboards are there?", "the number of dashboards"],
  ["which models are incremental?", "incremental-materialized models"],
  ["which models use incremental materialization?", "incremental-materialized models"],
])("a word for a type is none of the ways in which sources build their assets: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it("which dashboards use a column is about all that lineage reaches", async () => {
  const { answer, readAs } = await ask("which dashboards use amount in stg_bill_line?");
  expect(readAs).toBe("dashboards downstream of `stg_bill_line.amount`");
  expect(answer).toContain("`bills_board`");
});

it("which models use a column is also about those that only filter by it", async () => {
  const { answer } = await ask("which models use amount in stg_bill_line?");
  expect(answer).toContain("`bill_join`");
});

it.each([
  ["how many columns are in stg_bill_line?", /^There is 1 column of `stg_bill_line`/],
  ["which models have a column called amount?", /^There is 1 model with columns called `amount`/],
])("columns are told with their tables, and tables with their columns: %s", async (question, told) => {
  expect((await ask(question)).answer).toMatch(told);
});

it("certified by somebody is not owned by them", async () => {
  const { readAs } = await ask("which models were certified by ana@example.com?");
  expect(readAs).toBe("models certified by `ana@example.com`");
  const { answer } = await ask("which models were certified by Ana Silva?");
  expect(answer).toMatch(/^I did not understand `Ana Silva`/);
});

it("what changed lately is not asked of data", async () => {
  const { answer } = await ask("which models changed in the last week?");
  expect(answer).toContain("What changed, and when, stands on the page Changes");
});

it("a tag that nobody has is on nothing", async () => {
  expect((await ask("anything tagged secretive?")).answer).toBe("There are no assets tagged `secretive`.");
});

it.each([
  ["Ignoring the models, which assets are unowned?", "Ignoring"],
  ["For the audit: which models have no owner?", "audit"],
  ["We may drop stg_bill_line for good reasons. What would break?", "reasons"],
  ["what reads stg_bill_line? just the names", "names"],
  ["which models are ephemral", "ephemral"],
  ["which models mention `annual traffic`", "mention"],
  ["which models have a name containing `ap ar`?", "ap ar"],
  ["how many models are certified, and how many deprecated", "how many"],
  ["which models except bill_join have tests", "except"],
  ["models excluding bill_join", "excluding"],
  ["is bill_join right?", "is"],
  ["can we keep bill_join?", "can"],
  ["which connectors failed?", "failed"],
  ["which models were certified first?", "first"],
  ["which columns are in bill_join but missing in stg_bill_line", "missing"],
  ["what do bill_join and stg_bill_line have in common", "common"],
  ["do bill_join and stg_bill_line share a source?", "share"],
  ["where is bill_join scheduled?", "scheduled"],
  ["where is bill_join ok?", "ok"],
  ["What feeds bill_join? Who owns it?", "it"],
  ["Who owns stg_bill_line? Which models use it? Who owns it?", "it"],
  ["how many models per schema", "per"],
  ["who owns the most models", "most"],
  ["the two models that most models read", "most"],
  ["what is within two hops downstream of stg_bill_line", "hops"],
  ["do more models read stg_bill_line than bill_join?", "more"],
  ["which tables are stale?", "stale"],
  ["bill_join vs stg_bill_line: which has more columns?", "more"],
  ["which tables should have an owner?", "should"],
  ["which models can be certified?", "can"],
  ["which models used to be certified?", "used to be"],
  ["why does bill_join have checks?", "why"],
  ["which models has Ana Silva certified?", "Ana Silva"],
  ["which tables have a column without a description?", "column"],
  ["is bill_join in marts and tagged staging?", "tagged"],
])("what the reader does not know is named: %s", async (question, word) => {
  const { answer, confidence } = await ask(question);
  expect(answer).toMatch(/^I did not understand /);
  expect(answer).toContain(`\`${word}\``);
  expect(confidence).toBeLessThan(0.2);
});

it.each([
  "Leaving stg_bill_line aside, which models have no owner?",
  "how many are views and how many tables",
  "how many unique tests are there?",
  "which models depend on every source?",
  "which model reads the stg_bill table?",
  "which amount models are unused",
  "how many seeds, sources and models are there",
  "which columns are in both bill_join and stg_bill_line",
  "which columns of bill_join are also in stg_bill_line",
  "which models have no tests and a description",
])("a question with a word that has no place is declined: %s", async (question) => {
  expect((await ask(question)).confidence).toBeLessThan(0.2);
});

it.each([
  ["What breaks if stg_bill_line is deprecated?", "what is affected by deprecating `stg_bill_line`"],
  ["Who must know before stg_bill_line is retired?", "whom to tell before deprecating `stg_bill_line`"],
  [
    "Is bill_join affected if stg_bill_line is deprecated?",
    "whether `bill_join` is affected by deprecating `stg_bill_line`",
  ],
  ["what if stg_bill_line is deprecated", "what is affected by deprecating `stg_bill_line`"],
  ["what if stg_bill_line is dropped?", "what is affected by dropping `stg_bill_line`"],
  ["who deprecated bill_join, and when?", "the certification of `bill_join`"],
  ["When was bill_join deprecated?", "the certification of `bill_join`"],
  ["which deprecated models use stg_bill_line?", "deprecated models directly downstream of `stg_bill_line`"],
  ["what breaks if stg_bill_line is dropped or renamed?", null],
])("to deprecate is a change where the question says if: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it("the SQL of an asset is told, and not more than fits", async () => {
  const { answer, readAs } = await ask("Show me the SQL of built");
  expect(readAs).toBe("the sql of `built`");
  expect(answer).toContain("`select 1 as one, 'x' as many, ");
  expect(answer.length).toBeLessThan(1_300);
  expect((await ask("what is the sql of stg_bill_line?")).answer).toContain(
    "The catalog holds no SQL of `stg_bill_line`.",
  );
});

it("a column that its table has not is not another's", async () => {
  const { answer, confidence } = await ask("what is bill.id?");
  expect(answer).toMatch(/^I did not understand `bill.id`/);
  expect(confidence).toBeLessThan(0.2);
});

it.each([
  "what uses bill_id of bill_join?",
  "does bills_board depend on bill_id in bill_join?",
  "models downstream of bill_id in bill_join",
])("a column that its table has not is told to be missing: %s", async (question) => {
  const { answer, confidence } = await ask(question);
  expect(answer).toMatch(/^`bill_join` has no column called `bill_id`\.$/);
  expect(confidence).toBeLessThan(0.2);
});

it.each([
  ["does bill_join depend on land_stripe refunds?", "whether `bill_join` is downstream of `refunds`"],
  ["who owns the land_stripe refunds?", "the owner of `refunds`"],
])("the words of a place may stand before a name: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it("every look-up waits for a turn", async () => {
  await ask(`who owns ${Array.from({ length: 60 }, (_, at) => `m0_${at}`).join(" ")}?`);
  expect(bench.costs.turns).toBeGreaterThan(bench.costs.operations.length + 120);
});

it("a schema is known that none of the first assets has", async () => {
  const large = toWorkspaceId("large");
  const tables = Array.from({ length: 205 }, (_, at) => nodeOf(large, "table", `shop.first.t_${at}`, {}));
  const last = nodeOf(large, "table", "shop.zz_ledger.entries", {});
  await bench.graph.writeNodes(stampOf(large, "dbt", 1), "all", [...tables, last]);
  const { answer } = await bench.ask(large, "which tables are in zz_ledger?");
  expect(answer).toBe("There is 1 table or model in `zz_ledger`: `entries`.");
  expect(bench.costs.operations).toContain("AgentSchemas");
  // To count schemas is dear: only a word that is nothing else asks for it.
  await bench.ask(large, "which tables are in first?");
  expect(bench.costs.operations).not.toContain("AgentSchemas");
});
