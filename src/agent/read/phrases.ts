/**
 * The phrases of questions, and what each means. Names, tags, owners and schemas are not here: those are the catalog's own.
 * A line begins with what its phrases mean; `meanings.ts` says how that is read. `(a|b)` is one of several, `[a|b]` one of
 * several or nothing. Of equal phrases the first is the likeliest. Articles are left out.
 */
export const PHRASES = `
asset: asset, assets, thing, things, (anything|something|everything|what|who) else, (any|some|every)thing, object, objects, entity, entities, stuff
dataset: table, tables, dataset, datasets, data (set|sets), relation, relations, tbl, tbls
model: [dbt|sql|data] (model|models), transformation, transformations
source: [raw|dbt|source] (source|sources) [table|tables], raw (table|tables|data|dataset|datasets)
seed: [dbt|csv] (seed|seeds) [file|files|table|tables]
snapshot: [dbt] (snapshot|snapshots) [table|tables]
dashboard: [bi|power bi|tableau|looker|metabase] (dashboard|dashboards|report|reports|chart|charts|scorecard|scorecards),
  notebook, notebooks, exposure, exposures, visualization, visualizations
pipeline: [data] (pipeline|pipelines|job|jobs|loader|loaders|tool|tools|export|exports), dag, dags
metric: [business] (metric|metrics|measure|measures|indicator|indicators), kpi, kpis, key (figure|figures)
column: column, columns, field, fields, attribute, attributes, col, cols
reads: (read|reads|reading|select|selects|query|queries|querying) [from|data from],
  (loaded|ingested|synced) (by|from|through|via|with)
fills: (read|queried|selected) by, (load|loads|loading|ingest|ingests|write|writes|writing) [to|into], bring in, brings in
uses: use, uses, using, consume, consumes, consuming, need, needs, require, requires, reference, references, referencing,
  join, joins, leverage, leverages, show, shows, showing, display, displays, (make|makes|making) use of,
  (user|users|consumer|consumers|reader|readers|child|children) of
depends on: (build|builds|draw|draws|sit|sits) (on|upon|on top of|from), (based|hinge|hinges) (on|upon), composed of,
  made (of|up of|out of), (built|made|defined|computed|calculated|derived|constructed|generated|produced|created) (from|out of|off|off of|with|on|upon|on top of),
  (assembled|aggregated|sourced|taken|drawn|obtained|copied|selected|passed) (from|with), contain data from, containing data from,
  (fed|filled|populated|powered|supplied|backed|driven) (by|from|through|via|with), contains data from,
  (pull|pulls|draw|draws|derive|derives|feed|feeds|come|comes|coming|take|takes|receive|receives|get|gets) [data|their data|its data|numbers] from,
  (get|gets|getting) (its|their) (data|numbers|values), (get|gets) [data|its data|their data] (by|through|via),
  (depend|depends|depending|dependent|dependant|rely|relies|relying|hang|hangs|rest|rests|lean|leans) (on|upon|off),
  (downstream|descended) (of|from), (sit|sits|lie|lies|live|lives|end|ends) [up] downstream (of|from), below, rooted in,
  (influenced|driven|touched) by, touch, touches, touching, (trace|traces|go|goes) back to, (come|comes) through,
  (originate|originates|stem|stems|descend|descends) (from|in), (inherit|inherits) from,
  (dependents|dependants|dependencies downstream|descendants|downstream dependencies) of
used by: (used|needed|required|consumed|referenced|leveraged|displayed|shown|visualized) (by|in|on|for|within),
  (input|inputs|parent|parents) (of|to|for)
feeds: feed, feeds, feeding, fed into, (feed|feeds|feeding|flow|flows|flowing|go|goes|going|get|gets|make it|makes it) into,
  (feed|feeds|flow|flows) to, power, powers, powering, populate, populates, supply, supplies, fill, fills, serve, serves,
  back, backs, underlie, underlies, underpin, underpins, (send|sends|provide|provides|deliver|delivers) data (to|for|into),
  behind, (lie|lies|sit|sits|stand|stands) behind, upstream (of|from), (sit|sits|lie|lies|live|lives) upstream (of|from),
  above, underneath, beneath, affect, affects, influence, influences, drive, drives, reach, reaches,
  (contribute|contributes|lead|leads|propagate|propagates) to, (end|ends|wind|winds) up [in|as], become, becomes, turn into,
  turns into, (relied|depended) (on|upon) by, involved in, (source|sources|origin|origins) (of|for),
  (ancestors|dependencies|upstream dependencies|upstream sources) of
certified: certified, trusted, approved, endorsed, attested, verified, official, signed off, vouched for
not certified: uncertified, unapproved, not yet certified
pending: pending [certification], (awaiting|waiting for) (certification|approval), yet to be certified, [still] to be certified
deprecated: deprecated, obsolete, superseded, legacy, retired, phased out
with description: described, documented
without description: undescribed, undocumented
without owner: unowned, ownerless, orphaned, orphan
with owner: owned
without tags: untagged, unlabelled, unlabeled
with checks: tested, checked
without checks: untested, unchecked
with failing checks: failing, broken, (test|tests|check|checks) [is|are] (fail|fails|failing|failed)
with downstream: used, consumed, referenced, queried, in use, still used, used anywhere
without downstream: unused, unread, dead, leaf, terminal, dead end, dead ends
raw: raw
of type bool: boolean, booleans, bool
of type timestamp datetime: timestamp, timestamps, datetime, datetimes
of type date: date
of type int bigint smallint integer: integer, integers
of type numeric decimal number: numeric, decimal
of type text varchar string character: text, string, varchar
owner: [data|business|table] (owner|owners), ownership, steward, stewards, (responsible|owning) (person|team), person in charge,
  maintainer, contact [person], (person|people) responsible
person: person, people, team, teams, department
description: description, descriptions, documentation, docs, doc, explanation, meaning, purpose
definition: (formula|logic|calculation|sql|query) [stands|lies|sits] behind, definition, definitions, formula, formulas,
  expression, sql, sql definition, logic, calculation, computation, equation
columns: column (list|names), structure, [column] names and types
certification: certification [status], approval status, trust level, status
trail: [certification|audit] (history|trail)
freshness: last update, last change
tags: tag, tags, label, labels
data type: [data|column] (type|types), datatype, datatypes
kind: [asset] (kind|kinds) [of asset|of assets], asset (type|types), sort of asset
materialization: materialization, materialisation, materialization (type|strategy), materializations
schema: location, place, [database] (schema|schemas), (which|what) schema, database, folder, layer, layers, area
failing checks: (failing|failed|broken) (test|tests|check|checks)
checks: [data|dbt|quality|data quality] (test|tests|check|checks), assertion, assertions, validation, validations
dimensions: dimension, dimensions
filters: filter, filters
grain: grain, granularity, time grain
url: url, link
lineage: lineage, neighbours, neighbors, direct neighbours, inputs and outputs
inputs: input, inputs, parent, parents
upstream: upstream [assets|sources|dependencies|lineage|things], upstreams, dependency, dependencies, ancestors, origin, origins
users: [downstream] (user|users|consumer|consumers|reader|readers|child|children|usage|usages)
downstream: [downstream] (dependent|dependents|dependants|descendants), downstreams,
  downstream [assets|things|dependencies|lineage|impact|reach]
drop: drop, drops, dropped, dropping, remove, removes, removed, removing, removal of, delete, deletes, deleted, deleting,
  deletion of, kill, killing, killed, (goes|go|went|going) away, disappear, disappears, disappeared, vanishes, vanished, gone,
  is gone, (get|gets|got|getting) rid of, lose, loses, losing, (throw|threw|throwing) away, breaks down, goes missing
rename: rename, renames, renamed, renaming, rename of, renaming of
change type: (change|changes|changed|changing) [its] [data] type [of], type (change|changes) [of], [data] type (is|was) changed
deprecate: deprecate, deprecating, deprecation of, retire, retiring, decommission, decommissioned, sunset, archive, archiving
alter: change, changes, changed, changing, change to, changes to, modify, modified, modifying, alter, altered, altering,
  touched, edited, break, breaks, fails, dies, stops, stopped, (stops|stopped) (loading|working|running),
  (is|are|goes|went) wrong, wrong, corrupted
since 1d: today, since (today|this morning)
since 2d: yesterday, since yesterday, overnight, last night
since 3d: [in] last (3|three) days
since 7d: [in|since] (last|past|this) week, [in] (last|past) (7|seven) days, lately
since 14d: [in] (last|past) (14|fourteen) days, [in] (last|past) (2|two) weeks
since 30d: [in|since] (last|past|this) month, [in] (last|past) (30|thirty) days
since 90d: [in|since] (last|past|this) quarter, [in] (last|past) (90|ninety) days
since monday: [since|from] [last] monday
since tuesday: [since|from] [last] tuesday
since wednesday: [since|from] [last] wednesday
since thursday: [since|from] [last] thursday
since friday: [since|from] [last] friday
since saturday: [since|from] [last] saturday
since sunday: [since|from] [last] sunday
most used: (used|read|referenced|consumed|depended on) most, busiest,
  most (used|depended on|depended upon|widely used|popular|read|consumed|relied on|referenced|connected|important)
least used: (used|read) least, least (used|popular|depended on|read)
most: most, (highest|largest|greatest|biggest|maximum) [number of|amount of], largest number of, top
fewest: fewest, least, (lowest|smallest|minimum) [number of|amount of]
over: more than, over, greater than, above, exceeding
at least: at least, no fewer than, no less than
under: fewer than, less than, under, below
at most: at most, no more than, up to
exactly: exactly, precisely
more: more, bigger, larger, greater [number of]
fewer: fewer, less, smaller [number of]
check not_null: not null, null, nulls, null values, non null, missing values, nullness, (never|must not be|can not be|may not be) null, not empty
check unique: unique, uniqueness, distinct, duplicate, duplicates
check accepted_values: [limited|restricted|constrained] [to] (accepted|allowed|valid|certain) values, (limited|restricted|constrained) to,
  [list|set] of values
check relationships foreign_key: relationship, relationships, referential integrity, foreign (key|keys)
check unique primary_key: primary (key|keys)
check freshness: freshness, staleness, stale
check unit: unit
check contract: [data] (contract|contracts)
not: not, never, no [other], zero, nothing [else], nobody [else], no one [else], none, neither, nor
except: not counting, not including, ignoring, leaving aside, aside from, except [for], excluding, other than, besides, apart from, leaving out
without: without [any], lack, lacks, lacking, missing, devoid of, with no, (have|has|having) no, that have no, (have|has) neither
with: with, have, has, having, had, carry, carries, carrying, own column, contain, contains, containing, include, includes,
  whose, hold, holds, holding
and: and, as well as, plus, along with, together with, but, yet, though, although, while, also
or: or
both: both
common: common, in common, share, shared, (use|read|come from|depend on|rely on|built on|built from|fed by|based on|draw on) same
only: only, just, merely, exclusively, solely
every: all, every, each, all of
in: in, against, in terms of, of, for, on, from, within, inside, to, into, at, under, out of, among, amongst, (located|stored) in,
  (live|lives|living|lie|lies|sit|sits|sitting) in, belonging to, part of, by, with respect to
outside: outside [of], not in, not part of
between: between, in between, (sit|sits|lie|lies|stand|stands|sitting|lying) [in] between
direct: directly, direct, immediately, immediate, straight, first hand, one hop away
far: indirectly, somehow, in some way, directly or (not|indirectly), directly and indirectly, transitively, ultimately,
  eventually, originally, in any way, at any depth, at any distance, even indirectly, anywhere, somewhere, at all levels
hops: hop, hops, step, steps, level, levels
than: than [on|of|in]
per: per, (by|for|in|of|does|do|has|have) each, each of, for every, (grouped|split) by, broken down by
own: own, owns, owning, owned by, responsible for, in charge of, (belong|belongs) to, accountable for, maintain, maintains,
  maintained by, (look|looks|looked) after [by], (take|takes) care of, steward of, stewarded by, managed by, manage, manages,
  (ask|talk to|contact|ping|turn to|reach out to|call|bug) (about|for|regarding), contact for, care of, on hook for
tagged: tagged [with|as|by], (labelled|labeled) [with|as], (with|have|has|carry|carries|carrying|bearing) (tag|label), classified as
made: built, (materialized|materialised) [as], (built|stored|configured) as, materialize, materialise
connector: connector, connectors, connection, connections
crawl: sync, syncs, synced, syncing, crawl, crawls, crawled, crawling, ingestion, (last|latest) (load|run|refresh|sync|crawl)
fault: error, errors, warning, warnings, trouble, problem, problems, fail, fails, failed, wrong, (went|go|goes) wrong
fine: fine, ok, okay, well, successful, successfully, succeed, succeeded, healthy, (go|went) through, go, went, going, doing, run,
  ran, finish, finished, complete, completed, happen, start, started, scheduled, schedule, often
if: if, when, once, in case, before, after, upon, were to
breaks: break, breaks, broken, affected, impacted, impact [of], (effect|effects) [of], blast radius [of], (consequence|consequences) of,
  fail, fails, (stop|stops) working, suffer, suffers, happens, happen, (goes|go) wrong, die, dies, hit, off,
  (go|goes|went) (down|stale|bad|off), fallout (of|from), harmed, hurt, hurts
safe: safe to, safely, safe, harmless, without breaking anything, without harm, without (anyone|anybody) noticing
tell: notify, notified, warn, warned, inform, informed, alert, alerted, know, heads up, told, tell, hear,
  (need|needs|want|wants|should|has|have) to (know|hear|be told|be informed|be warned)
who: who, whom, whose (responsibility|is|are), which (person|team|people|owner|owners|teams), what (team|person|owner)
how many: how many, nr of, no of, breakdown of, number of, [total] count of, count, amount of, quantity of, total number of
when: when, (what|which) (day|date), since when, on (what|which) (day|date)
where: where, from where, in (which|what) (schema|database), (which|what) schema
why: why, how come, for what reason
how: how, in (what|which) way, by (which|what) (path|way|route), (via|along) which path, through (which|what) path
what: what, which, wat, wht, who or what
it: it, its, they, them, their, those, these, this, (that|this) one, this (asset|table|model)
define: computed, calculated, defined, worked out, determined, derived, measured, compute, calculate, define, calculates, formed,
  put together, arrived at
certify: certify, certifies, approve, approves, sign off, signs off, endorse
mean: [one|single] (row|record) (in|of), mean, means, meant [by], (stand|stands) for, represent, represents, say, says, signify
about: [tell|know|everything|more] about, describe, explain, details (of|on|about), (information|info) (on|about|for), overview of,
  summary of, summarize, summarise
mention: mention, mentions, mentioning, (related|relate|relates) to, regarding, concerning, (deal|deals|dealing) with, to do with
named: named, called, with name, whose name is, by name of
like: [whose] (name|names) (contains|contain|includes|include|with|has|have), (named|called) like, [with] name containing,
  in (name|their name|their names|its name), names containing, have in (name|their name), with in name
begins: [whose] [name|names] (start|starts|starting|begin|begins|beginning) with, prefixed [with], with prefix
path: path, paths, route, way, chain, trace, (get|gets|got|go|goes|travel|travels|flow|flows|end|ends) [up] (from|into|to|in),
  (make|makes) its way (from|into|to|in), connected, linked, related, connection, link between, journey
differ: compare, comparison [of], difference, differences, differ, differs, different, versus, vs, compared (to|with), distinguish
same: same, identical, equal
updated: updated, last (updated|changed|built|run|ran|loaded|synced|crawled|modified|refreshed), refreshed, modified, up to date, fresh
instead: instead [of], in place of, replace, replaces, replaced, replacement (for|of), alternative to, successor of, superseded by
exist: exist, exists, (marked|flagged|set) as, (are|is) there, there (are|is), do we have, we have, available, appear, appears,
  occur, occurs, declared, declare, declares, registered, listed, recorded, defined in total, have we got, got
located: located, stored, live, lives, sit, sits, sitting, lie, lies, lying, reside, resides, find, found, kept, housed
`;

/** Words that say nothing of what is asked. */
export const FILLERS = `is are was were be been being am do does did can could will would should may might must shall that which
  there any some anyone anybody someone somebody please pls plz kindly me us we you i our my your hey hi hello hiya ok okay so well
  now actually really currently presently still already thanks thank thx cheers dear quickly maybe perhaps then as list show give
  gimme display enumerate present name print return let looking look trying try keep search hmm uh um btw again right such various
  single particular certain specific full complete entire whole actual catalog catalogue workspace project warehouse system here
  simply basically quick possible able help question quite very even too tho pretty others themselves itself sorry fyi asap haha
  anyway anyways obviously honestly literally generally normally usually typically exactly ever given existing available
  corresponding data info information kind sort one ones total altogether overall different sure if also folks team everyone all
  wonder wondering curious good morning afternoon evening day configured together kinda respective plain`;
