/**
 * What a question asks for, as data: which things to find, and what to tell of them. The reader makes plans out of
 * questions, a language model may choose one, and `run/` answers whatever can be written in this form.
 */
import { z } from "zod";

import { CERTIFICATIONS } from "../catalog/asset.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import { CHANGE_TYPES } from "../catalog/impact.ts";

const MAX_NESTED = 12;
const MAX_VALUES = 50;
const text = z.string().min(1).max(200);
const texts = z.array(text).min(1).max(MAX_VALUES);

/** What can be there or missing on an asset. */
const featureSchema = z.enum([
  ...(["owner", "description", "tags", "columns", "checks", "failing checks"] as const),
  ...(["upstream", "downstream", "certification", "url"] as const),
]);
export type Feature = z.infer<typeof featureSchema>;

/** What can be counted of an asset. */
const MEASURES = [
  ...(["upstream", "downstream", "all upstream", "all downstream"] as const),
  ...(["columns", "checks", "tags", "dimensions"] as const),
] as const;
export type Measure = (typeof MEASURES)[number];

/** The days of an asset that are known. */
const DATES = ["certified", "added", "updated"] as const;
export type DateOf = (typeof DATES)[number];

export function isDate(of: string): of is DateOf {
  return DATES.some((each) => each === of);
}

const amount = z.int().min(0).optional();

/** A set of assets and metrics: those that have one of the types, are among the ids, and meet the condition. */
const thingsSchema = z.strictObject({
  types: z.array(z.enum(NODE_TYPES)).min(1).optional(),
  ids: texts.optional(),
  get where() {
    return conditionSchema.optional();
  },
});
export type Things = z.infer<typeof thingsSchema>;

/** What is counted of a thing: with `among`, only its neighbours in that set. */
const countedSchema = z.strictObject({ of: z.enum(MEASURES), among: thingsSchema.optional() });
export type Counted = z.infer<typeof countedSchema>;

/** A walk from each member of a set: along lineage, or between columns and their tables. */
const alongSchema = z.strictObject({
  way: z.enum(["upstream", "downstream", "columns", "parents"]),
  of: thingsSchema,
  /** Hops at most; all that lineage reaches if it is left out. */
  depth: z.int().min(1).max(10).optional(),
  /** Whether the question leaves it open how far is meant, so that what lies farther is told too. */
  isLoose: z.boolean().optional(),
});
export type Along = z.infer<typeof alongSchema>;

/** What must be true of an asset. */
const conditionSchema = z.discriminatedUnion("is", [
  /**
   * A schema: the fully qualified name begins with these parts, or one of its parts but the last is this. A data type
   * begins with one of the words. What an asset is checked by is the kind or type of a check, or a word of its name.
   */
  z.strictObject({
    is: z.enum(["owner", "tag", "schema", "connector", "materialization", "data type", "name", "checked by"]),
    any: texts,
  }),
  z.strictObject({ is: z.literal("certification"), any: z.array(z.enum(CERTIFICATIONS)).min(1) }),
  z.strictObject({ is: z.literal("certified by"), who: text }),
  z.strictObject({ is: z.literal("has"), feature: featureSchema }),
  z.strictObject({ is: z.literal("kind"), any: z.array(z.enum(["source", "seed", "snapshot", "model"])).min(1) }),
  /** The name has one of these in it; at its beginning, if `begins`. */
  z.strictObject({ is: z.literal("name part"), any: texts, begins: z.boolean().optional() }),
  /** The name, tags or description have all the words. */
  z.strictObject({ is: z.literal("text"), words: text }),
  z.strictObject({ is: z.literal("measure"), ...countedSchema.shape, least: amount, most: amount }),
  z.strictObject({
    is: z.literal("date"),
    of: z.enum(DATES),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
  }),
  z.strictObject({ is: z.literal("along"), along: alongSchema }),
  /** A change to these would affect it. */
  z.strictObject({ is: z.literal("affected"), by: thingsSchema, change: z.enum(CHANGE_TYPES) }),
  z.strictObject({
    is: z.enum(["all", "any"]),
    get of() {
      return z.array(conditionSchema).min(1).max(MAX_NESTED);
    },
  }),
  z.strictObject({
    is: z.literal("not"),
    get of() {
      return conditionSchema;
    },
  }),
]);
export type Condition = z.infer<typeof conditionSchema>;

