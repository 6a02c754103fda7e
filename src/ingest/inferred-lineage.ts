/**
 * Finds the origins of columns that an asset's own SQL does not list, such as those of `select *` from a source whose
 * columns are not all known.
 */
import type { ColumnLineage } from "../catalog/asset.ts";
import { fold } from "../catalog/text.ts";
import type { EdgeWrite } from "../graph/catalog-writes.ts";
import { sqlAsRun } from "../catalog/statement.ts";
import type { NodeId } from "../ids.ts";
import type { OutputColumn } from "../sql-lineage/request.ts";
import { createFinder, stateOf, usagesOf } from "./column-lineage.ts";
import { expandInferred, expandOwn } from "./expand-asset.ts";
import { expandExternalRelation } from "./external-relations.ts";
import { inferredColumns, type KnownRelation, nameColumn, toRequest } from "./known-relations.ts";
import type { CrawlParts, OpenScope, PartlyRead } from "./open-scope.ts";
import { reportLeftOut } from "./read-sql.ts";
import type { SqlContext } from "./statement-reader.ts";

/** Writes the columns that only SQL names, and the relations that waited for them. */
export async function writeInferred(scope: OpenScope, crawl: CrawlParts): Promise<void> {
  const { workspace, relations, errors } = crawl;
  const inferred = await readInferred(scope.partlyRead.splice(0), crawl);
  for (const write of inferred.edges) scope.lateEdges.push({ write, name: "into an inferred column", object: "" });
  const sources = new Set(scope.lateEdges.map(({ write }) => write.from));
  for (const [id, relation] of relations) {
    const waiting = scope.waiting.get(id);
    if (relation.external !== undefined && sources.has(id)) {
      await scope.take({ nodes: expandExternalRelation(relation) });
    }
    if (waiting === undefined && relation.inferred.size === 0) continue;
    const names = inferredColumns(relation);
    const { statement = null, own = null } = waiting ?? {};
    const documented = statement?.columnsUnseen ?? [];
    if (statement !== null) {
      await scope.take(expandOwn(workspace, statement, own, names));
      const unseen = own === null ? documented.map(({ name }) => name) : [];
      const leftOut = unseen.filter((name) => !relation.inferred.has(fold(name)));
      reportLeftOut(statement, leftOut, false, errors);
    }
    const found = inferred.columns.get(id);
    const lineageOf = (name: string): ColumnLineage | null =>
      own === null ? null : (found?.get(fold(name)) ?? { ...own, status: "unknown" });
    await scope.take(expandInferred(workspace, relation, { names, lineageOf, documented }));
    relation.inferred.clear();
  }
  scope.waiting.clear();
}

/**
 * Reads the assets twice more. The first time, each asset is read before its sources: if others name a column of the
 * asset, the column must come from a source, which therefore has it too. The second time, each asset is read after its
 * sources, and `*` lists the columns that they have gained. The columns that the asset's own SQL lists were read before
 * and do not change, so the result does not depend on the order of reading.
 * @param assets in the order in which they were read
 */
async function readInferred(assets: readonly PartlyRead[], { workspace, relations, reader, caller }: SqlContext) {
  /** By the assets' ids, then by the columns' folded names. */
  const columns = new Map<NodeId, Map<string, ColumnLineage>>();
  const edges: EdgeWrite[] = [];

  async function read(
    asset: PartlyRead,
    own: KnownRelation,
    sources: readonly KnownRelation[],
  ): Promise<OutputColumn[]> {
    const request = toRequest(sqlAsRun(asset.statement), asset.statement.ref.platform, sources);
    const [answer] = await reader.read([{ ...request, wanted: inferredColumns(own) }], caller);
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
        if (from.id !== to) edges.push({ from: from.id, to, kind: "derives", uses });
      }
    }
    columns.set(asset.id, states);
  }
  return { columns, edges };
}

function withInferred(relation: KnownRelation): KnownRelation {
  return { ...relation, columns: [...relation.columns, ...inferredColumns(relation)] };
}
