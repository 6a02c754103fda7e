/** The impact report as JSON, with the field names of the REST API. */
import { z } from "zod";

import { CERTIFICATIONS } from "../catalog/asset.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import { CHANGE_KINDS } from "../catalog/change-set/change.ts";
import { AFFECTED_STATES, type AssessedChange, type JointlyAffected } from "../catalog/change-set/join-impact.ts";
import { CHECK_KINDS } from "../catalog/check.ts";
import {
  CHANGE_TYPES,
  EVIDENCE_KINDS,
  EVIDENCE_TRANSFORMATIONS,
  type OwnerImpact,
  type Risk,
  type RiskCounts,
  RISKS,
} from "../catalog/impact.ts";
import { countUncompared, isCrossed } from "./impact-words.ts";
import type { FailingChecks } from "./failing-checks.ts";
import type { Lapses } from "./lapses.ts";
import type { WhatIfReport } from "./what-if.ts";

const nodeId = z.string().brand<"NodeId">();
const text = (description: string) => z.string().describe(description);
const count = (description: string) => z.int().min(0).describe(description);

const counts = {
  total_affected: count("How many assets and metrics are affected."),
  high_risk_count: count("How many are at high risk."),
  medium_risk_count: count("How many are at medium risk."),
  low_risk_count: count("How many are at low risk."),
};

const evidence = z.object({
  kind: z.enum(EVIDENCE_KINDS).describe("How certain it is that the hop passes the change on."),
  level: z.enum(["asset", "column"]).describe("`column` if the columns are known, else `asset`."),
  transformation: z
    .enum([...EVIDENCE_TRANSFORMATIONS, ""])
    .describe("How the upstream column is used; empty if not known."),
  expression: text("The SQL that uses it; empty if not known."),
  from: nodeId.describe("The id of the upstream node."),
  to: nodeId.describe("The id of the downstream node."),
});

const change = z.object({
  kind: z.enum(CHANGE_KINDS).describe("The change that was found."),
  change_type: z.enum(CHANGE_TYPES).describe("What the change means for everything downstream."),
  asset_id: nodeId.describe("The id of the changed asset or column."),
  fqn: text("Its fully qualified name, before the change."),
  type: z.enum(NODE_TYPES),
  new_name: text("The new name of a renamed column, or the new fully qualified name of a moved asset; else empty."),
  old_type: text("The column's data type before the change; empty if not known."),
  new_type: text("The column's data type after the change; empty if not known."),
  confidence: z.number().min(0).max(1).describe("Below 1, the change is a guess."),
  because: text("The reason for the guess; empty if it is not a guess."),
  summary: z
    .object(counts)
    .describe("How many assets and metrics the change affects. What the change set adapts or drops does not count."),
});

const affected = z.object({
  state: z.enum(AFFECTED_STATES).describe("Whether it is affected, adapted or dropped."),
  changes: z.array(z.int().min(0)).describe("The changes that affect it, as positions in `changes`, counted from 0."),
  id: nodeId,
  name: z.string(),
  fqn: z.string(),
  type: z.enum(NODE_TYPES),
  certification: z.enum(CERTIFICATIONS),
  risk: z.enum(RISKS),
  reason: text("The path and its evidence, in one sentence."),
  hops: count("How many hops the path has."),
  path: z.array(nodeId).describe("Ids from the changed asset to this one."),
  evidence: z.array(evidence).describe("One for each hop of the path."),
  owner: text("The owner's e-mail address; empty if not known."),
  owner_name: text("The owner's name; empty if not known."),
});

const check = z.object({
  id: text("The check's id, as in GraphQL."),
  name: z.string(),
  kind: z.enum(CHECK_KINDS).describe("The kind of the check."),
  asset_id: text("The table or model that it belongs to."),
  reason: text("Why it would fail, in one sentence."),
});

const lapse = z.object({
  id: nodeId.describe("The metric's id."),
  name: z.string(),
  fqn: z.string(),
  reason: text("What would be computed otherwise."),
  owner: text("The owner's e-mail address; empty if not known."),
  owner_name: text("The owner's name; empty if not known."),
});

/** The answer of `tributary impact --format json` and `POST /api/v1/lineage/impact/manifest`. */
export const impactReport = z.object({
  summary: z.object({
    ...counts,
    adapted_count: count("How many the change set adapts."),
    dropped_count: count("How many the change set drops."),
    uncompared_count: count("How many assets could not be compared."),
  }),
  failed: z
    .boolean()
    .describe(
      "Whether something is at the risk `fail_on` or higher. A check that would fail counts as high, a certification that would lapse as medium.",
    ),
  changes: z.array(change),
  affected: z
    .array(affected)
    .describe(
      "Each asset once: affected, then adapted, then dropped ones. The highest risk and the nearest come first.",
    ),
  owners: z
    .array(z.object({ owner: z.string(), owner_name: z.string(), ...counts }))
    .describe("All owners of affected assets, the highest risk first. Assets without an owner come last."),
  checks: z
    .object({
      total: count("How many would fail."),
      would_fail: z.array(check).describe("The checks, up to a limit."),
      truncated: z.boolean().describe("True if more would fail than are listed."),
    })
    .describe("The checks that would fail, such as dbt's tests. `summary` does not count them."),
  lapses: z
    .object({
      total: count("How many would lapse."),
      metrics: z.array(lapse).describe("The metrics, up to a limit."),
      truncated: z.boolean().describe("True if more would lapse than are listed."),
    })
    .describe(
      "The certifications that would lapse, because something that the metric stands on is computed otherwise. `summary` does not count them; for `fail_on` each counts as medium.",
    ),
  uncompared: z
    .array(z.object({ object: text("The asset's name; empty for the whole project."), message: z.string() }))
    .describe("What could not be compared. It never counts as a change."),
  truncated: z.boolean().describe("True if more is affected than is shown and counted."),
  completeness: z
    .object({
      complete: z.boolean().describe("True when nothing that changes or is affected has a gap."),
      as_of: z
        .string()
        .nullable()
        .describe("When the oldest of the connectors that state it all last completed a crawl; null if one never did."),
      gaps: z
        .array(z.object({ asset_id: nodeId, reason: text("Why lineage may be missing.") }))
        .describe("The first 100 gaps."),
      gaps_total: count("All gaps, listed or not; at least so many where one change alone has more than 100."),
    })
    .describe("What could not be known of what changes and of all that is affected."),
});
export type ImpactJson = z.infer<typeof impactReport>;

