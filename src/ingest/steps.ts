/**
 * The steps of everything that a connector states, on its way into the graph. To add a step, write a function, and name it here
 * where it comes.
 */
import { nodeId } from "../catalog/identity.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { boundStatement } from "./bound-statement.ts";
import { writeChecks } from "./checks.ts";
import { expandOwn, isSound } from "./expand-asset.ts";
import { writeInferred } from "./inferred-lineage.ts";
import { toKnownRelation } from "./known-relations.ts";
import { nameEnds } from "./name-ends.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";
import { readSql, reportHiddenLineage } from "./read-sql.ts";
import { recallSql, writeWithoutSql } from "./recall-sql.ts";
import { readStatedQueries } from "./stated-queries.ts";

/** Returns the asset for the next step. */
type AssetStep = (
  asset: AssetStatement,
  scope: OpenScope,
  crawl: CrawlParts,
) => AssetStatement | Promise<AssetStatement>;

type ScopeStep = (scope: OpenScope, crawl: CrawlParts) => Promise<void>;

/** The steps of an asset when it is stated. */
export const ASSET_STEPS: readonly AssetStep[] = [
  // Cuts what is too long.
  limitSize,
  // Notes the relation, so that the SQL of other assets can name its columns.
  registerAsset,
  // Writes the asset, unless SQL must be read first.
  keepOrWrite,
];

/** The steps of a scope when it ends. Each uses what the steps before it left in the scope. */
export const SCOPE_STEPS: readonly ScopeStep[] = [
  // Assets whose source leaves out their SQL: they keep the SQL that it told last.
  recallSql,
  // Assets with SQL: finds the relations that the SQL names, then the columns and their lineage.
  readSql,
  // Metrics, dashboards and pipelines: finds the columns that their queries read.
  readStatedQueries,
  // Ends of edges that nobody states: they become nodes that are only referenced.
  nameEnds,
  // Columns that only SQL names, and the relations that waited for them.
  writeInferred,
  // Everything that still waits for its batch, above all edges.
  (scope) => scope.writeAll(),
  // Assets that show the lineage of another connector.
  reportHiddenLineage,
  // Checks, whose columns are known by now.
  writeChecks,
];

function limitSize(given: AssetStatement, _: OpenScope, { errors }: CrawlParts): AssetStatement {
  const { statement, errors: cut } = boundStatement(given);
  for (const error of cut) errors.add(error);
  return statement;
}

/** Notes the asset and its columns. What was stated of it before in this scope no longer counts. */
function registerAsset(asset: AssetStatement, scope: OpenScope, crawl: CrawlParts): AssetStatement {
  const id = nodeId(crawl.workspace, asset.ref);
  scope.unread.delete(id);
  scope.waiting.delete(id);
  if (isSound(asset)) crawl.stated.add(id);
  if (isSoundRelation(asset)) crawl.relations.set(id, toKnownRelation(asset));
  return asset;
}

/**
 * Keeps an asset until the end of the scope if SQL must be read for it, and writes any other one. What is kept is copied, so
 * that it does not keep the chunks of the source in memory.
 */
async function keepOrWrite(asset: AssetStatement, scope: OpenScope, crawl: CrawlParts): Promise<AssetStatement> {
  const { workspace } = crawl;
  const { ref, facts, reads = [], queries = [], sqlUntold } = asset;
  const id = nodeId(workspace, ref);
  if (isSoundRelation(asset) && ((facts.sql ?? null) !== null || sqlUntold !== undefined)) {
    scope.unread.set(id, { id, statement: structuredClone(asset), parents: new Set() });
  } else if (isSoundRelation(asset)) {
    await writeWithoutSql(asset, null, scope, crawl);
  } else if (reads.length + queries.length > 0) {
    scope.querying.push(structuredClone(asset));
  } else {
    await scope.take(expandOwn(workspace, asset, asset.columnsRead ?? null));
  }
  return asset;
}

function isSoundRelation(asset: AssetStatement): boolean {
  return (asset.ref.type === "table" || asset.ref.type === "model") && isSound(asset);
}
