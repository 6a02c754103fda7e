/** Reads a question into plans, without a language model: names first, then a grammar over what is left. */
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { findNames } from "../names/find-names.ts";
import { findValues, loadValues } from "../names/find-values.ts";
import { asWhether, type Condition, MAX_PLANS, type Plan, type Things } from "../plan.ts";
import { parse, type Phrase } from "./chart.ts";
import { asksSomething, choose, type Chosen, IGNORED, UNREAD } from "./choose-reading.ts";
import { findDates } from "./dates.ts";
import { GRAMMAR_RULES, type Noun, PREVIOUS } from "./grammar.ts";
import { isAlong } from "./grammar/meanings.ts";
import { nounsOf } from "./nouns-of.ts";
import { isFiller } from "./fillers.ts";
import { findEntries, knownWords, LONGEST_PHRASE } from "./lexicon.ts";
import { findLost, settleEvery } from "./lost-words.ts";
import { resolvePrevious } from "./resolve-previous.ts";
import { orConnectors } from "./read-crawls.ts";
import { addPhrases, correct, isGrammar, isWord } from "./phrases.ts";
import { toSentences } from "./sentences.ts";
import type { Token } from "./tokens.ts";

export interface Reading extends Chosen {
  /** Names that would fit as well as those that were taken. */
  rivals: Thing[];
  /** Words that have no place and are known neither to the language of questions nor to the catalog. */
  unknown: string[];
  /** Assets that the question surely names. */
  named: Thing[];
  /** All that the question may name, the surest first. */
  found: { things: Thing[]; values: string[] };
  /** The question without the names that the plans take from it. */
  plainWords: string;
}

/** What one sentence was read as. */
interface Sentence extends Omit<Reading, "plainWords"> {
  text: string;
  /** Whether it names an asset. */
  isNaming: boolean;
  /** The names that its plans take. */
  taken: Token[][];
  /** The one asset that it names, if it names one. */
  subject: Things | null;
}

interface Sources {
  lookup: Lookup;
  values: Awaited<ReturnType<typeof loadValues>>;
  allows: (thing: Thing) => boolean;
  nextTurn: () => Promise<void>;
  today: string;
}

/** Words of a sentence that are read; a longer one is no question about a catalog. */
const MAX_WORDS = 48;
const MAX_SENTENCES = 4;
/** A sentence that is read at a higher cost only leads to one that is read at a lower. */
const CLEAR = 1.2;
const THE_REST = "the rest of the question";
/** A name that is said at a higher cost may be a word with a slip. */
const SLIP = 0.15;
/** A mention that is surer names something. */
const NAMED = 0.8;
/** A name that is read at a lower cost is what its sentence is about. */
const SURELY = 0.3;
const TEXT = { unknown: 0.4, named: 0.65, known: 0.1 };
const MAX_RIVALS = 3;
const MAX_FOUND = 60;
/** How a question begins that is answered by yes or no. */
const ASKS_WHETHER = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should)$/;
/** A day is no name, even one that no calendar has. */
const LIKE_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** As warehouses call them: `Float32`, `varchar`, `timestamp_ntz`. */
const DATA_TYPE =
  /^(?:u?int\d*|(?:big|small|tiny|medium)int|integer|serial|float\d*|double|real|numeric|decimal|bool(?:ean)?|(?:n?var)?char2?|string|text|clob|date32|datetime\d*|timestamp(?:_?n?l?tz)?|interval|jsonb?|variant|array|struct|uuid|guid|bytes|bytea|blob|binary|varbinary|geography|geometry|super|hstore|inet|enum\d*)$/i;

/**
 * Reads a question. What stands in brackets may explain a name or repeat what is asked: it is read with and without.
 */
export async function readPlan(question: string, sources: Omit<Sources, "values">): Promise<Reading> {
  const whole = await readText(question, sources);
  const without = question.replaceAll(/\([^()]*\)/g, " ");
  if (without === question) return whole;
  const short = await readText(without, sources);
  const doubt = ({ cost, unplaced, plans }: Reading): number => cost + unplaced.length + (plans.length === 0 ? 10 : 0);
  return doubt(short) < doubt(whole) ? short : whole;
}

