/** Changes a metric's certification with its trail. */
import { type CertificationChange, isAsSeen, applyDecision } from "../../catalog/certification.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import { transact } from "../../sqlite/database.ts";
import type { CertificationOutcome } from "../catalog-writes.ts";
import { layersOf } from "./claims.ts";
import type { Statements } from "./statements.ts";
import { findNode, updateNode } from "./stored-node.ts";
import { addStep, countSteps, keepDependencies } from "./trails.ts";

export function certify(
  sql: Statements,
  workspace: WorkspaceId,
  id: NodeId,
  { seen, decision, step, dependencies, at }: CertificationChange,
): CertificationOutcome {
  return transact(sql.db, () => {
    const node = findNode(sql, workspace, id);
    if (node?.shown.type !== "metric") return "missing";
    const steps = countSteps(sql, workspace, id);
    if (!isAsSeen(node.shown, steps, seen)) return "overtaken";
    if (decision !== null) {
      const layers = layersOf(sql, node.seq);
      updateNode(sql, node, layers, applyDecision(node.curation, decision, layers), at);
    }
    if (step !== null) addStep(sql, { workspace, metric: id, index: steps + 1 }, step);
    keepDependencies(sql, workspace, id, dependencies);
    return "done";
  });
}
