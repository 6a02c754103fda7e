/** Turns the words of a sentence into cues: names and values first, then phrases of the language of questions. */
import { LAYER_BEGINNINGS } from "../names/words.ts";
import { as, type Cue, cueOf, is, isColumnType, type Mention, type Word, type WordOf } from "./cue.ts";
import type { Token } from "../names/tokens.ts";
import { articles, fillers, findWords, isNearPlain, isPlain, LONGEST_PHRASE } from "./words.ts";

/** From here on a stretch is a name, whatever else its words may say. */
const SURE = 0.95;
const WHETHER = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|may)$/;
/** As warehouses call them. */
const DATA_TYPE =
  /^(?:u?int\d+|(?:big|small|tiny)int|float\d*|double|n?varchar|date32|datetime\d+|jsonb?|uuid|array)$/i;
/** Words beside which a plain word is a value, or an owner. */
const NEAR_VALUES = /^(?:in|from|of|outside|tagged|tags?|schemas?|layer|area|database|connector|called)$/;
const NEAR_OWNERS = /^(?:owns?|owned|by|'s|responsible|from|of|to|maintain(?:s|ed)|who|and|does|do|managed?)$/;

/** Cues, and the place of the token behind them. */
interface Said {
  to: number;
  cues: Cue[];
}

/** @param plainNames whether a word of the language of questions may be a name that an asset has */
export function findCues(tokens: readonly Token[], mentions: readonly Mention[], plainNames: boolean): Cue[] {
  const named = chooseMentions(tokens, mentions, plainNames);
  const cues: Cue[] = [];
  let isApart = false;
  for (let at = 0; at < tokens.length;) {
    const { to, cues: said } = named.get(at) ?? findPhrase(tokens, at, named);
    const [first, ...within] = said;
    if (first !== undefined) cues.push(isApart ? { ...first, isApart } : first, ...within);
    isApart = first === undefined && (isApart || !articles.has(tokens[at]?.word ?? ""));
    at = to;
  }
  return cues.filter((cue, at) => !is(cue, "a") || (is(cues[at - 1], "name") && is(cues[at + 1], "type")));
}

/** The names and values of a sentence by where they begin: the surest and longest, of which none overlap. */
function chooseMentions(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  plainNames: boolean,
): ReadonlyMap<number, Said> {
  const chosen = new Map<number, Said>();
  const meant = mentions.filter((mention) => isMeant(tokens, mention, plainNames));
  for (const { from, to, word, sureness, near = [] } of meant.toSorted(rank)) {
    const same = chosen.get(from);
    const [cue] = same?.to === to ? same.cues : [];
    // A text may name an asset, a tag and a schema: the words around it say which.
    if (cue !== undefined) chosen.set(from, { to, cues: [{ ...cue, words: bothOf(cue, word) }] });
    else if (chosen.entries().every(([start, { to: end }]) => to <= start || end <= from))
      chosen.set(from, { to, cues: [{ ...cueOf(textOf(tokens, from, to), word), sureness, near }] });
  }
  return chosen;
}

function isSure({ sureness, word }: Mention): boolean {
  return sureness >= (word.is === "name" ? SURE : 1);
}

/** The surest and longest first. */
function rank(a: Mention, b: Mention): number {
  return Number(isSure(b)) - Number(isSure(a)) || b.to - b.from - (a.to - a.from) || b.sureness - a.sureness;
}

function bothOf(cue: Cue, word: Word): Word[] {
  const name = as(cue, "name");
  if (name === undefined || word.is !== "name") return [...cue.words, word];
  return [{ ...name, things: [...name.things, ...word.things] }];
}

function isMeant(tokens: readonly Token[], mention: Mention, plainNames: boolean): boolean {
  const { word } = mention;
  if (word.is === "value") return isValue(tokens, mention, word);
  return isName(tokens, mention, word) || (plainNames && isPlainName(tokens, mention, word));
}

/** Whether words are meant as a name that are no others, or that stand beside its type: "the users table". */
function isName(tokens: readonly Token[], { from, to, sureness }: Mention, { things }: WordOf<"name">): boolean {
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
function isPlainName(tokens: readonly Token[], { from, to, sureness }: Mention, { things }: WordOf<"name">): boolean {
  const beside = [tokens[from - 1], tokens[to]].map((token) => cueAt(token?.word));
  const isOther = things.some(({ type }) => type !== "column");
  return sureness >= 1 && (isOther || is(beside[1], "in") || beside.some(isColumnType));
}

function cueAt(word = ""): Cue {
  return cueOf(word, ...findWords(word));
}

function isValue(tokens: readonly Token[], { from, to, sureness }: Mention, { where }: WordOf<"value">): boolean {
  const text = textOf(tokens, from, to).toLowerCase();
  const [before, behind] = [tokens[from - 1]?.word ?? "", tokens[to]?.word ?? ""];
  const isBeforeType = is(cueAt(behind), "type");
  // "the email_event table" is one, and not all that begin so.
  if (where.is === "name part" && /_./.test(text) && isBeforeType && !behind.endsWith("s")) return false;
  // "table" says how something is built only where that is spoken of: "built as a table".
  if (where.is === "materialization")
    return (
      !/^tables?$/.test(text) ||
      tokens.slice(Math.max(0, from - 3), from).some(({ word }) => word === "as" || is(cueAt(word), "made"))
    );
  const isNear = (words: RegExp): boolean => words.test(before) || words.test(behind);
  if (where.is === "owner" && sureness < 1) return isNear(NEAR_OWNERS);
  const isKnown = tokens.slice(from, to).every(({ word, isName: isWritten }) => !isWritten && isPlain(word));
  return !isKnown || isNear(NEAR_VALUES) || (isBeforeType && LAYER_BEGINNINGS.has(text));
}

function textOf(tokens: readonly Token[], from: number, to: number): string {
  const texts = tokens.slice(from, to).map(({ text }) => text);
  return texts.join(" ");
}

/** The longest phrase that begins here, with what stands within it: "depends directly on". */
function findPhrase(tokens: readonly Token[], at: number, named: ReadonlyMap<number, Said>): Said {
  const token = tokens[at] as Token;
  const words = tokens.map(({ word }) => word);
  const [before = "", word, behind] = [words[at - 1], token.word, words[at + 1]];
  const say = (text: string, ...said: Word[]): Said => ({ to: at + 1, cues: [cueOf(text, ...said)] });
  const isFirst =
    at === 0 || /^(?:[^\p{L}\p{N},].*|, and)$/u.test(words.slice(at - (before === "and" ? 2 : 1), at).join(" "));
  if (isFirst && WHETHER.test(word)) return say(word, { is: "whether" });
  // "whose models": who owns them.
  if (isFirst && word === "whose" && is(cueAt(behind), "type")) return say(word, { is: "who" }, { is: "own" });
  // "is there a model": whether there is one.
  if (word === "there" && WHETHER.test(before)) return say(word, { is: "exist" });
  for (let to = Math.min(tokens.length, at + LONGEST_PHRASE); to > at; to--) {
    if (tokens.slice(at, to).some(({ isName: isWritten }, i) => isWritten || named.has(at + i))) continue;
    const inside = words
      .slice(at + 1, to - 1)
      .map(cueAt)
      .filter((cue) => is(cue, "direct", "far"));
    const said = words.slice(at, to).filter((each, i) => {
      const isInside = i < to - at - 1 && inside.some(({ text }) => text === each);
      return i === 0 || !(articles.has(each) || isInside);
    });
    const found = said.length > 1 || to === at + 1 ? findWords(said.join(" ").replaceAll("_", " ")) : [];
    if (found.length > 0 && (to === at + 1 || !articles.has(words[to - 1] ?? "")))
      return { to, cues: [cueOf(textOf(tokens, at, to), ...found), ...inside] };
  }
  if (/^\d{1,6}$/.test(word)) return say(token.text, { is: "number", amount: Number(word) });
  // "more than one"; else it only says which.
  if (word === "one" && /^(?:than|least|over|exactly|most|only|just|by)$/.test(before))
    return say(token.text, { is: "number", amount: 1 });
  if (word === ",") return say(token.text, { is: "comma" });
  if (DATA_TYPE.test(token.text))
    return say(token.text, { is: "adjective", where: { is: "data type", any: [token.text] } });
  const isSilent = token.words.length === 0 || (!token.isName && fillers.has(word));
  return isSilent ? { to: at + 1, cues: [] } : say(token.text, { is: "unknown" });
}
