/** What feeds X, what uses X, whether one uses the other, and the way between two. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Direction } from "../../catalog/edge.ts";
import type { Lineage } from "../../catalog/lineage.ts";
import type { Fact } from "../answer.ts";
import type { AgentCatalog } from "../catalog.ts";
import { viewLineage, viewNode } from "./actions.ts";
import type { Answerer, Ask } from "./ask.ts";
import { isOwnedBy, valueOf } from "./ask.ts";
import { cite, count, inTypeOrder, listByType, listNames, named, nameOf, profile, typesInWords } from "./words.ts";

/** Nodes of a walk that are read whole, where a filter asks for more than their type. */
const MAX_READ = 2_000;

interface Reached {
  node: CatalogNode;
  depth: number;
}

/** What a walk reached and the question asks for, the nearest first. */
async function reach({ question, catalog }: Ask, walk: Lineage): Promise<Reached[]> {
  const { types, certification } = question;
  const tag = valueOf(question, "tag");
  const owner = valueOf(question, "owner");
  const fit = walk.nodes.filter(({ type }) => types === null || types.includes(type)).slice(0, MAX_READ);
  const nodes = await catalog.load(fit.map(({ id }) => id));
  return nodes.flatMap((node, i) => {
    if (node === null || (certification !== null && node.certification !== certification)) return [];
    if (tag !== undefined && !node.tags.includes(tag)) return [];
    if (owner !== undefined && !isOwnedBy(node, owner)) return [];
    return [{ node, depth: fit[i]?.depth ?? 0 }];
  });
}

/** What is asked for, in words: "certified metrics", "models tagged pii", "assets". */
function asked({ question }: Ask): string {
  const tag = valueOf(question, "tag");
  const owner = valueOf(question, "owner");
  return [
    question.certification,
    typesInWords(question.types),
    tag === undefined ? null : `tagged ${tag}`,
    owner === undefined ? null : `owned by ${owner}`,
  ]
    .filter((word) => word !== null)
    .join(" ");
}

const VERB = { upstream: "feeds", downstream: "uses" } as const;

export function sayReached(root: CatalogNode, direction: Direction, reached: readonly Reached[], what: string): Fact {
  const relation = (node: CatalogNode, depth: number): string => {
    const [from, to] = direction === "upstream" ? [node, root] : [root, node];
    return `${nameOf(from)} feeds ${nameOf(to)}, ${count(depth, "hop")} away`;
  };
  if (reached.length === 0) {
    const none = direction === "upstream" ? `No ${what} feed ${named(root)}` : `No ${what} use ${named(root)}`;
    return { text: `${none}, as far as the catalog knows.`, about: [cite(root, profile(root))] };
  }
  const direct = reached.filter(({ depth }) => depth === 1).map(({ node }) => node);
  const further = reached.filter(({ depth }) => depth > 1).map(({ node }) => node);
  const near =
    direct.length === 0
      ? `None of them directly: ${listByType(further)}`
      : `Directly: ${listByType(direct)}${further.length === 0 ? "" : `. Further on: ${listByType(further)}`}`;
  const lead = `${count(reached.length, "result").replace(/results?$/, "")}`.trim();
  const verb = reached.length === 1 ? VERB[direction] : VERB[direction].replace(/s$/, "");
  const told = [...inTypeOrder(direct), ...inTypeOrder(further)];
  const depths = new Map(reached.map(({ node, depth }) => [node.id, depth]));
  return {
    text: `${lead} ${reached.length === 1 ? singularOf(what) : what} ${verb} ${named(root)}. ${near}.`,
    about: [cite(root, profile(root)), ...told.map((node) => cite(node, relation(node, depths.get(node.id) ?? 1)))],
  };
}

function singularOf(what: string): string {
  return what.replaceAll(/\b(asset|metric|dashboard|pipeline|model|table|column)s\b/g, "$1");
}

function lineageAnswer(direction: Direction): Answerer {
  return async (ask) => {
    const [root] = ask.subjects;
    const walk = root && (await ask.catalog.walk(root.id, direction));
    if (root === undefined || !walk) return null;
    const { template } = ask.question;
    const onlyDirect =
      /\b(?:direct|directly|immediate|immediately|straight)\b/.test(template) &&
      !/\b(?:or|and|indirect|indirectly|further)\b/.test(template);
    const ends =
      direction === "upstream" &&
      /\b(?:ultimate|ultimately|original|originally|raw|root|source tables?)\b/.test(template);
    const found = await reach(ask, walk);
    const kept = found.filter(({ node, depth }) => (!onlyDirect || depth === 1) && (!ends || isEnd(node, walk)));
    const facts = [sayReached(root, direction, kept, asked(ask))];
    if (walk.truncated) facts.push(sayTruncated(root, walk));
    return { facts, actions: [viewLineage(root, direction), viewNode(kept[0]?.node ?? root)] };
  };
}

