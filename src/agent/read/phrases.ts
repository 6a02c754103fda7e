/**
 * The phrases of questions, and what each means. Names, tags, owners and schemas are not here: those are the catalog's own.
 * `(a|b)` is one of several, `[a|b]` one of several or nothing, also at the end of a word. Of equal phrases the first is the
 * likeliest. Articles are left out.
 */
import type { Certification } from "../../catalog/asset.ts";
import type { NodeType } from "../../catalog/node-types.ts";
import { type Aspect, type Condition, type Feature, type Measure, not, WEEKDAYS } from "../plan.ts";
import type { Way } from "../catalog.ts";
import { findsTypos } from "../names/words.ts";
import { type Cue, cueOf, type Part, type Reach, type Word } from "./cue.ts";
import { type Role, ROLES } from "./roles.ts";

const type = (...types: NodeType[]): Word => ({ is: "type", set: types.length === 0 ? {} : { types } });
const kind = (of: "source" | "seed" | "snapshot"): Word => {
  return { is: "type", set: { types: ["table"], where: { is: "kind", any: [of] } } };
};
const lies = (way: Way, reach: Omit<Reach, "way"> = {}): Word => ({ is: "relation", way, ...reach });
const reads = lies("downstream", { depth: 1 });
const vague: Word = { is: "change", change: "column_drop", isVague: true };
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

const means =
  (word: Word) =>
  (text: TemplateStringsArray, ...inner: string[]): readonly [Word, string] => [word, String.raw(text, ...inner)];

