/** Says a question in the words that the reader knows, and finds where a clause of it may begin. */
import type { Mention } from "../names/find-names.ts";
import type { ValueMention } from "../names/find-values.ts";
import { type Cue, hasCue, is, isOneOf, nameOf } from "./cue.ts";
import type { Plan } from "../plan.ts";
import type { Token } from "./tokens.ts";

/** What only leads to a question, as it stands at its beginning. */
const LEAD =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|please|pls|sorry|thanks)\b(?: (?:team|all|there|everyone|everybody|folks))?[\s,!]*|(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody) (?:please |pls |kindly |quickly )?(?:tell|show|give|list|find|explain(?: to)?|help|let)(?: (?:me|us))?(?: know)?|(?:can|could|would) (?:you|somebody|someone) (?:kindly )?explain(?= what| how)|would you be so kind (?:as to |and )?(?:tell|show|give) (?:me|us)|(?:do|does) (?:you|we|anyone|anybody|someone) know|(?:i|we)(?: would like| want| need|['’]d like)? to (?:know|see|find|find out|understand)|(?:i|we) (?:need|want)|(?:i am|i['’]m) (?:looking for|trying to find out|wondering)|(?:just )?(?:tell|give|get) (?:me|us)|(?:just )?(?:show|list|find|display|enumerate|name)(?: (?:me|us))?|let me (?:know|see)|(?:quick )?question|any idea|i wonder|what about|how about|remind me|is it (?:true|correct|right|the case) that|(?:please )?confirm that|i would be (?:grateful|glad|happy) (?:if )?(?:you )?(?:could|would)?(?: tell me| show me)?)(?: (?:if|whether|that))?\b[\s,:]*)+/i;
/** What only stresses, thanks, or says how long an answer may be. */
const SAYS_NOTHING =
  /\b(?:many thanks|thanks (?:a lot|in advance|so much)|thank you(?: very much| so much| in advance)?|right now|as of now|at the moment|at present|these days|nowadays|by any chance|out of (?:interest|curiosity)|if possible|of course|in general|by the way|in total|as well(?! as)|any longer|in the end|at the same time|as columns?|(?:exactly|precisely)(?! *(?:\d|one|two|three|four|five|six|seven|eight|nine|ten))|all in all|altogether|whatsoever|at all|of any kind|in here|yet(?= *[?.!]*$)|either(?= *[?.!]*$)|too(?= *[?.!]*$)|briefly|in short|in (?:one|a few) (?:words?|sentences?)|, (?:if any|please|pls)(?= *[?.!]*$))(?=\W|$)/gi;
/** "20 or more" */
const OR_MORE = /\b(\d+|two|three|four|five|six|seven|eight|nine|ten) or (more|over|above|fewer|less|under)\b/gi;
/** "from which column does it come" */
const FROM_WHICH =
  /^(?:from|out of) ((?:which|what) .*?)\b(comes?|taken|derived|computed|calculated|built|assembled|sourced|made|originates?)\b(?! from)/i;
const FAR =
  /,? ?\b(?:(?:whether )?directly (?:or|and) (?:indirectly|not|through (?:any )?(?:others?|other \w+))|even indirectly|(?:(?:at|over) )?any (?:distance|depth)|no matter how far|however far|regardless of (?:the )?distance|(?:if (?:you|we) count|counting|including) (?:the )?indirect (?:ones|\w+s)|be it directly or through another \w+|(?:the )?indirect ones included|all the way (?:up|down|back))(?!\w)(?: too| as well)?,?/gi;
/** Cues that say how something is to be told. */
const OF_FORM = new Set("how many,if,hops,what,only,number,every,it,exist,fine,with,in,path,comma".split(","));
const MAX_CUTS = 6;
const MARK = /^[,?!.;:()–—-]+$/;
const JOINING = /^(?:and|but|so|then|yet|because|since|know)$/;
const ASKING = /^(?:who|whom|whose|how|when|where|why|what|which|is|are|was|were|do|does|did|has|have|can|could)$/;

/** Words, with the names and values that they may stand for. */
export interface Words {
  tokens: readonly Token[];
  mentions: readonly Mention[];
  values: readonly ValueMention[];
  cuts: readonly Cut[];
}

/** A place where one clause ends, at `from`, and another may begin, at `to`. */
export interface Cut {
  from: number;
  to: number;
  mark: string;
  /** Whether a clause that asks may begin here. */
  opens: boolean;
  /** "and has it a description": a question of its own, although its words would fit the one before it. */
  asksOfIt: boolean;
}

