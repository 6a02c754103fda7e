/** `get_assets`: what is known of assets and metrics, by their ids. */
import { z } from "zod";

import { METRIC_KINDS } from "../catalog/metric.ts";
import { pageOfList } from "./page.ts";
import {
  bounds,
  certification,
  columnLineage,
  columnLineageRow,
  cut,
  id,
  instant,
  nodeType,
  owned,
  ownedRow,
  page,
  paging,
  textOrEmpty,
} from "./schemas.ts";
import { defineTool } from "./tool.ts";

/** The limit of the GraphQL field `nodes`. */
const MAX_IDS = 100;

const fields = {
  id: z.string(),
  type: nodeType,
  name: z.string(),
  fqn: z.string(),
  platform: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  certification,
  ...owned,
  sourceConnector: z.string(),
  connectors: z.array(z.string()),
  url: z.string().nullable(),
  columnLineage,
  lineageSummary: z.object({ upstreamCount: z.int(), downstreamCount: z.int() }).describe("Its direct neighbours."),
  dataType: z.string().optional().describe("Of a column."),
  materialization: z.string().optional().describe("How its source builds it, such as view; empty if unknown."),
  sql: z.string().nullable().optional().describe("The compiled SQL that builds it, if it was asked for."),
  parent: z.object({ id: z.string(), fqn: z.string() }).nullable().optional().describe("The table of a column."),
  displayName: z.string().optional().describe("Of a metric, as the next ones."),
  kind: z.enum(METRIC_KINDS).nullable().optional(),
  certifiedBy: z.string().nullable().optional(),
  definition: z
    .object({
      expression: z.string(),
      grain: z.string(),
      dimensions: z.array(z.string()),
      filters: z.array(z.string()),
    })
    .optional(),
};

const item = z.object({
  ...fields,
  certifiedAt: z.string().nullable().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  ...cut,
});

const row = z.object({
  ...fields,
  description: textOrEmpty,
  ...ownedRow,
  sourceConnector: textOrEmpty,
  columnLineage: columnLineageRow,
  dataType: textOrEmpty.optional(),
  materialization: textOrEmpty.optional(),
  definition: fields.definition.unwrap().extend({ grain: textOrEmpty }).optional(),
  certifiedAt: instant.nullable().optional(),
  createdAt: instant,
  updatedAt: instant,
});

const answered = z.object({ nodes: z.array(row.nullable()) });

export const getAssets = defineTool({
  name: "get_assets",
  title: "Get assets",
  description:
    `Tells all that is known of up to ${MAX_IDS} assets or metrics at once: description, owner, tags, certification, ` +
    "freshness, the definition of a metric, and how many direct neighbours each has. Take it after search_assets or " +
    "list_metrics, with the ids from there; ask for many in one call. Columns of a table come by list_columns.",
  input: z.strictObject({
    ids: z.array(id).min(1).max(MAX_IDS).describe("Ids of assets and metrics, from earlier answers."),
    includeSql: z.boolean().default(false).describe("Whether to tell the SQL that builds each model."),
    cursor: paging.cursor,
    ...bounds,
  }),
  output: z.object({
    ...page,
    items: z.array(item).describe("In the order of the ids."),
    missing: z.array(z.string()).describe("Ids that nothing has."),
  }),
  async run(input, { ask }) {
    const ids = [...new Set(input.ids)];
    const { nodes } = await ask("ToolGetAssets", { ids, includeSql: input.includeSql }, answered);
    const items = nodes.filter((node) => node !== null);
    const missing = ids.filter((_, i) => nodes[i] === null);
    const list = { items, keyOf: (node: { id: string }) => node.id, total: items.length };
    return pageOfList(list, ["get_assets", { ...input, limit: MAX_IDS }], { missing });
  },
});
