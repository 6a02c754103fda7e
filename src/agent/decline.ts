/**
 * Why a question has no answer in a catalog. Only the words of the question that name no asset are looked at: an asset may be
 * called anything.
 */

const NO_OPINION = "That is a matter of opinion, and the catalog holds none.";
const ONLY_THE_CATALOG = "I only answer questions about what this workspace's catalog holds.";

/** What is said where the words match a pattern. */
type Reasons = Readonly<Record<string, RegExp>>;

/** What is refused even where a plan could be read. */
const REFUSALS: Reasons = {
  [ONLY_THE_CATALOG]:
    /\b(?:ignore|disregard|forget|override)\b.*\b(?:instructions?|rules?|prompt|previous|above)\b|\bsystem prompt\b|\bpretend\b|^(?!.*\b(?:columns?|tables?|models?|tagged|named|called)\b).*\b(?:passwords?|credentials?|secrets?|api keys?|access tokens?)\b/,
  "I answer questions and change nothing.":
    /^(?!.*\b(?:what|who|whom|which|how|why|when|does|is|are|impact|effect)\b)(?:(?:please|pls|hey|hi|now|just|then|and|go ahead|can you|could you|would you|you must|i need you to|lets|let us) )*(?:drop|delete|create|update|write|generate|send|email|execute|insert|truncate|certify|uncertify|fix|make|set|mark|assign|tag|untag|rename|remove|deprecate|grant|revoke|refactor|optimi[sz]e|add|run|trigger|compose|draft|post|schedule|deploy|migrate|alter|merge|restart|refresh|sync|crawl|change|approve|archive|notify|hide|disable|enable)\b/,
  [NO_OPINION]:
    /\b(?:best|worst|nicest|favou?rite|opinion|do you (?:think|like|feel|believe)|better than|worse than|recommend\w*)\b/,
  "The catalog does not hold what people did: it knows who owns and who certified what.":
    /\bwho (?:\w+ )?(?:broke|changed|deleted|dropped|removed|renamed|edited|touched|wrote|created|added|queried|ran|looked|opened|viewed|logged in)\b/,
};

/** What explains besides why no plan could be read. */
const REASONS: Reasons = {
  "What changed, and when, stands on the page Changes, and at the operation `changes`; I can tell why one asset changed.":
    /\bchang(?:e|es|ed)\b(?!.* if\b)/,
  "The catalog does not know the future: it says what is known now.":
    /\b(?:forecasts?|predict\w*|projected|projection|tomorrow|next (?:week|month|quarter|year)|future|going to|will)\b/,
  [NO_OPINION]:
    /\b(?:better|worse|beautiful|ugly|worth|smart|stupid|prefer|(?<!who )should (?:we|i)|good idea|too (?:many|complex|complicated|slow)|well designed|easier|nice)\b/,
  "The catalog holds metadata, not data: it knows where a number comes from and how it is computed, not what it is.":
    /\bhow much\b|\bhow many (?:rows?|records?|customers?|orders?|users?|people|times)\b|\b(?:last|this|previous|past) (?:hour|day|week|month|quarter|year|night|weekend)\b|\b(?:yesterday|today|tonight|revenue in|sold|in (?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|20\d\d))\b|\btop \d+ (?:customers|products|users)\b|^what (?:s |is |was |were |will )?(?:be )?(?:the |our )?(?:\w+ ){0,2}(?:average|median|total|sum|highest|lowest|maximum|minimum|value)\b/,
};

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
  const reasons = [REFUSALS, ...(isRead ? [] : [REASONS])].flatMap((some) => Object.entries(some));
  return reasons.find(([, when]) => when.test(text))?.[0] ?? null;
}
