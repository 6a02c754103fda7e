/** Finds the asset or metric that is named on the command line. */
import { describeNamesakes } from "../catalog/namesakes.ts";
import type { NodeType } from "../catalog/node-types.ts";
import { endOfPath } from "../catalog/short-path.ts";
import { fold } from "../catalog/text.ts";
import { AppError } from "../errors.ts";
import { toNodeId } from "../ids.ts";
import type { Client } from "./client.ts";
import type { Found } from "./operations.ts";

const MAX_SUGGESTIONS = 3;

export type NamedNode = NonNullable<Found<"NodesNamed">["assetById" | "metricById"]>;

/**
 * @param given an id, a fully qualified name, the end of one, or a name; the last two must be unique
 * @param type the required type. Default: any.
 * @throws AppError `not_found` with similar names, `bad_request` with what tells them apart if several have the name
 */
export async function getNamedNode(client: Client, given: string, type?: NodeType): Promise<NamedNode> {
  const named = endOfPath(given);
  const { assetById, assetByFqn, metricById, assets, metrics } = await client.find("NodesNamed", {
    id: named,
    name: named,
    byFqn: type !== "metric",
  });
  const isWanted = (each: NamedNode): boolean => type === undefined || each.type === type;
  const byId = [assetById, metricById].find((each) => each != null && isWanted(each));
  if (byId != null) return byId;
  const all = [...(assetByFqn == null ? [] : [assetByFqn]), ...(assets?.nodes ?? []), ...(metrics?.nodes ?? [])];
  const similar = [...new Map(all.filter(isWanted).map((each) => [each.id, each])).values()];
  for (const isNamed of [
    (each: NamedNode) => fold(each.fqn) === fold(named),
    (each: NamedNode) => fold(each.name) === fold(named),
    (each: NamedNode) => fold(each.displayName) === fold(named),
    (each: NamedNode) => fold(each.fqn).endsWith(`.${fold(named)}`),
    (each: NamedNode) => fold(each.fqn).endsWith(`/${fold(named)}`),
  ]) {
    const [found, ...others] = similar.filter(isNamed);
    if (found === undefined) continue;
    if (others.length === 0) return found;
    const names = await tellApart(client, [found, ...others]);
    throw new AppError("bad_request", `Several ${toPlural(type)} are called ${named}: ${names}.`);
  }
  const suggestions = similar.slice(0, MAX_SUGGESTIONS).map(({ fqn }) => fqn);
  const hint = suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`;
  throw new AppError(
    "not_found",
    `There is no ${type ?? "asset or metric"} ${named}${tellWhere(client, type)}.${hint}`,
  );
}

/**
 * The same at an earlier time, when an id or a fully qualified name may have been that of something that is gone since.
 * @param asOf the present if left out
 */
export async function getNodeNamedThen(client: Client, named: string, asOf: string | undefined): Promise<NamedNode> {
  if (asOf === undefined) return getNamedNode(client, named);
  const { assetById, metricById, nodesByFqn } = await client.find("NodesNamedThen", { id: named, name: named, asOf });
  return assetById ?? metricById ?? nodesByFqn?.[0] ?? getNamedNode(client, named);
}

async function tellApart(client: Client, found: readonly NamedNode[]): Promise<string> {
  const { nodes } = await client.ask("Namesakes", { ids: found.map(({ id }) => id) });
  return describeNamesakes(
    (nodes ?? []).flatMap((node) => {
      if (node === null || !("fqn" in node)) return [];
      return [{ ...node, id: toNodeId(node.id), instance: "identity" in node ? node.identity.instance : "" }];
    }),
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
