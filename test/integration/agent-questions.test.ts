/** The agent's exam against the running service: what it expects must be true of the sample, and its form sound. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { mark, says } from "../../bench/agent/grade.ts";
import { answerable, unanswerable } from "../../bench/agent/questions.ts";
import type { Answerable, Fact, Fqn } from "../../bench/agent/question.ts";
import { second, secondUnanswerable } from "../../bench/agent/second.ts";
import { unseen, unseenUnanswerable } from "../../bench/agent/unseen.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { createSampleFacts, type SampleFacts } from "../support/sample-facts.ts";
import { readConnector, readSampleNodes } from "../support/sample-nodes.ts";

const firstExam: readonly Answerable[] = Object.values(answerable).flat();
const secondExam: readonly Answerable[] = Object.values(second).flat();
const unseenExam: readonly Answerable[] = Object.values(unseen).flat();
const items = [...firstExam, ...secondExam, ...unseenExam];
const toDecline = [...unanswerable, ...secondUnanswerable, ...unseenUnanswerable];
const asked = [...items, ...toDecline].map(({ question }) => question);

let app: RunningApp;
let facts: SampleFacts;

beforeAll(async () => {
  app = await startApp({ sample: true });
  facts = createSampleFacts(await readSampleNodes(app), await readConnector(app));
});
afterAll(() => app.close());

describe("what the exam expects", () => {
  it("cites and narrows to nothing that the sample does not have", () => {
    const named = items.flatMap(({ cites, context }) => [...cites.flat(), ...(context?.asset_ids ?? [])]);
    expect(named.filter((fqn) => facts.find(fqn) === undefined)).toEqual([]);
  });

  it("rests on facts that are true", () => {
    expect(items.flatMap(({ because }) => because).filter((fact) => !facts.isTrue(fact))).toEqual([]);
  });

  it("notices facts that are not true", () => {
    const untrue = [
      ["owner", "shop.marts.fct_orders", "priya.nair@example.com"],
      ["reaches", "shop.raw_zendesk.tickets", "shop.board_revenue"],
      ["never reaches", "shop.raw_stripe.refunds", "shop.net_revenue"],
      ["shortest path", "shop.seeds.fx_rates", "shop.marts.fct_orders", "shop.churn_model"],
      ["says", "shop.net_revenue", "cows"],
      ["all", { tag: "ml" }, ["shop.churn_model"]],
      ["count", { type: "model" }, 50],
      ["sync", "errorsTotal", 1],
    ] as const satisfies readonly Fact[];
    expect(untrue.filter((fact) => facts.isTrue(fact))).toEqual([]);
    expect(() => facts.isTrue(["owner", "shop.no_such_table", ""])).toThrow("no_such_table");
    expect(() => facts.isTrue(["count", { dependsOn: "shop.no_such_table" }, 0])).toThrow("no_such_table");
  });

  it("has a fact, or the name of what is cited, behind everything that an answer must state", () => {
    const groundless = items.flatMap((item) =>
      item.states
        .filter((phrases) => !isGrounded(item, phrases))
        .map((phrases) => `${item.question} ${phrases.join(" or ")}`),
    );
    expect(groundless).toEqual([]);
  });
});

describe("the form of the exam", () => {
  it("has at least a hundred questions that can be answered, and twenty that cannot", () => {
    expect(firstExam.length).toBeGreaterThanOrEqual(100);
    expect(unanswerable.length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    { name: "second", exam: secondExam, declined: secondUnanswerable },
    { name: "unseen", exam: unseenExam, declined: unseenUnanswerable },
  ])("has at least thirty in the $name exam that can be answered, and six that cannot", ({ exam, declined }) => {
    expect(exam.length).toBeGreaterThanOrEqual(30);
    expect(declined.length).toBeGreaterThanOrEqual(6);
  });

  it("asks nothing twice", () => {
    const folded = asked.map((question) =>
      question
        .toLowerCase()
        .replaceAll(/[\W_]+/g, " ")
        .trim(),
    );
    expect(folded.filter((question, place) => folded.indexOf(question) !== place)).toEqual([]);
  });

  it("names its subjects exactly, nearly and in people's own words, each in a quarter of the questions or more", () => {
    for (const exam of [firstExam, secondExam, unseenExam]) {
      for (const wording of ["exact", "near", "own words"]) {
        expect(exam.filter((item) => item.wording === wording).length).toBeGreaterThanOrEqual(exam.length / 4);
      }
    }
  });

  it("passes the answer that cites and states everything, and no answer that only repeats the question", () => {
    for (const item of items) {
      const text = item.states.map(([first]) => first).join("; ");
      expect(mark(item, { text, confidence: 0.9, cited: item.cites.flat() }).missing).toEqual([]);
      expect(mark(item, { text: item.question, confidence: 0.9, cited: [] }).missing).not.toEqual([]);
    }
  });
});

function isGrounded({ cites, because }: Answerable, phrases: readonly string[]): boolean {
  const ground = [JSON.stringify(because), ...cites.flat().flatMap(namesOf)].join("\n");
  return phrases.some((phrase) => says(ground, phrase)) || (phrases.includes("no") && because.some(isNegative));
}

function namesOf(fqn: Fqn): string[] {
  const node = facts.find(fqn);
  return node === undefined ? [] : [node.fqn, node.name, node.displayName];
}

function isNegative(fact: Fact): boolean {
  return fact[0] === "never reaches" || fact.at(-1) === 0 || fact.at(-1) === null;
}
