/** Reads the queries of metrics, dashboards and pipelines: which relations they name, and which columns of them. */
import { nodeId, toFqn } from "../catalog/identity.ts";
import { NODE_TYPE_TABLE } from "../catalog/node-types.ts";
import type { AssetStatement, StatedQuery } from "../catalog/statement.ts";
import type { NodeId } from "../ids.ts";
import { type LineageAnswer, unresolved } from "../sql-lineage/request.ts";
import type { QueryLineage } from "./column-lineage.ts";
import { expandOwn } from "./expand-asset.ts";
import { createRelationFinder, type RelationFinder } from "./find-relations.ts";
import { type KnownRelation, toRequest } from "./known-relations.ts";
import { readMeasured } from "./measured-columns.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";
import { joinQueries, type ReadQuery } from "./query-lineage.ts";
import type { SqlContext } from "./statement-reader.ts";

/** Each round of reading may name relations that the rounds before did not. The second one already names few. */
const MAX_ROUNDS = 8;

export async function readStatedQueries(scope: OpenScope, crawl: CrawlParts): Promise<void> {
  const findRelations = createRelationFinder(crawl, true);
  for (const statement of scope.querying.splice(0)) {
    const isMeasured = (statement.reads ?? []).length > 0;
    const { own, sourceIds, ...read } = isMeasured
      ? { ...(await readMeasured(statement, crawl)), sourceIds: [] }
      : await readQueries(statement, crawl, findRelations);
    await scope.take(expandOwn(crawl.workspace, statement, own));
    const to = nodeId(crawl.workspace, statement.ref);
    const object = toFqn(statement.ref);
    const kind = NODE_TYPE_TABLE[statement.ref.type].queryEdge;
    for (const from of sourceIds) {
      scope.lateEdges.push({ write: { from, to, kind, uses: [] }, name: `into ${object}`, object });
    }
    scope.addLineage(read, to, { name: `from a column to ${object}`, object });
  }
}

/** @returns the lineage, and the ids of all relations that the queries name */
async function readQueries(
  { ref, queries = [] }: AssetStatement,
  context: SqlContext,
  findRelations: RelationFinder,
): Promise<QueryLineage & { sourceIds: NodeId[] }> {
  const sourceIds = new Set<NodeId>();
  const read: ReadQuery[] = [];
  for (const query of queries) read.push(await readQuery(query, context, findRelations, sourceIds));
  return { ...joinQueries(context.workspace, ref, read, null), sourceIds: [...sourceIds] };
}

async function readQuery(
  { sql, on }: StatedQuery,
  { relations, reader, caller }: SqlContext,
  findRelations: RelationFinder,
  sourceIds: Set<NodeId>,
): Promise<ReadQuery> {
  const own = new Set<NodeId>();
  let answer: LineageAnswer = unresolved("it was not read");
  let sources: KnownRelation[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    sources = [...own].flatMap((id) => relations.get(id) ?? []);
    [answer = answer] = await reader.read([toRequest(sql, on.platform, sources)], caller);
    const known = own.size;
    const found = await findRelations(answer.unfound.map((path) => ({ path, on })));
    for (const id of found) if (id !== null) own.add(id);
    if (own.size === known) break;
  }
  for (const id of own) sourceIds.add(id);
  return { answer, sources };
}
