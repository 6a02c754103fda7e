/**
 * Finds why the value of a node may have changed within a span. It goes from change to change of what the node depends
 * on, and compares the states before and after each.
 */
import type { Cause, CauseNode, CauseQuery, Causes } from "../../catalog/causes/cause.ts";
import { compareStates, type StateChange, type UpstreamState } from "../../catalog/causes/compare-states.ts";
import { compareCauses } from "../../catalog/causes/order.ts";
import { type ClosureReader, readClosure, toClosureNode } from "../../catalog/dependencies/closure.ts";
import { dependenciesOf } from "../../catalog/dependencies/dependencies.ts";
import { reach } from "../../catalog/dependencies/reach.ts";
import { joinUses } from "../../catalog/edge.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { NodeId } from "../../ids.ts";
import type { NodeState } from "./kept-node.ts";
import type { Moment } from "./moments.ts";
import { noHistory } from "./no-history.ts";
import { countReads, coverStates, createPastGraph, type PastGraph } from "./past-graph.ts";
import type { PastRows } from "./past-rows.ts";
import { createSpan, type Span } from "./span.ts";

/** How often what matters may change. Everything after that is compared as one change. */
const MAX_STEPS = 200;

/** How many changes that are no causes are listed. */
const MAX_OTHERS = 100;

/** Bases are compared as they were stored. SQL that is the same is never a change, whichever rules read it. */
const ANY_READER = "";

/** @returns null if the node did not exist in the span */
export async function findPastCauses(rows: PastRows, query: CauseQuery, maxRows = Infinity): Promise<Causes | null> {
  const { target, offset, limit } = query;
  let { since } = query;
  let first = await rows.findMoment(since);
  if (first === null) {
    const beginning = (await rows.findFirstMoment())?.at;
    // Nothing was ever written.
    if (beginning === undefined) return null;
    if (query.orBeginning !== true || beginning > query.until) throw noHistory("since", beginning);
    since = beginning;
    first = await rows.findMoment(since);
  }
  const last = await rows.findMoment(query.until);
  if (first === null || last === null) throw noHistory("since", since);
  const span = createSpan(rows, first, countReads(maxRows));
  const found: FoundCause[] = [];
  const upstream = new Set<NodeId>([target]);
  let before = await readState(span, first, target);
  let known = before;
  note(before, upstream);
  let steps = 0;
  for (let at = first; at < last;) {
    let end = steps >= MAX_STEPS ? last : await nextStep(span, at, last);
    if (end === null) break;
    if (await mayMatter(span, at, end)) {
      let after = await readState(span, end, target);
      // What is read only now may show that the sync went on.
      for (let further = end; (further = (await nextStep(span, at, last)) ?? end) > end;) {
        end = further;
        after = await readState(span, end, target);
      }
      note(after, upstream);
      const reader = closureReaderOf(graphAt(span, end));
      const changes = await compareStates(before?.state ?? null, after?.state ?? null, reader);
      for (const change of changes) {
        const ids = [change.id, change.path.at(-2) ?? change.id];
        const [moment = end] = ids.flatMap((id) => span.changesOf([id], at, end ?? at).at(-1) ?? []);
        found.push({ change, moment, from: at, to: end });
      }
      [before, known, steps] = [after, after ?? known, steps + 1];
    }
    at = end;
  }
  if (known === null) return null;
  const authors = await span.authorsOf(found.map(({ moment }) => moment));
  const all = found
    .map((each) => ({ ...each, ...each.change, author: authorOf(authors, each.moment) }))
    .toSorted(compareCauses);
  const items = await Promise.all(all.slice(offset, offset + limit).map((each) => describe(each, span)));
  const reached = known.state.reach.reached.map(({ id }) => id);
  const states = await known.graph.load([target, ...reached.filter((id) => id !== target)]);
  return {
    target: (await nameNodes(span, [target], last, first)).get(target) ?? lostNode(target),
    since,
    items,
    total: all.length,
    ...(await findOthers(rows, span, { upstream, first, last, found })),
    truncated: steps > MAX_STEPS,
    coverage: coverStates([...states.values()]),
  };
}

interface FoundCause {
  change: StateChange;
  moment: number;
  /** The moments between which the change was found. */
  from: number;
  to: number;
}

