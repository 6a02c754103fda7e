/** Which words of a question name an owner, a tag, a schema, a connector or a way to build models. */
import { schemaIn } from "../../catalog/identity.ts";
import { isDataset, type NodeType } from "../../catalog/node-types.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import type { Lookup } from "../lookup.ts";
import type { Condition } from "../plan.ts";
import { is } from "../read/cue.ts";
import { cueAt } from "../read/phrases.ts";
import type { Named } from "./choose-mentions.ts";
import { textOf, type Token } from "./tokens.ts";
import { GRAMMAR, LAYER_BEGINNINGS, LAYER_WORDS } from "./words.ts";

/** Assets whose owners and schemas a question is compared with, besides the most frequent of all. */
const MAX_SEEN = 200;
const PART_OF_A_NAME = 0.85;
/** Tokens in a value. */
const LONGEST = 4;
/** Parts of owners' names that do not say whose they are. */
const OF_PEOPLE = new Set(["team", "group", "department", "data"]);
/** Each of these says what the others say: "personal data" is what is tagged `pii`. */
const SAID_FOR_TAGS: readonly ReadonlySet<string>[] = [
  new Set(["pii", "personal", "personal data", "personal information", "sensitive", "sensitive data", "gdpr"]),
  new Set(["confidential", "secret", "restricted"]),
];
/** What dbt has by itself. */
const MATERIALIZATIONS = ["view", "table", "incremental", "ephemeral", "materialized_view"];

export type Known = Awaited<ReturnType<typeof loadValues>>;

/** The values that there are: the most frequent, and those of the first assets of each type. */
export async function loadValues(lookup: Lookup) {
  const types: NodeType[][] = [["dashboard", "pipeline"], ["table"], ["model"], ["metric"]];
  const [{ tags, owners, connectors }, lists] = await Promise.all([
    lookup.values(),
    Promise.all(types.map((some) => lookup.list({ types: some }, MAX_SEEN))),
  ]);
  const seen = lists.flatMap(({ items }) => items);
  const relations = seen.filter(({ type }) => isDataset(type));
  const made = [...MATERIALIZATIONS, ...seen.map(({ materialization }) => materialization)];
  /** By the condition that takes them. */
  const values = {
    tag: toValues([...inFacet(tags), ...seen.flatMap((thing) => thing.tags)]),
    schema: toValues(partsOf(relations.map(schemaIn))),
    owner: toValues([...inFacet(owners), ...seen.flatMap(({ owner, ownerName }) => [owner, ownerName])]),
    connector: toValues(inFacet(connectors)),
    // A source may build a "dashboard", which is what the word means anyway.
    materialization: toValues(made.filter((each) => MATERIALIZATIONS.includes(each) || !is(cueAt(each), "type"))),
  };
  const names = seen.map(({ name }) => fold(name));
  return { values, seen, names, isCut: lists.some(({ items, total }) => items.length < total) };
}

/** With the most frequent schemas of all: to count them reads every asset, which only a word that is nothing else is worth. */
export async function addSchemas(known: Known, lookup: Lookup): Promise<Known> {
  if (!known.isCut) return known;
  const schema = toValues([...textsOf(known.values.schema), ...partsOf(inFacet(await lookup.schemas()))]);
  return { ...known, values: { ...known.values, schema } };
}

/** Schemas with each of their parts, such as the database. */
function partsOf(schemas: readonly string[]): string[] {
  return schemas.flatMap((schema) => schema.split(".").concat(schema));
}

function inFacet(facet: readonly { value: string | null }[]): string[] {
  return facet.flatMap(({ value }) => value ?? []);
}

/** A value as spans are compared with it, so that it is split once. */
interface Value {
  value: string;
  folded: string;
  /** Its words in the singular. */
  singular: string;
  /** Its words without those that tell a layer: "stripe" is said for `raw_stripe`. */
  telling: string;
  /** The words of an owner's name, without where the address is. */
  own: readonly string[];
}

