/** Cuts a question into sentences, without what says nothing of what is asked. */
import { countPolite, isArticle, LEADS } from "./fillers.ts";
import { type Token, tokenize } from "./tokens.ts";

/** Phrases that only stress, or say how long an answer may be. */
const NOTHING = [
  String.raw`many thanks`,
  String.raw`thanks (?:a lot|in advance|so much)`,
  String.raw`thank you(?: (?:very|so) much| in advance)?`,
  String.raw`(?:exactly|precisely)(?! *(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)`,
  String.raw`yet(?= *[?.!]*$)`,
  String.raw`in total`,
  String.raw`altogether`,
  String.raw`as well(?! as\b)`,
  String.raw`in advance`,
  String.raw`right now`,
  String.raw`as of now`,
  String.raw`at the moment`,
  String.raw`at present`,
  String.raw`these days`,
  String.raw`nowadays`,
  String.raw`by any chance`,
  String.raw`by chance`,
  String.raw`out of (?:interest|curiosity)`,
  String.raw`if possible`,
  String.raw`if i may ask`,
  String.raw`of course`,
  String.raw`in general`,
  String.raw`by the way`,
  String.raw`to (?:their|his|her|its) names?`,
  String.raw`to (?:work|run|function|be built)`,
  String.raw`sorry for asking,? but`,
  String.raw`for (?:me|us)(?= *[?.!,]|$)`,
  String.raw`(?:just|only) (?:the |their )?names`,
  String.raw`,? (?:(?:can|could|would|will|do) you (?:please )?(?:tell|say|know|check|help)|(?<=, )(?:please )?(?:tell me|let me know|help me)|i (?:guess|wonder|think|suppose))(?: me| us| that| this)?(?: please| pls)?(?= *[?.!]*$)`,
  String.raw`all in all`,
  String.raw`whatsoever`,
  String.raw`(?:the )?last time they (?:ran|were run)`,
  String.raw`when they last ran`,
  String.raw`,? or (?:the )?other way (?:a)?round`,
  String.raw`,? or vice versa`,
  String.raw`,? or (?:can|could|may|should) (?:we|i) (?:just )?(?:forget|drop|delete|remove|ignore|skip)(?: about)? (?:it|them)`,
  String.raw`, tagged or not,`,
  String.raw`(?:at|on) (?:the )?table level`,
  String.raw`in turn`,
  String.raw`as (?:announced|planned|discussed)`,
  String.raw`wherever (?:it is|they are)`,
  String.raw`(?<=\band )if (?:so|yes)(?= (?:by|since|who|what|which|when|where|how))`,
  String.raw`, (?:since|because|as) (?:it|i|we|they|this|that|my|our|the) .*$`,
  String.raw`as (?:an? )?columns?`,
  String.raw`at all`,
  String.raw`in here`,
  String.raw`i\.e\.`,
  String.raw`e\.g\.`,
  String.raw`either(?= *[?.!]|$)`,
  String.raw`, (?:anything|if any|any)(?= *[?.!]*$)`,
  String.raw`of any kind`,
  String.raw`configured`,
  String.raw`briefly`,
  String.raw`in short`,
  String.raw`(?:to me )?in (?:one|a|two|a few|simple|plain) (?:short )?(?:words?|sentences?|lines?|terms|english)`,
];
const SAYS_NOTHING = new RegExp(String.raw`\b(?:${NOTHING.join("|")})(?=\W|$)`, "gi");
/** What places a question in the catalog as a whole. */
const IN_HERE =
  /\b(?:in(?:to|side)?|from|of|within|across|inside of) (?:our|the|this|your|my|whole|all of our) (?:own )?(?:data )?(warehouse|catalog|catalogue|workspace|project|company|system|platform|organi[sz]ation|stack|lake|data platform)(?!\w)/gi;
/** "? models only": narrows what is asked before. */
const ONLY_THOSE = /[?.!]+ *(?=(?:(?:only|just) [\w ]{3,30}|[\w ]{3,30} only)(?:,? please)?[?.!]*$)/gi;
/** ", so which": what stands before it is a sentence of its own. */
const SO_THEN = /, so (?=(?:which|what|who|whose|how|where)\b)/gi;
/** ", directly or not," stands within a verb; so may "all the way up". */
const FAR =
  /,? (?:(?:(?:at|over|across|from) )?any (?:distance|depth|number of (?:hops|steps|levels))|no matter how (?:far|deep|many (?:hops|steps|levels))|however (?:far|deep)|regardless of (?:the )?(?:distance|depth)|(?:whether )?directly or (?:not|indirectly|through (?:other \w+|others))|even indirectly|(?:(?:if you |if we )?count(?:ing)?|including|with) (?:the )?indirect (?:ones|users?|\w+s)(?: as well| too| included)?|(?:the )?indirect ones included|all the way (?:up|down|back|upstream|downstream))(?!\w),?/gi;

/** @param schemas names of the catalog, which are kept: "warehouse" may be one */
export function toSentences(question: string, schemas: readonly string[]): Token[][] {
  const plainly = question
    .replaceAll(IN_HERE, (phrase, place: string) => (schemas.includes(place) ? phrase : " "))
    .replaceAll(FAR, " indirectly")
    .replaceAll(ONLY_THOSE, ", ")
    .replaceAll(SAYS_NOTHING, " ")
    .replaceAll(SO_THEN, ". ")
    .replaceAll(/\s[-–—]+\s|:(?=\s+(?:which|what|who|how|why|is|are|does|do|upstream|downstream)\b)/gi, ", ");
  return splitSentences(tokenize(plainly));
}

function splitSentences(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]];
  for (const token of tokens) {
    if (/^[?!.;:]$/.test(token.word)) sentences.push([]);
    else sentences.at(-1)?.push(token);
  }
  return sentences
    .filter((sentence) => sentence.some(({ words }) => words.length > 0))
    .map((sentence) => withPossessives(withoutLead(sentence.filter(({ word }) => !isArticle(word)))));
}

/** Without "can you tell me" and the like. */
function withoutLead(tokens: Token[]): Token[] {
  // "any dashboards?" asks whether there are.
  if (tokens[0]?.word === "any") return [...tokenize("are there"), ...tokens.slice(1)];
  const text = tokens.map(({ word }) => word).join(" ");
  const lead = LEADS.find((each) => text.startsWith(`${each} `));
  const length = Math.max(lead?.split(" ").length ?? 0, countPolite(tokens.map(({ word }) => word)));
  // What only asks politely asks nothing.
  return length === 0 || length >= tokens.length ? tokens : withoutLead(tokens.slice(length));
}

/** The `'s` of an owner is a word of its own. */
function withPossessives(tokens: Token[]): Token[] {
  const mark: Token = { text: "'s", word: "'s", words: [], isName: false, possessive: false };
  return tokens.flatMap((token) => (token.possessive ? [token, mark] : [token]));
}
