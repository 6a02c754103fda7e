/** What changed, in its simplest form: all nodes and edges of successive states are compared. */
import type { CatalogNode } from "../../src/catalog/asset.ts";
import { compareStates } from "../../src/catalog/changes/compare-states.ts";
import { type ResultChange, toResultEntry } from "../../src/catalog/changes/result-change.ts";
import type { FoundEntry } from "../../src/catalog/changes/change.ts";
import type { Edge } from "../../src/catalog/edge.ts";
import { compareCodePoints } from "../../src/catalog/text.ts";
import { type AssessBefore, assessEntry } from "../../src/graph/history/change-risk.ts";
import {
  type ChangePage,
  type ChangePlace,
  type ChangeQuery,
  isAsked,
  type PastChange,
  toSubjects,
} from "../../src/graph/history/list-changes.ts";
import type { Author, Moment, MomentSpan } from "../../src/graph/history/moments.ts";
import type { ConnectorId, NodeId } from "../../src/ids.ts";
import { badField } from "../../src/errors.ts";

/** A workspace after one write. */
export interface PastState {
  at: string;
  author: Author;
  nodes: ReadonlyMap<NodeId, CatalogNode>;
  edges: Edge[];
  /** How results of checks changed until then, the oldest first. */
  results: readonly Omit<ResultChange, "moment">[];
  /** Everything of which a change makes a moment. */
  stated: string;
  /** The connectors that state something, each with the syncs that stated it first. */
  firstSyncs: { connectorId: ConnectorId; firstSyncId: string }[];
  assess: AssessBefore;
}

const NOTHING = {
  stated: "[[],[],[],0]",
  nodes: new Map<NodeId, CatalogNode>(),
  edges: [],
  results: [],
  firstSyncs: [],
};

interface ReferenceMoment {
  before: PastState;
  after: PastState;
  number: number;
  isFirst: boolean;
}

/** @param states the oldest first */
export async function listReferenceChanges(
  states: readonly PastState[],
  query: ChangeQuery,
  { after, limit }: { after: ChangePlace | null; limit: number },
): Promise<ChangePage> {
  const moments = toMoments(states);
  const begins = moments[0]?.after.at ?? null;
  if (begins === null) return { items: [], next: null, begins };
  for (const field of ["since", "until"] as const) {
    const time = query[field];
    if (time !== null && time < begins)
      throw badField(field, `is before the history begins: ask for ${begins} or later`);
  }
  const all: PastChange[] = [];
  for (const { before, after: now, number, isFirst } of moments.slice(1).toReversed()) {
    if (isFirst || now.at < (query.since ?? "") || now.at > query.until) continue;
    if (query.moment !== undefined && query.moment !== number) continue;
    const around = { before: readerOf(before), after: readerOf(now) };
    const changed = compareStates(before, now, new Map([...before.nodes, ...now.nodes]));
    const entries = [...changed, ...listResults(before, now)];
    for (const entry of entries.toSorted((a, b) => compareCodePoints(a.key, b.key))) {
      if (!isAsked(entry, query)) continue;
      const moment = { ...now.author, at: now.at, number, isFirst };
      const subjects = toSubjects(entry.subjects);
      all.push({ ...entry, subjects, moment, risk: await assessEntry(before.assess, entry, around) });
    }
  }
  const isAfter = ({ moment, key }: PastChange): boolean =>
    after === null ||
    moment.number < after.moment ||
    (moment.number === after.moment && after.key !== null && compareCodePoints(key, after.key) > 0);
  const rest = all.filter(isAfter);
  const last = rest[limit - 1];
  const next = rest.length > limit && last !== undefined ? { moment: last.moment.number, key: last.key } : null;
  return { items: rest.slice(0, limit), next, begins };
}

/** A result that changed twice at one moment is as before. */
function listResults({ results: before }: PastState, { results, nodes }: PastState): FoundEntry[] {
  const byCheck = Map.groupBy(results.slice(before.length), ({ check }) => check);
  return [...byCheck.values()].flatMap((all) => {
    const last = all.at(-1);
    if (last === undefined || all.length % 2 === 0) return [];
    const node = nodes.get(last.node);
    if (node?.existence !== "held") return [];
    return [toResultEntry({ ...last, moment: 0 }, node)];
  });
}

function readerOf({ nodes }: Pick<PastState, "nodes">) {
  return {
    load: async (ids: readonly NodeId[]) =>
      new Map(
        ids.flatMap((id) => [nodes.get(id)].flatMap((node) => (node === undefined ? [] : [[id, node] as const]))),
      ),
    loadColumns: async ([parent]: readonly NodeId[]) =>
      [...nodes.values()].filter(({ type, parentId }) => type === "column" && parentId === parent),
  };
}

/** The moments of these states, the newest first. @param states the oldest first */
export function listReferenceMoments(
  states: readonly PastState[],
  { since, until, before, limit }: MomentSpan,
): Moment[] {
  return toMoments(states)
    .map(({ after: { at, author }, number, isFirst }) => Object.assign({ number, isFirst }, author, { at }))
    .filter(({ at, number }) => at >= since && at <= until && number < before)
    .toReversed()
    .slice(0, limit);
}

/** Writes that changed nothing make no moment. Writes of one author at one time are one moment. */
function toMoments(states: readonly PastState[]): ReferenceMoment[] {
  const moments: ReferenceMoment[] = [];
  for (const [i, after] of states.entries()) {
    const before = states[i - 1] ?? { ...after, ...NOTHING };
    const last = moments.at(-1);
    if (before.stated === after.stated) continue;
    if (last !== undefined && last.after.at === after.at && isSameAuthor(last.after.author, after.author)) {
      last.after = after;
    } else {
      moments.push({
        before,
        after,
        number: moments.length + 1,
        isFirst: isOfFirstSync(moments, before, after.author),
      });
    }
  }
  return moments;
}

function isOfFirstSync(
  earlier: readonly ReferenceMoment[],
  before: PastState,
  { connectorId, syncId }: Author,
): boolean {
  if (syncId === "") return false;
  const own = earlier.filter(({ after }) => after.author.connectorId === connectorId);
  const same = own.find(({ after }) => after.author.syncId === syncId);
  if (own.length > 0) return same?.isFirst ?? false;
  return before.firstSyncs.every((first) => first.connectorId !== connectorId || first.firstSyncId === syncId);
}

function isSameAuthor(a: Author, b: Author): boolean {
  return a.connectorId === b.connectorId && a.syncId === b.syncId && a.actor === b.actor;
}