interface ReadState {
  state: UpstreamState;
  graph: PastGraph;
}

function graphAt({ rows }: Span, moment: number): PastGraph {
  return createPastGraph(rows, moment, () => undefined);
}

function note(read: ReadState | null, upstream: Set<NodeId>): void {
  for (const { id, type, parentId } of read?.state.closure.nodes.values() ?? []) {
    if (type !== "column") upstream.add(id);
    else if (parentId !== null) upstream.add(parentId);
  }
}

/** Everything that the node depended on at a moment; null if it did not exist. */
async function readState(span: Span, moment: number, target: NodeId): Promise<ReadState | null> {
  const graph = graphAt(span, moment);
  const found = (await graph.load([target])).get(target);
  if (found === undefined) return null;
  const root = toClosureNode(found);
  const columns = new Map<NodeId, NodeId[]>();
  const roots = [root];
  for (const id of await datasetsOf(found, graph)) {
    const own = await graph.loadColumns([id]);
    const ids = own.map((column) => column.id);
    columns.set(id, ids);
    roots.push(...own.map(toClosureNode));
  }
  const closure = await readClosure(closureReaderOf(graph), roots);
  const reached = reach(target, closure, (id) => columns.get(id) ?? []);
  const dependencies = dependenciesOf(target, closure, ANY_READER, reached);
  return { graph, state: { root, closure, reach: reached, dependencies } };
}

/** The tables and models whose columns all count. */
async function datasetsOf(root: NodeState, graph: PastGraph): Promise<NodeId[]> {
  if (root.type === "table" || root.type === "model") return [root.id];
  if (root.type !== "dashboard" || root.columnLineage?.status === "known") return [];
  return [...new Set((await graph.loadEdges("upstream", [root.id], "asset")).map(({ far }) => far))];
}

function closureReaderOf(graph: PastGraph): ClosureReader {
  return {
    async loadSources(asked) {
      const sources = new Map<string, { id: NodeId; uses: Parameters<typeof joinUses>[0] }[]>();
      for (const level of ["asset", "column"] as const) {
        const ids = asked.filter((each) => each.level === level).map(({ id }) => id);
        const edges = await graph.loadEdges("upstream", ids, level);
        for (const [near, own] of Map.groupBy(edges, (edge) => edge.near)) {
          const byFar = Map.groupBy(own, ({ far }) => far);
          sources.set(
            `${level} ${near}`,
            [...byFar].map(([id, same]) => ({ id, uses: same.flatMap(({ uses }) => uses) })),
          );
        }
      }
      const all = asked.map(({ id, level }) => sources.get(`${level} ${id}`) ?? []);
      const states = await graph.load(all.flatMap((own) => own.map(({ id }) => id)));
      return all.map((own) =>
        own
          .toSorted((a, b) => compareCodePoints(a.id, b.id))
          .flatMap(({ id, uses }) => {
            const state = states.get(id);
            return state === undefined ? [] : [{ node: toClosureNode(state), uses: joinUses(uses) }];
          }),
      );
    },
    async loadNodes(ids) {
      const states = await graph.load(ids);
      return ids.map((id) => {
        const state = states.get(id);
        return state === undefined ? null : toClosureNode(state);
      });
    },
  };
}

/** Whether anything changed of what is compared: most changes are of descriptions, owners and the like. */
async function mayMatter(span: Span, from: number, to: number): Promise<boolean> {
  if (span.haveLinksChanged(from, to)) return true;
  const ids = span.changedNodes(from, to);
  const [before, after] = [await graphAt(span, from).load(ids), await graphAt(span, to).load(ids)];
  return ids.some((id) => comparedPart(before.get(id)) !== comparedPart(after.get(id)));
}

function comparedPart(state: NodeState | undefined): string {
  return state === undefined ? "" : JSON.stringify([toClosureNode(state), state.lineageOwner]);
}

/**
 * The moment at which the next change is complete: a sync that another author interrupted has several moments, and
 * what it left in between is no state that anybody meant. Null if nothing changes any more.
 */
