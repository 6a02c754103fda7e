/** Makes notices of events and changes: finds the rules of each, and gathers what one sync found. */
import type { Clock } from "../clock.ts";
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { fold } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import { type SyncId, toConnectorId, toNodeId, type WorkspaceId } from "../ids.ts";
import type { NewNotice } from "../metadata/notice-queue.ts";
import type { NoticeEvent, NoticeRule, ToldEvent } from "../metadata/notice-records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { KIND_WORDS } from "./kinds.ts";
import { CARRIED, LISTED } from "./message.ts";
import { type ChangeParts, readChanges, type ToldChanges } from "./read-changes.ts";
import { findMailAddress, isReachable } from "./recipients.ts";
import { switchOff } from "./switch-off.ts";

/** How many events are looked at together. */
const AT_ONCE = 500;
/** If so many notices of a rule wait, it is switched off, and the trail says so. */
const MAX_WAITING = 1_000;

export interface TellParts {
  graph: Pick<GraphReader, "loadNodes" | "loadTrails"> & ChangeParts["graph"];
  store: Pick<MetadataStore, "noticeEvents" | "noticeRules" | "connectors" | "syncs" | "users" | "transaction">;
  clock: Pick<Clock, "now">;
}

/** An event, with what decides who hears of it. */
interface KnownEvent {
  event: NoticeEvent;
  told: ToldEvent;
  /** Owners and the certifier, folded. */
  people: readonly string[];
  tags: readonly string[];
  /** The id of the connector; null if it is not known. */
  connectorId: string | null;
}

/** @returns whether there may be more */
export async function tellEvents(parts: TellParts): Promise<boolean> {
  const ready = await parts.store.noticeEvents.listReady(AT_ONCE);
  const byWorkspace = Map.groupBy(ready, (event) => event.workspaceId);
  for (const workspaceId of new Set([...byWorkspace.keys(), ...(await parts.store.noticeRules.listWorkspaces())])) {
    await tellWorkspace(parts, workspaceId, byWorkspace.get(workspaceId) ?? []);
  }
  return ready.length === AT_ONCE;
}

async function tellWorkspace(parts: TellParts, workspaceId: WorkspaceId, ready: readonly NoticeEvent[]): Promise<void> {
  const { store } = parts;
  const rules = await store.noticeRules.listOn(workspaceId);
  const changes = await readChanges(parts, workspaceId, rules);
  // What a sync found is told with what it changed.
  const waits = new Set(changes?.moved.to.waits.map(({ syncId }) => syncId));
  const events = ready.filter(({ syncId }) => syncId === null || !waits.has(syncId));
  if (events.length === 0 && changes === null) return;
  const known = await lookUp(parts, workspaceId, events);
  const notices: NewNotice[] = [];
  for (const rule of rules) {
    const own = known.filter((each) => isFor(rule, each));
    const changed = changes?.told.filter(({ ruleId }) => ruleId === rule.id) ?? [];
    if (rule.channel !== "email" || rule.recipient !== "") {
      notices.push(...gather(rule, rule.recipient || null, own, changed));
      continue;
    }
    for (const owner of new Set([...own.flatMap(({ people }) => people), ...changed.map((each) => each.owner)])) {
      const recipient = await findMailAddress(store, workspaceId, owner);
      if (recipient === null || !(await isReachable(store, rule, recipient))) continue;
      const theirs = own.filter(({ people }) => people.includes(owner));
      notices.push(
        ...gather(
          rule,
          recipient,
          theirs,
          changed.filter((each) => each.owner === owner),
        ),
      );
    }
  }
  const full = await store.noticeEvents.tell(
    { workspaceId, events, moved: changes?.moved ?? null, notices },
    MAX_WAITING,
  );
  for (const rule of rules.filter(({ id }) => full?.includes(id))) {
    await switchOff({ store }, rule, `More than ${MAX_WAITING} notices wait.`);
  }
  for (const rule of changes?.tooLarge ?? []) {
    await switchOff({ store }, rule, "It is about the lineage of an asset, which is too large.");
  }
}

