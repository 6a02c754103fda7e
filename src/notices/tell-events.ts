/** Makes notices of events: finds the rules of each event, and gathers what one sync found. */
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { fold } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import { toConnectorId, toNodeId, type WorkspaceId } from "../ids.ts";
import type { NewNotice } from "../metadata/notice-queue.ts";
import type { NoticeEvent, NoticeRule, ToldEvent } from "../metadata/notice-records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { KIND_WORDS } from "./kinds.ts";
import { CARRIED, LISTED } from "./message.ts";

/** How many events are looked at together. */
const AT_ONCE = 500;
/** If so many notices of a rule wait, it is switched off, and the trail says so. */
const MAX_WAITING = 1_000;

export interface TellParts {
  graph: Pick<GraphReader, "loadNodes" | "loadTrails">;
  store: Pick<MetadataStore, "noticeEvents" | "noticeRules" | "connectors" | "transaction">;
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
  for (const [workspaceId, events] of Map.groupBy(ready, (event) => event.workspaceId)) {
    await tellWorkspace(parts, workspaceId, events);
  }
  return ready.length === AT_ONCE;
}

async function tellWorkspace(
  { graph, store }: TellParts,
  workspaceId: WorkspaceId,
  events: readonly NoticeEvent[],
): Promise<void> {
  const rules = (await store.noticeRules.list(workspaceId)).filter(({ disabledAt }) => disabledAt === null);
  const known = await lookUp({ graph, store }, workspaceId, events);
  const notices = rules.flatMap((rule) =>
    gather(
      rule,
      known.filter((each) => isFor(rule, each)),
    ),
  );
  const full = await store.noticeEvents.tell(events, notices, MAX_WAITING);
  for (const rule of rules.filter(({ id }) => full?.includes(id))) {
    await switchOff({ store }, rule, `More than ${MAX_WAITING} notices wait.`);
  }
}

/** Switches a rule off, and says so in the audit trail. */
export function switchOff(
  { store }: { store: Pick<MetadataStore, "transaction"> },
  { workspaceId, id, name }: NoticeRule,
  reason: string,
): Promise<void> {
  return store.transaction(async ({ noticeRules, audit }) => {
    if ((await noticeRules.switchOff(workspaceId, id, reason)) === null) return;
    const details = { name, reason };
    const event = { workspaceId, actor: "tributary", source: "service", subject: id, details };
    await audit.append({ ...event, action: "notice_rule_switched_off" });
  });
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
      return event.subject === about;
  }
}

/** What one sync found is one message for people. Events of people that come together are one message too. */
function gather({ id: ruleId, workspaceId, channel }: NoticeRule, known: readonly KnownEvent[]): NewNotice[] {
  const carried = channel === "webhook" ? CARRIED : LISTED;
  return [...Map.groupBy(known, ({ event }) => event.syncId)].flatMap(([syncId, own]) => {
    const told = own.map((each) => each.told);
    const parts = channel === "webhook" ? chunksOf(told, carried) : [told.slice(0, carried)];
    return parts.map((events) => ({
      workspaceId,
      ruleId,
      syncId,
      events,
      eventsTotal: channel === "webhook" ? events.length : told.length,
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
      told: { kind, at, subject, name: details.name, owner, connector, actor: details.actor, note: details.note },
      people: [metric?.owner ?? "", metric?.ownerName ?? "", ...(found?.certifiers ?? [])].filter(Boolean).map(fold),
      tags: (metric?.tags ?? []).map(fold),
      connectorId: isMetricEvent ? (connectorIds.get(connector) ?? null) : toConnectorId(subject),
    };
  });
}

function isAboutMetric({ kind }: Pick<NoticeEvent, "kind">): boolean {
  return KIND_WORDS[kind].page === "metrics";
}
