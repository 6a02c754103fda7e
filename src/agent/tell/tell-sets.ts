/** Lists, orders, counts and groups: what is told of a set. */
import type { Citation, Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { type Group, idsIn, isDate, type Plan, type Things } from "../plan.ts";
import { isReport } from "../run/conditions.ts";
import { dateOf } from "../run/is-met.ts";
import type { Finder } from "../run/find.ts";
import type { Found } from "../run/found.ts";
import { type Names, sayCounted, sayThings } from "./read-as.ts";
import { citeAll, count, inTypeOrder, listByType, listNames, listSome, MAX_NAMES, named, say, tick } from "./words.ts";

const MAX_GROUPS = 20;

export interface Tools {
  lookup: Lookup;
  finder: Finder;
  names: Names;
  now: Date;
}

export type PlanOf<T extends Plan["tell"]> = Extract<Plan, { tell: T }>;

export function amountOf({ total, isExact }: Pick<Found, "total" | "isExact">): string {
  return `${isExact ? "" : "at least "}${count(total)}`;
}

/** "3 models downstream of `x`" */
export function sayFound(found: Found, set: Things, names: Names): string {
  return `${amountOf(found)} ${sayThings(set, names, found.total === 1)}`;
}

/** What is said where the lineage that was followed has gaps. */
export function sayGaps({ isComplete }: Pick<Found, "isComplete">): Fact[] {
  return isComplete ? [] : [say("Part of the lineage could not be read, so there may be others.")];
}

export function isAre(amount: number): string {
  return amount === 1 ? "is" : "are";
}

/** The assets that a set is described by. */
export async function citedBy(set: Things, lookup: Lookup): Promise<Citation[]> {
  return citeAll(await lookup.load(idsIn(set)));
}

/** The set with all that lineage reaches in place of direct neighbours; null where the question does not leave that open. */
function reachFar(find: Things): Things | null {
  const text = JSON.stringify(find);
  const far = text.replaceAll(',"depth":1,"isLoose":true', "");
  return far === text ? null : (JSON.parse(far) as Things);
}

export async function tellList({ find, order, limit }: PlanOf<"list">, tools: Tools): Promise<Fact[]> {
  const { lookup, finder, names } = tools;
  const far = reachFar(find);
  // An order is over all that can be meant, and so is a list that has no direct neighbours.
  if (order !== undefined) return tellOrdered(far ?? find, order, limit, tools);
  const found = await finder.find(find);
  if (found.things.length === 0 && far !== null) return tellList({ tell: "list", find: far, limit }, tools);
  const about = await citedBy(find, lookup);
  if (found.things.length === 0) return [say(`There are no ${sayThings(find, names)}.`, about), ...sayGaps(found)];
  const shown = inTypeOrder(found.things).slice(0, limit);
  const isOne = shown.every(({ type }) => type === shown[0]?.type);
  const told = isOne ? listNames(shown, limit === undefined ? found.total : shown.length) : listByType(shown);
  const lead = shown.length < found.things.length ? `${shown.length} of the` : `There ${isAre(found.total)}`;
  return [
    say(`${lead} ${sayFound(found, find, names)}: ${told}.`, [...about, ...citeAll(shown)]),
    ...(far === null ? [] : sayFarther(await finder.find(far), found.things)),
    ...sayGaps(found),
  ];
}

/** Where the question leaves open how far is meant: what lies farther than direct neighbours. */
function sayFarther(found: Found, near: readonly Thing[]): Fact[] {
  const known = new Set(near.map(({ id }) => id));
  const more = inTypeOrder(found.things.filter(({ id }) => !known.has(id)));
  if (more.length === 0) return [];
  const amount = amountOf({ ...found, total: more.length });
  return [say(`Farther away ${isAre(more.length)} ${amount}: ${listByType(more)}.`, citeAll(more))];
}

async function tellOrdered(
  find: Things,
  { by, among, least = false }: NonNullable<PlanOf<"list">["order"]>,
  limit = MAX_NAMES,
  { lookup, finder, names }: Tools,
): Promise<Fact[]> {
  const found = await finder.findAll(find);
  const about = await citedBy(find, lookup);
  if (found.things.length === 0) return [say(`There are no ${sayThings(find, names)}.`, about)];
  const counted = isDate(by) ? null : { of: by, among };
  const counts = counted === null ? null : await finder.count(counted, found.things);
  const of = (thing: Thing): string | number => (isDate(by) ? dateOf(thing, by) : (counts?.values.get(thing.id) ?? 0));
  const sorted = found.things
    .filter((thing) => of(thing) !== "")
    .toSorted((a, b) => (of(a) < of(b) ? -1 : Number(of(a) > of(b))) * (least ? 1 : -1) || (a.fqn < b.fqn ? -1 : 1));
  const lead = `Of the ${sayFound(found, find, names)}, `;
  const what = by === "added" ? "first seen" : by;
  // Include ties with the last item.
  const last = sorted[Math.min(limit, sorted.length) - 1];
  if (last === undefined) return [say(`${lead}it is not known when any was ${what}.`)];
  const meant = sorted.filter((thing, i) => i < limit || of(thing) === of(last));
  const shown = meant.slice(0, MAX_NAMES);
  const told = shown.map((thing) => `${named(thing)} (${of(thing).toLocaleString("en-US")})`);
  const most =
    counted === null
      ? `${least ? "first" : "last"} ${what}`
      : `${meant.length === 1 ? "the one" : "those"} with the ${least ? "fewest" : "most"} ${sayCounted(counted, names)}`;
  const doubt = counts?.isExact === false ? " Not all could be counted in full." : "";
  return [say(`${lead}${most}: ${listSome(told, meant.length)}.${doubt}`, [...citeAll(shown), ...about])];
}

/** Which of two sets has more members. */
export async function tellMore(
  { find, than, least }: PlanOf<"more">,
  { finder, names, lookup }: Tools,
): Promise<Fact[]> {
  const [a, b] = await Promise.all([finder.findAll(find), finder.findAll(than)]);
  const isSo = least ? a.total < b.total : a.total > b.total;
  const told = `There ${isAre(a.total)} ${sayFound(a, find, names)}, and ${sayFound(b, than, names)}.`;
  const about = [...(await citedBy(find, lookup)), ...(await citedBy(than, lookup))];
  return [say(`${isSo ? "Yes" : "No"}. ${told}`, about), ...sayGaps({ isComplete: a.isComplete && b.isComplete })];
}

export async function tellCount({ find }: PlanOf<"count">, { finder, names, lookup }: Tools): Promise<Fact[]> {
  const found = await finder.find(find);
  const few = found.things.length <= MAX_NAMES ? inTypeOrder(found.things) : [];
  const list = few.length === 0 ? "" : `: ${listNames(few)}`;
  const far = reachFar(find);
  const all = far === null ? found : await finder.find(far);
  const inAll = all.total === found.total ? "" : ` Counting those farther away, there are ${amountOf(all)}.`;
  const about = [...(await citedBy(find, lookup)), ...citeAll(few)];
  return [say(`There ${isAre(found.total)} ${sayFound(found, find, names)}${list}.${inAll}`, about), ...sayGaps(found)];
}

/** What a thing is counted under; "" if that is not known. */
const VALUES: Readonly<Record<Group, (thing: Thing) => readonly string[]>> = {
  owner: ({ owner, ownerName }) => [owner || ownerName],
  certifier: ({ certifiedBy }) => [certifiedBy ?? ""],
  type: ({ type }) => [type],
  // The full name without the table's, and the column's.
  schema: ({ fqn, type }) => [
    isReport(type)
      ? ""
      : fqn
          .split(".")
          .slice(0, type === "column" ? -2 : -1)
          .join("."),
  ],
  tag: ({ tags }) => (tags.length === 0 ? [""] : tags),
  certification: ({ certification }) => [certification],
  connector: ({ connectors }) => connectors,
  materialization: ({ materialization }) => [materialization],
};

/** The members of a set, counted by what they have. */
export async function tellGroups(plan: PlanOf<"groups">, { finder, names }: Tools): Promise<Fact[]> {
  const { by, limit, least = false } = plan;
  const find = reachFar(plan.find) ?? plan.find;
  const found = await finder.findAll(find);
  const all = sayFound(found, find, names);
  if (found.total === 0) return [say(`There are no ${sayThings(find, names)}.`)];
  const members = found.things.flatMap((thing) => VALUES[by](thing).map((value) => ({ value, thing })));
  const groups = [...Map.groupBy(members, ({ value }) => value)]
    .map(([value, some]) => ({ value, things: some.map(({ thing }) => thing) }))
    .toSorted((a, b) => (b.things.length - a.things.length) * (least ? -1 : 1) || (a.value < b.value ? -1 : 1));
  const known = groups.filter(({ value }) => value !== "");
  const without = groups.find(({ value }) => value === "")?.things ?? [];
  if (known.length === 0) return [say(`None of the ${all} has a known ${by}.`, citeAll(found.things))];
  // Include ties with the last one.
  const last = known[(limit ?? MAX_GROUPS) - 1]?.things.length;
  const shown = known.filter(({ things }, i) => i < (limit ?? MAX_GROUPS) || (limit && things.length === last));
  const namesOf = (things: readonly Thing[]): string =>
    found.things.length <= MAX_NAMES || limit !== undefined ? `: ${listNames(things)}` : "";
  const told = shown.map(
    ({ value, things }) => `${value.includes("@") ? value : tick(value)} (${count(things.length)}${namesOf(things)})`,
  );
  const lead = limit === undefined ? `The ${all}` : `Of the ${all}, the ${least ? "fewest" : "most"}`;
  const list = listSome(told, limit === undefined ? known.length : told.length);
  const have = without.length === 1 ? "has" : "have";
  const none = `${count(without.length)} ${have} no ${by}${namesOf(without)}.`;
  const about = citeAll(shown.flatMap(({ things }) => things).slice(0, 2 * MAX_NAMES));
  const isNone = limit === undefined && without.length > 0;
  return [say(`${lead} by ${by}: ${list}.${isNone ? ` ${none}` : ""}`, about), ...sayGaps(found)];
}
