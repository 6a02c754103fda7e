/** Stores the trails of certifications, and what certified metrics depend on. */
import { type CertificationStep, parseStep } from "../../catalog/certification.ts";
import type { NodeId } from "../../ids.ts";
import type { TrailRows } from "../rows.ts";
import type { Rows } from "./rowids.ts";
import { areWithin, text, type Read, type ReadWithin } from "./statements.ts";

export const loadTrails: Read<"loadTrails"> = (sql, workspace, metricIds) =>
  metricIds.map((metric) => {
    const kept = sql.get(`SELECT fingerprint ${KEPT}`, { workspace, metric });
    return {
      steps: sql.all(IN_ORDER, { workspace, metric }).map((row) => parseStep(text(row, "step"))),
      fingerprint: kept === undefined ? null : text(kept, "fingerprint"),
    };
  });

const KEPT = "FROM dependencies WHERE workspace = $workspace AND metric = $metric";
const IN_ORDER =
  "SELECT step FROM certification_steps WHERE workspace = $workspace AND metric = $metric ORDER BY place";

/** The trails; undefined if they have more than `most` steps, counting each metric as one too. */
export const loadTrailsWithin: ReadWithin<"loadTrails"> = (sql, workspace, metricIds, most) =>
  areWithin(sql, STEPS, { workspace, items: metricIds }, most) ? loadTrails(sql, workspace, metricIds) : undefined;

const STEPS = "SELECT 1 FROM certification_steps WHERE workspace = $workspace AND metric = $item";

export const loadDependencies: Read<"loadDependencies"> = (sql, workspace, metricIds) =>
  metricIds.map((metric) => {
    const row = sql.get(`SELECT dependencies ${KEPT}`, { workspace, metric });
    return row === undefined ? null : text(row, "dependencies");
  });

export function trailRows({ sql, workspace }: Rows): TrailRows {
  const addStep = (metric: NodeId, place: number, step: CertificationStep): void => {
    sql.run(
      "INSERT INTO certification_steps (workspace, metric, place, step) VALUES ($workspace, $metric, $place, $step)",
      { workspace, metric, place, step: JSON.stringify(step) },
    );
  };
  return {
    addStep,
    countSteps: (metric) => sql.count(STEPS, { workspace, item: metric }),
    replaceSteps(trails) {
      for (const { metric, steps } of trails) {
        const key = { workspace, metric };
        sql.run("DELETE FROM certification_steps WHERE workspace = $workspace AND metric = $metric", key);
        for (const [i, step] of steps.entries()) addStep(metric, i + 1, step);
      }
    },
    keepDependencies(metric, dependencies) {
      if (dependencies === null) {
        sql.run(`DELETE ${KEPT}`, { workspace, metric });
      } else sql.run(KEEP_DEPENDENCIES, { workspace, metric, ...dependencies });
    },
  };
}

const KEEP_DEPENDENCIES = `
  INSERT INTO dependencies (workspace, metric, fingerprint, dependencies)
  VALUES ($workspace, $metric, $fingerprint, $text)
  ON CONFLICT (workspace, metric) DO UPDATE
    SET fingerprint = excluded.fingerprint, dependencies = excluded.dependencies`;
