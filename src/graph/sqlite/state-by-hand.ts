/** Records what people state about a node and its edges. */
import { transact } from "../../sqlite/database.ts";
import type { CrawlStamp, EdgeWrite, NodeWrite, StatementOutcome } from "../catalog-writes.ts";
import { stampRows } from "./claims.ts";
import type { Statements } from "./statements.ts";
import { findNode } from "./stored-node.ts";
import { writeEdgesOf } from "./write-edges.ts";
import { writeNode } from "./write-nodes.ts";

export function stateByHand(
  sql: Statements,
  stamp: CrawlStamp,
  node: NodeWrite,
  edges: readonly EdgeWrite[],
  expected: "new" | "known",
): StatementOutcome {
  return transact(sql.db, () => {
    const known = findNode(sql, stamp.workspace, node.id);
    if (expected === "new" && known !== undefined) return "exists";
    const stamped = stampRows(sql, stamp, node.id);
    if (expected === "known" && (known === undefined || !isStated(sql, known.seq, stamped.source))) return "missing";
    writeNode(sql, stamp, node.id, stamped, node);
    writeEdgesOf(sql, stamp, stamped, edges);
    sql.run("DELETE FROM edges WHERE source = $source AND sync <> $sync", { ...stamped });
    return "done";
  });
}

function isStated(sql: Statements, node: number, source: number): boolean {
  return sql.get("SELECT 1 FROM claims WHERE node = $node AND source = $source", { node, source }) !== undefined;
}
