/** Turns the words of a sentence into cues: names and values first, then phrases of the language of questions. */
import { distance } from "../../catalog/distance.ts";
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import { isTypoOf } from "../names/closeness.ts";
import type { Mention } from "../names/find-names.ts";
import { type ValueMention, WITH_A_SLIP } from "../names/find-values.ts";
import type { Things } from "../plan.ts";
import { as, type Cue, is, isColumnType, type Word } from "./cue.ts";
import { joinCues, setOf } from "./join-cues.ts";
import type { Token } from "./tokens.ts";
import { LAYER_BEGINNINGS } from "../names/words.ts";
import { findWords, isArticle, isFiller, isPlain, LONGEST_PHRASE, plainWords } from "./words.ts";

/** From here on a stretch is a name, whatever else its words may say. */
const SURE = 0.95;
const WHETHER = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|may)$/;
/** As warehouses call them. */
const DATA_TYPE =
  /^(?:u?int\d+|(?:big|small|tiny|medium)int|serial|float\d*|double|real|(?:n?var)?char2?|clob|date32|datetime\d+|timestamp(?:_?n?l?tz)|interval|jsonb?|variant|array|struct|uuid|guid|bytes|bytea|blob|varbinary|geography|geometry|hstore|inet|enum\d*)$/i;
const TYPE_ORDER: readonly Thing["type"][] = ["metric", "model", "dashboard", "pipeline", "table", "column"];

interface Stretch {
  from: number;
  to: number;
  cue: Cue;
  /** Whether it is nothing but what it says. */
  isSure: boolean;
  /** What stands within its words, such as "directly". */
  within?: readonly Cue[];
}

interface Found {
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
    const next = stretch ?? findPhrase(tokens, words, at, isTaken);
    if (next.cue !== null) cues.push(isApart ? { ...next.cue, isApart } : next.cue, ...(next.within ?? []));
    isApart = next.cue === null && (isApart || !isArticle(tokens[at]?.word ?? ""));
    at = next.to;
  }
  const said = cues.filter((cue, at) => !is(cue, "a") || (is(cues[at - 1], "name") && is(cues[at + 1], "type")));
  return joinCues(said, found.previous);
}

/** The names and values of a sentence, of which none overlap: the surest and longest. */
function chooseStretches(tokens: readonly Token[], { mentions, values, plainNames }: Found): Stretch[] {
  const isSaid = ({ from, to, sureness, things }: Mention): boolean => {
    const [first] = tokens.slice(from, to);
    // "amount in orders" is two names, which are joined later.
    const isJoined = things[0]?.type === "column" && tokens.slice(from, to).some(({ word }) => is(asCue(word), "in"));
    if (isJoined) return false;
    // A slip in a word of the language of questions makes no name.
    if (to - from === 1 && first?.isName === false && sureness < 1 && correct(first.word) !== first.word) return false;
    return to - from > 1 || first?.isName === true || !isPlain(first?.word ?? "") || isBesideType(tokens, from);
  };
  const named = mentions
    .filter((mention) => isSaid(mention) || (plainNames && mention.sureness >= 1 && isPlainName(mention, tokens)))
    .filter((mention) => !(isOnlyColumns(mention) && values.some((value) => isNamePart(value, mention, tokens))))
    .map((mention): Stretch => ({
      from: mention.from,
      to: mention.to,
      cue: toName(mention, tokens),
      isSure: mention.sureness >= SURE,
    }));
  const isElse = ({ from, to }: ValueMention): boolean =>
    [...mentions.filter((each) => !isOnlyColumns(each)), ...values.filter(({ category }) => category !== "Part")].some(
      (each) => each.from === from && each.to === to,
    );
  const valued = values
    .filter((value) => value.category !== "Part" || !isElse(value))
    .filter((value) => isValue(tokens, value))
    .map(({ from, to, category, condition, sureness }): Stretch => ({
      from,
      to,
      cue: { text: textOf(tokens, from, to), words: [toValue(category, condition)], sureness },
      isSure: sureness >= 1,
    }));
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
  const others = first.words.filter((word) => word !== a);
  return { ...first, words: [{ ...a, things: [...a.things, ...b.things] }, ...others] };
}

