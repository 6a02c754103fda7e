/** Whether an asset meets a condition that what is known of it decides. */
import { fold } from "../../catalog/text.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { type CheckSeen, dayOf, type Thing } from "../catalog.ts";
import type { Condition, DateOf } from "../plan.ts";

/** A table that no connector calls anything else is a source: something outside of the catalog fills it. */
export function kindsOf({ type, resourceTypes }: Thing): readonly string[] {
  if (resourceTypes.length > 0) return resourceTypes;
  if (type === "table") return ["source"];
  return type === "model" ? ["model"] : [];
}

/** Conditions that what is known of a thing decides. */
const TESTS: { [Is in Condition["is"]]?: (condition: Condition & { is: Is }, thing: Thing) => boolean } = {
  certification: ({ any }, { certification }) => any.includes(certification),
  "certified by": ({ who }, { certifiedBy }) => fold(certifiedBy ?? "") === fold(who),
  owner: ({ any }, { owner, ownerName }) => isAmong(any, [owner, ownerName]),
  tag: ({ any }, { tags }) => isAmong(any, tags),
  schema: ({ any }, { fqn }) => any.some((schema) => isIn(fqn, schema)),
  connector: ({ any }, { connectors }) => connectors.some((connector) => any.includes(connector)),
  materialization: ({ any }, { materialization }) => isAmong(any, [materialization]),
  kind: ({ any }, thing) => kindsOf(thing).some((kind) => any.some((each) => each === kind)),
  // `string` of `lowcardinality(nullable(string))`
  "data type": ({ any }, { dataType }) => {
    const type = fold(dataType).replaceAll(/(?:nullable|lowcardinality)\(/g, "");
    return any.some((each) => type.startsWith(fold(each)));
  },
  name: ({ any }, { name, displayName }) => isAmong(any, [name, displayName]),
  "name part": ({ any, begins }, { name }) => any.some((part) => hasPart(name, part, begins === true)),
  text: ({ words }, { name, displayName, description, tags }) => {
    const text = fold([name, displayName, description, ...tags].join(" "));
    return words.split(/\s+/).every((word) => text.includes(fold(word)));
  },
  date: ({ of, from = "", to = "9999" }, thing) => {
    const at = dateOf(thing, of);
    return at !== "" && at >= from && at <= to;
  },
};

export function isMet(condition: Condition, thing: Thing): boolean {
  const test = TESTS[condition.is] as ((condition: Condition, thing: Thing) => boolean) | undefined;
  return test?.(condition, thing) ?? false;
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

/** The day when something happened to an asset; "" if it is not known. */
export function dateOf({ certifiedAt, createdAt, updatedAt }: Thing, of: DateOf): string {
  const at = { certified: certifiedAt, added: createdAt, updated: updatedAt }[of];
  return at === null ? "" : dayOf(at);
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
