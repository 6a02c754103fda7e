/**
 * Changes certifications and stores their trails, one `:TrailStep` for each step, and what certified metrics depend on.
 */
import { int } from "neo4j-driver";

import type { CatalogNode } from "../../catalog/asset.ts";
import {
  type CertificationChange,
  type CertificationStep,
  isAsSeen,
  applyDecision,
  type KeptDependencies,
  type Trail,
} from "../../catalog/certification.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { CertificationOutcome } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { keyOf, loadLayers } from "./claims.ts";
import { loadNodes } from "./read-nodes.ts";
import { loadPresent } from "./stored-asset.ts";
import { integer, text } from "./values.ts";
import { saveCurated } from "./write-nodes.ts";

export const STEPS = `
UNWIND $ids AS id
MATCH (t:TrailStep {metricId: id})
WHERE t.workspace = $workspace
RETURN t.metricId AS metricId, t.place AS place, t.step AS step`;

/** CREATE and not MERGE: if two callers add a step at the same place, the second is refused and tries again. */
export const ADD_STEP = `
CREATE (t:TrailStep)
SET t = $row`;

export const FINGERPRINTS = `
UNWIND $ids AS id
MATCH (s:Dependencies {id, workspace: $workspace})
RETURN s.id AS id, s.fingerprint AS fingerprint`;

export const DEPENDENCIES = `
UNWIND $ids AS id
MATCH (s:Dependencies {id, workspace: $workspace})
RETURN s.id AS id, s.dependencies AS dependencies`;

export const KEEP_DEPENDENCIES = `
MERGE (s:Dependencies {id: $id, workspace: $workspace})
SET s.fingerprint = $fingerprint, s.dependencies = $dependencies`;

export const DROP_DEPENDENCIES = `
MATCH (s:Dependencies {id: $id, workspace: $workspace})
DELETE s`;

export async function loadTrails(run: Run, workspace: WorkspaceId, metricIds: readonly NodeId[]): Promise<Trail[]> {
  const ids = [...new Set(metricIds)];
  const steps = Map.groupBy(await run(STEPS, { workspace, ids }), ([metricId]) => text(metricId));
  const kept = await run(FINGERPRINTS, { workspace, ids });
  const fingerprints = new Map(kept.map(([id, fingerprint]) => [text(id), text(fingerprint)]));
  return metricIds.map((id) => ({
    steps: (steps.get(id) ?? [])
      .toSorted((a, b) => integer(a[1]) - integer(b[1]))
      // Only `stepRow` writes this text, from a CertificationStep.
      .map((row) => JSON.parse(text(row[2])) as CertificationStep),
    fingerprint: fingerprints.get(id) ?? null,
  }));
}

export async function loadDependencies(
  run: Run,
  workspace: WorkspaceId,
  metricIds: readonly NodeId[],
): Promise<(string | null)[]> {
  const rows = await run(DEPENDENCIES, { workspace, ids: [...new Set(metricIds)] });
  const kept = new Map(rows.map(([id, dependencies]) => [text(id), text(dependencies)]));
  return metricIds.map((id) => kept.get(id) ?? null);
}

export async function certify(
  run: Run,
  workspace: WorkspaceId,
  id: NodeId,
  { seen, decision, step, dependencies, at }: CertificationChange,
): Promise<CertificationOutcome> {
  const [node] = await loadNodes(run, workspace, [id]);
  if (node?.type !== "metric") return "missing";
  const [trail] = await loadTrails(run, workspace, [id]);
  const steps = trail?.steps.length ?? 0;
  if (!isAsSeen(node, steps, seen)) return "overtaken";
  if (decision !== null) await applyDecisionTo(run, node, decision, at);
  if (step !== null) {
    await run(ADD_STEP, { row: stepRow(workspace, id, { index: steps + 1, step }) });
  }
  await keepDependencies(run, workspace, id, dependencies);
  return "done";
}

/** A `:TrailStep` to save. The first step has the place 1. */
export function stepRow(
  workspace: WorkspaceId,
  metricId: NodeId,
  { index, step }: { index: number; step: CertificationStep },
): Record<string, unknown> {
  const id = keyOf(workspace, metricId, String(index));
  return { id, workspace, metricId, place: int(index), step: JSON.stringify(step) };
}

async function applyDecisionTo(
  run: Run,
  { workspace, id }: CatalogNode,
  decision: NonNullable<CertificationChange["decision"]>,
  at: string,
): Promise<void> {
  const present = (await loadPresent(run, workspace, [id])).get(id);
  if (present === undefined) return;
  const layers = (await loadLayers(run, workspace, [id])).get(id) ?? [];
  await saveCurated(run, { ...present, curation: applyDecision(present.curation, decision, layers) }, at);
}

export async function keepDependencies(
  run: Run,
  workspace: WorkspaceId,
  id: NodeId,
  dependencies: KeptDependencies | null,
): Promise<void> {
  if (dependencies === null) await run(DROP_DEPENDENCIES, { workspace, id });
  else
    await run(KEEP_DEPENDENCIES, {
      workspace,
      id,
      fingerprint: dependencies.fingerprint,
      dependencies: dependencies.text,
    });
}