function isOnlyColumns({ things }: Mention): boolean {
  return things.every(({ type }) => type === "column");
}

/** "the amount of orders", "the column status": a plain word is a column's name only where a table or its type is beside it. */
function isPlainName(mention: Mention, tokens: readonly Token[]): boolean {
  const beside = [tokens[mention.from - 1]?.word, tokens[mention.to]?.word].map((word) => asCue(word ?? ""));
  return !isOnlyColumns(mention) || is(beside[1], "in") || beside.some(isColumnType);
}

/** Whether the same words say a part of names: "the shopify staging models" are no columns of that name. */
function isNamePart({ condition, from, to }: ValueMention, mention: Mention, tokens: readonly Token[]): boolean {
  return condition.is === "name part" && from === mention.from && to === mention.to && isBeforeLayer(tokens, to);
}

/** Whether a layer stands here, and then a type. */
function isBeforeLayer(tokens: readonly Token[], at: number): boolean {
  return LAYER_BEGINNINGS.has(tokens[at]?.word ?? "") && is(asCue(tokens[at + 1]?.word ?? ""), "type");
}

/** "the users table": a plain word is a name where its type stands beside it. */
function isBesideType(tokens: readonly Token[], at: number): boolean {
  const near = [tokens[at + 1]?.word, tokens[at - 1]?.word].map((word) => as(asCue(word ?? ""), "type"));
  return near.some((type) => type !== undefined) && as(asCue(tokens[at]?.word ?? ""), "type") === undefined;
}

/** "the email_event table" is one, and not all that begin so. */
function isBeforeOne(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.word ?? "";
  return !word.endsWith("s") && is(asCue(word), "type");
}

function asCue(word: string): Cue {
  return { text: word, words: findWords(word), sureness: 1 };
}

/** Words beside which a plain word is a value. */
const NEAR_VALUES =
  /^(?:in|from|of|outside|tagged|tag|tags|labell?ed|schema|schemas|layer|area|database|connector|called)$/;
