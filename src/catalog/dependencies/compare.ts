/** Compares what a node depended on with what it depends on now. */
import { toNodeId } from "../../ids.ts";
import type { ClosureReader } from "./closure.ts";
import type { Dependencies } from "./dependencies.ts";
import { type Difference, findDifferences, lostIds, type LostNodes } from "./differences.ts";
import { followRenames } from "./follow-renames.ts";

/**
 * @param kept null if nothing is stored to compare with
 * @returns what differs, and the earlier dependencies under the present ids
 */
export async function compareDependencies(
  kept: Dependencies | null,
  now: Dependencies,
  reader: Pick<ClosureReader, "loadNodes">,
): Promise<{ before: Dependencies | null; differences: Difference[] }> {
  if (kept === null) return { before: null, differences: [] };
  const before = followRenames(kept, now);
  const ids = lostIds(before, now);
  const nodes = await reader.loadNodes(ids.map(toNodeId));
  const lost: LostNodes = new Map(
    ids.map((id, i) => {
      const node = nodes[i] ?? null;
      return [id, node?.existence === "held" ? node : null];
    }),
  );
  return { before, differences: findDifferences(before, now, lost) };
}
