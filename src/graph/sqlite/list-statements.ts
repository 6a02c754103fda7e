/** Pages of what one connector states. */
import { showStatement } from "../../catalog/layers.ts";
import { layersFrom } from "./claims.ts";
import { listNodes } from "./list.ts";
import type { Read } from "./statements.ts";

export const listStatements: Read<"listStatements"> = (sql, workspace, { connector, types }, page) => {
  const { items, hasMore } = listNodes(sql, workspace, { types, connector: connector.name }, page);
  return {
    items: items.flatMap((node) => showStatement(node, layersFrom(sql, workspace, node.id, connector.id))),
    hasMore,
  };
};
