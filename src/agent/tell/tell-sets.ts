/** Lists, orders, counts and groups: what is told of a set. */
import type { Fact } from "../answer.ts";
import { idsOf, type Thing, valuesIn } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { isDate, only, type Order, partsOf, type PlanOf, reachFar, type Things } from "../plan.ts";
import { isFailing } from "../run/conditions.ts";
import type { Finder, Found } from "../run/find.ts";
import { type Names, sayCounted, sayThings, sayTypes } from "./read-as.ts";
import { count, inTypeOrder, isAre, list, listByType, listSome, MAX_NAMES, say, sayAll, tick } from "./words.ts";

const MAX_GROUPS = 20;

export interface Tools {
  lookup: Lookup;
  finder: Finder;
  names: Names;
  now: Date;
}

export function amountOf({ total, isExact }: Pick<Found, "total" | "isExact">): string {
  return `${isExact ? "" : "at least "}${count(total)}`;
}

/** "3 models downstream of `x`". Metrics are no assets, so that a set of both has two numbers. */
function sayFound(found: Found, set: Things, names: Names): string {
  const { things, total } = found;
  const metrics = things.filter(({ type }) => type === "metric").length;
  const hasMetrics = set.types === undefined && set.ids === undefined && metrics > 0 && things.length === total;
  const assets = total - metrics;
  const types = hasMetrics ? ["metric" as const] : set.types;
  if (!hasMetrics || assets === 0) return `${amountOf(found)} ${sayThings(set, names, sayTypes(types, total === 1))}`;
  const noun = `${assets === 1 ? "asset" : "assets"} and ${count(metrics, "metric")} (${count(total)} in all)`;
  return `${amountOf({ ...found, total: assets })} ${sayThings(set, names, noun)}`;
}

/** "There are 3 models downstream of `x`: `a`, `b` and `c`." */
export function sayThere(found: Found, set: Things, { names }: Tools, limit = Infinity): Fact {
  const { things, total } = found;
  if (total === 0) return say`There are no ${sayThings(set, names)}.`;
  const shown = inTypeOrder(things).slice(0, limit);
  const isOne = shown.every(({ type }) => type === shown[0]?.type);
  const lead = shown.length < things.length ? `${shown.length} of the` : `There ${isAre(total)}`;
  const told = isOne ? list(shown, limit === Infinity ? total : shown.length) : listByType(shown);
  return say`${lead} ${sayFound(found, set, names)}: ${told}.`;
}

/** Which checks fail, where it is asked what they fail on. */
export async function sayFailing({ things }: Found, { where }: Things, { lookup }: Tools): Promise<Fact[]> {
  const isAsked = partsOf(where).some((part) => part.is === "has" && part.feature === "failing checks");
  const checks = await lookup.checks(isAsked ? things.slice(0, MAX_NAMES) : []);
  const failing = new Set([...checks.values()].flatMap(({ seen }) => seen.filter(isFailing).map(({ name }) => name)));
  const names = [...failing].slice(0, MAX_NAMES).map(tick);
  return names.length === 0 ? [] : [say`Failing: ${listSome(names, failing.size)}.`];
}

/** What is said where the lineage that was followed has gaps. */
export function sayGaps({ isComplete }: Pick<Found, "isComplete">, more = "there may be others"): Fact[] {
  return isComplete ? [] : [say`Part of the lineage could not be read, so ${more}.`];
}

export async function tellList({ find, order, limit }: PlanOf<"list">, tools: Tools): Promise<Fact[]> {
  const far = findFar(find);
  // An order is over all that can be meant, and so is a list that has no direct neighbours.
  if (order !== undefined) return tellOrdered(far ?? find, order, limit, tools);
  const found = await tools.finder.find(find);
  if (found.total === 0 && far !== null) return tellList({ tell: "list", find: far, limit }, tools);
  // Where the question leaves open how far is meant: what lies farther than direct neighbours.
  const all = far === null ? found : await tools.finder.find(far);
  const known = idsOf(found.things);
  const more = all.things.filter(({ id }) => !known.has(id));
  const amount = amountOf({ ...all, total: more.length });
  const farther = more.length === 0 ? [] : [say`Farther away ${isAre(more.length)} ${amount}: ${listByType(more)}.`];
  return [
    sayThere(found, find, tools, limit),
    ...(await sayFailing(found, find, tools)),
    ...farther,
    ...sayGaps(found),
  ];
}

/** The set with all that lineage reaches in place of direct neighbours; null where the question does not leave that open. */
function findFar({ where, ...set }: Things): Things | null {
  const parts = partsOf(where);
  const far = parts.map(reachFar);
  return JSON.stringify(far) === JSON.stringify(parts) ? null : only(set, ...far);
}

