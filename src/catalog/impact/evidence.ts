/** The evidence of the hops that an answer shows. */
import type { ColumnUse } from "../edge.ts";
import type { Hop } from "./label.ts";
import type { ImpactSource, Pair } from "./source.ts";

/** The strongest use of each hop between columns; undefined if none is known. */
export async function loadStrongest(
  hops: readonly Hop[],
  source: ImpactSource,
): Promise<(hop: Hop) => ColumnUse | undefined> {
  const pairs = new Map(hops.filter(isOfColumns).map((hop): [string, Pair] => [nameOf(hop), [hop.from, hop.to]]));
  const asked = [...pairs.values()];
  const uses = asked.length === 0 ? [] : await source.loadUses(asked);
  const strongest = new Map([...pairs.keys()].map((name, i) => [name, strongestOf(uses[i] ?? [])]));
  return (hop) => (isOfColumns(hop) ? strongest.get(nameOf(hop)) : undefined);
}

function isOfColumns({ level }: Hop): boolean {
  return level === "column";
}

function nameOf({ from, to }: Hop): string {
  return `${from} ${to}`;
}

const STRONGEST = ["AGGREGATION", "TRANSFORMATION", "IDENTITY"] as const satisfies ColumnUse["transformation"][];

/** @param uses as `joinUses` orders them */
function strongestOf(uses: readonly ColumnUse[]): ColumnUse | undefined {
  const direct = uses.filter(({ kind }) => kind === "DIRECT");
  for (const transformation of STRONGEST) {
    const found = direct.find((use) => use.transformation === transformation);
    if (found !== undefined) return found;
  }
  return uses[0];
}
