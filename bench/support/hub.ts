/**
 * A hub: one table from which many models are built, directly or in chains of several levels, each with its own
 * columns.
 */
import type { ColumnLineage } from "../../src/catalog/asset.ts";
import { columnRef, nodeId, type NodeRef, toFqn } from "../../src/catalog/identity.ts";
import type { Reference } from "../../src/catalog/reference.ts";
import { type NodeFacts, toFacts } from "../../src/catalog/statement.ts";
import type { EdgeWrite, GraphWriter, NodeWrite } from "../../src/graph/catalog-writes.ts";
import { type NodeId, toConnectorId, type WorkspaceId } from "../../src/ids.ts";
import { nameOf } from "../../test/support/graph-writes.ts";

const COLUMNS = ["id", "amount"];
const BATCH = 500;
/** As long as a real model's SQL. */
const SQL = `select id, sum(amount) as amount from source where amount > 0 group by 1 -- ${"x".repeat(1_000)}`;

interface Hub {
  workspace: WorkspaceId;
  table: NodeId;
  /** One of its columns, from which all others are made if that is known. */
  column: NodeId;
}

/**
 * known: each column is computed from the one upstream. copied: each column is an unchanged copy, and each model's SQL
 * names what it copies. unknown: only the models are known to be connected.
 */
export type HubLineage = "known" | "copied" | "unknown";

const USES = {
  known: { kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(amount)" },
  copied: { kind: "DIRECT", transformation: "IDENTITY", expression: "amount" },
} as const;

export async function loadHub(
  graph: GraphWriter,
  options: { workspace: WorkspaceId; assets: number; levels: number; lineage: HubLineage },
): Promise<Hub> {
  const { workspace, assets, levels, lineage } = options;
  const nodes: NodeWrite[] = [];
  const edges: EdgeWrite[] = [];
  const references: Reference[] = [];
  const add = (ref: NodeRef, parentId: NodeId | null, facts: Partial<NodeFacts>): NodeId => {
    const id = nodeId(nameOf(workspace), ref);
    const fqn = toFqn(ref);
    const { type, platform } = ref;
    nodes.push({ id, type, platform, parentId, facts: toFacts({ ...facts, name: ref.parts.at(-1) ?? "", fqn }) });
    return id;
  };
  const lay = (name: string, facts: Partial<NodeFacts>): [id: NodeId, columns: NodeId[]] => {
    const ref: NodeRef = { platform: "postgres", instance: "", type: "model", parts: ["shop", "marts", name] };
    const id = add(ref, null, facts);
    const { columnLineage = null } = facts;
    return [id, COLUMNS.map((column, ordinal) => add(columnRef(ref, column), id, { ordinal, columnLineage }))];
  };

  const hub = lay("hub", {});
  let above = [hub];
  for (let level = 0; level < levels; level++) {
    above = Array.from({ length: Math.ceil(assets / levels) }, (_, i) => {
      const owner = `team-${i % 50}@example.com`;
      const columnLineage: ColumnLineage =
        lineage === "unknown" ? { status: "unknown", reason: "could not parse" } : { status: "known", reason: "" };
      const [id, columns] = lay(`m${level}_${i}`, { sql: SQL, owner, columnLineage });
      const [source, from] = above[i % above.length] ?? hub;
      edges.push({ from: source, to: id, kind: "derives", uses: [] });
      if (lineage === "unknown") return [id, columns];
      columns.forEach((to, place) => {
        const column = from[place] ?? source;
        edges.push({ from: column, to, kind: "derives", uses: [USES[lineage]] });
        if (lineage === "copied") references.push({ from: column, to: id });
      });
      return [id, columns];
    });
  }
  const stamp = {
    workspace,
    connectorId: toConnectorId("bench"),
    connectorName: "bench",
    precedence: 1,
    lineagePrecedence: 1,
    connectorCreatedAt: "",
    syncId: `${workspace} 1`,
    run: 0,
    at: "2026-01-01T00:00:00.000Z",
  };
  for (let at = 0; at < nodes.length; at += BATCH) await graph.writeNodes(stamp, "bench", nodes.slice(at, at + BATCH));
  for (let at = 0; at < edges.length; at += BATCH) await graph.writeEdges(stamp, "bench", edges.slice(at, at + BATCH));
  for (let at = 0; at < references.length; at += BATCH) {
    await graph.writeReferences(stamp, "bench", references.slice(at, at + BATCH));
  }
  return { workspace, table: hub[0], column: hub[1][1] ?? hub[0] };
}
