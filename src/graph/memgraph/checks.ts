/**
 * Checks: one `:Check` for each check that a connector states in a scope, and one `:CheckedNode` for each asset and
 * column that it needs.
 */
import { int } from "neo4j-driver";

import {
  type Check,
  CHECK_KINDS,
  CHECK_STATUSES,
  checkKey,
  type CheckResult,
  type NeededBy,
} from "../../catalog/check.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { type NodeId, toConnectorId, type WorkspaceId } from "../../ids.ts";
import type { CheckPage, CheckQuery } from "../catalog-graph.ts";
import { pageOfChecks } from "../check-page.ts";
import type { CheckRow, CheckRows } from "../rows.ts";
import type { Row, Run } from "./bolt.ts";
import { keyOf, sourceOf } from "./claims.ts";
import { staleCypher } from "./stated-nodes.ts";
import { integer, oneOf, text, textOrNull } from "./values.ts";

/** A check that is stated without a result keeps its previous result. */
export const SAVE_CHECKS = `
UNWIND $rows AS row
MERGE (c:Check {id: row.id, workspace: $workspace})
SET c += row.properties`;

export const SAVE_RESULTS = `
UNWIND $rows AS row
MATCH (c:Check {id: row.id, workspace: $workspace})
SET c.result = row.result, c.status = row.status`;

export const DEFINITIONS = `
UNWIND $ids AS id
MATCH (c:Check {id: id, workspace: $workspace})
RETURN c.id AS id, c.definition AS definition`;

export const DROP_NEEDS = `
UNWIND $ids AS id
MATCH (n:CheckedNode {checkRow: id, workspace: $workspace})
DELETE n`;

export const ADD_NEEDS = `
UNWIND $rows AS row
CREATE (n:CheckedNode)
SET n = row`;

export const STALE_CHECKS = `${staleCypher("Check")}
RETURN s.id AS id`;

export const DELETE_STALE_CHECKS = `${staleCypher("Check")}
DELETE s`;

export const CHECKS_ON = `
UNWIND $ids AS id
MATCH (n:CheckedNode {nodeId: id, workspace: $workspace})
MATCH (c:Check {id: n.checkRow, workspace: $workspace})
RETURN id, c.id AS checkRow, c.checkId AS checkId, c.key AS key, coalesce(c.status, 'unknown') AS status,
  c.precedence AS precedence, c.connectorId AS connectorId, c.scope AS scope`;

export const BY_ROW = `
UNWIND $ids AS id
MATCH (c:Check {id: id, workspace: $workspace})
RETURN c.id AS id, c.definition AS definition, c.result AS result`;

export const BY_CHECK_ID = `
UNWIND $ids AS id
MATCH (c:Check {checkId: id, workspace: $workspace})
RETURN c.checkId AS checkId, c.key AS key, c.precedence AS precedence, c.connectorId AS connectorId, c.scope AS scope,
  c.definition AS definition, c.result AS result`;

export const NEEDED_BY = `
UNWIND $nodes AS asked
MATCH (n:CheckedNode {nodeId: asked.id, workspace: $workspace})
MATCH (c:Check {id: n.checkRow, workspace: $workspace})
RETURN asked.node AS node, c.checkId AS checkId, c.kind AS kind, n.type AS type, c.connectorId AS connectorId`;

export function checkRows(run: Run, workspace: WorkspaceId): CheckRows {
  const idOf = ({ connectorId, scope, check }: CheckRow): string =>
    keyOf(sourceOf({ workspace, connectorId }, scope), check.id);
  return {
    async loadDefinitions(checks) {
      const found = await run(DEFINITIONS, { workspace, ids: checks.map(idOf) });
      const stored = new Map(found.map(([id, definition]) => [text(id), text(definition)]));
      return new Map(checks.map((row) => [row, stored.get(idOf(row)) ?? ""]));
    },
    async saveChecks(checks, redefined) {
      await run(SAVE_CHECKS, {
        workspace,
        rows: checks.map((row) => ({ id: idOf(row), properties: toProperties(row) })),
      });
      const results = checks.flatMap((row) => {
        const { result } = row.check;
        return result === null ? [] : [{ id: idOf(row), result: JSON.stringify(result), status: result.status }];
      });
      if (results.length > 0) await run(SAVE_RESULTS, { workspace, rows: results });
      if (redefined.length === 0) return;
      await run(DROP_NEEDS, { workspace, ids: redefined.map(({ row }) => idOf(row)) });
      const needs = redefined.flatMap(({ row, needs: own }) =>
        [...own].map(([nodeId, type]) => ({ workspace, nodeId, checkRow: idOf(row), type })),
      );
      await run(ADD_NEEDS, { rows: needs });
    },
  };

  function toProperties({ check, precedence, connectorId, scope, syncId, definition }: CheckRow) {
    const sourceId = sourceOf({ workspace, connectorId }, scope);
    const of = { checkId: check.id, key: checkKey(check), kind: check.kind, definition, precedence: int(precedence) };
    return { sourceId, connectorId, scope, syncId, ...of };
  }
}

