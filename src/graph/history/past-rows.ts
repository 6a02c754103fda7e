/** What an engine reads of its graph and its history, so that questions about a moment can be answered. */
import type { ColumnUse, Direction, EdgeKind } from "../../catalog/edge.ts";
import type { NodeType } from "../../catalog/node-types.ts";
import type { ConnectorId, NodeId } from "../../ids.ts";
import type { Answer } from "../../catalog/impact/source.ts";
import type { KeptNode, NodeState } from "./kept-node.ts";
import type { Moment, MomentSpan } from "./moments.ts";
import type { ResultChange } from "../../catalog/changes/result-change.ts";

/** An edge, or a reference if it has no kind, that one connector states, and when it was stated so. */
export interface PastLink {
  from: NodeId;
  to: NodeId;
  kind: EdgeKind | null;
  connectorId: ConnectorId;
  uses: ColumnUse[];
  since: number;
  /** Null if it is stated now. */
  until: number | null;
}

/** One workspace. All reads see one state of the store. */
export interface PastRows {
  /** The last moment until this time; null if history begins later. */
  findMoment: (at: string) => Answer<number | null>;
  /** The first moment that is kept; null if nothing was written yet. */
  findFirstMoment: () => Answer<Moment | null>;
  /** The nodes that are visible now, and since which moment they look like this. */
  loadPresent: (ids: readonly NodeId[]) => Answer<ReadonlyMap<NodeId, { since: number; state: NodeState }>>;
  /** What was kept of these nodes after the moment, in any order. */
  loadKept: (ids: readonly NodeId[], moment: number) => Answer<KeptNode[]>;
  /** Columns that these tables have now, or had after the moment: each at least once. */
  findColumns: (parents: readonly NodeId[], moment: number) => Answer<NodeId[]>;
  /**
   * Nodes that are visible now with one of these types, or were kept after the moment, in the order of keys: those with
   * the first keys of the range, at most `limit`.
   */
  findInOrder: (
    range: { after: string; types: readonly NodeType[]; limit: number },
    moment: number,
  ) => Answer<{ id: NodeId; key: string }[]>;
  /** Edges and references that were stated at the moment or later, out of these nodes or into them. */
  loadLinks: (direction: Direction, ids: readonly NodeId[], moment: number) => Answer<PastLink[]>;
  /** Who wrote the moments with these numbers, in any order. */
  loadMoments: (numbers: readonly number[]) => Answer<Moment[]>;
  /** Which of these nodes and their columns changed, appeared or went after the moment. */
  findChanged: (ids: readonly NodeId[], moment: number) => Answer<{ id: NodeId; parentId: NodeId | null }[]>;
}

/** The same, and what the list of changes is made from. */
export interface ChangeRows extends PastRows {
  /** Moments with lower numbers than `before`, at these times, the newest first, at most `limit`. */
  listMoments: (span: MomentSpan) => Answer<Moment[]>;
  /** Nodes that began or ceased to look as they do at this moment. Not for the first moment of a workspace. */
  findTouched: (moment: Moment) => Answer<NodeId[]>;
  /** The downstream ends of edges that began or ceased to be stated at this moment. Not for the first moment. */
  findRelinked: (moment: Moment) => Answer<NodeId[]>;
  /** The results of checks that changed at this moment. */
  findResultChanges: (moment: Moment) => Answer<ResultChange[]>;
  /**
   * The moments at which these nodes began or ceased to be as they are, or the result of a check changed that belongs to
   * one. Some may be repeated.
   */
  findMomentsOf: (ids: readonly NodeId[]) => Answer<number[]>;
}

export function isStated({ since, until }: Pick<PastLink, "since" | "until">, moment: number): boolean {
  return since <= moment && (until === null || until > moment);
}
