/** Turns the words of a sentence into cues: names and values first, then phrases of the language of questions. */
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import type { Mention } from "../names/find-names.ts";
import { type ValueMention, WITH_A_SLIP } from "../names/find-values.ts";
import { LAYER_BEGINNINGS } from "../names/words.ts";
import type { Things } from "../plan.ts";
import { as, type Cue, cueOf, is, isColumnType, type Word } from "./cue.ts";
import { joinCues, setOf } from "./join-cues.ts";
import type { Token } from "./tokens.ts";
import { correct, findWords, isArticle, isFiller, isPlain, LONGEST_PHRASE } from "./words.ts";

/** From here on a stretch is a name, whatever else its words may say. */
const SURE = 0.95;
const WHETHER = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|may)$/;
/** As warehouses call them. */
const DATA_TYPE =
  /^(?:u?int\d+|(?:big|small|tiny|medium)int|serial|float\d*|double|real|(?:n?var)?char2?|clob|date32|datetime\d+|timestamp(?:_?n?l?tz)|interval|jsonb?|variant|array|struct|uuid|guid|bytes|bytea|blob|varbinary|geography|geometry|hstore|inet|enum\d*)$/i;
const TYPE_ORDER: readonly Thing["type"][] = ["metric", "model", "dashboard", "pipeline", "table", "column"];
/** Words beside which a plain word is a value, or an owner. */
const NEAR_VALUES =
  /^(?:in|from|of|outside|tagged|tag|tags|labell?ed|schema|schemas|layer|area|database|connector|called)$/;
