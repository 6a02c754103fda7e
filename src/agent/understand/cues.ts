/** Corrects misspelt words that tell what is asked, where no name is meant. */
import { splitIdentifier } from "../../catalog/search.ts";
import type { Candidates } from "../find/candidates.ts";
import { distance } from "../../catalog/distance.ts";
import { isTypoOf, singular } from "./closeness.ts";
import type { Token } from "./tokens.ts";
import { isContent, questionWords } from "./vocabulary.ts";

const CUES = questionWords().filter((word) => word.length > 3);

export function correctCues(tokens: readonly Token[], { nodes, corrections }: Candidates): Token[] {
  const named = new Set(nodes.flatMap(({ name }) => splitIdentifier(name)));
  return tokens.map((token) => {
    if (token.isName || !isContent(token.word) || named.has(token.word) || named.has(singular(token.word)))
      return token;
    const near = CUES.filter((word) => word[0] === token.word[0] && isTypoOf(token.word, word));
    const [cue] = near.toSorted((a, b) => distance(token.word, a) - distance(token.word, b));
    const name = corrections.get(token.word)?.[0];
    if (cue === undefined) return token;
    const isName = name !== undefined && distance(token.word, name) < distance(token.word, cue);
    return isName ? token : { ...token, word: cue, words: [cue] };
  });
}
