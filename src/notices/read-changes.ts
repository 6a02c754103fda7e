/**
 * Reads what changed in a workspace since the last look, from its history. What a sync changed is read when it has
 * ended, all at once, so that it becomes one notice.
 */
import type { Clock } from "../clock.ts";
import { MAX_DEPTH } from "../catalog/lineage.ts";
import { fold } from "../catalog/text.ts";
import { RISKS } from "../catalog/impact.ts";
import { nullIfTooEarly } from "../graph/history/no-history.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import { type ChangePlace, type ChangeQuery, isAsked, type PastChange } from "../graph/history/list-changes.ts";
import type { Moment } from "../graph/history/moments.ts";
import {
  toNodeId,
  toConnectorId,
  toSyncId,
  type NodeId,
  type NoticeRuleId,
  type SyncId,
  type WorkspaceId,
} from "../ids.ts";
import { worstFirst } from "../metadata/notice-queue.ts";
import { isForOwners, type NoticeCursor, type NoticeRule, type ToldEvent } from "../metadata/notice-records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { isChangeKind, toToldChange } from "./kinds.ts";
import { CARRIED } from "./message.ts";

/** How many moments of the history are looked at together. */
const MOMENTS_AT_ONCE = 1_000;
/** How many changes are read at once. */
const CHANGES_AT_ONCE = 200;
/** After this time nobody writes at a moment any more, if it belongs to no sync. */
const WRITTEN_AFTER_MS = 5_000;
/** No time is later. */
const FOR_EVER = "9999";
/** A rule about the lineage of an asset must be able to read all of it. */
const MAX_LINEAGE = 100_000;

export interface ChangeParts {
  graph: Pick<GraphReader, "listChanges" | "listMoments" | "walk" | "readPast">;
  store: Pick<MetadataStore, "noticeEvents" | "syncs" | "connectors">;
  clock: Pick<Clock, "now">;
}

/** What one sync changed that a rule tells. */
export interface ToldChanges {
  ruleId: NoticeRuleId;
  /** Null: no sync changed it. */
  syncId: SyncId | null;
  /** Whose the changes are, folded, if the rule writes to owners; else "". */
  owner: string;
  /** Those of the highest risk, at most as many as a notice carries. */
  first: ToldEvent[];
  total: number;
}

export interface ReadChanges {
  told: ToldChanges[];
  moved: { from: NoticeCursor | null; to: NoticeCursor };
  /** Rules about lineage that is too large. */
  tooLarge: NoticeRule[];
}

/** @returns null if nothing happened since the last look */
export async function readChanges(
  parts: ChangeParts,
  workspaceId: WorkspaceId,
  rules: readonly NoticeRule[],
): Promise<ReadChanges | null> {
  const asking = rules.filter(({ kinds }) => kinds.some(isChangeKind));
  if (asking.length === 0) return null;
  const since = asking.reduce((least, { onSince }) => (onSince < least ? onSince : least), FOR_EVER);
  const from = await parts.store.noticeEvents.findCursor(workspaceId);
  const looked = await look(parts, workspaceId, from, since);
  if (looked === null) return null;
  const wanted = await Promise.all(asking.map((rule) => toWanted(parts, rule, looked.ready[0]?.at ?? null)));
  const all = new Map<string, ToldChanges>();
  for (const moment of looked.ready) {
    const syncId = looked.synced.has(moment.syncId) ? toSyncId(moment.syncId) : null;
    const connector = await parts.store.connectors.findById(workspaceId, moment.connectorId);
    for await (const change of changesAt(parts, workspaceId, moment)) {
      for (const { rule, query } of wanted) {
        if (query === null || moment.at < rule.onSince || !isFor(rule, query, change)) continue;
        const owner = isForOwners(rule) ? fold(change.subjects[0]?.owner ?? "") : "";
        const key = JSON.stringify([rule.id, syncId, owner]);
        const told = all.get(key) ?? { ruleId: rule.id, syncId, owner, first: [], total: 0 };
        const found = toToldChange(change, `connector ${connector?.name ?? ""}`.trim());
        all.set(key, { ...told, first: worstFirst([...told.first, found]).slice(0, CARRIED), total: told.total + 1 });
      }
    }
  }
  const tooLarge = wanted.filter(({ query }) => query === null).map(({ rule }) => rule);
  return { told: [...all.values()], moved: { from, to: looked.to }, tooLarge };
}

interface Looked {
  /** The oldest first. */
  ready: Moment[];
  /** Ids of the syncs among them. */
  synced: ReadonlySet<string>;
  to: NoticeCursor;
}

