/** A walk along the lineage in memory. Only the names and gaps of the nodes that are kept are read from the store. */
import { walkLevel } from "../../catalog/edge.ts";
import type { Lineage } from "../../catalog/lineage.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Slicer } from "../../work/slicer.ts";
import type { WalkQuery } from "../catalog-graph.ts";
import { typeOf } from "../lineage-index/facts.ts";
import { firstByKey } from "../lineage-index/key-order.ts";
import { followedBit } from "../lineage-index/mark.ts";
import { idOf, isAt, keyOf, type NamedLineage, numberOf, sourcesOf } from "../lineage-index/named-lineage.ts";
import { walkIndex } from "../lineage-index/walk.ts";
import { packWalk, unpackLineage } from "../packed-lineage.ts";
import type { Run } from "./bolt.ts";
import { coverWith, loadSets } from "./coverage.ts";
import { collected, integer, text, texts } from "./values.ts";

/** The names and gaps of some nodes, with the position of the state in which they have them. */
export const SHOWN_AT = `
MATCH (l:WriteLine {id: $workspace, workspace: $workspace})
WITH coalesce(l.changes, 0) AS number, coalesce(l.mark, '') AS mark
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN number, mark, ${collected("a.id", "ids")}, ${collected("a.name", "names")}, ${collected("a.gap", "gaps")}`;

/**
 * Needs no common transaction: what is read last says that the lineage has not changed until then, so it was the same
 * when the incomplete sources were read.
 * @returns undefined if the store is at another state, or the root is not there
 */
export async function walkAlong(
  run: Run,
  lineage: NamedLineage,
  slicer: Slicer,
  workspace: WorkspaceId,
  query: WalkQuery,
): Promise<Lineage | undefined> {
  const { index } = lineage;
  const { root, direction, depth, maxNodes, directOnly } = query;
  const from = numberOf(lineage, root);
  if (from === undefined) return undefined;
  const followed = followedBit(walkLevel(typeOf(index.facts(from))), directOnly);
  const { kept, ...walked } = await slicer.run(
    walkIndex(index, from, { direction, followed, depth, maxNodes }, (nodes, room) =>
      firstByKey(index, nodes, room, (some) => some.map((node) => keyOf(lineage, node))),
    ),
  );
  // Each step takes some milliseconds if thousands of nodes are kept.
  const nextStep = async (): Promise<void> => (slicer.isDue() ? slicer.next() : undefined);
  const nodes = [...kept, from];
  const ids = nodes.map((node) => idOf(lineage, node));
  const sources = nodes.map((node) => sourcesOf(lineage, node));
  const sets = await loadSets(run, workspace, sources);
  const [row] = await run(SHOWN_AT, { workspace, ids });
  if (row === undefined || !isAt(lineage, { number: integer(row[0]), mark: text(row[1]) })) return undefined;
  const [found = [], names = [], gaps = []] = row.slice(2).map(texts);
  const shown = new Map(found.map((id, i) => [id, { name: names[i] ?? "", gap: gaps[i] ?? "" }]));
  await nextStep();
  const covered = ids.map((id, i) => ({ id, gap: shown.get(id)?.gap ?? "", sources: sources[i] ?? "" }));
  // The root comes first here, and last in `ids`.
  const coverage = coverWith(sets, [...covered.slice(-1), ...covered.slice(0, -1)]);
  await nextStep();
  const packed = packWalk(query, {
    ...walked,
    ids,
    names: ids.slice(0, -1).map((id) => shown.get(id)?.name ?? ""),
    types: kept.map((node) => typeOf(index.facts(node))),
    coverage,
  });
  await nextStep();
  return unpackLineage(packed);
}
