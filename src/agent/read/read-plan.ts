/**
 * Reads a question into plans, without a language model. Names and values come first, then the phrases of a table; heads make
 * plans out of them. Every name and every word that says something must be used, or the question is declined.
 */
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { findNames } from "../names/find-names.ts";
import { findValues, loadValues, type Values } from "../names/find-values.ts";
import { MAX_PLANS, only, type Plan, type Things } from "../plan.ts";
import { asksOnlyForm, isTalk, sameAgain, usesName } from "./clauses.ts";
import { as, type Cue, hasCue, is } from "./cue.ts";
import { findCues } from "./find-cues.ts";
import { comparison, impact, more, path } from "./heads/changes-and-paths.ts";
import { aspect, whether } from "./heads/named.ts";
import { connectors, count, groups, list, ordered } from "./heads/sets.ts";
import { type Cut, cutsOf, join, part, type Words } from "./question-words.ts";
import { tokenize } from "./tokens.ts";
import { sentencesOf } from "./wording.ts";
import { isPlain } from "./words.ts";

export interface Reading {
  /** Empty if the question was not read. */
  plans: Plan[];
  /** 0 to 1: how surely its names were meant. */
  sureness: number;
  /** Names that would fit as well as those that were taken. */
  rivals: Thing[];
  /** Words that have no place in what was read. */
  unused: string[];
  /** Assets that the question surely names. */
  named: Thing[];
  /** The question without the names that it has. */
  plainWords: string;
  /** What "it" means in the next question; null if nothing was spoken of. */
  about: Things | null;
}

interface Sources {
  lookup: Lookup;
  allows: (thing: Thing) => boolean;
  nextTurn: () => Promise<void>;
  /** What "it" means at the beginning. */
  previous: Things | null;
}

/** What is known where a clause begins. */
interface Known {
  /** What "it" means; null if nothing is known. */
  previous: Things | null;
  /** A name and a change that were spoken of before, and are meant where the clause has no name. */
  spoken: readonly Cue[];
}

/** A clause, or several, as they were read. */
interface Read extends Omit<Reading, "plainWords"> {
  /** Its names, as they are written. */
  taken: string[];
  /** Those of its first clause. */
  cues: readonly Cue[];
}

/** What a clause may ask. The first head that uses every cue that says something has read it. */
const HEADS = [connectors, impact, comparison, more, path, groups, aspect, whether, ordered, count, list];
/** What is not understood where every word is known. */
export const TOGETHER = "";
const MAX_WORDS = 48;
const MAX_SENTENCES = 4;
const SURELY = 0.95;
const OF: Cue = { text: "of", sureness: 1, words: [{ is: "in" }] };
const IF: Cue = { text: "if", sureness: 1, words: [{ is: "if" }] };
const ANYTHING: Cue = { text: "anything", sureness: 1, words: [{ is: "type", set: {} }] };
/** Cues that say nothing by themselves. */
const SILENT: ReadonlySet<string> = new Set(
  "in and comma what exist with a whether both far possessive located who".split(" "),
);

export async function readPlan(question: string, sources: Sources): Promise<Reading> {
  const { previous, lookup } = sources;
  const values = await loadValues(lookup);
  const sentences = sentencesOf(question, values);
  const some = await Promise.all(
    sentences.slice(0, MAX_SENTENCES).map((sentence) => findWords(sentence, sources, values)),
  );
  const all = some.length === 0 ? { tokens: [], cuts: [], mentions: [], values: [] } : some.reduce(join);
  const read = readWords(all, { previous, spoken: [] });
  const isWhole = sentences.length <= MAX_SENTENCES && read.plans.length <= MAX_PLANS;
  const unused = isWhole ? read.unused : [...read.unused, "the rest of the question"];
  const plainWords = read.taken.reduce(
    (text, name) => text.replace(new RegExp(RegExp.escape(name), "gi"), " "),
    question,
  );
  const plans = previous === null ? read.plans : read.plans.map((plan) => ofContext(plan, previous));
  return { ...read, unused: [...new Set(unused)], plans: unused.length > 0 ? [] : plans, plainWords };
}

/** The words of a sentence, with the names and values that they may stand for. */
async function findWords(sentence: string, sources: Sources, values: Values): Promise<Words> {
  const { lookup, allows, nextTurn } = sources;
  const { tokens, cuts } = cutsOf(tokenize(sentence).slice(0, MAX_WORDS));
  const mentions = await findNames(tokens, { seen: values.seen, isPlain, lookup, allows, nextTurn });
  return { tokens, cuts, mentions, values: await findValues(tokens, values, nextTurn) };
}

/** Columns of nothing else are those of what is spoken of. */
function ofContext(plan: Plan, context: Things): Plan {
  if (
    !("find" in plan) ||
    plan.find.types?.join() !== "column" ||
    /"(?:ids|columns|name)"/.test(JSON.stringify(plan.find))
  )
    return plan;
  return { ...plan, find: only(plan.find, { is: "along", along: { way: "columns", of: context } }) };
}

