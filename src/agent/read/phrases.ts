/**
 * The phrases that mean something by themselves: types, relations, adjectives, what can be said of an asset, changes, orders and
 * checks. Names, tags, owners and schemas are not here: those are the catalog's own.
 */
import type { Condition, Feature, Things } from "../plan.ts";
import type { Word } from "./cue.ts";

const certified = (...any: ("certified" | "pending" | "deprecated")[]): Condition => ({ is: "certification", any });
const has = (feature: Feature): Condition => ({ is: "has", feature });
const hasNo = (feature: Feature): Condition => ({ is: "not", of: has(feature) });
const kind = (...any: ("source" | "seed" | "snapshot")[]): Condition => ({ is: "kind", any });
const ofKind = (each: "source" | "seed" | "snapshot"): Things => ({ types: ["table"], where: kind(each) });
const type = (set: Things): Word => ({ is: "type", set });
const says = (where: Condition): Word => ({ is: "adjective", where });
const ofType = (...any: string[]): Word => says({ is: "data type", any });

/**
 * `(a|b)` is one of several, `[a|b]` one of several or nothing. Of equal phrases the first is the likeliest. Articles are left
 * out of questions, and so of this table.
 */
export const PHRASES: readonly (readonly [Word, string])[] = [
  // types of assets
  [
    type({}),
    "asset, assets, thing, things, anything, something, everything, (anything|something|everything|what|who) else, object, objects, entity, entities, stuff",
  ],
  [
    type({ types: ["table", "model"] }),
    "table, tables, dataset, datasets, data set, data sets, relation, relations, tbl, tbls",
  ],
  [type({ types: ["model"] }), "[dbt|sql|data] (model|models), transformation, transformations"],
  [
    type(ofKind("source")),
    "[raw|dbt|source] (source|sources) [table|tables], raw (table|tables|data|dataset|datasets)",
  ],
  [type(ofKind("seed")), "[dbt|csv] (seed|seeds) [file|files|table|tables]"],
  [type(ofKind("snapshot")), "[dbt] (snapshot|snapshots) [table|tables]"],
  [
    type({ types: ["dashboard"] }),
    `[bi|power bi|tableau|looker|metabase] (dashboard|dashboards|report|reports|chart|charts|scorecard|scorecards),
     notebook, notebooks, exposure, exposures, visualization, visualizations, visualisation, visualisations`,
  ],
  [
    type({ types: ["pipeline"] }),
    "[data] (pipeline|pipelines|job|jobs|loader|loaders|tool|tools|export|exports), dag, dags",
  ],
  [
    type({ types: ["metric"] }),
    "[business] (metric|metrics|measure|measures|indicator|indicators), kpi, kpis, key (figure|figures)",
  ],
  [type({ types: ["column"] }), "column, columns, field, fields, attribute, attributes, col, cols"],

  // how one asset lies to another: the subject of the verb lies so to its object
  [
    { is: "relation", way: "downstream", depth: 1 },
    `(read|reads|reading|select|selects|query|queries|querying) [from|data from],
     (loaded|ingested|synced) (by|from|through|via|with)`,
  ],
  [
    { is: "relation", way: "upstream", depth: 1 },
    `(read|queried|selected) by,
     (load|loads|loading|ingest|ingests|write|writes|writing) [to|into], bring in, brings in`,
  ],
  [
    { is: "relation", way: "downstream", isLoose: true },
    `use, uses, using, consume, consumes, consuming, need, needs, require, requires, reference, references, referencing, join, joins,
     leverage, leverages, show, shows, showing, display, displays, (make|makes|making) use of,
     (user|users|consumer|consumers|reader|readers|child|children) of`,
  ],
  [
    { is: "relation", way: "downstream" },
    `(build|builds|draw|draws|sit|sits) (on|upon|on top of|from), based on, based upon, composed of, made of, made up of, made out of,
     (built|made|defined|computed|calculated|derived|constructed|generated|produced|created|assembled|aggregated) (from|out of|off|off of|with|on|upon|on top of),
     (fed|filled|populated|powered|supplied|backed|driven) (by|from|through|via|with),
     (pull|pulls|draw|draws|derive|derives|feed|feeds|come|comes|coming|take|takes|taking|receive|receives|get|gets|getting) [data|their data|its data|numbers] from,
     (get|gets|getting) (its|their) (data|numbers|values), (sourced|taken|drawn|obtained|copied|selected|passed) from, (get|gets) [data|its data|their data] (by|through|via), (contain|contains|containing) data from,
     (depend|depends|depending|dependent|dependant|rely|relies|relying|hinge|hinges|hang|hangs|rest|rests|lean|leans) (on|upon|off),
     (downstream|descended) (of|from), (sit|sits|lie|lies|live|lives|end|ends) [up] downstream (of|from), below, (influenced|driven|touched) by, rooted in, touch, touches, touching,
     (trace|traces|go|goes) back to, (originate|originates|stem|stems|descend|descends) (from|in), (come|comes) through, inherit from, inherits from,
     (dependents|dependants|dependencies downstream|descendants|downstream dependencies) of`,
  ],
  [
    { is: "relation", way: "upstream", isLoose: true },
    "(used|needed|required|consumed|referenced|leveraged|displayed|shown|visualized|visualised) (by|in|on|for|within), (input|inputs|parent|parents) (of|to|for)",
  ],
  [
    { is: "relation", way: "upstream" },
    `feed, feeds, feeding, fed into, (feed|feeds|feeding|flow|flows|flowing|go|goes|going|get|gets|make it|makes it) into, (feed|feeds|flow|flows) to,
     power, powers, powering, populate, populates, supply, supplies, fill, fills, serve, serves, back, backs, underlie, underlies, underpin, underpins,
     (send|sends|provide|provides|deliver|delivers) data (to|for|into), 
     behind, (lie|lies|sit|sits|stand|stands) behind, upstream (of|from), (sit|sits|lie|lies|live|lives) upstream (of|from), above, underneath, beneath,
     affect, affects, influence, influences, drive, drives, reach, reaches, (contribute|contributes|lead|leads|propagate|propagates) to,
     (end|ends|wind|winds) up [in|as], become, becomes, turn into, turns into, (relied|depended) (on|upon) by, involved in,
     (source|sources|origin|origins) (of|for), (ancestors|dependencies|upstream dependencies|upstream sources) of`,
  ],

  // adjectives
  [
    says(certified("certified")),
    "certified, trusted, approved, endorsed, attested, verified, official, signed off, vouched for",
  ],
  [says({ is: "not", of: certified("certified") }), "uncertified, unapproved, not yet certified"],
  [
    says(certified("pending")),
    "pending [certification], awaiting (certification|approval), waiting for (certification|approval), yet to be certified, [still] to be certified",
  ],
  [says(certified("deprecated")), "deprecated, obsolete, superseded, legacy, retired, phased out"],
  [says(has("description")), "described, documented"],
  [says(hasNo("description")), "undescribed, undocumented"],
  [says(hasNo("owner")), "unowned, ownerless, orphaned, orphan"],
  [says(has("owner")), "owned"],
  [says(hasNo("tags")), "untagged, unlabelled, unlabeled"],
  [says(has("checks")), "tested, checked"],
  [says(hasNo("checks")), "untested, unchecked"],
  [says(has("failing checks")), "failing, broken"],
  [says(has("downstream")), "used, consumed, referenced, queried, in use, still used, used anywhere"],
  [says(hasNo("downstream")), "unused, unread, dead, leaf, terminal, dead end, dead ends"],
  [says(kind("source")), "raw"],
  [ofType("bool"), "boolean, booleans, bool"],
  [ofType("timestamp", "datetime"), "timestamp, timestamps, datetime, datetimes"],
  [ofType("date"), "date"],
  [ofType("int", "bigint", "smallint", "integer"), "integer, integers"],
  [ofType("numeric", "decimal", "number"), "numeric, decimal"],
  [ofType("text", "varchar", "string", "character"), "text, string, varchar"],

  // what can be said of an asset
  [
    { is: "part", aspect: "owner", feature: "owner", group: "owner" },
    `[data|business|table] (owner|owners), ownership, steward, stewards, (responsible|owning) (person|team), person in charge, maintainer, contact [person],
     person responsible, people responsible`,
  ],
  [{ is: "part", group: "owner" }, "person, people, team, teams, department"],
  [
    { is: "part", aspect: "description", feature: "description" },
    "description, descriptions, documentation, docs, doc, explanation, meaning, purpose",
  ],
  [
    { is: "part", aspect: "definition" },
    "(formula|logic|calculation|sql|query) [stands|lies|sits] behind, definition, definitions, formula, formulas, expression, sql, sql definition, logic, calculation, computation, equation",
  ],
  [{ is: "part", aspect: "columns" }, "column (list|names), structure, [column] names and types"],
  [
    { is: "part", aspect: "certification", feature: "certification", group: "certification" },
    "certification [status], approval status, trust level, status",
  ],
  [{ is: "part", aspect: "trail" }, "[certification|audit] (history|trail)"],
  [{ is: "part", aspect: "freshness" }, "last update, last change"],
  [{ is: "part", aspect: "tags", feature: "tags", measure: "tags", group: "tag" }, "tag, tags, label, labels"],
  [{ is: "part", aspect: "data type" }, "[data|column] (type|types), datatype, datatypes"],
  [
    { is: "part", aspect: "kind", group: "type" },
    "[asset] (kind|kinds) [of asset|of assets], asset (type|types), sort of asset",
  ],
  [
    { is: "part", aspect: "materialization", group: "materialization" },
    "materialization, materialisation, materialization (type|strategy), materializations",
  ],
  [{ is: "part", aspect: "place" }, "location, place"],
  [
    { is: "part", aspect: "place", group: "schema" },
    "[database] (schema|schemas), (which|what) schema, database, folder, layer, layers, area",
  ],
  [{ is: "part", feature: "failing checks" }, "(failing|failed|broken) (test|tests|check|checks)"],
  [
    { is: "part", aspect: "checks", feature: "checks", measure: "checks" },
    "[data|dbt|quality|data quality] (test|tests|check|checks), assertion, assertions, validation, validations",
  ],
  [{ is: "part", aspect: "dimensions", measure: "dimensions" }, "dimension, dimensions"],
  [{ is: "part", aspect: "filters" }, "filter, filters"],
  [{ is: "part", aspect: "grain" }, "grain, granularity, time grain"],
  [{ is: "part", aspect: "place", feature: "url" }, "url, link"],
  [
    { is: "part", aspect: "sources and uses", way: "both" },
    "lineage, neighbours, neighbors, direct neighbours, inputs and outputs",
  ],
  [
    { is: "part", feature: "upstream", measure: "upstream", way: "upstream", isLoose: true },
    "(input|inputs|parent|parents)",
  ],
  [{ is: "part", feature: "upstream", measure: "upstream", way: "upstream", depth: 1 }, "(direct|immediate) sources"],
  [
    { is: "part", feature: "upstream", measure: "all upstream", way: "upstream" },
    "upstream [assets|sources|dependencies|lineage|things], upstreams, dependency, dependencies, ancestors, origin, origins",
  ],
  [
    { is: "part", feature: "downstream", measure: "downstream", way: "downstream", isLoose: true },
    "[downstream] (user|users|consumer|consumers|reader|readers|child|children|usage|usages)",
  ],
  [
    { is: "part", feature: "downstream", measure: "all downstream", way: "downstream" },
    "[downstream] (dependent|dependents|dependants|descendants), downstream [assets|things|dependencies|lineage|impact|reach], downstreams",
  ],

  // changes
  [
    { is: "change", change: "column_drop" },
    `drop, drops, dropped, dropping, remove, removes, removed, removing, removal of, delete, deletes, deleted, deleting, deletion of, kill, killing, killed,
     (goes|go|went|going) away, disappear, disappears, disappeared, vanishes, vanished, is gone, gone, (get|gets|got|getting) rid of, lose, loses, losing, (throw|threw|throwing) away, breaks down, goes missing`,
  ],
  [{ is: "change", change: "column_rename" }, "rename, renames, renamed, renaming, rename of, renaming of"],
  [
    { is: "change", change: "type_change" },
    "(change|changes|changed|changing) [its|data] type [of], (change|changing) [data] type of, type change [of], type changes, type of changes, [data] type (is changed|was changed|changed)",
  ],
  [
    { is: "change", change: "deprecate" },
    "deprecate, deprecating, deprecation of, retire, retiring, decommission, decommissioned, sunset, archive, archiving",
  ],
  [
    { is: "change", change: "column_drop", isVague: true },
    "change, changes, changed, changing, change to, changes to, modify, modified, modifying, alter, altered, altering, touched, edited, break, breaks, fails, dies, stops, stopped, stops (loading|working|running), stopped (loading|working|running), (is|are|goes|went) wrong, wrong, corrupted",
  ],

  // orders and comparisons
  [
    { is: "most", least: false, by: "downstream" },
    "(used|read|referenced|consumed|depended on) most, most (used|depended on|depended upon|widely used|popular|read|consumed|relied on|referenced|connected|important), busiest",
  ],
  [{ is: "most", least: true, by: "downstream" }, "(used|read) least, least (used|popular|depended on|read)"],
  [{ is: "most", least: false, by: "columns" }, "widest"],
  [{ is: "most", least: true, by: "columns" }, "narrowest"],
  [{ is: "most", least: false, by: "checks" }, "most tested, best tested"],
  [{ is: "most", least: false, of: "date" }, "newest, latest, most recent, most recently, last, recently"],
  [{ is: "most", least: true, of: "date" }, "oldest, earliest, first"],
  [
    { is: "most", least: false },
    "most, (highest|largest|greatest|biggest|maximum) [number of|amount of], largest number of, top",
  ],
  [{ is: "most", least: true }, "fewest, least, (lowest|smallest|minimum) [number of|amount of]"],
  [{ is: "compare", bound: (n) => ({ least: n + 1 }) }, "more than, over, greater than, above, exceeding"],
  [{ is: "compare", bound: (n) => ({ least: n }) }, "at least, no fewer than, no less than"],
  [{ is: "compare", bound: (n) => ({ most: n - 1 }) }, "fewer than, less than, under, below"],
  [{ is: "compare", bound: (n) => ({ most: n }) }, "at most, no more than, up to"],
  [{ is: "compare", bound: (n) => ({ least: n, most: n }) }, "exactly, precisely"],
  [{ is: "more", least: false, by: "columns" }, "wider"],
  [{ is: "more", least: true, by: "columns" }, "narrower"],
  [{ is: "more", least: false }, "more, bigger, larger, greater [number of]"],
  [{ is: "more", least: true }, "fewer, less, smaller [number of]"],

  // checks
  [
    { is: "check", any: ["not_null"] },
    "not null, null, nulls, null values, non null, missing values, nullness, (never|must not be|cannot be|can not be|may not be) null, not empty",
  ],
  [{ is: "check", any: ["unique"] }, "unique, uniqueness, distinct, duplicate, duplicates"],
  [
    { is: "check", any: ["accepted_values"] },
    "[limited|restricted|constrained] [to] (accepted|allowed|valid|certain) values, (limited|restricted|constrained) to, [list|set] of values",
  ],
  [
    { is: "check", any: ["relationships", "foreign_key"] },
    "relationship, relationships, referential integrity, foreign (key|keys)",
  ],
  [{ is: "check", any: ["unique", "primary_key"] }, "primary (key|keys)"],
  [{ is: "check", any: ["freshness"] }, "freshness, staleness, stale"],
  [{ is: "check", any: ["unit"] }, "unit"],
  [{ is: "check", any: ["contract"] }, "[data] (contract|contracts)"],
];