const NEAR_OWNERS = /^(?:owns?|owned|by|'s|responsible|from|of|to|maintain(?:s|ed)|who|and|does|do|managed?)$/;

function isValue(tokens: readonly Token[], { from, to, category, sureness, condition }: ValueMention): boolean {
  const text = textOf(tokens, from, to);
  if (condition.is === "name part" && /_./.test(text) && isBeforeOne(tokens, to)) return false;
  // A slip in a word of the language of questions makes no value.
  if (sureness === WITH_A_SLIP && (isPlain(text.toLowerCase()) || correct(text.toLowerCase()) !== text.toLowerCase()))
    return false;
  // "table" says how something is built only where that is spoken of: "built as a table", "views and how many tables".
  if (category === "Made" && /^tables?$/.test(text.toLowerCase())) {
    const isListed = /^(?:or|and|nor|many|are|not)$/.test(tokens[from - 1]?.word ?? "");
    const isMade = tokens.slice(0, from).some(({ word }) => /^(?:views?|incremental|ephemeral)$/.test(word));
    if (isListed && isMade) return true;
    return tokens.slice(Math.max(0, from - 3), from).some(({ word }) => word === "as" || is(asCue(word), "made"));
  }
  if (category === "Part") return !isPlain(text.toLowerCase()) && isBeforeLayer(tokens, to);
  if (category === "Owner" && sureness < 1)
    return [tokens[from - 1], tokens[to]].some((token) => NEAR_OWNERS.test(token?.word ?? ""));
  const isLayer =
    is(asCue(tokens[to]?.word ?? ""), "type") &&
    /^(?:staging|intermediate|fact|dimension|mart|marts|base)$/i.test(text);
  if (isLayer) return true;
  const isPlace = [tokens[from - 1], tokens[to]].some((token) => NEAR_VALUES.test(token?.word ?? ""));
  return category === "Made" || isPlace || tokens.slice(from, to).some(({ word, isName }) => isName || !isPlain(word));
}

function toValue(category: ValueMention["category"], where: ValueMention["condition"]): Word {
  const of = where.is === "name part" ? "beginning" : (category.toLowerCase() as "owner");
  return { is: "value", of, where };
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
  return {
    text: textOf(tokens, from, to),
    words: [{ is: "name", things: sorted, set: setOf(sorted, text) }],
    sureness,
  };
}

/** What a mistyped word of the language of questions was to be. */
function correct(word: string): string {
  const near = [...plainWords()].filter((each) => isTypoOf(word, each));
  return near.toSorted((a, b) => distance(word, a) - distance(word, b))[0] ?? word;
}

function findPhrase(
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
  isTaken: (at: number) => boolean,
): Pick<Stretch, "to" | "within"> & { cue: Cue | null } {
  if (at === 0 && WHETHER.test(words[0] ?? ""))
    return { to: 1, cue: { text: textOf(tokens, 0, 1), words: [{ is: "whether" }], sureness: 1 } };
  // "is there a model": whether there is one; "is that a view": whether it is one.
  if (at === 1 && (words[1] === "there" || (words[1] === "that" && WHETHER.test(words[0] ?? ""))))
    return { to: 2, cue: { text: words[1], words: [{ is: words[1] === "that" ? "it" : "exist" }], sureness: 1 } };
  // "whose models": who owns them.
  if (at === 0 && words[0] === "whose" && is(asCue(words[1] ?? ""), "type"))
    return { to: 1, cue: { text: "whose", words: [{ is: "who" }, { is: "own" }], sureness: 1 } };
  if (words[at] === "other" && as(asCue(words[at + 1] ?? ""), "type") !== undefined) return { to: at + 1, cue: null };
  for (let to = Math.min(tokens.length, at + LONGEST_PHRASE); to > at; to--) {
    const span = tokens.slice(at, to);
    // `not_null` is written as a name.
    const isNamed = to > at + 1 || !as(asCue(spaced(words[at])), "check")?.any.includes(words[at] ?? "");
    if (span.some(({ isName }, i) => (isName && isNamed) || isTaken(at + i))) continue;
    // "depends directly on"
    const within = words
      .slice(at + 1, to - 1)
      .map(asCue)
      .filter((cue) => is(cue, "direct", "far"));
    const said = words.slice(at, to).filter((word, i) => {
      const isInside = i > 0 && i < to - at - 1;
      return i === 0 || !(isArticle(word) || (isInside && within.some(({ text }) => text === word)));
    });
    const found = said.length > 1 || to === at + 1 ? findWords(isNamed ? said.join(" ") : spaced(words[at])) : [];
    const cue = { text: textOf(tokens, at, to), words: found, sureness: 1 };
    if (found.length > 0 && !isArticle(words[to - 1] ?? "")) return { to, cue, within };
  }
  return { to: at + 1, cue: toSingle(tokens[at], words[at] ?? "", words[at - 1]) };
}

function spaced(words = ""): string {
  return words.replaceAll("_", " ");
}

/** @param before the word before it; undefined at the beginning */
function toSingle(token: Token | undefined, word: string, before: string | undefined): Cue | null {
  if (token === undefined) return null;
  const say = (said: Word): Cue => ({ text: token.text, words: [said], sureness: 1 });
  // "more than one"; else it only says which.
  if (word === "one" && /^(?:than|least|over|exactly|most|only|just|by)$/.test(before ?? ""))
    return say({ is: "number", amount: 1 });
  if (word === ",") return say({ is: "comma" });
  if (word === "a" || word === "an") return say({ is: "a" });
  if (word === "'s") return say({ is: "possessive" });
  if (/^\d{1,6}$/.test(word)) return say({ is: "number", amount: Number(word) });
  if (DATA_TYPE.test(token.text)) return say({ is: "adjective", where: { is: "data type", any: [token.text] } });
  if (!token.isName && isFiller(word)) return null;
  return token.words.length === 0 ? null : say({ is: "unknown" });
}
