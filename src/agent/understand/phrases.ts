/** Groups of words that the rules of `intent.ts` are written with. */

/** Parts of the rules, by name; `<name>` in a rule stands for one of its words. */
const PARTS: Readonly<Record<string, string>> = {
  type: "tables? datasets? models? metrics? kpis? measures? figures? dashboards? reports? notebooks? charts? screens? pipelines? exports? jobs? columns? fields? assets? seeds? snapshots? views? things? anything everything",
  // What makes the thing before it the consumer, and the thing behind it the source.
  takes:
    "use uses using read reads reading consume consumes consuming depend depends depending dependent rely relies relying need needs require requires reference references query queries draw draws come comes coming derive derives derived originate originates sourced based built measured rest rests made computed calculated created powered fed loaded filled populated driven backed get gets sit sits sitting stand stands lean leans draws pick picks picked tap taps hang hangs learn learns eat eats watch watches watching see sees open opens",
  // What makes the thing before it the source, and the thing behind it the consumer.
  gives:
    "feed feeds feeding supply supplies populate populates power powers powering drive drives driving go goes going flow flows load loads loading contribute contributes fill fills produce produces influence influences carry carries lead leads",
  shows: "show shows display displays contain contains include includes has have hold holds",
  ran: "load loads import imports ingest ingestion landed arrived update updated updates changed refresh refreshed sync synced syncs crawl crawled loaded run ran modified touched seen filled imported ingested",
  went: "go goes gone went through through pass passed run running work worked ok healthy health fail fails failed error errors status succeed succeeded successful doing finish finished complete completed wrong",
  change:
    "drop drops dropped dropping delete deletes deleted deleting remove removes removed removing removal rename renames renamed renaming deprecate deprecates deprecating retire retired retiring kill touch touches touching alter alters altering modify modifies modifying edit editing replace replaces replacing migrate migrating rewrite rewriting refactor refactoring truncate archive archiving",
  harm: "break breaks broken breaking impact impacts impacted suffer suffers die dies crash crashes notice notices miss misses hurt hurts affected affect affects consequence consequences",
  is: "is are was were does do did has have had can could will would should",
  who: "who whom whose",
};

/**
 * @param text a pattern in which a blank is a blank, `<…>` a part, and `…` anything
 */
export function phrase(text: string): RegExp {
  const words = text
    .replaceAll("…", String.raw`\b.*\b`)
    .replaceAll(/<(\w+)>/g, (_, name: string) => `(?:${(PARTS[name] ?? "").replaceAll(" ", "|")})`);
  return new RegExp(words);
}
