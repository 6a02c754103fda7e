/**
 * The words that questions are made of, each with its category in the grammar and what it means there. Names, tags, owners
 * and schemas are not here: those are the catalog's own.
 */
import type { NodeType } from "../../catalog/asset.ts";
import type { CHANGE_TYPES } from "../../catalog/impact.ts";
import type { Aspect, Condition, Feature, Group, Measure } from "../plan.ts";
import { GRAMMAR_WORDS } from "./grammar-words.ts";

export type Change = (typeof CHANGE_TYPES)[number];

/** How the subject of a verb lies to its object: "X uses Y" puts X downstream of Y. */
export interface Relation {
  way: "upstream" | "downstream";
  /** Hops at most, where a word says so. */
  depth?: number;
  /** Whether the word means all that lineage reaches, and not the direct neighbours. */
  isFar: boolean;
}

export interface Compared {
  least?: number;
  most?: number;
}

/** What the categories of words mean. Categories in lower case are words of grammar, which mean nothing by themselves. */
export interface WordMeanings {
  /** A noun for a type of asset; a condition where it says more than the type. */
  Types: { types: NodeType[] | undefined; where?: Condition };
  Adjective: Condition;
  Verb: Relation;
  /** "users of X" */
  Neighbours: Relation;
  Direction: "upstream" | "downstream";
  Feature: Feature;
  Aspect: Aspect;
  /** "how is X computed" */
  Told: Aspect;
  Measure: Measure;
  Group: Group;
  Change: Change;
  Number: number;
  /** "more than", to be followed by a number */
  Compare: (amount: number) => Compared;
  /** "most used", which orders by a measure */
  Superlative: { by: Measure; least: boolean };
  Pronoun: null;
}

type WordCategory = keyof WordMeanings;
export type Entry =
  | { [C in WordCategory]: { category: C; meaning: WordMeanings[C] } }[WordCategory]
  | { category: Lowercase<string>; meaning: null };

/** Words that say nothing of what is asked. They are left out before anything is read. */
const ARTICLES = new Set("a an the our my your me us i we you im id ive one's please pls plz kindly".split(" "));
const FILLERS = new Set(
  `hey hi hello hiya ok okay so well now actually really currently presently also still already thanks thank dear quickly maybe
  perhaps then there's any some anyone anybody someone somebody everyone everybody folks guys want know am wonder wondering trying try
  looking say says thinking think sure hmm uh um btw again right remind together ever such various single teh ones particular certain
  specific full complete entire actual catalog workspace system here today simply basically quick possible able let lets help question quite
  very even tho pretty beforehand afterwards project other others themselves itself`.split(/\s+/),
);

const lexicon = new Map<string, Entry[]>();

function add(words: string, entry: Entry): void {
  for (const written of words
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter(Boolean)) {
    const phrase = written
      .split(" ")
      .filter((word) => word === written || !(FILLERS.has(word) || ARTICLES.has(word)))
      .join(" ");
    lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), entry]);
  }
}

function addAll<C extends WordCategory>(
  category: C,
  entries: readonly (readonly [words: string, meaning: WordMeanings[C]])[],
): void {
  for (const [words, meaning] of entries) add(words, { category, meaning } as Entry);
}

function addGrammar(words: Readonly<Record<string, string>>): void {
  for (const [category, phrases] of Object.entries(words)) {
    add(phrases, { category: category as Lowercase<string>, meaning: null });
  }
}

const isKind = (kind: "source" | "seed" | "snapshot" | "model"): Condition => ({ is: "kind", any: [kind] });
const isMade = (...any: string[]): Condition => ({ is: "materialization", any });
const isCertified = (...any: ("certified" | "pending" | "deprecated" | "none")[]): Condition => ({
  is: "certification",
  any,
});
const has = (feature: Feature): Condition => ({ is: "has", feature });
const ofType = (...any: string[]): Condition => ({ is: "data type", any });
const hasNo = (feature: Feature): Condition => ({ is: "not", of: has(feature) });

