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
import type { Lapse, Lapses } from "./lapses.ts";
import type { Rewritten } from "./rewritten.ts";
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
    rewritten: toRewrittenJson(report.rewritten),
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

type Named = Pick<OwnerImpact, "owner" | "ownerName">;

/** The owner comes last, as in the schema. */
function ownerOf({ owner, ownerName }: Named) {
  return { owner, owner_name: ownerName };
}

function fromOwned<Owned extends { owner_name: string }>({ owner_name: ownerName, ...rest }: Owned) {
  return { ...rest, ownerName };
}

function toChecksJson({ total, wouldFail, truncated, unbuilt, skipped }: FailingChecks): ImpactJson["checks"] {
  return {
    total,
    would_fail: wouldFail.map(({ id, name, kind, assetId, reason }) => ({ id, name, kind, asset_id: assetId, reason })),
    truncated,
    unbuilt: unbuilt.map(({ change, id, name, fqn, type, ...own }) => {
      return { change, asset_id: id, name, fqn, type, ...ownerOf(own) };
    }),
    skipped,
  };
}

function toUnrefreshedJson(unrefreshed: FailingChecks["unrefreshed"]): ImpactJson["unrefreshed"] {
  const { total } = countUnrefreshed(unrefreshed);
  const assets = unrefreshed.nodes.map((node) => {
    const { id, name, fqn, type, reason } = node;
    return { id, name, fqn, type, reason, ...ownerOf(node) };
  });
  return { total, assets, truncated: unrefreshed.truncated };
}

function toLapsesJson({ total, metrics, truncated }: Lapses): ImpactJson["lapses"] {
  const told = metrics.map(({ id, name, fqn, reason, certifiedBy, ...own }) => {
    return { id, name, fqn, reason, certified_by: certifiedBy, ...ownerOf(own) };
  });
  return { total, metrics: told, truncated };
}

function fromLapseJson({ certified_by: certifiedBy, ...lapse }: ImpactJson["lapses"]["metrics"][number]): Lapse {
  return { ...fromOwned(lapse), certifiedBy };
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

function toRewrittenJson({ assets, readers, truncated }: Rewritten): ImpactJson["rewritten"] {
  return {
    assets: assets.map(({ id, name, fqn, type, hasOtherRows, columns, risk, ...own }) => {
      return { id, name, fqn, type, other_rows: hasOtherRows, columns, risk, ...ownerOf(own) };
    }),
    readers: readers.map(({ id, name, fqn, type, risk, assets: positions, ...own }) => {
      return { id, name, fqn, type, risk, assets: positions, ...ownerOf(own) };
    }),
    truncated,
  };
}

function fromRewrittenJson({ assets, readers, truncated }: ImpactJson["rewritten"]): Rewritten {
  return {
    assets: assets.map(({ other_rows: hasOtherRows, ...asset }) => ({ ...fromOwned(asset), hasOtherRows })),
    readers: readers.map(fromOwned),
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

function toChangeJson({ kind, changeType, id, fqn, type, ...rest }: AssessedChange): ImpactJson["changes"][number] {
  const { newName, oldType, newType, confidence, because, certification, certifiedBy, summary, assets } = rest;
  const types = { new_name: newName, old_type: oldType, new_type: newType };
  const what = { kind, change_type: changeType, asset_id: id, fqn, type, ...types };
  const whose = { certification, certified_by: certifiedBy, ...ownerOf(rest) };
  return { ...what, confidence, because, ...whose, summary: toCountsJson(summary), assets };
}

function fromChangeJson({ summary, asset_id: id, ...change }: ImpactJson["changes"][number]): AssessedChange {
  const { certified_by: certifiedBy, ...rest } = fromOwned(change);
  const { change_type: changeType, new_name: newName, old_type: oldType, new_type: newType, ...same } = rest;
  const name = lastPart(same.fqn);
  return { ...same, certifiedBy, changeType, id, name, newName, oldType, newType, summary: fromCountsJson(summary) };
}

/** The fields are in the order of the schema, so that a report is the same text after it was read. */
function toAffectedJson({ state, changes, impact }: JointlyAffected): ImpactJson["affected"][number] {
  const { id, parentId, ...rest } = impact;
  const { name, fqn, type, certification, risk, reason, hops, path, evidence, usage } = rest;
  const shown = { name, fqn, type, certification, risk, reason, hops, path, evidence, ...ownerOf(rest) };
  return { state, changes, id, parent_id: parentId, ...shown, usage };
}

function toOwnerJson(owner: OwnerImpact): ImpactJson["owners"][number] {
  return { ...ownerOf(owner), ...toCountsJson(owner) };
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
  const affected = json.affected.map(({ state, changes, parent_id: parentId, ...impact }): JointlyAffected => {
    return { state, changes, impact: { ...fromOwned(impact), parentId } };
  });
  const unrefreshed = json.unrefreshed.assets.map(fromOwned);
  return {
    against,
    summary: fromCountsJson(json.summary),
    adapted: json.summary.adapted_count,
    dropped: json.summary.dropped_count,
    changes: json.changes.map(fromChangeJson),
    affected,
    groups: groupAssets(affected.filter(({ state }) => state === "affected").map(({ impact }) => impact)),
    owners: json.owners.map((each) => ({ ...fromCountsJson(each), owner: each.owner, ownerName: each.owner_name })),
    checks: {
      total: json.checks.total,
      truncated: json.checks.truncated,
      unbuilt: json.checks.unbuilt.map(({ asset_id: id, ...each }) => ({ ...fromOwned(each), id })),
      skipped: json.checks.skipped,
      unrefreshed: {
        groups: groupUnrefreshed(unrefreshed),
        nodes: unrefreshed,
        truncated: json.unrefreshed.truncated,
      },
      wouldFail: json.checks.would_fail.map(({ asset_id: assetId, ...rest }) => ({ ...rest, assetId })),
    },
    lineage: fromLineageJson(json.lineage),
    rewritten: fromRewrittenJson(json.rewritten),
    lapses: { ...json.lapses, metrics: json.lapses.metrics.map(fromLapseJson) },
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
