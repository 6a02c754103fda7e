/**
 * What a question asks, read from its words with the names taken out: `N` stands for an asset, `P` for an owner, `T` for
 * a tag, `C` for a connector. The first rule that fits decides.
 */

export const INTENTS = [
  "path",
  "compare",
  "uses",
  "impact",
  "count",
  "freshness",
  "certification",
  "owner",
  "owned",
  "columns",
  "definition",
  "upstream",
  "downstream",
  "list",
  "where",
  "what",
] as const;
export type Intent = (typeof INTENTS)[number];

interface Rule {
  intent: Intent;
  when: RegExp;
  /** Fewest assets that must be named. */
  names?: number;
}

const TYPE = String.raw`(?:tables?|datasets?|models?|metrics?|kpis?|measures?|dashboards?|reports?|notebooks?|pipelines?|exports?|jobs?|columns?|fields?|assets?|seeds?|snapshots?|views?|things?)`;
/** What makes the thing before it the consumer, and the thing after it the source. */
const TAKES = String.raw`(?:uses?|using|reads?|reading|consumes?|consuming|depends?|depending|dependent|rel(?:y|ies|ying)|needs?|requires?|references?|queries|shows?|displays?|draws?|comes? from|coming from|derived?s?|derives|originates?|sourced|based|built|builds on|made (?:from|of|up|out)|computed|calculated|created from|powered by|fed by|fed from|loaded from|populated|driven by|backed by|contains?|includes?)`;
/** What makes the thing before it the source, and the thing after it the consumer. */
const GIVES = String.raw`(?:feeds?|feeding|suppl(?:y|ies)|populates?|powers?|powering|drives?|driving|goes into|go into|flows? into|flows? to|loads?|contributes? to|fills?|produces?|affects?|influences?|ends? up in|makes? up)`;

const LAST = String.raw`(?:updated?|changed|refreshed?|synced|sync|syncs|crawl|crawled|loaded|run|ran|modified|touched|seen)`;

