/** The way between two assets, and whether one uses the other. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Lineage } from "../../catalog/lineage.ts";
import type { Fact } from "../answer.ts";
import type { AgentCatalog } from "../catalog.ts";
import { viewLineage, viewNode } from "./actions.ts";
import type { Answerer } from "./ask.ts";
import { reachesDepth } from "./lineage.ts";
import { cite, count, named, nameOf, profile } from "./words.ts";

/** Ids from the root of a walk to a node in it, along the fewest edges; null where it is not in it. */
export function shortestWay(walk: Lineage, to: string): string[] | null {
  const downstream = walk.direction === "downstream";
  const next = Map.groupBy(walk.edges, (edge) => (downstream ? edge.from : edge.to));
  const before = new Map<string, string | null>([[walk.root, null]]);
  let level = [walk.root];
  while (level.length > 0 && !before.has(to)) {
    const reached: string[] = [];
    for (const id of level) {
      for (const edge of next.get(id) ?? []) {
        const far = downstream ? edge.to : edge.from;
        if (before.has(far)) continue;
        before.set(far, id);
        reached.push(far);
      }
    }
    level = reached;
  }
  if (!before.has(to)) return null;
  const way: string[] = [];
  for (let id: string | null = to; id !== null; id = before.get(id) ?? null) way.unshift(id);
  return way;
}

interface Way {
  /** From the one asset down to the other; null where none is known. */
  nodes: CatalogNode[] | null;
  /** Whether all was looked at where a way could be. */
  isSure: boolean;
}

/** Columns and tables are connected through tables. Where one end has more lineage than is walked, the other may not. */
async function findWay(from: CatalogNode, to: CatalogNode, catalog: AgentCatalog): Promise<Way> {
  const mixed = from.type === "column" && (to.type === "table" || to.type === "model");
  const start = mixed ? (from.parentId ?? from.id) : from.id;
  const target = to.type === "column" && from.type !== "column" ? (to.parentId ?? to.id) : to.id;
  const ends = [
    [start, "downstream", target],
    [target, "upstream", start],
  ] as const;
  for (const [root, direction, other] of ends) {
    const walk = await catalog.walk(root, direction);
    const way = walk && shortestWay(walk, other);
    if (way) return { nodes: (await catalog.load(way)).filter((node) => node !== null), isSure: true };
    if (walk === null || !(walk.truncated || reachesDepth(walk))) return { nodes: null, isSure: true };
  }
  return { nodes: null, isSure: false };
}

/** A way between two in either direction, the first given first. */
async function findEitherWay(
  from: CatalogNode,
  to: CatalogNode,
  catalog: AgentCatalog,
): Promise<[there: Way, back: Way]> {
  const there = await findWay(from, to, catalog);
  if (there.nodes !== null) return [there, { nodes: null, isSure: true }];
  return [there, await findWay(to, from, catalog)];
}

function sayWay(way: readonly CatalogNode[], lead: string): Fact {
  const about = way.map((node, i) => {
    const after = way[i + 1];
    return cite(node, after === undefined ? profile(node) : `${nameOf(node)} feeds ${nameOf(after)}`);
  });
  return { text: `${lead}${way.map(named).join(" → ")}, ${count(way.length - 1, "hop")}.`, about };
}

function sayNoWay(a: CatalogNode, b: CatalogNode, lead: string, isSure: boolean): Fact {
  return {
    text: isSure
      ? `${lead}the catalog knows of no lineage between ${named(a)} and ${named(b)}.`
      : `No lineage was found between ${named(a)} and ${named(b)}; but both have more than was looked at, so there may be some.`,
    about: [a, b].map((it) => cite(it, profile(it))),
  };
}

export const answerPath: Answerer = async ({ subjects, catalog }) => {
  const [a, b] = subjects;
  if (a === undefined || b === undefined) return null;
  const [there, back] = await findEitherWay(a, b, catalog);
  const way = there.nodes ?? back.nodes;
  const isSure = there.isSure && back.isSure;
  const fact = way === null ? sayNoWay(a, b, "There is no path: ", isSure) : sayWay(way, "");
  return { facts: [fact], actions: [viewLineage(way?.[0] ?? a, "downstream"), viewNode(b)] };
};

/** Words by which the first asset of a question is what the second is made from. */
const FIRST_GIVES =
  /\bN\b.*\b(?:feeds?|power|powers|go into|goes into|flow|flows|supply|supplies|affects?|influences?|impacts?|breaks?|used (?:by|in|for)|upstream|populates?|contributes?|drives?|end up|ends up|part of|shown (?:in|on))\b.*\bN\b/;

export const answerUses: Answerer = async ({ subjects, catalog, question }) => {
  const [first, second] = subjects;
  if (first === undefined || second === undefined) return null;
  const [from, to] = FIRST_GIVES.test(question.template) ? [first, second] : [second, first];
  const [there, back] = await findEitherWay(from, to, catalog);
  const actions = [viewLineage(to, "upstream"), viewNode(to)];
  if (there.nodes !== null) return { facts: [sayWay(there.nodes, `Yes, ${named(to)} uses ${named(from)}: `)], actions };
  const fact =
    back.nodes === null
      ? sayNoWay(to, from, "No: ", there.isSure && back.isSure)
      : sayWay(back.nodes, `No, it is the other way round: `);
  return { facts: [fact], actions };
};
