/** Finds which added table or model is a removed one under another name, by the rules of change sets. */
import { runAtOnce } from "../../work/slicer.ts";
import type { PastNode } from "../asset.ts";
import { type ComparedRelation, matchRelations } from "../change-set/match-relations.ts";
import { isDataset } from "../node-types.ts";

export interface Move {
  from: PastNode;
  to: PastNode;
}

type ColumnsOf = (asset: PastNode) => readonly PastNode[];

/** @param columnsOf the columns that a removed asset had, and those that an added one has */
export function findMoves(
  removed: readonly PastNode[],
  added: readonly PastNode[],
  columnsOf: { removed: ColumnsOf; added: ColumnsOf },
): Move[] {
  // On another platform it is another asset, and not another name.
  const olds = Map.groupBy(toRelations(removed, columnsOf.removed), ({ asset }) => asset.platform);
  const news = Map.groupBy(toRelations(added, columnsOf.added), ({ asset }) => asset.platform);
  return [...olds].flatMap(([platform, own]) => {
    const { matches } = runAtOnce(matchRelations(own, news.get(platform) ?? []));
    return matches.map(({ old, new: next }) => ({ from: old.asset, to: next.asset }));
  });
}

function toRelations(assets: readonly PastNode[], columnsOf: ColumnsOf): (ComparedRelation & { asset: PastNode })[] {
  return assets.flatMap((asset) => {
    const { id, name, fqn, type, sql } = asset;
    return isDataset(type) ? [{ id, name, fqn, type, sql, sourceId: "", columns: columnsOf(asset), asset }] : [];
  });
}
