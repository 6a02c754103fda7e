/** Stores the trails of certifications, and what certified metrics depend on. */
import { type CertificationStep, parseStep, type Trail } from "../../catalog/certification.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { TrailRows } from "../rows.ts";
import type { Rows } from "./rowids.ts";
import { integer, type Statements, text, type Read, type ReadWithin } from "./statements.ts";

export const loadTrails: Read<"loadTrails"> = (sql, workspace, metricIds) =>
  metricIds.map((metric) => {
    const kept = sql.get("SELECT fingerprint FROM dependencies WHERE workspace = $workspace AND metric = $metric", {
      workspace,
      metric,
    });
    return {
      steps: loadSteps(sql, workspace, metric),
      fingerprint: kept === undefined ? null : text(kept, "fingerprint"),
    };
  });

/** The trails; undefined if they have more than `most` steps, counting each metric as one too. */
export const loadTrailsWithin: ReadWithin<"loadTrails"> = (sql, workspace, metricIds, most) => {
  const trails: Trail[] = [];
  let left = most;
  for (const metric of metricIds) {
    left -= 1 + countSteps(sql, workspace, metric, left);
    if (left < 0) return undefined;
    trails.push(...loadTrails(sql, workspace, [metric]));
  }
  return trails;
};

function loadSteps(sql: Statements, workspace: WorkspaceId, metric: NodeId): CertificationStep[] {
  return sql
    .all("SELECT step FROM certification_steps WHERE workspace = $workspace AND metric = $metric ORDER BY place", {
      workspace,
      metric,
    })
    .map((row) => parseStep(text(row, "step")));
}

export const loadDependencies: Read<"loadDependencies"> = (sql, workspace, metricIds) =>
  metricIds.map((metric) => {
    const row = sql.get("SELECT dependencies FROM dependencies WHERE workspace = $workspace AND metric = $metric", {
      workspace,
      metric,
    });
    return row === undefined ? null : text(row, "dependencies");
  });

/** How many steps a metric's trail has; `most` + 1 if there are more. */
function countSteps(sql: Statements, workspace: WorkspaceId, metric: NodeId, most = Infinity): number {
  const row = sql.get(
    `SELECT count(*) AS steps FROM (
       SELECT 1 FROM certification_steps WHERE workspace = $workspace AND metric = $metric LIMIT $limit
     )`,
    { workspace, metric, limit: most === Infinity ? -1 : most + 1 },
  );
  return row === undefined ? 0 : integer(row, "steps");
}

export function trailRows({ sql, workspace }: Rows): TrailRows {
  const addStep = (metric: NodeId, place: number, step: CertificationStep): void => {
    sql.run(
      "INSERT INTO certification_steps (workspace, metric, place, step) VALUES ($workspace, $metric, $place, $step)",
      { workspace, metric, place, step: JSON.stringify(step) },
    );
  };
  return {
    addStep,
    countSteps: (metric) => countSteps(sql, workspace, metric),
    replaceSteps(trails) {
      for (const { metric, steps } of trails) {
        const key = { workspace, metric };
        sql.run("DELETE FROM certification_steps WHERE workspace = $workspace AND metric = $metric", key);
        for (const [i, step] of steps.entries()) addStep(metric, i + 1, step);
      }
    },
    keepDependencies(metric, dependencies) {
      if (dependencies === null) {
        sql.run("DELETE FROM dependencies WHERE workspace = $workspace AND metric = $metric", { workspace, metric });
      } else sql.run(KEEP_DEPENDENCIES, { workspace, metric, ...dependencies });
    },
  };
}

const KEEP_DEPENDENCIES = `
  INSERT INTO dependencies (workspace, metric, fingerprint, dependencies)
  VALUES ($workspace, $metric, $fingerprint, $text)
  ON CONFLICT (workspace, metric) DO UPDATE
    SET fingerprint = excluded.fingerprint, dependencies = excluded.dependencies`;
