/** Crawls Metabase: lists its collections, then reads each card and each dashboard. */
import type { CrawlContext, CrawlEvent } from "../connector.ts";
import { errorEvent, warningEvent } from "../faults.ts";
import { type ApiFailure, passingFailure } from "../http/api-faults.ts";
import type { ApiNetwork } from "../http/api-client.ts";
import { inOrder } from "../http/in-order.ts";
import { type MetabaseApi, openApi } from "./api.ts";
import { type CrawlParts, type Stated, stateCard, stateDashboard } from "./cards.ts";
import { chooseCollections, type Collection } from "./collections.ts";
import { mapDatabase } from "./databases.ts";
import { createMetadata } from "./metadata.ts";
import type { MetabaseOptions } from "./options.ts";

/** How many cards are worked at or wait to be stated. */
const WIDTH = 8;

/** The kinds of items that are cards. `dataset` is Metabase's word for a model there. */
const CARDS = new Set(["card", "dataset", "metric"]);

/**
 * Each scope is one kind of thing. If something of a kind could not be read, nothing of that kind is removed.
 * @throws CrawlFailure if Metabase cannot be read at all, or not any more
 */
export async function* crawlMetabase(
  options: MetabaseOptions,
  { signal, now }: Pick<CrawlContext, "signal" | "now">,
  network: ApiNetwork,
): AsyncGenerator<CrawlEvent> {
  yield { kind: "progress", fraction: 0, label: "Listing the collections" };
  using api = await openApi(options, { network, signal, now });
  const entries = await api.collections();
  const { collections, unmatched } = chooseCollections(entries, options);
  let isComplete = unmatched.length === 0;
  for (const name of unmatched) {
    const message = `Metabase has no collection ${JSON.stringify(name)}, or it may not be read with these credentials.`;
    yield errorEvent({ code: "unknown_collection", message, object: name, stage: "resolve" });
  }
  const listed = { cards: new Set<number>(), dashboards: new Set<number>() };
  for await (const failure of inOrder(collections, WIDTH, (collection) => list(collection, api, listed))) {
    if (failure === null) continue;
    isComplete = false;
    yield errorEvent(failure.error);
  }

  const parts = await openParts(options, api, collections);
  const total = listed.cards.size + listed.dashboards.size;
  const stating: Stating = { parts, isComplete, total, done: 0, reported: new Set() };
  yield* stateScope("cards", listed.cards, stateCard, stating);
  yield* stateScope("dashboards", listed.dashboards, stateDashboard, stating);
}

/** @returns why the items of a collection could not be listed; null if they are */
async function list(
  { id, path }: Collection,
  api: MetabaseApi,
  to: Record<"cards" | "dashboards", Set<number>>,
): Promise<ApiFailure | null> {
  const name = path.length === 0 ? "Our analytics" : path.join("/");
  try {
    for await (const item of api.items(id, name)) {
      if (item.model === "dashboard") to.dashboards.add(item.id);
      else if (CARDS.has(item.model)) to.cards.add(item.id);
    }
    return null;
  } catch (error) {
    return passingFailure(error);
  }
}

async function openParts(
  options: MetabaseOptions,
  api: MetabaseApi,
  collections: readonly Collection[],
): Promise<CrawlParts> {
  const databases = await api.databases();
  const mapped = new Map(databases.map((database) => [database.id, mapDatabase(database, options.databases)]));
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  return {
    options,
    api,
    metadata: createMetadata(api),
    databaseRefOf: (id) => mapped.get(id) ?? { unknown: `Metabase does not list database ${id} for this user` },
    collectionOf: (id) => byId.get(id ?? "root") ?? null,
  };
}

interface Stating {
  parts: CrawlParts;
  /** Whether all things of all scopes are listed. */
  isComplete: boolean;
  /** How many things of all scopes there are, and are stated. */
  total: number;
  done: number;
  /** Each fault is reported once, however many cards have it. */
  reported: Set<string>;
}

async function* stateScope(
  scope: "cards" | "dashboards",
  ids: ReadonlySet<number>,
  state: (id: number, parts: CrawlParts) => Promise<Stated>,
  stating: Stating,
): AsyncGenerator<CrawlEvent> {
  const { parts, reported } = stating;
  yield { kind: "begin", scope };
  let complete = stating.isComplete;
  const attempt = async (id: number): Promise<Stated> => {
    try {
      return await state(id, parts);
    } catch (error) {
      return { events: [], failures: [passingFailure(error)], unmapped: [] };
    }
  };
  for await (const { events, failures, unmapped } of inOrder(ids, WIDTH, attempt)) {
    yield* events;
    complete &&= failures.length === 0;
    for (const fault of [
      ...failures.map(({ error }) => errorEvent(error)),
      ...unmapped.flatMap((id) => unknownDatabase(id, parts)),
    ]) {
      if (!reported.has(fault.error.object)) yield fault;
      reported.add(fault.error.object);
    }
    stating.done += 1;
    yield { kind: "progress", fraction: stating.done / stating.total, label: `Reading the ${scope}` };
  }
  yield { kind: "end", scope, complete };
}

function unknownDatabase(id: number, { databaseRefOf }: CrawlParts) {
  const mapped = databaseRefOf(id);
  if (!("unknown" in mapped)) return [];
  const object = `database ${id}`;
  const message = `The lineage of questions on ${object} is not known: ${mapped.unknown}.`;
  return [warningEvent({ code: "unknown_database", message, object, stage: "resolve" })];
}
