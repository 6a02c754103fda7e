/** Where those columns of an asset come from that its own SQL does not list, such as `select *` of a source in part known. */
import type { ColumnLineage } from "../catalog/asset.ts";
import { joinUses } from "../catalog/edge.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { EdgeWrite } from "../graph/catalog-writes.ts";
import type { LineageRequest, OutputColumn } from "../sql-lineage/request.ts";
import type { Caller } from "../work/caller.ts";
import { createFinder, stateOf, usagesOf } from "./column-lineage.ts";
import { inferredColumns, type KnownRelation, nameColumn, type Relations, toRelation } from "./known-relations.ts";
import type { StatementReader } from "./statement-reader.ts";

/** An asset whose SQL does not tell all the columns that it yields. */
export interface PartlyRead {
  id: string;
  statement: AssetStatement;
  /** Ids of the relations that its SQL reads. */
  sourceIds: readonly string[];
}

export interface InferredLineage {
  /** By the assets' ids, then by the columns' folded names. */
  columns: ReadonlyMap<string, ReadonlyMap<string, ColumnLineage>>;
  edges: EdgeWrite[];
}

interface InferredOptions {
  /** The workspace's name, which ids are made of. */
  workspace: string;
  relations: Relations;
  reader: StatementReader;
  /** Who has the SQL read. */
  caller: Caller;
}

/**
 * Reads the assets twice more. First each before what it reads: a column that others name of it must come from a source
 * of its own, which so gains it too. Then each after what it reads: `*` lists what its sources gained. What its own SQL
 * lists was read before and stays as it is, so the outcome is the same in whatever order the SQL was read.
 * @param assets in the order in which they were read
 */
export async function readInferred(
  assets: readonly PartlyRead[],
  { workspace, relations, reader, caller }: InferredOptions,
): Promise<InferredLineage> {
  const columns = new Map<string, Map<string, ColumnLineage>>();
  const edges: EdgeWrite[] = [];

  async function read(
    asset: PartlyRead,
    own: KnownRelation,
    sources: readonly KnownRelation[],
  ): Promise<OutputColumn[]> {
    const { ref, facts } = asset.statement;
    const request: LineageRequest = {
      sql: facts.sql ?? "",
      dialect: ref.platform,
      relations: sources.map(toRelation),
      wanted: inferredColumns(own),
    };
    const [answer] = await reader.read([request], caller);
    if (answer === undefined || "unresolved" in answer) return [];
    return answer.columns.filter(({ name }) => !own.names.has(fold(name)));
  }

  for (const asset of assets.toReversed()) {
    const own = relations.get(asset.id);
    if (own === undefined || own.inferred.size === 0) continue;
    const sources = asset.sourceIds.flatMap((id) => relations.get(id) ?? []);
    const find = createFinder(workspace, sources);
    for (const { parents } of await read(asset, own, sources)) usagesOf(parents, find);
  }
  for (const asset of assets) {
    const own = relations.get(asset.id);
    const sources = asset.sourceIds.flatMap((id) => relations.get(id) ?? []);
    if (own === undefined || [own, ...sources].every(({ inferred }) => inferred.size === 0)) continue;
    const find = createFinder(workspace, sources);
    const states = new Map<string, ColumnLineage>();
    for (const output of await read(asset, own, sources.map(withInferred))) {
      const to = nameColumn(workspace, own, output.name)?.id;
      if (to === undefined || states.has(fold(output.name))) continue;
      const { usages, missing } = usagesOf(output.parents, find);
      states.set(fold(output.name), stateOf(output, missing));
      for (const { from, uses } of usages) {
        if (from.id !== to) edges.push({ from: from.id, to, kind: "derives", uses: joinUses(uses) });
      }
    }
    columns.set(asset.id, states);
  }
  return { columns, edges };
}

function withInferred(relation: KnownRelation): KnownRelation {
  return { ...relation, columns: [...relation.columns, ...inferredColumns(relation)] };
}
