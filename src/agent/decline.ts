/**
 * Why a question has no answer in a catalog. Only the words of the question that name no asset are looked at: an asset may be
 * called anything.
 */

const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december";

type Reason = readonly [when: RegExp, say: string];

const NO_OPINION = "That is a matter of opinion, and the catalog holds none.";
const ONLY_THE_CATALOG = "I only answer questions about what this workspace's catalog holds.";

/** What is refused even where a plan could be read. */
const REFUSALS: readonly Reason[] = [
  [
    /\b(?:ignore|disregard|forget|override)\b.*\b(?:instructions?|rules?|prompt|previous|above)\b|\bsystem prompt\b|\bpretend\b/,
    ONLY_THE_CATALOG,
  ],
  [
    /^(?!.*\b(?:columns?|tables?|models?|tagged|named|called)\b).*\b(?:passwords?|credentials?|secrets?|api keys?|access tokens?)\b/,
    ONLY_THE_CATALOG,
  ],
  [
    /^(?!.*\b(?:what|who|whom|which|how|why|when|does|is|are|impact|effect)\b)(?:(?:please|pls|hey|hi|now|just|then|and|go ahead|can you|could you|would you|you must|i need you to|lets|let us) )*(?:drop|delete|create|update|write|generate|send|email|execute|insert|truncate|certify|uncertify|fix|make|set|mark|assign|tag|untag|rename|remove|deprecate|grant|revoke|refactor|optimi[sz]e|add|run|trigger|compose|draft|post|schedule|deploy|migrate|alter|merge|restart|refresh|sync|crawl|change|approve|archive|notify|hide|disable|enable)\b/,
    "I answer questions and change nothing.",
  ],
  [
    /\b(?:best|worst|nicest|favou?rite|opinion|do you (?:think|like|feel|believe)|better than|worse than|recommend\w*)\b/,
    NO_OPINION,
  ],
  [
    /\bwho (?:\w+ )?(?:broke|changed|deleted|dropped|removed|renamed|edited|touched|wrote|created|added|queried|ran|looked|opened|viewed|logged in)\b/,
    "The catalog does not hold what people did: it knows who owns and who certified what.",
  ],
];

/** What explains why no plan could be read. */
const REASONS: readonly Reason[] = [
  ...REFUSALS,
  [
    /\bchang(?:e|es|ed)\b(?!.* if\b)/,
    "What changed, and when, stands on the page Changes, and at the operation `changes`; I can tell why one asset changed.",
  ],
  [
    /\b(?:forecasts?|predict\w*|projected|projection|tomorrow|next (?:week|month|quarter|year)|future|going to|will)\b/,
    "The catalog does not know the future: it says what is known now.",
  ],
  [
    /\b(?:better|worse|beautiful|ugly|worth|smart|stupid|prefer|(?<!who )should (?:we|i)|good idea|too (?:many|complex|complicated|slow)|well designed|easier|nice)\b/,
    NO_OPINION,
  ],
  [
    new RegExp(
      String.raw`\bhow much\b|\bhow many (?:rows?|records?|customers?|orders?|users?|people|times)\b|\b(?:last|this|previous|past) (?:hour|day|week|month|quarter|year|night|weekend)\b|\b(?:yesterday|today|tonight|revenue in|sold|in (?:${MONTHS}|q[1-4]|20\d\d))\b|\btop \d+ (?:customers|products|users)\b|^what (?:s |is |was |were |will )?(?:be )?(?:the |our )?(?:\w+ ){0,2}(?:average|median|total|sum|highest|lowest|maximum|minimum|value)\b`,
    ),
    "The catalog holds metadata, not data: it knows where a number comes from and how it is computed, not what it is.",
  ],
];

/**
 * @param words of the question, without names of assets
 * @param isRead whether a plan could be read
 */
export function findReason(words: string, isRead: boolean): string | null {
  const text = words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return (isRead ? REFUSALS : REASONS).find(([when]) => when.test(text))?.[1] ?? null;
}
