/** Which words of a question name an owner, a tag, a schema, a connector or a way to build models. */
import { schemaIn } from "../../catalog/identity.ts";
import { isDataset, type NodeType } from "../../catalog/node-types.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import type { Lookup } from "../lookup.ts";
import type { Condition } from "../plan.ts";
import { is } from "../read/cue.ts";
import { cueAt } from "../read/phrases.ts";
import type { Mention } from "./choose-mentions.ts";
import { groupBySpan, type Naming, type Question, type Span, spansNaming, toNameable } from "./match.ts";
import type { Token } from "./tokens.ts";
import { GRAMMAR, LAYER_BEGINNINGS, LAYER_WORDS } from "./words.ts";

/** Assets whose owners and schemas a question is compared with, besides the most frequent of all. */
const MAX_SEEN = 200;
const PART_OF_A_NAME = 0.85;
/** Parts of owners' names that do not say whose they are. */
const OF_PEOPLE = new Set(["team", "group", "department", "data"]);
/** Each of these says what the others say: "personal data" is what is tagged `pii`. */
const SAID_FOR_TAGS: readonly (readonly string[])[] = [
  ["pii", "personal", "personal data", "personal information", "sensitive", "sensitive data", "gdpr"],
  ["confidential", "secret", "restricted"],
];
/** What dbt has by itself. */
const MATERIALIZATIONS = ["view", "table", "incremental", "ephemeral", "materialized_view"];

/** What a value is called, by the condition that takes it. */
const CALLED = {
  tag: (tag: string) => [tag, ...(SAID_FOR_TAGS.find((some) => some.includes(fold(tag))) ?? [])],
  materialization: (made: string) => [made],
  connector: (name: string) => [name],
  // "stripe" is said for `raw_stripe`.
  schema: (schema: string) => {
    const telling = splitIdentifier(schema).filter((word) => !LAYER_WORDS.has(word));
    return [schema, telling.join(" ")];
  },
  // Without where the address is.
  owner: (owner: string) => [owner.split("@", 1)[0] ?? ""],
} as const;
type Kind = keyof typeof CALLED;
const KINDS = Object.keys(CALLED) as Kind[];

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
  const values: Record<Kind, string[]> = {
    tag: distinct([...inFacet(tags), ...seen.flatMap((thing) => thing.tags)]),
    schema: distinct(partsOf(relations.map(schemaIn))),
    owner: distinct([...inFacet(owners), ...seen.flatMap(({ owner, ownerName }) => [owner, ownerName])]),
    connector: inFacet(connectors),
    // A source may build a "dashboard", which is what the word means anyway.
    materialization: distinct(made.filter((each) => MATERIALIZATIONS.includes(each) || !is(cueAt(each), "type"))),
  };
  const names = seen.map(({ name }) => fold(name));
  return { values, names, isCut: lists.some(({ items, total }) => items.length < total) };
}

/** With the most frequent schemas of all: to count them reads every asset, which only a word that is nothing else is worth. */
export async function addSchemas({ values, ...known }: Known, lookup: Lookup): Promise<Known> {
  const schema = distinct([...values.schema, ...partsOf(inFacet(await lookup.schemas()))]);
  return { ...known, values: { ...values, schema } };
}

/** Schemas with each of their parts, such as the database. */
function partsOf(schemas: readonly string[]): string[] {
  return schemas.flatMap((schema) => schema.split(".").concat(schema));
}

function inFacet(facet: readonly { value: string | null }[]): string[] {
  return facet.flatMap(({ value }) => value ?? []);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter(Boolean);
}

/** The values that a question names, whose words stand for themselves alone. */
export async function valuesIn(
  { tokens, byText }: Question,
  { values, names }: Known,
  nextTurn: () => Promise<void>,
): Promise<Mention[]> {
  // An address is an owner's, whether or not it is among those that were read.
  const isAddress = tokens.map(({ text }) => /^[^@\s]+@[^@\s]+$/.test(text));
  const readings = tokens.map(({ words }, at) =>
    isAddress[at] ? [] : words.map((word) => new Map([[singularOf(word), 1]])),
  );
  const mentions: ReturnType<typeof mentionOf>[] = [];
  for (const kind of KINDS) {
    const found: (Naming & { value: string })[] = [];
    for (const value of values[kind]) {
      await nextTurn();
      for (const naming of spansNaming(toNameable(CALLED[kind](value)), { tokens, readings, byText }))
        found.push({ ...naming, value });
    }
    for (const [span, some] of groupBySpan(found)) {
      const whole = some.filter(({ sure }) => sure === 1);
      const isPart = whole.length === 0 && kind === "owner" && isTelling(tokens.slice(span.from, span.to));
      const any = (isPart ? some : whole).map(({ value }) => value);
      if (any.length > 0) mentions.push(mentionOf(span, { is: kind, any }, isPart ? PART_OF_A_NAME : 1));
    }
  }
  const isSchema = (at: number): boolean =>
    mentions.some(({ from, to, word }) => word.where.is === "schema" && from === at && to === at + 1);
  const single = tokens.flatMap(({ text, word }, at): Mention[] => {
    const span = { from: at, to: at + 1 };
    if (isAddress[at]) return [mentionOf(span, { is: "owner", any: [text] })];
    // "fct_ models", "the staging models": names that begin so. "stripe_api staging models" begin with the layer.
    const any = isBeginning(text, names) ? [text] : [...(LAYER_BEGINNINGS.get(word) ?? [])];
    const isBehind = !LAYER_BEGINNINGS.has(tokens[at + 1]?.word ?? "");
    return any.length === 0 || isSchema(at)
      ? []
      : [mentionOf(span, { is: "name part", any, ...(isBehind && { begins: true }) })];
  });
  return [...single, ...mentions];
}

function mentionOf({ from, to }: Span, where: Condition, sureness = 1) {
  return { from, to, word: { is: "value", where } as const, sureness };
}

/** Whether a part of an owner's name says who is meant. */
function isTelling(span: readonly Token[]): boolean {
  const words = span.flatMap((token) => token.words);
  const isOfOne = words.some((word) => !OF_PEOPLE.has(singularOf(word)));
  return isOfOne && words.every((word) => !GRAMMAR.has(word) && word.length > 2);
}

/** "stg_crm_", or "stg_crm" where several names begin so and none is that. */
function isBeginning(text: string, names: readonly string[]): boolean {
  if (/^[a-z]\w*_$/i.test(text)) return true;
  if (!/^[a-z]+_\w+$/i.test(text)) return false;
  const beginning = `${fold(text)}_`;
  return !names.includes(fold(text)) && names.filter((name) => name.startsWith(beginning)).length > 1;
}
