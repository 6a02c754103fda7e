/**
 * The words that questions are made of, each with its category in the grammar and what it means there. Names, tags, owners
 * and schemas are not here: those are the catalog's own.
 */
import type { Condition, Feature } from "../plan.ts";
import { ASPECT_WORDS, CHANGE_WORDS, FEATURE_WORDS, GROUP_WORDS, MEASURE_WORDS, TOLD_WORDS } from "./aspect-words.ts";
import { isArticle } from "./fillers.ts";
import { expand } from "./grammar/notation.ts";
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
    for (const parts of expand(written)) {
      const phrase = parts.filter((word) => parts.length === 1 || !isArticle(word)).join(" ");
      lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), entry]);
    }
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
  ["used, in use, consumed, referenced, queried, picked up, alive", has("downstream")],
  ["unused, unread, leaf, dead end, dead ends, dead, final, terminal, at end of chain", hasNo("downstream")],
]);

const uses = { way: "downstream", isFar: false } as const;
const feeds = { way: "upstream", isFar: false } as const;

addAll("Verb", [
  [
    "(read|reads|reading) [from|data from], (query|queries|querying) [from], (select|selects) from",
    { way: "downstream", isFar: false, depth: 1 },
  ],
  ["(read|queried) by", { way: "upstream", isFar: false, depth: 1 }],
  [
    `(use|uses|using|consume|consumes|consuming|need|needs|require|requires|reference|references|referencing|join|joins),
     (leverage|leverages|employ|employs|show|shows|showing|display|displays|displaying|present|presents|depict|plot|plots),
     (visualize|visualizes|visualise|visualises), (build|builds|draw|draws|run|runs|running|sit|sits) on [top of], made of, composed of,
     (built|made|computed|calculated|derived|constructed|generated|produced|created|assembled|aggregated) (from|out of|off|with|using),
     built (on|upon|on top of), based on, (fed|filled|loaded|populated|powered|supplied|backed|ingested|synced) (by|from|through|via|with),
     (pull|pulls|pulling|draw|draws|derive|derives|source|sources|feed|feeds|come|comes|coming|take|takes|taking|receive|receives) from,
     (drawn|sourced|taken|selected|copied|passed|obtained) from, (feed|feeds) off,
     (pull|pulls|pulling|draw|draws|take|takes|taking|receive|receives|obtain|obtains) (data|its data|their data|its numbers) from,
     (get|gets) (data|its data|their data|its numbers|their numbers) [from],
     (take|takes|get|gets|use|uses) (something|anything|things|columns|fields) from`,
    uses,
  ],
  [
    `(depend|depends|depending|dependent|dependant) (on|upon), (rely|relies|relying|hinge|hinges) on, (hang|hangs) (on|off), based upon,
     [sit|sits|live|lives] downstream of, downstream (from|to), below, (affected|impacted|influenced|driven) by, rooted in,
     (trace|traces|go|goes) back to, (touch|touches|touching), (come|comes) through, (originate|originates) (from|in), (stem|stems|descend|descends|descended) from`,
    { way: "downstream", isFar: true },
  ],
  [
    `(feed|feeds|feeding|fed|go|goes|going|flow|flows|flowing|get|gets|make it|makes it) into, (feed|feeds|flow|flows) to,
     (provide|provides|send|sends|deliver|delivers|give|gives|pass|passes) data (to|for|into), (arrive|arrives) in, (write|writes|writing|load|loads|loading) (to|into), exposed (to|in), (roll|rolls) up (into|to), (survive|survives) (into|to), picked up by,
     (used|needed|required) (by|in|for), (shown|displayed|visualized|visualised) (in|on|by), (consumed|referenced|leveraged) by,
     (feed|feeds|feeding|power|powers|powering|populate|populates|supply|supplies|fill|fills|load|loads|loading|ingest|ingests),
     (serve|serves|back|backs|underlie|underlies|underpin|underpins), make up, (input|inputs) (to|for|of), (parent|parents) of`,
    feeds,
  ],
  ["direct parents of, direct inputs (of|to)", { ...feeds, depth: 1 }],
  [
    `[lie|lies|sit|sits] behind, underneath, beneath, [sit|sits] upstream of, upstream (from|to), above, involved in, (source|sources) for, source of,
     (affect|affects|impact|impacts|influence|influences|drive|drives|reach|reaches), (contribute|contributes|lead|leads|propagate|propagates) to,
     (end|ends|wind|winds) up in, (end|ends) (in|at), (relied|depended) (on|upon) by`,
    { way: "upstream", isFar: true },
  ],
]);

addAll("Neighbours", [
  [
    "user, users, consumer, consumers, reader, readers, downstream users, downstream consumers, usages, usage, uses, child, children",
    uses,
  ],
  ["(direct|immediate) (users|consumers|children|dependents|dependants|readers)", { ...uses, depth: 1 }],
  [
    "dependent, dependents, downstream dependents, descendant, descendants, downstream, downstream assets, downstreams, downstream lineage, dependants",
    { way: "downstream", isFar: true },
  ],
  ["input, inputs, parent, parents", feeds],
  [
    "direct sources, direct inputs, direct upstreams, direct parents, direct upstream, immediate parents",
    { ...feeds, depth: 1 },
  ],
  [
    "source, sources, upstream sources, dependency, dependencies, upstream dependencies, ancestor, ancestors, upstream, upstreams, upstream assets, origin, origins, upstream lineage, upstream inputs",
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
    "most, highest number of, largest number of, greatest number of, biggest number of, most of, highest, maximum, widest, greatest, farthest, furthest",
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