/** What is said of one asset, or of each of a few. */
export const ASPECTS = [
  ...(["everything", "owner", "description", "definition", "columns", "certification", "trail", "freshness"] as const),
  ...(["tags", "data type", "materialization", "kind", "place", "checks", "dimensions", "filters", "grain"] as const),
  ...(["sql", "sources and uses"] as const),
] as const;
export type Aspect = (typeof ASPECTS)[number];

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
/** Spans of time that end now. */
const SPANS = ["1d", "2d", "3d", "7d", "14d", "30d", "90d", ...WEEKDAYS] as const;
export type Span = (typeof SPANS)[number];

/** The span as a duration, with the whole of its first day. */
export function durationOf(span: Span, now: Date): string {
  const day = WEEKDAYS.findIndex((each) => each === span);
  return day < 0 ? span : `${((now.getUTCDay() - day + 7) % 7) + 1}d`;
}

/** What the members of a set are counted by. */
const groupSchema = z.enum([
  ...(["owner", "certifier", "type", "schema", "tag", "certification", "connector", "materialization"] as const),
]);
export type Group = z.infer<typeof groupSchema>;

const plan = <const Tell extends string, Shape extends z.ZodRawShape>(tell: Tell, shape: Shape) =>
  z.strictObject({ tell: z.literal(tell), ...shape });
const flag = z.boolean().optional();
/** Only the first so many. */
const limit = z.int().min(1).max(1_000).optional();
/** `least`: the fewest first; of dates, the oldest. */
const orderSchema = z.strictObject({
  by: z.enum([...MEASURES, ...DATES]),
  among: thingsSchema.optional(),
  least: flag,
});
export type Order = z.infer<typeof orderSchema>;

export const planSchema = z.discriminatedUnion("tell", [
  plan("list", { find: thingsSchema, order: orderSchema.optional(), limit }),
  plan("count", { find: thingsSchema }),
  /** Is there one; with `where`, whether those of `find` meet it; with `all`, whether every one does. */
  plan("whether", { find: thingsSchema, where: conditionSchema.optional(), all: flag }),
  plan("aspect", { find: thingsSchema, aspect: z.enum(ASPECTS) }),
  /** The largest group first; with `least`, the smallest. */
  plan("groups", { find: thingsSchema, by: groupSchema, limit, least: flag }),
  plan("path", { from: thingsSchema, to: thingsSchema }),
  /** `owners`: whom to tell, instead of what is affected; `isSafe`: whether nothing breaks. */
  plan("impact", { find: thingsSchema, change: z.enum(CHANGE_TYPES), owners: flag, isSafe: flag }),
  /** Which changes can have changed its value, in the last days or since a day of the week. */
  plan("causes", { find: thingsSchema, since: z.enum(SPANS).optional() }),
  /** How two assets compare: in all, or in one aspect. */
  plan("comparison", { find: thingsSchema, aspect: z.enum(ASPECTS).optional() }),
  /** How the crawls of one or all connectors went. */
  plan("connectors", { names: texts.optional(), count: flag }),
]);

export type Plan = z.infer<typeof planSchema>;
export type PlanOf<Tell extends Plan["tell"]> = Extract<Plan, { tell: Tell }>;
export const MAX_PLANS = 3;

/** The conditions that must all hold. */
export function partsOf(condition: Condition | undefined): Condition[] {
  if (condition === undefined) return [];
  return condition.is === "all" ? condition.of : [condition];
}

export function allOf(...conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const flat = conditions.flatMap(partsOf);
  return flat.length < 2 ? flat[0] : { is: "all", of: flat };
}

export function anyOf(first: Condition, second: Condition): Condition {
  return { is: "any", of: [first, second].flatMap((each) => (each.is === "any" ? each.of : [each])) };
}

export function not(condition: Condition): Condition {
  return condition.is === "not" ? condition.of : { is: "not", of: condition };
}

/** The condition over all that lineage reaches, where the question leaves open how far is meant; else the condition itself. */
export function reachFar(condition: Condition): Condition {
  if (condition.is === "all" || condition.is === "any") return { ...condition, of: condition.of.map(reachFar) };
  if (condition.is !== "along" || !condition.along.isLoose) return condition;
  const { way, of } = condition.along;
  return { is: "along", along: { way, of } };
}

/** The set with more conditions. */
export function only({ where, ...set }: Things, ...conditions: readonly Condition[]): Things {
  const all = allOf(where, ...conditions);
  return { ...set, ...(all !== undefined && { where: all }) };
}

/** Every id that a part of a plan names. */
export function idsIn(part: unknown): string[] {
  const ids = JSON.stringify(part).matchAll(/"([0-9a-f]{32})"/g);
  return [...new Set(ids.map(([, id = ""]) => id))];
}