/** In the order in which they are tried. */
const RULES: readonly Rule[] = [
  { intent: "freshness", when: /\b(?:fresh|freshness|stale|up to date|out of date|how (?:old|recent|current))\b/ },
  { intent: "freshness", when: new RegExp(String.raw`\b(?:when|last|latest|recent|recently|newest)\b.*\b${LAST}\b`) },
  { intent: "freshness", when: new RegExp(String.raw`\b${LAST}\b.*\b(?:when|last|latest|recently)\b`) },
  {
    intent: "freshness",
    when: /\b(?:sync|syncs|crawl|connectors?)\b.*\b(?:go|went|work|ok|healthy|health|fail|failed|errors?|status|succeed|successful|doing|finish|finished|complete|completed)\b/,
  },
  {
    intent: "freshness",
    when: /\b(?:health|healthy|status|state)\b.*\b(?:sync|connectors?|C)\b|\bC\b.*\b(?:healthy|health|ok|fail|failed|errors?)\b/,
  },
  {
    intent: "path",
    when: /\b(?:path|route|way|connection|link|relationship|relation|lineage|hops|steps)\b.*\bN\b.*\b(?:to|and|with|into)\b.*\bN\b/,
    names: 2,
  },
  {
    intent: "path",
    when: /\bhow\b.*\bN\b.*\b(?:get|gets|flow|flows|reach|reaches|end|ends|make|makes|become|becomes|travel|travels|connected|related|linked|connect|relate)\b/,
    names: 2,
  },
  {
    intent: "path",
    when: /\b(?:trace|follow)\b.*\bN\b.*\bN\b|\bN and N\b.*\b(?:connected|related|linked)\b|\b(?:connects|links)\b.*\bN\b.*\bN\b/,
    names: 2,
  },
  {
    intent: "compare",
    when: /\b(?:compare|compared|comparison|differences?|differs?|different|versus|vs|distinguish|distinguishes|same)\b/,
    names: 2,
  },
  {
    intent: "impact",
    when: /\b(?:break|breaks|broken|breaking|impact|impacts|impacted|blast radius|consequences?|repercussions|fallout)\b/,
  },
  {
    intent: "uses",
    when: new RegExp(
      String.raw`^(?:and |so |but )?(?:does|do|did|is|are|can|could|will|would|was|has|have)\b.*\bN\b.*\b(?:${TAKES}|${GIVES}|downstream|upstream|used|from|on|part)\b.*\bN\b`,
    ),
    names: 2,
  },
  {
    intent: "impact",
    when: /\b(?:drop|drops|dropped|dropping|delete|deletes|deleted|deleting|remove|removes|removed|removing|removal|rename|renames|renamed|renaming|deprecate|deprecates|deprecating|retire|retired|retiring|kill|get rid of|goes away|disappears?|type change|changes? (?:the )?(?:data )?type|changing (?:the )?(?:data )?type|change N|changing N|changes? to N|N changes|N is wrong|N was wrong|N goes wrong|N breaks)\b/,
  },
  { intent: "impact", when: /\b(?:affected|affect|affects|hurt|notice|notices|happens? (?:if|when|to))\b/ },
  { intent: "impact", when: /\b(?:tell|warn|notify|inform|alert)\b.*\b(?:if|before|when|about)\b/ },
  { intent: "count", when: /\b(?:how many|number of|count of|count the|total number)\b/ },
  {
    intent: "certification",
    when: /\b(?:who|whom|when|why)\b.*\b(?:certified|certify|certifies|approved|signed|vouche[sd]|pending|deprecated)\b.*N|\bN\b.*\b(?:who|whom|when|why)\b.*\b(?:certified|pending|deprecated)\b|\b(?:who|when|why)\b.*\bN\b.*\b(?:certified|approved|pending|deprecated|signed)\b/,
    names: 1,
  },
  {
    intent: "certification",
    when: /^(?:and |so )?(?:is|are|was|has|can|could|should|may|do|does)\b.*\bN\b.*\b(?:certified|pending|deprecated|approved|trusted|trustworthy|trust|official|reliable|certification|signed|safe|uncertified)\b|\b(?:certification|status|trustworthy|trusted|trust|certifier)\b.*\bN\b|\bN\b.*\b(?:certification|status)\b/,
    names: 1,
  },
  {
    intent: "certification",
    when: /\b(?:should|can|may|could|must) (?:i|we|you|one|people) (?:still |safely |really )?(?:use|trust|rely on|believe)\b.*\bN\b/,
    names: 1,
  },
  { intent: "owned", when: /\bP\b/ },
  {
    intent: "list",
    when: new RegExp(
      String.raw`\b(?:not owned|unowned|ownerless|no owners?|without (?:an |any )?owners?|(?:have|has|with|lack|lacks|lacking|missing) (?:an |any |no )?owners?|nobody owns|no one owns|undocumented|(?:no|without|lack|lacks|lacking|missing|empty)(?: a| an| any)? (?:description|descriptions|documentation|docs)|not documented|not described)\b`,
    ),
  },
  {
    intent: "owner",
    when: /\b(?:own|owns|owned|owner|owners|ownership|responsible|maintains?|maintained|maintainer|in charge|looks? after|steward|contact|belongs? to|accountable|whose)\b|\bwho(?:m)?\b.*\b(?:ask|talk|speak|contact|go to)\b|\b(?:which|what) team\b|\bwho (?:is|are) (?:the (?:people|person|team) )?behind\b/,
    names: 1,
  },
  {
    intent: "columns",
    when: /\b(?:columns?|fields?|attributes?|schema|structure)\b.*\b(?:of|in|does|do|has|have|on|from|for|inside|exist|are there)\b.*\bN\b|\bN\b.*\b(?:columns?|fields?|schema|structure)\b/,
    names: 1,
  },
  {
    intent: "definition",
    when: /\bhow\b.*\b(?:defined?|computed?|calculated?|calculate|measured?|worked out|derived|determined|formula|built|made|get|come up)\b|\b(?:definition|formula|expression|calculation|sql|logic|grain|dimensions?|filters?)\b.*\bN\b|\bN\b.*\b(?:defined|computed|calculated|measured|definition|formula|expression|grain|dimensions?|filters?|logic|sliced|broken down)\b/,
    names: 1,
  },
  {
    intent: "upstream",
    when: /\bused to (?:build|make|compute|calculate|create|produce|define|derive)\b.*\bN\b|\b(?:upstream|sources?|origins?|inputs?|ancestors?|parents?|provenance|dependenc(?:y|ies)|lineage|behind|underneath|underlies|underlying|beneath|ingredients)\b.*\bN\b|\bN\b.*\b(?:upstream|sources?|origins?|inputs?|dependencies|lineage)\b|\bwhere\b.*\b(?:from|originate)\b/,
    names: 1,
  },
  {
    intent: "downstream",
    when: /\b(?:downstream|consumers?|dependents?|descendants?|children|users) (?:\w+ )?(?:of|from|to)\b.*\bN\b|\bN\b.*\b(?:downstream|consumers?|dependents?|users)\b|\bdownstream\b/,
    names: 1,
  },
  {
    intent: "upstream",
    when: new RegExp(String.raw`\b(?:is|are|was|were|does|do|did)\b[^,;?]*\bN\b[^N]*\b${TAKES}\b(?! by\b)(?![^N]*N)`),
    names: 1,
  },
  {
    intent: "downstream",
    when: /\bN\b[^N]*\b(?:used|read by|consumed|referenced|shown|needed|appears?|feed|power|go|goes|exported|reused|visible|displayed)\b|\bN\b[^N]*\b(?:drive|supply|support|lead to|flow|end up)\b/,
    names: 1,
  },
  { intent: "downstream", when: new RegExp(String.raw`\b(?:used? by N|${TAKES}\b.*\bN)\b`), names: 1 },
  { intent: "upstream", when: new RegExp(String.raw`\b${GIVES}\b.*\bN\b`), names: 1 },
  {
    intent: "where",
    when: /\bwhere\b|\bwhich (?:database|schema)\b|\b(?:which|what) (?:tables?|models?|datasets?|dashboards?) (?:have|has|contains?|holds?|with|includes?|stores?|keeps?)\b/,
    names: 1,
  },
  { intent: "list", when: /\bT\b/ },
  {
    intent: "list",
    when: new RegExp(String.raw`\b(?:which|what|list|show|give|all|every|any|are there|find)\b.*\b${TYPE}\b`),
  },
  {
    intent: "list",
    when: /\b(?:which|what|anything|everything|something)\b.*\b(?:certified|pending|deprecated|uncertified|tagged)\b/,
  },
  { intent: "what", when: /\bN\b/, names: 1 },
];

export function readIntent(template: string, names: number): Intent | null {
  const found = RULES.find((rule) => (rule.names ?? 0) <= names && rule.when.test(template));
  return found?.intent ?? null;
}
