/** Requests to paste into a terminal, made of what the catalog really holds. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";

const CANDIDATES = 200;

/**
 * Curl lines that work as they stand: four, or three where there is no column yet whose loss could be asked about.
 * @param origin of the service
 */
export async function writeExamples(
  graph: CatalogGraph,
  { workspaceId, origin, token }: { workspaceId: string; origin: string; token: string },
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

/** What breaks when a column goes, and whom to tell. */
function writeImpactQuery(column: string): string {
  return (
    `{ impact(id: ${JSON.stringify(column)}, changeType: column_drop) { ` +
    "summary { totalAffected highRiskCount } owners { owner summary { totalAffected highRiskCount } } } }"
  );
}

/** The id of the one that most is directly made from, or null where there is none. */
async function findMostUsed(
  graph: CatalogGraph,
  workspaceId: string,
  nodes: readonly CatalogNode[],
): Promise<string | null> {
  const questions = nodes.map(({ id }) => ({ id, direction: "downstream", first: 0, after: null }) as const);
  const uses = await graph.loadNeighbours(workspaceId, questions);
  const totals = nodes.map(({ id }, index) => ({ id, total: uses[index]?.total ?? 0 }));
  return totals.toSorted((a, b) => b.total - a.total)[0]?.id ?? null;
}
