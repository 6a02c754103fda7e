/** Chooses, among all readings of the stretches of a sentence, the cheapest way to read the whole. */
import { GRAMMAR } from "../names/words.ts";
import { MAX_PLANS, type Plan } from "../plan.ts";
import { TELLS } from "./fillers.ts";
import type { Phrase } from "./chart.ts";
import type { Token } from "./tokens.ts";

/** What a sentence was read as. */
export interface Chosen {
  plans: Plan[];
  /** How unlikely it is that this was meant: 0 for plain words and exact names. */
  cost: number;
  /** Words that say something and have no place in the plans. */
  unplaced: string[];
  /** A clause of its own behind what was read, which was not. */
  unread: string;
}

/** What it costs to leave a word out, and to read one more plan. */
const UNPLACED = { grammar: 0.35, plain: 0.8, unknown: 1.2, mark: 0 };
const ANOTHER_PLAN = 0.15;
/** A sentence or a clause that is not read because it only leads to another. */
export const IGNORED = 0.25;
/** A part that is told of as not read. */
export const UNREAD = 0.6;
const LEADING = 0.03;
const TO_BE_TOLD = 0.1;
/** "and if so, which": an answer names them anyway. */
const ANY_OF_THEM = /^(?:and )?(?:if )?(?:so )?(?:which|what|who|whose)(?: one| ones)?$/;
/** An answer that lists says how many there are. */
const HOW_MANY = /^(?:and )?how many(?: (?:is|are) (?:that|those|they|it))?$/;
const ANOTHER_QUESTION = /^(?:and )?(?:who|whom|how|why|where|when|is|are|does|do|can|could|should)\b/;
/** How a clause begins that asks something, or takes something out. */
const SAYS_SOMETHING =
  /^(?:what|which|who|whom|whose|how|why|where|when|is|are|does|do|can|could|should|of|among|in|from|outside|except|excluding|without|besides|apart|not)$/;
/** "we are preparing an audit" */
const ARE_DOING = /^are \w+ing$/;
const ASKS = /^(?:what|which|wich|who|whose|how|why|where|when|whether|if|is|are|does)$/;
/** Words of grammar that change what is asked, and are never left out. */
const TELLING = new Set(["not", "no", "nor", "than", "if", "but"]);
const JOINTS = new Set(["and", "also", "then", "so"]);

/**
 * The cheapest way to read a sentence as one plan after the other, words left out between them. A clause before the first
 * plan only leads to it; one behind the last is told of as not read.
 */
export function choose(
  tokens: readonly Token[],
  phrases: (from: number, to: number, category: string) => readonly Phrase[],
  isKnown: (at: number) => boolean,
  isNaming: (at: number) => boolean,
): Chosen {
  interface Way {
    cost: number;
    plans: Plan[];
    unplaced: string[];
    unread: string;
  }
  const best: (Way | undefined)[] = [{ cost: 0, plans: [], unplaced: [], unread: "" }];
  const offer = (at: number, way: Way): void => {
    const other = best[at];
    if (other === undefined || way.cost < other.cost) best[at] = way;
  };
  /** What names something or asks something says what the rest is about, and is not left out. */
  const onlyLeads = (to: number): boolean =>
    (!SAYS_SOMETHING.test(tokens[0]?.word ?? "") || ARE_DOING.test(`${tokens[0]?.word} ${tokens[1]?.word}`)) &&
    !tokens.slice(0, to).some((_, at) => isNaming(at));
  for (const [at, { word, text, words }] of tokens.entries()) {
    const so = best[at];
    if (so === undefined) continue;
    if (word === "," && at > 1 && onlyLeads(at))
      offer(at + 1, { cost: IGNORED + LEADING * at, plans: [], unplaced: [], unread: "" });
    // "I have just joined and would be glad if you could tell me what X is"
    const next = tokens[at + 1]?.word === "to" ? at + 2 : at + 1;
    if (TELLS.has(word) && at > 0 && ASKS.test(tokens[next]?.word ?? "") && onlyLeads(at))
      offer(next, { cost: TO_BE_TOLD, plans: [], unplaced: [], unread: "" });
    if ((word === "," || word === "and") && so.plans.length > 0 && so.unplaced.length === 0) {
      const clause = tokens
        .slice(at + 1)
        .map((token) => token.word)
        .join(" ");
      if (ANY_OF_THEM.test(clause) || (HOW_MANY.test(clause) && so.plans.at(-1)?.tell === "list"))
        offer(tokens.length, so);
      // A condition that is not read would change what is asked before it; another question would not.
      else if (ANOTHER_QUESTION.test(clause)) offer(tokens.length, { ...so, cost: so.cost + UNREAD, unread: clause });
    }
    const kind =
      words.length === 0 || (so.plans.length > 0 && isJoint(tokens[at]))
        ? "mark"
        : GRAMMAR.has(word) && !TELLING.has(word)
          ? "grammar"
          : isKnown(at)
            ? "plain"
            : "unknown";
    const says = kind === "plain" || kind === "unknown";
    offer(at + 1, { ...so, cost: so.cost + UNPLACED[kind], unplaced: says ? [...so.unplaced, text] : so.unplaced });
    // A second question follows a joint, and a noun alone is a question only if nothing follows it.
    const isJoined = so.plans.length === 0 || isJoint(tokens[at - 1]) || isJoint(tokens[at]);
    if (!isJoined || so.plans.length >= MAX_PLANS) continue;
    for (let to = at + 1; to <= tokens.length; to++) {
      const bare =
        so.plans.length === 0 && (to === tokens.length || isJoint(tokens[to])) ? phrases(at, to, "Bare") : [];
      const [ask] = [...phrases(at, to, "Ask"), ...bare].toSorted((a, b) => a.cost - b.cost);
      if (ask === undefined) continue;
      const another = so.plans.length === 0 ? 0 : ANOTHER_PLAN;
      // Only `Ask` is made of plans.
      offer(to, { ...so, cost: so.cost + ask.cost + another, plans: [...so.plans, ask.meaning as Plan] });
    }
  }
  return best[tokens.length] ?? { cost: Infinity, plans: [], unplaced: tokens.map(({ text }) => text), unread: "" };
}

export function asksSomething(sentence: string): boolean {
  return SAYS_SOMETHING.test(sentence.split(" ", 1)[0]?.toLowerCase() ?? "");
}

function isJoint(token: Token | undefined): boolean {
  return token !== undefined && (token.word === "," || JOINTS.has(token.word));
}
