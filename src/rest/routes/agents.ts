/** Questions in plain English. */
import { z } from "zod";

import {
  MAX_AREA_CHARACTERS,
  MAX_CONTEXT_ITEMS,
  MAX_ITEM_CHARACTERS,
  MAX_QUERY_CHARACTERS,
} from "../../agent/answer.ts";
import { agentAnswer } from "../openapi/examples.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

const query = z.string({ error: ({ input }) => (input === undefined ? "is required" : "must be text") }).meta({
  description: `The question in plain English: 1 to ${MAX_QUERY_CHARACTERS.toLocaleString("en-US")} characters, not blank.`,
  minLength: 1,
  maxLength: MAX_QUERY_CHARACTERS,
  examples: ["Who owns fct_orders, and what feeds it?"],
});

const item = z.string().meta({ maxLength: MAX_ITEM_CHARACTERS });
const context = z
  .strictObject({
    asset_ids: z.array(item).max(MAX_CONTEXT_ITEMS).optional().meta({
      description: "Only these assets, and everything that lineage connects with them. An unknown id gets 404.",
    }),
    tags: z
      .array(item)
      .max(MAX_CONTEXT_ITEMS)
      .optional()
      .meta({ description: "Only assets and metrics with one of these tags." }),
    workspace_area: z
      .string()
      .optional()
      .meta({
        description: "Only assets of this connector, or assets whose fully qualified name begins with these parts.",
        examples: ["shop.marts"],
        minLength: 1,
        maxLength: MAX_AREA_CHARACTERS,
        pattern: String.raw`\S`,
      }),
  })
  .transform(({ asset_ids, tags, workspace_area }) => ({ assetIds: asset_ids, tags, workspaceArea: workspace_area }))
  .optional()
  .meta({ description: "Narrows the question to some assets. They must meet all the conditions that are given." });

export const agentRoutes: readonly Route[] = [
  {
    method: "POST",
    path: `${API_PREFIX}/agents/query`,
    tag: "Agents",
    summary: "Ask a question",
    description:
      "Answers from the catalog, with a citation for each claim. If the catalog cannot answer, the answer says so in plain " +
      "words, with a `confidence` below 0.2. A suggested action is a complete call: its `endpoint` is relative to " +
      "`/api/v1`, and its `params` go into the query of a GET or the body of a POST.",
    operation: "AskAgent",
    input: { body: { query, context } },
    absent: { noun: "asset", namedBy: "context" },
    status: 200,
    example: agentAnswer,
  },
];
