/** Requests to paste into a terminal, made of what the catalog really holds. */
import type { CatalogGraph } from "../graph/catalog-graph.ts";

const CANDIDATES = 200;

/**
 * Three curl lines that work as they stand.
 * @param origin of the service
 */
export async function writeExamples(
  graph: CatalogGraph,
  { workspaceId, origin, token }: { workspaceId: string; origin: string; token: string },
): Promise<string[]> {
  const get = (path: string): string => `curl -s -H 'Authorization: Bearer ${token}' '${origin}/api/v1${path}'`;
  const root = await findMostUsedTable(graph, workspaceId);
  return [
    get("/catalog/assets?search=revenue&type=model&limit=5"),
    root === null ? get("/connectors") : get(`/lineage/downstream?asset_id=${root}&depth=3`),
    `curl -s -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' ` +
      `-d '{"query":"{ metrics(first: 5) { nodes { name certification owner } } }"}' '${origin}/graphql'`,
  ];
}

/** The id of the table that most assets are directly made from, or null where there is no table. */
async function findMostUsedTable(graph: CatalogGraph, workspaceId: string): Promise<string | null> {
  const { items } = await graph.listNodes(workspaceId, { types: ["table"] }, { after: null, limit: CANDIDATES });
  const questions = items.map(({ id }) => ({ id, direction: "downstream", first: 0, after: null }) as const);
  const uses = await graph.loadNeighbours(workspaceId, questions);
  const totals = items.map(({ id }, index) => ({ id, total: uses[index]?.total ?? 0 }));
  return totals.toSorted((a, b) => b.total - a.total)[0]?.id ?? null;
}
