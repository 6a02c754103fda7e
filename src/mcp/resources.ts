/** Assets and metrics as resources, by their ids. */
import { ResourceNotFoundError } from "@modelcontextprotocol/server";

import { DATASET_TYPES } from "../catalog/node-types.ts";
import { excerpt } from "../characters.ts";
import { getAssets } from "../tools/get-assets.ts";
import { listColumns } from "../tools/list-columns.ts";
import type { ToolContext } from "../tools/tool.ts";

const PREFIX = "tributary://asset/";
const JSON_TYPE = "application/json";
/** The largest size of each part: the asset, and its columns. */
const MAX_CHARACTERS = 50_000;
/** Types that have columns. */
const WITH_COLUMNS: ReadonlySet<unknown> = new Set(DATASET_TYPES);

export const ASSET_TEMPLATE = {
  name: "asset",
  title: "Asset or metric",
  uriTemplate: `${PREFIX}{id}`,
  description: "What the catalog knows of one asset or metric, by its id; of a table or model, its first columns too.",
  mimeType: JSON_TYPE,
};

/**
 * Returns one asset as JSON.
 * @throws ResourceNotFoundError if no asset or metric has the id; also throws what the tools throw
 */
export async function readAsset(uri: string, context: ToolContext) {
  const [, id] = /^tributary:\/\/asset\/([0-9a-f]{1,64})$/.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(excerpt(uri));
  const input = { ids: [id], includeSql: true, maxCharacters: MAX_CHARACTERS };
  const [asset] = itemsOf(await getAssets.call(input, context));
  if (asset === undefined) throw new ResourceNotFoundError(uri);
  const columns = WITH_COLUMNS.has(asset["type"])
    ? await listColumns.call({ id, limit: 200, maxCharacters: MAX_CHARACTERS }, context)
    : null;
  const shown = columns && {
    columns: itemsOf(columns),
    columnsTotal: columns["total"],
    columnsTruncated: columns["truncated"],
  };
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify({ ...asset, ...shown }) }] };
}

function itemsOf(answer: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(answer["items"]) ? answer["items"] : [];
}
