/** Plans in plain English: how a question was read, and how sentences name a set. */
import type { ChangeType } from "../../catalog/impact.ts";
import type { NodeType } from "../../catalog/node-types.ts";
import { singularOf } from "../../catalog/search.ts";
import type { Condition, Counted, Feature, Order, Plan, PlanOf, Things } from "../plan.ts";
import { isDate, partsOf } from "../plan.ts";
import type { Thing } from "../catalog.ts";
import { joinWords, named, tick } from "./words.ts";

/** What the ids in plans are called. */
export type Names = ReadonlyMap<string, Thing>;

type Sayers = { [Is in Condition["is"]]: (condition: Condition & { is: Is }, names: Names) => string };
type Sayer = (condition: Condition, names: Names) => string;

const HAD: Readonly<Partial<Record<Feature, string>>> = {
  description: "with a description",
  owner: "with an owner",
  upstream: "with something upstream",
  downstream: "used by something",
  url: "with a link",
};

/** A change, as it stands before what is changed and behind it. */
export const CHANGES: Readonly<Record<ChangeType, { doing: string; done: string }>> = {
  column_drop: { doing: "dropping", done: "is dropped" },
  asset_drop: { doing: "dropping", done: "is dropped" },
  column_rename: { doing: "renaming", done: "is renamed" },
  type_change: { doing: "changing the type of", done: "changes its type" },
  deprecate: { doing: "deprecating", done: "is deprecated" },
};

/** Conditions that stand before the noun. */
const BEFORE: Partial<Sayers> = {
  certification: ({ any }) => any.join(" or ").replace("none", "uncertified"),
  materialization: ({ any }) => `${any.join(" or ")}-materialized`,
  kind: ({ any }) => any.map((kind) => `dbt ${kind}`).join(" or "),
};

const sayAny =
  (lead: string) =>
  ({ any }: { any: readonly string[] }): string =>
    `${lead} ${listOr(any)}`;

