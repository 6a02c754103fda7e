/** Claims: the rows for a connector's scope, for a sync, and for what a connector states about a node. */
import { type ConnectorLayer, isHeld, PEOPLE } from "../../catalog/layers.ts";
import { type NodeId, toConnectorId, type WorkspaceId } from "../../ids.ts";
import type { CrawlStamp, NodeWrite } from "../catalog-writes.ts";
import { overtakenRun } from "../removed-connector.ts";
import { refuseRemoved } from "./refuse-removed.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";

/** The part of a stamp by which its rows are found. */
type WriteStamp = Pick<CrawlStamp, "workspace" | "connectorId" | "syncId" | "run" | "runsByScope">;

/** The rowids under which a stamp's claims in one scope are stored. */
export interface Stamped {
  source: number;
  sync: number;
}

/** A layer with the rowid of its source. */
export interface ClaimedLayer extends ConnectorLayer {
  source: number;
}

/**
 * Finds or makes the rows of a stamp. It must run in the transaction that uses them.
 * @throws AppError `conflict` for a connector that was removed, and for a run that was overtaken
 */
export function stampRows(sql: Statements, stamp: WriteStamp, scope: string): Stamped {
  refuseRemoved(sql, stamp);
  if (stamp.runsByScope !== true) refuseOvertaken(sql, stamp);
  const source = { workspace: stamp.workspace, connector: stamp.connectorId, scope };
  sql.run(
    `INSERT INTO sources (workspace, connector, scope) VALUES ($workspace, $connector, $scope) ON CONFLICT DO NOTHING`,
    source,
  );
  const row = sql.get(
    "SELECT seq, run FROM sources WHERE workspace = $workspace AND connector = $connector AND scope = $scope",
    source,
  );
  if (row === undefined) throw new Error("the row of a scope was not stored");
  const stamped = { source: integer(row, "seq"), sync: syncRow(sql, stamp.syncId) };
  if (stamp.runsByScope === true) noteRunOfScope(sql, stamped.source, { known: integer(row, "run"), run: stamp.run });
  return stamped;
}

/** Finds or makes the row of a sync. */
export function syncRow(sql: Statements, id: string): number {
  sql.run("INSERT INTO syncs (id) VALUES ($id) ON CONFLICT DO NOTHING", { id });
  const row = sql.get("SELECT seq FROM syncs WHERE id = $id", { id });
  if (row === undefined) throw new Error("the row of a sync was not stored");
  return integer(row, "seq");
}

/** @throws AppError `conflict` if a later run has written in the scope */
function noteRunOfScope(sql: Statements, source: number, { known, run }: { known: number; run: number }): void {
  if (known > run) throw overtakenRun();
  if (known < run) sql.run("UPDATE sources SET run = $run WHERE seq = $source", { source, run });
}

/** @throws AppError `conflict` if a later run of the connector has written */
function refuseOvertaken(sql: Statements, { workspace, connectorId, run }: WriteStamp): void {
  if (run === 0) return;
  const latest = sql.get("SELECT run FROM runs WHERE workspace = $workspace AND connector = $connectorId", {
    workspace,
    connectorId,
  });
  const known = latest === undefined ? 0 : integer(latest, "run");
  if (known > run) throw overtakenRun();
  if (known === run) return;
  sql.run(
    `INSERT INTO runs (workspace, connector, run) VALUES ($workspace, $connectorId, $run)
     ON CONFLICT DO UPDATE SET run = excluded.run`,
    { workspace, connectorId, run },
  );
}

/** The part of a layer in `claims.layer`. The rest is in `sources`. */
type LayerText = Omit<ConnectorLayer, "connectorId" | "scope">;

/** The first characters of what `layerText` writes for a connector of this name. */
export function namePrefix(connectorName: string): string {
  return `{"connectorName":${JSON.stringify(connectorName)},`;
}

export function layerText(
  stamp: Pick<CrawlStamp, "connectorName" | "precedence" | "lineagePrecedence" | "connectorCreatedAt">,
  { type, existence = "held", facts }: Pick<NodeWrite, "type" | "existence" | "facts">,
): string {
  const { connectorName, precedence, lineagePrecedence, connectorCreatedAt } = stamp;
  const layer: LayerText = {
    connectorName,
    precedence,
    lineagePrecedence,
    connectorCreatedAt,
    type,
    existence,
    facts,
  };
  return JSON.stringify(layer);
}

/** What one connector states about a node, one layer for each scope. */
export function layersFrom(sql: Statements, workspace: WorkspaceId, node: NodeId, connector: string): ConnectorLayer[] {
  return sql
    .all(
      `SELECT s.connector, s.scope, c.source, c.layer FROM nodes AS n CROSS JOIN claims AS c ON c.node = n.seq
       CROSS JOIN sources AS s ON s.seq = c.source
       WHERE n.workspace = $workspace AND n.id = $node AND s.connector = $connector`,
      { workspace, node, connector },
    )
    .map(toLayer);
}

/** What all connectors state about a node. */
export function layersOf(sql: Statements, node: number): ClaimedLayer[] {
  return sql
    .all(
      `SELECT s.connector, s.scope, c.source, c.layer FROM claims AS c CROSS JOIN sources AS s ON s.seq = c.source
       WHERE c.node = $node`,
      { node },
    )
    .map(toLayer);
}

function toLayer(row: Row): ClaimedLayer {
  return parseLayer(text(row, "layer"), {
    connectorId: toConnectorId(text(row, "connector")),
    scope: text(row, "scope"),
    source: integer(row, "source"),
  });
}

/** @param layer as `layerText` wrote it */
export function parseLayer(layer: string, whose: Pick<ClaimedLayer, "connectorId" | "scope" | "source">): ClaimedLayer {
  return { ...(JSON.parse(layer) as LayerText), ...whose };
}

/** The rowid of the set of sources that state the node. People have no crawls, so they are in no set. */
export function holderSet(sql: Statements, layers: readonly ClaimedLayer[]): number {
  const holders = layers.filter((layer) => isHeld(layer) && layer.connectorId !== PEOPLE).map(({ source }) => source);
  const sources = JSON.stringify(holders.toSorted((a, b) => a - b));
  const find = () => sql.get("SELECT seq FROM holder_sets WHERE sources = $sources", { sources });
  const known = find();
  if (known !== undefined) return integer(known, "seq");
  sql.run("INSERT INTO holder_sets (sources) VALUES ($sources)", { sources });
  const made = find();
  if (made === undefined) throw new Error("a set of holders was not stored");
  return integer(made, "seq");
}
