/** All writes, by name, for the thread that writes. */
import type { WorkspaceId } from "../../ids.ts";
import { flush, transact } from "../../sqlite/database.ts";
import type { CrawlLosses, CrawlStamp, CrawlTally, GraphWriter } from "../catalog-writes.ts";
import { copyIn } from "../core/copy-in.ts";
import { markIncomplete } from "../core/open-source.ts";
import { certify, curate, stateByHand } from "../core/people.ts";
import { renameConnector } from "../core/rename-connector.ts";
import { removeStep, sweepStep } from "../core/sweep.ts";
import { writeChecks } from "../core/write-checks.ts";
import { writeEdges, writeReferences } from "../core/write-edges.ts";
import { lastOfEach, writeNodes } from "../core/write-nodes.ts";
import type { CopyPart, CopyRows } from "../graph-copy.ts";
import { authorOf, personAt } from "../history/moments.ts";
import type { RowStore } from "../rows.ts";
import { sweepHistory } from "./history.ts";
import { type PackedEdges, unpackEdges } from "./packed-edges.ts";
import { loadNodes } from "./read-nodes.ts";
import { integer, type Statements, text } from "./statements.ts";
import { write, writeChunks, type Writer, writeSteps } from "./transactions.ts";

/**
 * About 50 ms of work. A writer in another process has to wait that long. More at once cost less: each transaction
 * writes the pages of the indexes again.
 */
const NODES = 500;
/** About 10 ms of work. */
const EDGES = 1_000;
/** About 4 ms of work. */
const CHECKS = 50;
/** Steps of a removal or a renaming, of about 4 ms each. Other writers of this process wait for all of them. */
const STEPS = 20;

export interface GraphWrites extends Omit<GraphWriter, "writeEdges"> {
  /** Returns the positions of the edges that were refused. */
  writeEdges: (stamp: CrawlStamp, scope: string, edges: PackedEdges) => Promise<number[]>;
  claim: (owner: string) => string;
  copyIn: (workspace: WorkspaceId, part: CopyPart, rows: readonly CopyRows[CopyPart][]) => Promise<number>;
}

export function createWrites(sql: Statements): GraphWrites {
  const inChunks = <T, R>(
    stamp: CrawlStamp,
    items: readonly T[],
    size: number,
    work: (store: RowStore, chunk: readonly T[]) => Promise<R>,
  ): Promise<R[]> => writeChunks(sql, byStamp(stamp), { items, size }, work);
  return {
    async writeNodes(stamp, scope, nodes) {
      await inChunks(stamp, lastOfEach(nodes), NODES, (store, chunk) => writeNodes(store, stamp, scope, chunk));
    },
    async writeEdges(stamp, scope, packed) {
      const edges = unpackEdges(packed);
      const isRecorded = await inChunks(stamp, edges, EDGES, (store, chunk) => writeEdges(store, stamp, scope, chunk));
      return isRecorded.flat().flatMap((is, index) => (is ? [] : [index]));
    },
    async writeReferences(stamp, scope, items) {
      const isRecorded = await inChunks(stamp, items, EDGES, (store, chunk) =>
        writeReferences(store, stamp, scope, chunk),
      );
      const recorded = isRecorded.flat();
      return items.filter((_, i) => recorded[i] !== true);
    },
    async writeChecks(stamp, scope, checks) {
      await inChunks(stamp, lastOfEach(checks), CHECKS, (store, chunk) => writeChecks(store, stamp, scope, chunk));
    },
    async sweep(stamp, scope) {
      const { removed } = await writeSteps(sql, byStamp(stamp), (store) => sweepStep(store, stamp, scope));
      return { removed };
    },
    markIncomplete: (stamp, scope) => write(sql, byStamp(stamp), (store) => markIncomplete(store, stamp, scope)),
    listScopes: async (...args) => listScopes(sql, ...args),
    countLosses: async (...args) => countLosses(sql, ...args),
    async tally(...args) {
      flush(sql.db);
      return tally(sql, ...args);
    },
    async renameConnector(stamp, after) {
      let next = after;
      for (let step = 0; step < STEPS; step++) {
        const from = next;
        next = await write(sql, byStamp(stamp), (store) => renameConnector(store, stamp, from));
        if (next === null) return null;
      }
      return next;
    },
    removeConnector: (stamp) => writeSteps(sql, byStamp(stamp), (store) => removeStep(store, stamp), STEPS),
    curate: (workspace, id, change, edit, seen) =>
      write(sql, { workspace, author: personAt(edit.by, edit.at) }, async (store) => {
        const isThere = await curate(store, id, change, edit, seen);
        return isThere ? (loadNodes(sql, workspace, [id])[0] ?? null) : null;
      }),
    stateByHand: (stamp, ...args) => write(sql, byStamp(stamp), (store) => stateByHand(store, stamp, ...args)),
    certify: (workspace, id, change) =>
      write(sql, { workspace, author: personAt(change.step?.actor ?? "", change.at) }, (store) =>
        certify(store, id, change),
      ),
    claim: (owner) => claim(sql, owner),
    async copyIn(workspace, part, items) {
      const refused = await writeChunks(sql, { workspace, author: null }, { items, size: CHECKS }, (store, chunk) =>
        // The rows are those of the part.
        copyIn(store, workspace, part, chunk as never),
      );
      flush(sql.db);
      return refused.reduce((sum, each) => sum + each, 0);
    },
    sweepHistory: async (...args) => transact(sql.db, () => sweepHistory(sql, ...args), { flushes: false }),
    checkWrites: async () => flush(sql.db),
  };
}

