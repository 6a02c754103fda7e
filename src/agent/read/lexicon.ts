/**
 * The words that questions are made of, each with its category in the grammar and what it means there. Names, tags, owners
 * and schemas are not here: those are the catalog's own.
 */
import type { Condition, Feature } from "../plan.ts";
import { ASPECT_WORDS, CHANGE_WORDS, FEATURE_WORDS, GROUP_WORDS, MEASURE_WORDS, TOLD_WORDS } from "./aspect-words.ts";
import { isArticle } from "./fillers.ts";
import { GRAMMAR_WORDS } from "./grammar-words.ts";
import type { Phrases, WordCategory, WordMeanings } from "./word-meanings.ts";

export type Entry =
  | { [C in WordCategory]: { category: C; meaning: WordMeanings[C] } }[WordCategory]
  | { category: Lowercase<string>; meaning: null };

const lexicon = new Map<string, Entry[]>();

function add(words: string, entry: Entry): void {
  for (const written of words
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter(Boolean)) {
    const phrase = written
      .split(" ")
      .filter((word) => word === written || !isArticle(word))
      .join(" ");
    lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), entry]);
  }
}

function addAll<C extends WordCategory>(category: C, entries: Phrases<C>): void {
  for (const [words, meaning] of entries) add(words, { category, meaning } as Entry);
}

function addGrammar(words: Readonly<Record<string, string>>): void {
  for (const [category, phrases] of Object.entries(words)) {
    add(phrases, { category: category as Lowercase<string>, meaning: null });
  }
}

const isKind = (kind: "source" | "seed" | "snapshot" | "model"): Condition => ({ is: "kind", any: [kind] });
const isCertified = (...any: ("certified" | "pending" | "deprecated" | "none")[]): Condition => ({
  is: "certification",
  any,
});
const has = (feature: Feature): Condition => ({ is: "has", feature });
const ofType = (...any: string[]): Condition => ({ is: "data type", any });
const hasNo = (feature: Feature): Condition => ({ is: "not", of: has(feature) });

addAll("Types", [
  [
    "asset, assets, thing, things, anything, something, entity, entities, object, objects, node, nodes, else, stuff, items, file, files, data, info, information, numbers, feed, feeds",
    { types: undefined },
  ],
  [
    "table, tables, tbl, tbls, data set, data sets, dataset, datasets, relation, relations",
    { types: ["table", "model"] },
  ],
  [
    "model, models, dbt model, dbt models, sql model, sql models, data model, data models, transform, transforms, transformation, transformations",
    { types: ["model"] },
  ],
  [
    "source table, source tables, raw table, raw tables, source, sources, raw source, raw sources, dbt source, dbt sources, raw dataset, raw datasets, source dataset, source datasets, source data, ingested table, ingested tables, raw data, raw input, raw inputs, ultimate sources, original sources",
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
    "dashboard, dashboards, dash, dashes, bi dashboard, bi dashboards, visualization, visualizations, visualisation, visualisations, scorecard, scorecards, report, reports, chart, charts, notebook, notebooks, bi report, bi reports, exposure, exposures, screen, screens, cockpit, cockpits",
    { types: ["dashboard"] },
  ],
  [
    "pipeline, pipelines, job, jobs, export, exports, loader, loaders, tool, tools, application, applications",
    { types: ["pipeline"] },
  ],
  [
    "metric, metrics, business metric, business metrics, key figure, key figures, kpi, kpis, measure, measures, indicator, indicators, figure, figures",
    { types: ["metric"] },
  ],
  [
    "column, columns, field, fields, attribute, attributes, col, cols, flag, flags, number, variable, variables",
    { types: ["column"] },
  ],
]);

addAll("Adjective", [
  [
    "certified, certificated, endorsed, attested, approved, trusted, verified, signed off, vouched for, official, trustworthy, reliable, ok to use, safe to use, fine to use, good to use, to be trusted",
    isCertified("certified"),
  ],
  ["uncertified, not yet certified, unapproved", { is: "not", of: isCertified("certified") }],
  [
    "pending, awaiting approval, waiting for approval, awaiting sign off, yet to be certified, still to be certified, to be certified, pending certification, awaiting certification, waiting for certification, waiting for their sign off, waiting for sign off, not signed off",
    isCertified("pending"),
  ],
  ["deprecated, superseded, phased out, obsolete, retired, legacy", isCertified("deprecated")],
  ["raw", isKind("source")],
  ["boolean, booleans", ofType("bool")],
  ["timestamp, datetime, timestamps, datetimes", ofType("timestamp", "datetime")],
  ["date, dates", ofType("date")],
  ["integer, int, whole number, integers", ofType("int", "bigint", "smallint", "integer")],
  ["numeric, decimal", ofType("numeric", "decimal", "number")],
  ["text, string, varchar, strings", ofType("text", "varchar", "string", "character")],
  ["described, documented", has("description")],
  ["undescribed, undocumented, not documented", hasNo("description")],
  ["owned", has("owner")],
  ["unowned, ownerless, orphaned, orphan", hasNo("owner")],
  ["tagged, labelled, labeled", has("tags")],
  ["untagged, unlabelled", hasNo("tags")],
  ["tested, checked", has("checks")],
  ["untested, unchecked", hasNo("checks")],
  ["failing, broken, red", has("failing checks")],
  ["used, in use", has("downstream")],
  ["unused, unread, leaf, dead end, dead ends", hasNo("downstream")],
]);

