/** How questions over the sample are read: `test/corpus/agent-readings.yaml` says which reading each must have. */
import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

import { type Ask, createAsk } from "../../support/agent.ts";
import { type RunningApp, startApp } from "../../support/app.ts";

const CORPUS = new URL("../../corpus/agent-readings.yaml", import.meta.url);
/** By what they ask, then by how they are read. */
const groups = parse(readFileSync(CORPUS, "utf8")) as Record<string, Record<string, string[]>>;

let running: RunningApp;
let ask: Ask;

beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createAsk(running);
});
afterAll(() => running.close());

describe.each(Object.entries(groups))("a question for %s", (_group, readings) => {
  const cases = Object.entries(readings).flatMap(([reading, questions]) =>
    questions.map((question) => ({ question, reading })),
  );
  it.each(cases)("is read as it is meant: $question", async ({ question, reading }) => {
    const { readAs, confidence } = await ask(question);
    expect(readAs).toBe(reading);
    expect(confidence).toBeGreaterThanOrEqual(0.6);
  });
});

describe("what is written in several ways", () => {
  it.each([
    ["WHO OWNS FCT_ORDERS?", "who owns fct_orders"],
    ["who owns `fct_orders`?", "who owns fct_orders"],
    ['who owns "fct_orders"?', "who owns fct_orders"],
    ["who owns shop.marts.fct_orders?", "who owns fct_orders"],
    ["Can you tell me who owns fct_orders?", "who owns fct_orders"],
    ["who's the owner of fct_orders", "who owns fct_orders"],
    ["which models aren't certified", "which models are not certified"],
    ["which models arent certified", "which models are not certified"],
    ["which model is not certified", "which models are not certified"],
    ["wich models are not certfied", "which models are not certified"],
    ["models, uncertified", "uncertified models"],
    ["which  models\nare not\tcertified ??", "which models are not certified"],
  ])("reads the same: %j and %j", async (one, other) => {
    const [first, second] = [await ask(one), await ask(other)];
    expect(first.readAs).not.toBeNull();
    expect(first.readAs).toBe(second.readAs);
    expect(first.answer).toBe(second.answer);
  });
});
