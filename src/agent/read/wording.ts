/** Says a question in the words that the reader knows: leaves out what only leads to it, stresses or thanks. */
import type { Values } from "../names/find-values.ts";

/** What only leads to a question, as it stands at its beginning. */
const LEAD =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|please|pls|sorry|thanks)\b(?: (?:team|all|there|everyone|everybody|folks))?[\s,!]*|(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody) (?:please |pls |kindly |quickly )?(?:tell|show|give|list|find|explain(?: to)?|help|let)(?: (?:me|us))?(?: know)?|(?:can|could|would) (?:you|somebody|someone) (?:kindly )?explain(?= what| how)|would you be so kind (?:as to |and )?(?:tell|show|give) (?:me|us)|(?:could|can) you be so kind (?:as to |and )?(?:tell|show|give) (?:me|us)|(?:do|does) (?:you|we|anyone|anybody|someone) know|(?:i|we)(?: would like| want| need|['’]d like)? to (?:know|see|find|find out|understand)|(?:i|we) (?:need|want)|(?:i am|i['’]m) (?:looking for|trying to find out|wondering)|(?:just )?(?:tell|give|get) (?:me|us)|(?:just )?(?:show|list|find|display|enumerate|name)(?: (?:me|us))?|let me (?:know|see)|(?:quick )?question|any idea|i wonder|what about|how about|remind me|is it (?:true|correct|right|the case) that|(?:please )?confirm that|i would be (?:grateful|glad|happy) (?:if )?(?:you )?(?:could|would)?(?: tell me| show me)?)(?: (?:if|whether|that))?\b[\s,:]*)+/i;
/** What only stresses, thanks, or says how long an answer may be. */
const SAYS_NOTHING =
  /\b(?:many thanks|thanks (?:a lot|in advance|so much)|thank you(?: very much| so much| in advance)?|right now|as of now|at the moment|at present|these days|nowadays|by any chance|out of (?:interest|curiosity)|if possible|of course|in general|by the way|in total|as well(?! as)|any longer|in the end|at the same time|as columns?|(?:exactly|precisely)(?! *(?:\d|one|two|three|four|five|six|seven|eight|nine|ten))|all in all|altogether|whatsoever|at all|of any kind|in here|yet(?= *[?.!]*$)|either(?= *[?.!]*$)|too(?= *[?.!]*$)|briefly|in short|in (?:one|a few) (?:words?|sentences?)|, (?:if any|please|pls)(?= *[?.!]*$))(?=\W|$)/gi;
/** "20 or more" */
const OR_MORE = /\b(\d+|two|three|four|five|six|seven|eight|nine|ten) or (more|over|above|fewer|less|under)\b/gi;
/** "from which column does it come" */
const FROM_WHICH =
  /^(?:from|out of) ((?:which|what) .*?)\b(comes?|taken|derived|computed|calculated|built|assembled|sourced|made|originates?)\b(?! from)/i;
/** What places a question in the catalog as a whole. */
const IN_HERE =
  /\b(?:in(?:side)?|of|within|across) (?:our|the|this|your|my|the whole) (?:data )?(?:warehouse|catalog|catalogue|workspace|project|company|system|platform|organi[sz]ation|stack)\b/gi;
const FAR =
  /,? ?\b(?:(?:whether )?directly (?:or|and) (?:indirectly|not|through (?:any )?(?:others?|other \w+))|even indirectly|(?:(?:at|over) )?any (?:distance|depth)|no matter how far|however far|regardless of (?:the )?distance|(?:if (?:you|we) count|counting|including) (?:the )?indirect (?:ones|\w+s)|be it directly or through another \w+|(?:the )?indirect ones included|all the way (?:up|down|back))(?!\w)(?: too| as well)?,?/gi;
/** Who asks, and what for, before what is asked: "legal wants to know", "so could you tell me". */
const ASKS =
  /(?<=\w)[\s,]+(?:(?:and |so |if )*(?:can|could|would) (?:you|someone|somebody) (?:please )?(?:tell|show|give|explain)(?: to)? me|wants? to know|would like to know|asks?|(?:i|we) (?:need|want)(?: to know| a list of)?|(?:and |so )?(?:please )?(?:tell|show|give) me)(?: if| whether)?[\s,:]+(?=(?:which|what|who|how|where|when|is|are|does|do|the|every|all)\b)/i;

/** The sentences of a question, plainly. A colon stands where a clause begins that asks. */
export function sentencesOf(question: string, { schemas }: Values): string[] {
  const plain = question
    .replaceAll(/\s[-–—]+\s/g, ": ")
    .replaceAll(/\s*(?:[-=]>|→)\s*/g, " to ")
    .replaceAll("(s)", "s")
    .replaceAll(/\b(?:i\.e\.|e\.g\.)/gi, ",")
    .replaceAll(
      OR_MORE,
      (_all, amount: string, more: string) =>
        `${/^(?:more|over|above)$/i.test(more) ? "at least" : "at most"} ${amount}`,
    )
    .replace(FROM_WHICH, "$1$2 from")
    .replaceAll(FAR, " indirectly ")
    .replaceAll(IN_HERE, (phrase) =>
      schemas.some((schema) => phrase.toLowerCase().endsWith(` ${schema}`)) ? phrase : " ",
    )
    .replaceAll(SAYS_NOTHING, " ");
  return plain
    .split(/(?<=[?!.;])\s+/)
    .map((sentence) =>
      sentence
        .split(/(?<=:)\s+/)
        .map(withoutLead)
        .join(" ")
        .replace(ASKS, " – "),
    )
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function withoutLead(clause: string): string {
  return clause.replace(LEAD, "").replace(/^any\b/i, "are there any");
}
