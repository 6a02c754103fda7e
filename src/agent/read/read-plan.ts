/**
 * Reads a question into plans, without a language model. Names and values come first, then the phrases of a table; heads make
 * plans out of them. Every name and every word that says something must be used, or the question is declined.
 */
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { findNames } from "../names/find-names.ts";
import { findValues, loadValues } from "../names/find-values.ts";
import { MAX_PLANS, only, type Plan, type Things } from "../plan.ts";
import { asksOnlyForm, type Cut, cutsOf, isTalk, part, sayPlainly, usesName, type Words } from "./clauses.ts";
import { type Cue, cueOf, hasCue, is, isName, isOneOf, isValueOf, nameOf } from "./cue.ts";
import { findCues } from "./find-cues.ts";
import { HEADS } from "./heads.ts";
import { tokenize } from "./tokens.ts";
import { isPlain } from "./words.ts";

export interface Reading {
  /** Empty if the question was not read. */
  plans: readonly Plan[];
  /** 0 to 1: how surely its names were meant. */
  sureness: number;
  /** Names that would fit as well as those that were taken. */
  rivals: Thing[];
  /** Words that have no place in what was read; none if only their order is not understood. */
  unused: string[];
  /** Assets that the question surely names. */
  named: Thing[];
  /** The question without the names that it has. */
  plainWords: string;
  /** What "it" means in the next question; null if nothing was spoken of. */
  about: Things | null;
  /** The change that was asked about, with the names of what it changes: "and who should know?" may follow. */
  change: readonly Cue[];
}

interface Sources {
  lookup: Lookup;
  allows: (thing: Thing) => boolean;
  nextTurn: () => Promise<void>;
  /** What "it" means at the beginning. */
  previous: Things | null;
  /** `change` of the question before. */
  earlierChange: readonly Cue[];
}

/** What is known where a clause begins: what "it" means, and what is meant where the clause has no name or type. */
interface Known extends Pick<Sources, "previous" | "earlierChange" | "nextTurn"> {
  spoken: readonly Cue[];
}

/** A clause, or several, as they were read. */
interface Read extends Pick<Reading, "plans" | "unused" | "about"> {
  cues: readonly Cue[];
}

const MAX_WORDS = 80;
const SURELY = 0.95;
const OF = cueOf("of", { is: "in" });
const IF = cueOf("if", { is: "if" });
/** Cues that say nothing by themselves. */
const SILENT = new Set("in and comma what exist with a whether both far possessive located who".split(" "));

export async function readPlan(question: string, { previous, ...sources }: Sources): Promise<Reading> {
  const values = await loadValues(sources.lookup);
  const all = tokenize(sayPlainly(question));
  const tokens = all.slice(0, MAX_WORDS);
  const mentions = await findNames(tokens, { ...sources, seen: values.seen, isPlain });
  const found = await findValues(tokens, values, sources.nextTurn);
  const known = { ...sources, previous, spoken: [] };
  const { plans, unused, about, cues } = await readWords(
    { tokens, mentions, values: found, cuts: cutsOf(tokens) },
    known,
  );
  const left = [...unused, ...all.slice(MAX_WORDS, MAX_WORDS + 1).map(({ text }) => text)];
  const isRead = left.length === 0 && plans.length <= MAX_PLANS;
  const names = cues.filter(isName);
  return {
    plans: isRead ? plans.map((plan) => (previous === null ? plan : ofContext(plan, previous))) : [],
    unused: [...new Set(left)],
    about,
    change: hasCue(cues, "change") ? cues.filter((cue) => is(cue, "name", "change")) : [],
    sureness: Math.min(1, ...names.map(({ sureness }) => sureness)),
    rivals: names.flatMap((cue) =>
      nameOf(cue)
        .things.slice(1)
        .filter(({ type }) => type !== "column"),
    ),
    named: names.filter(({ sureness }) => sureness >= SURELY).flatMap((cue) => nameOf(cue).things.slice(0, 1)),
    plainWords: names.reduce(
      (text, { text: name }) => text.replace(new RegExp(RegExp.escape(name), "gi"), " "),
      question,
    ),
  };
}

/** Columns of nothing else are those of what is spoken of. */
function ofContext(plan: Plan, context: Things): Plan {
  const isOpen = "find" in plan && plan.find.types?.join() === "column";
  if (!isOpen || /"(?:ids|columns|name)"/.test(JSON.stringify(plan.find))) return plan;
  return { ...plan, find: only(plan.find, { is: "along", along: { way: "columns", of: context } }) };
}

