/** Finds the connector that crawls the project of a manifest. */
import { fold } from "../catalog/text.ts";
import { DATASET_TYPES } from "../catalog/node-types.ts";
import { badField } from "../errors.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";
import type { Connector } from "../metadata/records.ts";
import type { Slicer } from "../work/slicer.ts";
import type { NewStatements } from "./new-statements.ts";

/** So many tables and models of each project are compared: enough to tell one project from another. */
const SAMPLE = 200;
const MAX_NAMED = 10;

/**
 * Compares dbt's unique ids, and then the names of relations: one project may be crawled for several targets.
 * @param candidates at least two
 * @throws AppError `bad_request` if no project fits, or several fit equally well
 */
export async function matchConnector(
  graph: Pick<GraphReader, "listStatements">,
  workspace: WorkspaceId,
  candidates: readonly Connector[],
  { assets }: Pick<NewStatements, "assets">,
  slicer: Slicer,
): Promise<Connector> {
  const statements = [...assets.values()];
  const ids = new Set(statements.map(({ facts }) => facts.sourceId ?? ""));
  const names = new Set(statements.map(({ ref }) => fold(ref.parts.join("."))));
  const scored: { connector: Connector; sameIds: number; sameNames: number }[] = [];
  for (const connector of candidates) {
    await slicer.next();
    const query = { connector, types: DATASET_TYPES };
    const { items } = await graph.listStatements(workspace, query, { after: null, limit: SAMPLE });
    const sameIds = items.filter(({ sourceId }) => sourceId !== "" && ids.has(sourceId)).length;
    const sameNames = items.filter(({ fqn }) => names.has(fold(fqn))).length;
    if (sameIds + sameNames > 0) scored.push({ connector, sameIds, sameNames });
  }
  const [best, next] = scored.toSorted((a, b) => b.sameIds - a.sameIds || b.sameNames - a.sameNames);
  if (best === undefined) throw badField("connector", `is required: the manifest fits none of ${list(candidates)}`);
  const equal = scored.filter((each) => each.sameIds === best.sameIds && each.sameNames === best.sameNames);
  if (next === undefined || equal.length === 1) return best.connector;
  throw badField("connector", `is required: the manifest fits ${list(equal.map(({ connector }) => connector))} alike`);
}

function list(connectors: readonly Connector[]): string {
  const names = connectors.slice(0, MAX_NAMED).map(({ name }) => name);
  return names.length < connectors.length ? `${names.join(", ")} and others` : names.join(", ");
}
