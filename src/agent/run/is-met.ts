/** Whether an asset meets a condition that what is known of it decides. */
import { fold } from "../../catalog/text.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { type CheckSeen, type Thing, valuesIn } from "../catalog.ts";
import type { Condition } from "../plan.ts";

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
  return splitIdentifier(text).map(singularOf);
}
