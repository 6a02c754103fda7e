/**
 * A small warehouse in which a change spreads in every way: by copies, sums and filters, through a metric, through SQL
 * that could not be read, and by tools that only report assets.
 */
import type { ColumnLineage } from "../../src/catalog/asset.ts";
import type { ColumnUse } from "../../src/catalog/edge.ts";
import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../../src/ids.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "./graph-writes.ts";

const known: ColumnLineage = { status: "known", reason: "" };
const unread: ColumnLineage = { status: "unknown", reason: "the SQL could not be parsed" };

const used = (transformation: ColumnUse["transformation"], expression: string): ColumnUse[] => {
  const kind = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"].includes(transformation) ? "DIRECT" : "INDIRECT";
  return [{ kind, transformation, expression }];
};

export type PaymentsCatalog = Awaited<ReturnType<typeof writePaymentsCatalog>>;

/** Returns the ids. */
export async function writePaymentsCatalog(graph: CatalogGraph, workspace: WorkspaceId) {
  const node = (type: "table" | "model" | "dashboard" | "pipeline", fqn: string, facts = {}) =>
    nodeOf(workspace, type, fqn, facts);
  const payments = node("table", "raw.payments");
  const amount = columnOf(workspace, payments, "amount", 0, { dataType: "integer" });
  const note = columnOf(workspace, payments, "note", 1, { dataType: "text" });
  const unused = columnOf(workspace, payments, "unused", 2, { dataType: "text" });
  const staged = node("model", "staging.stg_payments", { columnLineage: known, owner: "stage@example.com" });
  const stagedAmount = columnOf(workspace, staged, "amount", 0, { columnLineage: known });
  const legacy = node("model", "old.legacy", { columnLineage: unread, ownerName: "Nobody knows" });
  const legacyTotal = columnOf(workspace, legacy, "total", 0, { columnLineage: unread });
  const facts = node("model", "marts.fct_revenue", { columnLineage: known, owner: "Stage@Example.com" });
  const total = columnOf(workspace, facts, "total", 0, { columnLineage: known });
  const revenue = nodeOf(workspace, "metric", "revenue", {
    certification: "certified",
    columnLineage: known,
    owner: "cfo@example.com",
    metric: {
      displayName: "Revenue",
      kind: "simple",
      expression: "sum(total)",
      grain: "",
      dimensions: [],
      filters: [],
    },
  });
  const board = node("dashboard", "finance.board", { owner: "cfo@example.com" });
  const oldBoard = node("dashboard", "finance.old_board");
  const feed = node("pipeline", "crm.feed");

  const stamp = stampOf(workspace, "payments", 1);
  const nodes = { payments, amount, note, unused, staged, stagedAmount, legacy, legacyTotal, facts, total };
  const others = { revenue, board, oldBoard, feed };
  await graph.writeNodes(stamp, "all", [...Object.values(nodes), ...Object.values(others)]);
  await graph.writeEdges(stamp, "all", [
    edgeOf(payments, staged, "derives"),
    edgeOf(amount, stagedAmount, "derives", used("IDENTITY", "amount")),
    edgeOf(note, stagedAmount, "derives", used("FILTER", "note <> 'test'")),
    edgeOf(payments, legacy, "derives"),
    edgeOf(legacy, oldBoard, "powers"),
    edgeOf(staged, facts, "derives"),
    edgeOf(stagedAmount, total, "derives", used("AGGREGATION", "sum(amount)")),
    edgeOf(facts, revenue, "defines"),
    edgeOf(total, revenue, "defines", used("AGGREGATION", "sum(total)")),
    edgeOf(revenue, board, "powers"),
    edgeOf(facts, feed, "exports"),
  ]);
  return Object.fromEntries(Object.entries({ ...nodes, ...others }).map(([name, { id }]) => [name, id])) as Record<
    keyof typeof nodes | keyof typeof others,
    NodeId
  >;
}
