/** `get_assets`: what is known of assets and metrics, by their ids or full names. */
import { z } from "zod";

import { METRIC_KINDS } from "../catalog/metric.ts";
import { badField } from "../errors.ts";
import { pageOfList } from "./page.ts";
import {
  bounds,
  certification,
  columnLineage,
  cut,
  id,
  instant,
  name,
  nodeType,
  owned,
  page,
  paging,
  textOrEmpty,
  usage,
} from "./schemas.ts";
import { defineTool } from "./tool.ts";

/** The limit of the GraphQL field `nodes`. */
const MAX_IDS = 100;

const item = z.object({
  id: z.string(),
  type: nodeType,
  name: z.string(),
  fqn: z.string(),
  platform: z.string(),
  description: textOrEmpty,
  tags: z.array(z.string()),
  certification,
  ...owned,
  sourceConnector: textOrEmpty,
  connectors: z.array(z.string()),
  url: z.string().nullable(),
  columnLineage,
  lineageSummary: z.object({ upstreamCount: z.int(), downstreamCount: z.int() }),
  dataType: textOrEmpty.optional(),
  materialization: textOrEmpty.optional(),
  sql: z.string().nullable().optional(),
  parent: z.object({ id: z.string(), fqn: z.string() }).nullable().optional(),
  displayName: z.string().optional(),
  kind: z.enum(METRIC_KINDS).nullable().optional(),
  certifiedBy: z.string().nullable().optional(),
  definition: z
    .object({
      expression: z.string(),
      grain: textOrEmpty,
      dimensions: z.array(z.string()),
      filters: z.array(z.string()),
    })
    .optional(),
  certifiedAt: instant.nullable().optional(),
  createdAt: instant,
  updatedAt: instant,
  usage: usage.optional(),
  ...cut,
});

export const getAssets = defineTool({
  name: "get_assets",
  title: "Get assets",
  description:
    `Tells all that is known of up to ${MAX_IDS} assets or metrics at once, by ids or full names: description, owner, tags, ` +
    "certification, freshness, how much each was used in 30 days, a metric's definition, and how many direct neighbours each has. Ask for many in one call. " +
    "If several assets have one of the full names, the whole call is refused, with what tells them apart: give the id of that one. " +
    "Columns of a table come by list_columns.",
  input: z.strictObject({
    ids: z.array(id).max(MAX_IDS).default([]),
    names: z.array(name).max(MAX_IDS).default([]).describe("Full names such as shop.marts.fct_orders, in any case."),
    includeSql: z.boolean().default(false),
    cursor: paging.cursor,
    ...bounds,
  }),
  output: z.object({
    ...page,
    items: z.array(item),
    missing: z.array(z.string()).describe("Ids and names that nothing has."),
  }),
  async run(input, { ask }) {
    const [ids, names] = [[...new Set(input.ids)], [...new Set(input.names)]];
    const asked = [...ids, ...names];
    if (asked.length < 1 || asked.length > MAX_IDS) throw badField("ids", `give 1 to ${MAX_IDS} ids or names`);
    const variables = { ids, names, byId: ids.length > 0, byName: names.length > 0, includeSql: input.includeSql };
    const { nodes = [], nodesByFqn = [] } = await ask("ToolGetAssets", variables);
    const found = [...nodes, ...nodesByFqn].map((node) => (node !== null && "fqn" in node ? node : null));
    const items = [...new Map(found.flatMap((node) => (node === null ? [] : [[node.id, node] as const]))).values()];
    const missing = asked.filter((_, i) => found[i] === null);
    const list = { items, keyOf: (node: { id: string }) => node.id, total: items.length };
    return pageOfList(list, ["get_assets", { ...input, limit: MAX_IDS }], { missing });
  },
});
