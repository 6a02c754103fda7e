/** The same question in many people's words: each family asks one thing. Names stand in braces. */
import { describe, expect, it } from "vitest";

import { type Intent, readIntent } from "../../../src/agent/understand/intent.ts";
import { putInPlace } from "../../../src/agent/understand/pronouns.ts";
import { tokenize } from "../../../src/agent/understand/tokens.ts";

const FAMILIES: Partial<Record<Intent, string[]>> = {
  upstream: [
    "which raw tables does {rides} rest on",
    "{rides}: which raw tables does that rest on in the end?",
    "what is {rides} built on top of",
    "what does {rides} sit on top of?",
    "where does {rides} get its data from",
    "what goes into {rides}?",
    "what ends up in {rides}",
    "which sources are behind {rides}",
    "what's {rides} made of",
    "what does {rides} draw on?",
    "tell me what {rides} is computed from",
    "{rides} - where's it coming from?",
    "what makes up {rides}",
    "who feeds {rides}?",
  ],
  downstream: [
    "what sits on top of {rides}",
    "what is built on {rides}?",
    "which models were built on top of {rides}",
    "who gets their data from {rides}",
    "who's looking at {rides}, any dashboards?",
    "what leans on {rides}",
    "{rides} - which model picks that up?",
    "which reports read {rides}",
    "what hangs off {rides}",
    "what does {rides} feed?",
    "who consumes {rides}",
    "is {rides} used anywhere",
    "where does {rides} end up being used",
  ],
  owner: [
    "who do I bug about {rides}",
    "who can I ping about {rides}?",
    "who should we talk to about {rides}",
    "{rides}, whose is that?",
    "whose are {rides}?",
    "who's on the hook for {rides}",
    "who looks after {rides}?",
    "{rides} - who do i ask about it",
    "whom do I go to with questions on {rides}",
    "who handles {rides}",
    "who takes care of {rides}",
    "got a question about {rides}, who knows more?",
  ],
  impact: [
    "who should hear about it before I touch {rides}",
    "{rides} will be late on Friday, whom do I warn?",
    "who needs a heads up if {rides} changes",
    "whom must I inform when {rides} is renamed",
    "what dies if I kill {rides}",
    "is it ok to remove {rides}?",
    "anything break if i get rid of {rides}",
    "{rides} is going away, what's affected",
    "what would happen if we dropped {rides}",
    "who do we notify when {rides} is broken",
  ],
  freshness: [
    "is {rides} fresh?",
    "did the last load go through",
    "is {rides} up to date",
    "when did {rides} last load",
    "how old is {rides}",
    "was the last import ok?",
    "when was the most recent sync",
    "did the latest crawl finish without errors",
    "is {rides} stale",
  ],
  certification: [
    "has someone signed off {rides}?",
    "is {rides} certified",
    "isnt {rides} certified?",
    "can I trust {rides}",
    "who approved {rides}?",
    "is {rides} official",
    "did anybody sign off on {rides}",
    "when was {rides} certified",
    "can we rely on {rides}?",
  ],
  definition: [
    "when do we still count somebody as {active riders}?",
    "how's {rides} worked out",
    "how do you calculate {rides}?",
    "what is the formula behind {rides}",
    "what counts as {rides}",
    "who qualifies as {active riders}",
    "what's the definition of {rides}",
    "how is {rides} defined?",
    "when is somebody considered {active riders}",
  ],
  what: [
    "remind me what {rides} does again?",
    "what is {rides}",
    "what do the letters in {rides} stand for",
    "data type of {rides}?",
    "what type is {rides}",
    "whats {rides}",
    "explain {rides} to me",
    "describe {rides}",
    "tell me about {rides}",
    "what is {rides} short for",
  ],
  list: [
    "which of the marketing metrics arent certified yet",
    "which models have no owner yet",
    "list the dashboards without an owner",
    "what tables are not documented",
    "show me the certified metrics",
    "which tables come from S",
    "are there any tables without descriptions",
    "which metrics are pending?",
    "all models tagged T",
  ],
  count: [
    "how many tables do we pull in from S?",
    "how many models are there",
    "number of dashboards",
    "what's the number of metrics",
    "how many metrics aren't certified",
    "how many tables does P own",
    "count of tables in S",
    "total number of models",
  ],
};

function toTemplate(question: string): string {
  return tokenize(question.replaceAll(/\{[^}]*\}/g, "N"))
    .map(({ text, word }) => (/^[NPTCS]$/.test(text) ? text : word))
    .join(" ");
}

describe("a question in other words", () => {
  for (const [intent, questions] of Object.entries(FAMILIES)) {
    it.each(questions)(`asks ${intent}: %s`, (question) => {
      const names = question.match(/\{/g) ?? [];
      const template = putInPlace(toTemplate(question));
      expect(
        readIntent(
          template,
          names.map(() => ({ type: "model" })),
        ),
      ).toBe(intent);
    });
  }
});
