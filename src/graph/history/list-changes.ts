/** Lists what changed, the newest first: the states before and after each moment are compared. */
import { ownerValues, type PastNode } from "../../catalog/asset.ts";
import type { ChangeEntry, ChangeEntryKind, FoundEntry } from "../../catalog/changes/change.ts";
import { toResultEntry } from "../../catalog/changes/result-change.ts";
import { compareStates } from "../../catalog/changes/compare-states.ts";
import { DIRECTIONS } from "../../catalog/edge.ts";
import { assess } from "../../catalog/impact/assess.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
import type { Risk } from "../../catalog/impact.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { ChangeRows } from "./past-rows.ts";
import { assessEntry } from "./change-risk.ts";
import type { Moment, MomentSpan } from "./moments.ts";
import { noHistory } from "./no-history.ts";
import { countReads, createPastGraph, type PastGraph } from "./past-graph.ts";
import { pastImpactSource } from "./past-impact.ts";

export interface ChangeQuery {
  /** ISO 8601, UTC; both ends are inclusive. Null for the whole history. */
  since: string | null;
  until: string;
  /** Whether the span begins with the history if that begins later than `since`. It is refused if not. */
  orBeginning?: boolean | undefined;
  kinds?: readonly ChangeEntryKind[] | undefined;
  /** Only changes of this node, of its columns, and of edges of it. */
  about?: NodeId | undefined;
  /** Only changes of these assets and their columns. */
  within?: ReadonlySet<NodeId> | undefined;
  /** As in `NodeFilter`. A column also passes if its table does. */
  owner?: string | undefined;
  tag?: string | undefined;
  connector?: string | undefined;
  /** Only changes of this moment, by its number. */
  moment?: number | undefined;
}

/** The place of an entry. A null key comes after all entries of the moment. */
export interface ChangePlace {
  moment: number;
  key: string | null;
}

/** What filters of a change look at. */
export type ChangeSubject = Pick<PastNode, "owner" | "ownerName" | "tags" | "connectors">;

export interface PastChange extends ChangeEntry {
  /** What changed and a column's table, as they were before and as they are afterwards. */
  subjects: readonly ChangeSubject[];
  moment: Moment;
  /** The highest risk that the impact of this change had just before; null if nothing can break. */
  risk: Risk | null;
}

export interface ChangePage {
  items: PastChange[];
  /** Where the next page begins. A page may have fewer entries than were asked for, and still be followed by others. */
  next: ChangePlace | null;
  /** When history begins: ISO 8601, UTC; null if nothing was written yet. */
  begins: string | null;
}

export interface ChangeReader {
  /**
   * One page of what changed, the newest first. It begins after the place `after`.
   * @throws AppError `bad_request` if the span begins before the history, or if more rows must be read than the caller
   * may read
   */
  listChanges(
    workspace: WorkspaceId,
    query: ChangeQuery,
    page: { after: ChangePlace | null; limit: number },
  ): Promise<ChangePage>;
  /** Moments with lower numbers than `before`, at these times, the newest first, at most `limit`. */
  listMoments(workspace: WorkspaceId, span: MomentSpan): Promise<Moment[]>;
}

/** Moments that are read at once. */
const SOME_MOMENTS = 100;

/** A page ends early when so many rows were read for it, so that a rare kind of change does not cost a whole history. */
const ROWS_OF_A_PAGE = 50_000;

/**
 * @throws AppError `bad_request` if the span begins before the history, or one moment has more changes than may be read
 */
export async function listChanges(
  rows: ChangeRows,
  query: ChangeQuery,
  { after, limit }: { after: ChangePlace | null; limit: number },
  maxRows = Infinity,
): Promise<ChangePage> {
  const first = await rows.findFirstMoment();
  if (first === null) return { items: [], next: null, begins: null };
  const { since, until, orBeginning } = query;
  if (since !== null && since < first.at && orBeginning !== true) throw noHistory("since", first.at);
  if (until < first.at) throw noHistory("until", first.at);
  const charge = countReads(maxRows);
  const items: PastChange[] = [];
  const around = query.about === undefined ? null : await findAround(rows, query.about, charge);
  for await (const moment of findMoments(rows, query, around, after, first.number, charge)) {
    if (charge(0) > ROWS_OF_A_PAGE) {
      return { items, next: { moment: moment.number + 1, key: null }, begins: first.at };
    }
    if (moment.isFirst) continue;
    const entries = await findEntries(rows, moment, around, charge);
    const isAfter = ({ key }: FoundEntry): boolean =>
      after === null || moment.number < after.moment || (after.key !== null && compareCodePoints(key, after.key) > 0);
    const found = entries.filter((entry) => isAfter(entry) && isAsked(entry, query));
    const before = createPastGraph(rows, moment.number - 1, charge);
    const states = { before, after: createPastGraph(rows, moment.number, charge) };
    for (const entry of found) {
      const last = items.at(-1);
      if (items.length === limit && last !== undefined) {
        return { items, next: { moment: last.moment.number, key: last.key }, begins: first.at };
      }
      const risk = await assessEntry((change) => assess(change, pastImpactSource(before)), entry, states);
      items.push({ ...entry, subjects: toSubjects(entry.subjects), moment, risk });
    }
  }
  return { items, next: null, begins: first.at };
}