async function readText(question: string, sources: Omit<Sources, "values">): Promise<Reading> {
  const values = await loadValues(sources.lookup);
  const sentences = toSentences(question, values.schemas);
  const isCut = sentences.length > MAX_SENTENCES || sentences.some(({ length }) => length > MAX_WORDS);
  const readings: Sentence[] = [];
  for (const tokens of sentences.slice(0, MAX_SENTENCES))
    readings.push(await readSentence(tokens.slice(0, MAX_WORDS), { ...sources, values }));
  const isClear = ({ plans: own, unplaced, cost }: Sentence): boolean =>
    own.length > 0 &&
    unplaced.length === 0 &&
    cost < CLEAR &&
    !own.some((plan) => sentences.length > 1 && isNameWithText(plan));
  const firstClear = readings.findIndex(isClear);
  const clear = firstClear < 0 ? readings : readings.filter(isClear);
  // A sentence that asks nothing and names nothing may lead to one that does; any other that is not read is told of.
  const left = firstClear < 0 ? [] : readings.filter((each) => !isClear(each));
  // "we changed the refunds table. which dashboards depend on it"
  const leading = left.findLast((each) => each.subject !== null && readings.indexOf(each) < firstClear);
  const isOfLeading = leading !== undefined && JSON.stringify(clear.at(0)?.plans).includes(PREVIOUS);
  const told = left.filter(
    (each) =>
      (each.isNaming || readings.indexOf(each) > firstClear) &&
      !(isOfLeading && each === leading && !asksSomething(each.text)),
  );
  const unread = [...clear.map((each) => each.unread), ...told.map(({ text }) => text)];
  const all = clear.flatMap((reading) => reading.plans);
  const plans = all.slice(0, MAX_PLANS);
  const before: Plan | undefined =
    leading?.subject && isOfLeading ? { tell: "aspect", find: leading.subject, aspect: "everything" } : undefined;
  const resolved: Plan[] = [];
  for (const plan of plans) resolved.push(resolvePrevious(plan, resolved.at(-1) ?? before));
  return {
    plans: [...new Map(resolved.map((plan) => [JSON.stringify(plan), plan])).values()],
    cost: clear.reduce((sum, { cost }) => sum + cost, left.length * IGNORED + told.length * (UNREAD - IGNORED)),
    unplaced: clear.flatMap(({ unplaced }) => unplaced),
    unread: [...unread, ...(isCut || all.length > MAX_PLANS ? [THE_REST] : [])].filter(Boolean).join(" "),
    plainWords: readings.reduce((text, { taken }) => withoutNames(text, taken), question),
    rivals: readings.flatMap(({ rivals }) => rivals).slice(0, MAX_RIVALS),
    unknown: [...new Set(readings.flatMap(({ unknown }) => unknown))],
    named: readings.flatMap(({ named }) => named),
    found: {
      things: readings.flatMap(({ found }) => found.things),
      values: [...new Set(readings.flatMap(({ found }) => found.values))],
    },
  };
}

function withoutNames(text: string, names: readonly (readonly Token[])[]): string {
  return names.reduce((left, name) => {
    const words = name.map((token) => RegExp.escape(token.text));
    return left.replace(new RegExp(words.join(String.raw`\W+`), "gi"), " ");
  }, text);
}

