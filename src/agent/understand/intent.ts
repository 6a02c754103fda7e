/**
 * What a question asks, read from its words with the names taken out: `N` stands for an asset, `P` for an owner, `T` for
 * a tag, `C` for a connector. The first rule that fits decides.
 */
import type { NodeType } from "../../catalog/asset.ts";

const INTENTS = [
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
  "find",
  "what",
] as const;
export type Intent = (typeof INTENTS)[number];

interface Rule {
  intent: Intent;
  when: RegExp;
  unless?: RegExp;
  /** Fewest and most assets that are named. */
  names?: readonly [number, number];
  /** Of what type the first of them must be. */
  first?: readonly NodeType[];
}

const ONE = [1, Infinity] as const;
const TWO = [2, Infinity] as const;
const NO_NAME = [0, 0] as const;

/** Parts of the rules, by name; `<name>` in a rule stands for one of its words. */
const PARTS: Readonly<Record<string, string>> = {
  type: "tables? datasets? models? metrics? kpis? measures? figures? dashboards? reports? notebooks? charts? screens? pipelines? exports? jobs? columns? fields? assets? seeds? snapshots? views? things? anything everything",
  // What makes the thing before it the consumer, and the thing behind it the source.
  takes:
    "use uses using read reads reading consume consumes consuming depend depends depending dependent rely relies relying need needs require requires reference references query queries draw draws come comes coming derive derives derived originate originates sourced based built measured rest rests made computed calculated created powered fed loaded filled populated driven backed get gets",
  // What makes the thing before it the source, and the thing behind it the consumer.
  gives:
    "feed feeds feeding supply supplies populate populates power powers powering drive drives driving go goes going flow flows load loads loading contribute contributes fill fills produce produces influence influences carry carries lead leads",
  shows: "show shows display displays contain contains include includes has have hold holds",
  ran: "update updated updates changed refresh refreshed sync synced syncs crawl crawled loaded run ran modified touched seen filled imported ingested",
  went: "go goes went work worked ok healthy health fail fails failed error errors status succeed succeeded successful doing finish finished complete completed wrong",
  change:
    "drop drops dropped dropping delete deletes deleted deleting remove removes removed removing removal rename renames renamed renaming deprecate deprecates deprecating retire retired retiring kill",
  harm: "break breaks broken breaking impact impacts impacted suffer suffers die dies crash crashes notice notices miss misses hurt hurts affected affect affects consequence consequences",
  is: "is are was were does do did has have had can could will would should",
  who: "who whom whose",
};

function pattern(text: string): RegExp {
  const words = text
    .replaceAll("…", String.raw`\b.*\b`)
    .replaceAll(/<(\w+)>/g, (_, name: string) => `(?:${(PARTS[name] ?? "").replaceAll(" ", "|")})`);
  return new RegExp(words);
}

/** @param when a pattern in which a blank is a blank, `<…>` a part, and `…` anything */
function rule(
  intent: Intent,
  when: string,
  more: { unless?: string; names?: readonly [number, number]; first?: readonly NodeType[] } = {},
): Rule {
  const { unless, ...rest } = more;
  return {
    intent,
    when: pattern(String.raw`\b(?:${when})\b`),
    ...(unless !== undefined && { unless: pattern(String.raw`\b(?:${unless})\b`) }),
    ...rest,
  };
}

