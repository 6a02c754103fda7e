/** A report of impact as JSON, in the REST API's words. */
import type { AssessedChange, JointlyAffected } from "../catalog/change-set/join-impact.ts";
import type { OwnerImpact, Risk, RiskCounts } from "../catalog/impact.ts";
import { countUncompared, isCrossed } from "./impact-words.ts";
import type { FailingChecks } from "./failing-checks.ts";
import type { WhatIfReport } from "./what-if.ts";

/** @param failOn the risk from which on it has failed; null for none */
export function toImpactJson(report: WhatIfReport, failOn: Risk | null): Record<string, unknown> {
  return {
    summary: {
      ...toCountsJson(report.summary),
      adapted_count: report.adapted,
      dropped_count: report.dropped,
      uncompared_count: countUncompared(report),
    },
    failed: isCrossed(report, failOn),
    changes: report.changes.map(toChangeJson),
    affected: report.affected.map(toAffectedJson),
    owners: report.owners.map(toOwnerJson),
    checks: toChecksJson(report.checks),
    uncompared: report.uncompared,
    truncated: report.truncated,
  };
}

function toChecksJson({ total, wouldFail, truncated }: FailingChecks): Record<string, unknown> {
  return {
    total,
    would_fail: wouldFail.map(({ id, name, kind, assetId, reason }) => ({ id, name, kind, asset_id: assetId, reason })),
    truncated,
  };
}

function toCountsJson({ total, high, medium, low }: RiskCounts): Record<string, number> {
  return { total_affected: total, high_risk_count: high, medium_risk_count: medium, low_risk_count: low };
}

function toChangeJson(change: AssessedChange): Record<string, unknown> {
  const { kind, changeType, id, fqn, type, newName, oldType, newType, confidence, because, summary } = change;
  return {
    kind,
    change_type: changeType,
    asset_id: id,
    fqn,
    type,
    new_name: newName,
    old_type: oldType,
    new_type: newType,
    confidence,
    because,
    summary: toCountsJson(summary),
  };
}

function toAffectedJson({ state, changes, impact }: JointlyAffected): Record<string, unknown> {
  const { id, name, fqn, type, certification, risk, reason, hops, path, evidence, owner, ownerName } = impact;
  const shown = { id, name, fqn, type, certification, risk, reason, hops, path, evidence, owner };
  return { state, changes, ...shown, owner_name: ownerName };
}

function toOwnerJson({ owner, ownerName, ...counts }: OwnerImpact): Record<string, unknown> {
  return { owner, owner_name: ownerName, ...toCountsJson(counts) };
}
