/** Writes example requests to paste into a terminal. They use ids from the catalog. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { CatalogGraph } from "../../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";

const CANDIDATES = 200;

/**
 * Writes curl lines that work unchanged: four, or three if the catalog has no column yet.
 * @param origin the service's origin
 */
export async function writeExamples(
  graph: CatalogGraph,
  { workspaceId, origin, token }: { workspaceId: WorkspaceId; origin: string; token: string },
): Promise<string[]> {
  const authorization = `-H 'Authorization: Bearer ${token}'`;
  const get = (path: string): string => `curl -s ${authorization} '${origin}/api/v1${path}'`;
  const askGraphql = (query: string): string =>
    `curl -s ${authorization} -H 'Content-Type: application/json' ` +
    `-d '${JSON.stringify({ query })}' '${origin}/graphql'`;
  const { items } = await graph.listNodes(workspaceId, { types: ["table"] }, { after: null, limit: CANDIDATES });
  const table = await findMostUsed(graph, workspaceId, items);
  const columns = table === null ? [] : await graph.loadColumns(workspaceId, [table]);
  const column = await findMostUsed(graph, workspaceId, columns.flat());
  return [
    get("/catalog/assets?search=revenue&type=model&limit=5"),
    table === null ? get("/connectors") : get(`/lineage/downstream?asset_id=${table}&depth=3`),
    askGraphql("{ metrics(first: 5) { nodes { name certification owner } } }"),
    ...(column === null ? [] : [askGraphql(writeImpactQuery(column))]),
  ];
}

/** A query for the impact of dropping a column, with the owners. */
function writeImpactQuery(column: string): string {
  return (
    `{ impact(id: ${JSON.stringify(column)}, changeType: column_drop) { ` +
    "summary { totalAffected highRiskCount } owners { owner summary { totalAffected highRiskCount } } } }"
  );
}

/** The id of the node with the most direct dependents. Returns null if there are no nodes. */
async function findMostUsed(
  graph: CatalogGraph,
  workspaceId: WorkspaceId,
  nodes: readonly CatalogNode[],
): Promise<NodeId | null> {
  const questions = nodes.map(({ id }) => ({ id, direction: "downstream", first: 0, after: null }) as const);
  const uses = await graph.loadNeighbours(workspaceId, questions);
  const totals = nodes.map(({ id }, index) => ({ id, total: uses[index]?.total ?? 0 }));
  return totals.toSorted((a, b) => b.total - a.total)[0]?.id ?? null;
}
