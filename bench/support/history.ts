/** A made-up history of the models of a hub, written straight into the tables of the history. */
import { nodeId, type NodeRef, toFqn } from "../../src/catalog/identity.ts";
import { toFacts } from "../../src/catalog/statement.ts";
import type { CrawlStamp, GraphWriter, NodeWrite } from "../../src/graph/catalog-writes.ts";
import { openGraphFile } from "../../src/graph/sqlite/schema.ts";
import { type NodeId, toConnectorId, toNodeId, type WorkspaceId } from "../../src/ids.ts";
import { nameOf } from "../../test/support/graph-writes.ts";

/** When the hub was loaded. */
export const BEGIN = "2026-01-01T00:00:00.000Z";

/** Each sync is an hour after the one before it. */
export function timeOfSync(sync: number): string {
  return new Date(Date.parse(BEGIN) + sync * 3_600_000).toISOString();
}

function stampOf(workspace: WorkspaceId, sync: string, at: string): CrawlStamp {
  return {
    workspace,
    connectorId: toConnectorId("bench"),
    connectorName: "bench",
    precedence: 1,
    lineagePrecedence: 1,
    connectorCreatedAt: "",
    syncId: `${workspace} ${sync}`,
    run: 0,
    at,
  };
}

/** Loads models into a scope of their own, in the sync that loads the hub. A later sync can sweep them. */
export async function loadRemovable(graph: GraphWriter, workspace: WorkspaceId, amount: number) {
  const nodes = Array.from({ length: amount }, (_, i): NodeWrite => {
    const parts = ["shop", "old", `old_${i}`];
    const ref: NodeRef = { platform: "postgres", instance: "", type: "model", parts };
    const facts = toFacts({ name: `old_${i}`, fqn: toFqn(ref) });
    return { id: nodeId(nameOf(workspace), ref), type: "model", platform: "postgres", parentId: null, facts };
  });
  await graph.writeNodes(stampOf(workspace, "1", BEGIN), "old", nodes);
  const edges = nodes.slice(1).map((node, i) => {
    return { from: nodes[i]?.id ?? node.id, to: node.id, kind: "derives", uses: [] } as const;
  });
  await graph.writeEdges(stampOf(workspace, "1", BEGIN), "old", edges);
  return {
    sweep: (writer: GraphWriter, at: string) => writer.sweep(stampOf(workspace, "removal", at), "old"),
  };
}

/** What was different before a change: one in four is of SQL. */
function differenceOf(sql: string, change: number): object {
  const digit = sql.indexOf(" > ") + 3;
  const sqlWas = { begin: digit, end: sql.length - digit - 1, text: String(1 + (change % 9)) };
  if (change % 4 === 0) return { sqlWas };
  return change % 2 === 0 ? { tags: [`version-${change % 50}`] } : { description: `Version ${change}, as it was.` };
}

/**
 * Spreads the changes evenly over the models, and the models' changes over the syncs.
 * @returns the models that have SQL, in the order in which they were loaded
 */
export function writeHistory(
  path: string,
  workspace: WorkspaceId,
  { changes, syncs }: { changes: number; syncs: number },
): NodeId[] {
  const db = openGraphFile(path);
  const models = db
    .prepare("SELECT id, key, shown FROM nodes WHERE workspace = ? AND type = 'model' AND parent IS NULL ORDER BY seq")
    .all(workspace)
    .flatMap(({ id, key, shown }) => {
      const { sql }: { sql: string | null } = JSON.parse(String(shown));
      return sql === null ? [] : [{ id: toNodeId(String(id)), key: String(key), sql }];
    });
  db.exec("BEGIN");
  const addMoment = db.prepare("INSERT INTO moments VALUES (?, ?, ?, 'bench', ?, '', 0)");
  for (let sync = 1; sync <= syncs; sync++) addMoment.run(workspace, sync + 1, timeOfSync(sync), `history ${sync}`);
  const keep = db.prepare(
    "INSERT INTO kept_nodes (workspace, id, parent, key, since, until, whole, was) VALUES (?, ?, NULL, ?, ?, ?, 0, ?)",
  );
  const move = db.prepare("UPDATE nodes SET since = ? WHERE workspace = ? AND id = ?");
  for (const [i, { id, key, sql }] of models.entries()) {
    const own = Math.floor(((i + 1) * changes) / models.length) - Math.floor((i * changes) / models.length);
    let since = 1;
    for (let change = 0; change < Math.min(own, syncs); change++) {
      const span = syncs / own;
      const until = 2 + Math.floor(change * span + ((i * 7_919) % Math.max(1, Math.floor(span))));
      keep.run(workspace, id, key, since, until, JSON.stringify(differenceOf(sql, i + change)));
      since = until;
    }
    move.run(since, workspace, id);
  }
  db.exec("COMMIT");
  db.close();
  return models.map(({ id }) => id);
}