async function tellOrdered(find: Things, { by, among, least }: Order, top = MAX_NAMES, tools: Tools): Promise<Fact[]> {
  const { finder, names } = tools;
  const found = await finder.findAll(find);
  if (found.total === 0) return [sayThere(found, find, tools)];
  const counted = isDate(by) ? null : { of: by, among };
  const counts = counted && (await finder.count(counted, found.things));
  const of = (thing: Thing): string | number =>
    isDate(by) ? (valuesIn(by, thing)[0] ?? "") : (counts?.amountOf(thing) ?? 0);
  const sorted = found.things
    .filter((thing) => of(thing) !== "")
    .toSorted((a, b) => (of(a) < of(b) ? -1 : Number(of(a) > of(b))) * (least ? 1 : -1) || (a.fqn < b.fqn ? -1 : 1));
  const lead = `Of the ${sayFound(found, find, names)}`;
  const what = by === "added" ? "first seen" : by;
  // Include ties with the last item.
  const last = sorted[Math.min(top, sorted.length) - 1];
  if (last === undefined) return [say`${lead}, it is not known when any was ${what}.`];
  const meant = sorted.filter((thing, i) => i < top || of(thing) === of(last));
  const shown = meant.slice(0, MAX_NAMES).map((thing) => say`${thing} (${of(thing).toLocaleString("en-US")})`);
  const most =
    counted === null
      ? `${least ? "first" : "last"} ${what}`
      : `${meant.length === 1 ? "the one" : "those"} with the ${least ? "fewest" : "most"} ${sayCounted(counted, names)}`;
  const doubt = counts?.isExact === false ? " Not all could be counted in full." : "";
  return [say`${lead}, ${most}: ${sayAll(shown, (texts) => listSome(texts, meant.length))}.${doubt}`];
}

export async function tellCount({ find }: PlanOf<"count">, tools: Tools): Promise<Fact[]> {
  const { finder, names } = tools;
  const found = await finder.find(find);
  const isFew = found.total > 0 && found.things.length <= MAX_NAMES;
  const told = isFew ? sayThere(found, find, tools) : say`There are ${sayFound(found, find, names)}.`;
  const far = findFar(find);
  const all = far === null ? found : await finder.find(far);
  const inAll = all.total === found.total ? [] : [say`Counting those farther away, there are ${amountOf(all)}.`];
  return [told, ...inAll, ...sayGaps(found)];
}

/** The members of a set, counted by what they have. */
export async function tellGroups({ find, by, limit, least }: PlanOf<"groups">, tools: Tools): Promise<Fact[]> {
  const found = await tools.finder.findAll(find);
  const { things, total } = found;
  if (total === 0) return [sayThere(found, find, tools)];
  const members = things.flatMap((thing) => valuesIn(by, thing).map((value) => ({ value, thing })));
  const groups = [...Map.groupBy(members, ({ value }) => value)]
    .map(([value, some]) => ({ value, some: some.map(({ thing }) => thing) }))
    .toSorted((a, b) => (b.some.length - a.some.length) * (least ? -1 : 1) || (a.value < b.value ? -1 : 1));
  const all = sayFound(found, find, tools.names);
  if (groups.length === 0) return [say`None of the ${all} has a known ${by}.`, ...sayGaps(found)];
  // Include ties with the last one.
  const last = groups[(limit ?? MAX_GROUPS) - 1]?.some.length;
  const shown = groups.filter(({ some }, i) => i < (limit ?? MAX_GROUPS) || (limit && some.length === last));
  const sayMembers = (some: readonly Thing[]): Fact =>
    total <= MAX_NAMES || limit !== undefined ? say`: ${list(some)}` : say``;
  const told = shown.map(
    ({ value, some }) => say`${value.includes("@") ? value : tick(value)} (${some.length}${sayMembers(some)})`,
  );
  const lead = limit === undefined ? `The ${all}` : `Of the ${all}, the ${least ? "fewest" : "most"}`;
  const groupsTold = sayAll(told, (texts) => listSome(texts, limit === undefined ? groups.length : texts.length));
  const without = limit === undefined ? things.filter((thing) => valuesIn(by, thing).length === 0) : [];
  const have = `${count(without.length)} ${without.length === 1 ? "has" : "have"} no ${by}`;
  return [
    say`${lead} by ${by}: ${groupsTold}.`,
    ...(without.length > 0 ? [say`${have}${sayMembers(without)}.`] : []),
    ...sayGaps(found),
  ];
}
