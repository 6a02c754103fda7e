/** Yes or no, and why. */
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { type Along, type Aspect, type Condition, type Feature, not, only, type Things } from "../plan.ts";
import { tellAspect } from "./tell-aspects.ts";
import { sayCondition, sayThings } from "./read-as.ts";
import { citeAll, inTypeOrder, listNames, named, say } from "./words.ts";
import { amountOf, citedBy, isAre, type PlanOf, sayGaps, type Tools } from "./tell-sets.ts";

export async function tellWhether(plan: PlanOf<"whether">, tools: Tools): Promise<Fact[]> {
  const { find, where, all } = plan;
  if (where === undefined) return tellExists(find, tools);
  const { finder, names, lookup } = tools;
  const found = await finder.findAll(find);
  const met = await finder.decide(where, found.things);
  const yes = found.things.filter(({ id }) => met.ids.has(id));
  const no = found.things.filter(({ id }) => !met.ids.has(id));
  const set = sayThings(find, names);
  const [is, isNot] = [sayCondition(where, names), sayCondition(not(where), names)];
  if (all && no.length === 0) return [say(`Yes. All ${amountOf(found)} ${set} are ${is}.`, citeAll(yes))];
  if (all) {
    const amount = `${no.length.toLocaleString("en-US")} of ${amountOf(found)}`;
    return [say(`No. ${amount} ${set} ${isAre(no.length)} ${isNot}: ${listNames(no)}.`, citeAll(no))];
  }
  if (find.ids === undefined) return tellExists(only(find, where), tools);
  const about = [...citeAll(found.things), ...(await citedBy({ where }, lookup))];
  const [one] = found.things.length === 1 ? found.things : [];
  const aspect = one === undefined ? null : deciding(where);
  if (one !== undefined && aspect !== null) {
    const facts = await tellAspect({ tell: "aspect", find: { ids: [one.id] }, aspect }, tools);
    return [say(no.length === 0 ? "Yes." : "No.", about), ...facts];
  }
  const verdict =
    no.length === 0
      ? `Yes. ${listNames(yes)} ${isAre(yes.length)} ${is}.`
      : `No. ${listNames(no)} ${isAre(no.length)} ${isNot}.`;
  const how = one === undefined ? [] : await tellHow(where, one, tools);
  return [say(verdict, about), ...how, ...(no.length === 0 ? [] : sayGaps(met))];
}

async function tellExists(find: Things, { finder, names, lookup }: Tools): Promise<Fact[]> {
  const found = await finder.find(find);
  const set = sayThings(find, names, found.total === 1);
  const about = await citedBy(find, lookup);
  if (found.things.length === 0) return [say(`No. There are no ${set}.`, about), ...sayGaps(found)];
  const shown = inTypeOrder(found.things);
  const told = `${amountOf(found)} ${set}: ${listNames(shown, found.total)}`;
  return [say(`Yes. There ${isAre(found.total)} ${told}.`, [...about, ...citeAll(shown)])];
}

/** What of one asset decides whether it meets a condition; null if no aspect does. */
function deciding(where: Condition): Aspect | null {
  if (where.is === "not") return deciding(where.of);
  return (where.is === "has" ? BY_FEATURE[where.feature] : BY_CONDITION[where.is]) ?? null;
}

const BY_CONDITION: Readonly<Partial<Record<Condition["is"], Aspect>>> = {
  owner: "owner",
  certification: "certification",
  "certified by": "certification",
  materialization: "materialization",
  kind: "kind",
  tag: "tags",
  "data type": "data type",
  "checked by": "checks",
};
const BY_FEATURE: Readonly<Partial<Record<Feature, Aspect>>> = {
  owner: "owner",
  description: "description",
  tags: "tags",
  columns: "columns",
  certification: "certification",
  checks: "checks",
  "failing checks": "checks",
  url: "place",
};

/** How one asset lies to another. */
async function tellHow(where: Condition, thing: Thing, tools: Tools): Promise<Fact[]> {
  if (where.is !== "along") return [];
  const { ids } = where.along.of;
  if (ids === undefined) return tellWhich(thing, where.along, tools);
  return ids.length === 1 ? tellWay(ids[0] ?? "", thing, where.along.way, tools.lookup) : [];
}

/** Which of a set one asset lies along. */
async function tellWhich({ id }: Thing, { way, of, depth }: Along, { finder }: Tools): Promise<Fact[]> {
  if (way !== "upstream" && way !== "downstream") return [];
  const back: Along = { way: way === "upstream" ? "downstream" : "upstream", of: { ids: [id] }, depth };
  const { things } = await finder.find(only(of, { is: "along", along: back }));
  const shown = inTypeOrder(things);
  return things.length === 0 ? [] : [say(`These are: ${listNames(shown)}.`, citeAll(shown))];
}

async function tellWay(root: string, thing: Thing, way: string, lookup: Lookup): Promise<Fact[]> {
  if (way !== "upstream" && way !== "downstream") return [];
  const walk = await lookup.walk(root, way);
  const ids = shortestWay(walk, root, thing.id, way);
  if (ids === null) return [];
  const things = await lookup.load(way === "downstream" ? ids : ids.toReversed());
  return [say(`The path: ${things.map(named).join(" → ")}.`, citeAll(things))];
}

/** Ids from the root of a walk to a node in it, along the fewest edges; null if it is not in it. */
export function shortestWay(
  { edges }: { edges: readonly { from: string; to: string }[] },
  root: string,
  to: string,
  way: "upstream" | "downstream",
): string[] | null {
  const next = Map.groupBy(edges, (edge) => (way === "downstream" ? edge.from : edge.to));
  const before = new Map<string, string | null>([[root, null]]);
  const queue = [root];
  for (const id of queue) {
    for (const edge of next.get(id) ?? []) {
      const far = way === "downstream" ? edge.to : edge.from;
      if (before.has(far)) continue;
      before.set(far, id);
      queue.push(far);
    }
  }
  if (!before.has(to)) return null;
  const path: string[] = [];
  for (let id: string | null = to; id !== null; id = before.get(id) ?? null) path.unshift(id);
  return path;
}
