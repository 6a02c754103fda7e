/** Records what people state about a node of their own. */
import { transact } from "../../sqlite/database.ts";
import type { CrawlStamp, HandStatement, StatementOutcome } from "../catalog-writes.ts";
import { stampRows } from "./claims.ts";
import type { Statements } from "./statements.ts";
import { findNode } from "./stored-node.ts";
import { sweepChunk } from "./sweep.ts";
import { writeEdgesOf } from "./write-edges.ts";
import { lastOfEach, writeNode } from "./write-nodes.ts";

export function stateByHand(
  sql: Statements,
  stamp: CrawlStamp,
  { node, named, edges }: HandStatement,
  expected: "new" | "known",
): StatementOutcome {
  return transact(sql.db, () => {
    const known = findNode(sql, stamp.workspace, node.id);
    if (expected === "new" && known?.shown.existence === "held") return "exists";
    const stamped = stampRows(sql, stamp, node.id);
    if (expected === "known" && (known === undefined || !isStated(sql, known.seq, stamped.source))) return "missing";
    for (const write of lastOfEach([...named, node])) writeNode(sql, stamp, node.id, stamped, write);
    writeEdgesOf(sql, stamp, stamped, edges);
    while (!sweepChunk(sql, stamp, stamped).done) {
      // One transaction, so that nobody sees a part of the statement.
    }
    return "done";
  });
}

function isStated(sql: Statements, node: number, source: number): boolean {
  return sql.get("SELECT 1 FROM claims WHERE node = $node AND source = $source", { node, source }) !== undefined;
}
