/** Which of the names and values that the words of a question may have are meant. */
import type { Thing } from "../catalog.ts";
import type { Condition } from "../plan.ts";
import { as, type Cue, cueOf, is, isColumnType, type Word, type WordOf } from "../read/cue.ts";
import { cueAt, isPlain, plainLike } from "../read/phrases.ts";
import type { Span } from "./match.ts";
import { textOf, type Token } from "./tokens.ts";
import { LAYER_BEGINNINGS } from "./words.ts";

/** From here on a stretch is a name, whatever else its words may say. */
export const SURE = 0.95;
/** Words beside which a plain word is a value, or an owner. */
const NEAR_VALUES = /^(?:in|from|of|outside|tagged|tags?|schemas?|layer|area|database|connector|called)$/;
const NEAR_OWNERS = /^(?:owns?|owned|by|'s|responsible|from|of|to|maintain(?:s|ed)|who|and|does|do|managed?)$/;

/** Assets that some words name equally well, or a value that assets have. */
export interface Mention extends Span, Pick<Cue, "sureness" | "near"> {
  word: WordOf<"name"> | WordOf<"value">;
}

/** A mention as a cue, or cues, and the place of the token behind them. */
export interface Said {
  to: number;
  cues: Cue[];
}

/**
 * The names and values of a sentence by where they begin: the surest and longest, of which none overlap.
 * @param plainNames whether a word of the language of questions may be a name that an asset has
 */
export function chooseMentions(tokens: readonly Token[], mentions: readonly Mention[], plainNames: boolean) {
  const chosen = new Map<number, Said>();
  const meant = mentions.filter((mention) => {
    const { word } = mention;
    return word.is === "value" ? isValue(mention, word.where) : isName(mention, word.things);
  });
  for (const { from, to, word, sureness, near = [] } of meant.toSorted(rank)) {
    const same = chosen.get(from);
    const [cue] = same?.to === to ? same.cues : [];
    // A text may name an asset, a tag and a schema: the words around it say which.
    if (cue !== undefined) chosen.set(from, { to, cues: [{ ...cue, words: bothOf(cue, word) }] });
    else if (chosen.entries().every(([start, { to: end }]) => to <= start || end <= from))
      chosen.set(from, { to, cues: [{ ...cueOf(textOf(tokens.slice(from, to)), word), sureness, near }] });
  }
  return chosen;

  /**
   * Whether words are meant as a name that are no others, or that stand beside its type: "the users table". A plain word is a
   * column's name only where a table or its type is beside it: "the amount of orders", "the column status".
   */
  function isName({ from, to, sureness }: Mention, things: readonly Thing[]): boolean {
    const [first, ...others] = tokens.slice(from, to);
    const beside = [tokens[from - 1], tokens[to]].map((token) => cueAt(token?.word));
    const isOther = things.some(({ type }) => type !== "column");
    if (plainNames && sureness >= 1 && (isOther || is(beside[1], "in") || beside.some(isColumnType))) return true;
    // "amount in orders" is two names, which are joined later.
    const isOne = things[0]?.type !== "column" || !others.some(({ word }) => is(cueAt(word), "in"));
    if (first === undefined || !isOne) return false;
    if (others.length > 0 || first.isName) return true;
    // A slip in a word of the language of questions makes no name.
    if (!isPlain(first.word)) return sureness === 1 || plainLike(first.word).length === 0;
    return beside.some((cue) => is(cue, "type")) && !is(cueAt(first.word), "type");
  }

  function isValue({ from, to, sureness }: Mention, where: Condition): boolean {
    const own = tokens.slice(from, to);
    const text = textOf(own).toLowerCase();
    const [before, behind] = [tokens[from - 1]?.word ?? "", tokens[to]?.word ?? ""];
    const isBeforeType = is(cueAt(behind), "type");
    // "the email_event table" is one, and not all that begin so.
    if (where.is === "name part" && /_./.test(text) && isBeforeType && !behind.endsWith("s")) return false;
    // "table" says how something is built only where that is spoken of: "built as a table".
    if (where.is === "materialization") {
      const lead = tokens.slice(Math.max(0, from - 3), from);
      return !/^tables?$/.test(text) || lead.some(({ word }) => word === "as" || is(cueAt(word), "made"));
    }
    const isNear = (words: RegExp): boolean => words.test(before) || words.test(behind);
    if (where.is === "owner" && sureness < 1) return isNear(NEAR_OWNERS);
    const isKnown = own.every(({ word, isName: isWritten }) => !isWritten && isPlain(word));
    return !isKnown || isNear(NEAR_VALUES) || (isBeforeType && LAYER_BEGINNINGS.has(text));
  }
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
