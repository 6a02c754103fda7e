/** Looks up what the words of a question may say. */
import type { Word } from "./cue.ts";
import { PHRASES } from "./phrases.ts";
import { ROLES } from "./roles.ts";

/** Words that say nothing of what is asked. */
const FILLERS = new Set(
  `is are was were be been being am do does did can could will would should may might must shall that which there any some anyone anybody someone somebody
  please pls plz kindly me us we you i our my your hey hi hello hiya ok okay so well now actually really currently presently still already
  thanks thank thx cheers dear quickly maybe perhaps then as list show give gimme display enumerate present name print return
  let looking look trying try keep search hmm uh um btw again right such various single particular certain specific full complete entire whole actual
  catalog catalogue workspace project warehouse system here simply basically quick possible able help question quite very even too tho pretty others themselves
  itself sorry fyi asap haha anyway anyways obviously honestly literally generally normally usually typically exactly ever given existing available corresponding
  data info information kind sort one ones total altogether overall different sure if exactly also us folks team everyone all wonder wondering curious
  good morning afternoon evening day configured together really kinda itself respective plain`.split(/\s+/),
);

const ARTICLES = new Set("a an the our my your".split(" "));

/** Phrases by their words; those that come first in the table win. */
const phrases = new Map<string, Word[]>();
const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];
const roles = ROLE_NAMES.map((role) => [{ is: role }, ROLES[role]] as const);
for (const [word, written] of [...PHRASES, ...roles])
  for (const phrase of written.split(/,\s*/).flatMap(expand)) {
    const known = phrases.get(phrase);
    if (known === undefined) phrases.set(phrase, [word]);
    else known.push(word);
  }

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
for (const [amount, word] of NUMBERS.entries()) if (amount > 1) phrases.set(word, [{ is: "number", amount }]);

/** The words of the table and of fillers, one by one. */
const single = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(" ")));

export const LONGEST_PHRASE = 5;

/** What a phrase may say, the likeliest first. */
export function findWords(phrase: string): readonly Word[] {
  return phrases.get(phrase) ?? [];
}

export function isArticle(word: string): boolean {
  return ARTICLES.has(word);
}

export function isFiller(word: string): boolean {
  return FILLERS.has(word) || ARTICLES.has(word);
}

/** Whether a word belongs to the language of questions. */
export function isPlain(word: string): boolean {
  return single.has(word) || isFiller(word);
}

export function plainWords(): ReadonlySet<string> {
  return single;
}

/** The phrases that a pattern stands for. */
function expand(pattern: string): string[] {
  const [, before = "", open, inner = "", after = ""] = /^([^([]*)([([])([^)\]]*)[)\]](.*)$/s.exec(pattern) ?? [];
  if (open === undefined) return [pattern.trim().split(/\s+/).join(" ")].filter(Boolean);
  const choices = [...inner.split("|"), ...(open === "[" ? [""] : [])];
  return choices.flatMap((choice) => expand(`${before}${choice}${after}`));
}
