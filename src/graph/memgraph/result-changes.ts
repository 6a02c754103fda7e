/** Keeps how the results of checks changed: one `:ResultChange` for each check and moment. See `HistoryRows`. */
import { int } from "neo4j-driver";

import type { ResultChange } from "../../catalog/changes/result-change.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { HistoryRows } from "../rows.ts";
import type { Row, Run } from "./bolt.ts";
import { keyOf } from "./claims.ts";
import { columns } from "./columns.ts";
import { endText } from "./moment-texts.ts";
import { deleteCypher } from "./stated-nodes.ts";
import * as read from "./values.ts";

export const RESULT_CHANGE = columns(
  {
    moment: read.integer,
    check: read.text,
    node: read.nodeId,
    change: read.json<Omit<ResultChange, "moment" | "check" | "node">>,
  },
  { check: (r) => `${r}.checkId`, node: (r) => `${r}.nodeId` },
);

/** A row replaces all earlier properties. */
export const SAVE_RESULT_CHANGES = `
UNWIND $rows AS row
MERGE (r:ResultChange {id: row.id, workspace: row.workspace})
SET r = row`;

export const RESULT_CHANGES_BY_ID = `
UNWIND $ids AS id
MATCH (r:ResultChange {id: id})
WHERE r.workspace = $workspace
RETURN r.id AS id, r.checkId AS checkId`;

export function resultChangeRows(
  run: Run,
  workspace: WorkspaceId,
): Pick<HistoryRows, "saveResultChanges" | "dropResultChanges"> {
  return {
    async saveResultChanges(changes) {
      if (changes.length === 0) return;
      const rows = changes.map(({ moment, check, node, ...change }) => ({
        id: keyOf(workspace, check, String(moment)),
        workspace,
        checkId: check,
        nodeId: node,
        moment: int(moment),
        endsAt: endText(workspace, moment),
        change: JSON.stringify(change),
      }));
      await run(SAVE_RESULT_CHANGES, { rows });
    },
    async dropResultChanges(checks, moment) {
      const ids = checks.map((check) => keyOf(workspace, check, String(moment)));
      const found = await run(RESULT_CHANGES_BY_ID, { workspace, ids });
      if (found.length > 0)
        await run(deleteCypher("ResultChange"), { workspace, ids: found.map(([id]) => read.text(id)) });
      return new Set(found.map(([, check]) => read.text(check)));
    },
  };
}

export function toResultChange(row: Row): ResultChange {
  const { change, ...of } = RESULT_CHANGE.read(row);
  return { ...of, ...change };
}