/** Each once. */
function toValues(values: readonly string[]): Value[] {
  return Array.from(new Set(values.filter(Boolean)), (value) => {
    const words = splitIdentifier(value);
    return {
      value,
      folded: fold(value),
      singular: words.map(singularOf).join(" "),
      telling: words.filter((word) => !LAYER_WORDS.has(word)).join(" "),
      own: splitIdentifier(value.split("@", 1)[0] ?? ""),
    };
  });
}

/** The values that a span may name. */
export function valuesOf(span: readonly Token[], behind: Token | undefined, { values: all, names }: Known): Named[] {
  if (span.length > LONGEST || span.some(({ words }) => words.length === 0)) return [];
  const [only] = span.length === 1 ? span : [];
  const [text, said] = [textOf(span), span.map(({ word }) => word).join(" ")];
  const words = span.flatMap((token) => token.words);
  const singular = words.map(singularOf).join(" ");
  const isSame = (value: Value): boolean => value.singular === singular;
  const alike = SAID_FOR_TAGS.find((some) => some.has(said));
  const tags = all.tag.filter((each) => isSame(each) || alike?.has(each.folded));
  const schemas = all.schema.filter((each) => isSame(each) || each.folded === fold(text) || each.telling === said);
  return [
    ...(only === undefined || schemas.length > 0 ? [] : beginningsOf(only, behind, names)),
    ...ownersOf(text, words, all.owner),
    ...valueOf({ is: "tag", any: textsOf(tags) }),
    ...valueOf({ is: "materialization", any: textsOf(all.materialization.filter(isSame)) }),
    ...valueOf({ is: "connector", any: textsOf(all.connector.filter(isSame)) }),
    ...valueOf({ is: "schema", any: textsOf(schemas) }),
  ];
}

export function textsOf(values: readonly Value[]): string[] {
  return values.map(({ value }) => value);
}

function valueOf(where: Extract<Condition, { any: string[] }>, sureness = 1): Named[] {
  return where.any.length === 0 ? [] : [{ word: { is: "value", where }, sureness }];
}

/** "fct_ models", "the staging models": names that begin so. */
function beginningsOf({ text, word }: Token, behind: Token | undefined, names: readonly string[]): Named[] {
  // "stripe_api staging models" begin with the layer.
  const isBehind = !LAYER_BEGINNINGS.has(behind?.word ?? "");
  const any = isBeginning(text, names) ? [text] : [...(LAYER_BEGINNINGS.get(word) ?? [])];
  return valueOf({ is: "name part", any, ...(isBehind && { begins: true }) });
}

/** "stg_crm_", or "stg_crm" where several names begin so and none is that. */
function isBeginning(text: string, names: readonly string[]): boolean {
  if (/^[a-z]\w*_$/i.test(text)) return true;
  if (!/^[a-z]+_\w+$/i.test(text)) return false;
  const beginning = `${fold(text)}_`;
  return !names.includes(fold(text)) && names.filter((name) => name.startsWith(beginning)).length > 1;
}

/** Owners of whom the whole name is said, or else those of whom a part is that says who is meant. */
function ownersOf(text: string, words: readonly string[], owners: readonly Value[]): Named[] {
  // An address is an owner's, whether or not it is among those that were read.
  if (/^[^@\s]+@[^@\s]+$/.test(text)) return valueOf({ is: "owner", any: [text] });
  const whole = owners.filter(({ own, folded }) => fold(text) === folded || own.join(" ") === words.join(" "));
  if (whole.length > 0) return valueOf({ is: "owner", any: textsOf(whole) });
  const isTelling =
    words.every((word) => !GRAMMAR.has(word) && word.length > 2) &&
    words.some((word) => !OF_PEOPLE.has(singularOf(word)));
  const part = owners.filter(({ own }) => {
    return words.length < own.length && words.every((word) => own.includes(word));
  });
  return isTelling ? valueOf({ is: "owner", any: textsOf(part) }, PART_OF_A_NAME) : [];
}