addAll("Types", [
  [
    "asset, assets, thing, things, anything, something, everything, entity, entities, object, objects, node, nodes, else, stuff, items, file, files, data, info, information, numbers, feed, feeds",
    { types: undefined },
  ],
  ["table, tables, dataset, datasets, relation, relations", { types: ["table", "model"] }],
  ["model, models, dbt model, dbt models, transformation, transformations", { types: ["model"] }],
  ["view, views", { types: ["model"], where: isMade("view") }],
  [
    "source table, source tables, raw table, raw tables, source, sources, raw source, raw sources, dbt source, dbt sources, raw data, raw input, raw inputs, ultimate sources, original sources",
    { types: ["table"], where: isKind("source") },
  ],
  [
    "seed, seeds, seed file, seed files, seed table, seed tables, dbt seed, dbt seeds, csv seeds",
    { types: ["table"], where: isKind("seed") },
  ],
  [
    "snapshot, snapshots, snapshot table, snapshot tables, dbt snapshot, dbt snapshots",
    { types: ["table"], where: isKind("snapshot") },
  ],
  [
    "dashboard, dashboards, report, reports, chart, charts, notebook, notebooks, bi report, bi reports, exposure, exposures, screen, screens, cockpit, cockpits",
    { types: ["dashboard"] },
  ],
  [
    "pipeline, pipelines, job, jobs, export, exports, loader, loaders, application, applications",
    { types: ["pipeline"] },
  ],
  ["metric, metrics, kpi, kpis, measure, measures, indicator, indicators, figure, figures", { types: ["metric"] }],
  [
    "column, columns, field, fields, attribute, attributes, col, cols, flag, flags, number, variable, variables",
    { types: ["column"] },
  ],
]);

addAll("Adjective", [
  [
    "certified, approved, trusted, verified, signed off, vouched for, official, trustworthy, reliable, ok to use, safe to use, fine to use, good to use, to be trusted",
    isCertified("certified"),
  ],
  ["uncertified, not yet certified, unapproved", { is: "not", of: isCertified("certified") }],
  [
    "pending, pending certification, awaiting certification, waiting for certification, waiting for their sign off, waiting for sign off, not signed off",
    isCertified("pending"),
  ],
  ["deprecated, obsolete, retired, legacy", isCertified("deprecated")],
  ["raw", isKind("source")],
  ["boolean", ofType("bool")],
  ["timestamp, datetime", ofType("timestamp", "datetime")],
  ["date", ofType("date")],
  ["integer, int, whole number", ofType("int", "bigint", "smallint", "integer")],
  ["numeric, decimal", ofType("numeric", "decimal", "number")],
  ["text, string, varchar", ofType("text", "varchar", "string", "character")],
  ["described, documented", has("description")],
  ["undescribed, undocumented, not documented", hasNo("description")],
  ["owned", has("owner")],
  ["unowned, ownerless, orphaned, orphan", hasNo("owner")],
  ["tagged, labelled, labeled", has("tags")],
  ["untagged, unlabelled", hasNo("tags")],
  ["tested, checked", has("checks")],
  ["untested, unchecked", hasNo("checks")],
  ["failing, broken, red", has("failing checks")],
  ["used, in use, still used", has("downstream")],
  ["unused, unread, leaf, dead end, dead ends", hasNo("downstream")],
  ["incremental, materialized incrementally, materialised incrementally", isMade("incremental")],
  ["ephemeral", isMade("ephemeral")],
  ["materialized view, materialized views, materialised view", isMade("materialized_view", "materializedview")],
]);

const uses = { way: "downstream", isFar: false } as const;
const feeds = { way: "upstream", isFar: false } as const;

addAll("Verb", [
  [
    "read, reads, reading, read from, reads from, reading from, query, queries, querying, select from, selects from",
    { way: "downstream", isFar: false, depth: 1 },
  ],
  ["read by, queried by", { way: "upstream", isFar: false, depth: 1 }],
  [
    `use, uses, using, consume, consumes, consuming,
     built from, built on, built on top of, built upon, built with, build on, builds on, made from, made of, made with, made out of, derived from,
     derive from, derives from, based on, computed from, calculated from, computed with, fed by, fed from, populated by, populated from, loaded by, loaded from, filled by, filled from, powered by, drawn from, draw on, draws on,
     draw from, draws from, pull from, pulls from, pulling from, sourced from, come from, comes from, coming from, reference, references, referencing, join, joins, 
     take from, takes from, get data from, gets data from, get its data, gets its data, get data, gets data, get its numbers from, gets its numbers from, get their data from, gets its data from, get its data from, need, needs, show, shows, showing, display, displays, displaying, present, presents, depict`,
    uses,
  ],
  [
    `depend on, depends on, depending on, dependent on, rely on, relies on, relying on, downstream of, downstream from, below, sit downstream of, sits downstream of, live downstream of, affected by, impacted by, influenced by, trace back to, traces back to, go back to, goes back to, originate from, originates from, originate in, originates in, stem from, stems from`,
    { way: "downstream", isFar: true },
  ],
  [
    `feed, feeds, feeding, feed into, feeds into, feeding into, used by, used in, used for, consumed by, referenced by, shown in, shown on, shown by, displayed in, displayed on, displayed by, go into, goes into, going into, flow into, flows into, flowing into, flow to, flows to,
     power, powers, powering, populate, populates, supply, supplies, fill, fills, load, loads, make up, needed by, needed for, input to, input for, inputs to, inputs for, input of, inputs of, parent of, parents of, direct parents of`,
    feeds,
  ],
  [
    `upstream of, upstream from, above, sit upstream of, sits upstream of, affect, affects, impact, impacts, influence, influences, drive, drives, contribute to, contributes to, lead to, leads to, reach, reaches, end up in, ends up in, relied on by, depended on by, depended upon by`,
    { way: "upstream", isFar: true },
  ],
]);

