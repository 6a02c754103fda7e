/** What an impact reads from the lineage in memory. Evidence, checks, gaps and what is shown are read from the store. */
import type { Handle, Judged, KeyOrder, Pair, SpreadNode } from "../../catalog/impact/source.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { assetSteps, columnsOf, columnSteps, isBound, referenceSteps, spreadNodeOf } from "./impact-links.ts";
import type { LineageIndex } from "./lineage-index.ts";

/** @param index at the state of the transaction, which has begun */
export function indexedSource(index: LineageIndex, keyOf: (node: Handle) => string) {
  const standings = new Map<string, Judged>();
  const judgedOf = (standing: string): Judged =>
    standings.getOrInsertComputed(standing, () => {
      // Only the engines write the text.
      const [certification, owner, ownerName] = JSON.parse(standing) as [Judged["certification"], string, string];
      return { certification, owner, ownerName };
    });
  const byKey: KeyOrder = (a, b) => {
    const [one, two] = [index.rank(a), index.rank(b)];
    return one > 0 && two > 0 ? one - two : compareCodePoints(keyOf(a), keyOf(b));
  };
  /** Each answers a list by what it answers to the parts of the list. */
  const lists = {
    loadNodes: (nodes: readonly Handle[]): SpreadNode[] =>
      nodes.map((node) => spreadNodeOf(index, node, () => keyOf(node))),
    judge: (nodes: readonly Handle[]) => nodes.map((node) => judgedOf(index.standing(node))),
    listColumns: (datasets: readonly Handle[]) => columnsOf(index, datasets),
    followColumns: (from: readonly Handle[]) => columnSteps(index, from),
    followAssets: (from: readonly Handle[]) => assetSteps(index, from),
    followReferences: (columns: readonly Handle[]) => referenceSteps(index, columns),
    areBound: (pairs: readonly Pair[]) => pairs.map((pair) => isBound(index, pair)),
  };
  return { byKey, lists };
}
