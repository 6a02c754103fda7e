/** Plans in plain English: how a question was read, and how sentences name a set. */
import type { NodeType } from "../../catalog/node-types.ts";
import { type Condition, type Counted, type Feature, isDate, type Order, type Plan, type Things } from "../plan.ts";
import type { Thing } from "../catalog.ts";
import { partsOf } from "../run/conditions.ts";
import { joinWords, named, plural, tick } from "./words.ts";

/** What the ids in plans are called. */
export type Names = ReadonlyMap<string, Thing>;

const OWNED: Readonly<Partial<Record<Feature, readonly [has: string, hasNot: string]>>> = {
  description: ["with a description", "without a description"],
  owner: ["with an owner", "without an owner"],
  upstream: ["with something upstream", "with nothing upstream"],
  downstream: ["used by something", "used by nothing"],
  url: ["with a link", "without a link"],
};

const CHANGED = {
  column_drop: "dropping",
  asset_drop: "dropping",
  column_rename: "renaming",
  type_change: "changing the type of",
  deprecate: "deprecating",
} as const;

/** "models without an owner, upstream of `x`" */
export function sayThings(things: Things, names: Names, isOne = false): string {
  const parts = partsOf(things.where);
  const before = parts.flatMap((part) => sayBefore(part) ?? []);
  const after = parts.filter((part) => sayBefore(part) === null).map((part) => sayCondition(part, names));
  if (after.length > 1) return `${[...before, noun()].join(" ")}, ${after.join(", ")}`;
  return [...before, noun(), ...after].join(" ");

  function noun(): string {
    return things.ids === undefined ? sayTypes(things.types, "and", isOne) : sayIds(things.ids, names);
  }
}

/** A set within a sentence about another. */
function sayInner(things: Things, names: Names): string {
  const text = sayThings(things, names);
  return text.includes(", ") && things.ids === undefined ? `(${text})` : text;
}

function sayIds(ids: readonly string[], names: Names, join?: "or"): string {
  return joinWords(
    ids.map((id) => {
      const thing = names.get(id);
      return thing === undefined ? tick(id) : named(thing);
    }),
    join,
  );
}

function sayTypes(types: readonly NodeType[] | undefined, join = "and", isOne = false): string {
  const all = types ?? ["asset"];
  return joinWords(isOne ? all : all.map(plural), isOne ? "or" : join);
}

/** Conditions that stand before the noun. */
function sayBefore(condition: Condition): string | null {
  switch (condition.is) {
    case "certification":
      return condition.any.join(" or ").replace("none", "uncertified");
    case "materialization":
      return `${condition.any.join(" or ")}-materialized`;
    case "kind":
      return condition.any.map((kind) => `dbt ${kind}`).join(" or ");
    default:
      return null;
  }
}

/** A condition as it stands behind a noun, and behind "is". */
export function sayCondition(condition: Condition, names: Names): string {
  switch (condition.is) {
    case "certification":
      return condition.any.map((each) => (each === "none" ? "without a certification" : each)).join(" or ");
    case "materialization":
      return `materialized as ${condition.any.join(" or ")}`;
    case "kind":
      return `a dbt ${condition.any.join(" or ")}`;
    case "certified by":
      return `certified by ${tick(condition.who)}`;
    case "owner":
      return `owned by ${listOr(condition.any)}`;
    case "tag":
      return `tagged ${listOr(condition.any)}`;
    case "schema":
      return `in ${listOr(condition.any)}`;
    case "connector":
      return `from the connector ${listOr(condition.any)}`;
    case "has":
      return OWNED[condition.feature]?.[0] ?? `with ${condition.feature}`;
    case "checked by":
      return `with a check ${listOr(condition.any)}`;
    case "data type":
      return `of type ${listOr(condition.any)}`;
    case "name":
      return `called ${listOr(condition.any)}`;
    case "name part":
      return `with ${listOr(condition.any)} ${condition.begins ? "at the beginning of" : "in"} the name`;
    case "text":
      return `that match “${condition.words.replaceAll(/["“”]/g, "'")}”`;
    case "measure":
      return `with ${sayAmount(condition)} ${sayCounted(condition, names, (condition.most ?? condition.least) === 1)}`;
    case "date":
      return `${condition.of === "added" ? "first seen" : condition.of} ${[condition.from && `from ${condition.from}`, condition.to && `to ${condition.to}`].filter(Boolean).join(" ")}`;
    case "along": {
      const { way, of, depth } = condition.along;
      const isLineage = way === "upstream" || way === "downstream";
      // What lies along one of several lies along the set.
      const root =
        isLineage && of.ids !== undefined && of.where === undefined ? sayIds(of.ids, names, "or") : sayInner(of, names);
      if (way === "columns") return `of ${root}`;
      if (way === "parents") return `with ${root}`;
      if (depth === undefined) return `${way} of ${root}`;
      return depth === 1 ? `directly ${way} of ${root}` : `within ${depth} hops ${way} of ${root}`;
    }
    case "affected":
      return `affected by ${CHANGED[condition.change]} ${sayInner(condition.by, names)}`;
    case "among":
      return `among ${sayInner(condition.things, names)}`;
    case "all":
      return joinWords(condition.of.map((each) => sayCondition(each, names)));
    case "any":
      return joinWords(
        condition.of.map((each) => sayCondition(each, names)),
        "or",
      );
    case "not":
      return sayNot(condition.of, names);
  }
}

