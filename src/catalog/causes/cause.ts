/** Why the value of an asset may have changed: one change upstream of it that can have changed what it shows. */
import type { ConnectorId, NodeId } from "../../ids.ts";
import { USE_KINDS } from "../edge.ts";
import type { NodeType } from "../node-types.ts";
import type { Coverage } from "../coverage.ts";

export const CAUSE_KINDS = ["definition", "expression", "rows", "sql", "type", "sources", "removed", "added"] as const;
/**
 * - `definition`: a metric is defined otherwise.
 * - `expression`: SQL computes columns otherwise that the asset depends on.
 * - `rows`: SQL selects, joins or groups other rows.
 * - `sql`: SQL changed, and it is not known which part of it matters.
 * - `type`: a column has another data type.
 * - `sources`: something comes from other columns, tables or assets than before.
 * - `removed`: nobody has it any more. `added`: the asset itself appeared.
 */
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** DIRECT: values come from it. INDIRECT: it decides which rows count. UNKNOWN: the lineage between is not fully known. */
export const CAUSE_EVIDENCE = [...USE_KINDS, "UNKNOWN"] as const;
export type CauseEvidence = (typeof CAUSE_EVIDENCE)[number];

/** A node as it was called when it changed. */
export interface CauseNode {
  id: NodeId;
  type: NodeType;
  name: string;
  fqn: string;
}

export interface CauseAuthor {
  /** ISO 8601, UTC. */
  at: string;
  /** `PEOPLE` for a person. */
  connectorId: ConnectorId;
  /** "" for a person. */
  syncId: string;
  /** The person; "" for a sync. */
  actor: string;
}

export interface Cause {
  kind: CauseKind;
  evidence: CauseEvidence;
  author: CauseAuthor;
  /** What changed. */
  node: CauseNode;
  /** From the asset that was asked about to `node`, both included. */
  path: CauseNode[];
  /** How many edges are on the path. */
  distance: number;
  /** What changed, as a sentence without its full stop. */
  sentence: string;
  /** What exactly changed in SQL, as such sentences. */
  details: string[];
  /** What was there before, and what is there now; "" if nothing short can be said. */
  before: string;
  after: string;
  /** The whole SQL before and after; null if no SQL changed. */
  sqlBefore: string | null;
  sqlAfter: string | null;
}

/** What one sync or person changed of one asset, and cannot have changed what was asked about. */
export interface OtherChange {
  node: CauseNode;
  author: CauseAuthor;
}

export interface CauseQuery {
  target: NodeId;
  /** ISO 8601, UTC: both ends of the span. What changed at `since` itself is before it. */
  since: string;
  until: string;
  /** Whether the span begins with the history if that begins later than `since`. It is refused if not. */
  orBeginning?: boolean;
  /** Which of all causes are wanted. */
  offset: number;
  limit: number;
}

export interface Causes {
  target: CauseNode;
  /** Where the span begins. */
  since: string;
  /** The nearest first, then those that are surest, then the latest. */
  items: Cause[];
  total: number;
  /**
   * How many changes of the same assets and of others upstream cannot have changed it: what one sync or person changed
   * of one asset counts once.
   */
  others: number;
  /** The latest of those, up to a limit. */
  otherChanges: OtherChange[];
  /** Whether so much changed that only the first and last state of a part of the span were compared. */
  truncated: boolean;
  /** Of everything that it depends on. */
  coverage: Coverage;
}
