/**
 * Finds what gets no new data because of a change that does not reach it: everything downstream of a model that cannot be
 * built, because dbt skips what is built from that model, and everything else shows what was there before.
 */
import { capitalize } from "../../characters.ts";
import { compareImpactOrder, type NodeType } from "../node-types.ts";
import type { LoadedGraph } from "./loaded-graph.ts";
import { NodeMap } from "./node-map.ts";
import { countOwners, createOwnerKeys, type UnrefreshedOwner } from "./owners.ts";
import type { ShownNodes } from "./shown-nodes.ts";
import type { Handle } from "./source.ts";
import type { Unrefreshed, UnrefreshedAssets } from "./unrefreshed-assets.ts";
import { nameOf, takes, titleOf } from "./words.ts";

export const NONE_UNREFRESHED: UnrefreshedAssets = { groups: [], nodes: [], truncated: false };

/** How old data comes to a node. */
interface Way {
  from: Handle;
  /** The first node of the way, which cannot be built. */
  unbuilt: Handle;
}

/**
 * @param unbuilt in the order in which an equally short way from one of them comes before that from another
 * @param most how many are kept
 */
export async function findUnrefreshed(
  unbuilt: readonly Handle[],
  isAffected: (node: Handle) => boolean,
  { root, most }: { root: Handle; most: number },
  graph: LoadedGraph,
  shown: ShownNodes,
): Promise<UnrefreshedAssets> {
  const ways = await followReaders(unbuilt, graph);
  const changed = graph.get(root).parent ?? root;
  const others = ways
    .keys()
    .filter((node) => ways.get(node)?.from !== node && node !== changed && !isAffected(node))
    .toSorted((a, b) => compareImpactOrder(graph.get(a), graph.get(b)));
  await shown.judge(others);
  const kept = others.slice(0, most);
  await shown.load(kept.flatMap((node) => [node, ways.get(node)?.from ?? node, ways.get(node)?.unbuilt ?? node]));
  const nodes = kept.map((node): Unrefreshed => {
    const { id, name, fqn, type, owner, ownerName } = shown.get(node);
    const { from = node, unbuilt: origin = node } = ways.get(node) ?? {};
    const [at, source] = [shown.subjectOf(node), shown.subjectOf(from)];
    const which = from === origin ? "" : `, which gets no new data because ${nameOf(shown.subjectOf(origin))}`;
    const reads = `${capitalize(titleOf(at))} ${takes(type, source.type)} ${nameOf(source)}`;
    return { id, name, fqn, type, owner, ownerName, reason: `${reads}${which || ", which"} cannot be built.` };
  });
  const groups = groupUnrefreshed(others.map((node) => ({ type: graph.get(node).type, ...shown.ownerOf(node) })));
  return { groups, nodes, truncated: kept.length < others.length };
}

export interface UnrefreshedCounts {
  total: number;
  /** Those that people look at come first. */
  types: { type: NodeType; count: number }[];
  /** The owners of most of it come first, what nobody owns comes last. */
  owners: UnrefreshedOwner[];
}

/** Exact, also where not all of it was kept. */
export function countUnrefreshed({ groups }: Pick<UnrefreshedAssets, "groups">): UnrefreshedCounts {
  const types = [...Map.groupBy(groups, ({ type }) => type)].map(([type, ofType]) => ({
    type,
    count: countIn(ofType),
  }));
  return { total: countIn(groups), types: types.toSorted(compareImpactOrder), owners: countOwners(groups) };
}

function countIn(groups: UnrefreshedAssets["groups"]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}

export function groupUnrefreshed(
  nodes: readonly Pick<Unrefreshed, "type" | "owner" | "ownerName">[],
): UnrefreshedAssets["groups"] {
  const ownerKey = createOwnerKeys();
  return [...Map.groupBy(nodes, (node) => `${node.type} ${ownerKey(node)}`).values()].flatMap((group) =>
    group.slice(0, 1).map(({ type, owner, ownerName }) => ({ type, owner, ownerName, count: group.length })),
  );
}

/** The shortest way to everything downstream; of equally short ones, every engine takes the same. */
async function followReaders(from: readonly Handle[], graph: LoadedGraph): Promise<NodeMap<Way>> {
  const ways = new NodeMap<Way>();
  for (const node of from) ways.set(node, { from: node, unbuilt: node });
  for (let reached = from; reached.length > 0;) {
    const readers = await graph.consumersOf(reached);
    const next: Handle[] = [];
    for (const node of reached) {
      const unbuilt = ways.get(node)?.unbuilt ?? node;
      for (const { to } of readers.get(node) ?? []) {
        if (ways.has(to)) continue;
        ways.set(to, { from: node, unbuilt });
        next.push(to);
      }
    }
    reached = next.toSorted(graph.byKey);
  }
  return ways;
}
