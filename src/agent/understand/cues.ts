/** Corrects misspelt words that tell what is asked, where no name is meant. */
import { distance, isTypoOf } from "./closeness.ts";
import type { Token } from "./tokens.ts";
import { isContent, questionWords } from "./vocabulary.ts";

const CUES = questionWords().filter((word) => word.length > 3);

/** @param unknown the words that no name has, each with the words of names that it may stand for */
export function correctCues(tokens: readonly Token[], unknown: ReadonlyMap<string, readonly string[]>): Token[] {
  return tokens.map((token) => {
    const corrections = unknown.get(token.word);
    if (token.isName || corrections === undefined || !isContent(token.word)) return token;
    const near = CUES.filter((word) => word[0] === token.word[0] && isTypoOf(token.word, word));
    const [cue] = near.toSorted((a, b) => distance(token.word, a) - distance(token.word, b));
    const [name] = corrections;
    const isName = name !== undefined && cue !== undefined && distance(token.word, name) < distance(token.word, cue);
    return cue === undefined || isName ? token : { ...token, word: cue, words: [cue] };
  });
}
