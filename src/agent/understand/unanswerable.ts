/** Questions that a catalog cannot answer, whatever is in it, each with what to say. */

import type { Intent } from "./intent.ts";

interface Reason {
  when: RegExp;
  /** Where the same words ask for something that it can answer after all. */
  unless?: RegExp;
  /** Whether the words may also just describe something, in a question that asks for something else. */
  mayDescribe?: boolean;
  say: string;
}

const MONTH = "january|february|march|april|may|june|july|august|september|october|november|december";
const DATA_SAY =
  "The catalog holds metadata, not data: it knows where a number comes from and how it is computed, not what it is.";
const ABOUT_RUNS = /\b(?:sync|synced|updated|refreshed|crawl|crawled|changed|fresh)\b/;

const REASONS: readonly Reason[] = [
  {
    when: /\b(?:ignore|disregard|forget|override) (?:all |any |the |your |my |every )*(?:previous|prior|above|earlier|instructions?|rules?|prompt)|\b(?:system prompt|developer mode|jailbreak|you are now|pretend|roleplay|act as)\b|\b(?:passwords?|credentials?|secrets?|api keys?|private keys?|access tokens?)\b/,
    say: "I only answer questions about what this workspace's catalog holds, and keep to that.",
  },
  {
    when: /^(?:(?:please|hey|hi|hello|ok|now|just|can|could|would|will|you|to|i|want|need) )*(?:drop|delete|create|update|write|generate|send|email|execute|insert|truncate|certify|fix|translate|sing|draw|book|order|buy|rename|remove|deprecate|grant|revoke|refactor|optimi[sz]e|add|run|trigger|compose|draft|post|schedule|deploy|migrate|alter|merge|restart)\b/,
    unless: /\b(?:impact|what|who|which|how)\b/,
    say: "I answer questions and change nothing.",
  },
  {
    when: new RegExp(
      String.raw`\b(?:forecasts?|predict|prediction|predicted|projected|projection|tomorrow|next (?:week|month|quarter|year)|future|going to (?:be|grow|rise|fall)|will (?:\w+ ){0,4}(?:be in|grow|increase|decrease|rise|fall|exceed|reach|hit))\b`,
    ),
    say: "I cannot tell the future: the catalog says how things stand now.",
  },
  {
    when: /\b(?:best|better|worst|worse|favou?rite|opinion|do you (?:think|like|feel|believe)|recommend|beautiful|nicest|ugly|worth|smart|stupid|prefer|should (?:we|i) (?:switch|hire|fire|buy|sell|migrate|invest|raise|lower|increase|build|stop|start))\b/,
    say: "That is a matter of opinion, and the catalog holds none.",
  },
  {
    when: new RegExp(
      String.raw`\bhow much\b|\b(?:last|this|previous|past|current) (?:full |fiscal |calendar |business )?(?:hour|day|week|month|quarter|year|night|weekend|summer|winter|spring|autumn|christmas|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\b(?:yesterday|today|tonight|this morning|since (?:${MONTH}|\d{4})|in (?:${MONTH}|q[1-4]|\d{4})|on (?:black friday|\d+))\b|\btop \d+\b|\b(?:rows|records) (?:does|do|are|in|of)\b|\bhow (?:big|large|long|high|low)\b`,
    ),
    unless: ABOUT_RUNS,
    mayDescribe: true,
    say: DATA_SAY,
  },
  {
    when: /\b(?:highest|lowest|biggest|largest|smallest|most|least|fewest|average|median|maximum|minimum|total|sum|trend|trending|growing|grew|increased|decreased|rising|falling|spike|spiked|dropped last|best selling|sold)\b/,
    unless:
      /\bN\b.*\b(?:defined|computed|calculated|owner|owns|certified|feed|feeds|use|uses|depend|depends)\b|\b(?:defined|computed|calculated|owns?|owner|certified|feeds?|uses?|depends?|number of|total number|break|breaks|affected|drop|recent|recently)\b/,
    mayDescribe: true,
    say: DATA_SAY,
  },
];

/** What can be counted: nodes of the graph, by a word between "how many" and the verb. */
const COUNTABLE =
  /\bhow many (?:\w+ ){0,3}?(?:tables?|datasets?|models?|metrics?|kpis?|measures?|figures?|dashboards?|reports?|notebooks?|pipelines?|exports?|jobs?|columns?|fields?|assets?|things|owners?|people|teams|tags?|connectors?|hops|steps|seeds?|snapshots?|views?|consumers?|dependents|dependencies|sources?|dimensions|filters|errors|syncs)\b/;

/** Intents under which a question may be about what the data says rather than where it comes from. */
const MAY_ASK_VALUES: ReadonlySet<Intent | null> = new Set(["what", "count", "list", "where", "columns", null]);

/**
 * Why the question cannot be answered, as a sentence; null where it may be.
 * @param intent what it asks for
 */
export function findUnanswerable(template: string, intent: Intent | null): string | null {
  const found = REASONS.find(
    ({ when, unless, mayDescribe = false }) =>
      when.test(template) && !(unless?.test(template) ?? false) && (!mayDescribe || MAY_ASK_VALUES.has(intent)),
  );
  if (found !== undefined) return found.say;
  return intent === "count" && !COUNTABLE.test(template) && /\bhow many\b/.test(template) ? DATA_SAY : null;
}
