/** Gathers what the SQL of a new project computes, by the ids that the catalog has for it at present. */
import type { NextRelation, PresentRelation } from "../catalog/change-set/change.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { fold } from "../catalog/text.ts";
import { columnRef, nodeId } from "../catalog/identity.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { AssetLineage } from "../ingest/column-lineage.ts";
import type { NewColumn, NewSql } from "./lapses.ts";
import { lastPart } from "./lineage-index.ts";

export interface NewSqlGatherer {
  /** @param relation with the columns that its SQL yields */
  addRelation(id: NodeId, relation: NextRelation, read: AssetLineage): void;
  /** @param basis hash of its expression and filters, however they are spelled; null if it cannot be worked out */
  addMetric(id: NodeId, definition: MetricDefinition, basis: string | null): void;
  /** Yields between its pieces of work. */
  finish(): Generator<void, NewSql>;
}

/**
 * @param olds the present relations by their new ids
 * @param relations the new relations, as far as they are known when `finish` is called
 */
export function createNewSql(
  workspace: WorkspaceName,
  olds: ReadonlyMap<NodeId, PresentRelation>,
  relations: ReadonlyMap<NodeId, NextRelation>,
): NewSqlGatherer {
  const read = new Map<NodeId, { relation: NextRelation; lineage: AssetLineage }>();
  const metrics = new Map<string, { definition: MetricDefinition; basis: string | null }>();

  /** The columns of the new project that the catalog has at present, by their new ids. */
  function* findColumns(): Generator<void, Map<NodeId, { id: NodeId; column: string }>> {
    const found = new Map<NodeId, { id: NodeId; column: string }>();
    for (const [newId, old] of olds) {
      yield;
      const present = new Map(old.columns.map(({ id, name }) => [fold(name), id]));
      for (const { id, name } of relations.get(newId)?.columns ?? []) {
        const known = present.get(fold(name));
        if (known !== undefined) found.set(id, { id: known, column: `${lastPart(old.fqn)}.${name}` });
      }
    }
    return found;
  }

  return {
    addRelation: (id, relation, lineage) => void read.set(id, { relation, lineage }),
    addMetric: (id, definition, basis) => void metrics.set(id, { definition, basis }),
    *finish() {
      const present = yield* findColumns();
      const assets = new Map<string, { sql: string; basis: string | null }>();
      const columns = new Map<string, NewColumn>();
      for (const [id, { relation, lineage }] of read) {
        yield;
        const old = olds.get(id);
        if (old === undefined || relation.unread !== null || relation.sql === null) continue;
        assets.set(old.id, { sql: relation.sql, basis: lineage.own.basis ?? null });
        const into = Map.groupBy([...lineage.edges, ...lineage.lateEdges], ({ to }) => to);
        for (const { name } of lineage.statement.columns) {
          yield;
          const newId = nodeId(workspace, columnRef(lineage.statement.ref, name));
          const [own, state] = [present.get(newId), lineage.columns.get(fold(name))];
          if (own === undefined || state === undefined) continue;
          const uses = (into.get(newId) ?? []).flatMap(({ from, uses: each }) => {
            const { id: source, column } = present.get(from) ?? { id: from, column: from };
            return each.map((use) => ({ id: source, column, use }));
          });
          columns.set(own.id, { lineage: state, uses });
        }
      }
      const hasSameNames = [...olds].every(([id, old]) => fold(relations.get(id)?.fqn ?? "") === fold(old.fqn));
      return { assets, columns, metrics, hasSameNames };
    },
  };
}
