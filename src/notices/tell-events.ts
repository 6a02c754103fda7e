/** Makes notices of events and changes: finds the rules of each, and gathers what one sync found. */
import type { Clock } from "../clock.ts";
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { compareCodePoints, fold } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import { type SyncId, toConnectorId, toNodeId, toNoticeRuleId, type UserId, type WorkspaceId } from "../ids.ts";
import { DIGEST_LISTED, type NewNotice } from "../metadata/notice-queue.ts";
import { isForOwners, type NoticeEvent, type NoticeRule, type ToldEvent } from "../metadata/notice-records.ts";
import type { User } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { KIND_WORDS } from "./kinds.ts";
import { CARRIED, LISTED } from "./message.ts";
import { type ChangeParts, readChanges, type ToldChanges } from "./read-changes.ts";
import { findReader } from "./recipients.ts";
import { switchOff } from "./switch-off.ts";
import type { NoticeWatch } from "./watch.ts";

/** How many events are looked at together. */
const AT_ONCE = 500;
/** If so many notices of a rule wait, it is switched off, and the trail says so. */
const MAX_WAITING = 1_000;

export interface TellParts {
  graph: Pick<GraphReader, "loadNodes" | "loadTrails"> & ChangeParts["graph"];
  store: Pick<MetadataStore, "noticeEvents" | "noticeRules" | "connectors" | "syncs" | "users" | "transaction">;
  clock: Pick<Clock, "now">;
  watch: Pick<NoticeWatch, "changed">;
}

/** An event, with what decides who hears of it. */
interface KnownEvent {
  event: NoticeEvent;
  told: ToldEvent;
  /** Owners and the certifier, folded. */
  people: readonly string[];
  /** Whose notice rule it is about: a person's own, or the workspace's for null. Absent: it is about none. */
  ruleOf?: UserId | null;
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
    if (!isForOwners(rule)) {
      const reader = await findReader(store, rule, rule.recipient);
      if (reader !== null || rule.recipient === "") notices.push(...gather(rule, reader, own, changed));
      continue;
    }
    for (const owner of new Set([...own.flatMap(({ people }) => people), ...changed.map((each) => each.owner)])) {
      const reader = await findReader(store, rule, owner);
      if (reader === null) continue;
      const theirs = own.filter(({ people }) => people.includes(owner));
      const changedOfTheirs = changed.filter((each) => each.owner === owner);
      notices.push(...gather(rule, reader, theirs, changedOfTheirs));
    }
  }
  const full = await store.noticeEvents.tell(
    { workspaceId, events, moved: changes?.moved ?? null, notices },
    MAX_WAITING,
  );
  if (notices.some(({ personId }) => personId !== null)) parts.watch.changed();
  for (const rule of rules.filter(({ id }) => full?.includes(id))) {
    await switchOff({ store }, rule, `More than ${MAX_WAITING} notices wait.`);
  }
  for (const rule of changes?.tooLarge ?? []) {
    await switchOff({ store }, rule, "It is about the lineage of an asset, which is too large.");
  }
}

