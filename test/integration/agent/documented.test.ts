/** The questions that the README and the page about the agent show are answered as they promise. */
import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Ask, createAsk } from "../../support/agent.ts";
import { type RunningApp, startApp } from "../../support/app.ts";

const PAGES = ["README.md", "docs/agent.md"] as const;
const texts = PAGES.map((page) => readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8"));

/** What stands for X and Y in the table of what can be asked. */
const NAMES: Readonly<Record<string, string>> = { X: "fct_orders", Y: "stg_shopify__orders" };
/** Questions that are sent, and those of the table of what can be asked. */
const sent = texts.flatMap((text) => [...text.matchAll(/"query": "([^"{]+)"/g)].map(([, question = ""]) => question));
const table = (texts[1] ?? "").split("\n").filter((line) => /^\| [a-z]/.test(line));
const shown = table
  .filter((line) => !line.startsWith("| `"))
  .flatMap((line) => [...line.matchAll(/"([^"]+)"/g)].map(([, question = ""]) => question))
  .filter((question) => !question.endsWith("."))
  .map((question) => question.replaceAll(/\b[XY]\b/g, (name) => NAMES[name] ?? name));

let running: RunningApp;
let ask: Ask;

beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createAsk(running);
});
afterAll(() => running.close());

describe("a question that the pages show", () => {
  it("All questions that the pages show are found by this test", () => {
    expect([sent.length, shown.length]).toEqual([2, 30]);
  });

  it.each([...sent, ...shown])("is answered: %s", async (question) => {
    const { readAs, confidence } = await ask(question);
    expect(readAs).not.toBeNull();
    expect(confidence).toBeGreaterThan(0.6);
  });

  it.each([
    [
      sent[0] ?? "",
      "certified metrics downstream of `refunds`; the owner of `net_revenue`",
      ["refunded_amount", "net_revenue", "refund_rate"],
    ],
    [
      sent[1] ?? "",
      "certified metrics, downstream of `fct_orders`, not downstream of `fct_refunds`",
      ["gross_revenue", "order_count", "average_order_value"],
    ],
  ])("is read as it is meant: %s", async (question, reading, members) => {
    const { readAs, citations } = await ask(question);
    expect(readAs).toBe(reading);
    expect(citations.map(({ assetName }) => assetName)).toEqual(expect.arrayContaining(members));
  });
});

it.each([
  ["And who should I tell?", "tell"],
  ["who needs to know?", "needs to know"],
])("A question must name the change that it is about: %s", async (question, word) => {
  const { answer, confidence } = await ask(question, undefined, ["What breaks if I drop raw_stripe.refunds.amount?"]);
  expect(answer).toContain(`\`${word}\``);
  expect(confidence).toBeLessThan(0.2);
});

it.each(["how many models are there?", "which metrics are certified?"])(
  "A question of its own has nothing to do with the change of the question before: %s",
  async (question) => {
    const alone = await ask(question);
    const { answer } = await ask(question, undefined, ["What breaks if I drop raw_stripe.refunds.amount?"]);
    expect(answer).toBe(alone.answer);
  },
);