/** The question as the reader knows its words. A colon stands where a clause begins that asks. */
export function sayPlainly(question: string): string {
  return question
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\s[-–—]+\s/g, ": ")
    .replaceAll(/\s*(?:[-=]>|→)\s*/g, " to ")
    .replaceAll("(s)", "s")
    .replaceAll(/\b(?:i\.e\.|e\.g\.)/gi, ",")
    .replaceAll(
      OR_MORE,
      (_all, amount, bound) => `${/more|over|above/i.test(bound) ? "at least" : "at most"} ${amount}`,
    )
    .replaceAll(FAR, " indirectly ")
    .replaceAll(SAYS_NOTHING, " ")
    .split(/(?<=[?!.;:])\s+/)
    .map((clause) =>
      clause
        .replace(LEAD, "")
        .replace(/^any\b/i, "are there any")
        .replace(FROM_WHICH, "$1$2 from"),
    )
    .join(" ");
}

/** Where a clause may begin, but at the first word. */
export function cutsOf(tokens: readonly Token[]): Cut[] {
  const word = (at: number): string => tokens[at]?.word ?? "";
  const cuts: Cut[] = [];
  for (let from = 1; from < tokens.length && cuts.length < MAX_CUTS; from++) {
    const mark = MARK.test(word(from)) ? word(from) : "";
    let to = from;
    while (MARK.test(word(to)) || JOINING.test(word(to))) to++;
    const isAsking = ASKING.test(word(to));
    const isJoined = to > from && isAsking;
    if (to >= tokens.length || (mark === "" && !isJoined) || MARK.test(word(from - 1)) || JOINING.test(word(from - 1)))
      continue;
    const asksOfIt = to > from && isAsking && tokens.slice(to).some((token) => /^(?:it|they|them)$/.test(token.word));
    cuts.push({ from, to, mark: /[?!.]/.test(mark) ? "." : mark, opens: isAsking || !/^[,()]?$/.test(mark), asksOfIt });
  }
  return cuts;
}

/** The words between two places, each place counted from the first of them. */
export function part({ tokens, ...found }: Words, from: number, to = tokens.length): Words {
  const within = <T extends { from: number; to: number }>(some: readonly T[]): T[] =>
    some.flatMap((each) =>
      each.from < from || each.to > to ? [] : { ...each, from: each.from - from, to: each.to - from },
    );
  const [mentions, values, cuts] = [within(found.mentions), within(found.values), within(found.cuts)];
  return { tokens: tokens.slice(from, to), mentions, values, cuts: cuts.filter((cut) => cut.from > 0) };
}

/** Whether a clause only says why something is asked, or what is spoken of: "We changed fct_orders.", "fct_orders:". */
export function isTalk(plans: readonly Plan[], cues: readonly Cue[], mark: string): boolean {
  if (plans.some((plan) => plan.tell !== "aspect" || plan.aspect !== "everything")) return false;
  const asks =
    hasCue(cues, "what", "how many", "why", "whether", "about") || is(cues[0], "how", "who", "when", "where");
  if (asks || hasCue(cues, "value", "adjective", "except", "outside", "without", "compare")) return false;
  const isUnclear = hasCue(cues, "unknown");
  const isMany = cues.some((cue) => is(cue, "type") && (/^,?$/.test(mark) || cue.text.endsWith("s")));
  return (
    meantNames(cues).length <= 1 && !isMany && (isUnclear || !hasCue(cues, "part", "type", "number", "only", "most"))
  );
}

/** Words that are meant as names: in a clause with unknown words, one word may be a column's name by accident. */
function meantNames(cues: readonly Cue[]): Cue[] {
  const isUnclear = hasCue(cues, "unknown");
  return cues.filter((cue) => {
    const isColumn = nameOf(cue).things.every(({ type }) => type === "column");
    return is(cue, "name") && !(isUnclear && isColumn && /^\p{L}+$/u.test(cue.text));
  });
}

/** Whether plans are about all that a clause names. */
export function usesName(plans: readonly Plan[], cues: readonly Cue[]): boolean {
  const json = JSON.stringify(plans);
  return meantNames(cues).every((cue) => {
    const { things, set } = nameOf(cue);
    return things.some(({ id }) => json.includes(id)) || json.includes(JSON.stringify(set).slice(1, -1));
  });
}

/** "just the names", "and how many are that": says in what form the answer should be. */
export function asksOnlyForm(cues: readonly Cue[]): boolean {
  return cues.every((cue) => /^names$/i.test(cue.text) || (!is(cue, "name") && isOneOf(cue, OF_FORM)));
}
