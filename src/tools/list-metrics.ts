/** `list_metrics`: finds metrics and shows short definitions. */
import { z } from "zod";

import { METRIC_KINDS } from "../catalog/metric.ts";
import { excerpt } from "../characters.ts";
import { connectionOf, pageOfConnection } from "./page.ts";
import {
  certification,
  cut,
  instant,
  name,
  owned,
  ownedRow,
  ownerFilter,
  page,
  paging,
  search,
  textOrEmpty,
} from "./schemas.ts";
import { defineTool } from "./tool.ts";

const MAX_TEXT = 300;

const item = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  kind: z.enum(METRIC_KINDS),
  description: z.string().describe("Its beginning; empty if there is none."),
  definitionSummary: z.string().describe("The definition in one line, or its beginning. get_assets has all of it."),
  tags: z.array(z.string()),
  certification,
  certifiedBy: z.string().nullable(),
  certifiedAt: z.string().nullable(),
  ...owned,
  updatedAt: z.string(),
  ...cut,
});

const row = item.extend({
  description: textOrEmpty,
  ...ownedRow,
  certifiedAt: instant.nullable(),
  updatedAt: instant,
});
const answered = z.object({ metrics: connectionOf(row) });

export const listMetrics = defineTool({
  name: "list_metrics",
  title: "List metrics",
  description:
    "Finds business metrics such as revenue or churn: their ids, definitions in short, owners, and whether somebody " +
    "certified them. Take it for what a number means and whether it can be trusted. For all of a definition, call get_assets " +
    "with the id; for what a metric is computed from, walk_lineage upstream.",
  input: z.strictObject({
    search: search.optional().describe("Words of the name, description or tags. Leave it out to list all."),
    tag: name.optional().describe("Only metrics with this tag."),
    certification: certification.optional().describe("Only metrics with this certification."),
    owner: ownerFilter.optional().describe("Only metrics of this owner: an e-mail address."),
    ...paging,
  }),
  output: z.object({ ...page, items: z.array(item) }),
  async run({ limit, cursor, maxCharacters, ...filters }, { ask }) {
    const { metrics } = await ask("ToolListMetrics", { ...filters, first: limit, after: cursor }, answered);
    return pageOfConnection(metrics, maxCharacters, (node) => ({
      ...node,
      description: excerpt(node.description, MAX_TEXT),
      definitionSummary: excerpt(node.definitionSummary, MAX_TEXT),
    }));
  },
});
