/** Corrects misspelt words that tell what is asked, where no name is meant. */
import { isTypoOf } from "./closeness.ts";
import type { Token } from "./tokens.ts";
import { CUE_WORDS, isContent, TYPE_WORDS } from "./vocabulary.ts";

const CUES = [...CUE_WORDS, ...Object.keys(TYPE_WORDS), ...Object.keys(TYPE_WORDS).map((word) => `${word}s`)].filter(
  (word) => word.length > 3,
);

/** @param unknown the words that no name has, each with the words of names that it may stand for */
export function correctCues(tokens: readonly Token[], unknown: ReadonlyMap<string, readonly string[]>): Token[] {
  return tokens.map((token) => {
    const corrections = unknown.get(token.word);
    if (token.isName || corrections === undefined || !isContent(token.word)) return token;
    const cue = CUES.find((word) => isTypoOf(token.word, word));
    return cue === undefined || corrections.length > 0 ? token : { ...token, word: cue, words: [cue] };
  });
}