addAll("Neighbours", [
  [
    "user, users, consumer, consumers, reader, readers, downstream users, downstream consumers, direct users, direct consumers, usages, usage, uses, child, children, direct children, direct dependents, immediate dependents",
    uses,
  ],
  [
    "dependent, dependents, downstream dependents, descendants, downstream, downstream assets, downstreams, downstream lineage, dependants",
    { way: "downstream", isFar: true },
  ],
  [
    "input, inputs, parent, parents, direct sources, direct inputs, direct upstreams, direct parents, direct upstream, immediate parents",
    feeds,
  ],
  [
    "source, sources, upstream sources, dependency, dependencies, upstream dependencies, ancestors, upstream, upstreams, upstream assets, origin, origins, upstream lineage, upstream inputs",
    { way: "upstream", isFar: true },
  ],
]);

addAll("Direction", [
  ["upstream", "upstream"],
  ["downstream, dependent", "downstream"],
]);

addAll("Feature", [
  ["owner, owners, one owner, ownership, owner set, owner assigned", "owner"],
  ["description, descriptions, documentation, docs, description text", "description"],
  ["tag, tags, label, labels", "tags"],
  ["check, checks, test, tests", "checks"],
  [
    "failing check, failing checks, failing test, failing tests, failed checks, failed tests, failed test, failed check, broken tests, red tests",
    "failing checks",
  ],
  ["column, columns", "columns"],
  [
    "user, users, consumer, consumers, reader, readers, dependent, dependents, downstream, downstream users, downstream consumers, downstream dependents, downstream assets, downstream dependencies, direct users, children, downstream usage, usage",
    "downstream",
  ],
  [
    "input, inputs, upstream, upstreams, upstream dependencies, dependencies, upstream sources, upstream assets, parents, lineage upstream",
    "upstream",
  ],
  ["certification", "certification"],
  ["url, link, links", "url"],
]);

addAll("Aspect", [
  [
    "owner, owners, ownership, steward, responsible person, responsible team, maintainer, contact, contact person, accountable",
    "owner",
  ],
  ["description, documentation, docs, purpose, meaning", "description"],
  ["definition, formula, expression, sql, logic, calculation, sql definition, code, business definition", "definition"],
  ["column, columns, fields, schema, structure, column names, column list", "columns"],
  ["certification, certification status, status, trust level", "certification"],
  ["certification history, certification trail, audit trail, history, trail", "trail"],
  ["freshness, last update, age", "freshness"],
  ["tag, tags, label, labels", "tags"],
  ["data type, datatype, type, data types, column type", "data type"],
  ["materialization, materialisation, materialization type, materialization strategy", "materialization"],
  ["location, place, database schema, dataset", "place"],
  ["test, tests, check, checks, data tests, quality checks", "checks"],
  ["dimension, dimensions", "dimensions"],
  ["filter, filters", "filters"],
  ["grain, granularity, time grain", "grain"],
  ["lineage, dependencies and users", "sources and uses"],
]);

addAll("Told", [
  ["defined, computed, calculated, derived, measured, worked out, determined, formed, put together", "definition"],
  [
    "updated, last updated, refreshed, last refreshed, changed, last changed, modified, last modified, crawled, last crawled, synced, last synced, loaded, last loaded",
    "freshness",
  ],
  ["certified, approved, last certified, signed off", "certification"],
  ["materialized, materialised", "materialization"],
  ["show up, turn up, appear, appears, stored, located, found, kept, live, sit, reside, housed", "place"],
  ["tagged, labelled, labeled", "tags"],
  ["sliced by, broken down by, split by, sliced, broken down, grouped by, cut by", "dimensions"],
  ["tested, checked", "checks"],
  ["fresh, up to date, current, stale, recent", "freshness"],
]);