/** Deletes the checks of a scope that this sync did not state. */
export async function deleteStaleChecks(
  run: Run,
  stale: { workspace: WorkspaceId; syncId: string; sourceId: string },
): Promise<void> {
  const ids = (await run(STALE_CHECKS, stale)).map(([id]) => text(id));
  if (ids.length === 0) return;
  await run(DROP_NEEDS, { workspace: stale.workspace, ids });
  await run(DELETE_STALE_CHECKS, stale);
}

/** Which connector states a check, and in which scope. */
interface StatedCheck {
  key: string;
  precedence: number;
  connectorId: string;
  scope: string;
}

/** Orders by key. If several connectors state one check, the one to be shown comes first. */
export function compareStated(a: StatedCheck, b: StatedCheck): number {
  return (
    compareCodePoints(a.key, b.key) ||
    b.precedence - a.precedence ||
    compareCodePoints(a.connectorId, b.connectorId) ||
    compareCodePoints(a.scope, b.scope)
  );
}

export async function loadChecks(
  run: Run,
  workspace: WorkspaceId,
  queries: readonly CheckQuery[],
): Promise<CheckPage[]> {
  const ids = [...new Set(queries.map(({ node }) => node))];
  const rows = (await run(CHECKS_ON, { workspace, ids })).map(
    ([node, row, id, key, status, precedence, connectorId, scope]) => ({
      node: text(node),
      row: text(row),
      id: text(id),
      key: text(key),
      status: oneOf(CHECK_STATUSES, status),
      precedence: integer(precedence),
      connectorId: toConnectorId(text(connectorId)),
      scope: text(scope),
    }),
  );
  const byNode = Map.groupBy(rows.toSorted(compareStated), ({ node }) => node);
  const pages = queries.map((query) => pageOfChecks(byNode.get(query.node) ?? [], query));
  const wanted = new Set(pages.flatMap(({ items }) => items.map(({ row }) => row)));
  const loaded = wanted.size === 0 ? [] : await run(BY_ROW, { workspace, ids: [...wanted] });
  const checks = new Map(loaded.map(([id, ...rest]) => [text(id), toCheck(rest)]));
  return pages.map(({ items, total, hasMore }) => {
    return { items: items.flatMap(({ row }) => checks.get(row) ?? []), total, hasMore };
  });
}

export function toCheck([definition, result]: Row): Check {
  const last = textOrNull(result ?? null);
  // Only `saveChecks` writes these texts.
  const stated = JSON.parse(text(definition)) as Omit<Check, "result">;
  return { ...stated, result: last === null ? null : (JSON.parse(last) as CheckResult) };
}

/** The checks that need these nodes. */
export async function findChecksOn(
  run: Run,
  workspace: WorkspaceId,
  nodes: readonly { id: NodeId; node: number }[],
): Promise<NeededBy[]> {
  const asked = nodes.map(({ id, node }) => ({ id, node: int(node) }));
  const rows = await run(NEEDED_BY, { workspace, nodes: asked });
  return rows.map(([node, check, kind, type, connectorId]) => ({
    node: integer(node),
    check: text(check),
    kind: oneOf(CHECK_KINDS, kind),
    type: text(type),
    connectorId: toConnectorId(text(connectorId)),
  }));
}

/** In the order of the ids. All ids must exist. */
export async function loadChecksById(run: Run, workspace: WorkspaceId, ids: readonly string[]): Promise<Check[]> {
  const rows = (await run(BY_CHECK_ID, { workspace, ids })).map(
    ([id, key, precedence, connectorId, scope, ...rest]) => ({
      id: text(id),
      key: text(key),
      precedence: integer(precedence),
      connectorId: toConnectorId(text(connectorId)),
      scope: text(scope),
      rest,
    }),
  );
  const shown = new Map(
    rows
      .toSorted(compareStated)
      .toReversed()
      .map(({ id, rest }) => [id, rest]),
  );
  return ids.flatMap((id) => {
    const rest = shown.get(id);
    return rest === undefined ? [] : [toCheck(rest)];
  });
}
