/** Turns the words of a sentence into cues: names and values first, then phrases of the language of questions. */
import { chooseMentions, type Mention, type Said } from "../names/choose-mentions.ts";
import { textOf, type Token } from "../names/tokens.ts";
import { type Cue, cueOf, is, measureOf, type Word } from "./cue.ts";
import { articles, cueAt, fillers, LONGEST_PHRASE } from "./phrases.ts";

const WHETHER = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|may)$/;
const DATA_TYPE =
  /^(?:u?int\d+|(?:big|small|tiny)int|float\d*|double|n?varchar|date|date32|datetime\d+|jsonb?|uuid|array)$/i;

/** @param plainNames whether a word of the language of questions may be a name that an asset has */
export function findCues(tokens: readonly Token[], mentions: readonly Mention[], plainNames: boolean): Cue[] {
  const named = chooseMentions(tokens, mentions, plainNames);
  const cues: Cue[] = [];
  let isApart = false;
  for (let at = 0; at < tokens.length;) {
    const { to, cues: said } = named.get(at) ?? findPhrase(tokens, at, named);
    const [first, ...within] = said;
    if (first !== undefined) cues.push(isApart ? { ...first, isApart } : first, ...within);
    isApart = first === undefined && (isApart || !articles.has(tokens[at]?.word ?? ""));
    at = to;
  }
  return cues.filter((cue, at) => !is(cue, "a") || (is(cues[at - 1], "name") && is(cues[at + 1], "type")));
}

/** The longest phrase that begins here, with what stands within it: "depends directly on". */
function findPhrase(tokens: readonly Token[], at: number, named: ReadonlyMap<number, Said>): Said {
  const token = tokens[at] as Token;
  const words = tokens.map(({ word }) => word);
  const [before = "", word] = [words[at - 1], token.word];
  const say = (text: string, ...said: Word[]): Said => ({ to: at + 1, cues: [cueOf(text, ...said)] });
  const isFirst =
    at === 0 || /^(?:[^\p{L}\p{N},].*|, and)$/u.test(words.slice(at - (before === "and" ? 2 : 1), at).join(" "));
  if (isFirst && WHETHER.test(word)) return say(word, { is: "whether" });
  // "whose models": who owns them.
  if (isFirst && word === "whose" && is(cueAt(words[at + 1]), "type")) return say(word, { is: "who" }, { is: "own" });
  // "is there a model": whether there is one.
  if (word === "there" && WHETHER.test(before)) return say(word, { is: "exist" });
  for (let to = Math.min(tokens.length, at + LONGEST_PHRASE); to > at; to--) {
    if (tokens.slice(at, to).some(({ isName: isWritten }, i) => isWritten || named.has(at + i))) continue;
    const inside = words
      .slice(at + 1, to - 1)
      .map(cueAt)
      .filter((cue) => is(cue, "direct", "far"));
    const said = words.slice(at, to).filter((each, i) => {
      const isInside = i < to - at - 1 && inside.some(({ text }) => text === each);
      return i === 0 || !(articles.has(each) || isInside);
    });
    const found = said.length > 1 || to === at + 1 ? cueAt(said.join(" ").replaceAll("_", " ")).words : [];
    if (found.length > 0 && (to === at + 1 || !articles.has(words[to - 1] ?? "")))
      return { to, cues: [cueOf(textOf(tokens.slice(at, to)), ...found), ...inside] };
  }
  // "more than one", "with a single column"; else it only says which.
  const isCounted = measureOf(cueAt(words[at + 1])) !== undefined && !/^(?:the|this|that|which|each|any)$/.test(before);
  const isNumber = isCounted || /^(?:than|least|over|exactly|most|only|just|by)$/.test(before);
  const amount = isNumber && /^(?:one|single)$/.test(word) ? 1 : /^\d{1,6}$/.test(word) ? Number(word) : undefined;
  if (amount !== undefined) return say(token.text, { is: "number", amount });
  if (word === ",") return say(token.text, { is: "comma" });
  if (DATA_TYPE.test(token.text))
    return say(token.text, { is: "adjective", where: { is: "data type", any: [token.text] } });
  const isSilent = token.words.length === 0 || (!token.isName && fillers.has(word));
  return isSilent ? { to: at + 1, cues: [] } : say(token.text, { is: "unknown" });
}
