/** What feeds X, and what uses X. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Direction } from "../../catalog/edge.ts";
import { type Lineage, MAX_DEPTH } from "../../catalog/lineage.ts";
import type { Fact } from "../answer.ts";
import type { AgentCatalog } from "../catalog.ts";
import { viewLineage, viewNode } from "./actions.ts";
import type { Answerer, Ask } from "./ask.ts";
import { isOwnedBy, valueOf } from "./ask.ts";
import {
  cite,
  count,
  inTypeOrder,
  listByType,
  listNames,
  MAX_NAMES,
  type Named,
  named,
  nameOf,
  profile,
  typesInWords,
} from "./words.ts";

/** Nodes of a walk that are read whole, where a filter asks for more than their type; the answer says when there are more. */
const MAX_READ = 5_000;
const PAGE = 500;

interface Reached {
  node: Named;
  depth: number;
}

/** What passes, the nearest first, and of how many nodes how many were looked at to know it. */
interface Found {
  reached: Reached[];
  looked: number;
  all: number;
}

/** What a walk reached and the question asks for, the nearest first. Only a filter needs the nodes themselves. */
async function reach({ question, catalog }: Ask, walk: Lineage): Promise<Found> {
  const { types, certification } = question;
  const tag = valueOf(question, "tag");
  const owner = valueOf(question, "owner");
  const fit = walk.nodes.filter(({ type }) => types === null || types.includes(type));
  if (certification === null && tag === undefined && owner === undefined) {
    return {
      reached: fit.map((node) => ({ node, depth: node.depth })),
      looked: walk.nodes.length,
      all: walk.totalNodes,
    };
  }
  const passes = (node: CatalogNode): boolean =>
    (certification === null || node.certification === certification) &&
    (tag === undefined || node.tags.includes(tag)) &&
    (owner === undefined || isOwnedBy(node, owner));
  const read = fit.slice(0, MAX_READ);
  const reached: Reached[] = [];
  for (let at = 0; at < read.length; at += PAGE) {
    const page = read.slice(at, at + PAGE);
    const nodes = await catalog.load(page.map(({ id }) => id));
    reached.push(
      ...nodes.flatMap((node, i) => (node !== null && passes(node) ? [{ node, depth: page[i]?.depth ?? 0 }] : [])),
    );
  }
  const isWhole = read.length === fit.length;
  return { reached, looked: isWhole ? walk.nodes.length : read.length, all: isWhole ? walk.totalNodes : fit.length };
}

/** Reads what is to be told of nodes that are known by their names alone: a column goes by its table too. */
async function readTold(reached: readonly Reached[], catalog: AgentCatalog): Promise<Reached[]> {
  const columns = reached.filter(({ node }) => node.type === "column" && node.fqn === undefined);
  const told = [true, false].flatMap((direct) =>
    columns.filter(({ depth }) => (depth === 1) === direct).slice(0, MAX_NAMES),
  );
  const nodes = await catalog.load(told.map(({ node }) => node.id));
  const byId = new Map(nodes.flatMap((node) => (node === null ? [] : [[node.id, node] as const])));
  return reached.map(({ node, depth }) => ({ node: byId.get(node.id) ?? node, depth }));
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

/** Nodes that one sentence cites: no fewer than it names. */
const MAX_TOLD = 100;

const VERB = { upstream: "feeds", downstream: "uses" } as const;

/** @param isAll whether nothing more can have been reached than this */
export function sayReached(
  root: CatalogNode,
  direction: Direction,
  reached: readonly Reached[],
  what: string,
  isAll = true,
): Fact {
  const relation = (node: Named, depth: number): string => {
    const [from, to] = direction === "upstream" ? [node, root] : [root, node];
    return `${nameOf(from)} feeds ${nameOf(to)}, ${count(depth, "hop")} away`;
  };
  if (reached.length === 0) {
    const none = direction === "upstream" ? `No ${what} feed ${named(root)}` : `No ${what} use ${named(root)}`;
    const howSure = isAll ? "as far as the catalog knows" : "among those that were looked at";
    return { text: `${none}, ${howSure}.`, about: [cite(root, profile(root))] };
  }
  const direct = reached.filter(({ depth }) => depth === 1).map(({ node }) => node);
  const further = reached.filter(({ depth }) => depth > 1).map(({ node }) => node);
  const near =
    direct.length === 0
      ? `None of them directly: ${listByType(further)}`
      : `Directly: ${listByType(direct)}${further.length === 0 ? "" : `. Further on: ${listByType(further)}`}`;
  const lead = `${isAll ? "" : "At least "}${reached.length.toLocaleString("en-US")}`;
  const verb = reached.length === 1 ? VERB[direction] : VERB[direction].replace(/s$/, "");
  const told = [direct, further].flatMap((nodes) => inTypeOrder(nodes).slice(0, MAX_TOLD));
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
    const { reached, looked, all } = await reach(ask, walk);
    const isEnd = ends ? endsOf(walk) : () => true;
    const kept = reached.filter(({ node, depth }) => (!onlyDirect || depth === 1) && isEnd(node));
    // Direct neighbours come first in a walk, so that none of them is behind one further on.
    const isAll = looked === all || (onlyDirect && kept.length < reached.length && !ends);
    const told = await readTold(kept, ask.catalog);
    const facts = [sayReached(root, direction, told, asked(ask), isAll)];
    if (!isAll) facts.push(sayLookedAt(root, looked, all));
    if (reachesDepth(walk) && !onlyDirect) facts.push(sayDepth(root));
    return { facts, actions: [viewLineage(root, direction), viewNode(kept[0]?.node ?? root)] };
  };
}

/** Whether data comes in at a node: nothing is upstream of it but what loads it. */
function endsOf({ nodes, edges }: Lineage): (node: Named) => boolean {
  const loaders = new Set(nodes.filter((node) => node.type === "pipeline").map((node) => node.id));
  const made = new Set(edges.filter(({ from }) => !loaders.has(from)).map(({ to }) => to));
  return ({ id, type }) => type !== "pipeline" && !made.has(id);
}

/** Whether a walk ended where it had to, with what may lie behind unseen. */
export function reachesDepth(walk: Lineage): boolean {
  return walk.depth === MAX_DEPTH && walk.nodes.at(-1)?.depth === MAX_DEPTH;
}

function sayLookedAt(root: CatalogNode, looked: number, all: number): Fact {
  const text = `Only the nearest ${looked.toLocaleString("en-US")} of the ${all.toLocaleString("en-US")} that could be meant were looked at.`;
  return { text, about: [cite(root, profile(root))] };
}

function sayDepth(root: CatalogNode): Fact {
  const text = `Whatever is further than ${MAX_DEPTH} hops from ${named(root)} was not looked at.`;
  return { text, about: [cite(root, profile(root))] };
}

export const answerUpstream = lineageAnswer("upstream");
export const answerDownstream = lineageAnswer("downstream");

const MAX_RIVALS = 3;

export function sayAlso(rivals: readonly CatalogNode[]): Fact {
  return {
    text: `You may also have meant ${listNames(rivals, rivals.length, MAX_RIVALS)}.`,
    about: rivals.slice(0, MAX_RIVALS).map((node) => cite(node, profile(node))),
  };
}
