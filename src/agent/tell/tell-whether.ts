/** Yes or no, and why. */
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import { CannotTell } from "../lookup.ts";
import { type Along, type Aspect, ASPECTS, type Condition, not, only, type Things } from "../plan.ts";
import { tellAspect } from "./tell-aspects.ts";
import { shortestWay } from "./tell-lineage.ts";
import { sayCondition, sayThings } from "./read-as.ts";
import { citeAll, count, inTypeOrder, listNames, named, say } from "./words.ts";
import { amountOf, citedBy, isAre, type PlanOf, sayFound, sayGaps, type Tools } from "./tell-sets.ts";

export async function tellWhether({ find, where, all }: PlanOf<"whether">, tools: Tools): Promise<Fact[]> {
  const { finder, names, lookup } = tools;
  if (where === undefined) return tellExists(find, tools);
  if (!all && find.ids === undefined) return tellExists(only(find, where), tools);
  const found = await finder.findAll(find);
  const { met, isComplete } = await finder.decide(where, found.things);
  const no = [...new Set(found.things).difference(new Set(met))];
  const isSo = no.length === 0;
  const told = isSo ? met : no;
  const said = `${isAre(told.length)} ${sayCondition(isSo ? where : not(where), names)}`;
  if (all) {
    const set = `${amountOf(found)} ${sayThings(find, names)}`;
    const verdict = isSo
      ? `Yes. All ${set} are ${sayCondition(where, names)}.`
      : `No. ${count(no.length)} of ${set} ${said}: ${listNames(no)}.`;
    return [say(verdict, citeAll(told))];
  }
  const about = [...citeAll(found.things), ...(await citedBy({ where }, lookup))];
  const one = found.things.length === 1 ? found.things[0] : undefined;
  const aspect = deciding(where);
  if (one !== undefined && aspect !== null) {
    const facts = await tellAspect({ tell: "aspect", find: { ids: [one.id] }, aspect }, tools);
    const doubts = aspect === "certification" ? await tellFailing(one, tools) : [];
    return [say(isSo ? "Yes." : "No.", about), ...facts, ...doubts];
  }
  const how = isSo && one && where.is === "along" ? await tellHow(one, where.along, tools) : [];
  const verdict = say(`${isSo ? "Yes" : "No"}. ${listNames(told)} ${said}.`, about);
  return [verdict, ...how, ...(isSo ? [] : sayGaps({ isComplete }))];
}

/** Whoever asks whether something is certified wants to know whether to trust it. */
async function tellFailing({ id }: Thing, { finder }: Tools): Promise<Fact[]> {
  const feeds: Condition = { is: "along", along: { way: "upstream", of: { ids: [id] } } };
  const where: Condition = { is: "all", of: [feeds, { is: "has", feature: "failing checks" }] };
  try {
    const { things, total } = await finder.find({ types: ["table", "model"], where });
    if (things.length === 0) return [];
    return [say(`But checks fail on what feeds it: ${listNames(things, total)}.`, citeAll(things))];
  } catch (error) {
    if (!(error instanceof CannotTell)) throw error;
    return [say("Too much feeds it to say whether checks fail there.")];
  }
}

async function tellExists(find: Things, { finder, names, lookup }: Tools): Promise<Fact[]> {
  const found = await finder.find(find);
  const about = await citedBy(find, lookup);
  if (found.things.length === 0) return [say(`No. There are no ${sayThings(find, names)}.`, about), ...sayGaps(found)];
  const shown = inTypeOrder(found.things);
  const told = `${sayFound(found, find, names)}: ${listNames(shown, found.total)}`;
  return [say(`Yes. There ${isAre(found.total)} ${told}.`, [...about, ...citeAll(shown)])];
}

/** What is told of an asset for a condition or a feature of another name. */
const TOLD_BY: Readonly<Record<string, Aspect>> = {
  tag: "tags",
  "certified by": "certification",
  "checked by": "checks",
  "failing checks": "checks",
  url: "place",
};

/** What of one asset decides whether it meets a condition; null if no aspect does. */
function deciding(where: Condition): Aspect | null {
  if (where.is === "not") return deciding(where.of);
  const key = where.is === "has" ? where.feature : where.is;
  return TOLD_BY[key] ?? ASPECTS.find((aspect) => aspect === key) ?? null;
}

/** How one asset lies to another: the path to it, or which of a set it lies along. */
async function tellHow(thing: Thing, { way, of, depth }: Along, { finder, lookup }: Tools): Promise<Fact[]> {
  if (way !== "upstream" && way !== "downstream") return [];
  const [root, ...others] = of.ids ?? [];
  if (root === undefined) {
    const back: Along = { way: way === "upstream" ? "downstream" : "upstream", of: { ids: [thing.id] }, depth };
    const shown = inTypeOrder((await finder.find(only(of, { is: "along", along: back }))).things);
    return shown.length === 0 ? [] : [say(`These are: ${listNames(shown)}.`, citeAll(shown))];
  }
  const ids = others.length > 0 ? null : shortestWay(await lookup.walk(root, way), root, thing.id, way);
  if (ids === null) return [];
  const things = await lookup.load(way === "downstream" ? ids : ids.toReversed());
  return [say(`The path: ${things.map(named).join(" → ")}.`, citeAll(things))];
}
