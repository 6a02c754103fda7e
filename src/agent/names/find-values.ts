/** Which words of a question name an owner, a tag, a schema, a connector or a way to build models. */
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Condition } from "../plan.ts";
import type { Token } from "../read/tokens.ts";
import { isTypoOf, singular } from "./closeness.ts";
import { GRAMMAR, LAYER_BEGINNINGS, LAYER_NAMES, LAYER_WORDS } from "./words.ts";

export interface ValueMention {
  category: "Owner" | "Tag" | "Schema" | "Connector" | "Made" | "Part";
  condition: Condition;
  from: number;
  to: number;
  sureness: number;
}

/** Assets whose owners and schemas a question is compared with, besides the most frequent of all. */
const MAX_SEEN = 200;
const PART_OF_A_NAME = 0.85;
/** How surely a value is meant that is written with a slip. */
export const WITH_A_SLIP = 0.9;
const LONGER = 0.1;
/** Names that have a word, where the word says which are meant. */
const MIN_HAVING = 2;
/** Each of these says what the others say. */
const SAID_FOR_TAGS: readonly ReadonlySet<string>[] = [
  new Set(["pii", "personal", "personal data", "personal information", "sensitive", "sensitive data", "gdpr"]),
  new Set(["confidential", "secret", "restricted"]),
];
/** Parts of owners' names that do not say whose they are. */
const OF_PEOPLE = new Set(["team", "group", "department", "data"]);
/** What dbt has by itself. */
const MATERIALIZATIONS = ["view", "table", "incremental", "ephemeral", "materialized_view"];

export interface Values {
  owners: string[];
  tags: string[];
  materializations: string[];
  connectors: string[];
  schemas: string[];
  /** The assets that they were read from. */
  seen: Thing[];
}

/** The values that there are: the most frequent, and those of the first assets of each type. */
export async function loadValues(lookup: Lookup): Promise<Values> {
  const [facets, connectors, ...lists] = await Promise.all([
    lookup.values(),
    lookup.connectors(),
    lookup.list({ types: ["dashboard", "pipeline"] }, MAX_SEEN),
    lookup.list({ types: ["table"] }, MAX_SEEN),
    lookup.list({ types: ["model"] }, MAX_SEEN),
    lookup.list({ types: ["metric"] }, MAX_SEEN),
  ]);
  const seen = lists.flatMap(({ items }) => items);
  return {
    seen,
    owners: unique([...facets.owners, ...seen.flatMap(({ owner, ownerName }) => [owner, ownerName])]),
    materializations: unique([...MATERIALIZATIONS, ...seen.map(({ materialization }) => materialization)]).filter(
      (each) => each !== "seed" && each !== "snapshot",
    ),
    tags: unique([...facets.tags, ...seen.flatMap(({ tags }) => tags)]),
    connectors: unique([...facets.connectors, ...connectors.items.map(({ name }) => name)]),
    schemas: unique(
      seen.filter(({ type }) => type === "table" || type === "model").flatMap(({ fqn }) => placesOf(fqn)),
    ),
  };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== ""))];
}

/** The schema of a relation, and the database with it. */
function placesOf(fqn: string): string[] {
  const parts = fqn.split(".").slice(0, -1);
  return [...parts, parts.join(".")];
}

export async function findValues(
  tokens: readonly Token[],
  { owners, tags, connectors, schemas, materializations, seen }: Values,
  nextTurn: () => Promise<void>,
): Promise<ValueMention[]> {
  const found: ValueMention[] = [];
  for (let from = 0; from < tokens.length; from++) {
    await nextTurn();
    for (let to = from + 1; to <= Math.min(tokens.length, from + 4); to++) {
      const span = tokens.slice(from, to);
      if (span.some(({ words }) => words.length === 0)) continue;
      const add = (category: ValueMention["category"], condition: Condition, sureness: number): void =>
        void found.push({ category, condition, from, to, sureness });
      // "fct_ models": names that begin so.
      const [only] = span;
      if (span.length === 1 && only !== undefined && isBeginning(only.text, seen)) {
        // "stripe_api staging models" begin with the layer.
        const begins = LAYER_BEGINNINGS.has(tokens[to]?.word ?? "") ? {} : { begins: true };
        add("Schema", { is: "name part", any: [only.text], ...begins }, 1);
      } else if (span.length === 1 && only !== undefined && !only.isName && isPartOfNames(only.word, seen)) {
        add("Part", { is: "name part", any: [only.word] }, 1);
      }
      // An address is an owner's, whether or not it is among those that were read.
      const address =
        span.length === 1 && only !== undefined && /^[^@\s]+@[^@\s]+$/.test(only.text) ? [only.text] : null;
      const [own, other] = address === null ? ownersOf(span, owners) : [address, []];
      if (own.length > 0) add("Owner", { is: "owner", any: own }, 1);
      else if (other.length > 0) add("Owner", { is: "owner", any: other }, PART_OF_A_NAME);
      const tag = tags.filter((each) => isSameWords(span, each) || isSaidFor(span, each));
      if (tag.length > 0) add("Tag", { is: "tag", any: tag }, 1);
      const made = materializations.filter((each) => isSameWords(span, each));
      // A longer one is likelier meant: "materialized views" are no views.
      if (made.length > 0) add("Made", { is: "materialization", any: made }, 1 + LONGER * (span.length - 1));
      const connector = connectors.filter((each) => isSameWords(span, each));
      if (connector.length > 0) add("Connector", { is: "connector", any: connector }, 1);
      const schema = schemas.filter((each) => isSchema(span, each));
      const begins = span.length === 1 && schema.length === 0 ? LAYER_BEGINNINGS.get(span[0]?.word ?? "") : undefined;
      if (schema.length > 0) add("Schema", { is: "schema", any: schema }, 1);
      else if (begins !== undefined && mayBegin(begins, seen))
        add("Schema", { is: "name part", any: [...begins], begins: true }, 1);
      const slips = (some: readonly string[]): string[] =>
        some.filter((each) => span.length === 1 && isTypoOf(singular(only?.word ?? ""), singular(fold(each))));
      if (found.some((each) => each.from === from && each.to === to)) continue;
      if (slips(tags).length > 0) add("Tag", { is: "tag", any: slips(tags) }, WITH_A_SLIP);
      else if (slips(materializations).length > 0)
        add("Made", { is: "materialization", any: slips(materializations) }, WITH_A_SLIP);
    }
  }
  return found;
}

