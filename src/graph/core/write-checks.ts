/** Records checks, which assets and columns they need, and what changed in their results. */
import { afterResult, type Check } from "../../catalog/check.ts";
import { findResultChange } from "../../catalog/changes/result-change.ts";
import type { NodeId } from "../../ids.ts";
import type { CheckRow, RowStore, StoredCheck, Write } from "../rows.ts";
import { openSource } from "./open-source.ts";

/** @param checks each check once */
export const writeChecks: Write<"writeChecks"> = async (store, stamp, scope, checks) => {
  if (checks.length === 0) return;
  await openSource(store, stamp, scope);
  const { connectorId, syncId, precedence } = stamp;
  const rows = checks.map((check) => toRow({ connectorId, scope, syncId, precedence, check }));
  const stored = await store.loadStoredChecks(rows);
  for (const row of rows) {
    const { check } = row;
    if (check.result !== null)
      row.check = { ...check, result: afterResult(stored.get(row)?.result ?? null, check.result) };
  }
  await saveChecks(store, rows, stored);
  await keepChanges(store, rows, stored);
};

/** Records checks of any connectors and scopes, which must exist. It keeps nothing in the history. */
export async function recordChecks(store: RowStore, checks: readonly Omit<CheckRow, "definition">[]): Promise<void> {
  const rows = checks.map(toRow);
  await saveChecks(store, rows, await store.loadStoredChecks(rows));
}

function toRow(row: Omit<CheckRow, "definition">): CheckRow {
  const { result: _, ...definition } = row.check;
  return { ...row, definition: JSON.stringify(definition) };
}

async function saveChecks(
  store: RowStore,
  rows: readonly CheckRow[],
  stored: ReadonlyMap<CheckRow, StoredCheck>,
): Promise<void> {
  const redefined = rows
    .filter((row) => stored.get(row)?.definition !== row.definition)
    .map((row) => ({ row, needs: needsOf(row.check) }));
  await store.saveChecks(rows, redefined);
}

/** A first sync has nothing before it, and a check that is not shown tells nothing. */
async function keepChanges(
  store: RowStore,
  rows: readonly CheckRow[],
  stored: ReadonlyMap<CheckRow, StoredCheck>,
): Promise<void> {
  const changes = new Map(
    rows.flatMap((row) => {
      const change = findResultChange(stored.get(row)?.result ?? null, row.check);
      return change === null ? [] : [[row, change] as const];
    }),
  );
  if (changes.size === 0) return;
  const shown = await store.findShownChecks([...changes.keys()]);
  if (shown.size === 0) return;
  const { number: moment, isFirst } = await store.openMoment();
  if (isFirst) return;
  const told = [...changes].flatMap(([row, change]) => (shown.has(row) ? [{ ...change, moment }] : []));
  // A check either fails or does not, so a second change at one moment undoes the first.
  const undone = await store.dropResultChanges(
    told.map(({ check }) => check),
    moment,
  );
  await store.saveResultChanges(told.filter(({ check }) => !undone.has(check)));
}

/** The data type that the check promises for each node that it needs; "" for none. */
function needsOf({ assets, columns }: Check): Map<NodeId, string> {
  return new Map([...assets.map((id) => [id, ""] as const), ...columns.map(({ id, type }) => [id, type] as const)]);
}