function listOr(values: readonly string[]): string {
  return joinWords(
    values.map((value) => tick(value)),
    "or",
  );
}

function sayNot(condition: Condition, names: Names): string {
  if (condition.is === "has") return OWNED[condition.feature]?.[1] ?? `without ${condition.feature}`;
  if (condition.is === "along" && condition.along.way === "parents")
    return `without ${sayInner(condition.along.of, names)}`;
  if (condition.is === "checked by") return `without a check ${listOr(condition.any)}`;
  return `not ${condition.is === "all" ? "both " : ""}${sayCondition(condition, names)}`;
}

/** "directly downstream models" */
export function sayCounted({ of, among }: Counted, names: Names, isOne = false): string {
  const [, all, way] = /^(all )?(upstream|downstream)$/.exec(of) ?? [];
  if (way === undefined) return of;
  const set = sayThings(among ?? {}, names, isOne);
  return `${set} ${all === undefined ? "directly " : ""}${way}`;
}

function sayAmount({ least, most }: { least?: number | undefined; most?: number | undefined }): string {
  if (least === most && least !== undefined) return `exactly ${least}`;
  if (most === undefined) return `at least ${least ?? 0}`;
  return least === undefined || least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

function sayOrder({ by, among, least }: Order, limit: number | undefined, names: Names): string {
  const measure = isDate(by)
    ? `the day when ${by === "added" ? "first seen" : by}`
    : sayCounted({ of: by, among }, names);
  const end = isDate(by) ? (least ? "oldest " : "latest ") : least ? "fewest " : "";
  return `${limit === undefined ? "" : `the first ${limit} `}by ${end}${measure}: `;
}

/** How a plan was read, as a phrase. */
export function sayPlan(plan: Plan, names: Names): string {
  switch (plan.tell) {
    case "list":
      return `${plan.order === undefined ? "" : sayOrder(plan.order, plan.limit, names)}${sayThings(plan.find, names)}`;
    case "count":
      return `the number of ${sayThings(plan.find, names)}`;
    case "whether": {
      const set = sayThings(plan.find, names);
      if (plan.where === undefined) return `whether there are ${set}`;
      return `whether ${plan.all ? "all " : ""}${set} ${plan.find.ids?.length === 1 ? "is" : "are"} ${sayCondition(plan.where, names)}`;
    }
    case "more":
      return `whether there are ${plan.least ? "fewer" : "more"} ${sayThings(plan.find, names)} than ${sayThings(plan.than, names)}`;
    case "aspect":
      return plan.aspect === "everything"
        ? `what is known of ${sayThings(plan.find, names)}`
        : `the ${plan.aspect} of ${sayThings(plan.find, names)}`;
    case "groups":
      return `${sayThings(plan.find, names)}, counted by ${plan.by}`;
    case "path":
      return `the path from ${sayThings(plan.from, names)} to ${sayThings(plan.to, names)}`;
    case "impact":
      return `${plan.owners ? "whom to tell before" : "what is affected by"} ${CHANGED[plan.change]} ${sayThings(plan.find, names)}`;
    case "causes":
      return `why ${sayThings(plan.find, names)} changed${plan.since === undefined ? "" : ` since ${plan.since}`}`;
    case "comparison":
      return `how ${plan.aspect === undefined ? "" : `the ${plan.aspect} of `}${sayThings(plan.find, names)} ${plan.aspect === undefined ? "differ" : "compares"}`;
    case "connectors":
      return "connectors and their last syncs";
  }
}

/** Every id that plans name. */
export function idsOf(plans: readonly Plan[]): string[] {
  return [
    ...new Set(
      JSON.stringify(plans)
        .matchAll(/"ids":\[([^\]]*)\]/g)
        .flatMap(([, ids = ""]) => [...ids.matchAll(/"([^"]+)"/g)].map(([, id = ""]) => id)),
    ),
  ];
}
