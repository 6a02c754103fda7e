/** What an engine reads of its history, so that changes can be listed. */
import type { ResultChange } from "../../catalog/changes/result-change.ts";
import type { NodeId } from "../../ids.ts";
import type { Moment, MomentSpan } from "./moments.ts";
import type { PastRows } from "./past-rows.ts";

type Answer<T> = T | Promise<T>;

/** One workspace. All reads see one state of the store. */
export interface ChangeRows extends PastRows {
  /** The first moment that is kept; null if nothing was written yet. */
  findFirstMoment: () => Answer<Moment | null>;
  /** Moments with lower numbers than `before`, at these times, the newest first, at most `limit`. */
  listMoments: (span: MomentSpan) => Answer<Moment[]>;
  /** Nodes that began or ceased to look as they do at this moment. Not for the first moment of a workspace. */
  findTouched: (moment: Moment) => Answer<NodeId[]>;
  /** The downstream ends of edges that began or ceased to be stated at this moment. Not for the first moment. */
  findRelinked: (moment: Moment) => Answer<NodeId[]>;
  /** The results of checks that changed at this moment. */
  findResultChanges: (moment: Moment) => Answer<ResultChange[]>;
  /** The other ends of all edges of these nodes, present and kept. */
  findLinked: (ids: readonly NodeId[]) => Answer<NodeId[]>;
  /**
   * The moments at which these nodes, or edges of them, began or ceased to be as they are, or the result of a check changed that
   * belongs to one. Some may be repeated.
   */
  findMomentsOf: (ids: readonly NodeId[]) => Answer<number[]>;
}