function isFor(rule: NoticeRule, { event, people, tags, connectorId, ruleOf }: KnownEvent): boolean {
  const { kinds, aboutBy, about, personId, recipient } = rule;
  if (!kinds.includes(event.kind)) return false;
  // Only admins know the rules of the workspace, and only a person their own.
  const mayTell = isForOwners(rule) || personId === ruleOf || people.includes(fold(recipient));
  if (ruleOf !== undefined && !mayTell) return false;
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
  { id: ruleId, workspaceId, channel, digestHour, personId }: NoticeRule,
  reader: Pick<User, "id" | "email"> | null,
  known: readonly KnownEvent[],
  changes: readonly ToldChanges[],
): NewNotice[] {
  const bySync = Map.groupBy(known, ({ event }) => event.syncId);
  const syncIds = new Set<SyncId | null>([...bySync.keys(), ...changes.map(({ syncId }) => syncId)]);
  const bySyncs = Array.from(syncIds, (syncId) => {
    const own = bySync.get(syncId)?.map((each) => each.told) ?? [];
    const changed = changes.find((each) => each.syncId === syncId) ?? { first: [], total: 0 };
    const told = [...own, ...changed.first];
    return { syncId, own, changed, told, since: told.map(({ at }) => at).toSorted(compareCodePoints)[0] ?? "" };
  });
  const inOrder = bySyncs.toSorted((a, b) => compareCodePoints(a.since, b.since));
  return inOrder.flatMap(({ syncId, own, changed, told }) => {
    const chunks =
      channel === "webhook" ? chunksOf(told, CARRIED) : [told.slice(0, digestHour === null ? LISTED : DIGEST_LISTED)];
    const listed = chunks.reduce((sum, { length }) => sum + length, 0);
    const more = own.length + changed.total - listed;
    return chunks.map((events, i) => ({
      workspaceId,
      ruleId,
      syncId,
      recipient: reader?.email ?? null,
      personId: personId ?? (channel === "bell" ? (reader?.id ?? null) : null),
      events,
      eventsTotal: events.length + (i === chunks.length - 1 ? more : 0),
    }));
  });
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

async function lookUp(
  { graph, store }: Pick<TellParts, "graph"> & { store: Pick<MetadataStore, "connectors" | "noticeRules" | "users"> },
  workspaceId: WorkspaceId,
  events: readonly NoticeEvent[],
): Promise<KnownEvent[]> {
  const ids = [...new Set(events.filter(isAboutMetric).map(({ subject }) => toNodeId(subject)))];
  const [nodes, trails] = [await graph.loadNodes(workspaceId, ids), await graph.loadTrails(workspaceId, ids)];
  const metrics = new Map<string, { metric: MetricNode | null; certifiers: string[] }>();
  for (const [i, id] of ids.entries()) {
    const node = nodes[i] ?? null;
    // The trail of a metric that is gone is kept.
    const certifier = trails[i]?.steps.findLast(({ to }) => to === "certified")?.actor ?? "";
    const metric = node !== null && isMetric(node) ? node : null;
    metrics.set(id, { metric, certifiers: [certifier, metric?.certifiedBy ?? ""] });
  }
  const connectorIds = new Map<string, string>();
  const connectors = [
    ...metrics.values().map(({ metric }) => metric?.sourceConnector),
    ...events.map(({ details }) => details.was?.connector),
  ];
  for (const name of new Set(connectors.filter((each) => each !== undefined))) {
    const connector = await store.connectors.findByName(workspaceId, name);
    if (connector !== null) connectorIds.set(name, connector.id);
  }
  const known: KnownEvent[] = [];
  for (const event of events) {
    const found = metrics.get(event.subject);
    const metric = found?.metric ?? null;
    const { kind, at, subject } = event;
    const { was, ...details } = event.details;
    if (kind === "notice_rule_switched_off") {
      const told = { ...details, kind, at, subject, type: null, owner: "", connector: "", risk: null };
      const whose = await findOwnersOfRule(store, workspaceId, event);
      known.push({ event, told, ...whose, tags: [], connectorId: null });
      continue;
    }
    const isMetricEvent = isAboutMetric(event);
    const { owner, connector, tags } = metric === null ? { ...UNKNOWN, ...was } : factsOf(metric);
    known.push({
      event,
      told: {
        ...details,
        kind,
        at,
        subject,
        type: null,
        owner,
        connector: isMetricEvent ? connector : details.name,
        risk: null,
      },
      people: [owner, metric?.ownerName ?? "", ...(found?.certifiers ?? [])].filter(Boolean).map(fold),
      tags: tags.map(fold),
      connectorId: isMetricEvent ? (connectorIds.get(connector) ?? null) : toConnectorId(subject),
    });
  }
  return known;
}

const UNKNOWN = { owner: "", connector: "", tags: [] };

function factsOf({ owner, ownerName, sourceConnector, tags }: MetricNode) {
  return { owner: owner || ownerName, connector: sourceConnector, tags };
}

/** A rule of the workspace is its admins'. Who switched it off knows that. A rule that is gone is nobody's. */
async function findOwnersOfRule(
  { noticeRules, users }: Pick<MetadataStore, "noticeRules" | "users">,
  workspaceId: WorkspaceId,
  { subject, details }: NoticeEvent,
): Promise<Required<Pick<KnownEvent, "people" | "ruleOf">>> {
  const rule = await noticeRules.findById(workspaceId, toNoticeRuleId(subject));
  const ruleOf = rule?.personId ?? null;
  const isTheirs = ({ id, role }: User): boolean => (ruleOf === null ? role === "admin" : id === ruleOf);
  const owners = rule === null ? [] : (await users.list(workspaceId)).filter(isTheirs);
  return { ruleOf, people: owners.map(({ email }) => fold(email)).filter((email) => email !== fold(details.actor)) };
}

function isAboutMetric({ kind }: Pick<NoticeEvent, "kind">): boolean {
  return KIND_WORDS[kind].page === "metrics";
}
