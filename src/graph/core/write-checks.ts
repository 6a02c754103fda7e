/** Records checks, and which assets and columns they need. */
import type { Check } from "../../catalog/check.ts";
import type { NodeId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { CheckRow, RowStore } from "../rows.ts";
import { openSource } from "./open-source.ts";

/** @param checks each check once */
export async function writeChecks(
  store: RowStore,
  stamp: CrawlStamp,
  scope: string,
  checks: readonly Check[],
): Promise<void> {
  if (checks.length === 0) return;
  await openSource(store, stamp, scope);
  const { connectorId, syncId, precedence } = stamp;
  await recordChecks(
    store,
    checks.map((check) => ({ connectorId, scope, syncId, precedence, check })),
  );
}

/** Records checks of any connectors and scopes. The sources must exist. */
export async function recordChecks(store: RowStore, checks: readonly Omit<CheckRow, "definition">[]): Promise<void> {
  const rows = checks.map((row): CheckRow => {
    const { result: _, ...definition } = row.check;
    return { ...row, definition: JSON.stringify(definition) };
  });
  const stored = await store.loadDefinitions(rows);
  const redefined = rows
    .filter((row) => stored.get(row) !== row.definition)
    .map((row) => ({ row, needs: needsOf(row.check) }));
  await store.saveChecks(rows, redefined);
}

/** The data type that the check promises for each node that it needs; "" for none. */
function needsOf({ assets, columns }: Check): Map<NodeId, string> {
  return new Map([...assets.map((id) => [id, ""] as const), ...columns.map(({ id, type }) => [id, type] as const)]);
}
