/** Whether an asset meets a condition that what is known of it decides. */
import { fold } from "../../catalog/text.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import type { CheckSeen, Thing } from "../catalog.ts";
import { singular } from "../names/closeness.ts";
import type { Condition, DateOf } from "../plan.ts";

/** A table that no connector calls anything else is a source: something outside of the catalog fills it. */
export function kindsOf({ type, resourceTypes }: Thing): readonly string[] {
  if (resourceTypes.length > 0) return resourceTypes;
  if (type === "table") return ["source"];
  return type === "model" ? ["model"] : [];
}

export function saysAll({ name, displayName, description, tags }: Thing, words: string): boolean {
  const text = fold([name, displayName, description, ...tags].join(" "));
  return words.split(/\s+/).every((word) => text.includes(fold(word)));
}

/** Conditions that what is known of a thing decides. */
export function isMet(condition: Condition, thing: Thing): boolean {
  switch (condition.is) {
    case "certification":
      return condition.any.includes(thing.certification);
    case "certified by":
      return fold(thing.certifiedBy ?? "") === fold(condition.who);
    case "owner": {
      const owners = new Set(condition.any.map(fold));
      return [thing.owner, thing.ownerName].some((owner) => owner !== "" && owners.has(fold(owner)));
    }
    case "tag":
      return thing.tags.some((tag) => condition.any.map(fold).includes(fold(tag)));
    case "schema":
      return condition.any.some((schema) => isIn(thing.fqn, schema));
    case "connector":
      return thing.connectors.some((connector) => condition.any.includes(connector));
    case "materialization":
      return condition.any.map(fold).includes(fold(thing.materialization));
    case "kind":
      return condition.any.some((kind) => kindsOf(thing).includes(kind));
    case "data type":
      return condition.any.some((type) => unwrapped(fold(thing.dataType)).startsWith(fold(type)));
    case "name":
      return condition.any.map(fold).some((name) => name === fold(thing.name) || name === fold(thing.displayName));
    case "name part":
      return condition.any.some((part) => hasPart(thing.name, part, condition.begins === true));
    case "date": {
      const at = dayOf(thing, condition.of);
      return at !== "" && at >= (condition.from ?? "") && at <= (condition.to ?? "9999");
    }
    default:
      return false;
  }
}

/** Whether a name has a text in it, or its words: "ap ar" is in `ap_ar_enhanced`. */
function hasPart(name: string, part: string, begins: boolean): boolean {
  const has = (whole: string, some: string): boolean => (begins ? whole.startsWith(some) : whole.includes(some));
  const words = splitIdentifier(part).join(" ");
  return has(fold(name), fold(part)) || (words !== "" && has(splitIdentifier(name).join(" "), words));
}

/** The day when something happened to an asset; "" if it is not known. */
export function dayOf({ certifiedAt, createdAt, updatedAt }: Thing, of: DateOf): string {
  return { certified: certifiedAt ?? "", added: createdAt, updated: updatedAt }[of].slice(0, 10);
}

/** Whether a part of the fully qualified name, other than the last, is this; of several parts, whether they follow each other. */
function isIn(fqn: string, schema: string): boolean {
  const place = fold(fqn).split(".").slice(0, -1);
  return `.${place.join(".")}.`.includes(`.${fold(schema)}.`);
}

/** `string` of `lowcardinality(nullable(string))`. */
function unwrapped(type: string): string {
  return type.replaceAll(/(?:nullable|lowcardinality)\(/g, "");
}

/**
 * Whether a check of a thing is one of these: by its kind or type, or by a name that somebody gave it. A unit test needs the
 * models that its own model reads, and does not test them.
 */
export function isCheckMeant({ id, type: of }: Thing, check: CheckSeen, wanted: readonly string[]): boolean {
  const { name, kind, test, assets } = check;
  if (kind === "unit" && of !== "column" && assets[0]?.id !== id) return false;
  const type = wordsOf((test ?? "").split(".").at(-1) ?? "");
  return wanted.map(wordsOf).some((words) => {
    const isType = words.join() === type.join() || (words.length > 1 && words.every((word) => type.includes(word)));
    const isNamed = test === null && words.every((word) => wordsOf(name).includes(word));
    return isType || isNamed || words.join() === kind.toLowerCase();
  });
}

function wordsOf(text: string): string[] {
  return splitIdentifier(text).map(singular);
}