const uses = { way: "downstream", isFar: false } as const;
const feeds = { way: "upstream", isFar: false } as const;

addAll("Verb", [
  [
    "read, reads, reading, read from, reads from, reading from, query, queries, querying, select from, selects from, query from, queries from, read data from, reads data from",
    { way: "downstream", isFar: false, depth: 1 },
  ],
  ["read by, queried by", { way: "upstream", isFar: false, depth: 1 }],
  [
    `leverage, leverages, employ, employs, require, requires, backed by, supplied by, fed with, feed off, feeds off, feed from, feeds from, run on, runs on, running on, sit on, sits on, sit on top of, sits on top of, 
     take data from, takes data from, taking data from, take its data from, takes its data from, take their data from, receive data from, receives data from, receive from, receives from, obtain data from, obtains data from, draw data from, draws data from, pull data from, pulls data from, source from, sources from, built off, built out of, composed of, assembled from, constructed from, generated from, produced from, created from, created out of, visualize, visualizes, visualise, visualises, plot, plots,
     use, uses, using, consume, consumes, consuming,
     built from, built on, built on top of, built upon, built with, build on, builds on, made from, made of, made with, made out of, derived from,
     derive from, derives from, based on, computed from, calculated from, computed with, fed by, fed from, populated by, populated from, loaded by, loaded from, loaded through, loaded with, loaded via, ingested by, ingested from, ingested through, synced by, synced from, filled by, filled from, powered by, drawn from, draw on, draws on,
     draw from, draws from, pull from, pulls from, pulling from, sourced from, come from, comes from, coming from, reference, references, referencing, join, joins, 
     take from, takes from, taken from, calculated out of, selected from, copied from, passed from, stem from, get data from, gets data from, get its data, gets its data, get data, gets data, get its numbers from, gets its numbers from, get their data from, gets its data from, get its data from, need, needs, show, shows, showing, display, displays, displaying, present, presents, depict`,
    uses,
  ],
  [
    `depend upon, depends upon, dependant on, dependent upon, based upon, hang off, hangs off, hang on, hangs on, descend from, descends from, descended from, rooted in, hinge on, hinges on, downstream to, driven by, depend on, depends on, depending on, dependent on, rely on, relies on, relying on, downstream of, downstream from, below, sit downstream of, sits downstream of, live downstream of, affected by, impacted by, influenced by, trace back to, traces back to, go back to, goes back to, originate from, originates from, originate in, originates in, stem from, stems from`,
    { way: "downstream", isFar: true },
  ],
  [
    `feed to, feeds to, fed into, provide data to, provides data to, provide data for, provides data for, send data to, sends data to, deliver data to, delivers data to, give data to, gives data to, pass data to, passes data to, serve, serves, back, backs, underlie, underlies, underpin, underpins, arrive in, arrives in, get into, gets into, make it into, makes it into, required by, required for, leveraged by, queried in, visualized in, visualised in,
     feed, feeds, feeding, feed into, feeds into, feeding into, used by, used in, used for, consumed by, referenced by, shown in, shown on, shown by, displayed in, displayed on, displayed by, go into, goes into, going into, flow into, flows into, flowing into, flow to, flows to,
     power, powers, powering, populate, populates, supply, supplies, fill, fills, load, loads, loading, ingest, ingests, make up, needed by, needed for, input to, input for, inputs to, inputs for, input of, inputs of, parent of, parents of`,
    feeds,
  ],
  ["direct parents of, direct inputs of, direct inputs to", { ...feeds, depth: 1 }],
  [
    `behind, lie behind, lies behind, sit behind, sits behind, underneath, beneath, upstream to, propagate to, propagates to, wind up in, winds up in, finish in, finishes in, source of, source for, sources for, involved in, upstream of, upstream from, above, sit upstream of, sits upstream of, affect, affects, impact, impacts, influence, influences, drive, drives, contribute to, contributes to, lead to, leads to, reach, reaches, end up in, ends up in, relied on by, depended on by, depended upon by`,
    { way: "upstream", isFar: true },
  ],
]);

