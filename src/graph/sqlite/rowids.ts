/** Finds the rowids of nodes, sources and syncs, which all tables use instead of texts. */
import type { ConnectorId, NodeId, WorkspaceId } from "../../ids.ts";
import type { Stated } from "../graph-copy.ts";
import type { Author, Moment } from "../history/moments.ts";
import { openMoment } from "./moments.ts";
import { integer, type Row, type Statements } from "./statements.ts";

/** A transaction on the rows of one workspace. It remembers rowids, which may be others in the next transaction. */
export interface Rows {
  sql: Statements;
  workspace: WorkspaceId;
  /** The rowids of nodes that were read or written. */
  nodes: Map<NodeId, number>;
  /** Undefined if the node is not visible. */
  node: (id: NodeId) => number | undefined;
  /** Finds or makes the row of a connector's scope. */
  source: (connector: ConnectorId, scope: string) => number;
  /** Finds or makes the row of a sync. */
  sync: (id: string) => number;
  /** As in `HistoryRows`. */
  openMoment: () => Moment;
}

/** @param author who writes; null for a copy, which brings its history along */
export function createRows(sql: Statements, workspace: WorkspaceId, author: Author | null): Rows {
  const nodes = new Map<NodeId, number>();
  const sources = new Map<ConnectorId, Map<string, number>>();
  const syncs = new Map<string, number>();
  let moment: Moment | undefined;
  return {
    sql,
    workspace,
    nodes,
    node(id) {
      const known = nodes.get(id);
      if (known !== undefined) return known;
      const row = sql.get("SELECT seq FROM nodes WHERE workspace = $workspace AND id = $id", { workspace, id });
      return row === undefined ? undefined : integer(row, "seq");
    },
    source(connector, scope) {
      const own = sources.getOrInsertComputed(connector, () => new Map<string, number>());
      return own.getOrInsertComputed(scope, () => {
        const key = { workspace, connector, scope };
        sql.run(MAKE_SOURCE, key);
        return seqOf(sql.get(FIND_SOURCE, key));
      });
    },
    sync: (id) =>
      syncs.getOrInsertComputed(id, () => {
        sql.run("INSERT INTO syncs (id) VALUES ($id) ON CONFLICT DO NOTHING", { id });
        return seqOf(sql.get("SELECT seq FROM syncs WHERE id = $id", { id }));
      }),
    openMoment() {
      if (author === null) throw new Error("a copy makes no moments");
      return (moment ??= openMoment(sql, workspace, author));
    },
  };
}

const MAKE_SOURCE = `
  INSERT INTO sources (workspace, connector, scope) VALUES ($workspace, $connector, $scope) ON CONFLICT DO NOTHING`;
const FIND_SOURCE =
  "SELECT seq FROM sources WHERE workspace = $workspace AND connector = $connector AND scope = $scope";

function seqOf(row: Row | undefined): number {
  if (row === undefined) throw new Error("a row was not stored");
  return integer(row, "seq");
}

/** The rowids of a statement's source and sync. */
export function stampOf(rows: Rows, { connectorId, scope, syncId }: Stated): { source: number; sync: number } {
  return { source: rows.source(connectorId, scope), sync: rows.sync(syncId) };
}