addAll("Measure", [
  ["column, columns, fields", "columns"],
  [
    "direct dependents, direct users, direct consumers, users, user, consumers, readers, children, uses, direct downstream assets, direct downstream, direct downstream dependents, usages, direct downstream users, models that read them directly, models that read them, models that use them, models that use them directly, assets that read them, assets that read them directly, things that read them",
    "downstream",
  ],
  [
    "dependent, dependents, downstream, downstream assets, downstream dependents, downstream users, downstream consumers, descendants, dependants, downstream dependencies",
    "all downstream",
  ],
  [
    "upstream, upstreams, direct inputs, direct sources, inputs, parents, direct upstream, direct parents, direct upstreams, direct dependencies",
    "upstream",
  ],
  [
    "source, sources, dependencies, upstream assets, upstream sources, upstream dependencies, ancestors",
    "all upstream",
  ],
  ["check, checks, test, tests", "checks"],
  ["tag, tags", "tags"],
]);

addAll("Group", [
  ["owner, owners, person, people, team, teams, group, department", "owner"],
  ["type, types, kind, kinds, asset type, asset types", "type"],
  ["schema, schemas, area, areas, database schema, folder, layer, layers", "schema"],
  ["tag, tags, label, labels", "tag"],
  ["certification, certification status, status", "certification"],
  ["connector, connectors", "connector"],
  ["materialization, materialisation, materialization type, materializations", "materialization"],
]);

addAll("Change", [
  [
    "drop, drops, dropped, dropping, delete, deletes, deleted, deleting, remove, removes, removed, removing, removal of, goes away, disappears, vanishes, goes missing, lose, loses, break, breaks, breaking, kill, got rid of, get rid of, gone, is gone, missing",
    "column_drop",
  ],
  ["rename, renames, renamed, renaming, renaming of", "column_rename"],
  [
    "change type of, change data type of, changing type of, changing data type of, changes type, change type, changes its type, changed type, retype, cast, type change of, type of changes, becomes text, altered, alter, alters, becomes string",
    "type_change",
  ],
  [
    "deprecate, deprecates, deprecated, deprecating, retire, retires, retired, retiring, decommission, decommissioned, sunset, turn off, switch off, shut down, archive, archived, archiving",
    "deprecate",
  ],
  [
    "change, changes, changed, changing, modify, modified, modifying, touch, touched, touching, refactor, refactoring, edit, edited, editing, alter, altering, migrate, migrating, rewrite, rework, update, updating",
    "column_drop",
  ],
]);

addAll("Compare", [
  ["more than, over, greater than, above, exceeding", (n) => ({ least: n + 1 })],
  ["at least, no fewer than, no less than, minimum of", (n) => ({ least: n })],
  ["fewer than, less than, under, below", (n) => ({ most: n - 1 })],
  ["at most, no more than, up to, maximum of", (n) => ({ most: n })],
  ["exactly, just, only", (n) => ({ least: n, most: n })],
]);

addAll("Superlative", [
  [
    "most used, most depended on, most widely used, most popular, most read, most consumed, most relied on, most referenced, most depended upon, busiest, most connected, most important",
    { by: "downstream", least: false },
  ],
  ["least used, least popular", { by: "downstream", least: true }],
  ["widest, largest, biggest", { by: "columns", least: false }],
  ["narrowest", { by: "columns", least: true }],
]);

addAll(
  "Number",
  "one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, i) => [word, i + 1] as const),
);
addAll("Pronoun", [["it, its, they, them, those, these, their, this, that one, this one", null]]);

addGrammar(GRAMMAR_WORDS);
lexicon.set(",", [{ category: "comma", meaning: null }]);

/** Phrases that only lead to what is asked, as they stand at the beginning. */
export const LEADS =
  `is it true that|can you tell me|could you tell me|do you know|i want to know|i would like to know|i need to know|please tell me|tell me|show me|give me|list me|list|show|find me|find|give|
can you show me|can you list|could you list|could you show me|i need a list of|a list of|list of|i am looking for|looking for|i want to see|i would like to see|help me find|can you find|let me know|any idea|i wonder|what about|and|so|
can you give me|could you give me|would you tell me|can someone tell me|do we know|quick question|hi there|hello there|name|enumerate|return|get me|fetch|display|print|point me to|i need|i want|please list|please show me|please give me|report`
    .split(/\||\n/)
    .map((each) => withoutArticles(each.trim()))
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length);

export const LONGEST_PHRASE = 5;

export function findEntries(phrase: string): readonly Entry[] {
  return lexicon.get(phrase) ?? [];
}

function withoutArticles(phrase: string): string {
  return phrase
    .split(" ")
    .filter((word) => !ARTICLES.has(word))
    .join(" ");
}

export function isArticle(word: string): boolean {
  return ARTICLES.has(word);
}

/** Whether a word says nothing of what is asked, unless it is part of a name. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}

/** Every single word that the lexicon knows, for correcting slips. */
export function knownWords(): ReadonlySet<string> {
  single ??= new Set([...lexicon.keys()].flatMap((phrase) => phrase.split(" ")));
  return single;
}
let single: ReadonlySet<string> | undefined;
