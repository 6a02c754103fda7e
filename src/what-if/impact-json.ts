/** Writes the impact report as JSON, and reads it again. */
import type { z } from "zod";

import type { ChangedNode } from "../catalog/changes/change.ts";
import type { AssessedChange, JointlyAffected } from "../catalog/change-set/join-impact.ts";
import type { OwnerImpact, Risk, RiskCounts } from "../catalog/impact.ts";
import { countAssets, groupAssets } from "../catalog/impact/affected-assets.ts";
import { countUnrefreshed, groupUnrefreshed } from "../catalog/impact/unrefreshed.ts";
import type { FailingChecks } from "./failing-checks.ts";
import type { counts, ImpactJson } from "./impact-report.ts";
import { countUncompared, countUnread, isCrossed } from "./impact-words.ts";
import type { LineageChanges } from "./lineage-changes.ts";
import type { Lapses } from "./lapses.ts";
import type { WhatIfReport } from "./what-if.ts";

/**
 * @param failOn the risk from which on it has failed; null for none
 * @param url the address of the page that shows it; null if it is not saved
 */
export function toImpactJson(report: WhatIfReport, failOn: Risk | null, url: string | null = null): ImpactJson {
  return {
    url,
    summary: {
      ...toCountsJson(report.summary),
      adapted_count: report.adapted,
      dropped_count: report.dropped,
      uncompared_count: countUncompared(report),
      unread_count: countUnread(report),
    },
    assets: countAssets(report.groups),
    failed: isCrossed(report, failOn),
    changes: report.changes.map(toChangeJson),
    affected: report.affected.map(toAffectedJson),
    owners: report.owners.map(toOwnerJson),
    checks: toChecksJson(report.checks),
    unrefreshed: toUnrefreshedJson(report.checks.unrefreshed),
    lapses: toLapsesJson(report.lapses),
    lineage: toLineageJson(report.lineage),
    uncompared: report.uncompared,
    truncated: report.truncated,
    completeness: {
      complete: report.coverage.gapsTotal + countUnread(report) === 0,
      as_of: report.asOf,
      gaps: report.coverage.gaps.map(({ id, reason }) => ({ asset_id: id, reason })),
      gaps_total: report.coverage.gapsTotal,
    },
  };
}

function toChecksJson({ total, wouldFail, truncated, unbuilt, skipped }: FailingChecks): ImpactJson["checks"] {
  return {
    total,
    would_fail: wouldFail.map(({ id, name, kind, assetId, reason }) => ({ id, name, kind, asset_id: assetId, reason })),
    truncated,
    unbuilt: unbuilt.map(({ change, id, name, fqn, type, owner, ownerName }) => {
      return { change, asset_id: id, name, fqn, type, owner, owner_name: ownerName };
    }),
    skipped,
  };
}