async function readSentence(
  all: readonly Token[],
  { lookup, values, allows, nextTurn, today }: Sources,
): Promise<Sentence> {
  const named = await findNames(all, { seen: values.seen, isPlain, lookup, allows, nextTurn });
  const valued = findValues(all, values);
  const { tokens, place } = withoutFillers(all, [...named.filter(({ from, to }) => to - from > 1), ...valued]);
  const mentions = named.flatMap((mention) => place(mention) ?? []);
  const words: Phrase[] = [];
  const add = (category: string, meaning: unknown, from: number, to: number, cost: number): void =>
    void words.push({ category, meaning, from, to, cost });

  const known = addPhrases(tokens, add);
  for (const mention of mentions)
    for (const { noun, cost } of nounsOf(mention)) add("Noun", noun, mention.from, mention.to, cost);
  const valuesFound = valued.flatMap((value) => place(value) ?? []);
  for (const { category, condition, from, to, sureness } of valuesFound)
    add(category, condition, from, to, 1 - sureness);
  const dates = findDates(tokens, today);
  for (const { meaning, from, to } of dates) add("Date", meaning, from, to, 0);
  const isTaken = (at: number): boolean => known.has(at) || words.some(({ from, to }) => from <= at && at < to);
  // A name with a slip is no surer than a word with one.
  const isSure = (at: number): boolean =>
    known.has(at) || words.some(({ from, to, cost }) => from <= at && at < to && cost < SLIP);
  const slips = tokens.map(({ word, isName }, at) => (isName || isSure(at) || isPlain(word) ? [] : correct(word)));
  addPhrases(tokens, add, (at) => slips[at] ?? []);
  const strange = new Set(tokens.filter(({ word }, at) => !isTaken(at) && !isPlain(word)).map(({ text }) => text));
  for (const [at, { word, text, isName, words: parts }] of tokens.entries()) {
    if (/^\d{1,6}$/.test(word)) add("Number", Number(word), at, at + 1, 0);
    if (word === "'s") add("'s", null, at, at + 1, 0);
    // A name that nothing has is still a text to look for where a text is asked for.
    if (parts.length === 0 || LIKE_DAY.test(text)) continue;
    if (isName && isTaken(at)) continue;
    if (isName) add("Quoted", text, at, at + 1, 0);
    if (isName) continue;
    if (!isGrammar(word) && !isWord(word, "Pronoun"))
      add(isTaken(at) ? "Word" : "Text", text, at, at + 1, isTaken(at) ? TEXT.known : TEXT.unknown);
    // Part of a name may be a text, too.
    if (!isPlain(word) && mentions.some(({ from, to }) => from <= at && at < to))
      add("Text", text, at, at + 1, TEXT.named);
  }
  for (const [at, { text }] of tokens.entries())
    if (DATA_TYPE.test(text)) add("Adjective", { is: "data type", any: [text] } satisfies Condition, at, at + 1, 0.01);
  const phrases = await parse(words, tokens.length, GRAMMAR_RULES, nextTurn);
  const isNaming = (at: number): boolean =>
    mentions.some(
      ({ from, to, sureness, things }) =>
        from <= at && at < to && sureness > NAMED && (tokens[at]?.isName === true || things[0]?.type !== "column"),
    );
  const read = choose(tokens, phrases, isTaken, isNaming);
  const [plan, ...others] = read.plans;
  const asked =
    plan === undefined || !ASKS_WHETHER.test(tokens[0]?.word ?? "") ? read.plans : [asWhether(plan), ...others];
  const chosen = orConnectors(
    { ...read, plans: asked.map(settleEvery) },
    tokens,
    mentions.some(({ sureness }) => sureness > NAMED) ? null : values.connectors,
  );
  const json = JSON.stringify(chosen.plans);
  const isTakenThing = ({ id, type, name }: Thing): boolean =>
    json.includes(`"${id}"`) || (type === "column" && json.includes(JSON.stringify(name)));
  const taken = mentions.filter((mention) => mention.things.some(isTakenThing));
  const rivals = taken.flatMap((mention) => mention.things.filter((it) => !isTakenThing(it) && it.type !== "column"));
  const sorted = mentions.toSorted((a, b) => b.sureness - a.sureness).flatMap((mention) => mention.things);
  const things = [...new Map(sorted.map((thing) => [thing.id, thing])).values()].slice(0, MAX_FOUND);
  const isNameOrDate = (at: number): boolean =>
    tokens[at]?.isName === true || [...taken, ...dates].some(({ from, to }) => from <= at && at < to);
  // What is told of as not read is none of the plans'.
  const end = tokens.length - (chosen.unread === "" ? 0 : chosen.unread.split(" ").length);
  const left = tokens.flatMap(({ word }, at) => (at < end && !isNameOrDate(at) ? [word] : []));
  const unplaced = [...new Set([...chosen.unplaced, ...findLost(left, chosen.plans)])];
  const surely = mentions.filter(({ from, sureness }) => sureness > NAMED && tokens[from]?.isName === true);
  return {
    ...chosen,
    unplaced,
    unknown: unplaced.filter((word) => strange.has(word)),
    named: surely.flatMap(({ things: [first] }) => first ?? []),
    rivals,
    found: { things, values: valuesFound.flatMap(({ condition }) => ("any" in condition ? condition.any : [])) },
    text: all.map((token) => token.text).join(" "),
    isNaming: mentions.some(({ sureness }) => sureness > NAMED),
    taken: taken.map(({ from, to }) => tokens.slice(from, to)),
    subject: subjectOf(phrases, tokens.length),
  };
}

