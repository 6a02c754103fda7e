/** Lists, counts, yes or no, and groups: what is told of a set. */
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { isDate, type Plan, type Things } from "../plan.ts";
import { dayOf } from "../run/is-met.ts";
import type { Finder } from "../run/find.ts";
import type { Found } from "../run/found.ts";
import { type Names, sayCounted, sayThings } from "./read-as.ts";
import { citeAll, inTypeOrder, joinWords, listByType, listNames, MAX_NAMES, named, say } from "./words.ts";

export interface Tools {
  lookup: Lookup;
  finder: Finder;
  names: Names;
  now: Date;
}

export type PlanOf<T extends Plan["tell"]> = Extract<Plan, { tell: T }>;

export function amountOf({ total, isExact }: Pick<Found, "total" | "isExact">): string {
  return `${isExact ? "" : "at least "}${total.toLocaleString("en-US")}`;
}

/** What is said where the lineage that was followed has gaps. */
export function sayGaps({ isComplete }: Pick<Found, "isComplete">): Fact[] {
  return isComplete ? [] : [say("Part of the lineage could not be read, so there may be others.")];
}

export function isAre(amount: number): string {
  return amount === 1 ? "is" : "are";
}

export async function tellList({ find, order, limit }: PlanOf<"list">, tools: Tools): Promise<Fact[]> {
  const { lookup, finder, names } = tools;
  const far = reachFar(find);
  // An order is over all that can be meant, and so is a list that has no direct neighbours.
  if (order !== undefined && far !== null) return tellList({ tell: "list", find: far, order, limit }, tools);
  const found = order === undefined ? await finder.find(find) : await finder.findAll(find);
  if (found.things.length === 0 && far !== null) return tellList({ tell: "list", find: far, limit }, tools);
  const set = sayThings(find, names, found.total === 1);
  if (found.things.length === 0) {
    // What is only described by a text, and not there, was not understood.
    if (hasInnerText(find)) return [];
    return [say(`There are no ${set}.`, await citedBy(find, lookup)), ...sayGaps(found)];
  }
  if (order !== undefined) return tellOrdered({ tell: "list", find, order, limit }, found, tools);
  const shown = inTypeOrder(found.things).slice(0, limit);
  const isOne = new Set(shown.map(({ type }) => type)).size === 1;
  const told = isOne ? listNames(shown, limit === undefined ? found.total : shown.length) : listByType(shown);
  const lead =
    limit !== undefined && limit < found.total
      ? `${limit} of the ${amountOf(found)}`
      : `There ${isAre(found.total)} ${amountOf(found)}`;
  return [
    say(`${lead} ${set}: ${told}.`, [...(await citedBy(find, lookup)), ...citeAll(shown)]),
    ...(await tellFarther(find, found, tools)),
    ...sayGaps(found),
  ];
}

/** Where the question leaves open how far is meant: what lies farther than direct neighbours. */
async function tellFarther(find: Things, near: Found, { finder }: Tools): Promise<Fact[]> {
  const far = reachFar(find);
  if (far === null) return [];
  const found = await finder.find(far);
  const more = found.things.filter(
    ({ id, type }) => (type !== "column" || find.types !== undefined) && near.things.every((thing) => thing.id !== id),
  );
  if (more.length === 0) return [];
  return [
    say(
      `Farther away ${isAre(more.length)} ${amountOf({ ...found, total: more.length })}: ${listByType(inTypeOrder(more))}.`,
      citeAll(inTypeOrder(more)),
    ),
  ];
}

/** The set with all that lineage reaches in place of direct neighbours; null where the question does not leave that open. */
export function reachFar(find: Things): Things | null {
  const text = JSON.stringify(find);
  const far = text.replaceAll('"depth":1,"isLoose":true', '"isFar":true').replaceAll(',"isFar":true', "");
  return far === text ? null : (JSON.parse(far) as Things);
}