function isFor({ kinds, aboutBy, about }: NoticeRule, { event, people, tags, connectorId }: KnownEvent): boolean {
  if (!kinds.includes(event.kind)) return false;
  switch (aboutBy) {
    case "everything":
      return true;
    case "person":
      return people.includes(fold(about));
    case "tag":
      return tags.includes(fold(about));
    case "connector":
      return connectorId === about;
    case "asset":
    case "upstream":
    case "downstream":
      return event.subject === about;
  }
}

/**
 * What one sync found and changed is one message for people. What people do at about the same time is one message too. A
 * webhook gets all events, and of the changes of one sync the riskiest with the number of the others.
 */
function gather(
  { id: ruleId, workspaceId, channel }: NoticeRule,
  recipient: string | null,
  known: readonly KnownEvent[],
  changes: readonly ToldChanges[],
): NewNotice[] {
  const bySync = Map.groupBy(known, ({ event }) => event.syncId);
  const syncIds = new Set<SyncId | null>([...bySync.keys(), ...changes.map(({ syncId }) => syncId)]);
  return [...syncIds].flatMap((syncId) => {
    const own = bySync.get(syncId)?.map((each) => each.told) ?? [];
    const changed = changes.find((each) => each.syncId === syncId) ?? { first: [], total: 0 };
    const told = [...own, ...changed.first];
    const chunks = channel === "webhook" ? chunksOf(told, CARRIED) : [told.slice(0, LISTED)];
    const listed = chunks.reduce((sum, { length }) => sum + length, 0);
    const more = own.length + changed.total - listed;
    return chunks.map((events, i) => ({
      workspaceId,
      ruleId,
      syncId,
      recipient,
      events,
      eventsTotal: events.length + (i === chunks.length - 1 ? more : 0),
    }));
  });
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

async function lookUp(
  { graph, store }: Pick<TellParts, "graph"> & { store: Pick<MetadataStore, "connectors"> },
  workspaceId: WorkspaceId,
  events: readonly NoticeEvent[],
): Promise<KnownEvent[]> {
  const ids = [...new Set(events.filter(isAboutMetric).map(({ subject }) => toNodeId(subject)))];
  const [nodes, trails] = [await graph.loadNodes(workspaceId, ids), await graph.loadTrails(workspaceId, ids)];
  const metrics = new Map<string, { metric: MetricNode; certifiers: string[] }>();
  for (const [i, node] of nodes.entries()) {
    if (node === null || !isMetric(node)) continue;
    const steps = trails[i]?.steps ?? [];
    const certifier = steps.findLast(({ to }) => to === "certified")?.actor ?? "";
    metrics.set(node.id, { metric: node, certifiers: [certifier, node.certifiedBy ?? ""] });
  }
  const connectorIds = new Map<string, string>();
  for (const name of new Set([...metrics.values()].map(({ metric }) => metric.sourceConnector))) {
    const connector = await store.connectors.findByName(workspaceId, name);
    if (connector !== null) connectorIds.set(name, connector.id);
  }
  return events.map((event) => {
    const found = metrics.get(event.subject);
    const metric = found?.metric;
    const { kind, at, subject, details } = event;
    const isMetricEvent = isAboutMetric(event);
    const connector = isMetricEvent ? (metric?.sourceConnector ?? "") : details.name;
    const owner = metric === undefined ? "" : metric.owner || metric.ownerName;
    return {
      event,
      told: { ...details, kind, at, subject, type: null, owner, connector, risk: null },
      people: [metric?.owner ?? "", metric?.ownerName ?? "", ...(found?.certifiers ?? [])].filter(Boolean).map(fold),
      tags: (metric?.tags ?? []).map(fold),
      connectorId: isMetricEvent ? (connectorIds.get(connector) ?? null) : toConnectorId(subject),
    };
  });
}

function isAboutMetric({ kind }: Pick<NoticeEvent, "kind">): boolean {
  return KIND_WORDS[kind].page === "metrics";
}
