/** Which nodes of a closure can change the meaning of one of them, and how each of them is reached. */
import type { NodeId } from "../../ids.ts";
import type { Level } from "../edge.ts";
import { compareCodePoints } from "../text.ts";
import { type Closure, type ClosureNode, keyOf, type Source } from "./closure.ts";

/** What is needed of a node: the values of a column or metric, the rows of a table or model, or everything upstream. */
type Need = "value" | "rows" | "whole";

/** One way in which the root depends on a node. */
export interface ReachStep {
  what: Need;
  id: NodeId;
  /** The step before it; null for the root. */
  from: ReachStep | null;
  /** Edges between the root and this node. From a column to its own table there is none. */
  hops: number;
  /** Whether it is not known if the root uses it. */
  isUnknown: boolean;
}

export interface Reach {
  /** In the order of ids. The root is one of them, unless it is a metric. */
  reached: ClosureNode[];
  /** The tables and models that count as a whole. */
  whole: ReadonlySet<NodeId>;
  /** The shortest way for each need of each node, the nearest first. */
  steps: readonly ReachStep[];
}

/**
 * Everything that the meaning of a node depends on.
 * - A metric depends on the columns that it reads, and on the rows of the tables and models that it is computed from.
 * - A column depends on the columns that it comes from, and on the rows of its own table or model.
 * - The rows of a table or model depend on the columns in its filters, joins and groups, and on the rows of its sources.
 * - A table or model depends on its rows and its columns, a pipeline on everything upstream.
 * - A dashboard depends on the columns that it shows. If these are not known, it may show all columns of what it reads.
 * If it is not known what decides a column or the rows, the table or model counts as a whole, with everything upstream.
 * @param columnsOf the columns of a table or model; needed if the root is one, or a dashboard
 */
export function reach(rootId: NodeId, closure: Closure, columnsOf?: (id: NodeId) => readonly NodeId[]): Reach {
  const { nodes } = closure;
  const found = new Map<string, ReachStep>();
  const needed = { value: new Set<NodeId>(), rows: new Set<NodeId>(), whole: new Set<NodeId>() };
  let next: ReachStep[] = rootNeeds(nodes.get(rootId), rootId, columnsOf);
  const columnsIn = (id: NodeId): readonly NodeId[] => columnsOf?.(id) ?? [];
  const sourcesOf = (id: NodeId, level: Level): NodeId[] => upstream(id, level, closure).map((source) => source.id);

  function visit(step: ReachStep, near: ReachStep[], far: ReachStep[]): void {
    const { what, id, hops } = step;
    const node = nodes.get(id);
    if (node === undefined) return;
    const need = (
      list: ReachStep[],
      need: Need,
      ids: readonly NodeId[],
      isUnknown = step.isUnknown || need === "whole",
    ): void => {
      const further = hops + (list === far ? 1 : 0);
      for (const each of ids) list.push({ what: need, id: each, from: step, hops: further, isUnknown });
    };
    if (what === "whole") need(far, "whole", sourcesOf(id, "asset"));
    else if (what === "rows") {
      if (node.rows === null) need(near, "whole", [id]);
      else {
        need(far, "value", node.rows.from);
        need(far, "rows", sourcesOf(id, "asset"));
      }
    } else {
      need(far, "value", sourcesOf(id, "column"));
      if (node.parentId !== null) need(near, node.isKnown && node.basis !== null ? "rows" : "whole", [node.parentId]);
      for (const source of readsAssets(node) ? sourcesOf(id, "asset") : []) {
        const columns = node.type === "dashboard" && !node.isKnown ? columnsIn(source) : [];
        if (nodes.get(source)?.type === "metric") need(far, "value", [source]);
        else if (columns.length > 0) {
          need(far, "value", columns, true);
          need(far, "rows", [source], true);
        } else need(far, node.isKnown ? "rows" : "whole", [source]);
      }
    }
  }

  while (next.length > 0) {
    const far: ReachStep[] = [];
    for (const step of next) {
      const key = `${step.what} ${step.id}`;
      if (found.has(key)) continue;
      found.set(key, step);
      needed[step.what].add(step.id);
      visit(step, next, far);
    }
    next = far;
  }
  const { value, rows, whole } = needed;
  if (nodes.get(rootId)?.type === "metric") value.delete(rootId);
  const ids = [...value.union(rows).union(whole)].toSorted(compareCodePoints);
  return { reached: ids.flatMap((id) => nodes.get(id) ?? []), whole, steps: [...found.values()] };
}

function rootNeeds(
  root: ClosureNode | undefined,
  rootId: NodeId,
  columnsOf: ((id: NodeId) => readonly NodeId[]) | undefined,
): ReachStep[] {
  const step = (what: Need, id: NodeId, from: ReachStep | null): ReachStep => {
    return { what, id, from, hops: 0, isUnknown: what === "whole" };
  };
  if (root?.type === "pipeline") return [step("whole", rootId, null)];
  if (root?.type !== "table" && root?.type !== "model") return [step("value", rootId, null)];
  const rows = step("rows", rootId, null);
  return [rows, ...(columnsOf?.(rootId) ?? []).map((id) => step("value", id, rows))];
}

function readsAssets({ type }: ClosureNode): boolean {
  return type === "metric" || type === "dashboard";
}

export function upstream(id: NodeId, level: Level, { sources }: Closure): readonly Source[] {
  return sources.get(keyOf(id, level)) ?? [];
}
