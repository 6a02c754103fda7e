/**
 * Reads a question into plans, without a language model. Names and values come first, then the phrases of a table; heads make
 * plans out of them. Every name and every word that says something must be used, or the question is declined.
 */
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { findNames } from "../names/find-names.ts";
import { findValues, loadValues, type Values } from "../names/find-values.ts";
import { MAX_PLANS, only, type Plan, type Things } from "../plan.ts";
import { as, type Cue, is, type Word } from "./cue.ts";
import { findCues } from "./find-cues.ts";
import { HEADS, rivalsOf } from "./heads.ts";
import { type Token, tokenize } from "./tokens.ts";
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
  today: string;
  /** What "it" means at the beginning. */
  previous: Things | null;
}

/** What is not understood where every word is known. */
export const TOGETHER = "";
const OF: Cue = { text: "of", sureness: 1, words: [{ is: "in" }] };
const MAX_WORDS = 48;
const MAX_SENTENCES = 4;
const SURELY = 0.9;
/** Cues that say nothing by themselves. */
const SILENT: ReadonlySet<Word["is"]> = new Set([
  "in",
  "and",
  "comma",
  "what",
  "exist",
  "with",
  "a",
  "whether",
  "both",
  "far",
  "possessive",
  "located",
  "who",
]);
/** What only leads to a question, as it stands at its beginning. */
const LEAD =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|please|pls|sorry|thanks)\b(?: (?:team|all|there|everyone|everybody|folks))?[\s,!]*|(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody) (?:please |pls |kindly |quickly )?(?:tell|show|give|list|find|explain(?: to)?|help|let)(?: (?:me|us))(?: know)?|(?:can|could|would) (?:you|somebody|someone) (?:kindly )?explain(?= what| how)|would you be so kind (?:as to |and )?(?:tell|show|give) (?:me|us)|(?:could|can) you be so kind (?:as to |and )?(?:tell|show|give) (?:me|us)|(?:do|does) (?:you|we|anyone|anybody|someone) know|(?:i|we)(?: would like| want| need|['’]d like)? to (?:know|see|find|find out|understand)|(?:i|we) (?:need|want)|(?:i am|i['’]m) (?:looking for|trying to find out|wondering)|(?:just )?(?:tell|give|get) (?:me|us)|(?:just )?(?:show|list|find|display|enumerate|name)(?: (?:me|us))?|let me (?:know|see)|(?:quick )?question|any idea|i wonder|what about|how about|remind me|is it (?:true|correct|right|the case) that|(?:please )?confirm that|i would be (?:grateful|glad|happy) (?:if )?(?:you )?(?:could|would)?(?: tell me| show me)?)(?: (?:if|whether|that))?\b[\s,:]*)+/i;
/** What only stresses, thanks, or says how long an answer may be. */
const SAYS_NOTHING =
  /\b(?:many thanks|thanks (?:a lot|in advance|so much)|thank you(?: very much| so much| in advance)?|right now|as of now|at the moment|at present|these days|nowadays|by any chance|out of (?:interest|curiosity)|if possible|of course|in general|by the way|in total|as well(?! as)|any longer|in the end|at the same time|as columns?|(?:exactly|precisely)(?! *(?:\d|one|two|three|four|five|six|seven|eight|nine|ten))|all in all|altogether|whatsoever|at all|of any kind|in here|yet(?= *[?.!]*$)|either(?= *[?.!]*$)|too(?= *[?.!]*$)|briefly|in short|in (?:one|a few) (?:words?|sentences?)|, (?:if any|please|pls)(?= *[?.!]*$))(?=\W|$)/gi;
/** "20 or more" */
const OR_MORE = /\b(\d+|two|three|four|five|six|seven|eight|nine|ten) or (more|over|above|fewer|less|under)\b/gi;
/** "from which column does it come" */
const FROM_WHICH =
  /^(?:from|out of) ((?:which|what) .*?)\b(comes?|taken|derived|computed|calculated|built|assembled|sourced|made|originates?)\b(?! from)/i;
/** What asks again for what a list tells anyway. */
const ASKS_AGAIN =
  /[\s,.?!]*\b(?:(?:and )?how many(?: (?:are|is) (?:that|there|they|it))?|(?:and )?which(?: ones?| one is it| are they)?|(?:and )?if so,? (?:on what|(?:by )?which(?: ones?)?|who)|show (?:me )?(?:the|a) (?:path|way)|step by step(?: pls| please)?|(?<=\? )what)[\s?.!]*$/i;
/** What places a question in the catalog as a whole. */
const IN_HERE =
  /\b(?:in(?:side)?|of|within|across) (?:our|the|this|your|my|the whole) (?:data )?(?:warehouse|catalog|catalogue|workspace|project|company|system|platform|organi[sz]ation|stack)\b/gi;