/** Finds the moments that can be told, and leaves those of syncs that still run. */
async function look(
  { graph, store, clock }: ChangeParts,
  workspaceId: WorkspaceId,
  from: NoticeCursor | null,
  since: string,
): Promise<Looked | null> {
  const list = (before: number, limit: number) =>
    graph.listMoments(workspaceId, { since, until: FOR_EVER, before, limit });
  const [newest] = await list(Infinity, 1);
  // Numbers begin again in a new graph store.
  const cursor = from === null || newest === undefined || newest.number < from.moment ? { moment: 0, waits: [] } : from;
  if (newest === undefined || (newest.number === cursor.moment && cursor.waits.length === 0)) return null;
  const isPending = ({ number, syncId }: Moment): boolean =>
    number > cursor.moment || cursor.waits.some((wait) => wait.syncId === syncId && number >= wait.moment);
  const lowest = Math.min(cursor.moment + 1, ...cursor.waits.map(({ moment }) => moment));
  const pending: Moment[] = [];
  for (let before = Infinity; before > lowest;) {
    const some = await list(before, MOMENTS_AT_ONCE);
    pending.push(...some.filter((moment) => moment.number >= lowest && isPending(moment)));
    before = some.length < MOMENTS_AT_ONCE ? lowest : (some.at(-1)?.number ?? lowest);
  }
  pending.reverse();
  const fresh = pending.filter(({ number }) => number > cursor.moment);
  const settled = new Date(clock.now().getTime() - WRITTEN_AFTER_MS).toISOString();
  const syncs = new Map<string, boolean>();
  for (const syncId of new Set(pending.map((moment) => moment.syncId).filter(Boolean))) {
    const sync = await store.syncs.findById(workspaceId, toSyncId(syncId));
    if (sync !== null) syncs.set(syncId, sync.status !== "queued" && sync.status !== "running");
  }
  const unsettled = fresh.findIndex(({ syncId, at }) => !syncs.has(syncId) && at > settled);
  const end = Math.min(unsettled === -1 ? fresh.length : unsettled, MOMENTS_AT_ONCE);
  const later = new Set(fresh.slice(end).map(({ syncId }) => syncId));
  const last = fresh[end - 1]?.number ?? cursor.moment;
  const considered = pending.filter(({ number }) => number <= last);
  const waiting = ({ syncId }: Moment): boolean =>
    syncs.has(syncId) && (syncs.get(syncId) === false || later.has(syncId));
  const waits = [...Map.groupBy(considered.filter(waiting), ({ syncId }) => syncId)].map(([syncId, [first]]) => ({
    syncId,
    moment: first?.number ?? last,
  }));
  const ready = considered.filter((moment) => !waiting(moment));
  const to = { moment: last, waits };
  if (ready.length === 0 && JSON.stringify(to) === JSON.stringify(from)) return null;
  return { ready, synced: new Set(syncs.keys()), to };
}

async function* changesAt(
  { graph }: Pick<ChangeParts, "graph">,
  workspaceId: WorkspaceId,
  { at, number }: Moment,
): AsyncGenerator<PastChange> {
  let after: ChangePlace | null = null;
  do {
    const query: ChangeQuery = { since: at, until: at, moment: number };
    const { items, next } = await graph.listChanges(workspaceId, query, { after, limit: CHANGES_AT_ONCE });
    yield* items;
    after = next;
  } while (after !== null);
}

type RuleQuery = Parameters<typeof isAsked>[1];

/** The question that a rule asks of each change; null if what it is about is too large to be known. */
async function toWanted(
  { graph, store }: ChangeParts,
  rule: NoticeRule,
  before: string | null,
): Promise<{ rule: NoticeRule; query: RuleQuery | null }> {
  const { workspaceId, aboutBy, about } = rule;
  const kinds = rule.kinds.filter(isChangeKind);
  switch (aboutBy) {
    case "everything":
      return { rule, query: { kinds } };
    case "person":
      return { rule, query: { kinds, owner: about } };
    case "tag":
      return { rule, query: { kinds, tag: about } };
    case "connector": {
      const connector = await store.connectors.findById(workspaceId, toConnectorId(about));
      return { rule, query: { kinds, connector: connector?.name ?? "" } };
    }
    case "asset":
      return { rule, query: { kinds, about: toNodeId(about) } };
    case "upstream":
    case "downstream": {
      const within = await findLineage(graph, workspaceId, { root: toNodeId(about), direction: aboutBy, before });
      return { rule, query: within && { kinds, within } };
    }
  }
}

/** An asset with what is up- or downstream of it now, or was at a time. */
async function findLineage(
  graph: Pick<GraphReader, "walk" | "readPast">,
  workspaceId: WorkspaceId,
  { root, direction, before }: { root: NodeId; direction: "upstream" | "downstream"; before: string | null },
): Promise<ReadonlySet<NodeId> | null> {
  const query = { root, direction, depth: MAX_DEPTH, maxNodes: MAX_LINEAGE };
  const walks = [await graph.walk(workspaceId, query)];
  if (before !== null) {
    // The moment itself has this time.
    const justBefore = new Date(Date.parse(before) - 1).toISOString();
    walks.push(await graph.readPast(justBefore, "walk", workspaceId, query).catch(nullIfTooEarly));
  }
  if (walks.some((walk) => walk?.truncated)) return null;
  return new Set([root, ...walks.flatMap((walk) => walk?.nodes.map(({ id }) => id) ?? [])]);
}

function isFor({ minRisk }: NoticeRule, query: RuleQuery, change: PastChange): boolean {
  // Metrics have kinds of their own for this, which say who and why.
  if (change.kind === "certification_changed" && change.node.type === "metric") return false;
  const { risk } = change;
  const isRisky = minRisk === null || (risk !== null && RISKS.indexOf(risk) <= RISKS.indexOf(minRisk));
  return isRisky && isAsked(change, query);
}
