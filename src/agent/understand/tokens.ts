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
  /** Behind it stands the `'s` of an owner. */
  possessive: boolean;
}

const QUOTED = String.raw`\x60([^\x60\n]{1,200})\x60|"([^"\n]{1,200})"|“([^”\n]{1,200})”|(?<=^|[\s(])'([^'\n]{2,200})'(?=$|[\s?.,;:!)])`;
const ADDRESS = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
const NAME = String.raw`[\p{L}\p{N}\p{M}]*_[\p{L}\p{N}\p{M}_]*(?:\.[\p{L}\p{N}\p{M}_]+)*|[\p{L}\p{N}\p{M}]+(?:\.[\p{L}\p{N}\p{M}_]+)+`;
const WORD = String.raw`[\p{L}\p{N}\p{M}]+`;
const MARK = String.raw`[,;?!]|\.(?=\s|$)`;
const TOKEN = new RegExp(`${QUOTED}|(${ADDRESS})|(${NAME})|(${WORD})(?:['’](s|re|ll|ve|d|m|t)\\b)?|(${MARK})`, "gu");

/** What a contraction stands for; a possessive is told by what comes before it. */
const CONTRACTED: Readonly<Record<string, string>> = {
  re: "are",
  ll: "will",
  ve: "have",
  d: "would",
  m: "am",
  t: "not",
};
const BEFORE_IS = new Set(["what", "who", "where", "when", "how", "that", "there", "it", "here", "which"]);

/** The question's tokens. Marks that end a clause are tokens without words. */
export function tokenize(question: string): Token[] {
  return [...question.normalize("NFKC").matchAll(TOKEN)].flatMap((match) => {
    const [, q1, q2, q3, q4, address, name, word, suffix, mark] = match;
    const quoted = q1 ?? q2 ?? q3 ?? q4;
    if (quoted !== undefined) return [toName(quoted)];
    if (address !== undefined) return [toName(address)];
    if (name !== undefined) return [toName(name)];
    if (mark !== undefined) return [{ text: mark, word: mark, words: [], isName: false, possessive: false }];
    if (word === undefined) return [];
    return toWords(word, suffix);
  });
}

function toName(text: string): Token {
  return { text, word: foldForSearch(text), words: splitIdentifier(text), isName: true, possessive: false };
}

function toWords(text: string, suffix: string | undefined): Token[] {
  const first = toWord(text);
  if (suffix === undefined) return [first];
  // "isn't" is cut before its t.
  if (suffix === "t" && first.word.endsWith("n"))
    return [toWord(first.word === "can" ? "can" : text.slice(0, -1)), toWord("not")];
  if (suffix !== "s") return [first, toWord(CONTRACTED[suffix] ?? suffix)];
  return BEFORE_IS.has(first.word) ? [first, toWord("is")] : [{ ...first, possessive: true }];
}

function toWord(text: string): Token {
  const word = foldForSearch(text);
  return { text, word, words: [word], isName: false, possessive: false };
}