function toUnrefreshedJson(unrefreshed: FailingChecks["unrefreshed"]): ImpactJson["unrefreshed"] {
  const { nodes, truncated } = unrefreshed;
  const assets = nodes.map(({ id, name, fqn, type, reason, owner, ownerName }) => {
    return { id, name, fqn, type, reason, owner, owner_name: ownerName };
  });
  return { total: countUnrefreshed(unrefreshed).total, assets, truncated };
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

function toLineageJson({ nodes, edges, truncated }: LineageChanges): ImpactJson["lineage"] {
  return {
    nodes: nodes.map(({ difference, node: { id, type, name, fqn }, details }) => {
      const parts = details.map(({ kind, nodeId, ...part }) => {
        return { kind, id: nodeId, name: part.name, before: part.before, after: part.after };
      });
      return { difference, id, type, name, fqn, details: parts };
    }),
    edges: edges.map(({ difference, from, to, before, after }) => ({
      difference: difference === "removed" ? difference : "added",
      from: from.fqn,
      from_id: from.id,
      from_type: from.type,
      to: to.fqn,
      to_id: to.id,
      to_type: to.type,
      kinds: difference === "removed" ? before : after,
    })),
    truncated,
  };
}

function fromLineageJson({ nodes, edges, truncated }: ImpactJson["lineage"]): LineageChanges {
  return {
    nodes: nodes.map(({ difference, details, ...node }) => ({
      difference,
      node: toNode(node),
      details: details.map(({ id: nodeId, ...part }) => ({ ...part, nodeId })),
    })),
    edges: edges.map(({ difference, from, to, kinds, ...ends }) => ({
      difference,
      from: toNode({ id: ends.from_id, type: ends.from_type, name: lastPart(from), fqn: from }),
      to: toNode({ id: ends.to_id, type: ends.to_type, name: lastPart(to), fqn: to }),
      before: difference === "removed" ? kinds : [],
      after: difference === "removed" ? [] : kinds,
    })),
    truncated,
  };
}

function toNode({ id, type, name, fqn }: Omit<ChangedNode, "parentId">): ChangedNode {
  return { id, name, fqn, type, parentId: null };
}

function lastPart(fqn: string): string {
  return fqn.slice(fqn.lastIndexOf(".") + 1);
}

function toCountsJson({ total, high, medium, low }: RiskCounts) {
  return { total_affected: total, high_risk_count: high, medium_risk_count: medium, low_risk_count: low };
}

function toChangeJson(assessed: AssessedChange): ImpactJson["changes"][number] {
  const {
    kind,
    changeType,
    id,
    fqn,
    type,
    newName,
    oldType,
    newType,
    confidence,
    because,
    summary,
    assets: ofThis,
  } = assessed;
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
    assets: ofThis,
  };
}

/** The fields are in the order of the schema, so that a report is the same text after it was read. */
function toAffectedJson({ state, changes, impact }: JointlyAffected): ImpactJson["affected"][number] {
  const { id, parentId, ownerName, ...rest } = impact;
  const { name, fqn, type, certification, risk, reason, hops, path, evidence, owner, usage } = rest;
  const shown = { name, fqn, type, certification, risk, reason, hops, path, evidence, owner };
  return { state, changes, id, parent_id: parentId, ...shown, owner_name: ownerName, usage };
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
  const affected = json.affected.map(
    ({ state, changes, owner_name: ownerName, parent_id: parentId, ...impact }): JointlyAffected => {
      return { state, changes, impact: { ...impact, parentId, ownerName } };
    },
  );
  const unrefreshed = json.unrefreshed.assets.map(({ owner_name: ownerName, ...each }) => ({ ...each, ownerName }));
  return {
    against,
    summary: fromCountsJson(json.summary),
    adapted: json.summary.adapted_count,
    dropped: json.summary.dropped_count,
    changes: json.changes.map(({ summary, asset_id: id, ...each }) => ({
      kind: each.kind,
      changeType: each.change_type,
      id,
      name: lastPart(each.fqn),
      fqn: each.fqn,
      type: each.type,
      newName: each.new_name,
      oldType: each.old_type,
      newType: each.new_type,
      confidence: each.confidence,
      because: each.because,
      summary: fromCountsJson(summary),
      assets: each.assets,
    })),
    affected,
    groups: groupAssets(affected.filter(({ state }) => state === "affected").map(({ impact }) => impact)),
    owners: json.owners.map((each) => ({ ...fromCountsJson(each), owner: each.owner, ownerName: each.owner_name })),
    checks: {
      total: json.checks.total,
      truncated: json.checks.truncated,
      unbuilt: json.checks.unbuilt.map(({ asset_id: id, owner_name: ownerName, ...each }) => ({
        ...each,
        id,
        ownerName,
      })),
      skipped: json.checks.skipped,
      unrefreshed: {
        groups: groupUnrefreshed(unrefreshed),
        nodes: unrefreshed,
        truncated: json.unrefreshed.truncated,
      },
      wouldFail: json.checks.would_fail.map(({ asset_id: assetId, ...rest }) => ({ ...rest, assetId })),
    },
    lineage: fromLineageJson(json.lineage),
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