const NEAR_OWNERS = /^(?:owns?|owned|by|'s|responsible|from|of|to|maintain(?:s|ed)|who|and|does|do|managed?)$/;

interface Stretch {
  from: number;
  to: number;
  cue: Cue;
  /** Whether it is nothing but what it says. */
  isSure: boolean;
}

export interface Found {
  mentions: readonly Mention[];
  values: readonly ValueMention[];
  /** What "it" means; null if nothing is known. */
  previous: Things | null;
  /** Whether a word of the language of questions may be a name that an asset has. */
  plainNames: boolean;
}

export function findCues(tokens: readonly Token[], found: Found): Cue[] {
  const taken = chooseStretches(tokens, found);
  const isTaken = (at: number): boolean => taken.some(({ from, to }) => from <= at && at < to);
  const words = tokens.map(({ word, isName }, at) => (isName || isTaken(at) || isPlain(word) ? word : correct(word)));
  const cues: Cue[] = [];
  let isApart = false;
  for (let at = 0; at < tokens.length;) {
    const stretch = taken.find(({ from }) => from === at);
    const next = stretch ? { to: stretch.to, cues: [stretch.cue] } : findPhrase(tokens, words, at, isTaken);
    const [first, ...within] = next.cues;
    if (first !== undefined) cues.push(isApart ? { ...first, isApart } : first, ...within);
    isApart = first === undefined && (isApart || !isArticle(tokens[at]?.word ?? ""));
    at = next.to;
  }
  const said = cues.filter((cue, at) => !is(cue, "a") || (is(cues[at - 1], "name") && is(cues[at + 1], "type")));
  return joinCues(said, found.previous);
}

/** The names and values of a sentence, of which none overlap: the surest and longest. */
function chooseStretches(tokens: readonly Token[], { mentions, values, plainNames }: Found): Stretch[] {
  const named = mentions
    .filter((mention) => isSaid(mention, tokens) || (plainNames && isPlainName(mention, tokens)))
    .map((mention): Stretch => {
      const { from, to, sureness } = mention;
      return { from, to, cue: toName(mention, tokens), isSure: sureness >= SURE };
    });
  const others = [
    ...mentions.filter((each) => !isOnlyColumns(each)),
    ...values.filter(({ category }) => category !== "Part"),
  ];
  const valued = values
    .filter((value) => value.category !== "Part" || !others.some((each) => isSame(each, value)))
    .filter((value) => isValue(tokens, value))
    .map(({ from, to, category, condition: where, sureness }): Stretch => {
      const of = where.is === "name part" ? "beginning" : (category.toLowerCase() as "owner");
      const cue = { ...cueOf(textOf(tokens, from, to), { is: "value", of, where }), sureness };
      return { from, to, cue, isSure: sureness >= 1 };
    });
  const rank = (a: Stretch, b: Stretch): number =>
    Number(b.isSure) - Number(a.isSure) || b.to - b.from - (a.to - a.from) || b.cue.sureness - a.cue.sureness;
  const chosen: Stretch[] = [];
  for (const each of [...named, ...valued].toSorted(rank)) {
    const same = chosen.find((other) => isSame(other, each));
    // A text may name an asset, a tag and a schema: the words around it say which.
    if (same !== undefined) same.cue = bothOf(same.cue, each.cue);
    else if (chosen.every(({ from, to }) => each.to <= from || to <= each.from)) chosen.push(each);
  }
  return chosen;
}

function isSame(a: { from: number; to: number }, b: { from: number; to: number }): boolean {
  return a.from === b.from && a.to === b.to;
}

function bothOf(first: Cue, second: Cue): Cue {
  const [a, b] = [as(first, "name"), as(second, "name")];
  if (a === undefined || b === undefined) return { ...first, words: [...first.words, ...second.words] };
  const others = first.words.filter((word) => word !== a);
  return { ...first, words: [{ ...a, things: [...a.things, ...b.things] }, ...others] };
}

function isOnlyColumns({ things }: Mention): boolean {
  return things.every(({ type }) => type === "column");
}

/** Whether a mention is meant by words that are no others, or that stand beside their type: "the users table". */
function isSaid({ from, to, sureness, things }: Mention, tokens: readonly Token[]): boolean {
  const [first, ...others] = tokens.slice(from, to);
  // "amount in orders" is two names, which are joined later.
  if (first === undefined || (things[0]?.type === "column" && others.some(({ word }) => is(cueAt(word), "in"))))
    return false;
  if (others.length > 0 || first.isName) return true;
  // A slip in a word of the language of questions makes no name.
  if (sureness < 1 && correct(first.word) !== first.word) return false;
  const isBesideType = [tokens[to], tokens[from - 1]].some((token) => is(cueAt(token?.word), "type"));
  return !isPlain(first.word) || (isBesideType && !is(cueAt(first.word), "type"));
}

/** "the amount of orders", "the column status": a plain word is a column's name only where a table or its type is beside it. */
function isPlainName(mention: Mention, tokens: readonly Token[]): boolean {
  const beside = [tokens[mention.from - 1], tokens[mention.to]].map((token) => cueAt(token?.word));
  return mention.sureness >= 1 && (!isOnlyColumns(mention) || is(beside[1], "in") || beside.some(isColumnType));
}

/** Whether a layer stands here, and then a type. */
function isBeforeLayer(tokens: readonly Token[], at: number): boolean {
  return LAYER_BEGINNINGS.has(tokens[at]?.word ?? "") && is(cueAt(tokens[at + 1]?.word), "type");
}

function cueAt(word = ""): Cue {
  return cueOf(word, ...findWords(word));
}

function isValue(tokens: readonly Token[], { from, to, category, sureness, condition }: ValueMention): boolean {
  const text = textOf(tokens, from, to).toLowerCase();
  const [before, behind] = [tokens[from - 1]?.word ?? "", tokens[to]?.word ?? ""];
  // "the email_event table" is one, and not all that begin so.
  if (condition.is === "name part" && /_./.test(text) && is(cueAt(behind), "type") && !behind.endsWith("s"))
    return false;
  // A slip in a word of the language of questions makes no value.
  if (sureness === WITH_A_SLIP && (isPlain(text) || correct(text) !== text)) return false;
  // "table" says how something is built only where that is spoken of: "built as a table", "views and how many tables".
  if (category === "Made" && /^tables?$/.test(text)) {
    const isListed = /^(?:or|and|nor|many|are|not)$/.test(before);
    const isMade = tokens.slice(0, from).some(({ word }) => /^(?:views?|incremental|ephemeral)$/.test(word));
    const lead = tokens.slice(Math.max(0, from - 3), from);
    return (isListed && isMade) || lead.some(({ word }) => word === "as" || is(cueAt(word), "made"));
  }
  if (category === "Part") return !isPlain(text) && isBeforeLayer(tokens, to);
  if (category === "Owner" && sureness < 1) return NEAR_OWNERS.test(before) || NEAR_OWNERS.test(behind);
  const isLayer = is(cueAt(behind), "type") && LAYER_BEGINNINGS.has(text);
  const isPlace = NEAR_VALUES.test(before) || NEAR_VALUES.test(behind);
  const isKnown = tokens.slice(from, to).every(({ word, isName }) => !isName && isPlain(word));
  return category === "Made" || isLayer || isPlace || !isKnown;
}

function textOf(tokens: readonly Token[], from: number, to: number): string {
  return tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(" ");
}

/** The likeliest of what a mention may stand for. */
function toName({ things, text, sureness, from, to }: Mention, tokens: readonly Token[]): Cue {
  const rank = ({ name, type }: Thing): number =>
    TYPE_ORDER.indexOf(type) + (fold(name) === text ? 0 : TYPE_ORDER.length);
  const sorted = things.toSorted((a, b) => rank(a) - rank(b));
  return { ...cueOf(textOf(tokens, from, to), { is: "name", things: sorted, set: setOf(sorted, text) }), sureness };
}

/** The longest phrase that begins here, with what stands within it: "depends directly on". */
function findPhrase(
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
  isTaken: (at: number) => boolean,
): { to: number; cues: Cue[] } {
  const word = words[at] ?? "";
  const say = (...said: Word[]): { to: number; cues: Cue[] } => ({ to: at + 1, cues: [cueOf(word, ...said)] });
  if (at === 0 && WHETHER.test(word)) return say({ is: "whether" });
  // "is there a model": whether there is one.
  if (at === 1 && word === "there") return say({ is: "exist" });
  // "whose models": who owns them.
  if (at === 0 && word === "whose" && is(cueAt(words[1]), "type")) return say({ is: "who" }, { is: "own" });
  if (word === "other" && is(cueAt(words[at + 1]), "type")) return { to: at + 1, cues: [] };
  for (let to = Math.min(tokens.length, at + LONGEST_PHRASE); to > at; to--) {
    // `not_null` is written as a name.
    const isCheck = to === at + 1 && (as(cueAt(word.replaceAll("_", " ")), "check")?.any.includes(word) ?? false);
    if (tokens.slice(at, to).some(({ isName }, i) => (isName && !isCheck) || isTaken(at + i))) continue;
    const inside = words
      .slice(at + 1, to - 1)
      .map(cueAt)
      .filter((cue) => is(cue, "direct", "far"));
    const said = words.slice(at, to).filter((each, i) => {
      const isInside = i < to - at - 1 && inside.some(({ text }) => text === each);
      return i === 0 || !(isArticle(each) || isInside);
    });
    const found = said.length > 1 || to === at + 1 ? findWords(said.join(" ").replaceAll("_", " ")) : [];
    if (found.length > 0 && !isArticle(words[to - 1] ?? ""))
      return { to, cues: [cueOf(textOf(tokens, at, to), ...found), ...inside] };
  }
  return { to: at + 1, cues: toSingle(tokens[at], word, words[at - 1]) };
}

/** @param before the word before it; undefined at the beginning */
function toSingle(token: Token | undefined, word: string, before = ""): Cue[] {
  if (token === undefined) return [];
  const say = (said: Word): Cue[] => [cueOf(token.text, said)];
  // "more than one"; else it only says which.
  if (word === "one" && /^(?:than|least|over|exactly|most|only|just|by)$/.test(before))
    return say({ is: "number", amount: 1 });
  if (word === ",") return say({ is: "comma" });
  if (word === "a" || word === "an") return say({ is: "a" });
  if (word === "'s") return say({ is: "possessive" });
  if (/^\d{1,6}$/.test(word)) return say({ is: "number", amount: Number(word) });
  if (DATA_TYPE.test(token.text)) return say({ is: "adjective", where: { is: "data type", any: [token.text] } });
  return token.words.length === 0 || (!token.isName && isFiller(word)) ? [] : say({ is: "unknown" });
}
