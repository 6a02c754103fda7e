/** `search_assets`: finds assets by words and filters. */
import { z } from "zod";

import { excerpt } from "../characters.ts";
import { pageOfConnection } from "./page.ts";
import {
  assetTypes,
  certification,
  cut,
  instant,
  name,
  nodeType,
  owned,
  ownerFilter,
  page,
  paging,
  search,
  textOrEmpty,
} from "./schemas.ts";
import { defineTool } from "./tool.ts";

const MAX_DESCRIPTION = 300;

const item = z.object({
  id: z.string(),
  type: nodeType,
  name: z.string(),
  fqn: z.string(),
  description: textOrEmpty,
  tags: z.array(z.string()),
  certification,
  ...owned,
  sourceConnector: textOrEmpty,
  updatedAt: instant,
  ...cut,
});

export const searchAssets = defineTool({
  name: "search_assets",
  title: "Search assets",
  description:
    "Finds tables, models, dashboards, pipelines and columns, and gives their ids. Start here whenever a question names an " +
    "asset. Give words of the name, description, tags or column names, or only filters to list what passes them, in the " +
    "order of names. Metrics are found by list_metrics.",
  input: z.strictObject({
    search: search.optional(),
    types: assetTypes.optional(),
    tag: name.optional(),
    certification: certification.optional(),
    owner: ownerFilter.nullish().describe("E-mail address; null: without owner."),
    connector: name.optional().describe("A connector's name."),
    schema: name.optional().describe("Such as shop.marts."),
    ...paging,
  }),
  output: z.object({ ...page, items: z.array(item) }),
  async run({ limit, cursor, maxCharacters, ...filters }, { ask }) {
    const { assets } = await ask("ToolSearchAssets", { ...filters, first: limit, after: cursor });
    return pageOfConnection(assets, { maxCharacters, answer: {} }, (node) => ({
      ...node,
      description: excerpt(node.description ?? "", MAX_DESCRIPTION),
    }));
  },
});
