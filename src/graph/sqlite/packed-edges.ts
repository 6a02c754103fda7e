/**
 * The form in which edges are sent to the thread that writes. Many edges share an end or the text of their uses, so each of
 * these is sent once, and the rest as lists of numbers.
 */
import { carriesValues, type ColumnUse, EDGE_KINDS, usesText } from "../../catalog/edge.ts";
import type { NodeId } from "../../ids.ts";
import type { EdgeWrite } from "../catalog-writes.ts";
import { at } from "../packed-list.ts";
import type { EdgeText } from "../rows.ts";
import { toKind } from "./edge-row.ts";

export interface PackedEdges {
  ids: NodeId[];
  /** Each as `usesText` writes it. */
  uses: string[];
  /** For each of `uses`, whether values flow along the edge. */
  carriesValues: boolean[];
  /** Positions in `ids`, one for each edge. */
  from: Uint32Array;
  to: Uint32Array;
  /** Positions in EDGE_KINDS. */
  kinds: Uint8Array;
  /** Positions in `uses`. */
  used: Uint32Array;
}

export function packEdges(edges: readonly EdgeWrite[]): PackedEdges {
  const ids = new Map<NodeId, number>();
  const lists = new Map<readonly ColumnUse[], number>();
  const texts = new Map<string, number>();
  const carries: boolean[] = [];
  const indexOf = (id: NodeId): number => ids.getOrInsert(id, ids.size);
  const indexOfUses = (uses: readonly ColumnUse[]): number =>
    texts.getOrInsertComputed(usesText(uses), () => carries.push(carriesValues(uses)) - 1);
  return {
    from: Uint32Array.from(edges, ({ from }) => indexOf(from)),
    to: Uint32Array.from(edges, ({ to }) => indexOf(to)),
    kinds: Uint8Array.from(edges, ({ kind }) => EDGE_KINDS.indexOf(kind)),
    used: Uint32Array.from(edges, ({ uses }) => lists.getOrInsertComputed(uses, indexOfUses)),
    ids: [...ids.keys()],
    uses: [...texts.keys()],
    carriesValues: carries,
  };
}

/** In the same order. */
export function unpackEdges(packed: PackedEdges): EdgeText[] {
  const { ids, uses, from, to, kinds, used } = packed;
  return Array.from(kinds, (kind, i) => ({
    from: at(ids, from[i]),
    to: at(ids, to[i]),
    kind: toKind(kind),
    uses: at(uses, used[i]),
    carriesValues: at(packed.carriesValues, used[i]),
  }));
}
