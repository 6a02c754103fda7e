/** Questions about crawls, which speak of no asset: they are told by their words. */
import type { Chosen } from "./choose-reading.ts";
import { isFiller } from "./fillers.ts";
import { knownWords } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

const ABOUT_CRAWLS =
  /\b(?:sync|syncs|synced|syncing|crawl|crawls|crawled|crawling|connectors?|ingestion|last load|latest load|last run|latest run|last refresh|catalog .*(?:filled|loaded|updated|fresh|up to date))\b/;
/** Words that questions about crawls are made of. */
const OF_CRAWLS = new Set(
  `sync syncs synced syncing crawl crawls crawled crawling connectors ingestion last latest next run runs ran go went gone through ok okay error
  errors warning warnings wrong trouble healthy health doing schedule scheduled often finish finished complete completed start started succeed
  succeeded successful successfully discover discovered load filled fill status state dbt itself automatically night nightly day daily hourly`.split(
    /\s+/,
  ),
);
const CRAWLS = 0.3;

/**
 * What no plan was read from and speaks of crawls asks how they went.
 * @param connectors their names; null where the question names an asset
 */
export function orConnectors(reading: Chosen, tokens: readonly Token[], connectors: readonly string[] | null): Chosen {
  const text = tokens.map(({ word }) => word).join(" ");
  if (
    (reading.plans.length > 0 && reading.unplaced.length === 0 && reading.cost < 1) ||
    connectors === null ||
    !ABOUT_CRAWLS.test(text)
  )
    return reading;
  const isForeign = ({ word, words }: Token): boolean =>
    words.length > 0 &&
    !knownWords().has(word) &&
    !isFiller(word) &&
    !OF_CRAWLS.has(word) &&
    !connectors.includes(word);
  if (tokens.some(isForeign)) return reading;
  const asksFaults =
    /^(?:did|does|do|any|was|were|has|have|is|are)\b.*\b(?:errors?|warnings?|wrong|trouble|fail\w*)\b/.test(text);
  const names = connectors.filter((name) => tokens.some(({ word }) => word === name.toLowerCase()));
  return {
    plans: [
      {
        tell: "connectors",
        ...(names.length > 0 && { names }),
        ...(asksFaults && { faults: /\b(?:without|no|free of)\b/.test(text) ? "none" : "any" }),
        ...(/\bhow many connectors\b/.test(text) && { count: true }),
      },
    ],
    cost: CRAWLS,
    unplaced: [],
    unread: "",
  };
}
