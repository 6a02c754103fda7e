/** States a dashboard, and the cards that it shows. */
import type { CrawlEvent } from "../connector.ts";
import type { CrawlParts, Stated } from "./cards.ts";
import { describeEntity, toName } from "./describe.ts";
import { metabaseRef } from "./refs.ts";
import type { Dashboard } from "./shapes.ts";

/** @throws ApiFailure if the dashboard cannot be read */
export async function stateDashboard(id: number, parts: CrawlParts): Promise<Stated> {
  const { api, metadata, options, collectionOf } = parts;
  const dashboard = await api.dashboard(id);
  if (dashboard.archived) return { events: [], failures: [], unmapped: [] };
  metadata.meet(dashboard.creator_id, dashboard.creator);
  const owner = await metadata.person(dashboard.creator_id);
  const collection = collectionOf(dashboard.collection_id);
  const ref = metabaseRef("dashboard", options.instance, id);
  const asset = {
    ref,
    name: toName(dashboard.name) || `dashboard ${id}`,
    facts: {
      ...describeEntity(dashboard, `dashboard/${id}`, { url: options.url, collection, owner }),
      sourceId: `dashboard:${id}`,
      materialization: "dashboard",
    },
    columns: [],
  };
  const edges = [...cardsOf(dashboard)].map((card): CrawlEvent => {
    const edge = { from: metabaseRef("card", options.instance, card), to: ref, kind: "powers" } as const;
    return { kind: "edge", edge, object: `dashboard ${id}` };
  });
  return { events: [{ kind: "asset", asset }, ...edges], failures: [], unmapped: [] };
}

/** Texts, headings and links on a dashboard show no card. */
function cardsOf({ dashcards, ordered_cards: older }: Dashboard): Set<number> {
  const shown = dashcards ?? older ?? [];
  const first = shown.map(({ card_id: id }) => id).filter((id) => id !== null);
  const further = shown.flatMap(({ series }) => series.map(({ id }) => id));
  return new Set([...first, ...further]);
}