/** In the order in which they are tried. */
const RULES: readonly Rule[] = [
  rule("what", "(?:what|which)(?: is| s)?(?: the| its)? (?:data )?type(?: of)?|N…(?:data type|what type|which type)", {
    names: ONE,
    unless: "<change>|chang(?:e|es|ed|ing)",
  }),
  rule("freshness", "fresh|freshness|stale|up to date|out of date|how (?:old|recent|current)"),
  rule("freshness", "(?:when|last|latest|recent|recently|newest)…<ran>|<ran>…(?:when|last|latest|recently)", {
    unless: "<harm>|if",
  }),
  rule("freshness", "(?:sync|syncs|crawl|connectors?|C)…<went>|<went>…(?:sync|syncs|crawl|connectors?|C)", {
    names: NO_NAME,
  }),
  rule(
    "freshness",
    "(?:connectors?|C|sync|crawl)…(?:itself|automatic|automatically|schedule|scheduled|every|often)|(?:schedule|scheduled|how often)…(?:connectors?|C|sync|crawl)",
  ),
  rule(
    "compare",
    "compare|compared|comparison|differences?|differs?|different|differently|versus|vs|distinguish|distinguishes|same|confuse|apart",
    { names: TWO },
  ),
  rule("path", "(?:path|route|connection|link|relationship|relation|lineage|hops|steps)…N…N", {
    names: TWO,
    unless: "<harm>",
  }),
  rule(
    "path",
    "how…N…(?:get|gets|flow|flows|reach|reaches|end|ends|make|makes|become|becomes|travel|travels|connected|related|linked|connect|relate|find|finds|arrive)",
    { names: TWO },
  ),
  rule(
    "path",
    "(?:trace|follow)…N…N|N and N…(?:connected|related|linked)|(?:connects|links|between)…N…N|from N(?: all)?(?: the)?(?: way)? (?:\\w+ )?(?:to|into) (?:the )?N",
    { names: TWO, unless: "<change>|<harm>" },
  ),
  rule(
    "uses",
    "(?:and |so |but )?<is>…N…(?:<takes>|<gives>|<shows>|<harm>|downstream|upstream|used|from|on|part|into|in)…N",
    { names: TWO, unless: "^(?:what|which|how|where|when|why|<who>)" },
  ),
  rule(
    "owner",
    "<who>(?: \\w+)? (?:own|owns|owned|maintains?|is responsible|are responsible|is in charge|looks after|takes care)",
    { names: ONE, unless: "if|when|<change>|<harm>" },
  ),
  rule(
    "impact",
    "break|breaks|breaking|impact|impacts|impacted|blast radius|consequences?|repercussions|fallout|suffers?|dies?|crash|crashes",
  ),
  rule(
    "impact",
    "<change>|get rid of|(?:goes|go|went|were|was|is) (?:away|gone)|disappear(?:s|ed)?|vanish(?:es|ed)?|no longer|stops? (?:coming|working|loading)|fails?|data type|type change|chang(?:e|es|ing) (?:the )?(?:data )?(?:type|N)|change to N|N changes|N (?:is|was|goes|are) (?:wrong|late|missing|down|broken)|wrong",
    { unless: "<type>…<who>|last…<ran>", names: ONE },
  ),
  rule("impact", "affected|hurt|notices?|miss|misses|happens? (?:if|when|to)", { names: ONE }),
  rule(
    "impact",
    "(?:<who>|should|must|need|have to|list)…(?:tell|warn|warned|notify|notified|inform|informed|alert|alerted|told)…(?:if|before|when|about|that)",
    { names: ONE },
  ),
  rule("count", "how many|number of|count of|total number"),
  rule(
    "certification",
    "(?:<who>|when|why)…(?:certified|certify|certifies|approved|signed|sign|vouched|vouches|pending|deprecated)",
    { names: ONE },
  ),
  rule(
    "certification",
    "(?:<is>|anybody|anyone|somebody)…(?:certified|certify|pending|deprecated|approved|trusted|trustworthy|trust|official|reliable|certification|signed|sign|safe|uncertified|vouched|rely on|believe)",
    {
      names: ONE,
      unless: "(?:which|what|list|show|all|every) <type>|(?:which|what|list|all) (?:certified|pending|deprecated)",
    },
  ),
  rule(
    "certification",
    "(?:certification|certification status|status|certifier)…N|N…(?:certification|status)|trust…N|N…trust",
    { names: ONE },
  ),
  rule(
    "certification",
    "(?:should|can|may|could|must) (?:i|we|you|one|people|she|he|they) (?:still |safely |really )?(?:use|trust|rely|believe)",
    { names: ONE, unless: "instead" },
  ),
  rule(
    "list",
    "unowned|ownerless|not owned|(?:no|without|without an|without any|lack|lacks|lacking|missing|missing an|not have|not have an|not have any) owners?|(?:nobody|no one|noone)…(?:own|owns|owned|owner|described|documented|certified)|undocumented|undescribed|(?:no|without|without a|without any|lack|lacks|lacking|missing|missing a|empty|not have a|not have any|not have) (?:descriptions?|documentation|docs)|not (?:documented|described)",
    { names: NO_NAME },
  ),
  rule(
    "owned",
    "P…<type>|<type>…P|(?:own|owns|owned|owner|responsible|charge|belong|belongs|certified|certify|looks after|maintains?)…P|P…(?:own|owns|owned|responsible|charge|certify|certified|looks after|maintains?|take care)",
    { names: NO_NAME },
  ),
  rule(
    "owner",
    "own|owns|owned|owner|owners|ownership|responsible|maintains?|maintained|maintainer|in charge|looks? after|takes? care|steward|contact|belongs? to|accountable|whose|(?:which|what) team|<who>…(?:ask|talk|speak|contact|go to|turn to|call)|<who> (?:is|are) behind",
    { names: ONE },
  ),
  rule(
    "where",
    "where…(?:show up|shows up|turn up|appear|appears|occur|occurs|stored|kept|live|lives|find|is|are)…N$|where…N…(?:show up|shows up|turn up|turns up|appear|appears|occur|occurs|stored|kept|live|lives|located|found)$|where (?:is|are) (?:the )?N$",
    { names: ONE, unless: "used" },
  ),
  rule(
    "where",
    "(?:<type>|place|places|where)…(?:<shows>|with|store|stores|stored|keep|keeps|kept|find)…N|which (?:database|schema)|N…(?:in|on) (?:which|what) <type>",
    { first: ["column"], names: [1, 1], unless: "(?:columns?|fields?)" },
  ),
  rule("where", "which (?:database|schema)", { names: ONE }),
  rule(
    "columns",
    "(?:columns?|fields?|attributes?|schema|structure)…(?:of|in|does|do|has|have|on|from|for|inside|exist|are there)…N|N…(?:columns?|fields?|schema|structure)",
    { names: ONE, first: ["table", "model"], unless: "<takes>|<gives>|feed|feeds|used" },
  ),
  rule(
    "upstream",
    "used to (?:build|make|compute|calculate|create|produce|define|derive)…N|(?:upstream|origins?|inputs?|ancestors?|parents?|provenance|dependenc(?:y|ies)|lineage|behind|underneath|underlies|underlying|beneath|ingredients)…N|sources? (?:of|for|behind|tables? (?:of|for|behind))…N|N…(?:upstream|sources?|origins?|inputs?|dependencies|lineage)",
    { names: ONE, unless: "downstream" },
  ),
  rule(
    "definition",
    "(?:which|what) (?:rule|criteria|basis)|counts? as|counted as|qualif(?:y|ies)|(?:how|what)…(?:divided|divide|multiplied|subtracted|numerator|denominator|add up|adds up)|how…(?:define|defined|compute|computed|calculate|calculated|measure|measured|worked out|determined|formula|come up|counted|counting|count)|(?:definition|formula|expression|calculation|sql|logic|grain|granularity|dimensions?|filters?|split|slice|sliced)…N|N…(?:defined|computed|calculated|measured|definition|formula|expression|grain|dimensions?|filters?|logic|sliced|split|broken down)",
    { names: ONE, unless: "(?:which|what) <type>…N|from (?:what|which)|computed from|calculated from" },
  ),
  rule("upstream", "where…(?:from|originate)|what…N…(?:come|built|made|computed|calculated|derived) from", {
    names: ONE,
  }),
  rule("downstream", "downstream|consumers?|dependents?|descendants?|children|users (?:of|from)", { names: ONE }),
  rule("upstream", String.raw`<is> (?:the )?N(?: \w+)* <takes>(?! by\b)(?!.*\bN)|N (?:<takes>)(?! by\b)(?!.*\bN)`, {
    names: ONE,
    unless: "N…used|(?:get|gets) used",
  }),
  rule(
    "downstream",
    "N…(?:used|read by|consumed|referenced|shown|needed|appear|appears|exported|reused|visible|displayed|good for|used for)|N…<gives>",
    { names: ONE },
  ),
  rule("what", "what…N…<shows>|<shows>…about", {
    names: [1, 1],
    first: ["dashboard", "pipeline", "metric"],
    unless: "(?:which|what) <type>",
  }),
  rule(
    "find",
    "(?:<type>|something)…(?:about|related to|concerning|regarding|on the subject of)…N|(?:have|has|is there|are there) (?:\\w+ ){0,2}(?:<type>|something)…(?:about|on|for)…N",
    { names: [1, 1] },
  ),
  rule(
    "upstream",
    "(?:get|gets|reach|reaches|arrive|arrives|flow|flows|make it|makes it)…(?:to|into|in|on)(?: the)? N",
    { names: [1, 1] },
  ),
  rule("upstream", "(?:<gives>|ends? up)…N", { names: ONE }),
  rule("downstream", "(?:<takes>|<shows>|made with|used? by|used? (?:the )?N)…N", { names: ONE }),
  rule("where", "where", { names: ONE }),
  rule("list", "T", { names: NO_NAME }),
  rule("list", "(?:which|what|list|show|give|all|every|any|are there|is there|find|name)…<type>", { names: NO_NAME }),
  rule(
    "list",
    "(?:which|what|anything|everything|something)…(?:certified|pending|deprecated|uncertified|tagged|stop using)",
    { names: NO_NAME },
  ),
  rule(
    "downstream",
    "(?:which|what) (?:\\w+ )?(?:metrics?|dashboards?|reports?|figures?|models?|pipelines?|tables?)…N",
    { names: ONE },
  ),
  rule("list", "(?:what|which|list|all|show)…(?:tags|owners|connectors|people|teams)", { names: NO_NAME }),
  rule("downstream", "N…(?:which|what) (?:\\w+ )?<type>", { names: ONE }),
  rule("what", "N", { names: ONE }),
];

/** @param subjects what the `N`s stand for, in their order */
export function readIntent(template: string, subjects: readonly { type: NodeType }[]): Intent | null {
  const found = RULES.find(
    ({ when, unless, names: [fewest, most] = [0, Infinity], first }) =>
      fewest <= subjects.length &&
      subjects.length <= most &&
      (first === undefined || first.some((type) => subjects[0]?.type === type)) &&
      when.test(template) &&
      !(unless?.test(template) ?? false),
  );
  return found?.intent ?? null;
}
