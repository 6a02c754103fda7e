/** Records which columns the SQL of assets names. */
import { canReference, type Reference } from "../../catalog/reference.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import { inChunks } from "./chunks.ts";
import { type Stamped, stampRows } from "./claims.ts";
import type { Statements } from "./statements.ts";
import { heldEnds } from "./write-edges.ts";

/** About 10 ms of work. A writer in another process has to wait that long. */
const CHUNK = 1_000;

export function writeReferences(
  sql: Statements,
  stamp: CrawlStamp,
  scope: string,
  references: readonly Reference[],
): Reference[] {
  const refused: Reference[] = [];
  inChunks(sql.db, references, CHUNK, (chunk) => {
    refused.push(...writeReferencesOf(sql, stamp, stampRows(sql, stamp, scope), chunk));
  });
  return refused;
}

/** Must run in a transaction. Returns the references that were refused. */
export function writeReferencesOf(
  sql: Statements,
  stamp: Pick<CrawlStamp, "workspace" | "connectorId">,
  stamped: Stamped,
  references: readonly Reference[],
): Reference[] {
  const held = heldEnds(sql, stamp, references);
  return references.filter((reference) => {
    const [from, to] = [held.get(reference.from), held.get(reference.to)];
    if (from === undefined || to === undefined || !canReference(from.type, to.type)) return true;
    sql.run(
      `INSERT INTO column_references (from_node, to_node, source, shown, sync) VALUES ($from, $to, $source, $shown, $sync)
       ON CONFLICT (from_node, to_node, source) DO UPDATE SET shown = excluded.shown, sync = excluded.sync`,
      { from: from.seq, to: to.seq, shown: Number(to.isLineageOwner), ...stamped },
    );
    return false;
  });
}