function byStamp(stamp: CrawlStamp): Writer {
  return { workspace: stamp.workspace, author: authorOf(stamp) };
}

/**
 * Counts the result of one crawl. A statement that only names a node may change what is shown of a node that the sync
 * states in another scope.
 */
function tally(sql: Statements, stamp: CrawlStamp): CrawlTally {
  const row = sql.get(
    `SELECT count(*) AS discovered, coalesce(sum(changed), 0) AS updated FROM (
       SELECT max(c.held) AS held, max(c.changed_by IS c.sync) AS changed
       FROM sources AS s CROSS JOIN claims AS c ON c.source = s.seq CROSS JOIN nodes AS n ON n.seq = c.node
       WHERE s.workspace = $workspace AND s.connector = $connector
         AND c.sync = (SELECT seq FROM syncs WHERE id = $sync) AND n.type <> 'metric'
       GROUP BY c.node
     ) WHERE held`,
    { workspace: stamp.workspace, connector: stamp.connectorId, sync: stamp.syncId },
  );
  return row === undefined
    ? { discovered: 0, updated: 0 }
    : { discovered: integer(row, "discovered"), updated: integer(row, "updated") };
}

/**
 * Notes which metadata store the graph belongs to, if it belongs to none yet. Two services with different metadata
 * stores would write to the same nodes.
 * @param owner the id of the metadata store
 * @returns the id of the one that it belongs to
 */
function claim({ db }: Pick<Statements, "db">, owner: string): string {
  return transact(db, () => {
    db.prepare("INSERT INTO owner (id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM owner)").run(owner);
    return String(db.prepare("SELECT id FROM owner").get()?.["id"]);
  });
}

const OWN = `FROM sources AS s CROSS JOIN claims AS c ON c.source = s.seq CROSS JOIN nodes AS n ON n.seq = c.node
  WHERE s.workspace = $workspace AND s.connector = $connector AND c.held AND n.parent IS NULL`;

/** Lists a scope even if everything in it was removed. */
function listScopes(sql: Statements, { workspace, connectorId: connector }: CrawlStamp): string[] {
  const scopes = "SELECT scope FROM sources WHERE workspace = $workspace AND connector = $connector ORDER BY scope";
  return sql.all(scopes, { workspace, connector }).map((row) => text(row, "scope"));
}

/** Most crawls lose nothing. That is found out without reading what they have seen. */
function countLosses(sql: Statements, stamp: CrawlStamp, scopes: readonly string[]): CrawlLosses {
  const own = {
    workspace: stamp.workspace,
    connector: stamp.connectorId,
    sync: stamp.syncId,
    scopes: JSON.stringify(scopes),
  };
  const ofSync = "(SELECT seq FROM syncs WHERE id = $sync)";
  const swept = "s.scope IN (SELECT value FROM json_each($scopes))";
  const unseen = (bound: string): string => `SELECT 1 ${OWN} AND ${swept} AND c.sync ${bound} ${ofSync}`;
  if (sql.get(`${unseen("<")} UNION ALL ${unseen(">")} LIMIT 1`, own) === undefined) return { known: 0, lost: 0 };
  const row = sql.get(
    `SELECT count(*) AS known, coalesce(sum(NOT kept), 0) AS lost FROM (
       SELECT max(c.first_sync <> ${ofSync}) AS known, max(c.sync = ${ofSync} OR NOT ${swept}) AS kept
       ${OWN} GROUP BY c.node
     ) WHERE known`,
    own,
  );
  const lost = row === undefined ? 0 : integer(row, "lost");
  return row === undefined || lost === 0 ? { known: 0, lost: 0 } : { known: integer(row, "known"), lost };
}