/** Whether data comes in here: nothing is upstream but what loads it. */
function isEnd({ id, type }: CatalogNode, { nodes, edges }: Lineage): boolean {
  const loaders = new Set(nodes.filter((node) => node.type === "pipeline").map((node) => node.id));
  return type !== "pipeline" && edges.every(({ from, to }) => to !== id || loaders.has(from));
}

function sayTruncated(root: CatalogNode, walk: Lineage): Fact {
  const text = `Only the nearest ${count(walk.nodes.length, "node")} of ${walk.totalNodes.toLocaleString("en-US")} were looked at.`;
  return { text, about: [cite(root, profile(root))] };
}

export const answerUpstream = lineageAnswer("upstream");
export const answerDownstream = lineageAnswer("downstream");

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

/** The nodes from one asset down to another; null where none is known. Columns and tables are connected through tables. */
async function findWay(from: CatalogNode, to: CatalogNode, catalog: AgentCatalog): Promise<CatalogNode[] | null> {
  const mixed = from.type === "column" && (to.type === "table" || to.type === "model");
  const start = mixed ? (from.parentId ?? from.id) : from.id;
  const target = to.type === "column" && from.type !== "column" ? (to.parentId ?? to.id) : to.id;
  const walk = await catalog.walk(start, "downstream");
  const way = walk && shortestWay(walk, target);
  if (!way) return null;
  return (await catalog.load(way)).filter((node) => node !== null);
}

function sayWay(way: readonly CatalogNode[], lead: string): Fact {
  const about = way.map((node, i) => {
    const after = way[i + 1];
    return cite(node, after === undefined ? profile(node) : `${nameOf(node)} feeds ${nameOf(after)}`);
  });
  return { text: `${lead}${way.map(named).join(" → ")}, ${count(way.length - 1, "hop")}.`, about };
}

function sayNoWay(a: CatalogNode, b: CatalogNode, lead: string): Fact {
  return {
    text: `${lead}the catalog knows of no lineage between ${named(a)} and ${named(b)}.`,
    about: [a, b].map((it) => cite(it, profile(it))),
  };
}

export const answerPath: Answerer = async ({ subjects, catalog }) => {
  const [a, b] = subjects;
  if (a === undefined || b === undefined) return null;
  const way = (await findWay(a, b, catalog)) ?? (await findWay(b, a, catalog));
  const fact = way === null ? sayNoWay(a, b, "There is no path: ") : sayWay(way, "");
  return { facts: [fact], actions: [viewLineage(way?.[0] ?? a, "downstream"), viewNode(b)] };
};

/** Words by which the first asset of a question is what the second is made from. */
const FIRST_GIVES =
  /\bN\b.*\b(?:feeds?|power|powers|go into|goes into|flow|flows|supply|supplies|affects?|influences?|impacts?|breaks?|used (?:by|in|for)|upstream|populates?|contributes?|drives?|end up|ends up|part of|shown (?:in|on))\b.*\bN\b/;

export const answerUses: Answerer = async ({ subjects, catalog, question }) => {
  const [first, second] = subjects;
  if (first === undefined || second === undefined) return null;
  const [from, to] = FIRST_GIVES.test(question.template) ? [first, second] : [second, first];
  const way = await findWay(from, to, catalog);
  const actions = [viewLineage(to, "upstream"), viewNode(to)];
  if (way !== null) return { facts: [sayWay(way, `Yes, ${named(to)} uses ${named(from)}: `)], actions };
  const other = await findWay(to, from, catalog);
  const fact = other === null ? sayNoWay(to, from, "No: ") : sayWay(other, `No, it is the other way round: `);
  return { facts: [fact], actions };
};

export function sayAlso(rivals: readonly CatalogNode[]): Fact {
  return {
    text: `You may also have meant ${listNames(rivals, rivals.length, 3)}.`,
    about: rivals.slice(0, 3).map((node) => cite(node, profile(node))),
  };
}