/** Whether the set lies along something that is only described by a text. */
function hasInnerText({ where }: Things): boolean {
  return where !== undefined && /"(?:of|by|things)":\{.*"is":"text"/.test(JSON.stringify(where));
}

/** What a set with no members is about. */
export async function citedBy(find: Things, lookup: Lookup) {
  const ids = [...JSON.stringify(find).matchAll(/"([0-9a-f]{32})"/g)].map(([, id = ""]) => id);
  return citeAll(await lookup.load(ids));
}

async function tellOrdered(
  { find, order, limit = MAX_NAMES }: PlanOf<"list"> & { order: NonNullable<PlanOf<"list">["order"]> },
  found: Found,
  { lookup, finder, names }: Tools,
): Promise<Fact[]> {
  const { by, among, least = false } = order;
  const set = sayThings(find, names, found.total === 1);
  const counted = isDate(by) ? null : { of: by, among };
  const { values, isExact } =
    counted === null ? { values: null, isExact: true } : await finder.count(counted, found.things);
  const of = (thing: Thing): string | number => (isDate(by) ? dayOf(thing, by) : (values?.get(thing.id) ?? 0));
  const sorted = found.things
    .filter((thing) => of(thing) !== "")
    .toSorted((a, b) => (of(a) < of(b) ? -1 : Number(of(a) > of(b))) * (least ? 1 : -1) || (a.fqn < b.fqn ? -1 : 1));
  // Include ties with the last item.
  const last = sorted[Math.min(limit, sorted.length) - 1];
  const meant = sorted.filter((thing, i) => i < limit || (last !== undefined && of(thing) === of(last)));
  const what = by === "added" ? "first seen" : by;
  if (last === undefined) return [say(`Of the ${amountOf(found)} ${set}, it is not known when any was ${what}.`)];
  const shown = meant.slice(0, MAX_NAMES);
  const left = meant.length - shown.length;
  const told = shown.map((thing) => `${named(thing)} (${of(thing).toLocaleString("en-US")})`);
  const lead =
    counted === null
      ? `${least ? "first" : "last"} ${what}`
      : `${meant.length === 1 ? "the one" : "those"} with the ${least ? "fewest" : "most"} ${sayCounted(counted, names)}`;
  const text = `Of the ${amountOf(found)} ${set}, ${lead}: ${joinWords(left > 0 ? [...told, `${left} more`] : told)}.`;
  const about = [...citeAll(shown), ...(await citedBy(find, lookup))];
  return [say(isExact ? text : `${text} Not all could be counted in full.`, about)];
}

/** Which of two sets has more members. */
export async function tellMore(
  { find, than, least }: PlanOf<"more">,
  { finder, names, lookup }: Tools,
): Promise<Fact[]> {
  const [a, b] = await Promise.all([finder.findAll(find), finder.findAll(than)]);
  const isSo = least ? a.total < b.total : a.total > b.total;
  const told = (found: Found, set: Things): string => `${amountOf(found)} ${sayThings(set, names, found.total === 1)}`;
  return [
    say(`${isSo ? "Yes" : "No"}. There ${isAre(a.total)} ${told(a, find)}, and ${told(b, than)}.`, [
      ...(await citedBy(find, lookup)),
      ...(await citedBy(than, lookup)),
    ]),
    ...sayGaps({ isComplete: a.isComplete && b.isComplete }),
  ];
}

export async function tellCount({ find }: PlanOf<"count">, { finder, names, lookup }: Tools): Promise<Fact[]> {
  const found = await finder.find(find);
  const few =
    found.things.length > 0 && found.things.length <= MAX_NAMES ? `: ${listNames(inTypeOrder(found.things))}` : "";
  const about = [...(await citedBy(find, lookup)), ...(few === "" ? [] : citeAll(found.things))];
  const far = reachFar(find);
  const all = far === null ? null : await finder.find(far);
  const inAll =
    all === null || all.total === found.total ? "" : ` Counting those farther away, there are ${amountOf(all)}.`;
  return [
    {
      text: `There ${isAre(found.total)} ${amountOf(found)} ${sayThings(find, names, found.total === 1)}${few}.${inAll}`,
      about,
    },
    ...sayGaps(found),
  ];
}
