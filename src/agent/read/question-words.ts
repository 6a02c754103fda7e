/** The words of a question, with what they may stand for and where a clause may begin. */
import type { Mention } from "../names/find-names.ts";
import type { ValueMention } from "../names/find-values.ts";
import type { Token } from "./tokens.ts";

export interface Words {
  tokens: readonly Token[];
  mentions: readonly Mention[];
  values: readonly ValueMention[];
  cuts: readonly Cut[];
}

interface Stretch {
  from: number;
  to: number;
}

/** A place where one clause ends, at `from`, and another may begin, at `to`. */
export interface Cut extends Stretch {
  /** What stands there: "." for the end of a sentence, "–" behind who asks, "" for no mark. */
  mark: string;
  /** Whether a clause that asks may begin here. */
  opens: boolean;
  /** "and has it a description": a question of its own, although its words would fit the one before it. */
  asksOfIt: boolean;
}

const MAX_CUTS = 6;
const MARK = /^[?!.;:()–—-]+$/;
const JOINING = /^(?:and|but|so|then|yet|because|since)$/;
const ASKING = /^(?:who|whom|whose|how|when|where|why|what|which|is|are|was|were|do|does|did|has|have|can|could)$/;

/** The tokens without marks but commas, and where clauses may begin. */
export function cutsOf(all: readonly Token[]): Pick<Words, "tokens" | "cuts"> {
  const tokens: Token[] = [];
  const marks = new Map<number, string>();
  for (const token of all.flatMap(withPossessive)) {
    if (MARK.test(token.word)) marks.set(tokens.length, token.word);
    else tokens.push(token);
  }
  const word = (at: number): string => tokens[at]?.word ?? "";
  const cuts = tokens.flatMap((_, at): Cut[] => {
    const mark = marks.get(at) ?? (word(at) === "," ? "," : "");
    let begin = mark === "," ? at + 1 : at;
    while (JOINING.test(word(begin))) begin++;
    const isAsking = ASKING.test(word(begin));
    const isClause = mark !== "" || (begin > at && isAsking && word(at - 1) !== "," && !JOINING.test(word(at - 1)));
    if (at === 0 || begin >= tokens.length || !isClause) return [];
    const asksOfIt =
      begin > at && isAsking && tokens.slice(begin).some((token) => /^(?:it|they|them)$/.test(token.word));
    return [{ from: at, to: begin, mark, opens: isAsking || !/^[,()]?$/.test(mark), asksOfIt }];
  });
  return { tokens, cuts: cuts.slice(0, MAX_CUTS) };
}

/** The words from one place up to another. */
export function part({ tokens, ...found }: Words, from: number, to = tokens.length): Words {
  const within = <T extends Stretch>(some: readonly T[]): T[] =>
    moved(
      some.filter((each) => each.from >= from && each.to <= to),
      -from,
    );
  return {
    tokens: tokens.slice(from, to),
    mentions: within(found.mentions),
    values: within(found.values),
    cuts: within(found.cuts).filter((cut) => cut.from > 0),
  };
}

/** The words of two sentences, with a cut between them. */
export function join(one: Words, two: Words): Words {
  const by = one.tokens.length;
  const end: Cut = { from: by, to: by, mark: ".", opens: true, asksOfIt: false };
  return {
    tokens: [...one.tokens, ...two.tokens],
    mentions: [...one.mentions, ...moved(two.mentions, by)],
    values: [...one.values, ...moved(two.values, by)],
    cuts: [...one.cuts, end, ...moved(two.cuts, by)],
  };
}

function moved<T extends Stretch>(some: readonly T[], by: number): T[] {
  return some.map((each) => Object.assign({}, each, { from: each.from + by, to: each.to + by }));
}

/** The `'s` of an owner is a word of its own. */
function withPossessive(token: Token): Token[] {
  const mark: Token = { text: "'s", word: "'s", words: [], isName: false, possessive: false };
  return token.possessive ? [token, mark] : [token];
}