/** "messed up the refunds table": a name with words that it does not have asks nothing. */
function isNameWithText(plan: Plan): boolean {
  return plan.tell === "aspect" && plan.aspect === "everything" && plan.find.where?.is === "text";
}

/** What the longest name in a sentence stands for, with what is said of it; null if other words name something else. */
function subjectOf(
  phrases: (from: number, to: number, category: string) => readonly Phrase[],
  length: number,
): Things | null {
  const nouns: Phrase[] = [];
  for (let from = 0; from < length; from++)
    for (let to = from + 1; to <= length; to++) {
      const best = phrases(from, to, "Noun").find(
        ({ meaning, cost }) => (isOneAsset(meaning as Noun) || isAlong(meaning as Noun)) && cost < SURELY,
      );
      if (best !== undefined) nouns.push(best);
    }
  const [longest, ...others] = nouns.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.cost - b.cost);
  const isWithin = ({ from, to }: Phrase): boolean => longest !== undefined && longest.from <= from && to <= longest.to;
  return longest !== undefined && others.every(isWithin) ? (longest.meaning as Noun).set : null;
}

/** Only `Noun` is made of sets. */
function isOneAsset({ isNamed, set: { ids, types } }: Noun): boolean {
  return isNamed && ids?.length === 1 && ids[0] !== PREVIOUS && types?.join() !== "column";
}

function isPlain(word: string): boolean {
  return knownWords().has(word) || isFiller(word);
}

/** The tokens without fillers, but for those in what is mentioned; and where a stretch of them is then. */
function withoutFillers(
  all: readonly Token[],
  mentions: readonly { from: number; to: number; sureness: number }[],
): { tokens: Token[]; place: <T extends { from: number; to: number }>(stretch: T) => T | null } {
  const isNamed = (at: number): boolean =>
    mentions.some(({ from, to, sureness }) => from <= at && at < to && sureness > NAMED);
  const isKept = all.map(({ word }, at) => !isFiller(word) || isNamed(at) || isInPhrase(all, at));
  const before = (at: number): number => isKept.slice(0, at).filter(Boolean).length;
  return {
    tokens: all.filter((_, at) => isKept[at]),
    place: (stretch) => {
      const [from, to] = [before(stretch.from), before(stretch.to)];
      return from === to ? null : { ...stretch, from, to };
    },
  };
}

/** Whether a filler is part of a phrase that says something: "other than", "together with". */
function isInPhrase(all: readonly Token[], at: number): boolean {
  for (let from = Math.max(0, at - LONGEST_PHRASE + 1); from <= at; from++) {
    for (let to = Math.max(at + 1, from + 2); to <= Math.min(all.length, from + LONGEST_PHRASE); to++) {
      const words = all.slice(from, to).map(({ word }) => word);
      if (findEntries(words.join(" ")).length > 0) return true;
    }
  }
  return false;
}
