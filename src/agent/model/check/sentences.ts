/** A model's text as plain sentences: whatever is no text is taken out, or makes its sentence go. */

/** What a reader's screen would turn into a link, an image or a tag. */
const ACTIVE =
  /!?\[[^\]]*\]\s*[([]|<[a-z/!?]|\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|(?:javascript|data|mailto|file):)/iu;
const MAX_SENTENCES = 40;
const MAX_SENTENCE_CHARACTERS = 1_000;

export interface Sentence {
  text: string;
  /** Holds a link, an image or a tag, or is too long to be a sentence: never to be shown. */
  barred: boolean;
}

/** The sentences in their order; headings, bullets and emphasis become plain text. */
export function splitSentences(text: string): Sentence[] {
  return text
    .replaceAll(/<think>[\s\S]*?(?:<\/think>|$)/gi, " ")
    .replaceAll(/```\w*/g, " ")
    .split(/\n+/)
    .flatMap((line) => splitLine(toPlainLine(line)))
    .slice(0, MAX_SENTENCES)
    .map((sentence) => ({
      text: sentence,
      barred: ACTIVE.test(sentence) || sentence.length > MAX_SENTENCE_CHARACTERS,
    }));
}

function toPlainLine(line: string): string {
  return line
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .toWellFormed()
    .trim()
    .replace(/^(?:[#>]+|[-*+•]|\d{1,2}[.)])\s+/u, "")
    .replaceAll("**", "")
    .trim();
}

/** Where a stop ends a sentence: outside of backticks, and behind it a space or nothing. */
function splitLine(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === "`") quoted = !quoted;
    if (quoted || !/[.!?]/.test(line[i] ?? "") || !/^(?:\s|$)/.test(line.slice(i + 1, i + 2))) continue;
    sentences.push(line.slice(start, i + 1));
    start = i + 1;
  }
  return [...sentences, line.slice(start)].map((each) => each.trim()).filter((each) => /[\p{L}\p{N}]/u.test(each));
}
