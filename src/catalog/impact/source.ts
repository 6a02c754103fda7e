/** What an engine reads from its graph, so that the impact of a change can be worked out. */
import type { NodeId } from "../../ids.ts";
import type { CatalogNode, ColumnLineage } from "../asset.ts";
import type { NodeType } from "../node-types.ts";
import type { Check, NeededBy } from "../check.ts";
import type { Coverage } from "../coverage.ts";
import type { ColumnUse } from "../edge.ts";

/** The number of a node. The engine chooses it, and it is valid for one impact. */
export type Handle = number;

/** Orders two nodes by their keys, as `compareCodePoints` orders texts. */
export type KeyOrder = (a: Handle, b: Handle) => number;

/** What the spread of a change needs to know of a node. */
export interface SpreadNode {
  type: NodeType;
  /** An engine may read it only when it is asked for: hardly ever. */
  key: () => string;
  /** The table or model of a column; null if that is not in the catalog, and for other nodes. */
  parent: Handle | null;
  /** The state of its column lineage; null if it has none, and for columns. */
  lineage: ColumnLineage["status"] | null;
}

/** From one node to another, by one edge or several. */
export interface Step {
  from: Handle;
  to: Handle;
}

/** All edges of assets from one to another. */
export interface AssetStep extends Step {
  /** Whether one of them is a `materializes`. */
  materializes: boolean;
}

/** All edges of columns from one to another. */
export interface ColumnStep extends Step {
  /** COPY: at least one use copies values unchanged. DIRECT: values are used. INDIRECT: no values are used, as in a filter. */
  use: "COPY" | "DIRECT" | "INDIRECT";
}

export interface OwnColumn {
  dataset: Handle;
  column: Handle;
  lineage: ColumnLineage["status"] | null;
}

/** A node as the report shows it. */
export type Shown = Pick<
  CatalogNode,
  | "id"
  | "name"
  | "fqn"
  | "type"
  | "certification"
  | "owner"
  | "ownerName"
  | "usage"
  | "platform"
  | "dataType"
  | "columnLineage"
>;

/** What a risk and the groups of an impact need to know of a node. */
export type Judged = Pick<Shown, "certification" | "owner" | "ownerName">;

export type Pair = readonly [from: Handle, to: Handle];

/** At once or later: an engine need not wait for a file that it reads in its own thread. */
export type Answer<T> = T | Promise<T>;

/**
 * One state of the graph, within one workspace. Each read takes a list, such as all nodes of a rank. So the number of reads grows
 * with the hops, and not with the nodes. Answers are in the order of the list, if nothing else is said.
 */
export interface ImpactSource {
  find: (id: NodeId) => Answer<Handle | null>;
  loadNodes: (nodes: readonly Handle[]) => Answer<SpreadNode[]>;
  /** If an engine knows the order of keys without the keys. */
  byKey?: KeyOrder;
  /** All columns of these tables and models, in any order. */
  listColumns: (datasets: readonly Handle[]) => Answer<OwnColumn[]>;
  /** Steps at the level of columns out of these nodes, each pair once. Without any evidence, values are taken to be copied. */
  followColumns: (from: readonly Handle[]) => Answer<ColumnStep[]>;
  /** Steps at the level of assets out of these nodes, each pair once. */
  followAssets: (from: readonly Handle[]) => Answer<AssetStep[]>;
  /** From each of these columns to the assets whose SQL names it, each pair once. */
  followReferences: (columns: readonly Handle[]) => Answer<Step[]>;
  /** Whether any column of the first has an edge to the second, or to a column of it. */
  areBound: (pairs: readonly Pair[]) => Answer<boolean[]>;
  /** The evidence of all edges at the level of columns between the two, as `joinUses` orders it. */
  loadUses: (pairs: readonly Pair[]) => Answer<ColumnUse[][]>;
  show: (nodes: readonly Handle[]) => Answer<Shown[]>;
  /** If an engine can answer this faster than `show`. */
  judge?: (nodes: readonly Handle[]) => Answer<Judged[]>;
  /** @param nodes each once */
  cover: (nodes: readonly Handle[]) => Answer<Coverage>;
  /** What needs these nodes, in any order: once or more for each check and node. */
  findChecks: (nodes: readonly Handle[]) => Answer<NeededBy[]>;
  /** In the order of their ids. */
  loadChecks: (ids: readonly string[]) => Answer<Check[]>;
}

/** A number for each node of a source that has none of its own, given when the node is first met. */
export type Handles = ReturnType<typeof numberNodes>;

export function numberNodes() {
  const ids: NodeId[] = [];
  const handles = new Map<NodeId, Handle>();
  return {
    handleOf: (id: NodeId) => handles.getOrInsertComputed(id, () => ids.push(id) - 1),
    idOf(handle: Handle): NodeId {
      const id = ids[handle];
      if (id === undefined) throw new RangeError(`no node ${handle}`);
      return id;
    },
  };
}