const FAR =
  /,? ?\b(?:(?:whether )?directly (?:or|and) (?:indirectly|not|through (?:any )?(?:others?|other \w+))|even indirectly|(?:(?:at|over) )?any (?:distance|depth)|no matter how far|however far|regardless of (?:the )?distance|(?:if (?:you|we) count|counting|including) (?:the )?indirect (?:ones|\w+s)|be it directly or through another \w+|(?:the )?indirect ones included|all the way (?:up|down|back))(?!\w)(?: too| as well)?,?/gi;
/** "and has it a description": a question of its own, although its words would fit the one before it. */
const ASKS_OF_IT = /\band (?:has|have|is|are|does|do) (?:it|they)\b/i;
/** A name, and what is asked of it. */
const NAMED =
  /^(?<name>[^,:]+)[,:] (?=(?:(?:in|from|of) )?(?:is|are|does|do|has|what|which|who|how|where|when|why)\b)/i;
/** A clause of its own begins here: "and who owns it", ", which of them". */
const CLAUSE =
  /,? (?:and|but|,) (?=(?:who|how|when|where|why|is|are|does|do|has|what|which)\b)|, (?=(?:who|how|when|where|why|what|which) )/i;

export async function readPlan(question: string, sources: Sources): Promise<Reading> {
  const values = await loadValues(sources.lookup);
  const plainly = question
    .replaceAll(/\s[-–—]+\s/g, ", ")
    .replaceAll("(s)", "s")
    .replaceAll(/\b(?:i\.e\.|e\.g\.)/gi, ",")
    .replaceAll(
      OR_MORE,
      (_all, amount: string, more: string) =>
        `${/^(?:more|over|above)$/i.test(more) ? "at least" : "at most"} ${amount}`,
    )
    .replace(FROM_WHICH, "$1$2 from")
    .replaceAll(FAR, " indirectly ")
    .replaceAll(IN_HERE, (phrase) =>
      values.schemas.some((schema) => phrase.toLowerCase().endsWith(` ${schema}`)) ? phrase : " ",
    )
    .replaceAll(SAYS_NOTHING, " ")
    .replace(ASKS_AGAIN, "");
  const sentences = plainly
    .split(/(?<=[?!.;])\s+|(?<=:)\s+(?=(?:which|what|who|how|is|are|does|do)\b)/i)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const all: Reading = { plans: [], sureness: 1, rivals: [], unused: [], named: [], plainWords: question, about: null };
  let { previous } = sources;
  let implied: Things | null = null;
  for (const [at, sentence] of sentences.slice(0, MAX_SENTENCES).entries()) {
    const read = await readSentence(
      sentence.replace(LEAD, "").replace(/^any\b/i, "are there any"),
      { ...sources, previous, implied, values },
      at + 1 < sentences.length,
    );
    all.plans.push(...read.plans);
    all.sureness = Math.min(all.sureness, read.sureness);
    all.rivals.push(...read.rivals);
    all.unused.push(...read.unused);
    all.named.push(...read.named);
    all.plainWords = read.taken.reduce(
      (text, name) => text.replace(new RegExp(RegExp.escape(name), "gi"), " "),
      all.plainWords,
    );
    previous = read.about ?? previous;
    implied = read.isLead ? read.about : null;
  }
  if (sentences.length > MAX_SENTENCES || all.plans.length > MAX_PLANS) all.unused.push("the rest of the question");
  all.about = previous === sources.previous ? null : previous;
  const unused = [...new Set(all.unused)];
  const { previous: context } = sources;
  const plans = context === null ? all.plans : all.plans.map((plan) => ofContext(plan, context));
  return { ...all, unused, plans: unused.length > 0 ? [] : plans };
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

interface SentenceRead {
  plans: Plan[];
  sureness: number;
  rivals: Thing[];
  unused: string[];
  named: Thing[];
  /** Its names, as they are written. */
  taken: string[];
  /** What "it" means in the next sentence. */
  about: Things | null;
  /** Whether it asks nothing, and may lead to a sentence that does. */
  isLead: boolean;
}

type SentenceSources = Sources & {
  values: Values;
  /** What a sentence is about that names nothing; null if nothing is spoken of. */
  implied: Things | null;
};

/** @param leads whether another sentence follows, to which this one may only lead */
async function readSentence(text: string, sources: SentenceSources, leads: boolean): Promise<SentenceRead> {
  const whole = await readClause(text, sources);
  // "fct_orders: what data type?" and "We changed fct_orders. What breaks?": a sentence that only says what is spoken of.
  const isBare = leads && whole.isLead && whole.about !== null && !/\?\s*$/.test(text) && isEverything(whole.plans);
  if (isBare) return { ...whole, plans: [], isLead: true };
  if (whole.plans.length > 0 && !ASKS_OF_IT.test(text)) return { ...whole, isLead: false };
  // "fct_orders, is that a view?"
  const lead = NAMED.exec(text);
  if (lead !== null) {
    const { about, plans } = await readClause(lead.groups?.["name"] ?? "", sources);
    const rest =
      plans.length === 1 && about?.ids !== undefined
        ? await readClause(text.slice(lead[0].length), { ...sources, previous: about })
        : null;
    if (rest !== null && rest.plans.length > 0) return rest;
  }
  const split = CLAUSE.exec(text);
  if (split !== null && split.index > 0) {
    const first = await readClause(text.slice(0, split.index), sources);
    const rest = text.slice(split.index + split[0].length);
    const previous = first.about ?? sources.previous;
    const second = first.plans.length === 0 ? null : await readSentence(rest, { ...sources, previous }, false);
    if (second !== null && second.plans.length > 0)
      return {
        plans: [...first.plans, ...second.plans.map((plan) => countedAlike(plan, first.plans[0]))],
        sureness: Math.min(first.sureness, second.sureness),
        rivals: [...first.rivals, ...second.rivals],
        unused: [],
        named: [...first.named, ...second.named],
        taken: [...first.taken, ...second.taken],
        about: second.about,
        isLead: false,
      };
  }
  // "We changed the refunds table." says what "it" is in the next sentence, and asks nothing.
  const isLead = leads && !/\?\s*$/.test(text) && !/^(?:which|what|who|how|is|are|does|do|list|show)\b/i.test(text);
  return isLead && whole.isLead
    ? { ...whole, unused: [] }
    : { ...whole, plans: [], unused: whole.unused.length > 0 ? whole.unused : [TOGETHER], isLead: false };
}

/** "how many models are certified, and how many are deprecated", "how many are views, and how many tables": what was counted first. */
function countedAlike(plan: Plan, first: Plan | undefined): Plan {
  if (plan.tell !== "count" || first?.tell !== "count" || plan.find.ids !== undefined) return plan;
  const { types, where } = plan.find;
  if (first.find.where?.is === "materialization" && types?.join() === "table,model" && where === undefined)
    return { tell: "count", find: { ...first.find, where: { is: "materialization", any: ["table"] } } };
  return types === undefined && first.find.types !== undefined
    ? { tell: "count", find: { types: first.find.types, ...plan.find } }
    : plan;
}

/** First without, then with the plain words that are names of assets. */
async function readClause(text: string, sources: SentenceSources): Promise<SentenceRead> {
  const tokens = tokenize(text)
    .slice(0, MAX_WORDS)
    .flatMap(withPossessive)
    .filter(({ word }) => !/^[?!.;:]$/.test(word));
  const { lookup, values, allows, nextTurn, today, previous, implied } = sources;
  const mentions = await findNames(tokens, { seen: values.seen, isPlain, lookup, allows, nextTurn });
  const known = { mentions, values: findValues(tokens, values), today, previous };
  const first = readCues(findCues(tokens, { ...known, plainNames: false }), implied);
  if (first.plans.length > 0) return first;
  const second = readCues(findCues(tokens, { ...known, plainNames: true }), implied);
  return second.plans.length > 0 ? second : first;
}

function isEverything(plans: readonly Plan[]): boolean {
  return plans.every((plan) => plan.tell === "aspect" && plan.aspect === "everything");
}

function readCues(found: readonly Cue[], implied: Things | null): SentenceRead {
  const cues: readonly Cue[] =
    implied === null || found.some((cue) => is(cue, "name"))
      ? found
      : [...found, OF, { text: "", sureness: 1, words: [{ is: "name", things: [], set: implied }] }];
  const names = cues.filter((cue) => is(cue, "name") && cue.text !== "");
  const sets = names.map((cue) => as(cue, "name")?.set ?? {});
  const surely = names.filter(({ sureness }) => sureness >= SURELY).flatMap((cue) => as(cue, "name")?.things[0] ?? []);
  const [set, ...others] = sets;
  const shared = {
    sureness: Math.min(1, ...names.map(({ sureness }) => sureness)),
    rivals: rivalsOf(names),
    named: surely,
    taken: names.map((cue) => cue.text),
    isLead: names.length <= 1 && !cues.some((cue) => is(cue, "type", "value", "adjective", "part")),
  };
  let fewest: Cue[] | null = null;
  for (const head of HEADS) {
    const used = new Set<Cue>();
    const plans = head(cues, used);
    const unused = cues.filter((cue) => !used.has(cue) && !cue.words.some((word) => SILENT.has(word.is)));
    if (plans.length > 0 && unused.length === 0) return { ...shared, plans, unused: [], about: aboutOf(plans.at(-1)) };
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

/** The `'s` of an owner is a word of its own. */
function withPossessive(token: Token): Token[] {
  const mark: Token = { text: "'s", word: "'s", words: [], isName: false, possessive: false };
  return token.possessive ? [token, mark] : [token];
}
