/** What a change affects, and how data gets from one asset to another. */
import { type ChangeType, RISKS } from "../../catalog/impact.ts";
import type { Fact } from "../answer.ts";
import { type Affected, isWhole, type Thing, type Walked } from "../catalog.ts";
import { CannotTell, changeOf, type Lookup } from "../lookup.ts";
import type { PlanOf, Tools } from "./tell-sets.ts";
import {
  cite,
  citeAll,
  count,
  inTypeOrder,
  joinWords,
  listByType,
  listNames,
  listSome,
  named,
  plain,
  profile,
  say,
  sayOwnerOf,
} from "./words.ts";

const MAX_ROOTS = 3;
const MAX_OWNERS = 15;
const MAX_REASONS = 2;
const MAX_SHOWN = 200;

const DONE: Readonly<Record<ChangeType, string>> = {
  column_drop: "is dropped",
  asset_drop: "is dropped",
  column_rename: "is renamed",
  type_change: "changes its type",
  deprecate: "is deprecated",
};

/** What is told of each of the first few things; the others are named. */
export async function tellEach(things: readonly Thing[], tellOne: (thing: Thing) => Promise<Fact[]>): Promise<Fact[]> {
  const facts = await Promise.all(things.slice(0, MAX_ROOTS).map(tellOne));
  const left = things.slice(MAX_ROOTS);
  const others = left.length === 0 ? [] : [say(`There are others of that name: ${listNames(left)}.`, citeAll(left))];
  return [...facts.flat(), ...others];
}

export async function tellImpact(plan: PlanOf<"impact">, { lookup, finder }: Tools): Promise<Fact[]> {
  const { things } = await finder.find(plan.find);
  return tellEach(things, async (root) => {
    const impact = await lookup.impact(root, plan.change);
    return impact === null ? [] : sayImpact(root, plan, impact);
  });
}

function sayImpact(root: Thing, { change, owners, isSafe }: PlanOf<"impact">, impact: Affected): Fact[] {
  const { affected, assets, unrefreshed, checks } = impact;
  const verdict = isSafe ? (assets.total === 0 ? "Yes. " : "No. ") : "";
  const lead = `${verdict}If ${named(root)} ${DONE[changeOf(root.type, change)]}`;
  const gaps = isWhole(impact) ? [] : [say("Part of the lineage could not be read, so more may be affected.")];
  const about = cite(root, profile(root));
  if (assets.total === 0) return [say(`${lead}, nothing is affected, as far as the catalog knows.`, [about]), ...gaps];
  // Columns are named only if nothing else is affected.
  const others = affected.filter(({ type }) => type !== "column");
  const shown = inTypeOrder((others.length > 0 ? others : affected).slice(0, MAX_SHOWN));
  const risks = RISKS.filter((risk) => assets[risk] > 0).map((risk) => `${count(assets[risk])} at ${risk} risk`);
  const noun = assets.total === 1 ? "asset or metric is" : "assets and metrics are";
  const beside = assets.columns === 0 ? "" : `, with ${count(assets.columns, "column")}`;
  const what = say(
    `${lead}, ${count(assets.total)} ${noun} affected${beside}: ${joinWords(risks)}. Among them: ${listByType(shown)}.`,
    [about, ...shown.map((it) => cite(it, it.reason))],
  );
  const reasons = shown.slice(0, MAX_REASONS).map((it) => say(plain(it.reason), [cite(it, it.reason)]));
  const old = sayUnrefreshed(unrefreshed);
  const failing = checks.total === 0 ? [] : [say(`${count(checks.total, "check")} would fail.`)];
  const told = sayOwners(assets).map((text) => say(text, [about]));
  return [...(owners ? [...told, ...old, what] : [what, ...reasons, ...old, ...failing, ...told]), ...gaps];
}

/** What gets no new data, with its owners, who must be told too. */
function sayUnrefreshed({ total, owners, nodes }: Affected["unrefreshed"]): Fact[] {
  if (total === 0) return [];
  const known = owners.flatMap((each) => sayOwnerOf(each) ?? []);
  const whose = listSome(known.slice(0, MAX_OWNERS), known.length);
  const names = `${listNames(nodes, total)}${whose === "" ? "" : `, of ${whose}`}`;
  const text = `Not affected, but without new data, because a model before it cannot be built: ${names}.`;
  return [
    say(
      text,
      nodes.map((it) => cite(it, it.reason)),
    ),
  ];
}

function sayOwners({ owners }: Affected["assets"]): string[] {
  const known = owners.filter((it) => sayOwnerOf(it) !== null);
  const shown = known.slice(0, MAX_OWNERS).map((it) => `${sayOwnerOf(it)} (${it.summary.total})`);
  const list = listSome(shown, known.length);
  return list === "" ? [] : [`The owners to tell, with how much of theirs is affected: ${list}.`];
}

export async function tellPath({ from, to }: PlanOf<"path">, { lookup, finder }: Tools): Promise<Fact[]> {
  const [starts, ends] = await Promise.all([finder.find(from), finder.find(to)]);
  const [a, b] = [starts.things[0], ends.things[0]];
  if (a === undefined || b === undefined) return [];
  const there = await findWay(a, b, lookup);
  const way = there ?? (await findWay(b, a, lookup));
  if (way === null) {
    const text = `There is no path: the catalog knows of no lineage between ${named(a)} and ${named(b)}.`;
    return [say(text, citeAll([a, b]))];
  }
  const turned = there === null ? `Data goes from ${named(b)} to ${named(a)}: ` : "";
  return [say(`${turned}${way.map(named).join(" → ")}, ${count(way.length - 1, "hop")}.`, citeAll(way))];
}

/** The shortest way down from one to the other. A table stands for its column where the other is no column. */
async function findWay(from: Thing, to: Thing, lookup: Lookup): Promise<Thing[] | null> {
  const isMixed = (from.type === "column") !== (to.type === "column");
  const [start, end] = [from, to].map(({ id, parentId }) => (isMixed && parentId) || id) as [string, string];
  const walk = await lookup.walk(start, "downstream");
  const ids = shortestWay(walk, start, end, "downstream");
  if (ids === null && walk.truncated)
    throw new CannotTell(`No path was found, but ${named(from)} has more lineage than one question may look at.`);
  return ids && lookup.load(ids);
}

/** Ids from the root of a walk to a node in it, along the fewest edges; null if it is not in it. */
export function shortestWay(
  { nodes, edges }: Walked,
  root: string,
  end: string,
  way: "upstream" | "downstream",
): string[] | null {
  const depths = new Map([[root, 0], ...nodes.map(({ id, depth }) => [id, depth] as const)]);
  const path: string[] = [];
  for (let at: string | undefined = end; at !== root;) {
    const depth: number = depths.get(at ?? "") ?? 0;
    if (at === undefined || depth === 0) return null;
    path.unshift(at);
    at = edges
      .map(({ from, to }) => (way === "downstream" ? { near: from, far: to } : { near: to, far: from }))
      .find(({ near, far }) => far === at && (depths.get(near) ?? depth) < depth)?.near;
  }
  return [root, ...path];
}
