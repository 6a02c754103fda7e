/**
 * Stores the trails of certifications, one `:TrailStep` for each step, and what certified metrics depend on.
 */
import { int } from "neo4j-driver";

import { type CertificationStep, parseStep } from "../../catalog/certification.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { TrailRows } from "../rows.ts";
import type { Run, Read } from "./bolt.ts";
import { keyOf } from "./claims.ts";
import { integer, text } from "./values.ts";

export const STEPS = `
UNWIND $ids AS id
MATCH (t:TrailStep {metricId: id})
WHERE t.workspace = $workspace
RETURN t.metricId AS metricId, t.place AS place, t.step AS step`;

export const COUNT_STEPS = `
MATCH (t:TrailStep {metricId: $metric})
WHERE t.workspace = $workspace
RETURN count(t) AS steps`;

/** CREATE and not MERGE: if two callers add a step at the same place, the second is refused and tries again. */
export const ADD_STEP = `
CREATE (t:TrailStep)
SET t = $row`;

export const SAVE_STEPS = `
UNWIND $rows AS row
MERGE (t:TrailStep {id: row.id, workspace: $workspace})
SET t = row`;

export const DROP_LATER_STEPS = `
UNWIND $rows AS row
MATCH (t:TrailStep {metricId: row[0]})
WHERE t.workspace = $workspace AND t.place > row[1]
DELETE t`;

export const FINGERPRINTS = `
UNWIND $ids AS id
MATCH (s:Dependencies {id: id, workspace: $workspace})
RETURN s.id AS id, s.fingerprint AS fingerprint`;

export const DEPENDENCIES = `
UNWIND $ids AS id
MATCH (s:Dependencies {id: id, workspace: $workspace})
RETURN s.id AS id, s.dependencies AS dependencies`;

export const KEEP_DEPENDENCIES = `
MERGE (s:Dependencies {id: $id, workspace: $workspace})
SET s.fingerprint = $fingerprint, s.dependencies = $dependencies`;

export const DROP_DEPENDENCIES = `
MATCH (s:Dependencies {id: $id, workspace: $workspace})
DELETE s`;

export const loadTrails: Read<"loadTrails"> = async (run, workspace, metricIds) => {
  const ids = [...new Set(metricIds)];
  const steps = Map.groupBy(await run(STEPS, { workspace, ids }), ([metricId]) => text(metricId));
  const kept = await run(FINGERPRINTS, { workspace, ids });
  const fingerprints = new Map(kept.map(([id, fingerprint]) => [text(id), text(fingerprint)]));
  return metricIds.map((id) => ({
    steps: (steps.get(id) ?? [])
      .toSorted((a, b) => integer(a[1]) - integer(b[1]))
      .map((row) => parseStep(text(row[2]))),
    fingerprint: fingerprints.get(id) ?? null,
  }));
};

export const loadDependencies: Read<"loadDependencies"> = async (run, workspace, metricIds) => {
  const rows = await run(DEPENDENCIES, { workspace, ids: [...new Set(metricIds)] });
  const kept = new Map(rows.map(([id, dependencies]) => [text(id), text(dependencies)]));
  return metricIds.map((id) => kept.get(id) ?? null);
};

export function trailRows(run: Run, workspace: WorkspaceId): TrailRows {
  /** A `:TrailStep` to save. */
  const toRow = (metricId: NodeId, place: number, step: CertificationStep): Record<string, unknown> => {
    const id = keyOf(workspace, metricId, String(place));
    return { id, workspace, metricId, place: int(place), step: JSON.stringify(step) };
  };
  return {
    async countSteps(metric) {
      const [row] = await run(COUNT_STEPS, { workspace, metric });
      return integer(row?.[0] ?? 0);
    },
    async addStep(...args) {
      await run(ADD_STEP, { row: toRow(...args) });
    },
    async replaceSteps(trails) {
      const lengths = trails.map(({ metric, steps }) => [metric, int(steps.length)]);
      await run(DROP_LATER_STEPS, { workspace, rows: lengths });
      const rows = trails.flatMap(({ metric, steps }) => steps.map((step, i) => toRow(metric, i + 1, step)));
      await run(SAVE_STEPS, { workspace, rows });
    },
    async keepDependencies(id, kept) {
      if (kept === null) await run(DROP_DEPENDENCIES, { workspace, id });
      else {
        const { fingerprint, text: dependencies } = kept;
        await run(KEEP_DEPENDENCIES, { workspace, id, fingerprint, dependencies });
      }
    },
  };
}
