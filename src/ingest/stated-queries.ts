/** Reads the queries of a dashboard or pipeline: which relations they name, and which columns of them. */
import { nodeId, toFqn } from "../catalog/identity.ts";
import type { AssetStatement, StatedQuery } from "../catalog/statement.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import { type LineageAnswer, unresolved } from "../sql-lineage/request.ts";
import { type Naming, type RelationFinder, toRef } from "./find-relations.ts";
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
  { workspace, relations, reader, caller, finder }: QueriesOptions,
  sourceIds: Set<NodeId>,
): Promise<ReadQuery> {
  const own = new Set<NodeId>();
  let answer: LineageAnswer = unresolved("it was not read");
  let sources: KnownRelation[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    sources = [...own].flatMap((id) => relations.get(id) ?? []);
    [answer = answer] = await reader.read([{ sql, dialect: on.platform, relations: sources.map(toRelation) }], caller);
    const namings = answer.unfound.map((path): Naming => ({
      path,
      reader: { ...on, type: "table", parts: [...on.parts, ""] },
    }));
    const known = own.size;
    await finder.find(namings);
    for (const naming of namings) own.add(name(workspace, naming, relations));
    if (own.size === known) break;
  }
  for (const id of own) sourceIds.add(id);
  return { answer, sources };
}

/** Notes a relation that nobody states as one that is only named. Its columns are those that SQL names. */
function name(workspace: WorkspaceName, naming: Naming, relations: MeasuredOptions["relations"]): NodeId {
  const ref = toRef(naming);
  const id = nodeId(workspace, ref);
  if (relations.has(id)) return id;
  const node = { id, type: ref.type, platform: ref.platform, parentId: null, name: naming.path.name, fqn: toFqn(ref) };
  relations.set(id, {
    ref,
    columns: [],
    names: new Set(),
    completeness: "some",
    inlinedAs: "",
    inferred: new Map(),
    isWritten: false,
    elsewhere: { node, columns: new Map(), named: new Set() },
  });
  return id;
}
