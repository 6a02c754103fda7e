/** How much an asset has of something: columns, users, checks, or whether it has an owner. */
import type { CheckSeen, Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Feature, Measure } from "../plan.ts";

/** Assets whose whole lineage is walked for one measure. */
const MAX_WALKED = 150;

/** What an asset says of itself: how many, or 1 if it is there. */
const OWN = {
  owner: ({ owner, ownerName }: Thing) => (owner || ownerName ? 1 : 0),
  description: ({ description }: Thing) => (description.trim() === "" ? 0 : 1),
  tags: ({ tags }: Thing) => tags.length,
  certification: ({ certification }: Thing) => (certification === "certified" ? 1 : 0),
  dimensions: ({ definition }: Thing) => definition?.dimensions.length ?? 0,
  url: ({ url }: Thing) => (url === null ? 0 : 1),
};

interface Measured {
  /** By id. */
  values: ReadonlyMap<string, number>;
  isExact: boolean;
}

/** @param isCounted whether a neighbour is counted; all are unless told */
export async function measure(
  of: Feature | Measure,
  things: readonly Thing[],
  lookup: Lookup,
  isCounted?: (id: string) => boolean,
): Promise<Measured> {
  const ids = things.map(({ id }) => id);
  const by = (value: (thing: Thing) => number): Measured => ({
    values: new Map(things.map((thing) => [thing.id, value(thing)])),
    isExact: true,
  });
  switch (of) {
    case "upstream":
    case "downstream": {
      if (isCounted !== undefined) return walkAll(of, 1);
      const counts = await lookup.neighbourCounts(ids);
      return by(({ id }) => counts.get(id)?.[of] ?? 0);
    }
    case "columns": {
      const amounts = Map.groupBy(await lookup.columns(things), ({ parentId }) => parentId);
      return by(({ id }) => amounts.get(id)?.length ?? 0);
    }
    case "checks":
    case "failing checks": {
      const checks = await lookup.checks(things);
      if (of === "checks") return by(({ id }) => checks.get(id)?.total ?? 0);
      const isExact = checks.values().every(({ total, seen }) => seen.length >= total);
      return { ...by(({ id }) => checks.get(id)?.seen.filter(isFailing).length ?? 0), isExact };
    }
    case "all upstream":
      return walkAll("upstream");
    case "all downstream":
      return walkAll("downstream");
    default:
      return by(OWN[of]);
  }

  async function walkAll(direction: "upstream" | "downstream", depth?: number): Promise<Measured> {
    const walks = await Promise.all(ids.slice(0, MAX_WALKED).map((id) => lookup.walk(id, direction, depth)));
    return {
      values: new Map(
        walks.map((walk, i) => [ids[i] ?? "", walk.nodes.filter(({ id }) => isCounted?.(id) ?? true).length]),
      ),
      isExact: ids.length <= MAX_WALKED && walks.every(({ truncated }) => !truncated),
    };
  }
}

function isFailing({ status }: CheckSeen): boolean {
  return status === "fail" || status === "error";
}