/** "personal data" is said of what is tagged `pii`. */
function isSaidFor(span: readonly Token[], tag: string): boolean {
  const said = span.map(({ word }) => word).join(" ");
  return SAID_FOR_TAGS.some((words) => words.has(said) && words.has(fold(tag)));
}

/** Whether names begin so, as far as they were read. */
function mayBegin(begins: readonly string[], seen: readonly Thing[]): boolean {
  const models = seen.filter(({ type }) => type === "model");
  return models.length >= MAX_SEEN || models.some(({ name }) => begins.some((each) => fold(name).startsWith(each)));
}

/** "stg_crm_", or "stg_crm" where several names begin so and none is that. */
function isBeginning(text: string, seen: readonly Thing[]): boolean {
  if (/^[a-z]\w*_$/i.test(text)) return true;
  if (!/^[a-z]+_\w+$/i.test(text)) return false;
  const names = seen.map(({ name }) => fold(name));
  const beginning = `${fold(text)}_`;
  return !names.includes(fold(text)) && names.filter((name) => name.startsWith(beginning)).length > 1;
}

/** Whether several names have the word: "the shopify staging models" are those. */
function isPartOfNames(word: string, seen: readonly Thing[]): boolean {
  const isLayer = LAYER_WORDS.has(word) || LAYER_BEGINNINGS.has(word);
  const having = isLayer || GRAMMAR.has(word) ? [] : seen.filter(({ name }) => splitIdentifier(name).includes(word));
  return having.length >= MIN_HAVING;
}

function isSameWords(span: readonly Token[], value: string): boolean {
  const words = span.flatMap((token) => token.words);
  const wanted = splitIdentifier(value);
  return (
    words.length === wanted.length &&
    words.every((word, i) => word === wanted[i] || singular(word) === singular(wanted[i] ?? ""))
  );
}

function isSchema(span: readonly Token[], schema: string): boolean {
  const [only] = span;
  if (span.length === 1 && only !== undefined && fold(only.text) === fold(schema)) return true;
  const layers = span.length === 1 ? (LAYER_NAMES.get(only?.word ?? "") ?? []) : [];
  // "stripe" is said for `raw_stripe`.
  const telling = splitIdentifier(schema).filter((word) => !LAYER_WORDS.has(word));
  const isTelling = span.length === telling.length && span.every(({ word }, i) => word === telling[i]);
  return isSameWords(span, schema) || isTelling || layers.includes(fold(schema));
}

function namesOf(owner: string): string[] {
  return splitIdentifier(owner.includes("@") ? owner.slice(0, owner.indexOf("@")) : owner);
}

function isSaid(word: string, name: string): boolean {
  return word === name || isTypoOf(word, name);
}

/** Owners of whom the whole name is said, and those of whom a part is that says who is meant. */
function ownersOf(span: readonly Token[], owners: readonly string[]): [whole: string[], part: string[]] {
  const words = span.flatMap((token) => token.words);
  const text = fold(span.map((token) => token.text).join(" "));
  const whole = owners.filter((owner) => {
    const name = namesOf(owner);
    return (
      text === fold(owner) || (name.length === words.length && name.every((each, i) => isSaid(words[i] ?? "", each)))
    );
  });
  if (whole.length > 0) return [whole, []];
  const part = owners.filter((owner) => {
    const name = namesOf(owner);
    return (
      words.length < name.length &&
      words.every((word) => !GRAMMAR.has(word) && word.length > 2 && name.some((each) => isSaid(word, each))) &&
      words.some((word) => !OF_PEOPLE.has(singular(word)))
    );
  });
  return [[], part];
}
