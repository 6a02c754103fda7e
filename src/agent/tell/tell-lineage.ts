/** What a change affects, what can have changed a value, and how data gets from one asset to another. */
import { RISKS } from "../../catalog/impact.ts";
import type { Fact } from "../answer.ts";
import { type Affected, type CausesSeen, isColumn, isWhole, type Thing } from "../catalog.ts";
import { CannotTell, changeOf, type Lookup } from "../lookup.ts";
import { type Condition, durationOf, type PlanOf, type Things } from "../plan.ts";
import { CHANGES } from "./read-as.ts";
import { sayGaps, type Tools } from "./tell-sets.ts";
import { cite, count, inTypeOrder, isAre, joinWords, list, listByType, listSome, minute, named } from "./words.ts";
import { type Owning, plain, say, sayOwnerOf, tick } from "./words.ts";

const MAX_ROOTS = 3;
const MAX_OWNERS = 15;
const MAX_REASONS = 2;
const MAX_SHOWN = 200;
const TOO_FAR = "No path was found, but there is more lineage than one question may look at.";

/** What is told of each of the first few members of a set; the others are named. */
async function tellEach(set: Things, { finder }: Tools, tellOne: (it: Thing) => Promise<Fact[]>): Promise<Fact[]> {
  const { things } = await finder.find(set);
  const facts = await Promise.all(things.slice(0, MAX_ROOTS).map(tellOne));
  const left = things.slice(MAX_ROOTS);
  return [...facts.flat(), ...(left.length === 0 ? [] : [say`There are others of that name: ${list(left)}.`])];
}

export async function tellImpact({ find, change, owners, isSafe }: PlanOf<"impact">, tools: Tools): Promise<Fact[]> {
  return tellEach(find, tools, async (root) => {
    const impact = await tools.lookup.impact(root, change);
    if (impact === null) return [];
    const { assets, unrefreshed, checks } = impact;
    const verdict = isSafe ? (assets.total === 0 ? "Yes. " : "No. ") : "";
    const lead = say`${verdict}If ${root} ${CHANGES[changeOf(root.type, change)].done}`;
    const gaps = sayGaps({ isComplete: isWhole(impact) }, "more may be affected");
    if (assets.total === 0) return [say`${lead}, nothing is affected, as far as the catalog knows.`, ...gaps];
    const affected = sayAffected(lead, impact);
    const old = sayUnrefreshed(unrefreshed);
    const failing = checks.total === 0 ? [] : [say`${count(checks.total, "check")} would fail.`];
    const whom = listOwners(assets.owners);
    const told = whom === "" ? [] : [say`The owners to tell, with how much of theirs is affected: ${whom}.`];
    const facts = owners ? [...told, ...old, ...affected.slice(0, 1)] : [...affected, ...old, ...failing, ...told];
    return [...facts, ...gaps];
  });
}

/** How much is affected, and why the first are. */
function sayAffected(lead: Fact, { affected, assets }: Affected): Fact[] {
  // Columns are named only if nothing else is affected.
  const others = affected.filter(({ type }) => type !== "column");
  const shown = inTypeOrder((others.length > 0 ? others : affected).slice(0, MAX_SHOWN));
  const risks = RISKS.filter((risk) => assets[risk] > 0).map((risk) => `${count(assets[risk])} at ${risk} risk`);
  const noun = assets.total === 1 ? "asset or metric is" : "assets and metrics are";
  const beside = assets.columns === 0 ? "" : `, with ${count(assets.columns, "column")}`;
  return [
    say`${lead}, ${assets.total} ${noun} affected${beside}: ${joinWords(risks)}. Among them: ${listByType(shown)}.`,
    ...shown.slice(0, MAX_REASONS).map(({ reason }) => say`${plain(reason)}`),
  ];
}

/** What gets no new data, with its owners, who must be told too. */
function sayUnrefreshed({ total, owners, nodes }: Affected["unrefreshed"]): Fact[] {
  const told = listOwners(owners);
  const lead = "Not affected, but without new data, because a model before it cannot be built";
  return total === 0 ? [] : [say`${lead}: ${list(nodes, total)}${told === "" ? "" : `, of ${told}`}.`];
}

/** Those who have a name, and with how many assets if that is told. */
function listOwners(owners: readonly (Owning & { summary?: { total: number } })[]): string {
  const known = owners.flatMap(({ summary, ...it }) => {
    const name = sayOwnerOf(it);
    return name === null ? [] : `${name}${summary ? ` (${summary.total})` : ""}`;
  });
  return listSome(known.slice(0, MAX_OWNERS), known.length);
}

