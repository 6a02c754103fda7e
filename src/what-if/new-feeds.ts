/** Gathers what feeds the metrics of a new project: what its SQL computes, and from what. All ids are new ones. */
import type { ColumnLineage } from "../catalog/asset.ts";
import type { NodeType } from "../catalog/node-types.ts";
import type { ColumnUse } from "../catalog/edge.ts";
import { columnRef, nodeId } from "../catalog/identity.ts";
import { sqlHash } from "../catalog/sql-text.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { AssetLineage } from "../ingest/column-lineage.ts";
import { inferredColumns, type KnownRelation } from "../ingest/known-relations.ts";
import type { ClosureNode, Source } from "../catalog/dependencies/closure.ts";

export interface NewFeeds {
  /** Metrics, the tables and models whose SQL could be read, and their columns. */
  nodes: ReadonlyMap<NodeId, ClosureNode>;
  /** All others and their columns, which may be new. */
  known: ReadonlyMap<NodeId, ClosureNode>;
  /** The upstream neighbours of these nodes. */
  sourcesOf(id: NodeId): readonly Source[];
}

interface NewEdge {
  from: NodeId;
  to: NodeId;
  uses?: readonly ColumnUse[];
}

export function createNewFeeds(workspace: WorkspaceName) {
  const nodes = new Map<NodeId, ClosureNode>();
  const known = new Map<NodeId, ClosureNode>();
  const sources = new Map<NodeId, Map<NodeId, readonly ColumnUse[]>>();

  function add(
    id: NodeId,
    type: NodeType,
    node: Partial<ClosureNode>,
    lineage: ColumnLineage | null,
    to = nodes,
  ): void {
    to.set(id, {
      id,
      type,
      existence: "held",
      name: "",
      parentName: "",
      parentId: null,
      dataType: "",
      platform: "",
      inferred: false,
      sqlHash: null,
      metric: null,
      namedSources: [],
      isKnown: lineage?.status === "known",
      basis: lineage?.basis ?? null,
      reads: lineage?.reads ?? [],
      rows: lineage?.rows ?? null,
      ...node,
    });
  }

  function addEdges(edges: Iterable<NewEdge>): void {
    for (const { from, to, uses = [] } of edges) {
      sources.getOrInsertComputed(to, () => new Map()).set(from, uses);
    }
  }

  return {
    nodes,
    known,
    sourcesOf: (id: NodeId): Source[] => [...(sources.get(id) ?? [])].map(([source, uses]) => ({ id: source, uses })),
    addEdges,
    /** Adds a table or model, and its columns. It yields between columns. */
    *addRelation(id: NodeId, read: AssetLineage): Generator<void> {
      const { own, found, edges, lateEdges, statement } = read;
      const { ref, name, facts, columns } = statement;
      add(id, ref.type, { name, sqlHash: facts.sql == null ? null : sqlHash(facts.sql) }, own);
      addEdges(found.map((from) => ({ from, to: id })));
      for (const column of columns) {
        yield;
        const lineage = read.columns.get(fold(column.name)) ?? null;
        const parent = { parentId: id, parentName: name };
        add(nodeId(workspace, columnRef(ref, column.name)), "column", { name: column.name, ...parent }, lineage);
      }
      addEdges([...edges, ...lateEdges]);
    },
    /** Adds a table or model, and its columns, also those that only SQL names. It yields between columns. */
    *addKnown(id: NodeId, name: string, relation: KnownRelation): Generator<void> {
      if (nodes.has(id)) return;
      const { ref, columns, inferred } = relation;
      add(id, ref.type, { name }, null, known);
      for (const column of [...columns, ...inferredColumns(relation)]) {
        yield;
        const of = { parentId: id, parentName: name, inferred: inferred.has(fold(column)) };
        add(nodeId(workspace, columnRef(ref, column)), "column", { name: column, ...of }, null, known);
      }
    },
    /** @param own null for a formula over other metrics */
    addMetric(id: NodeId, { name, facts: { metric = null } }: AssetStatement, own: ColumnLineage | null): void {
      add(id, "metric", { name, metric }, own);
    },
  };
}