/** Reads all words as one clause, or cuts them where another clause may begin. */
function readWords(words: Words, known: Known): Read {
  const whole = readClause(words, known);
  const isOne = !words.cuts.some(({ mark, asksOfIt }) => mark === "." || asksOfIt);
  if (isOne && whole.plans.length > 0) return whole;
  for (const cut of words.cuts) {
    const first = readClause(part(words, 0, cut.from), known);
    const read = readCut(first, part(words, cut.to), cut, known);
    if (read !== null) return read;
    if (cut.mark === ".") break;
  }
  if (whole.plans.length > 0 && !words.cuts.some(({ mark }) => mark === ".")) return whole;
  return { ...whole, plans: [], unused: whole.unused.length > 0 ? whole.unused : [TOGETHER] };
}

/** A clause with the words behind it; null if they do not go together. */
function readCut(first: Read, rest: Words, cut: Cut, known: Known): Read | null {
  const previous = first.about ?? known.previous;
  if (isTalk(first, cut.mark)) {
    const spoken = first.cues.filter((cue) => is(cue, "name", "change"));
    const second = readWords(rest, { ...known, previous, spoken });
    return second.plans.length > 0 && usesName(second.plans, first.cues) ? second : null;
  }
  if (first.plans.length === 0) return null;
  const subject = first.cues.filter((cue) => is(cue, "name"));
  const types = first.cues.filter((cue) => is(cue, "type")).slice(0, 1);
  const isMade = types.length === 0 && first.cues.some((cue) => as(cue, "value")?.of === "made");
  const spoken = subject.length > 0 ? subject : isMade ? [ANYTHING] : types;
  const behind = readClause(rest, { ...known, previous, spoken });
  const narrowed = asksOnlyForm(behind.cues, first.plans) ?? sameAgain(first.plans, behind.plans);
  if (narrowed !== null) return { ...first, plans: narrowed };
  if (cut.opens) {
    const second = readWords(rest, { ...known, previous, spoken: subject.length > 0 ? [] : spoken });
    if (second.plans.length > 0) return both(first, second);
  }
  return cut.mark === "." && isTalk(behind, cut.mark) && usesName(first.plans, behind.cues) ? first : null;
}

function both(first: Read, second: Read): Read {
  return {
    ...second,
    plans: [...first.plans, ...second.plans],
    sureness: Math.min(first.sureness, second.sureness),
    rivals: [...first.rivals, ...second.rivals],
    named: [...first.named, ...second.named],
    taken: [...first.taken, ...second.taken],
  };
}

/** First without, then with the plain words that are names of assets; then with what was spoken of before. */
function readClause({ tokens, mentions, values }: Words, { previous, spoken }: Known): Read {
  const cuesWith = (plainNames: boolean): Cue[] => findCues(tokens, { mentions, values, previous, plainNames });
  const first = readCues(cuesWith(false), spoken);
  if (first.plans.length > 0) return first;
  const second = readCues(cuesWith(true), spoken);
  return second.plans.length > 0 ? second : first;
}

function readCues(cues: readonly Cue[], spoken: readonly Cue[]): Read {
  const names = cues.filter((cue) => is(cue, "name"));
  const [set, ...others] = names.map((cue) => as(cue, "name")?.set ?? {});
  const shared = {
    sureness: Math.min(1, ...names.map(({ sureness }) => sureness)),
    rivals: names.flatMap((cue) => (as(cue, "name")?.things ?? []).slice(1).filter(({ type }) => type !== "column")),
    named: names.filter(({ sureness }) => sureness >= SURELY).flatMap((cue) => as(cue, "name")?.things[0] ?? []),
    taken: names.map((cue) => cue.text),
    cues,
  };
  const meant = spoken.filter((cue) => is(cue, "name"));
  // "how many models are views, and how many tables": of the models.
  const types = spoken.filter((cue) => is(cue, "type"));
  const isTyped = names.length > 0 || cues.some((cue) => is(cue, "type") && !/^tables?$/i.test(cue.text));
  const tries = [
    ...(types.length === 0 || isTyped ? [] : [[...types, ...cues]]),
    names.length > 0 || meant.length === 0 ? cues : [...cues, OF, ...meant],
    ...(hasCue(spoken, "change") ? [[IF, ...spoken, ...cues]] : []),
  ];
  let fewest: Cue[] | null = null;
  for (const some of tries)
    for (const head of HEADS) {
      const used = new Set<Cue>();
      const plans = head(some, used);
      const unused = some.filter((cue) => !used.has(cue) && !cue.words.some((word) => SILENT.has(word.is)));
      if (plans.length > 0 && unused.length === 0)
        return { ...shared, plans, unused: [], about: aboutOf(plans.at(-1)) };
      if (plans.length > 0 && unused.length < (fewest?.length ?? Infinity)) fewest = unused;
    }
  const unknown = cues.filter((cue) => is(cue, "unknown"));
  const told = unknown.length > 0 ? unknown : (fewest ?? []);
  return {
    ...shared,
    plans: [],
    unused: told.length > 0 ? told.map((cue) => cue.text) : [TOGETHER],
    about: set !== undefined && others.length === 0 ? set : null,
  };
}

/** What a plan is about, which "it" means after it. */
function aboutOf(plan: Plan | undefined): Things | null {
  if (plan === undefined || plan.tell === "connectors") return null;
  return "find" in plan ? plan.find : plan.to;
}
