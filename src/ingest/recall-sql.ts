/**
 * What a source does not tell this time is not gone. An asset keeps the SQL that its connector told last: dbt, for example,
 * writes compiled SQL only for the models that its last command selected.
 */
import type { ColumnLineage } from "../catalog/asset.ts";
import { crawlError } from "../catalog/crawl.ts";
import { nodeId, toFqn } from "../catalog/identity.ts";
import type { StatedNode } from "../catalog/layers.ts";
import { DATASET_TYPES } from "../catalog/node-types.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import { listSome } from "../connectors/faults.ts";
import type { NodeId } from "../ids.ts";
import { expandColumns } from "./expand-asset.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";

/** How many nodes are read at once. */
const PAGE = 200;

export async function recallSql(scope: OpenScope, crawl: CrawlParts): Promise<void> {
  const untold = [...scope.unread.values()].filter(({ statement }) => statement.sqlUntold !== undefined);
  if (untold.length === 0) return;
  const told = await loadTold(new Set(untold.map(({ id }) => id)), crawl);
  const [unknown, changed]: [AssetStatement[], AssetStatement[]] = [[], []];
  for (const each of untold) {
    const { id, statement } = each;
    const { facts, sqlUntold: reason = "" } = statement;
    const last = told.get(id);
    if (last === undefined) {
      unknown.push(statement);
      scope.unread.delete(id);
      await writeWithoutSql(statement, { status: "unknown", reason }, scope, crawl);
      continue;
    }
    const { sql, codeHash } = last;
    const isSame = codeHash === (facts.codeHash ?? null);
    if (!isSame) {
      changed.push(statement);
      // Its earlier SQL may read what it does not read any more.
      statement.sourcesComplete = true;
      statement.readsMore = `${reason}, and its code may have changed since an earlier manifest had it`;
      delete facts.codeHash;
      if (codeHash !== null) facts.codeHash = codeHash;
    }
    facts.sql = sql;
    const relation = crawl.relations.get(id);
    if (relation !== undefined) relation.inlinedAs = statement.inlinedAs ?? "";
  }
  report("is not known", unknown, crawl);
  report("may have changed, and is shown as it was", changed, crawl);
}

function report(what: string, statements: readonly AssetStatement[], { errors }: CrawlParts): void {
  const [first] = statements;
  if (first === undefined) return;
  const names = statements.map(({ ref }) => toFqn(ref));
  const message = `The SQL of ${listSome(names)} ${what}: ${first.sqlUntold}.`;
  errors.add(
    crawlError({ code: "sql_untold", message, object: names.length === 1 ? toFqn(first.ref) : "", stage: "resolve" }),
  );
}

/**
 * The SQL that the connector states in the catalog.
 * @param ids of the assets whose SQL is wanted
 */
async function loadTold(
  ids: ReadonlySet<NodeId>,
  { graph, stamp }: CrawlParts,
): Promise<Map<NodeId, Pick<StatedNode, "sql" | "codeHash">>> {
  const query = { connector: { id: stamp.connectorId, name: stamp.connectorName }, types: DATASET_TYPES };
  const told = new Map<NodeId, Pick<StatedNode, "sql" | "codeHash">>();
  for (let after: string | null = null, hasMore = true; hasMore && told.size < ids.size;) {
    const page = await graph.listStatements(stamp.workspace, query, { after, limit: PAGE });
    for (const { id, sql, codeHash } of page.items) if (sql !== null && ids.has(id)) told.set(id, { sql, codeHash });
    after = page.items.at(-1)?.key ?? null;
    ({ hasMore } = page);
  }
  return told;
}

/**
 * Writes the columns of a table or model whose SQL is not read. It waits itself, because the SQL of others may name more of
 * its columns.
 * @param own why its lineage is not known; null if it has no SQL
 */
export async function writeWithoutSql(
  asset: AssetStatement,
  own: ColumnLineage | null,
  scope: OpenScope,
  { workspace, relations }: CrawlParts,
): Promise<void> {
  const id = nodeId(workspace, asset.ref);
  const lineage = own && new Map(asset.columns.map(({ name }) => [fold(name), own]));
  await scope.take(expandColumns(workspace, asset, lineage));
  const relation = relations.get(id);
  if (relation !== undefined) relation.isWritten = true;
  scope.waiting.set(id, { statement: structuredClone(asset), own });
}
