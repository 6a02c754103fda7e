/** Prompts: common questions, with the steps to answer them by the tools. */
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { excerpt, hasMoreCharacters } from "../characters.ts";
import { AppError, badField } from "../errors.ts";

const MAX_CHARACTERS = 1_000;

interface Written {
  prompt: Prompt;
  /** The name of its only argument. */
  argument: string;
  write: (given: string) => string;
}

const WHAT_BREAKS: Written = {
  prompt: {
    name: "what_breaks_if",
    title: "What breaks if …",
    description: "Tells what a change of a column or table would break, and whom to tell.",
    arguments: [
      { name: "change", description: "What would change, such as: drop fct_orders.discount_eur.", required: true },
    ],
  },
  argument: "change",
  write: (change) =>
    [
      `What breaks if this is done: ${quote(change)}`,
      "",
      "1. Find the asset by search_assets. For a column, find its table, then the column by list_columns.",
      "2. Call assess_impact with the id and the change type: column_rename, column_drop, type_change, deprecate or asset_drop.",
      "3. If it is truncated, go on with nextCursor until all at high risk is told.",
      "",
      "Tell the counts by risk first, then each thing at high risk with its reason, then the owners to tell. " +
        "Say so if completeness.complete is false. If several assets could be meant, ask which.",
    ].join("\n"),
};

const WHERE_FROM: Written = {
  prompt: {
    name: "where_does_this_number_come_from",
    title: "Where does this number come from?",
    description: "Traces a metric, a dashboard or a column back to its sources.",
    arguments: [
      { name: "number", description: "A metric, dashboard or column, such as: net_revenue.", required: true },
    ],
  },
  argument: "number",
  write: (number) =>
    [
      `Where does this number come from: ${quote(number)}`,
      "",
      "1. Find it by list_metrics; if it is no metric, by search_assets, and a column by list_columns.",
      "2. For a metric, call get_assets for its definition and certification.",
      "3. Call walk_lineage upstream from its id, with depth 10. From a column this walks columns.",
      "",
      "Tell the definition first, then the way from the sources to the number, then who owns it and whether it is certified. " +
        "Say so if completeness.complete is false. If several things could be meant, ask which.",
    ].join("\n"),
};

const WRITTEN = [WHAT_BREAKS, WHERE_FROM];

export const PROMPTS: readonly Prompt[] = WRITTEN.map(({ prompt }) => prompt);

/** @throws AppError `bad_request` if there is no such prompt, or its argument is missing or too long */
export function writePrompt(name: string, given: Record<string, string>): GetPromptResult {
  const found = WRITTEN.find(({ prompt }) => prompt.name === name);
  if (found === undefined) throw new AppError("bad_request", `There is no prompt ${JSON.stringify(excerpt(name))}.`);
  const { argument, prompt, write } = found;
  const text = given[argument];
  if (text === undefined || text.trim() === "" || hasMoreCharacters(text, MAX_CHARACTERS)) {
    throw badField(argument, `must have 1 to ${MAX_CHARACTERS} characters`);
  }
  const content = { type: "text", text: write(text) } as const;
  return { description: prompt.description ?? "", messages: [{ role: "user", content }] };
}

/** Puts text on one line, so that it cannot look like a part of the prompt. */
function quote(text: string): string {
  return JSON.stringify(text);
}
