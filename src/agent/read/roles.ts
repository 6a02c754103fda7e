/** Words and phrases that say something only beside others, by what they say; written as in `phrases.ts`. */
export const ROLES = {
  not: "not, never, no [other], zero, nothing [else], nobody [else], no one [else], none, neither, nor",
  except:
    "not counting, not including, ignoring, leaving aside, aside from, except [for], excluding, other than, besides, apart from, leaving aside, leaving out",
  without:
    "without [any], lack, lacks, lacking, missing, devoid of, with no, have no, has no, having no, that have no, have neither, has neither",
  with: "with, have, has, having, had, carry, carries, carrying, own column, contain, contains, containing, include, includes, whose, hold, holds, holding",
  and: "and, as well as, plus, along with, together with, but, yet, though, although, while, also",
  or: "or",
  both: "both",
  common:
    "common, in common, share, shared, (use|read|come from|depend on|rely on|built on|built from|fed by|based on|draw on) same",
  only: "only, just, merely, exclusively, solely",
  every: "all, every, each, all of",
  in: "in, against, in terms of, of, for, on, from, within, inside, to, into, at, under, out of, among, amongst, located in, stored in, (live|lives|living|lie|lies|sit|sits|sitting) in, belonging to, part of, by, with respect to",
  outside: "outside [of], not in, not part of",
  between: "between, in between, (sit|sits|lie|lies|stand|stands|sitting|lying) [in] between",
  direct: "directly, direct, immediately, immediate, straight, first hand, one hop away",
  far: "indirectly, somehow, in some way, directly or (not|indirectly), directly and indirectly, directly or through others, transitively, ultimately, eventually, originally, in any way, at any depth, at any distance, even indirectly, anywhere, somewhere, all way back, all way up, all way down, in whatever way, at all levels, however far",
  hops: "hop, hops, step, steps, level, levels",
  than: "than, than on, than of, than in",
  per: "per, by each, for each, for every, grouped by, broken down by, split by, each of, in each, does each, do each, has each, have each",
  own: "own, owns, owning, owned by, responsible for, in charge of, belong to, belongs to, accountable for, maintain, maintains, maintained by, look after, looks after, looked after by, take care of, takes care of, steward of, stewarded by, managed by, manage, manages, (ask|talk to|contact|ping|turn to|reach out to|call|bug) (about|for|regarding), contact for, care of, on hook for",
  tagged:
    "tagged [with|as|by], labelled [with|as], labeled [with|as], (with|have|has|carry|carries|carrying|bearing) (tag|label), classified as",
  made: "built, materialized [as], materialised [as], built as, stored as, configured as, materialize, materialise",
  connector: "connector, connectors, connection, connections",
  crawl:
    "sync, syncs, synced, syncing, crawl, crawls, crawled, crawling, ingestion, last (load|run|refresh|sync|crawl), latest (load|run|refresh|sync|crawl)",
  fault:
    "error, errors, warning, warnings, trouble, problem, problems, fail, fails, failed, wrong, (went|go|goes) wrong",
  fine: "fine, ok, okay, well, successful, successfully, succeed, succeeded, healthy, go through, went through, go, went, going, doing, run, ran, finish, finished, complete, completed, happen, start, started, scheduled, schedule, often",
  if: "if, when, once, in case, before, after, upon, were to",
  breaks:
    "break, breaks, broken, affected, impacted, impact [of], effect [of], effects [of], blast radius [of], consequence of, consequences of, fail, fails, stop working, stops working, suffer, suffers, happens, happen, (goes|go) wrong, die, dies, hit, off, (go|goes|went) (down|stale|bad|off), fallout of, fallout from, harmed, hurt, hurts",
  safe: "safe to, safely, safe, harmless, without breaking anything, without harm, without (anyone|anybody) noticing",
  tell: "notify, notified, warn, warned, inform, informed, alert, alerted, (need|needs|want|wants|should|has|have) to (know|hear|be told|be informed|be warned), know, heads up, told, tell, hear",
  who: "who, whom, whose (responsibility|is|are), which (person|team|people|owner|owners|teams), what (team|person|owner)",
  "how many":
    "how many, nr of, no of, breakdown of, number of, [total] count of, count, amount of, quantity of, total number of",
  when: "when, what (day|date), which (day|date), since when, on what (day|date), on which (day|date)",
  where: "where, from where, in (which|what) (schema|database), (which|what) schema",
  why: "why, how come, for what reason",
  how: "how, in (what|which) way, by (which|what) (path|way|route), via which path, along which path, through (which|what) path",
  what: "what, which, wat, wht, who or what",
  it: "it, its, they, them, their, those, these, this, that one, this one, this asset, this table, this model",
  define:
    "computed, calculated, defined, worked out, determined, derived, measured, compute, calculate, define, calculates, formed, put together, arrived at",
  certify: "certify, certifies, approve, approves, sign off, signs off, endorse",
  mean: "[one|single] (row|record) (in|of), mean, means, meant [by], stand for, stands for, represent, represents, say, says, signify",
  about:
    "about, tell about, know about, everything about, more about, describe, explain, details (of|on|about), information (on|about|for), info (on|about|for), overview of, summary of, summarize, summarise",
  mention:
    "mention, mentions, mentioning, related to, relate to, relates to, regarding, concerning, deal with, deals with, dealing with, to do with",
  named: "named, called, with name, whose name is, by name of",
  like: "(name|names) (contains|contain|includes|include|with|has|have), whose (name|names) (contain|contains|include|includes|has|have), (named|called) like, with name containing, in (name|their name|their names|its name), (name|names) containing, have in (name|their name), with in name",
  begins:
    "(start|starts|starting|begin|begins|beginning) with, whose (name|names) (start|starts|begin|begins) with, prefixed [with], with prefix, (name|names) (start|starts|begin|begins|starting|beginning) with",
  path: "path, paths, route, way, chain, trace, (get|gets|got|go|goes|travel|travels|flow|flows|make its way|makes its way|end|ends) [up] (from|into|to|in), connected, linked, related, connection, link between, journey",
  differ:
    "compare, comparison [of], difference, differences, differ, differs, different, versus, vs, compared (to|with), distinguish",
  same: "same, identical, equal",
  added: "added, first seen, discovered, created, introduced, new",
  updated:
    "updated, last (updated|changed|built|run|ran|loaded|synced|crawled), refreshed, modified, up to date, fresh, last modified, last refreshed",
  instead:
    "instead of, instead, in place of, replace, replaces, replaced, replacement for, replacement of, alternative to, successor of, superseded by",
  exist:
    "exist, exists, (marked|flagged|set) as, are there, is there, there are, there is, do we have, we have, available, appear, appears, occur, occurs, declared, declare, declares, registered, listed, recorded, defined in total, have we got, got",
  located:
    "located, stored, live, lives, sit, sits, sitting, lie, lies, lying, reside, resides, find, found, kept, housed",
} as const;
