/** A name that should be that of one asset or metric. */
import type { CatalogNode } from "../catalog/asset.ts";
import { describeNamesakes } from "../catalog/namesakes.ts";
import { badField } from "../errors.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";

/**
 * @param nodes all that have the name
 * @param field the argument that gives the name
 * @returns null if there is none
 * @throws AppError `bad_request` if there are several, with what tells them apart
 */
export async function onlyOne(
  nodes: readonly CatalogNode[],
  field: string,
  context: GraphqlContext,
): Promise<CatalogNode | null> {
  if (nodes.length < 2) return nodes[0] ?? null;
  const ids = nodes.map(({ id }) => id);
  // The instance is a part of what an id is made from, so it is the same at all times.
  const sources = await context.services.graph.loadSources(workspaceOf(context), ids);
  const told = nodes.map((node, i) => ({ ...node, instance: sources[i]?.[0]?.instance ?? "" }));
  throw badField(field, `several have this name, so give the id of one: ${describeNamesakes(told)}`);
}
