/** Finds the asset or metric that is named on the command line. */
import { z } from "zod";

import type { NodeType } from "../catalog/node-types.ts";
import { fold } from "../catalog/text.ts";
import { AppError } from "../errors.ts";
import type { Client } from "./client.ts";

const MAX_SUGGESTIONS = 3;

const node = z.object({ id: z.string(), type: z.string(), name: z.string(), fqn: z.string() });
const list = z.object({ nodes: z.array(node) });
const answer = z.object({
  assetById: node.nullable(),
  assetByFqn: node.nullable(),
  metricById: node.nullable(),
  assets: list,
  metrics: list,
});

export type NamedNode = z.output<typeof node>;

/**
 * @param named an id, a fully qualified name, the end of one, or a name; the last two must be unique
 * @param type the required type. Default: any.
 * @throws AppError `not_found` with similar names, `bad_request` if several have the name
 */
export async function getNamedNode(client: Client, named: string, type?: NodeType): Promise<NamedNode> {
  const { assetById, assetByFqn, metricById, assets, metrics } = await client.ask(
    "NodesNamed",
    { id: named, name: named },
    answer,
  );
  const isWanted = (each: NamedNode): boolean => type === undefined || each.type === type;
  const similar = [...assets.nodes, ...metrics.nodes].filter(isWanted);
  const exact = [assetById, metricById, assetByFqn].find((each) => each !== null && isWanted(each));
  if (exact != null) return exact;
  for (const isNamed of [
    (each: NamedNode) => fold(each.fqn) === fold(named),
    (each: NamedNode) => fold(each.name) === fold(named),
    (each: NamedNode) => fold(each.fqn).endsWith(`.${fold(named)}`),
  ]) {
    const [found, ...others] = similar.filter(isNamed);
    if (found === undefined) continue;
    if (others.length === 0) return found;
    const names = [found, ...others].map(({ fqn }) => fqn).join(", ");
    throw new AppError("bad_request", `Several ${toPlural(type)} are called ${named}: ${names}.`);
  }
  const suggestions = similar.slice(0, MAX_SUGGESTIONS).map(({ fqn }) => fqn);
  const hint = suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`;
  throw new AppError(
    "not_found",
    `There is no ${type ?? "asset or metric"} ${named}${tellWhere(client, type)}.${hint}`,
  );
}

/** There are few metrics, so all of them are listed. */
function tellWhere({ here }: Client, type: NodeType | undefined): string {
  if (type !== "metric") return "";
  const where = here === null ? "" : ` in the workspace ${here.workspace.name}`;
  return `${where}; tributary metric list shows what there is`;
}

function toPlural(type: NodeType | undefined): string {
  return type === undefined ? "assets or metrics" : `${type}s`;
}
