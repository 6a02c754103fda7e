/** Words and phrases that say nothing of what is asked. */

/** Words that say nothing of what is asked. They are left out before anything is read. */
const ARTICLES = new Set("a an the our my your me us i we you im id ive one's please pls plz kindly".split(" "));
const FILLERS = new Set(
  `hey hi hello hiya ok okay so well now actually really currently presently also still already thanks thank thx tnx ty cheers dear quickly maybe
  perhaps then there's any some anyone anybody someone somebody folks guys want know am wonder wondering trying try
  looking say says thinking think sure hmm uh um btw again right remind together such various single teh ones particular certain
  specific full complete actual catalog workspace system here simply basically quick possible able let lets help question quite
  very even tho pretty beforehand afterwards project other others themselves itself
  sorry fyi asap haha lol mate pal ah oh er yo alright anyway anyways obviously honestly literally generally normally usually typically
  formally officially explicitly indeed existing available corresponding respective relevant given warehouse company asking curious designated dedicated nominated`.split(
    /\s+/,
  ),
);

/** Phrases that only lead to what is asked, as they stand at the beginning. */
export const LEADS =
  `is it true that|is it correct that|is it right that|is it the case that|is it so that|am i right that|can you confirm that|could you confirm that|please confirm that|confirm that|hi team|hello team|hey team|dear team|hi all|hello all|hi everyone|hello everyone|hi everybody|can you tell me|could you tell me|do you know|i want to know|i would like to know|i need to know|please tell me|tell me|show me|give me|list me|list|show|find me|find|give|want to know|like to know|let me see|remind me|
can you show me|can you list|could you list|could you show me|i need a list of|a list of|list of|i am looking for|looking for|i want to see|i would like to see|help me find|can you find|let me know|any idea|i wonder|what about|and|so|
can you give me|could you give me|would you tell me|can someone tell me|do we know|quick question|hi there|hello there|name|enumerate|return|get me|fetch|display|print|point me to|i need|i want|please list|please show me|please give me|report`
    .split(/\||\n/)
    .map((each) => withoutArticles(each.trim()))
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length);

/** Words that only ask politely, up to a verb that asks to be told. */
const POLITE = new Set(
  `can could would will may might should be so kind nice great good grateful glad happy lovely appreciate love like enough if and but
  to it for want wants need needs wanted asks asked morning afternoon evening day thanks`.split(/\s+/),
);
export const TELLS: ReadonlySet<string> = new Set("tell show explain know see find list give share".split(" "));
const WANTS = /^(?:wants?|needs?|wanted|asked|asks)$/;
/** "our finance team wants": somebody has so many words at most, and is not asked for. */
const MAX_SOMEBODY = 3;
const ASKS_WHO = /^(?:who|which|what|whose)$/;

/** How many words only lead to what is asked: "would be so kind and tell", "marketing wants to know". */
export function countPolite(words: readonly string[]): number {
  const wants = words.slice(0, MAX_SOMEBODY + 1).findIndex((word) => WANTS.test(word));
  let at = ASKS_WHO.test(words[0] ?? "") ? 0 : Math.max(0, wants);
  const isPolite = (word = ""): boolean => !TELLS.has(word) && (POLITE.has(word) || isFiller(word));
  while (isPolite(words[at]) || (at > 0 && words[at] === ",")) at++;
  if (at === 0 || !TELLS.has(words[at] ?? "")) return 0;
  return /^(?:to|out|if|whether)$/.test(words[at + 1] ?? "") ? at + 2 : at + 1;
}

function withoutArticles(phrase: string): string {
  return phrase
    .split(" ")
    .filter((word) => !ARTICLES.has(word))
    .join(" ");
}

export function isArticle(word: string): boolean {
  return ARTICLES.has(word);
}

/** Whether a word says nothing of what is asked, unless it is part of a name. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}
