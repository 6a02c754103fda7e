/** Why a question has no answer in a catalog: said where no plan could be read from it. */

const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december";

/** What a catalog cannot know or do, by words that ask for it; the first that fits is said. */
/** What is never answered, however it can be read. */
const NEVER: readonly [RegExp, RegExp] = [
  /\b(?:ignore|disregard|forget|override)\b.*\b(?:instructions?|rules?|prompt|previous|above)\b|\bsystem prompt\b|\bpretend\b/,
  /^(?!.*\b(?:columns?|tables?|models?|tagged|named|called)\b).*\b(?:passwords?|credentials?|secrets?|api keys?|access tokens?)\b/,
];
const ORDER =
  /^(?:(?:please|pls|hey|hi|now|just|then|and|go ahead|can you|could you|would you|you must|i need you to|lets|let us) )*(?:drop|delete|create|update|write|generate|send|email|execute|insert|truncate|certify|uncertify|fix|make|set|mark|assign|tag|untag|rename|remove|deprecate|grant|revoke|refactor|optimi[sz]e|add|run|trigger|compose|draft|post|schedule|deploy|migrate|alter|merge|restart|refresh|sync|crawl|change|approve|archive|notify|hide|disable|enable)\b/;
const ASKS = /\b(?:what|who|whom|which|how|why|when|does|is|are|impact|effect)\b/;
const OPINION =
  /\b(?:best|worst|nicest|favou?rite|opinion|do you (?:think|like|feel|believe)|better than|worse than|recommend\w*)\b/;
const DEEDS =
  /\bwho (?:\w+ )?(?:broke|changed|deleted|dropped|removed|renamed|edited|touched|wrote|created|added|queried|ran|looked|opened|viewed)\b|\b(?:logged in|salary|hired)\b/;

const REASONS: readonly (readonly [when: RegExp, say: string])[] = [
  [NEVER[0], "I only answer questions about what this workspace's catalog holds."],
  [NEVER[1], "I only answer questions about what this workspace's catalog holds."],
  [ORDER, "I answer questions and change nothing."],
  [
    /\b(?:forecasts?|predict\w*|projected|projection|tomorrow|next (?:week|month|quarter|year)|future|going to|will)\b/,
    "The catalog does not know the future: it says what is known now.",
  ],
  [
    /\b(?:best|better|worst|worse|favou?rite|opinion|do you (?:think|like|feel|believe)|recommend\w*|beautiful|nicest|ugly|worth|smart|stupid|prefer|should (?:we|i)|good idea|too (?:many|complex|complicated|slow)|well designed|easier|nice)\b/,
    "That is a matter of opinion, and the catalog holds none.",
  ],
  [DEEDS, "The catalog does not hold what people did: it knows who owns and who certified what."],
  [
    new RegExp(
      String.raw`\bhow much\b|\bhow many (?:rows?|records?|customers?|orders?|users?|people|times)\b|\b(?:last|this|previous|past) (?:hour|day|week|month|quarter|year|night|weekend)\b|\b(?:yesterday|today|tonight|average|median|total|sum|highest|lowest|maximum|minimum|rows?|records?|values?|revenue in|sold|in (?:${MONTHS}|q[1-4]|20\d\d))\b|\btop \d+ (?:customers|products|users)\b`,
    ),
    "The catalog holds metadata, not data: it knows where a number comes from and how it is computed, not what it is.",
  ],
];

export function isNeverAnswered(question: string): boolean {
  const text = wordsOf(question);
  const isOrder = ORDER.test(text) && !ASKS.test(text);
  return isOrder || [...NEVER, OPINION, DEEDS].some((never) => never.test(text));
}

function wordsOf(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** @returns a sentence, or null where nothing says that the question is not one for a catalog */
export function findReason(question: string): string | null {
  const text = wordsOf(question);
  return REASONS.find(([when]) => when.test(text))?.[1] ?? null;
}
