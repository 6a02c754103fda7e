/** Reads the queries of a dashboard or pipeline: which relations they name, and which columns of them. */
import type { AssetStatement, StatedQuery } from "../catalog/statement.ts";
import type { NodeId } from "../ids.ts";
import { type LineageAnswer, unresolved } from "../sql-lineage/request.ts";
import type { RelationFinder } from "./find-relations.ts";
import { type KnownRelation, toRelation } from "./known-relations.ts";
import type { MeasuredOptions } from "./measured-columns.ts";
import { joinQueries, type QueryLineage, type ReadQuery } from "./query-lineage.ts";

/** Each round of reading may name relations that the rounds before did not. The second one already names few. */
const MAX_ROUNDS = 8;

interface QueriesOptions extends MeasuredOptions {
  finder: RelationFinder;
}

/** @returns the lineage, and the ids of all relations that the queries name */
export async function readQueries(
  { ref, queries = [] }: AssetStatement,
  options: QueriesOptions,
): Promise<QueryLineage & { sourceIds: NodeId[] }> {
  const sourceIds = new Set<NodeId>();
  const read: ReadQuery[] = [];
  for (const query of queries) read.push(await readQuery(query, options, sourceIds));
  return { ...joinQueries(options.workspace, ref, read, null), sourceIds: [...sourceIds] };
}

async function readQuery(
  { sql, on }: StatedQuery,
  { relations, reader, caller, finder }: QueriesOptions,
  sourceIds: Set<NodeId>,
): Promise<ReadQuery> {
  const own = new Set<NodeId>();
  let answer: LineageAnswer = unresolved("it was not read");
  let sources: KnownRelation[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    sources = [...own].flatMap((id) => relations.get(id) ?? []);
    [answer = answer] = await reader.read([{ sql, dialect: on.platform, relations: sources.map(toRelation) }], caller);
    const known = own.size;
    const found = await finder.find(answer.unfound.map((path) => ({ path, on })));
    for (const id of found) if (id !== null) own.add(id);
    if (own.size === known) break;
  }
  for (const id of own) sourceIds.add(id);
  return { answer, sources };
}