/** Conditions as they stand behind a noun, and behind "is". */
const BEHIND: Sayers = {
  owner: sayAny("owned by"),
  tag: sayAny("tagged"),
  schema: sayAny("in"),
  connector: sayAny("from the connector"),
  "checked by": sayAny("with a check"),
  "data type": sayAny("of type"),
  name: sayAny("called"),
  certification: ({ any }) => any.map((each) => (each === "none" ? "without a certification" : each)).join(" or "),
  materialization: ({ any }) => `materialized as ${any.join(" or ")}`,
  kind: ({ any }) => `a dbt ${any.join(" or ")}`,
  "certified by": ({ who }) => `certified by ${tick(who)}`,
  has: ({ feature }) => HAD[feature] ?? `with ${feature}`,
  "name part": ({ any, begins }) => `with ${listOr(any)} ${begins ? "at the beginning of" : "in"} the name`,
  text: ({ words }) => `that match “${words.replaceAll(/["“”]/g, "'")}”`,
  measure: (it, names) => `with ${sayAmount(it)} ${sayCounted(it, names, (it.most ?? it.least) === 1)}`,
  date: ({ of, from, to }) =>
    [of === "added" ? "first seen" : of, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(" "),
  along: ({ along: { way, of, depth } }, names) => {
    if (way === "columns" || way === "parents") return `${way === "columns" ? "of" : "with"} ${sayInner(of, names)}`;
    // What lies along one of several lies along the set.
    const root = of.ids !== undefined && of.where === undefined ? sayIds(of.ids, names, "or") : sayInner(of, names);
    const reach = depth === undefined ? "" : depth === 1 ? "directly " : `within ${depth} hops `;
    return `${reach}${way} of ${root}`;
  },
  affected: ({ by, change }, names) => `affected by ${CHANGES[change].doing} ${sayInner(by, names)}`,
  all: ({ of }, names) => joinWords(sayEach(of, names)),
  any: ({ of }, names) => joinWords(sayEach(of, names), "or"),
  not: ({ of }, names) => {
    const said = sayCondition(of, names);
    if (of.is === "has" && said.includes("something")) return said.replace("something", "nothing");
    if (of.is === "all") return `not both ${said}`;
    return said.startsWith("with ") && of.is !== "any" ? said.replace("with ", "without ") : `not ${said}`;
  },
};

export function sayCondition(condition: Condition, names: Names): string {
  return (BEHIND[condition.is] as Sayer)(condition, names);
}

function sayEach(conditions: readonly Condition[], names: Names): string[] {
  return conditions.map((each) => sayCondition(each, names));
}

/** "models without an owner, upstream of `x`" */
export function sayThings({ types, ids, where }: Things, names: Names, of = sayTypes(types)): string {
  const parts = partsOf(where);
  const before = parts.flatMap((part) => (BEFORE[part.is] as Sayer | undefined)?.(part, names) ?? []);
  const after = sayEach(
    parts.filter((part) => BEFORE[part.is] === undefined),
    names,
  );
  const noun = [...before, ids === undefined ? of : sayIds(ids, names)].join(" ");
  return after.length > 1 ? [noun, ...after].join(", ") : [noun, ...after].join(" ");
}

/** A set within a sentence about another. */
function sayInner(things: Things, names: Names): string {
  const text = sayThings(things, names);
  return text.includes(", ") && things.ids === undefined ? `(${text})` : text;
}

function sayIds(ids: readonly string[], names: Names, join?: "or"): string {
  const nameOf = (id: string): string => {
    const thing = names.get(id);
    return thing === undefined ? tick(id) : named(thing);
  };
  return joinWords(ids.map(nameOf), join);
}

export function sayTypes(types: readonly NodeType[] = [], isOne = false): string {
  const all = types.length === 0 ? ["asset"] : types;
  return isOne ? joinWords(all, "or") : joinWords(all.map((type) => `${type}s`));
}

function listOr(values: readonly string[]): string {
  return joinWords(values.map(tick), "or");
}

/** "directly downstream models" */
export function sayCounted({ of, among }: Counted, names: Names, isOne = false): string {
  const [, all, way] = /^(all )?(upstream|downstream)$/.exec(of) ?? [];
  if (way === undefined) return isOne ? singularOf(of) : of;
  return `${sayThings(among ?? {}, names, sayTypes(among?.types, isOne))} ${all === undefined ? "directly " : ""}${way}`;
}

function sayAmount({ least, most }: { least?: number | undefined; most?: number | undefined }): string {
  if (least === most && least !== undefined) return `exactly ${least}`;
  if (most === undefined) return `at least ${least ?? 0}`;
  return least === undefined || least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

function sayOrder({ by, among, least }: Order, names: Names): string {
  if (isDate(by)) return `by ${least ? "oldest" : "latest"} the day when ${by === "added" ? "first seen" : by}`;
  return `by ${least ? "fewest " : ""}${sayCounted({ of: by, among }, names)}`;
}

const PLANS: { [Tell in Plan["tell"]]: (plan: PlanOf<Tell>, set: string, names: Names) => string } = {
  list: ({ order, limit }, set, names) => {
    const first = limit === undefined ? "" : `the first ${limit} `;
    return order === undefined ? set : `${first}${sayOrder(order, names)}: ${set}`;
  },
  count: (_plan, set) => `the number of ${set}`,
  whether: ({ find, where, all }, set, names) => {
    const are = find.ids?.length === 1 ? "is" : "are";
    return where
      ? `whether ${all ? "all " : ""}${set} ${are} ${sayCondition(where, names)}`
      : `whether there are ${set}`;
  },
  aspect: ({ aspect }, set) => (aspect === "everything" ? `what is known of ${set}` : `the ${aspect} of ${set}`),
  groups: ({ by }, set) => `${set}, counted by ${by}`,
  path: ({ from, to }, _set, names) => `the path from ${sayThings(from, names)} to ${sayThings(to, names)}`,
  impact: ({ owners, change }, set) =>
    `${owners ? "whom to tell before" : "what is affected by"} ${CHANGES[change].doing} ${set}`,
  causes: ({ since }, set) => `why ${set} changed${since === undefined ? "" : ` since ${since}`}`,
  comparison: ({ aspect }, set) => (aspect ? `how the ${aspect} of ${set} compares` : `how ${set} differ`),
  connectors: () => "connectors and their last syncs",
};

/** How a plan was read, as a phrase. */
export function sayPlan(plan: Plan, names: Names): string {
  const set = "find" in plan ? sayThings(plan.find, names) : "";
  return (PLANS[plan.tell] as (plan: Plan, set: string, names: Names) => string)(plan, set, names);
}
