/** Reads the SQL of a scope's assets, and writes the assets with their columns and the edges into these. */
import { carriesValues } from "../catalog/edge.ts";
import { toFqn } from "../catalog/identity.ts";
import type { ColumnLineage } from "../catalog/asset.ts";
import { crawlError } from "../catalog/crawl.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { EdgeWrite } from "../graph/catalog-writes.ts";
import { readAhead } from "../work/read-ahead.ts";
import { type AssetLineage, NOT_YIELDED } from "./column-lineage.ts";
import type { ErrorList } from "./error-list.ts";
import { expandColumns, expandOwn } from "./expand-asset.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";
import { readScope } from "./scope-lineage.ts";

/** A message names at most this many columns. */
const MAX_NAMED = 5;

export async function readSql(scope: OpenScope, crawl: CrawlParts): Promise<void> {
  const total = scope.unread.size;
  let done = 0;
  const onRead = (count: number): void => crawl.onReading((done += count), total);
  if (total > 0) onRead(0);
  // SQL is read in other threads than the graph is written.
  for await (const slice of readAhead(readScope([...scope.unread.values()], { ...crawl, onRead }))) {
    for (const lineage of slice) await writeRead(lineage, scope, crawl);
    await scope.writeFull();
  }
  scope.withSql = [...scope.unread.keys()];
  scope.unread.clear();
}

/** Writes an asset whose SQL was read, and the edges of its columns. */
async function writeRead(read: AssetLineage, scope: OpenScope, crawl: CrawlParts): Promise<void> {
  const { workspace, relations, errors } = crawl;
  const lineage = read.statement.columnsTraced === undefined ? read : besideTraced(read);
  const { id, statement, own, columns, found } = lineage;
  reportLeftOut(statement, read.leftOut, read.incomplete === null, errors);
  reportNotYielded(statement, columns, errors);
  await scope.take(expandColumns(workspace, statement, columns));
  const isListed = relations.get(id)?.completeness === "all";
  if (isListed) await scope.take(expandOwn(workspace, statement, own));
  else scope.waiting.set(id, { statement, own });
  const object = toFqn(statement.ref);
  const named = isListed ? lineage.named : lineage.named.map((column) => ({ ...column, late: true }));
  scope.addLineage({ ...lineage, named }, id, { name: `into a column of ${object}`, object });
  for (const from of found) {
    scope.lateEdges.push({ write: { from, to: id, kind: "derives", uses: [] }, name: `derives ${object}`, object });
  }
  if (lineage.incomplete !== null) scope.partlyRead.push(lineage);
}

type Added = Omit<AssetLineage, "own" | "columns"> & Record<"own" | "columns", null>;

/** If its source says what its columns come from, the SQL only adds which columns it names and how it chooses rows. */
function besideTraced(read: AssetLineage): Added {
  const [edges, lateEdges] = [read.edges.filter(isAdded), read.lateEdges.filter(isAdded)];
  return { ...read, own: null, columns: null, edges, lateEdges, found: [], incomplete: null };
}

function isAdded({ uses }: EdgeWrite): boolean {
  return !carriesValues(uses);
}

/**
 * Reports columns that people documented and that do not exist.
 * @param isRead whether all columns that its SQL yields are known
 */
export function reportLeftOut(
  { ref, columnsSeen = false }: AssetStatement,
  names: readonly string[],
  isRead: boolean,
  errors: Pick<ErrorList, "add">,
): void {
  if (names.length === 0) return;
  const object = toFqn(ref);
  const lists = [...(columnsSeen ? ["the warehouse"] : []), ...(isRead ? ["its SQL"] : [])];
  const message = `${object} documents ${names.join(", ")}, which ${lists.join(" and ")} ${lists.length > 1 ? "do" : "does"} not have; left out.`;
  errors.add(crawlError({ code: "unknown_column", message, object, stage: "resolve", severity: "warning" }));
}

function reportNotYielded(
  statement: AssetStatement,
  columns: ReadonlyMap<string, ColumnLineage> | null,
  errors: ErrorList,
): void {
  const names = statement.columns.filter(({ name }) => columns?.get(fold(name))?.reason === NOT_YIELDED);
  if (names.length === 0) return;
  const object = toFqn(statement.ref);
  const listed = names.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = names.length > listed.length ? ` and ${names.length - listed.length} more` : "";
  const message =
    `${object} had ${listed.join(", ")}${more} when the warehouse was read, and its SQL does not yield them: ` +
    "the SQL is newer (for dbt, than catalog.json), or the table still has columns of older SQL.";
  errors.add(crawlError({ code: "stale_columns", message, object, stage: "resolve", severity: "warning" }));
}

/** How many nodes are read at once. */
const BATCH = 200;

/**
 * Reports assets that show another connector's lineage instead of this one's. Two connectors of one type should not state one asset, so people do not
 * expect that one hides the other.
 */
export async function reportHiddenLineage({ withSql }: OpenScope, crawl: CrawlParts): Promise<void> {
  const { graph, stamp, peers, errors } = crawl;
  for (let start = 0; peers.size > 0 && start < withSql.length; start += BATCH) {
    const nodes = await graph.loadNodes(stamp.workspace, withSql.slice(start, start + BATCH));
    for (const node of nodes) {
      if (node === null || !peers.has(node.lineageConnector)) continue;
      const { fqn: object, lineageConnector } = node;
      const message = `${object} is also built by ${lineageConnector}, whose SQL and lineage are shown: it is the older connector.`;
      errors.add(crawlError({ code: "lineage_of_another", message, object, stage: "resolve", severity: "warning" }));
    }
  }
}
