/** States cards, which are questions, models or metrics, with what they read, and dashboards with the cards that they show. */
import type { ColumnUse } from "../../catalog/edge.ts";
import { columnRef, type NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement, EdgeStatement } from "../../catalog/statement.ts";
import type { CrawlEvent } from "../connector.ts";
import type { ApiFailure } from "../http/api-faults.ts";
import { withoutEmpty } from "../shapes.ts";
import type { MetabaseApi } from "./api.ts";
import type { Collection } from "./collections.ts";
import { type DatabaseRef, type MappedDatabase, toTableRef } from "./databases.ts";
import { describeEntity, toName } from "./describe.ts";
import { type LoadedQuery, loadQuery } from "./load-query.ts";
import type { Metadata } from "./metadata.ts";
import type { MetabaseOptions } from "./options.ts";
import { type NativeQuery, parseQuery } from "./query.ts";
import type { FieldUse } from "./field-uses.ts";
import { readStages } from "./read-stages.ts";
import { metabaseRef } from "./refs.ts";
import type { Card, Dashboard } from "./shapes.ts";
import { quoterOf, toReadable } from "./template-tags.ts";

/** What the statements of a crawl are made with. */
export interface CrawlParts {
  options: MetabaseOptions;
  api: MetabaseApi;
  metadata: Metadata;
  /** @param database its id in Metabase */
  databaseRefOf(database: number): MappedDatabase;
  /** @param id null for the root */
  collectionOf(id: number | null): Collection | null;
}

export interface Stated {
  /** The asset and its edges. [] if it is in the trash. */
  events: CrawlEvent[];
  /** Why a part of it could not be read. */
  failures: ApiFailure[];
  /** The databases that it reads and that are not in the catalog. */
  unmapped: number[];
}

/** @throws ApiFailure if the card cannot be read */
export async function stateCard(id: number, parts: CrawlParts): Promise<Stated> {
  const card = await parts.api.card(id);
  parts.metadata.meet(card.creator_id, card.creator);
  if (card.archived) return { events: [], failures: [], unmapped: [] };
  const stages = parseQuery(card.dataset_query);
  if (stages === null) {
    const asset = await toAsset(card, parts, { gap: "its query is in a form that is not read" });
    return { events: [{ kind: "asset", asset }], failures: [], unmapped: [] };
  }
  const loaded = await loadQuery(stages, parts.metadata);
  const { uses, missing } = readStages(stages, loaded);
  const own = describeReads(card, { loaded, uses, missing }, parts);
  const asset = await toAsset(card, parts, own);
  return { events: [{ kind: "asset", asset }, ...own.edges], failures: loaded.failures, unmapped: own.unmapped };
}

interface Reads extends Partial<Pick<AssetStatement, "queries" | "columnsRead">> {
  gap: string;
  sql?: string;
}

interface Found {
  loaded: LoadedQuery;
  uses: FieldUse[];
  missing: string | null;
}

