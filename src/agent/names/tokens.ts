/** Cuts a question into words and names, each with its place in the text. */
import { splitIdentifier } from "../../catalog/search.ts";
import { foldForSearch } from "../../catalog/text.ts";

export interface Token {
  /** As written, without quotes. */
  text: string;
  /** Folded; what rules look at. */
  word: string;
  /** The words in it, folded: several where it is a name such as `fct_orders`. */
  words: readonly string[];
  /** A name as the catalog has it, or quoted: to be taken whole. */
  isName: boolean;
}

const QUOTED = String.raw`\x60([^\x60\n]{1,200})\x60|"([^"\n]{1,200})"|“([^”\n]{1,200})”|(?<=^|[\s(])'([^'\n]{2,200})'(?=$|[\s?.,;:!)])`;
const ADDRESS = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
const NAME = String.raw`[\p{L}\p{N}\p{M}]*_[\p{L}\p{N}\p{M}_]*(?:\.[\p{L}\p{N}\p{M}_]+)*|[\p{L}\p{N}\p{M}]+(?:\.[\p{L}\p{N}\p{M}_]+)+`;
const WORD = String.raw`[\p{L}\p{N}\p{M}]+`;
const MARK = String.raw`[,;:?!()]|\.(?=\s|$)|(?<=\s)[-–—]+(?=\s)`;
const TOKEN = new RegExp(`${QUOTED}|(?:(${ADDRESS}|${NAME})|(${WORD}))(?:['’](s|re|ll|ve|d|m|t)\\b)?|(${MARK})`, "gu");

/** What stands behind an apostrophe. */
const CONTRACTED: Readonly<Record<string, string>> = {
  re: "are",
  ll: "will",
  ve: "have",
  d: "would",
  m: "am",
  t: "not",
};
/** Words behind which `'s` is short for "is"; behind others it is an owner's. */
const BEFORE_IS = new Set(["what", "who", "where", "when", "how", "that", "there", "it", "here", "which"]);

/** The question's tokens. Marks that end a clause are tokens without words. */
export function tokenize(question: string): Token[] {
  return [...question.normalize("NFKC").matchAll(TOKEN)].flatMap((match): Token[] => {
    const [, q1, q2, q3, q4, written, word = "", suffix, mark] = match;
    if (mark !== undefined) return [toMark(mark)];
    const name = q1 ?? q2 ?? q3 ?? q4 ?? written;
    const first = toToken(name ?? word, name !== undefined);
    if (suffix === undefined) return [first];
    if (suffix === "s") return [first, BEFORE_IS.has(first.word) ? toToken("is") : toMark("'s")];
    // "isn't" is cut before its t.
    const isCut = suffix === "t" && first.word.endsWith("n") && first.word !== "can";
    return [isCut ? toToken(first.text.slice(0, -1)) : first, toToken(CONTRACTED[suffix] ?? suffix)];
  });
}

function toToken(text: string, isName = false): Token {
  const word = foldForSearch(text);
  return { text, word, words: isName ? splitIdentifier(text) : [word], isName };
}

function toMark(text: string): Token {
  return { text, word: text, words: [], isName: false };
}

export function textOf(span: readonly Token[]): string {
  return span.map(({ text }) => text).join(" ");
}
