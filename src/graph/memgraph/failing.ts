/** The nodes with failing checks. Lists read them as ranges of one key each. */
import { NODE_TYPES, type NodeType } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { type NodeId, toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import type { Run } from "./bolt.ts";
import { compareStated } from "./checks.ts";
import { listKeyOf, type ListRange, rangesAfter } from "./list-ranges.ts";
import { integer, oneOf, text } from "./values.ts";

/** All statements about the checks of which one failed. */
export const FAILED_CHECKS = `
UNWIND ['fail', 'error'] AS status
MATCH (f:Check {status: status, workspace: $workspace})
WITH DISTINCT f.checkId AS checkId
MATCH (c:Check {checkId: checkId, workspace: $workspace})
RETURN c.id AS checkRow, checkId, c.key AS key, coalesce(c.status, 'unknown') AS status, c.precedence AS precedence,
  c.connectorId AS connectorId, c.scope AS scope`;

export const CHECKED_ASSETS = `
UNWIND $rows AS row
MATCH (n:CheckedNode {checkRow: row, workspace: $workspace})
MATCH (a:Asset {id: n.nodeId, workspace: $workspace})
WHERE a.listKey IS NOT NULL
RETURN DISTINCT a.id AS id, a.type AS type, a.key AS key`;

interface FailingNode {
  id: NodeId;
  type: NodeType;
  key: string;
}

/** If several connectors state a check, only the one that is shown counts. */
export async function loadFailing(run: Run, workspace: WorkspaceId): Promise<FailingNode[]> {
  const stated = (await run(FAILED_CHECKS, { workspace })).map(
    ([row, checkId, key, status, precedence, connectorId, scope]) => ({
      row: text(row),
      checkId: text(checkId),
      key: text(key),
      isFailing: status === "fail" || status === "error",
      precedence: integer(precedence),
      connectorId: toConnectorId(text(connectorId)),
      scope: text(scope),
    }),
  );
  const byCheck = Map.groupBy(stated.toSorted(compareStated), ({ checkId }) => checkId);
  const rows = [...byCheck.values()].flatMap(([shown]) => (shown?.isFailing ? [shown.row] : []));
  if (rows.length === 0) return [];
  return (await run(CHECKED_ASSETS, { workspace, rows })).map(([id, type, key]) => ({
    id: toNodeId(text(id)),
    type: oneOf(NODE_TYPES, type),
    key: text(key),
  }));
}

/** The ranges of a list after a key: few long ones, or one for each node with a failing check. */
export async function loadRanges(
  run: Run,
  workspace: WorkspaceId,
  filter: NodeFilter,
  after: string | null,
): Promise<ListRange[]> {
  const ranges = rangesAfter(workspace, filter, after);
  if (!filter.failing) return ranges;
  const failing = await loadFailing(run, workspace);
  const keys = failing.map(({ type, key }) => listKeyOf(workspace, type, key));
  return ranges.flatMap(({ type, after: begin, before }) =>
    keys
      .filter((key) => compareCodePoints(key, begin) > 0 && compareCodePoints(key, before) < 0)
      .map((key) => ({ type, after: justBefore(key), before: `${key}\u0001` })),
  );
}

/** A text between which and the key is no other key: keys end in hexadecimal digits. */
function justBefore(key: string): string {
  return `${key.slice(0, -1)}${String.fromCodePoint((key.codePointAt(key.length - 1) ?? 1) - 1)}\u{10FFFF}`;
}
