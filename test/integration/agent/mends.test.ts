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
  const yearly = nodeOf(WORKSPACE, "model", "shop.marts.yearly_traffic", { description: "Annual figures." });
  const amount = columnOf(WORKSPACE, lines, "amount", 0, { dataType: "int" });
  const tax = nodeOf(WORKSPACE, "model", "shop.marts.stg_bill_tax", {});
  const total = columnOf(WORKSPACE, bills, "total", 0, { dataType: "int" });
  const stamp = stampOf(WORKSPACE, "dbt", 1);
  await bench.graph.writeNodes(stamp, "all", [lines, bills, tax, aging, yearly, amount, total]);
  // The join reads the lines by `select *` and uses none of their columns for a value.
  await bench.graph.writeEdges(stamp, "all", [
    edgeOf(lines, bills, "derives"),
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

it("a text that is looked for must have every word", async () => {
  const { answer, readAs } = await ask("which models mention `annual traffic`");
  expect(readAs).toBe("models that match “annual traffic”");
  expect(answer).toBe("There are 2 models that match “annual traffic”: `ap_ar_enhanced` and `yearly_traffic`.");
  expect((await ask("which models mention `annual average`")).answer).toContain("1 model");
});

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
  expect((await ask("when did the salesforce connector last sync?")).answer).toBe(
    "There is no connector called `salesforce`. There are no connectors.",
  );
});

it("part of a name may be said as words", async () => {
  expect((await ask("which models have a name containing `ap ar`?")).answer).toContain("`ap_ar_enhanced`");
});

it("words such as average are no values of data where they describe an asset", async () => {
  expect((await ask("which models mention `annual average daily traffic`?")).answer).toContain("`ap_ar_enhanced`");
  const { answer } = await ask("which model has the annual average daily traffic?");
  expect(answer).not.toContain("metadata, not data");
});

it("a declined question names the words that were not understood", async () => {
  const { answer, confidence } = await ask("which models flibber bill_join?");
  expect(answer).toMatch(/^I did not understand `flibber` in this question.* you can ask who owns it/);
  expect(confidence).toBeLessThan(0.2);
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
  [
    "how many are views and how many tables",
    "the number of view-materialized assets; the number of table-materialized assets",
  ],
  [
    "which bill staging models are unused",
    "models, with `bill` in the name, tagged `staging` or in `staging`, used by nothing",
  ],
])("a word that reaches over several conditions is read with each: %s", async (question, reading) => {
  expect((await ask(question)).readAs).toBe(reading);
});

it.each([
  ["For the audit next week: which models have no owner?", "models without an owner"],
  ["We may drop stg_bill_line for good reasons. What would break?", "what is affected by dropping `stg_bill_line`"],
  ["Legal wants to know who owns bill_join", "the owner of `bill_join`"],
  ["I lost track of bill_join, who owns it?", "the owner of `bill_join`"],
  ["what reads stg_bill_line? just the names", "assets directly downstream of `stg_bill_line`"],
  ["bill_join vs stg_bill_line: which has more columns?", "by columns: `bill_join` and `stg_bill_line`"],
  ["Ignoring the models, which assets are unowned?", "assets, not among models, without an owner"],
  ["which models are ephemral", "ephemeral-materialized models"],
  ["is there any check on bill_join?", "whether `bill_join` is with checks"],
  [
    "do more models read stg_bill_line than bill_join?",
    "whether there are more models directly downstream of `stg_bill_line` than models directly downstream of `bill_join`",
  ],
])("what is said before or behind a question does not hide it: %s", async (question, reading) => {
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

it("a tag that nobody has is on nothing", async () => {
  expect((await ask("anything tagged secretive?")).answer).toBe("There are no assets tagged `secretive`.");
});

it.each([
  "Leaving stg_bill_line aside, which models have no owner?",
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
