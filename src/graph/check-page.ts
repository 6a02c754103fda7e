/** One page of the checks that need a node. */
import type { CheckStatus } from "../catalog/check.ts";
import { compareCodePoints } from "../catalog/text.ts";
import type { CheckPage, CheckQuery } from "./catalog-graph.ts";

interface Listed {
  id: string;
  key: string;
  status: CheckStatus;
}

/** @param rows in the order of keys; of several rows with one id, the first is shown */
export function pageOfChecks<Row extends Listed>(
  rows: readonly Row[],
  { status, first, after }: CheckQuery,
): Omit<CheckPage, "items"> & { items: Row[] } {
  const seen = new Set<string>();
  const shown = rows.filter(({ id }) => !seen.has(id) && seen.add(id));
  const found = shown.filter((row) => status === undefined || row.status === status);
  const rest = found.filter(({ key }) => after === null || compareCodePoints(key, after) > 0);
  return { items: rest.slice(0, first), total: found.length, hasMore: rest.length > first };
}