async function nextStep(span: Span, after: number, until: number): Promise<number | null> {
  const changes = span.allChanges(after, until);
  const [begin] = changes;
  if (begin === undefined) return null;
  const authors = await span.authorsOf(changes);
  const lastOf = new Map(changes.map((moment) => [syncOf(authors, moment), moment]));
  let end = begin;
  for (const moment of changes) {
    if (moment > end) break;
    end = Math.max(end, lastOf.get(syncOf(authors, moment)) ?? moment);
  }
  return end;
}

/** Names the sync that wrote at a moment; what a person wrote stands alone. */
function syncOf(authors: ReadonlyMap<number, Moment>, moment: number): string {
  const { syncId = "", connectorId = "" } = authors.get(moment) ?? {};
  return syncId === "" ? String(moment) : `${connectorId} ${syncId}`;
}

function authorOf(authors: ReadonlyMap<number, Moment>, moment: number): Moment {
  const author = authors.get(moment);
  if (author === undefined) throw new RangeError(`there is no moment ${moment}`);
  return author;
}

async function describe(each: FoundCause & { author: Moment }, span: Span): Promise<Cause> {
  const { change, from, to } = each;
  const { id, path, ...said } = change;
  const names = await nameNodes(span, [id, ...path], to, from);
  const isSql = ["sql", "expression", "rows"].includes(said.kind);
  const { at, connectorId, syncId, actor } = each.author;
  return {
    ...said,
    author: { at, connectorId, syncId, actor },
    node: names.get(id) ?? lostNode(id),
    path: path.map((step) => names.get(step) ?? lostNode(step)),
    sqlBefore: isSql ? await loadSqlOf(span, id, from) : null,
    sqlAfter: isSql ? await loadSqlOf(span, id, to) : null,
  };
}

async function loadSqlOf(span: Span, id: NodeId, moment: number): Promise<string | null> {
  return (await graphAt(span, moment).load([id])).get(id)?.sql ?? null;
}

/** As the nodes were called at the first of these moments at which they existed. */
async function nameNodes(
  span: Span,
  ids: readonly NodeId[],
  ...moments: number[]
): Promise<ReadonlyMap<NodeId, CauseNode>> {
  const names = new Map<NodeId, CauseNode>();
  for (const moment of moments) {
    const states = await graphAt(span, moment).load(ids.filter((id) => !names.has(id)));
    for (const { id, type, name, fqn } of states.values()) names.set(id, { id, type, name, fqn });
  }
  return names;
}

function lostNode(id: NodeId): CauseNode {
  return { id, type: "table", name: id, fqn: id };
}

interface Seen {
  upstream: ReadonlySet<NodeId>;
  first: number;
  last: number;
  found: readonly FoundCause[];
}

/** The changes that are no causes: what one author changed of one asset, with its columns, is one. */
async function findOthers(
  rows: PastRows,
  span: Span,
  { upstream, first, last, found }: Seen,
): Promise<Pick<Causes, "others" | "otherChanges">> {
  const changed = await rows.findChanged([...upstream], first);
  await span.rows.loadPresent(changed.map(({ id }) => id));
  const moments = changed.flatMap(({ id, parentId }) =>
    span.nodeChanges(id, first, last).map((moment) => ({ asset: parentId ?? id, moment })),
  );
  const authors = await span.authorsOf([...moments, ...found].map(({ moment }) => moment));
  const keyOf = (asset: NodeId, moment: number): string => `${asset} ${syncOf(authors, moment)}`;
  const all = new Map(moments.map((each) => [keyOf(each.asset, each.moment), each]));
  const parents = new Map(changed.map(({ id, parentId }) => [id, parentId ?? id]));
  for (const { change, moment } of found) all.delete(keyOf(parents.get(change.id) ?? change.id, moment));
  const latest = [...all.values()]
    .toSorted((a, b) => b.moment - a.moment || compareCodePoints(a.asset, b.asset))
    .slice(0, MAX_OTHERS);
  const names = await nameNodes(span, [...new Set(latest.map(({ asset }) => asset))], last, first);
  const otherChanges = latest.map(({ asset, moment }) => {
    const { at, connectorId, syncId, actor } = authorOf(authors, moment);
    return { node: names.get(asset) ?? lostNode(asset), author: { at, connectorId, syncId, actor } };
  });
  return { others: all.size, otherChanges };
}