/** Reads all words as one clause, or cuts them where another clause may begin. */
async function readWords(words: Words, known: Known): Promise<Read> {
  const { cuts } = words;
  const isEnded = cuts.some(({ mark }) => mark === ".");
  const whole = await readClause(words, known);
  if (!isEnded && !cuts.some(({ asksOfIt }) => asksOfIt) && whole.plans.length > 0) return whole;
  for (const cut of cuts) {
    const first = await readClause(part(words, 0, cut.from), known);
    const read = await readCut(first, part(words, cut.to), cut, known);
    if (read !== null) return read;
    if (cut.mark === ".") break;
  }
  if (whole.plans.length > 0 && !isEnded) return whole;
  return { ...whole, plans: [] };
}

/** A clause with the words behind it; null if they do not go together. */
async function readCut(first: Read, rest: Words, cut: Cut, known: Known): Promise<Read | null> {
  const previous = first.about ?? known.previous;
  if (isTalk(first.plans, first.cues, cut.mark)) {
    const spoken = first.cues.filter((cue) => is(cue, "name", "change"));
    const second = await readWords(rest, { ...known, previous, spoken });
    return second.plans.length > 0 && usesName(second.plans, first.cues) ? second : null;
  }
  if (first.plans.length === 0) return null;
  const names = first.cues.filter(isName);
  const types = first.cues.filter((cue) => is(cue, "type")).slice(0, 1);
  const isMade = first.cues.some((cue) => isValueOf(cue, "made"));
  const meant = types.length === 0 && isMade ? [cueOf("anything", { is: "type", set: {} })] : types;
  const behind = await readClause(rest, { ...known, previous, spoken: names.length > 0 ? names : meant });
  if (asksOnlyForm(behind.cues)) return first;
  const second = cut.opens
    ? await readWords(rest, { ...known, previous, spoken: names.length > 0 ? [] : meant })
    : null;
  if (second !== null && second.plans.length > 0)
    return { ...second, plans: [...first.plans, ...second.plans], cues: [...first.cues, ...second.cues] };
  const isAside = cut.mark === "." && isTalk(behind.plans, behind.cues, cut.mark);
  return isAside && usesName(first.plans, behind.cues) ? first : null;
}

/** First without, then with the plain words that are names of assets; then with what was spoken of before. */
async function readClause({ tokens, mentions, values }: Words, known: Known): Promise<Read> {
  const { previous, spoken, earlierChange } = known;
  await known.nextTurn();
  const readWith = (plainNames: boolean): Read =>
    readCues(findCues(tokens, { mentions, values, previous, plainNames }), spoken, earlierChange);
  const first = readWith(false);
  const second = first.plans.length > 0 ? first : readWith(true);
  return second.plans.length > 0 ? second : first;
}

function readCues(cues: readonly Cue[], spoken: readonly Cue[], earlierChange: readonly Cue[]): Read {
  const names = cues.filter(isName);
  const [meant, types] = [spoken.filter(isName), spoken.filter((cue) => is(cue, "type"))];
  const isTyped = names.length > 0 || cues.some((cue) => is(cue, "type") && !/^tables?$/i.test(cue.text));
  const tries = [
    // "how many models are views, and how many tables": of the models.
    ...(types.length === 0 || isTyped ? [] : [[...types, ...cues]]),
    names.length > 0 || meant.length === 0 ? cues : [...cues, OF, ...meant],
    ...(hasCue(spoken, "change") ? [[IF, ...spoken, ...cues]] : []),
    ...(earlierChange.length > 0 && names.length === 0 ? [[IF, ...earlierChange, ...cues]] : []),
  ];
  let fewest = cues.filter((cue) => is(cue, "unknown"));
  for (const some of tries)
    for (const head of HEADS) {
      const used = new Set<Cue>();
      const plans = head(some, used);
      if (plans.length === 0) continue;
      const unused = some.filter((cue) => !used.has(cue) && !isOneOf(cue, SILENT));
      if (unused.length === 0) return { cues, plans, unused: [], about: aboutOf(plans.at(-1)) };
      if (fewest.length === 0) fewest = unused;
    }
  const [one, ...others] = names;
  return {
    cues,
    plans: [],
    unused: fewest.map((cue) => cue.text),
    about: one === undefined || others.length > 0 ? null : nameOf(one).set,
  };
}

/** What a plan is about, which "it" means after it. */
function aboutOf(plan: Plan | undefined): Things | null {
  if (plan === undefined || plan.tell === "connectors") return null;
  return "find" in plan ? plan.find : plan.to;
}