const PHRASES: readonly (readonly [Word, string])[] = [
  means(type())`asset[s], thing[s], (any|some|every)thing, (anything|something|everything|what|who) else`,
  means(type("table", "model"))`table[s], dataset[s], data set[s], relation[s]`,
  means(type("model"))`[dbt|sql|data] model[s], transformation[s]`,
  means(kind("source"))`[raw|dbt|source] source[s] [table|tables], raw data, raw (table|dataset)[s]`,
  means(kind("seed"))`[dbt|csv] seed[s] [file|files|table|tables]`,
  means(kind("snapshot"))`[dbt] snapshot[s] [table|tables]`,
  means(type("dashboard"))`[bi|tableau|looker|metabase] (dashboard|report|chart)[s], exposure[s], notebook[s]`,
  means(type("pipeline"))`[data] (pipeline|job|loader|tool|export)[s], dag[s]`,
  means(type("metric"))`[business] (metric|measure|indicator)[s], kpi[s]`,
  means(type("column"))`(column|field|attribute|col)[s]`,
  // The subject of a verb lies so to its object.
  means(reads)`(read|select)[s] [from|data from], reading [from|data from], (query|queries|querying)
    [from|data from], (loaded|ingested|synced) (by|from|through|via|with), (come|comes|coming) in (through|via|with)`,
  means(lies("upstream", { depth: 1 }))`(read|queried|selected) by, (load|write)[s] [to|into], loading [to|into],
    ingest[s] [to|into], bring[s] in`,
  means(lies("downstream", { isLoose: true }))`(use|consume|need|require|reference|join|show|display)[s], using,
    make use of, (user|consumer|reader)[s] of`,
  means(lies("downstream"))`(build|draw|sit)[s] (on|upon|on top of|from), based (on|upon), below,
    (built|made|defined|computed|calculated|derived|produced|created) (from|out of|off|off of|on|upon|on top of),
    (aggregated|assembled|sourced|taken|drawn|obtained|copied|selected) from, made (of|up of), touch, touches,
    (fed|filled|populated|powered|supplied|backed|driven|influenced) (by|from|through|via|with), contain[s] data from,
    (trace|traces|go|goes) back to, (pull|draw|derive|feed|come|take|get)[s] [data|their data|its data] from, come[s] through,
    coming [data|their data|its data] from, (downstream|descended) (of|from), (sit|lie|live)[s] [up] downstream (of|from),
    (depend|hang)[s] (on|upon|off), (depending|dependent|dependant|rely|relies|relying) (on|upon|off),
    (originate|stem|inherit)[s] from, (dependents|dependants|descendants|downstream dependencies) of`,
  means(lies("upstream", { isLoose: true }))`(input|parent)[s] (of|to|for),
    (used|needed|required|consumed|referenced|displayed|shown) (by|in|on|for|within), (need|use|require) for`,
  means(lies("upstream"))`(feed|flow|get)[s] into, (go|goes|fed|make it|makes it) into, feed[s], feeding,
    (power|fill|serve|back|affect|influence|drive|become)[s], powering, populate[s], supply, supplies, above, behind,
    (send|provide|deliver)[s] data (to|for|into), (flow|feed)[s] to, reach, reaches, as (dependency|source|input|parent),
    [lies|sits|lives] upstream (of|from), (contribute|lead)[s] to, end[s] up [in|as], (relied|depended) (on|upon) by,
    (lie|sit)[s] behind, (source|origin)[s] (of|for), (ancestors|dependencies|upstream sources) (of|for)`,
  means(stated("certified"))`certified, trusted, approved, endorsed, attested, verified, official, signed off`,
  means(stated("pending"))`pending [certification], (awaiting|waiting for) (certification|approval)`,
  means(stated("deprecated"))`deprecated, obsolete, superseded, legacy, retired, phased out`,
  means(says(not({ is: "certification", any: ["certified"] })))`uncertified, unapproved`,
  means(has("description"))`described, documented`,
  means(lacks("description"))`undescribed, undocumented`,
  means(lacks("owner"))`owned by (nobody|no one), unowned, ownerless, orphan[ed]`,
  means(lacks("tags"))`untagged, unlabelled`,
  means(has("checks"))`tested, checked`,
  means(lacks("checks"))`untested, unchecked`,
  means(has("failing checks"))`failing, failed, broken, (test|check)[s] [is|are] (fail|fails|failing|failed)`,
  means(has("downstream"))`used, consumed, referenced, queried, in use, still used, used anywhere`,
  means(lacks("downstream"))`(used|read) by (nobody|no one|nothing), unused, unread, dead, leaf, terminal, dead end[s]`,
  means(says({ is: "kind", any: ["source"] }))`raw`,
  means(typed("bool"))`bool, boolean[s]`,
  means(typed("timestamp", "datetime"))`timestamp[s], datetime[s]`,
  means(typed("int", "bigint", "smallint", "integer"))`int, integer[s]`,
  means(typed("numeric", "decimal", "number"))`numeric, decimal`,
  means(typed("text", "varchar", "string", "character"))`text, string, varchar`,
  means(part({ aspect: "owner", feature: "owner", group: "owner" }))`[data|business] owner[s], ownership, steward[s]`,
  means(part({ group: "owner" }))`person, people, team[s], department`,
  means(part({ aspect: "description", feature: "description" }))`description[s], documentation, meaning, purpose`,
  means(told("definition"))`[sql] definition[s], formula[s], expression, logic, calculation`,
  means(told("sql"))`[compiled|dbt] sql [code|text|query|statement]`,
  means(part({ aspect: "columns", feature: "columns", measure: "columns" }))`column (list|names), structure`,
  means(part({ aspect: "certification", feature: "certification", group: "certification" }))`certification [status],
    status`,
  means(told("trail"))`[certification|audit] (history|trail)`,
  means(told("freshness"))`last update, last change`,
  means(part({ aspect: "tags", feature: "tags", measure: "tags", group: "tag" }))`(tag|label)[s]`,
  means(told("data type"))`[data|column] type[s], datatype[s]`,
  means(part({ aspect: "kind", group: "type" }))`[asset] kind[s], asset type[s]`,
  means(part({ aspect: "materialization", group: "materialization" }))`materialization, materialisation`,
  means(part({ aspect: "place", group: "schema" }))`location, [database] schema[s], database, folder, layer, area`,
  means(part({ feature: "failing checks" }))`(failing|failed|broken) (test|check)[s]`,
  means(part({ aspect: "checks", feature: "checks", measure: "checks" }))`[data|dbt|quality] (test|check)[s]`,
  means(part({ aspect: "dimensions", measure: "dimensions" }))`dimension[s]`,
  means(told("filters"))`filter[s]`,
  means(told("grain"))`grain, granularity, time grain`,
  means(part({ aspect: "place", feature: "url" }))`url, link`,
  means(told("sources and uses"))`lineage, neighbours, neighbors, inputs and outputs`,
  means(near("upstream", "upstream"))`(input|parent)[s]`,
  means(near("upstream", "all upstream"))`upstream [assets|sources|dependencies|lineage], dependenc(y|ies), origin`,
  means(near("downstream", "downstream"))`[downstream] (user|consumer|reader|usage)[s], [downstream] (child|children)`,
  means(near("downstream", "all downstream"))`[downstream] dependents, downstream [assets|dependencies|lineage|impact]`,
  means({ is: "change", change: "column_drop" })`drop[s], dropped, dropping, (remove|delete)[s|d], removing, deleting,
    (removal|deletion) of, (goes|go|went|going) away, disappear[s|ed], vanishes, vanished, gone`,
  means({ is: "change", change: "column_rename" })`rename[s|d], renaming [of]`,
  means({ is: "change", change: "type_change" })`change[s|d] [its] [data] type [of], type change[s],
    changing [its] [data] type [of]`,
  // Stated of an asset, and in "if it is deprecated" a change.
  means({ is: "change", change: "deprecate" })`deprecate[d], deprecating, retire[d], retiring, phased out,
    decommission[ed], archive[d]`,
  means(vague)`change[s|d], changing, modify, modified, alter[ed], touched,
    break[s], fails, stops, (is|are|goes|went) wrong, wrong, (stops|stopped) (loading|working|running)`,
  means({ is: "span", since: "1d" })`[since] today, since this morning`,
  means({ is: "span", since: "2d" })`[since] yesterday, overnight, last night`,
  means({ is: "span", since: "7d" })`[in|since] (last|past|this) week, [in] (last|past) (7|seven) days, lately`,
  means({ is: "span", since: "30d" })`[in|since] (last|past|this) month, [in] (last|past) (30|thirty) days`,
  ...WEEKDAYS.map((since) => means({ is: "span", since })`[since|from] [last] ${since}`),
  means({ is: "most", by: "downstream" })`busiest, most (used|read|popular|important|referenced)`,
  means({ is: "most", least: true, by: "downstream" })`least (used|popular|depended on|read)`,
  means({ is: "most" })`most, (highest|largest|greatest|biggest|maximum) [number of|amount of], top`,
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
    foreign key[s]`,
  means(check("unique", "primary_key"))`primary key[s]`,
  means(check("freshness"))`freshness, staleness`,
  means(check("unit"))`unit`,
  means(check("contract"))`[data] (contract|contracts)`,
  ...NUMBERS.map((word, i) => means({ is: "number", amount: i + 2 })`${word}`),
  ...Object.entries(ROLES).map(([is, phrases]) => means({ is: is as Role })`${phrases}`),
];

/** Words that say nothing of what is asked. */
const FILLERS = `other is are was were be been being am do does did would that
  which there any some anyone anybody someone somebody please pls plz kindly me us we you i our my your hey hi hello ok okay
  so well now actually really currently still already thanks thank thx quickly maybe perhaps then as list show give such
  gimme display enumerate present print return let looking look trying try search hmm again right various particular
  certain specific full complete entire whole actual catalog catalogue workspace project warehouse system here simply
  basically gets moment sentence quick possible able help question quite very even too others themselves itself sorry fyi
  asap anyway exactly ever given existing corresponding data info information kind sort one ones total altogether overall
  different sure if also folks team everyone all wonder wondering curious good morning day keep keeps together plain`;

export const LONGEST_PHRASE = 5;
export const articles: ReadonlySet<string> = new Set("a an the our my your".split(" "));
export const fillers: ReadonlySet<string> = new Set([...articles, ...FILLERS.split(/\s+/)]);

/** Phrases by their words; of several meanings the first in the table is the likeliest. */
const phrases = new Map<string, Word[]>();
for (const [word, written] of PHRASES)
  for (const phrase of written.split(",").flatMap(expand)) phrases.getOrInsertComputed(phrase, () => []).push(word);

/** The words of the table, one by one. */
const single = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(" ")));

/** A phrase with what it may say, the likeliest first. */
export function cueAt(phrase = ""): Cue {
  return cueOf(phrase, ...(phrases.get(phrase) ?? []));
}

/** Whether a word belongs to the language of questions. */
export function isPlain(word: string): boolean {
  return single.has(word) || fillers.has(word);
}

/** The words of the language of questions that a word may be a misspelling of. */
export const plainLike = findsTypos(single);

/** The phrases that a pattern stands for. */
function expand(pattern: string): string[] {
  const [, before = "", open, inner = "", after = ""] = /^([^([]*)([([])([^)\]]*)[)\]](.*)$/s.exec(pattern) ?? [];
  if (open === undefined) return [pattern.trim().replaceAll(/\s+/g, " ")].filter(Boolean);
  const choices = [...inner.split("|"), ...(open === "[" ? [""] : [])];
  return choices.flatMap((choice) => expand(`${before}${choice}${after}`));
}
