/** The graph at one moment: nodes and shown edges. Everything that is asked about the moment is answered from these. */
import { carriesValues, type Direction, type Edge, edgeLevels, isOriginKind, type Level } from "../../catalog/edge.ts";
import { type Coverage, MAX_GAPS } from "../../catalog/coverage.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { NodeId } from "../../ids.ts";
import { overBudget } from "../../work/budget.ts";
import { type KeptNode, type NodeState, restoreNode } from "./kept-node.ts";
import { isStated, type PastLink, type PastRows } from "./past-rows.ts";

/** An edge that is shown, as one connector states it. */
export interface PastEdge extends Edge, Pick<PastLink, "uses"> {
  near: NodeId;
  far: NodeId;
}

export interface PastGraph {
  /** An id that no node had then has no entry. */
  load: (ids: Iterable<NodeId>) => Promise<ReadonlyMap<NodeId, NodeState>>;
  /** The columns of these tables and models, in the order (ordinal, key), unknown ordinals last. */
  loadColumns: (parents: readonly NodeId[]) => Promise<NodeState[]>;
  /** The shown edges at a level out of these nodes or into them. An edge that two connectors state occurs twice. */
  loadEdges: (
    direction: Direction,
    ids: readonly NodeId[],
    level: Level,
    options?: { directOnly?: boolean | undefined },
  ) => Promise<PastEdge[]>;
  /** From these columns to the assets whose SQL names them. */
  loadReferences: (columns: readonly NodeId[]) => Promise<Pick<PastLink, "from" | "to">[]>;
}

/**
 * Counts rows that are read. It returns how many there were so far.
 * @throws AppError `bad_request` if there are more than `maxRows`
 */
export function countReads(maxRows: number): (rows: number) => number {
  let read = 0;
  return (rows) => {
    read += rows;
    if (read > maxRows) throw overBudget("rows", maxRows);
    return read;
  };
}

type GraphRows = Pick<PastRows, "loadPresent" | "loadKept" | "findColumns" | "loadLinks">;

/** @param charge called with the number of rows that are read; it throws if they are too many */
export function createPastGraph(rows: GraphRows, moment: number, charge: (rows: number) => void): PastGraph {
  const known = new Map<NodeId, NodeState | null>();
  const links: Record<Direction, Map<NodeId, PastLink[]>> = { upstream: new Map(), downstream: new Map() };

  async function load(ids: Iterable<NodeId>): Promise<ReadonlyMap<NodeId, NodeState>> {
    const asked = [...new Set(ids)];
    const unknown = asked.filter((id) => !known.has(id));
    if (unknown.length > 0) {
      charge(unknown.length);
      const present = await rows.loadPresent(unknown);
      const changed = unknown.filter((id) => (present.get(id)?.since ?? Infinity) > moment);
      const kept = Map.groupBy(changed.length === 0 ? [] : await rows.loadKept(changed, moment), ({ id }) => id);
      for (const id of unknown) known.set(id, stateAt(moment, present.get(id) ?? null, kept.get(id) ?? []));
    }
    return new Map(
      asked.flatMap((id) => {
        const state = known.get(id) ?? null;
        return state === null ? [] : [[id, state]];
      }),
    );
  }

  /** The shown links of these nodes, each read once: impacts of one moment go over the same ones. */
  async function linksOf(direction: Direction, ids: readonly NodeId[]): Promise<PastLink[]> {
    const read = links[direction];
    const asked = [...new Set(ids)];
    const unknown = asked.filter((id) => !read.has(id));
    if (unknown.length > 0) {
      const later = await rows.loadLinks(direction, unknown, moment);
      charge(later.length);
      const found = await shown(later.filter((link) => isStated(link, moment)));
      const byEnd = Map.groupBy(found, ({ from, to }) => (direction === "downstream" ? from : to));
      for (const id of unknown) read.set(id, byEnd.get(id) ?? []);
    }
    return asked.flatMap((id) => read.get(id) ?? []);
  }

  /** Leaves out what comes from another connector than the lineage owner of its downstream end. */
  async function shown(found: readonly PastLink[]): Promise<PastLink[]> {
    const ends = await load(found.flatMap(({ from, to }) => [from, to]));
    const parents = await load(found.flatMap(({ to }) => ends.get(to)?.parentId ?? []));
    return found.filter(({ from, to, kind, connectorId }) => {
      const end = ends.get(to);
      if (end === undefined || !ends.has(from)) return false;
      if (kind !== null && !isOriginKind(kind)) return true;
      const owner = (end.parentId === null ? end : parents.get(end.parentId))?.lineageOwner ?? null;
      return owner === null || owner === connectorId;
    });
  }

  return {
    load,
    async loadColumns(parents) {
      const states = await load(await rows.findColumns(parents, moment));
      const asked = new Set(parents);
      return [...states.values()]
        .filter(({ type, parentId }) => type === "column" && parentId !== null && asked.has(parentId))
        .toSorted((a, b) => (a.ordinal ?? Infinity) - (b.ordinal ?? Infinity) || compareCodePoints(a.key, b.key));
    },
    async loadEdges(direction, ids, level, { directOnly = false } = {}) {
      const own = await linksOf(direction, ids);
      const ends = await load(own.flatMap(({ from, to }) => [from, to]));
      return own.flatMap(({ from, to, kind, uses }): PastEdge[] => {
        const [a, b] = [ends.get(from), ends.get(to)];
        const isAtLevel = a !== undefined && b !== undefined && edgeLevels(a.type, b.type)?.includes(level) === true;
        if (kind === null || !isAtLevel || (directOnly && level === "column" && !carriesValues(uses))) return [];
        const [near, far] = direction === "downstream" ? [from, to] : [to, from];
        return [{ from, to, kind, uses, near, far }];
      });
    },
    async loadReferences(columns) {
      return (await linksOf("downstream", columns)).filter(({ kind }) => kind === null);
    },
  };
}

/** @param kept what was kept of the node after the moment */
function stateAt(
  moment: number,
  present: { since: number; state: NodeState } | null,
  kept: readonly KeptNode[],
): NodeState | null {
  if (present !== null && present.since <= moment) return present.state;
  let state = present?.state ?? null;
  for (const row of kept.toSorted((a, b) => b.until - a.until)) {
    state = restoreNode(row, state);
    if (row.since <= moment) return state;
  }
  return null;
}

/** @param nodes in the order of the answer */
export function coverStates(nodes: readonly NodeState[]): Coverage {
  const gaps = nodes.filter(({ gap }) => gap !== "").map(({ id, gap }) => ({ id, reason: gap }));
  return {
    connectors: [...new Set(nodes.flatMap(({ statedBy }) => statedBy))].toSorted(compareCodePoints),
    gaps: gaps.slice(0, MAX_GAPS),
    gapsTotal: gaps.length,
  };
}