/** What filters look at, each once. */
export function toSubjects(nodes: readonly ChangeSubject[]): ChangeSubject[] {
  const all = nodes.map(({ owner, ownerName, tags, connectors }) => ({ owner, ownerName, tags, connectors }));
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

/** Moments of the query, the newest first, without the first one of the workspace, which has nothing before it. */
async function* findMoments(
  rows: ChangeRows,
  { since, until, moment: only }: ChangeQuery,
  around: Around | null,
  after: ChangePlace | null,
  first: number,
  charge: (rows: number) => void,
): AsyncGenerator<Moment> {
  let before = after === null ? Infinity : after.moment + (after.key === null ? 0 : 1);
  for (;;) {
    const some = await rows.listMoments({ since: since ?? "", until, before, limit: SOME_MOMENTS });
    charge(some.length);
    for (const moment of some) {
      if (only !== undefined && moment.number !== only) continue;
      if (moment.number > first && around?.moments.has(moment.number) !== false) yield moment;
    }
    const last = some.at(-1);
    if (last === undefined || some.length < SOME_MOMENTS) return;
    before = last.number;
  }
}

/** What a node's own changes depend on. */
interface Around {
  about: NodeId;
  /** The node with its columns, and all that edges ever connected with it. */
  nodes: ReadonlySet<NodeId>;
  moments: ReadonlySet<number | null>;
}

/** An edge may appear because the lineage owner of its other end changed, so the changes of those count too. */
async function findAround(rows: ChangeRows, about: NodeId, charge: (rows: number) => void): Promise<Around> {
  const nodes = new Set([about, ...(await rows.findColumns([about], 0))]);
  const moments = new Set<number | null>();
  for (const direction of DIRECTIONS) {
    for (const { from, to, since, until } of await rows.loadLinks(direction, [about], 0)) {
      nodes.add(from).add(to);
      moments.add(since).add(until);
    }
  }
  for (const moment of await rows.findMomentsOf([...nodes])) moments.add(moment);
  charge(nodes.size + moments.size);
  return { about, nodes, moments };
}

/** The entries of a moment, in the order of their keys: all of them, or at least those about a node. */
async function findEntries(
  rows: ChangeRows,
  moment: Moment,
  asked: Around | null,
  charge: (rows: number) => void,
): Promise<FoundEntry[]> {
  const earlier = createPastGraph(rows, moment.number - 1, charge);
  const later = createPastGraph(rows, moment.number, charge);
  const near = asked === null ? null : await findNear(asked, earlier, later);
  const nearOf = (ids: readonly NodeId[]): NodeId[] => ids.filter((id) => near?.has(id) !== false);
  const touched = nearOf(await rows.findTouched(moment));
  charge(touched.length);
  const [old, now] = [await earlier.load(touched), await later.load(touched)];
  const isReowned = (id: NodeId): boolean => {
    const [a, b] = [old.get(id), now.get(id)];
    return a?.lineageOwner !== b?.lineageOwner || a?.existence !== b?.existence;
  };
  const relinked = [...new Set([...nearOf(await rows.findRelinked(moment)), ...touched.filter(isReowned)])];
  const [olds, news] = [
    await earlier.loadEdges("upstream", relinked, "asset"),
    await later.loadEdges("upstream", relinked, "asset"),
  ];
  const tables = [...old.values(), ...now.values()].flatMap(({ parentId }) => parentId ?? []);
  const ends = [...olds, ...news].flatMap(({ from, to }) => [from, to]);
  const around = new Map<NodeId, PastNode>([
    ...(await earlier.load([...tables, ...ends])),
    ...(await later.load([...tables, ...ends])),
  ]);
  const entries = compareStates({ nodes: old, edges: olds }, { nodes: now, edges: news }, around);
  entries.push(...(await findResultEntries(rows, moment, later, near, charge)));
  return entries.toSorted((a, b) => compareCodePoints(a.key, b.key));
}

/** A check whose asset is not there any more says nothing. */
async function findResultEntries(
  rows: ChangeRows,
  moment: Moment,
  later: PastGraph,
  near: ReadonlySet<NodeId> | null,
  charge: (rows: number) => void,
): Promise<FoundEntry[]> {
  const changes = (await rows.findResultChanges(moment)).filter(({ node }) => near?.has(node) !== false);
  charge(changes.length);
  const nodes = await later.load(changes.map(({ node }) => node));
  return changes.flatMap((change) => {
    const node = nodes.get(change.node);
    return node?.existence === "held" ? [toResultEntry(change, node)] : [];
  });
}

/**
 * The nodes that entries about a node are made of. Null means all: a node that came or went may have had another name,
 * and every other node may be the one of that name.
 */
async function findNear(
  { about, nodes }: Around,
  earlier: PastGraph,
  later: PastGraph,
): Promise<ReadonlySet<NodeId> | null> {
  const [old, now] = [(await earlier.load([about])).get(about), (await later.load([about])).get(about)];
  if (old?.existence !== "held" || now?.existence !== "held") return null;
  return new Set([...nodes, ...(now.parentId === null ? [] : [now.parentId])]);
}

/** Whether a change passes the filters of a query, besides its time. */
export function isAsked(
  { kind, node, other, subjects, details }: Pick<PastChange, "kind" | "node" | "other" | "subjects" | "details">,
  query: Omit<ChangeQuery, "since" | "until" | "moment">,
): boolean {
  const { kinds, about, within, owner, tag, connector } = query;
  const passes = (subject: ChangeSubject): boolean =>
    (owner === undefined || ownerValues(subject).includes(fold(owner))) &&
    (tag === undefined || subject.tags.includes(tag)) &&
    (connector === undefined || subject.connectors.includes(connector));
  // A model's columns come and go with its SQL, as one entry.
  const all = kind === "sql_changed" ? [kind, ...details.map((part) => part.kind)] : [kind];
  return (
    (kinds === undefined || all.some((each) => kinds.includes(each))) &&
    (about === undefined || [node.id, node.parentId, other?.id].includes(about)) &&
    (within === undefined || within.has(node.id) || (node.parentId !== null && within.has(node.parentId))) &&
    subjects.some(passes)
  );
}
