/** Turns the words of a sentence into cues: names and values first, then phrases of the language of questions. */
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import type { Mention } from "../names/find-names.ts";
import type { ValueMention } from "../names/find-values.ts";
import { LAYER_BEGINNINGS } from "../names/words.ts";
import { as, type Cue, cueOf, is, isColumnType, type Word } from "./cue.ts";
import { setOf } from "./join-cues.ts";
import type { Token } from "./tokens.ts";
import { findWords, isArticle, isFiller, isNearPlain, isPlain, LONGEST_PHRASE } from "./words.ts";

/** From here on a stretch is a name, whatever else its words may say. */
const SURE = 0.95;
const WHETHER = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|may)$/;
/** What ends a sentence. */
const STOP = /^[.?!;]$/;
/** As warehouses call them. */
const DATA_TYPE =
  /^(?:u?int\d+|(?:big|small|tiny)int|float\d*|double|n?varchar|date32|datetime\d+|jsonb?|uuid|array)$/i;
const TYPE_ORDER: readonly Thing["type"][] = ["metric", "model", "dashboard", "pipeline", "table", "column"];
/** Words beside which a plain word is a value, or an owner. */
const NEAR_VALUES = /^(?:in|from|of|outside|tagged|tags?|schemas?|layer|area|database|connector|called)$/;
const NEAR_OWNERS = /^(?:owns?|owned|by|'s|responsible|from|of|to|maintain(?:s|ed)|who|and|does|do|managed?)$/;

interface Stretch {
  from: number;
  to: number;
  cue: Cue;
  /** Whether it is nothing but what it says. */
  isSure: boolean;
}

type Spoken = Pick<Mention, "from" | "to" | "sureness"> & Partial<Pick<Mention, "near">>;

export interface Found {
  mentions: readonly Mention[];
  values: readonly ValueMention[];
  /** Whether a word of the language of questions may be a name that an asset has. */
  plainNames: boolean;
}

export function findCues(tokens: readonly Token[], found: Found): Cue[] {
  const taken = chooseStretches(tokens, found);
  const isTaken = (at: number): boolean => taken.some(({ from, to }) => from <= at && at < to);
  const cues: Cue[] = [];
  let isApart = false;
  for (let at = 0; at < tokens.length;) {
    const stretch = taken.find(({ from }) => from === at);
    const next = stretch ? { to: stretch.to, cues: [stretch.cue] } : findPhrase(tokens, at, isTaken);
    const [first, ...within] = next.cues;
    if (first !== undefined) cues.push(isApart ? { ...first, isApart } : first, ...within);
    isApart = first === undefined && (isApart || !isArticle(tokens[at]?.word ?? ""));
    at = next.to;
  }
  return cues.filter((cue, at) => !is(cue, "a") || (is(cues[at - 1], "name") && is(cues[at + 1], "type")));
}

/** The names and values of a sentence, of which none overlap: the surest and longest. */
function chooseStretches(tokens: readonly Token[], { mentions, values, plainNames }: Found): Stretch[] {
  const stretch = ({ from, to, sureness, near = [] }: Spoken, sure: number, word: Word): Stretch => {
    const cue = { ...cueOf(textOf(tokens, from, to), word), sureness, near };
    return { from, to, cue, isSure: sureness >= sure };
  };
  const named = mentions
    .filter((mention) => isSaid(mention, tokens) || (plainNames && isPlainName(mention, tokens)))
    .map((mention) => {
      // The likeliest of what it may stand for.
      const rank = ({ name, type }: Thing): number =>
        TYPE_ORDER.indexOf(type) + (fold(name) === mention.text ? 0 : TYPE_ORDER.length);
      const things = mention.things.toSorted((a, b) => rank(a) - rank(b));
      return stretch(mention, SURE, { is: "name", things, set: setOf(things) });
    });
  const valued = values
    .filter((value) => isValue(tokens, value))
    .map((value) => stretch(value, 1, { is: "value", where: value.where }));
  const rank = (a: Stretch, b: Stretch): number =>
    Number(b.isSure) - Number(a.isSure) || b.to - b.from - (a.to - a.from) || b.cue.sureness - a.cue.sureness;
  const chosen: Stretch[] = [];
  for (const each of [...named, ...valued].toSorted(rank)) {
    const same = chosen.find(({ from, to }) => from === each.from && to === each.to);
    // A text may name an asset, a tag and a schema: the words around it say which.
    if (same !== undefined) same.cue = bothOf(same.cue, each.cue);
    else if (chosen.every(({ from, to }) => each.to <= from || to <= each.from)) chosen.push(each);
  }
  return chosen;
}

function bothOf(first: Cue, second: Cue): Cue {
  const [a, b] = [as(first, "name"), as(second, "name")];
  if (a === undefined || b === undefined) return { ...first, words: [...first.words, ...second.words] };
  return { ...first, words: [{ ...a, things: [...a.things, ...b.things] }] };
}

/** Whether a mention is meant by words that are no others, or that stand beside their type: "the users table". */
function isSaid({ from, to, sureness, things }: Mention, tokens: readonly Token[]): boolean {
  const [first, ...others] = tokens.slice(from, to);
  // "amount in orders" is two names, which are joined later.
  if (first === undefined || (things[0]?.type === "column" && others.some(({ word }) => is(cueAt(word), "in"))))
    return false;
  if (others.length > 0 || first.isName) return true;
  // A slip in a word of the language of questions makes no name.
  if (sureness < 1 && !isPlain(first.word) && isNearPlain(first.word)) return false;
  const isBesideType = [tokens[to], tokens[from - 1]].some((token) => is(cueAt(token?.word), "type"));
  return !isPlain(first.word) || (isBesideType && !is(cueAt(first.word), "type"));
}

/** "the amount of orders", "the column status": a plain word is a column's name only where a table or its type is beside it. */
function isPlainName({ from, to, sureness, things }: Mention, tokens: readonly Token[]): boolean {
  const beside = [tokens[from - 1], tokens[to]].map((token) => cueAt(token?.word));
  const isOther = things.some(({ type }) => type !== "column");
  return sureness >= 1 && (isOther || is(beside[1], "in") || beside.some(isColumnType));
}

function cueAt(word = ""): Cue {
  return cueOf(word, ...findWords(word));
}

function isValue(tokens: readonly Token[], { from, to, sureness, where }: ValueMention): boolean {
  const text = textOf(tokens, from, to).toLowerCase();
  const [before, behind] = [tokens[from - 1]?.word ?? "", tokens[to]?.word ?? ""];
  // "the email_event table" is one, and not all that begin so.
  if (where.is === "name part" && /_./.test(text) && is(cueAt(behind), "type") && !behind.endsWith("s")) return false;
  // "table" says how something is built only where that is spoken of: "built as a table".
  if (where.is === "materialization" && /^tables?$/.test(text))
    return tokens.slice(Math.max(0, from - 3), from).some(({ word }) => word === "as" || is(cueAt(word), "made"));
  if (where.is === "owner" && sureness < 1) return NEAR_OWNERS.test(before) || NEAR_OWNERS.test(behind);
  const isLayer = is(cueAt(behind), "type") && LAYER_BEGINNINGS.has(text);
  const isPlace = NEAR_VALUES.test(before) || NEAR_VALUES.test(behind);
  const isKnown = tokens.slice(from, to).every(({ word, isName }) => !isName && isPlain(word));
  return where.is === "materialization" || isLayer || isPlace || !isKnown;
}

function textOf(tokens: readonly Token[], from: number, to: number): string {
  const texts = tokens.slice(from, to).map(({ text }) => text);
  return texts.join(" ");
}

interface Phrase {
  to: number;
  cues: Cue[];
}

/** The longest phrase that begins here, with what stands within it: "depends directly on". */
function findPhrase(tokens: readonly Token[], at: number, isTaken: (at: number) => boolean): Phrase {
  const words = tokens.map((token) => token.word);
  const word = words[at] ?? "";
  const isFirst =
    at === 0 ||
    /^(?:[^\p{L}\p{N},].*|, and)$/u.test(words.slice(at - 1 - Number(words[at - 1] === "and"), at).join(" "));
  const say = (...said: Word[]): Phrase => ({ to: at + 1, cues: [cueOf(word, ...said)] });
  if (isFirst && WHETHER.test(word)) return say({ is: "whether" });
  // "whose models": who owns them.
  if (isFirst && word === "whose" && is(cueAt(words[at + 1]), "type")) return say({ is: "who" }, { is: "own" });
  // "is there a model": whether there is one.
  if (at > 0 && word === "there" && WHETHER.test(words[at - 1] ?? "")) return say({ is: "exist" });
  for (let to = Math.min(tokens.length, at + LONGEST_PHRASE); to > at; to--) {
    if (tokens.slice(at, to).some(({ isName }, i) => isName || isTaken(at + i))) continue;
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
  if (/^\d{1,6}$/.test(word)) return say({ is: "number", amount: Number(word) });
  // "more than one"; else it only says which.
  if (word === "one" && /^(?:than|least|over|exactly|most|only|just|by)$/.test(before))
    return say({ is: "number", amount: 1 });
  if (STOP.test(word)) return say({ is: "stop" });
  if (word === ",") return say({ is: "comma" });
  if (word === "a" || word === "an") return say({ is: "a" });
  if (word === "'s") return say({ is: "possessive" });
  if (DATA_TYPE.test(token.text)) return say({ is: "adjective", where: { is: "data type", any: [token.text] } });
  return token.words.length === 0 || (!token.isName && isFiller(word)) ? [] : say({ is: "unknown" });
}
