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
const DAY = String.raw`\d{4}-\d{2}-\d{2}`;
const WORD = String.raw`[\p{L}\p{N}\p{M}]+`;
/** "w/" and "w/o". */
const WITH = String.raw`[wW]\/(?:[oO](?![\p{L}\p{N}]))?`;
/** Initials such as "P&L". */
const INITIALS = String.raw`(?<![\p{L}\p{N}])\p{L}{1,2}&\p{L}{1,2}(?![\p{L}\p{N}])`;
const MARK = String.raw`[,;:?!()]|\.(?=\s|$)|(?<=\s)[-–—]+(?=\s)`;
const TOKEN = new RegExp(
  `${QUOTED}|(${ADDRESS})|(?:(${NAME})|(${INITIALS}|${DAY}|${WITH}|${WORD}))(?:['’](s|re|ll|ve|d|m|t)\\b)?|(${MARK})`,
  "gu",
);

/** `a=b c, d=e`, by what stands before the mark. */
function pairs(text: string): [string, string][] {
  return text.split(", ").map((pair) => pair.split("=") as [string, string]);
}

/** What a contraction stands for; a possessive is told by what comes before it. */
const CONTRACTED = new Map(pairs("re=are, ll=will, ve=have, d=would, m=am, t=not"));
const VERBS = "is are was were does do did has have had would should could".split(" ");
/** What is often written without its apostrophe, or shorter. */
const SHORT = new Map<string, string>([
  ...VERBS.map((word) => [`${word}nt`, `${word} not`] as const),
  ..."what wat wht who where when how that there".split(" ").map((word) => [`${word}s`, `${word} is`] as const),
  ...pairs(
    "cant=can not, cannot=can not, wont=will not, im=i am, ive=i have, gimme=give me, lemme=let me, hw=how, u=you",
  ),
  ...pairs("wanna=want to, gotta=have to, hv=have, hav=have, ur=your, r=are, abt=about, w/=with, w/o=without"),
]);
const BEFORE_IS = new Set(["what", "wat", "who", "where", "when", "how", "that", "there", "it", "here", "which"]);

/** The `'s` of an owner. */
const POSSESSIVE: Token = { text: "'s", word: "'s", words: [], isName: false };

/** The question's tokens. Marks that end a clause are tokens without words. */
export function tokenize(question: string): Token[] {
  return [...question.normalize("NFKC").matchAll(TOKEN)].flatMap((match): Token[] => {
    const [, q1, q2, q3, q4, address, name, word, suffix, mark] = match;
    const quoted = q1 ?? q2 ?? q3 ?? q4;
    if (quoted !== undefined) return [toName(quoted)];
    if (address !== undefined) return [toName(address)];
    if (name !== undefined) return suffix === "s" ? [toName(name), POSSESSIVE] : [toName(name)];
    if (mark !== undefined) return [{ text: mark, word: mark, words: [], isName: false }];
    if (word === undefined) return [];
    return toWords(word, suffix);
  });
}

function toName(text: string): Token {
  return { text, word: foldForSearch(text), words: splitIdentifier(text), isName: true };
}

function toWords(text: string, suffix: string | undefined): Token[] {
  const first = toWord(text);
  if (suffix === undefined) return SHORT.get(first.word)?.split(" ").map(toWord) ?? [first];
  // "isn't" is cut before its t.
  if (suffix === "t" && first.word.endsWith("n"))
    return [toWord(first.word === "can" ? "can" : text.slice(0, -1)), toWord("not")];
  if (suffix !== "s") return [first, toWord(CONTRACTED.get(suffix) ?? suffix)];
  return [first, BEFORE_IS.has(first.word) ? toWord("is") : POSSESSIVE];
}

function toWord(text: string): Token {
  const word = foldForSearch(text);
  return { text, word, words: [word], isName: false };
}
