/** How much an asset has of something: columns, users, checks, or whether it has an owner. */
import { type CheckSeen, type Thing, valuesIn, type Way } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Feature, Measure } from "../plan.ts";

/** Assets whose whole lineage is walked for one measure. */
const MAX_WALKED = 150;

type AmountOf = (thing: Thing) => number;

/** @param isCounted whether a neighbour is counted; null for all */
export async function measure(
  of: Feature | Measure,
  things: readonly Thing[],
  lookup: Lookup,
  isCounted: ((id: string) => boolean) | null,
): Promise<{ amountOf: AmountOf; isExact: boolean }> {
  const exactly = (amountOf: AmountOf) => ({ amountOf, isExact: true });
  const walkAll = async (way: Way, depth?: number) => {
    const walked = things.slice(0, MAX_WALKED);
    const walks = await Promise.all(walked.map(({ id }) => lookup.walk(id, way, depth)));
    const amounts = walks.map(({ nodes }) => nodes.filter(({ id }) => isCounted?.(id) ?? true).length);
    const byId = new Map(walked.map(({ id }, i) => [id, amounts[i]]));
    const isExact = things.length <= MAX_WALKED && walks.every(({ isExact: isWhole }) => isWhole);
    return { amountOf: ({ id }: Thing) => byId.get(id) ?? 0, isExact };
  };
  switch (of) {
    case "upstream":
    case "downstream": {
      if (isCounted !== null) return walkAll(of, 1);
      const counts = await lookup.neighbourCounts(things.map(({ id }) => id));
      return exactly(({ id }) => counts.get(id)?.[of] ?? 0);
    }
    case "all upstream":
      return walkAll("upstream");
    case "all downstream":
      return walkAll("downstream");
    case "columns": {
      const columns = Map.groupBy(await lookup.columns(things), ({ parentId }) => parentId);
      return exactly(({ id }) => columns.get(id)?.length ?? 0);
    }
    case "checks":
    case "failing checks": {
      const checks = await lookup.checks(things);
      if (of === "checks") return exactly(({ id }) => checks.get(id)?.total ?? 0);
      const isExact = checks.values().every(({ total, seen }) => seen.length >= total);
      return { amountOf: ({ id }) => checks.get(id)?.seen.filter(isFailing).length ?? 0, isExact };
    }
    case "certification":
      return exactly(({ certification }) => Number(certification === "certified"));
    default:
      return exactly((thing) => valuesIn(of, thing).length);
  }
}

function isFailing({ status }: CheckSeen): boolean {
  return status === "fail" || status === "error";
}