export async function tellCauses({ find, since = "7d" }: PlanOf<"causes">, tools: Tools): Promise<Fact[]> {
  return tellEach(find, tools, async (thing) => {
    const causes = await tools.lookup.causes(thing.id, durationOf(since, tools.now));
    if (causes === null) return [];
    const { nodes, total, others } = causes;
    const what = total === 0 ? "no change that the catalog knows" : count(total, "change");
    const more = total - nodes.length;
    return [
      say`Since ${minute(causes.since)}, ${what} can have changed ${thing}${total === 0 ? "" : ", the nearest first"}.`,
      ...nodes.map(sayCause),
      ...(more > 0 ? [say`There ${isAre(more)} ${more} more.`] : []),
      ...(others > 0 ? [say`${count(others, "other change")} upstream cannot have changed it.`] : []),
      ...sayGaps({ isComplete: isWhole(causes) }, "there may be other causes"),
      ...(await tellFailing(thing, tools, "Checks")),
    ];
  });
}

function sayCause({ node, sentence, details, at, actor, connector, ...cause }: CausesSeen["nodes"][number]): Fact {
  const who = actor ?? (connector === null ? "a connector that is gone" : `connector ${tick(connector.name)}`);
  const where = cause.distance === 0 ? "on itself" : `${count(cause.distance, "hop")} upstream`;
  const isSure = cause.evidence.toLowerCase() !== "unknown";
  const doubt = isSure ? "" : ", if the lineage in between, which is not fully known, leads to it";
  const what = plain([sentence, ...details.slice(0, 1)].join(": "));
  return say`${{ ...node, reason: sentence }}, ${where}: ${what} (${plain(who)}, ${minute(at)})${doubt}.`;
}

/** Whoever asks whether something is certified, or why it is wrong, wants to know whether to trust it. */
export async function tellFailing({ id }: Thing, { finder }: Tools, checks: string): Promise<Fact[]> {
  const feeds: Condition = { is: "along", along: { way: "upstream", of: { ids: [id] } } };
  const where: Condition = { is: "all", of: [feeds, { is: "has", feature: "failing checks" }] };
  try {
    const { things, total } = await finder.find({ types: ["table", "model"], where });
    return things.length === 0 ? [] : [say`${checks} fail on what feeds it: ${list(things, total)}.`];
  } catch (error) {
    if (!(error instanceof CannotTell)) throw error;
    return [say`Too much feeds it to say whether checks fail there.`];
  }
}

export async function tellPath({ from, to }: PlanOf<"path">, { lookup, finder }: Tools): Promise<Fact[]> {
  const [starts, ends] = await Promise.all([finder.find(from), finder.find(to)]);
  const [a, b] = [starts.things[0], ends.things[0]];
  if (a === undefined || b === undefined) return [];
  const there = await findWay(a, b, lookup);
  const { way, isExact } = there.way === null ? await findWay(b, a, lookup) : there;
  if (way === null && !(isExact && there.isExact)) throw new CannotTell(TOO_FAR);
  if (way === null) return [say`There is no path: the catalog knows of no lineage between ${a} and ${b}.`];
  const turned = there.way === null ? say`Data goes from ${b} to ${a}: ` : "";
  return [say`${turned}${sayPath(way)}, ${count(way.length - 1, "hop")}.`];
}

export function sayPath(way: readonly Thing[]): Fact {
  return { text: way.map(named).join(" → "), about: way.map(cite) };
}

/**
 * The shortest way down from one to the other; null if none is known. A table stands for its column where the other is no
 * column.
 */
export async function findWay(from: Thing, to: Thing, lookup: Lookup) {
  const isMixed = isColumn(from) !== isColumn(to);
  const idOf = ({ id, parentId }: Thing): string => (isMixed && parentId) || id;
  const { nodes, edges, isExact } = await lookup.walk(idOf(from), "downstream");
  const depths = new Map([[idOf(from), 0], ...nodes.map(({ id, depth }) => [id, depth] as const)]);
  const depthOf = (id: string): number => depths.get(id) ?? Infinity;
  if (!depths.has(idOf(to))) return { way: null, isExact };
  const ids = [];
  for (let at: string | undefined = idOf(to); at !== undefined;) {
    const end: string = at;
    ids.unshift(end);
    at = edges.find((edge) => edge.to === end && depthOf(edge.from) < depthOf(end))?.from;
  }
  return { way: await lookup.load(ids), isExact };
}
