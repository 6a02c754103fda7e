/** Words of the grammar, by their category. They mean nothing by themselves: the rules name the categories. */
export const GRAMMAR_WORDS: Readonly<Record<string, string>> = {
  of: "of, among, amongst, out of all",
  for: "for",
  in: "in, within, inside, under, on, at, belonging to, part of, located in, stored in, living in, that live in, that lie in, lands in, land in, live in, lives in",
  from: "from, out of",
  to: "to, into, with, and",
  by: "by",
  with: "with, documented with, described with, described by, provided with, equipped with, annotated with, having, that have, which have, that has, which has, carrying, carry, carries, whose, where, that contain, that carry",
  have: "have, has, have at least one, has at least one, apply, applies, had, get, gets, carry, carries, contain, contains, got, comprise, hold, holds, include, includes",
  without:
    "without, lack, lacks, lacking, missing, miss, misses, with no, have no, has no, having no, had no, with zero, have zero, devoid of, with missing, do not have, does not have, with neither",
  no: "no, zero",
  not: "not, never",
  nothing: "nothing, nobody, no one, none, nothing else, nobody else, no one else",
  and: "and, as well as, plus, along with, together with",
  or: "or, nor",
  but: "but, yet, though, although, while, however",
  both: "both",
  except:
    "except, except for, excluding, other than, besides, apart from, minus, leaving out, but leave out, not counting, leaving aside",
  be: "lies, lie, sits, stands, stay, stays, end up, ends up, come, comes, is, are, was, were, be, been, being, get, gets, got, remain, remains",
  do: "do, does, did, can, could, will, would, should, may, might, must, shall, ought to, has, have, had, going to",
  what: "what, wat, wht",
  which: "which, what, wich, whcih, whihc, wat",
  behind: "behind",
  that: "that, which, who",
  andthat: "and that, but that, and who",
  who: "who, whom, whose responsibility, whose job, under whose responsibility, in whose hands, which person, which team, which owner, what person, what team, which owners, which teams, which people",
  how: "how, by which way, by what way, by which path, by what path, by which route, by what route, through which path, via which path, along which path, which way, in which way, in what way, on which path",
  why: "why, how come, for what reason",
  when: "when, on which day, on what day, on what date, since when, at what time, what day, which day, what date",
  where:
    "where, from where, where from, out of where, in which schema, in what schema, which schema, in which database, what schema, which place",
  whose: "whose",
  howmany: "how many, number of, count, count of, total number of, amount of, quantity of, what is number of, how much",
  exist:
    "exist, exists, are there, is there, do we have, there are, there is, we have, got, are known, are in catalog, in all, overall, are in it, are present, are defined, do we have defined, have we defined, defined, do we keep, do we track, do we maintain, do we hold, do we run, do we use, do we store, there exist, can be found, are listed",
  anythere: "is there, are there, do we have, have we got, exists there, does there exist",
  own: "own, owns, owning, curate, curates, oversee, oversees, administer, administers, supervise, supervises, care for, cares for, is steward of, is maintainer of, has ownership of, have ownership of, takes ownership of, answers for, maintain, maintains, is responsible for, are responsible for, responsible for, look after, looks after, run, runs, in charge of, is in charge of, takes care of, take care of, steward, stewards, manage, manages, is accountable for, accountable for, stands behind",
  ownedby:
    "owned by, maintained by, managed by, belonging to, belong to, belongs to, looked after by, stewarded by, curated by, overseen by, administered by, supervised by, governed by, handled by, taken care of by, cared for by, under responsibility of, under care of, of owner, with owner, under ownership of, assigned to",
  contact:
    "[do|should|can|could|to|must] (ask|bug|ping|call|contact|talk to|reach out to|turn to|go to|write to) (about|for|regarding), on hook for, knows about, should be asked about, is contact [person] for, is go to person for",
  trust: "trust, rely on, count on, believe in, lean on",
  certify:
    "certify, certified, certifies, endorse, endorsed, attest, attested, gave approval for, gave approval to, approved, signed off, signed off on, vouched for, vouches for, certified as",
  certifiedby: "certified by, endorsed by, attested by, approved by, signed off by, vouched for by",
  tagged:
    "tagged, tagged with, tagged as, with tag, labelled, labeled, marked, marked as, marked with, carrying tag, bearing tag, bear tag, bears tag, have tag, has tag, with label, having tag, that carry tag, tag, carry tag, carries tag, flagged as, flagged",
  schema: "schema, schemas, area, layer, database, folder, dataset",
  connector: "connector, connection",
  tests:
    "test, tests, check, checks, testing, assertion, assertions, assert, asserts, expectation, expectations, validation, validations, quality test, quality tests, data quality test, data quality tests, data quality check, data quality checks, dbt test, dbt tests, data test, data tests, quality check, quality checks, tests run, checks run, test runs, check runs, validate, validates, validated, verify, verifies, monitor, monitors, cover, covers, guard, guards, protect, protects",
  tested:
    "tested, checked, tested for, tested to be, checked to be, verified to be, validated to be, asserted to be, guaranteed to be, enforced to be, required to be, supposed to be, expected to be, tested as, tested with, checked with, validated with, covered with, checked for, checked against, validated against, tested against, covered, covered by, tested by, validated, verified, monitored, guarded",
  materialization: "materialization, materialisation, materialization type",
  instead:
    "use instead of, used instead of, people use instead of, instead of, in place of, replaces, replace, replaced, replacement for, replacement of, alternative to, alternative for, successor of, successor to, replaced by, supersedes, superseded by",
  butnot: "but not, and not, rather than",
  only: "only, just, merely, exclusively, nothing but, solely",
  than: "than, than on, than from, than in, than of, than by, than to",
  quantity:
    "many, much, few, several, half, newest, oldest, latest, freshest, earliest, stalest, smallest, shortest, longest, deepest, cheapest, average, total, sum, maximum, minimum, common, same, different, nullable, as many, enough, almost, nearly, hardly, barely, rarely, seldom, mostly, partly, twice, times, majority, percent, percentage, unless, second, third, ever, today, entire, whole, everyone, everybody",
  materialized:
    "materialized, materialised, materialized as, materialised as, materialized with, built as, built, as, stored as, configured as, implemented as",
  break:
    "break, breaks, breaking, is affected, are affected, gets affected, be affected, affected, is impacted, are impacted, impacted, fail, fails, stop working, stops working, suffer, suffers, happens, would happen, happens downstream, would happen downstream, broken, gets broken, would be broken, be wrong, would be wrong, is wrong, happen, goes wrong, be hurt, is hit, are hit, hit, be hit, gets hit, get hit, will be hit, be impacted, need to change, needs to change, notice, notices, feel it",
  impact:
    "impact, impact of, effect of, effects of, blast radius of, blast radius, consequence of, consequences of, fallout of, knock on effects of, fallout from, ripple effect of, impact analysis for, impact analysis of, consequences, how (bad|risky|dangerous|big|serious) [is|be|would be|is it]",
  if: "if, when, after, once, in case, by, of, from, before, upon, were to, should, if decided to, if decide to, if were to, to go ahead and",
  tell: "[should] hear about, should hear about it, (needs|need|gets|should get) heads up, gets told, (should|must|has to|have to|needs to|need to) (know|hear), (should|must|has to|have to|needs to|need to) be (told|informed|warned|notified|alerted) [about], (to|do|should|must|can|do have to|do need to|have to|need to) (tell|notify|inform|warn|alert|talk to), is affected, gets hit, (would|will) notice, would be affected, to be told",
  safe: "safe to, safely, ok to, fine to, harmless to",
  path: "[quickest|shortest|fastest] (path|way|route|chain), trace, link, connection, lineage, road, journey, flow, trail",
  between:
    "between, in between, sit between, sits between, lie between, lies between, stand between, located between, sitting between, lying between, standing between",
  outside: "outside, outside of, not in, not part of",
  neither: "neither",
  kindof: "(kind|type|sort) of",
  ormore: "or more, or over, and more, or above",
  orless: "or fewer, or less, or under",
  get: "get, gets, get from, go, goes, travel, travels, flow, flows, data get, data flow, take, takes, obtain, obtains, receive, receives, inherit, inherits, make its way, makes its way, come, comes, coming, data go, end up, ends up, arrive, arrives, get data, move, find its way, make it, makes it, made it",
  connected:
    "connected to, related to, linked to, connected, related, linked, connected with, connect to, connects to, relate to",
  compare: "compare, comparison of, comparing",
  difference:
    "difference between, differences between, different between, different,  difference, differ, differs, differ from, different from, distinguish, distinguishes, differences",
  versus: "versus, vs, compared to, compared with, against",
  data: "data, feed, feeds, information, info, stuff",
  pass: "pass, passes, passing, passed, green, succeed, succeeds, succeeded",
  added: "added, first seen, discovered, introduced, new",
  same: "same, identical, same thing, same as, equal",
  top: "top, first, biggest, largest",
  per: "per, each of, by each, for each one of,  for each, by, grouped by, for every, split by, broken down by, group by, in each, each",
  sort: "sort, sort all, rank",
  largestfirst: "(biggest|largest|highest|most) first, descending",
  amounts: "count, counts, number, numbers, amount, amounts",
  compute:
    "compute, computes, calculate, calculates, work out, works out, set, sets, define, defines, create, creates, produce, produces, introduce, introduces, do, does",
  trace: "trace, follow, trace back, follow back",
  back: "back",
  orderedby:
    "by, by number of, by their number of, ordered by, sorted by, ranked by, by how many, in terms of, by count of, measured by",
  directly: "directly, direct, immediately, immediate, straight, one hop, at first hand, as direct neighbours",
  far: "(somewhere|anywhere|further) (upstream|downstream), transitively, indirectly, directly or not, ultimately, originally, eventually, directly or indirectly, in any way, at any depth, anywhere, somewhere, somehow, all way, in the end, however far, in one way or another",
  one: "one",
  other: "another, another one, at least one other, one other, something else, some other, other ones",
  those: "list those, name those, show those, give those, find those, those",
  row: "row of, row in, rows of, rows in, single row of, single row in, one row of, one row in, each row of, each row in, record of, record in, one record of, one record in, each record of, each record in",
  seek: "find, look for, look up",
  hops: "hop, hops, step, steps, level, levels, edges",
  all: "all, every, each",
  everything: "everything",
  about:
    "about, mention, mentions, mentioning, mentioned, regarding, concerning, related to, to do with, having to do with, dealing with, deal with, deals with, covering, cover, covers, talk about, talks about, whose description (mentions|says|contains|has|includes), with description that mentions, describe, describes, on topic of, that speak of, refers to, refer to, relating to, on",
  named: "named, called, with name, whose name is, by name of",
  holding: "hold, holds, holding, stores, storing, keeps",
  namedlike:
    "like, named like, called like, called something like, name contains, name includes, containing, containing word, whose name contains, with name containing, matching, named something like, names contain, whose names contain, name has, names have, with word, whose name has, whose name includes, contain, contains",
  beginning:
    "starting with, that start with, start with, starts with, prefixed, prefixed with, with prefix, whose name starts with, name starts with, whose names start with, whose name begins with, beginning with, begin with, begins with",
  name: "in name, in their name, in its name, in their names, in description, in their description, in their descriptions, in its description",
  type: "of type, of data type, have type, has type, having type, have data type, has data type, whose type is, whose data type is, with type, with data type, typed as, typed",
  since: "since, from",
  after: "after, later than",
  before: "before, earlier than",
  until: "until, till",
  common:
    "have in common, in common, share, both use, both read, both depend on, all depend on, both come from, both rely on",
  everythingabout:
    "tell, tell about, (all|everything|more) about, know about, do we know about, describe, explain, details of, details about, information on, information about, info on, overview of, summary of, summarize, profile of, stand for, represent, represents, capture, captures, mean with, mean by, good for, mean, means, meant by, is for, for, do",
};
