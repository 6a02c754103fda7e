/** What whole questions mean: plans. */
import { allOf, type Aspect, type Condition, type Plan, type Things } from "../../plan.ts";
import { type Asked, type ChangeOf, isAnything, type Noun, PREVIOUS, reachFar } from "./meanings.ts";

/** The columns of what is named, and no more said of them, are told with their types. */
function columnsOfNamed({ where, ids, types }: Things): Things | null {
  if (ids !== undefined || types?.join() !== "column" || where?.is !== "along" || where.along.way !== "columns")
    return null;
  return where.along.of.ids !== undefined && where.along.of.where === undefined ? where.along.of : null;
}

export function lists({ set, isNamed, amount }: Noun): Plan | null {
  const holder = columnsOfNamed(set);
  if (holder !== null) return { tell: "aspect", find: holder, aspect: "columns" };
  if (isNamed || isAnything({ set, isNamed })) return null;
  return { tell: "list", find: set, ...(amount && { limit: amount }) };
}

function counts({ set, isNamed }: Noun): Plan | null {
  return isNamed && set.ids?.[0] !== PREVIOUS ? null : { tell: "count", find: set };
}

export function tells(aspect: Aspect, { set, isNamed }: Noun): Plan | null {
  if (aspect === "columns" && set.types?.join() === "column") return null;
  return isNamed || set.where !== undefined || set.types !== undefined ? { tell: "aspect", find: set, aspect } : null;
}

/** What is told of those that are asked for. */
export function answers({ how }: Pick<Asked, "how">, noun: Noun): Plan | null {
  if (how !== "whether") return how === "list" ? lists(noun) : counts(noun);
  return (noun.isNamed && noun.set.where?.is !== "text") || isAnything(noun) ? null : whether(noun.set);
}

/** Of what is named alone. */
export function tellsNamed(aspect: Aspect, noun: Noun): Plan | null {
  return noun.isNamed ? tells(aspect, noun) : null;
}

/** Whether there are such, or whether they are so. What is only looked for by a text is not asked for so. */
export function whether(find: Things, where?: Condition): Plan | null {
  if (JSON.stringify(find).includes('"is":"text"') && !isAbout(find)) return null;
  // Something farther away is so, too.
  const set = { ...find, ...(find.where && { where: reachFar(find.where) }) };
  return { tell: "whether", find: set, ...(where && { where: reachFar(where) }) };
}

/** Whether a text is asked for as such: "metrics about refunds". */
function isAbout({ types, where }: Things): boolean {
  return types !== undefined && where?.is === "text";
}

/** The plan with its set narrowed to one that is described: "models only". */
export function narrowed(plan: Plan, { types, where, ids }: Things): Plan | null {
  if (!("find" in plan) || ids !== undefined || types === undefined) return null;
  const of = plan.find.types?.filter((type) => types.includes(type)) ?? types;
  const both = allOf(plan.find.where, where);
  return of.length === 0 ? null : { ...plan, find: { ...plan.find, types: of, ...(both && { where: both }) } };
}

export function impact({ noun, change }: ChangeOf, more: { owners?: boolean; isSafe?: boolean } = {}): Plan {
  return { tell: "impact", find: noun.set, change, ...more };
}

export function path(from: Noun, to: Noun): Plan | null {
  return from.isNamed && to.isNamed ? { tell: "path", from: from.set, to: to.set } : null;
}

export function compares(...nouns: Noun[]): Plan | null {
  const ids = [...new Set(nouns.flatMap(({ set }) => set.ids ?? []))];
  const isOfBefore = ids.length === 1 && ids[0] === PREVIOUS;
  if (nouns.some(({ isNamed }) => !isNamed) || (ids.length > 1 && ids.includes(PREVIOUS))) return null;
  return ids.length > 1 || isOfBefore ? { tell: "comparison", find: { ids } } : null;
}
