/** What conditions ask of an asset: whether what is known of it meets them, and how much it has of something. */
import { fold } from "../../catalog/text.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { type CheckSeen, type Thing, valuesIn, type Way } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Condition, Feature, Measure } from "../plan.ts";

/** Assets whose whole lineage is walked for one measure. */
const MAX_WALKED = 150;

export function isMet(condition: Condition, thing: Thing): boolean {
  switch (condition.is) {
    case "owner":
      return isAmong(condition.any, [thing.owner, thing.ownerName]);
    case "certification":
    case "tag":
    case "connector":
    case "materialization":
    case "kind":
    case "name":
      return isAmong(condition.any, valuesIn(condition.is, thing));
    case "certified by":
      return isAmong([condition.who], valuesIn("certifier", thing));
    case "schema":
      return condition.any.some((schema) => isIn(thing.fqn, schema));
    case "data type": {
      // `string` of `lowcardinality(nullable(string))`
      const type = fold(thing.dataType).replaceAll(/(?:nullable|lowcardinality)\(/g, "");
      return condition.any.some((each) => type.startsWith(fold(each)));
    }
    case "name part":
      return condition.any.some((part) => hasPart(thing.name, part, condition.begins === true));
    case "text": {
      const text = fold([thing.name, thing.displayName, thing.description, ...thing.tags].join(" "));
      return condition.words.split(/\s+/).every((word) => text.includes(fold(word)));
    }
    case "date": {
      const { of, from = "", to = "9999" } = condition;
      return valuesIn(of, thing).some((day) => day >= from && day <= to);
    }
    default:
      return false;
  }
}

/** Whether one of the texts that are there is among the wanted. */
function isAmong(wanted: readonly string[], texts: readonly string[]): boolean {
  return texts.some((text) => text !== "" && wanted.some((each) => fold(each) === fold(text)));
}

/** Whether a name has a text in it, or its words: "ap ar" is in `ap_ar_enhanced`. */
function hasPart(name: string, part: string, begins: boolean): boolean {
  const has = (whole: string, some: string): boolean => (begins ? whole.startsWith(some) : whole.includes(some));
  const words = splitIdentifier(part).join(" ");
  return has(fold(name), fold(part)) || (words !== "" && has(splitIdentifier(name).join(" "), words));
}

/** Whether a part of the fully qualified name, other than the last, is this; of several parts, whether they follow each other. */
function isIn(fqn: string, schema: string): boolean {
  const place = fold(fqn).split(".").slice(0, -1);
  return `.${place.join(".")}.`.includes(`.${fold(schema)}.`);
}

/** Whether a check is one of these: by its kind or type, or by a name that somebody gave it. */
export function isCheckMeant({ name, kind, test }: CheckSeen, wanted: readonly string[]): boolean {
  const type = wordsOf((test ?? "").split(".").at(-1) ?? "");
  return wanted.some((each) => {
    const words = wordsOf(each).filter((word, at) => at === 0 || !/^(?:test|check)$/.test(word));
    const isType = words.join() === type.join() || (words.length > 1 && words.every((word) => type.includes(word)));
    const isNamed = test === null && words.every((word) => wordsOf(name).includes(word));
    return isType || isNamed || words.join() === kind.toLowerCase();
  });
}

function wordsOf(text: string): string[] {
  return splitIdentifier(text).map(singularOf);
}

type AmountOf = (thing: Thing) => number;

/**
 * How much each of the things has: columns, users, checks, or whether it has an owner.
 * @param isCounted whether a neighbour is counted; null for all
 */
export async function measure(
  of: Feature | Measure,
  things: readonly Thing[],
  lookup: Lookup,
  isCounted: ((id: string) => boolean) | null,
): Promise<{ amountOf: AmountOf; isExact: boolean }> {
  const exactly = (amountOf: AmountOf) => ({ amountOf, isExact: true });
  const walkAll = async (way: Way, depth?: number) => {
    const walked = things.slice(0, MAX_WALKED);
    const walks = await Promise.all(walked.map(({ id }) => lookup.walk(id, way, depth)));
    const amounts = walks.map(({ nodes }) => nodes.filter(({ id }) => isCounted?.(id) ?? true).length);
    const byId = new Map(walked.map(({ id }, i) => [id, amounts[i]]));
    const isExact = things.length <= MAX_WALKED && walks.every(({ isExact: isWhole }) => isWhole);
    return { amountOf: ({ id }: Thing) => byId.get(id) ?? 0, isExact };
  };
  switch (of) {
    case "upstream":
    case "downstream": {
      if (isCounted !== null) return walkAll(of, 1);
      const counts = await lookup.neighbourCounts(things.map(({ id }) => id));
      return exactly(({ id }) => counts.get(id)?.[of] ?? 0);
    }
    case "all upstream":
      return walkAll("upstream");
    case "all downstream":
      return walkAll("downstream");
    case "columns": {
      const columns = Map.groupBy(await lookup.columns(things), ({ parentId }) => parentId);
      return exactly(({ id }) => columns.get(id)?.length ?? 0);
    }
    case "checks":
    case "failing checks": {
      const checks = await lookup.checks(things);
      if (of === "checks") return exactly(({ id }) => checks.get(id)?.total ?? 0);
      const isExact = checks.values().every(({ total, seen }) => seen.length >= total);
      return { amountOf: ({ id }) => checks.get(id)?.seen.filter(isFailing).length ?? 0, isExact };
    }
    case "certification":
      return exactly(({ certification }) => Number(certification === "certified"));
    default:
      return exactly((thing) => valuesIn(of, thing).length);
  }
}

export function isFailing({ status }: CheckSeen): boolean {
  return status === "fail" || status === "error";
}
