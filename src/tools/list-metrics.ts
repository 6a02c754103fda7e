/** `list_metrics`: finds metrics and shows short definitions. */
import { z } from "zod";

import { METRIC_KINDS } from "../catalog/metric.ts";
import { excerpt } from "../characters.ts";
import { pageOfConnection } from "./page.ts";
import { certification, cut, instant, name, owned, ownerFilter, page, paging, search, textOrEmpty } from "./schemas.ts";
import { defineTool } from "./tool.ts";

const MAX_TEXT = 300;

const item = z.object({
  id: z.string(),
  name: z.string(),
  fqn: z.string(),
  displayName: z.string(),
  kind: z.enum(METRIC_KINDS).nullable(),
  description: textOrEmpty,
  definitionSummary: z.string(),
  tags: z.array(z.string()),
  certification,
  certifiedBy: z.string().nullable(),
  certifiedAt: instant.nullable(),
  ...owned,
  updatedAt: instant,
  ...cut,
});

export const listMetrics = defineTool({
  name: "list_metrics",
  title: "List metrics",
  description:
    "Finds business metrics such as revenue or churn: ids, definitions in short, owners, and who certified them. Take it for " +
    "what a number means and whether it can be trusted; get_assets has all of a definition, walk_lineage upstream what it " +
    "is computed from.",
  input: z.strictObject({
    search: search.optional(),
    tag: name.optional(),
    certification: certification.optional(),
    owner: ownerFilter.nullish().describe("E-mail address; null: without owner."),
    ...paging,
  }),
  output: z.object({ ...page, items: z.array(item) }),
  async run({ limit, cursor, maxCharacters, ...filters }, { ask }) {
    const { metrics } = await ask("ToolListMetrics", { ...filters, first: limit, after: cursor });
    return pageOfConnection(metrics, { maxCharacters, answer: {} }, (node) => ({
      ...node,
      description: excerpt(node.description ?? "", MAX_TEXT),
      definitionSummary: excerpt(node.definitionSummary, MAX_TEXT),
    }));
  },
});
