/** The steps of an asset when it is stated. Each returns the asset for the next step. */
import { nodeId } from "../catalog/identity.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { boundStatement } from "./bound-statement.ts";
import { expandColumns, expandOwn, isSound } from "./expand-asset.ts";
import { toKnownRelation } from "./known-relations.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";

export function limitSize(given: AssetStatement, _: OpenScope, { errors }: CrawlParts): AssetStatement {
  const { statement, errors: cut } = boundStatement(given);
  for (const error of cut) errors.add(error);
  return statement;
}

/** Notes the asset and its columns. What was stated of it before in this scope no longer counts. */
export function registerAsset(asset: AssetStatement, scope: OpenScope, crawl: CrawlParts): AssetStatement {
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
export async function keepOrWrite(
  asset: AssetStatement,
  scope: OpenScope,
  { workspace, relations }: CrawlParts,
): Promise<AssetStatement> {
  const { ref, facts, reads = [], queries = [] } = asset;
  const id = nodeId(workspace, ref);
  if (isSoundRelation(asset) && (facts.sql ?? null) !== null) {
    scope.unread.set(id, { id, statement: structuredClone(asset), parents: new Set() });
  } else if (isSoundRelation(asset)) {
    // The relation itself waits, because the SQL of other assets may name more of its columns.
    await scope.take(expandColumns(workspace, asset, null));
    const relation = relations.get(id);
    if (relation !== undefined) relation.isWritten = true;
    scope.waiting.set(id, { statement: structuredClone(asset), own: null });
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