function describeReads(
  card: Card,
  { loaded, uses, missing }: Found,
  { options, databaseRefOf }: CrawlParts,
): Reads & { edges: CrawlEvent[]; unmapped: number[] } {
  const { natives } = loaded.references;
  const to = metabaseRef("card", options.instance, card.id);
  const edges = new Map<string, EdgeStatement & { uses: ColumnUse[] }>();
  const addEdge = (from: NodeRef | null, ...added: ColumnUse[]): void => {
    if (from === null) return;
    const key = JSON.stringify([from.platform, from.instance, from.type, from.parts]);
    edges.getOrInsertComputed(key, () => ({ from, to, kind: "powers", uses: [] })).uses.push(...added);
  };
  const unmapped = new Map<number, string>();
  const databaseRef = (database: number): DatabaseRef | null => {
    const mapped: MappedDatabase = databaseRefOf(database);
    if (!("unknown" in mapped)) return mapped;
    unmapped.set(database, mapped.unknown);
    return null;
  };
  const refOf = (table: number): NodeRef | null => {
    const found = loaded.tables.get(table);
    const where = found === undefined ? null : databaseRef(found.db_id);
    return found === undefined || where === null ? null : toTableRef(found, where);
  };

  for (const table of loaded.references.tables) addEdge(refOf(table));
  for (const { field, use } of [...uses, ...filterUses(natives, loaded)]) {
    const known = loaded.field(field);
    const table = known === null ? null : refOf(known.table);
    addEdge(table);
    if (known !== null && table !== null) addEdge(columnRef(table, known.column), use);
  }
  for (const other of loaded.cards) if (other !== card.id) addEdge(metabaseRef("card", options.instance, other));

  const where = natives.length === 0 || card.database_id === null ? null : databaseRef(card.database_id);
  const read = where === null ? [] : natives.map((native) => readNative(native, where, loaded));
  const unknownTags = read.flatMap(({ unknown }) => unknown);
  const reasons = [
    ...(missing === null ? [] : [missing]),
    ...unmapped.values(),
    ...(unknownTags.length === 0 ? [] : [`it is not known what {{${unknownTags[0]}}} stands for`]),
  ];
  const [reason] = reasons;
  const on = where && { platform: where.platform, instance: where.instance, parts: [where.database, where.schema] };
  const queries = on === null ? [] : read.map(({ sql }) => ({ sql, on }));
  return {
    edges: [...edges.values()].map((edge) => ({ kind: "edge", edge, object: `card ${card.id}` })),
    unmapped: [...unmapped.keys()],
    gap: reason ?? "",
    ...(natives.length === 0 ? { columnsRead: toColumnsRead(reason, uses.length) } : {}),
    ...(queries.length === 0 ? {} : { queries }),
    ...(natives.length === 0 ? {} : { sql: natives.map(({ sql }) => sql).join(";\n") }),
  };
}

function toColumnsRead(reason: string | undefined, uses: number): NonNullable<AssetStatement["columnsRead"]> {
  if (reason === undefined) return { status: "known", reason: "" };
  return { status: uses === 0 ? "unknown" : "partial", reason };
}

function readNative({ sql, tags }: NativeQuery, { platform }: DatabaseRef, loaded: LoadedQuery) {
  const { snippets, cardColumns } = loaded;
  const columnOf = (field: number): string | null => loaded.field(field)?.column ?? null;
  return toReadable(sql, { tags, snippets, cardColumns, columnOf, quote: quoterOf(platform) });
}

/** A tag of type field filter becomes a condition on its field. */
function filterUses(natives: readonly NativeQuery[], loaded: LoadedQuery): FieldUse[] {
  return natives
    .flatMap(({ tags }) => [...tags.values()])
    .flatMap(({ type, field }): FieldUse[] => {
      const known = field === null ? null : loaded.field(field);
      if (known === null || type !== "dimension") return [];
      return [{ field: known.id, use: { kind: "INDIRECT", transformation: "FILTER", expression: known.column } }];
    });
}

async function toAsset(card: Card, parts: CrawlParts, reads: Reads): Promise<AssetStatement> {
  const { options, metadata, collectionOf } = parts;
  const kind = card.type || (card.dataset ? "model" : "question");
  const owner = await metadata.person(card.creator_id);
  const collection = collectionOf(card.collection_id);
  const { gap, sql, queries, columnsRead } = reads;
  const facts = describeEntity(card, `${kind}/${card.id}`, { url: options.url, collection, owner });
  return {
    ref: metabaseRef("card", options.instance, card.id),
    name: toName(card.name) || `card ${card.id}`,
    facts: {
      ...facts,
      sourceId: `card:${card.id}`,
      materialization: kind,
      gap,
      sql: sql ?? null,
      meta: { ...facts.meta, ...withoutEmpty({ display: card.display, dashboard_id: card.dashboard_id }) },
    },
    columns: [],
    ...(queries === undefined ? {} : { queries }),
    ...(columnsRead === undefined ? {} : { columnsRead }),
  };
}

/**
 * States a dashboard, and the cards that it shows.
 * @throws ApiFailure if the dashboard cannot be read
 */
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
function cardsOf({ dashcards }: Dashboard): Set<number> {
  const first = dashcards.map(({ card_id: id }) => id).filter((id) => id !== null);
  const further = dashcards.flatMap(({ series }) => series.map(({ id }) => id));
  return new Set([...first, ...further]);
}
