/** `ask`: the catalog's own agent answers a question in plain words. */
import { z } from "zod";

import { MAX_CONTEXT_ITEMS, MAX_ITEM_CHARACTERS } from "../agent/request.ts";
import { excerpt } from "../characters.ts";
import { cutToFit } from "./cut-to-fit.ts";
import { bounds, cut, id, name, page, question, text, textOrEmpty } from "./schemas.ts";
import { defineTool } from "./tool.ts";

const item = z.object({
  assetId: z.string().describe("Id of the asset or metric, as the other tools take it."),
  assetName: z.string(),
  snippet: z.string().describe("What the catalog says of it."),
  ...cut,
});

const answered = z.object({
  ask: z.object({
    answer: z.string(),
    readAs: textOrEmpty,
    confidence: z.number(),
    note: textOrEmpty,
    citations: z.array(item),
  }),
});

/** The share of the size that the answer's text may use. The rest is for citations. */
const SHARE_OF_ANSWER = 0.5;
const SHARE_OF_READING = 0.2;

export const ask = defineTool({
  name: "ask",
  title: "Ask the catalog",
  description:
    "Answers a question in plain English from the catalog alone, with citations: who owns something, what it means, where it " +
    "comes from, what uses it, how fresh or trusted it is. Take it for a first look at a question in words, and the other " +
    "tools for exact lists and further steps. It declines what it cannot ground, with a confidence below 0.2.",
  // An operator may have set a language model.
  asksOutside: true,
  input: z.strictObject({
    question: question.describe("The question, in English."),
    assetIds: z
      .array(id)
      .max(MAX_CONTEXT_ITEMS)
      .optional()
      .describe("Only about these and what lineage connects with them."),
    tags: z
      .array(text.min(1).max(MAX_ITEM_CHARACTERS))
      .max(MAX_CONTEXT_ITEMS)
      .optional()
      .describe("Only about what has one of these tags."),
    area: name
      .regex(/\S/, "must not be blank")
      .optional()
      .describe("Only within a connector, by its name, or a schema such as shop.marts."),
    ...bounds,
  }),
  output: z.object({
    answer: z.string().describe("Plain text; names stand in backticks."),
    readAs: z.string().describe("How the question was read. Empty if it was declined."),
    note: z.string().describe("Why a language model that was asked for help gave none; mostly empty."),
    confidence: z.number().describe("From 0 to 1. Below 0.2 the question was declined."),
    ...page,
    items: z.array(item).describe("Citations: what the answer rests on, the most relevant first."),
  }),
  async run({ question: query, assetIds, tags, area, maxCharacters }, context) {
    const variables = { query, context: { assetIds, tags, workspaceArea: area } };
    const { ask: found } = await context.ask("ToolAsk", variables, answered);
    const answer = excerpt(found.answer, Math.floor(maxCharacters * SHARE_OF_ANSWER));
    const readAs = excerpt(found.readAs, Math.floor(maxCharacters * SHARE_OF_READING));
    const { citations, confidence, note } = found;
    return cutToFit({ items: citations, maxCharacters }, (kept) => ({
      answer,
      readAs,
      note,
      confidence,
      total: citations.length,
      returned: kept.length,
      truncated: kept.length < citations.length || answer !== found.answer,
      nextCursor: null,
      items: kept,
    }));
  },
});
