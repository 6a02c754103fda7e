/**
 * The phrases of questions, and what each means. Names, tags, owners and schemas are not here: those are the catalog's own.
 * `(a|b)` is one of several, `[a|b]` one of several or nothing. Of equal phrases the first is the likeliest. Articles are left
 * out.
 */
import type { Certification } from "../../catalog/asset.ts";
import type { NodeType } from "../../catalog/node-types.ts";
import { type Aspect, type Condition, type Feature, type Measure, not, WEEKDAYS } from "../plan.ts";
import type { Way } from "../catalog.ts";
import type { Part, Reach, Word } from "./cue.ts";
import { type Role, ROLES } from "./roles.ts";

const type = (...types: NodeType[]): Word => ({ is: "type", set: types.length === 0 ? {} : { types } });
const kind = (of: "source" | "seed" | "snapshot"): Word => {
  return { is: "type", set: { types: ["table"], where: { is: "kind", any: [of] } } };
};
const lies = (way: Way, reach: Omit<Reach, "way"> = {}): Word => ({ is: "relation", way, ...reach });
const says = (where: Condition): Word => ({ is: "adjective", where });
const stated = (any: Certification): Word => says({ is: "certification", any: [any] });
const has = (feature: Feature): Word => says({ is: "has", feature });
const lacks = (feature: Feature): Word => says(not({ is: "has", feature }));
const typed = (...any: string[]): Word => says({ is: "data type", any });
const check = (...any: string[]): Word => ({ is: "check", any });
const part = (of: Omit<Part, "is">): Word => ({ is: "part", ...of });
const near = (way: Way, measure: Measure): Word => part({ feature: way, measure, way, isLoose: measure === way });
const told = (aspect: Aspect): Word => part({ aspect });
const bound = (of: (amount: number) => { least?: number; most?: number }): Word => ({ is: "compare", bound: of });
const NUMBERS = "two three four five six seven eight nine ten eleven twelve".split(" ");

/** A row of the table. */
const means =
  (word: Word) =>
  (text: TemplateStringsArray, ...inner: string[]): readonly [Word, string] => [word, String.raw(text, ...inner)];

