/** Gathers the lineage of a new project: what it is complete for, and what feeds its metrics. All ids are new ones. */
import type { ColumnLineage } from "../catalog/asset.ts";
import type { CrawlError } from "../catalog/crawl.ts";
import type { ClosureNode, Source } from "../catalog/dependencies/closure.ts";
import type { ColumnUse } from "../catalog/edge.ts";
import { columnRef, nodeId } from "../catalog/identity.ts";
import type { NodeType } from "../catalog/node-types.ts";
import { sqlHash } from "../catalog/sql-text.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { AssetLineage } from "../ingest/column-lineage.ts";
import { inferredColumns, type KnownRelation } from "../ingest/known-relations.ts";

export type NewLineage = ReturnType<typeof createNewLineage>;

interface NewEdge {
  from: NodeId;
  to: NodeId;
  uses?: readonly ColumnUse[];
}

export function createNewLineage(workspace: WorkspaceName, errors: readonly CrawlError[]) {
  /** The table or model of a column; null for other nodes. */
  const owners = new Map<NodeId, NodeId | null>();
  const complete = new Set<NodeId>();
  const edges = new Set<string>();
  const used = new Set<string>();
  const incomplete = new Set(
    errors
      .filter(
        ({ code, stage, severity }) => code === "missing_reference" || (stage === "parse" && severity === "error"),
      )
      .flatMap(({ object }) => [object, lastPart(object)]),
  );
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

  function addEdge({ from, to }: NewEdge): void {
    edges.add(`${from} ${to}`);
    used.add(`${from} ${owners.get(to) ?? to}`);
  }

  function addSource({ from, to, uses = [] }: NewEdge): void {
    sources.getOrInsertComputed(to, () => new Map()).set(from, uses);
  }

  function addStated(edge: NewEdge): void {
    addEdge(edge);
    addSource(edge);
  }

  function addMetric(id: NodeId, { name, facts: { metric = null } }: AssetStatement, own: ColumnLineage | null): void {
    add(id, "metric", { name, metric }, own);
  }

  return {
    /** Metrics, the tables and models whose SQL could be read, and their columns. */
    nodes,
    /** All others and their columns, which may be new. */
    known,
    /** What feeds one of these nodes. */
    sourcesOf: (id: NodeId): Source[] => [...(sources.get(id) ?? [])].map(([source, uses]) => ({ id: source, uses })),
    has: (id: NodeId) => owners.has(id),
    /** Whether the lineage of a node is complete: it has exactly the edges that were added. */
    isKnown: (id: NodeId) => complete.has(id),
    hasEdge: (from: NodeId, to: NodeId) => edges.has(`${from} ${to}`),
    /** Whether a column goes into this node, or into a column of it. */
    uses: (column: NodeId, id: NodeId) => used.has(`${column} ${id}`),
    /** Whether the node could not be read, or depends on something that is missing. Then its edges may be incomplete. */
    isIncomplete: ({ sourceId, fqn }: { sourceId: string; fqn: string }) =>
      sourceId === "" ? incomplete.has(lastPart(fqn)) : isAmong(incomplete, sourceId),
    /** @param owner the table or model of a column; null for other nodes */
    addNode: (id: NodeId, owner: NodeId | null) => void owners.set(id, owner),
    addStated,
    /**
     * Adds the lineage of a table or model, and its columns. It yields between columns.
     * @param isRead false: its SQL is not known well enough to say what it feeds
     */
    *addRelation(id: NodeId, read: AssetLineage, isRead: boolean): Generator<void> {
      const { own, found, named, statement } = read;
      const { ref, name, facts, columns } = statement;
      if (own.status === "known") complete.add(id);
      if (isRead) {
        add(id, ref.type, { name, sqlHash: facts.sql == null ? null : sqlHash(facts.sql) }, own);
        for (const from of found) addSource({ from, to: id });
      }
      for (const column of columns) {
        yield;
        const lineage = read.columns.get(fold(column.name)) ?? null;
        const columnId = nodeId(workspace, columnRef(ref, column.name));
        owners.set(columnId, id);
        if (lineage?.status === "known") complete.add(columnId);
        if (isRead) add(columnId, "column", { name: column.name, parentId: id, parentName: name }, lineage);
      }
      for (const edge of [...read.edges, ...read.lateEdges]) {
        yield;
        (isRead ? addStated : addEdge)(edge);
      }
      for (const column of named) addEdge({ from: column.id, to: id });
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
    /** Adds a metric that is a formula over other metrics. */
    addFormula: (id: NodeId, statement: AssetStatement) => addMetric(id, statement, null),
    /**
     * Adds what a metric, dashboard or pipeline reads by its own query.
     * @param metric null if it is none
     */
    addMeasured(id: NodeId, own: ColumnLineage, measured: readonly NewEdge[], metric: AssetStatement | null): void {
      if (own.status === "known") complete.add(id);
      for (const edge of measured) (metric === null ? addEdge : addStated)(edge);
      if (metric !== null) addMetric(id, metric, own);
    },
  };
}

/** Whether the names have this one, or all of its kind, as `metric.*` has `metric.shop.orders`. */
export function isAmong(names: ReadonlySet<string>, sourceId: string): boolean {
  return names.has(sourceId) || names.has(`${sourceId.slice(0, sourceId.indexOf("."))}.*`);
}

/** The last part of dbt's unique id or of a fully qualified name, in lower case. */
export function lastPart(object: string): string {
  return fold(object.slice(object.lastIndexOf(".") + 1));
}
