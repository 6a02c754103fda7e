/** Which nodes of a closure can change the meaning of one of them, and how each of them is reached. */
import type { NodeId } from "../../ids.ts";
import type { Level } from "../edge.ts";
import { compareCodePoints } from "../text.ts";
import { type Closure, type ClosureNode, keyOf, type Source } from "./closure.ts";

/** What is needed of a node: the values of a column or metric, the rows of a table or model, or everything upstream. */
type Need = "value" | "rows" | "whole";

/** The surest first: values come from it, it decides rows, or it is not known whether the root uses it. */
const EVIDENCE = ["DIRECT", "INDIRECT", "UNKNOWN"] as const;
type ReachEvidence = (typeof EVIDENCE)[number];

/** One way in which the root depends on a node. */
export interface ReachStep {
  what: Need;
  id: NodeId;
  /** The step before it; null for the root. */
  from: ReachStep | null;
  /** Edges between the root and this node. From a column to its own table there is none. */
  hops: number;
  /** How sure it is that the root depends on it, and what of the root does. */
  evidence: ReachEvidence;
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
  const sourcesOf = (id: NodeId, level: Level): NodeId[] =>
    upstream(id, level, closure)
      .map((source) => source.id)
      .toSorted(compareCodePoints);

  function visit(step: ReachStep, near: ReachStep[], far: ReachStep[]): void {
    const { what, id, hops } = step;
    const node = nodes.get(id);
    if (node === undefined) return;
    const need = (list: ReachStep[], more: Need, ids: readonly NodeId[], isUnknown = more === "whole"): void => {
      const further = hops + (list === far ? 1 : 0);
      const evidence = isUnknown ? "UNKNOWN" : weakest(step.evidence, more === "rows" ? "INDIRECT" : "DIRECT");
      for (const each of ids) list.push({ what: more, id: each, from: step, hops: further, evidence });
    };
    if (what === "whole") need(far, "whole", sourcesOf(id, "asset"));
    else if (what === "rows") {
      if (node.rows === null) need(near, "whole", [id]);
      else {
        need(far, "value", node.rows.from);
        const sources = sourcesOf(id, "asset");
        const pipelines = sources.filter((source) => nodes.get(source)?.type === "pipeline");
        // What else a pipeline reads decides nothing here, because the SQL is known.
        need(far, "value", pipelines);
        need(
          far,
          "rows",
          sources.filter((source) => !pipelines.includes(source)),
        );
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
    next = far.toSorted((a, b) => EVIDENCE.indexOf(a.evidence) - EVIDENCE.indexOf(b.evidence));
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
    const evidence = what === "whole" ? "UNKNOWN" : what === "rows" ? "INDIRECT" : "DIRECT";
    return { what, id, from, hops: 0, evidence };
  };
  if (root?.type === "pipeline") return [step("whole", rootId, null)];
  if (root?.type !== "table" && root?.type !== "model") return [step("value", rootId, null)];
  const itself = step("value", rootId, null);
  return [step("rows", rootId, null), ...(columnsOf?.(rootId) ?? []).map((id) => step("value", id, itself))];
}

function weakest(a: ReachEvidence, b: ReachEvidence): ReachEvidence {
  return EVIDENCE.indexOf(a) > EVIDENCE.indexOf(b) ? a : b;
}

function readsAssets({ type }: ClosureNode): boolean {
  return type === "metric" || type === "dashboard";
}

export function upstream(id: NodeId, level: Level, { sources }: Closure): readonly Source[] {
  return sources.get(keyOf(id, level)) ?? [];
}
