/** `list_columns`: the columns of a table or model. */
import { z } from "zod";

import { notFound } from "../errors.ts";
import { pageOfList } from "./page.ts";
import {
  certification,
  columnLineage,
  cut,
  id,
  name,
  page,
  paging,
  reference,
  search,
  textOrEmpty,
} from "./schemas.ts";
import { defineTool } from "./tool.ts";

const item = z.object({
  id: z.string(),
  name: z.string(),
  dataType: textOrEmpty,
  description: textOrEmpty,
  tags: z.array(z.string()),
  certification,
  ordinal: z.int().nullable(),
  inferred: z.boolean().describe("Only SQL or lineage that names it says it is there."),
  ...cut,
});

export const listColumns = defineTool({
  name: "list_columns",
  title: "List columns",
  description:
    "Lists the columns of one table or model in their order, with data types, descriptions, tags and the ids that " +
    "walk_lineage and assess_impact take.",
  input: z.strictObject({
    id: id.describe("Of the table or model."),
    search: search.optional().describe("In the name or description."),
    tag: name.optional(),
    ...paging,
  }),
  output: z.object({ asset: reference.extend({ columnLineage }), ...page, items: z.array(item) }),
  async run(input, { ask }) {
    const { asset } = await ask("ToolListColumns", { id: input.id });
    if (asset === null) throw notFound("asset", input.id);
    const { columns, ...about } = asset;
    const words = input.search?.toLowerCase() ?? "";
    const items = columns.filter(
      (column) =>
        (input.tag === undefined || column.tags.includes(input.tag)) &&
        `${column.name}\n${column.description ?? ""}`.toLowerCase().includes(words),
    );
    const list = { items, keyOf: (column: { id: string }) => column.id, total: items.length };
    return pageOfList(list, ["list_columns", input], { asset: about });
  },
});
