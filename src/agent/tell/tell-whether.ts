/** Yes or no, and why. */
import type { Fact } from "../answer.ts";
import { inverse, type Thing } from "../catalog.ts";
import { type Along, type Aspect, ASPECTS, type Condition, not, only, type PlanOf, type Things } from "../plan.ts";
import { tellAspect } from "./tell-aspects.ts";
import { findWay, sayPath, tellFailing } from "./tell-lineage.ts";
import { sayCondition, sayThings } from "./read-as.ts";
import { amountOf, sayFailing, sayGaps, sayThere, type Tools } from "./tell-sets.ts";
import { inTypeOrder, isAre, list, say } from "./words.ts";

export async function tellWhether({ find, where, all }: PlanOf<"whether">, tools: Tools): Promise<Fact[]> {
  const { finder, names } = tools;
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
    if (!isSo) return [say`No. ${no.length} of ${set} ${said}: ${list(no)}.`];
    return [{ ...say`Yes. All ${set} are ${sayCondition(where, names)}.`, about: list(told).about }];
  }
  const one = found.things.length === 1 ? found.things[0] : undefined;
  const aspect = deciding(where);
  if (one !== undefined && aspect !== null) {
    const facts = await tellAspect({ tell: "aspect", find: { ids: [one.id] }, aspect }, tools);
    const doubts = aspect === "certification" ? await tellFailing(one, tools, "But checks") : [];
    return [isSo ? say`Yes.` : say`No.`, ...facts, ...doubts];
  }
  const how = isSo && one && where.is === "along" ? await tellHow(one, where.along, tools) : [];
  return [say`${isSo ? "Yes" : "No"}. ${list(told)} ${said}.`, ...how, ...(isSo ? [] : sayGaps({ isComplete }))];
}

async function tellExists(find: Things, tools: Tools): Promise<Fact[]> {
  if (find.ids !== undefined) {
    const told = await tellAspect({ tell: "aspect", find, aspect: "kind" }, tools);
    return told.length === 0 ? [] : [say`Yes.`, ...told];
  }
  const found = await tools.finder.find(find);
  const isNone = found.total === 0;
  const told = say`${isNone ? "No" : "Yes"}. ${sayThere(found, find, tools)}`;
  return [told, ...(await sayFailing(found, find, tools)), ...(isNone ? sayGaps(found) : [])];
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
  const back: Along = { way: inverse(way), of: { ids: [thing.id] }, depth };
  const { things } = await finder.find(only(of, { is: "along", along: back }));
  const [root] = things;
  if (root === undefined) return [];
  if (of.ids?.length !== 1) return [say`These are: ${list(inTypeOrder(things))}.`];
  const { way: path } = way === "downstream" ? await findWay(root, thing, lookup) : await findWay(thing, root, lookup);
  return path === null ? [] : [say`The path: ${sayPath(path)}.`];
}
