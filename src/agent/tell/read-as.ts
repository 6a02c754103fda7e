/** Plans in plain English: how a question was read, and how sentences name a set. */
import type { ChangeType } from "../../catalog/impact.ts";
import type { NodeType } from "../../catalog/node-types.ts";
import { type Condition, type Counted, type Feature, isDate, type Order, type Plan, type Things } from "../plan.ts";
import type { Thing } from "../catalog.ts";
import { partsOf } from "../run/conditions.ts";
import { joinWords, named, plural, tick } from "./words.ts";

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

const CHANGED: Readonly<Record<ChangeType, string>> = {
  column_drop: "dropping",
  asset_drop: "dropping",
  column_rename: "renaming",
  type_change: "changing the type of",
  deprecate: "deprecating",
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
    if (way === "columns" || way === "parents") return `${way} of ${sayInner(of, names)}`;
    // What lies along one of several lies along the set.
    const root = of.ids !== undefined && of.where === undefined ? sayIds(of.ids, names, "or") : sayInner(of, names);
    const reach = depth === undefined ? "" : depth === 1 ? "directly " : `within ${depth} hops `;
    return `${reach}${way} of ${root}`;
  },
  affected: ({ by, change }, names) => `affected by ${CHANGED[change]} ${sayInner(by, names)}`,
  all: ({ of }, names) => joinWords(of.map((each) => sayCondition(each, names))),
  any: ({ of }, names) =>
    joinWords(
      of.map((each) => sayCondition(each, names)),
      "or",
    ),
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

/** "models without an owner, upstream of `x`" */
export function sayThings({ types, ids, where }: Things, names: Names, of = sayTypes(types)): string {
  const parts = partsOf(where);
  const before = parts.flatMap((part) => (BEFORE[part.is] as Sayer | undefined)?.(part, names) ?? []);
  const after = parts.filter((part) => BEFORE[part.is] === undefined).map((part) => sayCondition(part, names));
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
  return isOne ? joinWords(all, "or") : joinWords(all.map(plural));
}

function listOr(values: readonly string[]): string {
  return joinWords(values.map(tick), "or");
}

/** "directly downstream models" */
export function sayCounted({ of, among }: Counted, names: Names, isOne = false): string {
  const [, all, way] = /^(all )?(upstream|downstream)$/.exec(of) ?? [];
  return way === undefined
    ? of
    : `${sayThings(among ?? {}, names, sayTypes(among?.types, isOne))} ${all === undefined ? "directly " : ""}${way}`;
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

/** How a plan was read, as a phrase. */
export function sayPlan(plan: Plan, names: Names): string {
  const set = "find" in plan ? sayThings(plan.find, names) : "";
  switch (plan.tell) {
    case "list": {
      const first = plan.limit === undefined ? "" : `the first ${plan.limit} `;
      return plan.order === undefined ? set : `${first}${sayOrder(plan.order, names)}: ${set}`;
    }
    case "count":
      return `the number of ${set}`;
    case "whether": {
      if (plan.where === undefined) return `whether there are ${set}`;
      const are = plan.find.ids?.length === 1 ? "is" : "are";
      return `whether ${plan.all ? "all " : ""}${set} ${are} ${sayCondition(plan.where, names)}`;
    }
    case "aspect":
      return plan.aspect === "everything" ? `what is known of ${set}` : `the ${plan.aspect} of ${set}`;
    case "groups":
      return `${set}, counted by ${plan.by}`;
    case "path":
      return `the path from ${sayThings(plan.from, names)} to ${sayThings(plan.to, names)}`;
    case "impact":
      return `${plan.owners ? "whom to tell before" : "what is affected by"} ${CHANGED[plan.change]} ${set}`;
    case "causes":
      return `why ${set} changed${plan.since === undefined ? "" : ` since ${plan.since}`}`;
    case "comparison":
      return plan.aspect === undefined ? `how ${set} differ` : `how the ${plan.aspect} of ${set} compares`;
    case "connectors":
      return "connectors and their last syncs";
  }
}
