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
import type { NodeId, WorkspaceId } from "../../ids.ts";
import { pageOfChecks } from "../check-page.ts";
import type { CheckRow, CheckRows } from "../rows.ts";
import type { Row, Run, Read } from "./bolt.ts";
import { keyOf, sourceOf } from "./claims.ts";
import { columns } from "./columns.ts";
import { staleCypher } from "./stated-nodes.ts";
import * as read from "./values.ts";

/** A check that is stated without a result keeps its previous result. */
export const SAVE_CHECKS = `
UNWIND $rows AS row
MERGE (c:Check {id: row.id, workspace: $workspace})
SET c += row.properties`;

export const SAVE_RESULTS = `
UNWIND $rows AS row
MATCH (c:Check {id: row.id, workspace: $workspace})
SET c.result = row.result, c.status = row.status`;

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

/** Which connector states a check, and in which scope. */
const STATED = { key: read.text, precedence: read.integer, connectorId: read.connectorId, scope: read.text };
type StatedCheck = { [Name in keyof typeof STATED]: ReturnType<(typeof STATED)[Name]> };

const CHECK_ON = columns(
  { node: read.text, row: read.text, id: read.text, status: read.word(CHECK_STATUSES), ...STATED },
  {
    node: () => "id",
    row: (c) => `${c}.id`,
    id: (c) => `${c}.checkId`,
    status: (c) => `coalesce(${c}.status, 'unknown')`,
  },
);

export const CHECKS_ON = `
UNWIND $ids AS id
MATCH (n:CheckedNode {nodeId: id, workspace: $workspace})
MATCH (c:Check {id: n.checkRow, workspace: $workspace})
RETURN ${CHECK_ON.of("c")}`;

export const BY_ROW = `
UNWIND $ids AS id
MATCH (c:Check {id: id, workspace: $workspace})
RETURN c.id AS id, c.definition AS definition, c.result AS result`;

const CHECK = columns(
  { id: read.text, ...STATED, definition: read.text, result: read.textOrNull },
  { id: (c) => `${c}.checkId` },
);

export const BY_CHECK_ID = `
UNWIND $ids AS id
MATCH (c:Check {checkId: id, workspace: $workspace})
RETURN ${CHECK.of("c")}`;

const NEED = columns(
  {
    node: read.integer,
    id: read.text,
    kind: read.word(CHECK_KINDS),
    type: read.text,
    connectorId: read.connectorId,
  },
  { node: () => "asked.node", id: (c) => `${c}.checkId`, type: () => "n.type" },
);

export const NEEDED_BY = `
UNWIND $nodes AS asked
MATCH (n:CheckedNode {nodeId: asked.id, workspace: $workspace})
MATCH (c:Check {id: n.checkRow, workspace: $workspace})
RETURN ${NEED.of("c")}`;

export function checkRows(run: Run, workspace: WorkspaceId): CheckRows {
  const idOf = ({ connectorId, scope, check }: CheckRow): string =>
    keyOf(sourceOf({ workspace, connectorId }, scope), check.id);
  return {
    async loadStoredChecks(checks) {
      const found = await run(BY_ROW, { workspace, ids: checks.map(idOf) });
      const stored = new Map(
        found.map(([id, definition, result]) => [
          read.text(id),
          { definition: read.text(definition), result: read.jsonOrNull<CheckResult>(result ?? null) },
        ]),
      );
      return new Map(
        checks.flatMap((row) => {
          const own = stored.get(idOf(row));
          return own === undefined ? [] : [[row, own]];
        }),
      );
    },
    async findShownChecks(checks) {
      const ids = [...new Set(checks.map(({ check }) => check.id))];
      const shown = shownOf(await run(BY_CHECK_ID, { workspace, ids }));
      return new Set(
        checks.filter(({ check, connectorId, scope }) => {
          const stated = shown.get(check.id);
          return stated?.connectorId === connectorId && stated.scope === scope;
        }),
      );
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
  const ids = (await run(STALE_CHECKS, stale)).map(([id]) => read.text(id));
  if (ids.length === 0) return;
  await run(DROP_NEEDS, { workspace: stale.workspace, ids });
  await run(DELETE_STALE_CHECKS, stale);
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

export const loadChecks: Read<"loadChecks"> = async (run, workspace, queries) => {
  const ids = [...new Set(queries.map(({ node }) => node))];
  const rows = (await run(CHECKS_ON, { workspace, ids })).map(CHECK_ON.read);
  const byNode = Map.groupBy(rows.toSorted(compareStated), ({ node }) => node);
  const pages = queries.map((query) => pageOfChecks(byNode.get(query.node) ?? [], query));
  const wanted = new Set(pages.flatMap(({ items }) => items.map(({ row }) => row)));
  const loaded = wanted.size === 0 ? [] : await run(BY_ROW, { workspace, ids: [...wanted] });
  const checks = new Map(loaded.map(([id, definition, result]) => [read.text(id), toCheck(definition, result)]));
  return pages.map(({ items, total, hasMore }) => {
    return { items: items.flatMap(({ row }) => checks.get(row) ?? []), total, hasMore };
  });
};

/** Reads the texts that `saveChecks` writes. */
export function toCheck(definition: unknown, result: unknown): Check {
  return { ...read.json<Omit<Check, "result">>(definition), result: read.jsonOrNull<CheckResult>(result ?? null) };
}

/** The checks that need these nodes. */
export async function findChecksOn(
  run: Run,
  workspace: WorkspaceId,
  nodes: readonly { id: NodeId; node: number }[],
): Promise<NeededBy[]> {
  const asked = nodes.map(({ id, node }) => ({ id, node: int(node) }));
  const rows = await run(NEEDED_BY, { workspace, nodes: asked });
  return rows.map(NEED.read).map(({ id: check, ...need }) => Object.assign(need, { check }));
}

/** In the order of the ids. All ids must exist. */
export async function loadChecksById(run: Run, workspace: WorkspaceId, ids: readonly string[]): Promise<Check[]> {
  const shown = shownOf(await run(BY_CHECK_ID, { workspace, ids }));
  return ids.flatMap((id) => {
    const row = shown.get(id);
    return row === undefined ? [] : [toCheck(row.definition, row.result)];
  });
}

/** What `BY_CHECK_ID` returns of each check that is to be shown, by the check's id. */
function shownOf(rows: readonly Row[]): Map<string, ReturnType<typeof CHECK.read>> {
  const stated = rows.map(CHECK.read).toSorted(compareStated).toReversed();
  return new Map(stated.map((each) => [each.id, each]));
}