/** @param failOn the risk from which on it has failed; null for none */
export function toImpactJson(report: WhatIfReport, failOn: Risk | null): ImpactJson {
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
    lapses: toLapsesJson(report.lapses),
    uncompared: report.uncompared,
    truncated: report.truncated,
    completeness: {
      complete: report.coverage.gapsTotal === 0,
      as_of: report.asOf,
      gaps: report.coverage.gaps.map(({ id, reason }) => ({ asset_id: id, reason })),
      gaps_total: report.coverage.gapsTotal,
    },
  };
}

function toChecksJson({ total, wouldFail, truncated }: FailingChecks): ImpactJson["checks"] {
  return {
    total,
    would_fail: wouldFail.map(({ id, name, kind, assetId, reason }) => ({ id, name, kind, asset_id: assetId, reason })),
    truncated,
  };
}

function toLapsesJson({ total, metrics, truncated }: Lapses): ImpactJson["lapses"] {
  return {
    total,
    metrics: metrics.map(({ id, name, fqn, reason, owner, ownerName }) => {
      return { id, name, fqn, reason, owner, owner_name: ownerName };
    }),
    truncated,
  };
}

function toCountsJson({ total, high, medium, low }: RiskCounts) {
  return { total_affected: total, high_risk_count: high, medium_risk_count: medium, low_risk_count: low };
}

function toChangeJson(assessed: AssessedChange): ImpactJson["changes"][number] {
  const { kind, changeType, id, fqn, type, newName, oldType, newType, confidence, because, summary } = assessed;
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

function toAffectedJson({ state, changes, impact }: JointlyAffected): ImpactJson["affected"][number] {
  const { id, name, fqn, type, certification, risk, reason, hops, path, evidence: hopEvidence, owner } = impact;
  const shown = { id, name, fqn, type, certification, risk, reason, hops, path, evidence: hopEvidence, owner };
  return { state, changes, ...shown, owner_name: impact.ownerName };
}

function toOwnerJson({ owner, ownerName, ...ofTheirs }: OwnerImpact): ImpactJson["owners"][number] {
  return { owner, owner_name: ownerName, ...toCountsJson(ofTheirs) };
}

function fromCountsJson(json: z.infer<z.ZodObject<typeof counts>>): RiskCounts {
  const { total_affected: total, high_risk_count: high, medium_risk_count: medium, low_risk_count: low } = json;
  return { total, high, medium, low };
}

/**
 * Reads a report from its JSON, without the ids of connectors.
 * @param against the connector's name, which is not in the JSON
 */
export function fromImpactJson(json: ImpactJson, against: string): WhatIfReport {
  return {
    against,
    summary: fromCountsJson(json.summary),
    adapted: json.summary.adapted_count,
    dropped: json.summary.dropped_count,
    changes: json.changes.map(({ summary, asset_id: id, ...each }) => ({
      kind: each.kind,
      changeType: each.change_type,
      id,
      name: each.fqn.slice(each.fqn.lastIndexOf(".") + 1),
      fqn: each.fqn,
      type: each.type,
      newName: each.new_name,
      oldType: each.old_type,
      newType: each.new_type,
      confidence: each.confidence,
      because: each.because,
      summary: fromCountsJson(summary),
    })),
    affected: json.affected.map(({ state, changes, owner_name: ownerName, ...impact }) => ({
      state,
      changes,
      impact: { ...impact, ownerName },
    })),
    owners: json.owners.map((each) => ({ ...fromCountsJson(each), owner: each.owner, ownerName: each.owner_name })),
    checks: {
      total: json.checks.total,
      truncated: json.checks.truncated,
      wouldFail: json.checks.would_fail.map(({ asset_id: assetId, ...rest }) => ({ ...rest, assetId })),
    },
    lapses: {
      ...json.lapses,
      metrics: json.lapses.metrics.map(({ owner_name: ownerName, ...each }) => ({ ...each, ownerName })),
    },
    uncompared: json.uncompared,
    truncated: json.truncated,
    coverage: {
      connectors: [],
      gaps: json.completeness.gaps.map(({ asset_id: id, reason }) => ({ id, reason })),
      gapsTotal: json.completeness.gaps_total,
    },
    asOf: json.completeness.as_of,
  };
}
