/** `ask`: the catalog's own agent answers a question in plain words. */
import { z } from "zod";

import { MAX_CONTEXT_ITEMS, MAX_CONVERSATION, MAX_ITEM_CHARACTERS } from "../agent/answer.ts";
import { excerpt } from "../characters.ts";
import { cutToFit } from "./cut-to-fit.ts";
import { bounds, cut, id, name, page, question, text } from "./schemas.ts";
import { defineTool } from "./tool.ts";

const item = z.object({
  assetId: z.string(),
  assetName: z.string(),
  snippet: z.string(),
  ...cut,
});

/** The share of the size that the answer's text may use. The rest is for citations. */
const SHARE_OF_ANSWER = 0.5;
const SHARE_OF_READING = 0.2;

export const ask = defineTool({
  name: "ask",
  title: "Ask the catalog",
  description:
    "Answers a question in plain English from the catalog alone, with citations: who owns something, what it means, where it " +
    "comes from, what uses it, how fresh or trusted it is. Take it for a first look, and the other tools for exact lists. It " +
    "declines what it cannot ground, with a confidence below 0.2.",
  // An operator may have set a language model.
  asksOutside: true,
  input: z.strictObject({
    question,
    assetIds: z.array(id).max(MAX_CONTEXT_ITEMS).optional().describe("Only about these and their lineage."),
    tags: z.array(text.min(1).max(MAX_ITEM_CHARACTERS)).max(MAX_CONTEXT_ITEMS).optional(),
    area: name
      .regex(/\S/, "must not be blank")
      .optional()
      .describe("A connector's name, or a schema such as shop.marts."),
    conversation: z.array(question).max(MAX_CONVERSATION).optional().describe("Earlier questions, the oldest first."),
    ...bounds,
  }),
  output: z.object({
    answer: z.string(),
    readAs: z.string().describe("How the question was read; empty if declined."),
    /** Why the language model gave no plan; mostly empty. */
    note: z.string(),
    confidence: z.number(),
    ...page,
    items: z.array(item).describe("Citations."),
  }),
  async run({ question: query, assetIds, tags, area, conversation, maxCharacters }, context) {
    const variables = { query, context: { assetIds, tags, workspaceArea: area }, conversation };
    const { ask: found } = await context.ask("ToolAsk", variables);
    const answer = excerpt(found.answer, Math.floor(maxCharacters * SHARE_OF_ANSWER));
    const readAs = excerpt(found.readAs ?? "", Math.floor(maxCharacters * SHARE_OF_READING));
    const { citations, confidence } = found;
    return cutToFit({ items: citations, maxCharacters }, (kept) => ({
      answer,
      readAs,
      note: found.note ?? "",
      confidence,
      total: citations.length,
      returned: kept.length,
      truncated: kept.length < citations.length || answer !== found.answer,
      nextCursor: null,
      items: kept,
    }));
  },
});
