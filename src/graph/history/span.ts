/**
 * The rows of a workspace from one moment on. Each row is read once, and answers about any later moment then cost no
 * further question to the engine. It knows at which moments something of what it has read became different.
 */
import type { Direction } from "../../catalog/edge.ts";
import type { NodeId } from "../../ids.ts";
import type { KeptNode, NodeState } from "./kept-node.ts";
import type { Moment } from "./moments.ts";
import { isStated, type PastLink, type PastRows } from "./past-rows.ts";

export interface Span {
  /** For any moment from the first one on. */
  rows: PastRows;
  /** The moments after `after`, up to `until`, at which a node that was read, or an edge into it, changed; in order. */
  changesOf: (ids: Iterable<NodeId>, after: number, until: number) => number[];
  /**
   * The moments at which a node that was read itself became different, appeared or went. Certifications do not count:
   * they follow from other changes.
   */
  nodeChanges: (id: NodeId, after: number, until: number) => number[];
  /** The nodes that were read and became different between two moments. */
  changedNodes: (from: number, to: number) => NodeId[];
  /** Whether an edge into a node that was read is not the same at two moments. */
  haveLinksChanged: (from: number, to: number) => boolean;
  /** The same as `changesOf` for everything that was read. */
  allChanges: (after: number, until: number) => number[];
  authorsOf: (moments: readonly number[]) => Promise<ReadonlyMap<number, Moment>>;
}

/** @param charge called with the number of rows that are read; it throws if they are too many */
export function createSpan(rows: PastRows, first: number, charge: (rows: number) => void): Span {
  const present = new Map<NodeId, { since: number; state: NodeState } | null>();
  const kept = new Map<NodeId, KeptNode[]>();
  const columns = new Map<NodeId, NodeId[]>();
  const links: Record<Direction, Map<NodeId, PastLink[]>> = { upstream: new Map(), downstream: new Map() };
  const authors = new Map<number, Moment>();

  async function readNodes(ids: readonly NodeId[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !present.has(id));
    if (unknown.length === 0) return;
    charge(unknown.length);
    const found = await rows.loadPresent(unknown);
    const changed = unknown.filter((id) => (found.get(id)?.since ?? Infinity) > first);
    const earlier = changed.length === 0 ? [] : await rows.loadKept(changed, first);
    charge(earlier.length);
    const byId = Map.groupBy(earlier, ({ id }) => id);
    for (const id of unknown) {
      present.set(id, found.get(id) ?? null);
      kept.set(id, byId.get(id) ?? []);
    }
  }

  async function readLinks(direction: Direction, ids: readonly NodeId[]): Promise<void> {
    const known = links[direction];
    const unknown = [...new Set(ids)].filter((id) => !known.has(id));
    if (unknown.length === 0) return;
    const found = await rows.loadLinks(direction, unknown, first);
    charge(found.length);
    const near = direction === "upstream" ? "to" : "from";
    const byEnd = Map.groupBy(found, (link) => link[near]);
    for (const id of unknown) known.set(id, byEnd.get(id) ?? []);
  }

  function* momentsOfNode(id: NodeId): Generator<number> {
    const node = present.get(id);
    if (node !== undefined && node !== null) yield node.since;
    for (const { since, until } of kept.get(id) ?? []) {
      yield since;
      yield until;
    }
  }

  function* momentsOf(id: NodeId): Generator<number> {
    yield* momentsOfNode(id);
    for (const { since, until } of links.upstream.get(id) ?? []) {
      yield since;
      if (until !== null) yield until;
    }
  }

  function changesOf(ids: Iterable<NodeId>, after: number, until: number): number[] {
    const moments = Array.from(ids).flatMap((id) => Array.from(momentsOf(id)));
    return within(moments, after, until);
  }

  return {
    rows: {
      ...rows,
      async loadPresent(ids) {
        await readNodes(ids);
        return new Map(
          ids.flatMap((id) => {
            const found = present.get(id) ?? null;
            return found === null ? [] : [[id, found]];
          }),
        );
      },
      async loadKept(ids, moment) {
        await readNodes(ids);
        return ids.flatMap((id) => kept.get(id) ?? []).filter(({ until }) => until > moment);
      },
      async findColumns(parents) {
        const unknown = parents.filter((id) => !columns.has(id));
        const found = unknown.length === 0 ? [] : [...new Set(await rows.findColumns(unknown, first))];
        await readNodes(found);
        for (const id of unknown) columns.set(id, []);
        for (const id of found) {
          const parentId = present.get(id)?.state.parentId ?? kept.get(id)?.[0]?.parentId ?? null;
          if (parentId !== null) columns.get(parentId)?.push(id);
        }
        return parents.flatMap((id) => columns.get(id) ?? []);
      },
      async loadLinks(direction, ids) {
        await readLinks(direction, ids);
        return ids.flatMap((id) => links[direction].get(id) ?? []);
      },
    },
    changesOf,
    changedNodes: (from, to) => [...present.keys()].filter((id) => within([...momentsOfNode(id)], from, to).length > 0),
    haveLinksChanged: (from, to) =>
      links.upstream
        .values()
        .some((own) => own.some((link) => link.kind !== null && isStated(link, from) !== isStated(link, to))),
    nodeChanges(id, after, until) {
      const certifications = new Set((kept.get(id) ?? []).filter(isOfCertification).map((row) => row.until));
      return within([...momentsOfNode(id)], after, until).filter((moment) => !certifications.has(moment));
    },
    allChanges: (after, until) => changesOf(new Set([...present.keys(), ...links.upstream.keys()]), after, until),
    async authorsOf(moments) {
      const unknown = moments.filter((number) => !authors.has(number));
      if (unknown.length > 0) {
        charge(unknown.length);
        for (const moment of await rows.loadMoments(unknown)) authors.set(moment.number, moment);
      }
      return authors;
    },
  };
}

const CERTIFICATION = new Set(["certification", "certifiedBy", "certifiedAt", "updatedAt"]);

function isOfCertification({ isWhole, was }: KeptNode): boolean {
  return !isWhole && Object.keys(was).every((field) => CERTIFICATION.has(field));
}

function within(moments: readonly number[], after: number, until: number): number[] {
  return [...new Set(moments.filter((at) => at > after && at <= until))].toSorted((a, b) => a - b);
}
