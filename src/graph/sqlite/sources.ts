/** What is known of connectors: their scopes, their last runs, and which of them were removed. */
import type { Owner, SourceRows } from "../rows.ts";
import { ownerKey } from "./claims.ts";
import type { Rows } from "./rowids.ts";
import { integer } from "./statements.ts";

export function sourceRows(rows: Rows): SourceRows {
  const { sql } = rows;
  const isRemoved = (owner: Owner): boolean =>
    sql.get(
      "SELECT 1 FROM removed_connectors WHERE workspace = $workspace AND connector = $connector",
      ownerKey(rows, owner),
    ) !== undefined;
  return {
    isRemoved,
    openSource(stamp, scope) {
      const source = rows.source(stamp.connectorId, scope);
      const row = sql.get(stamp.runsByScope === true ? RUN_OF_SCOPE : RUN, { ...ownerKey(rows, stamp), source });
      return { isRemoved: isRemoved(stamp), lastRun: row === undefined ? 0 : integer(row, "run") };
    },
    makeSources(scopes) {
      for (const { connectorId, scope } of scopes) rows.source(connectorId, scope);
    },
    noteRuns(runs) {
      for (const { run, ...owner } of runs) sql.run(NOTE_RUN, { ...ownerKey(rows, owner), run });
    },
    noteScopeRuns(runs) {
      for (const { connectorId, scope, run } of runs) {
        const source = rows.source(connectorId, scope);
        sql.run("UPDATE sources SET run = max(run, $run) WHERE seq = $source", { source, run });
      }
    },
    noteCompleteness(scopes, isComplete) {
      for (const { connectorId, scope } of scopes) {
        const source = rows.source(connectorId, scope);
        sql.run(NOTE_COMPLETENESS, { source, incomplete: Number(!isComplete) });
      }
    },
    markRemoved: (owner) => void sql.run(MARK_REMOVED, ownerKey(rows, owner)),
  };
}

const RUN = "SELECT run FROM runs WHERE workspace = $workspace AND connector = $connector";
const RUN_OF_SCOPE = "SELECT run FROM sources WHERE seq = $source";

const NOTE_RUN = `
  INSERT INTO runs (workspace, connector, run) VALUES ($workspace, $connector, $run)
  ON CONFLICT DO UPDATE SET run = max(run, excluded.run)`;

const NOTE_COMPLETENESS =
  "UPDATE sources SET incomplete = $incomplete WHERE seq = $source AND incomplete <> $incomplete";

const MARK_REMOVED = `
  INSERT INTO removed_connectors (workspace, connector) VALUES ($workspace, $connector) ON CONFLICT DO NOTHING`;