export const PHRASES: readonly (readonly [Word, string])[] = [
  means(type())`asset, assets, thing, things, (any|some|every)thing, (anything|something|everything|what|who) else`,
  means(type("table", "model"))`table, tables, dataset, datasets, data (set|sets), relation, relations`,
  means(type("model"))`[dbt|sql|data] (model|models), transformation, transformations`,
  means(kind("source"))`[raw|dbt|source] (source|sources) [table|tables], raw (table|tables|data|dataset|datasets)`,
  means(kind("seed"))`[dbt|csv] (seed|seeds) [file|files|table|tables]`,
  means(kind("snapshot"))`[dbt] (snapshot|snapshots) [table|tables]`,
  means(type("dashboard"))`[bi|tableau|looker|metabase] (dashboard|dashboards|report|reports|chart|charts), exposure,
    exposures, notebook, notebooks`,
  means(type("pipeline"))`[data] (pipeline|pipelines|job|jobs|loader|loaders|tool|tools|export|exports), dag, dags`,
  means(type("metric"))`[business] (metric|metrics|measure|measures|indicator|indicators), kpi, kpis`,
  means(type("column"))`column, columns, field, fields, attribute, attributes, col, cols`,
  // The subject of a verb lies so to its object.
  means(lies("downstream", { depth: 1 }))`(read|reads|reading|select|selects|query|queries|querying) [from|data from],
    (loaded|ingested|synced) (by|from|through|via|with)`,
  means(lies("upstream", { depth: 1 }))`(read|queried|selected) by,
    (load|loads|loading|ingest|ingests|write|writes) [to|into], (bring|brings) in`,
  means(lies("downstream", { isLoose: true }))`use, uses, using, consume, consumes, need, needs, require, requires,
    reference, references, join, joins, show, shows, display, displays, make use of,
    (user|users|consumer|consumers|reader|readers) of`,
  means(lies("downstream"))`(build|builds|draw|draws|sit|sits) (on|upon|on top of|from),
    (based|hinge|hinges) (on|upon),
    (built|made|defined|computed|calculated|derived|produced|created) (from|out of|off|off of|on|upon|on top of),
    below, touch, (aggregated|assembled|sourced|taken|drawn|obtained|copied|selected) from,
    (contain|contains) data from, made (of|up of),
    (fed|filled|populated|powered|supplied|backed|driven|influenced) (by|from|through|via|with), (trace|traces|go|goes) back to,
    touches,
    (pull|pulls|draw|draws|derive|derives|feed|feeds|come|comes|coming|take|takes|get|gets) [data|their data|its data] from,
    (get|gets|getting) (its|their) (data|numbers|values),
    (sit|sits|lie|lies|live|lives|lying) [up] downstream (of|from),
    (depend|depends|depending|dependent|dependant|rely|relies|relying|hang|hangs|rest|rests|lean|leans) (on|upon|off),
    (downstream|descended) (of|from), (come|comes) through,
    (originate|originates|stem|stems|inherit|inherits|descend) from,
    (dependents|dependants|descendants|downstream dependencies) of`,
  means(lies("upstream", { isLoose: true }))`
    (used|needed|required|consumed|referenced|displayed|shown) (by|in|on|for|within),
    (input|inputs|parent|parents) (of|to|for)`,
  means(lies("upstream"))`(feed|feeds|flow|flows|go|goes|get|gets|make it|makes it) into, feed, feeds, feeding,
    (fed|flow) into, power, powers, powering, populate, populates, supply, supplies, fill, fills, serve, serves, back,
    backs, underlie, behind, underlies, (send|sends|provide|provides|deliver|delivers) data (to|for|into), above,
    (flow|flows|feed|feeds) to, (reach|reaches), as (dependency|source|input|parent), [lie|lies|sit|sits|live|lives] upstream (of|from), affect, affects,
    influence, influences, drive, drives, become, becomes,
    (contribute|contributes|lead|leads|propagate|propagates) to, (end|ends|wind|winds) up [in|as],
    (relied|depended) (on|upon) by, (lie|lies|sit|sits) behind,
    (source|sources|origin|origins|ancestors|dependencies|upstream sources) (of|for)`,
  means(stated("certified"))`certified, trusted, approved, endorsed, attested, verified, official, signed off`,
  means(stated("pending"))`pending [certification], (awaiting|waiting for) (certification|approval),
    [still] to be certified`,
  means(stated("deprecated"))`deprecated, obsolete, superseded, legacy, retired, phased out`,
  means(says(not({ is: "certification", any: ["certified"] })))`uncertified, unapproved`,
  means(has("description"))`described, documented`,
  means(lacks("description"))`undescribed, undocumented`,
  means(lacks("owner"))`unowned, ownerless, orphaned, orphan`,
  means(lacks("tags"))`untagged, unlabelled`,
  means(has("checks"))`tested, checked`,
  means(lacks("checks"))`untested, unchecked`,
  means(has("failing checks"))`failing, broken, (test|tests|check|checks) [is|are] (fail|fails|failing|failed)`,
  means(has("downstream"))`used, consumed, referenced, queried, in use, still used, used anywhere`,
  means(lacks("downstream"))`unused, unread, dead, leaf, terminal, dead end, dead ends`,
  means(says({ is: "kind", any: ["source"] }))`raw`,
  means(typed("bool"))`boolean, booleans, bool`,
  means(typed("timestamp", "datetime"))`timestamp, timestamps, datetime, datetimes`,
  means(typed("date"))`date`,
  means(typed("int", "bigint", "smallint", "integer"))`int, integer, integers`,
  means(typed("numeric", "decimal", "number"))`numeric, decimal`,
  means(typed("text", "varchar", "string", "character"))`text, string, varchar`,
  means(part({ aspect: "owner", feature: "owner", group: "owner" }))`[data|business] (owner|owners), ownership,
    steward, stewards`,
  means(part({ group: "owner" }))`person, people, team, teams, department`,
  means(part({ aspect: "description", feature: "description" }))`description, descriptions, documentation, meaning,
    purpose`,
  means(told("definition"))`[sql] (definition|definitions), formula, formulas, expression, sql, logic, calculation`,
  means(part({ aspect: "columns", feature: "columns", measure: "columns" }))`column (list|names), structure`,
  means(part({ aspect: "certification", feature: "certification", group: "certification" }))`certification [status],
    status`,
  means(told("trail"))`[certification|audit] (history|trail)`,
  means(told("freshness"))`last update, last change`,
  means(part({ aspect: "tags", feature: "tags", measure: "tags", group: "tag" }))`tag, tags, label, labels`,
  means(told("data type"))`[data|column] (type|types), datatype, datatypes`,
  means(part({ aspect: "kind", group: "type" }))`[asset] (kind|kinds), asset (type|types)`,
  means(part({ aspect: "materialization", group: "materialization" }))`materialization, materialisation`,
  means(part({ aspect: "place", group: "schema" }))`location, [database] (schema|schemas), database, folder, layer,
    area`,
  means(part({ feature: "failing checks" }))`(failing|failed|broken) (test|tests|check|checks)`,
  means(part({ aspect: "checks", feature: "checks", measure: "checks" }))`
    [data|dbt|quality] (test|tests|check|checks)`,
  means(part({ aspect: "dimensions", measure: "dimensions" }))`dimension, dimensions`,
  means(told("filters"))`filter, filters`,
  means(told("grain"))`grain, granularity, time grain`,
  means(part({ aspect: "place", feature: "url" }))`url, link`,
  means(told("sources and uses"))`lineage, neighbours, neighbors, inputs and outputs`,
  means(near("upstream", "upstream"))`input, inputs, parent, parents`,
  means(
    near("upstream", "all upstream"),
  )`upstream [assets|sources|dependencies|lineage|things], dependency, dependencies,
    ancestors, origin`,
  means(near("downstream", "downstream"))`
    [downstream] (user|users|consumer|consumers|reader|readers|child|children|usage|usages)`,
  means(near("downstream", "all downstream"))`[downstream] (dependent|dependents|dependants|descendants),
    downstream [assets|things|dependencies|lineage|impact|reach]`,
  means({ is: "change", change: "column_drop" })`drop, drops, dropped, dropping, remove, removes, removed, removing,
    delete, deletes, deleted, deleting, (removal|deletion) of, (goes|go|went|going) away, disappear, disappears,
    vanishes, vanished, gone`,
  means({ is: "change", change: "column_rename" })`rename, renames, renamed, renaming, renaming of`,
  means({ is: "change", change: "type_change" })`(change|changes|changed|changing) [its] [data] type [of],
    type (change|changes)`,
  means({ is: "change", change: "deprecate" })`deprecate, deprecating, retire, retiring, decommission, archive`,
  means({ is: "change", change: "column_drop", isVague: true })`change, changes, changed, changing, modify, modified,
    alter, altered, touched, break, breaks, fails, stops, (is|are|goes|went) wrong, wrong,
    (stops|stopped) (loading|working|running)`,
  means({ is: "span", since: "1d" })`today, since (today|this morning)`,
  means({ is: "span", since: "2d" })`yesterday, since yesterday, overnight, last night`,
  means({ is: "span", since: "7d" })`[in|since] (last|past|this) week, [in] (last|past) (7|seven) days, lately`,
  means({ is: "span", since: "30d" })`[in|since] (last|past|this) month, [in] (last|past) (30|thirty) days`,
  ...WEEKDAYS.map((since) => means({ is: "span", since })`[since|from] [last] ${since}`),
  means({ is: "most", least: false, by: "downstream" })`busiest, most (used|read|popular|important|referenced)`,
  means({ is: "most", least: true, by: "downstream" })`least (used|popular|depended on|read)`,
  means({ is: "most", least: false })`most, (highest|largest|greatest|biggest|maximum) [number of|amount of], top`,
  means({ is: "most", least: true })`fewest, least, (lowest|smallest|minimum) [number of|amount of]`,
  means(bound((n) => ({ least: n + 1 })))`more than, over, greater than, above, exceeding`,
  means(bound((n) => ({ least: n })))`at least, no fewer than, no less than`,
  means(bound((n) => ({ most: n - 1 })))`fewer than, less than, under, below`,
  means(bound((n) => ({ most: n })))`at most, no more than, up to`,
  means(bound((n) => ({ least: n, most: n })))`exactly, precisely`,
  means(check("not_null"))`not null, null, nulls, null values, non null, missing values,
    (never|must not be|can not be) null`,
  means(check("unique"))`unique, uniqueness, distinct, duplicate, duplicates`,
  means(check("accepted_values"))`[limited|restricted|constrained] [to] (accepted|allowed|valid|certain) values,
    restricted to`,
  means(check("relationships", "foreign_key"))`relationship, relationships, referential integrity,
    foreign (key|keys)`,
  means(check("unique", "primary_key"))`primary (key|keys)`,
  means(check("freshness"))`freshness, staleness, stale`,
  means(check("unit"))`unit`,
  means(check("contract"))`[data] (contract|contracts)`,
  ...NUMBERS.map((word, i) => means({ is: "number", amount: i + 2 })`${word}`),
  ...Object.entries(ROLES).map(([is, phrases]) => means({ is: is as Role })`${phrases}`),
];

/** Words that say nothing of what is asked. */
export const FILLERS = `other is are was were be been being am do does did can could will would should may might must shall that which
  there any some anyone anybody someone somebody please pls plz kindly me us we you i our my your hey hi hello ok okay so well
  now actually really currently still already thanks thank thx cheers quickly maybe perhaps then as list show give such
  gimme display enumerate present print return let looking look trying try search hmm uh um again right various
  single particular certain specific full complete entire whole actual catalog catalogue workspace project warehouse system here
  simply basically quick possible able help question quite very even too others themselves itself sorry fyi asap
  anyway obviously honestly literally generally normally usually typically exactly ever given existing corresponding
  data info information kind sort one ones total altogether overall different sure if also folks team everyone all wonder
  wondering curious good morning afternoon day configured keep keeps together plain`;