addAll("Neighbours", [
  [
    "user, users, consumer, consumers, reader, readers, downstream users, downstream consumers, usages, usage, uses, child, children",
    uses,
  ],
  ["direct users, direct consumers, direct children, direct dependents, immediate dependents", { ...uses, depth: 1 }],
  [
    "dependent, dependents, downstream dependents, descendants, downstream, downstream assets, downstreams, downstream lineage, dependants",
    { way: "downstream", isFar: true },
  ],
  ["input, inputs, parent, parents", feeds],
  [
    "direct sources, direct inputs, direct upstreams, direct parents, direct upstream, immediate parents",
    { ...feeds, depth: 1 },
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

addAll("Feature", FEATURE_WORDS);

addAll("Aspect", ASPECT_WORDS);

addAll("Told", TOLD_WORDS);

addAll("Measure", MEASURE_WORDS);

addAll("Group", GROUP_WORDS);

addAll("Change", CHANGE_WORDS);

addAll("Compare", [
  ["more than, over, greater than, above, exceeding", (n) => ({ least: n + 1 })],
  ["at least, no fewer than, no less than, minimum of", (n) => ({ least: n })],
  ["fewer than, less than, under, below", (n) => ({ most: n - 1 })],
  ["at most, no more than, up to, maximum of", (n) => ({ most: n })],
  ["exactly, just, only, precisely", (n) => ({ least: n, most: n })],
]);

addAll("Most", [
  [
    "most, highest number of, largest number of, greatest number of, biggest number of, most of, highest, maximum",
    false,
  ],
  ["fewest, least, smallest number of, lowest number of, lowest", true],
]);

addAll("More", [
  ["more", false],
  ["fewer, less", true],
]);

addAll("Check", [
  ["not null, not_null, null, nulls, null values, non null, missing values, nullness", ["not_null"]],
  ["unique, distinct values, uniqueness, duplicate, duplicates, duplicate values", ["unique"]],
  ["primary key, primary keys", ["unique", "primary_key"]],
  [
    "unique combination, unique combinations, unique combinations of columns, unique combination of columns",
    ["unique_combination"],
  ],
  [
    "accepted values, accepted_values, allowed values, valid values, list of accepted values, list of allowed values, list of values, set of values",
    ["accepted_values"],
  ],
  ["relationship, relationships, referential integrity, foreign key, foreign keys", ["relationships", "foreign_key"]],
  ["freshness, freshness of data, staleness", ["freshness"]],
  ["unit", ["unit"]],
  ["contract, contracts, data contract", ["contract"]],
]);

addAll("Rule", [
  ["unique, distinct", ["unique"]],
  ["primary key, primary keys", ["unique", "primary_key"]],
  ["foreign key, foreign keys", ["relationships", "foreign_key"]],
  [
    "not null, not be null, never null, never be null, not allowed to be null, not nullable, non nullable, non null, mandatory, required, always filled, never empty, not be empty, not empty",
    ["not_null"],
  ],
]);

addAll("Superlative", [
  [
    "most used, most depended on, most widely used, most popular, most read, most consumed, most relied on, most referenced, most depended upon, busiest, most connected, most important",
    { by: "downstream", least: false },
  ],
  ["least used, least popular", { by: "downstream", least: true }],
  ["most tested, best tested, most checked", { by: "checks", least: false }],
  ["widest, largest, biggest", { by: "columns", least: false }],
  ["narrowest", { by: "columns", least: true }],
]);

addAll(
  "Number",
  "one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, i) => [word, i + 1] as const),
);
addAll("Pronoun", [
  [
    "it, its, its value, its values, its data, its contents, their data, they, them, those, these, their, this, that one, this one, each of them, all of them, both of them, every one of them, each of these, each of those, all of these, all of those, them all, same one",
    null,
  ],
]);

addGrammar(GRAMMAR_WORDS);
lexicon.set(",", [{ category: "comma", meaning: null }]);

export const LONGEST_PHRASE = 5;

export function findEntries(phrase: string): readonly Entry[] {
  return lexicon.get(phrase) ?? [];
}

export function knownPhrases(): string[] {
  return [...lexicon.keys()];
}

/** Every single word that the lexicon knows, for correcting slips. */
export function knownWords(): ReadonlySet<string> {
  single ??= new Set(knownPhrases().flatMap((phrase) => phrase.split(" ")));
  return single;
}
let single: ReadonlySet<string> | undefined;
