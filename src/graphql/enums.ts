/** The service's words as GraphQL enums; their values are the specification's own, in lower case. */
import { ASSET_TYPES, CERTIFICATIONS, type ColumnLineage, NODE_TYPES } from "../catalog/asset.ts";
import type { CertificationStep } from "../catalog/certification.ts";
import { type ColumnUse, DIRECTIONS, type EdgeKind as EdgeKindWord, type Level as LevelWord } from "../catalog/edge.ts";
import type { ChangeKind as ChangeKindWord } from "../catalog/change-set/change.ts";
import type { AffectedState as AffectedStateWord } from "../catalog/change-set/join-impact.ts";
import {
  type ChangeType as ChangeTypeWord,
  type Effect as EffectWord,
  type EvidenceKind as EvidenceKindWord,
  type Risk as RiskWord,
  RISKS,
} from "../catalog/impact.ts";
import { METRIC_KINDS } from "../catalog/metric.ts";
import { SYNC_MODES } from "../catalog/crawl.ts";
import { AUDIT_ACTIONS, type Role as RoleWord, SCOPES, SYNC_STATUSES, WORKSPACE_KINDS } from "../metadata/records.ts";
import { builder } from "./builder.ts";

export const AssetType = builder.enumType("AssetType", {
  description: "The types of assets.",
  values: ASSET_TYPES,
});

export const NodeType = builder.enumType("NodeType", {
  description: "The types of what lineage connects: assets, and metrics beside them.",
  values: NODE_TYPES,
});

export const Certification = builder.enumType("Certification", {
  description: "How far it can be trusted. A metric is `certified` or `pending`.",
  values: CERTIFICATIONS,
});

export const CertificationAction = builder.enumType("CertificationAction", {
  description: "What was done to a metric's certification.",
  values: {
    certify: { description: "A person certified it." },
    withdraw: { description: "A person took that back." },
    decay: { description: "Its definition, or something that feeds it, changed since." },
    state: { description: "Its own source states that it is certified." },
    retract: { description: "Its own source does so no longer." },
  } satisfies Record<CertificationStep["action"], { description: string }>,
});

export const Direction = builder.enumType("Direction", {
  description: "Against the flow of data, or with it.",
  values: DIRECTIONS,
});

export const EdgeKind = builder.enumType("EdgeKind", {
  description: "What an edge means, read from its upstream end.",
  values: {
    materializes: { description: "A pipeline or model builds a table." },
    derives: { description: "A dataset is made from a dataset, or a column from a column." },
    powers: { description: "A dashboard shows a dataset, a column or a metric." },
    defines: { description: "A metric measures a dataset or column, or is computed from another metric." },
    reads: { description: "A pipeline reads a dataset." },
    exports: { description: "A pipeline carries a dataset out of the warehouse." },
  } satisfies Record<EdgeKindWord, { description: string }>,
});

export const ColumnLineageStatus = builder.enumType("ColumnLineageStatus", {
  description: "How much is known of which columns come from which.",
  values: {
    known: { description: "All of it." },
    partial: { description: "Some of it: further sources may be missing." },
    unknown: { description: "None of it, which is not the same as that there is none." },
  } satisfies Record<ColumnLineage["status"], { description: string }>,
});

export const UseKind = builder.enumType("UseKind", {
  description: "How a column's values bear on another's, in OpenLineage's words.",
  values: {
    DIRECT: { description: "Its values go into the other's." },
    INDIRECT: { description: "It decides which values or rows there are." },
  } satisfies Record<ColumnUse["kind"], { description: string }>,
});

export const Transformation = builder.enumType("Transformation", {
  description: "What is done with a column's values, in OpenLineage's words.",
  values: {
    IDENTITY: { description: "They are passed on as they are." },
    TRANSFORMATION: { description: "They are computed with, row by row." },
    AGGREGATION: { description: "Those of many rows become one." },
    JOIN: { description: "They decide which rows meet." },
    GROUP_BY: { description: "They decide which rows are aggregated together." },
    FILTER: { description: "They decide which rows there are." },
    SORT: { description: "They decide the order, and by it which rows there are." },
    WINDOW: { description: "They partition or order a window." },
    CONDITIONAL: { description: "They decide which of several values is taken." },
  } satisfies Record<ColumnUse["transformation"], { description: string }>,
});

export const ChangeType = builder.enumType("ChangeType", {
  description: "The changes whose impact can be asked for.",
  values: {
    column_rename: { description: "A column gets another name; of a table or model: any of its columns." },
    column_drop: { description: "A column goes; of a table or model: any of its columns." },
    type_change: { description: "A column gets another data type; of a table or model: any of its columns." },
    deprecate: { description: "It is still there, and is to go. The one change that everything can undergo." },
  } satisfies Record<ChangeTypeWord, { description: string }>,
});

export const ChangeKind = builder.enumType("ChangeKind", {
  description: "What was found to happen to something.",
  values: {
    asset_dropped: { description: "A table or model is no longer there." },
    asset_moved: { description: "A table or model has another name, or another place." },
    column_dropped: { description: "A column is no longer there." },
    column_renamed: { description: "A column has another name." },
    column_retyped: { description: "A column has another data type." },
    named: { description: "Nothing was compared: somebody asked what `changeType` would do." },
  } satisfies Record<ChangeKindWord, { description: string }>,
});

export const AffectedState = builder.enumType("AffectedState", {
  description: "What becomes of something that depends on what changes.",
  values: {
    affected: { description: "A change reaches it, and nothing in the change set takes care of that." },
    adapted: { description: "In the change set it, or what it depended by, no longer uses what changes." },
    dropped: { description: "It goes with the change set." },
  } satisfies Record<AffectedStateWord, { description: string }>,
});

export const ChangeEffect = builder.enumType("ChangeEffect", {
  description: "What a change means to those who read what is changed.",
  values: {
    breaks: { description: "What they read is gone." },
    narrows: { description: "Values may no longer fit, or need a cast." },
    widens: { description: "Every value still fits." },
    deprecates: { description: "It works until what they read goes." },
  } satisfies Record<EffectWord, { description: string }>,
});

export const Risk = builder.enumType("Risk", {
  description: "How likely and how bad it is, the worst first.",
  values: {
    high: { description: "It breaks, or people who trust it are misled." },
    medium: { description: "It may break, or show other rows." },
    low: { description: "It goes on working." },
  } satisfies Record<RiskWord, { description: string }>,
});

export const FailOn = builder.enumType("FailOn", {
  description: "The risk from which on a change set has failed.",
  values: [...RISKS, "none"] as const,
});

export const EvidenceKind = builder.enumType("EvidenceKind", {
  description: "How surely a hop carries a change, the strongest first.",
  values: {
    DIRECT: { description: "Values go from one end into the other." },
    INDIRECT: { description: "The upstream end decides which values or rows there are." },
    UNKNOWN: { description: "The two are connected, and which columns are used is not known." },
    NONE: { description: "No changed column is used here, but the path leads through what is not known." },
  } satisfies Record<EvidenceKindWord, { description: string }>,
});

export const LineageLevel = builder.enumType("LineageLevel", {
  description: "What a piece of evidence is about.",
  values: {
    asset: { description: "Assets as a whole." },
    column: { description: "The columns themselves." },
  } satisfies Record<LevelWord, { description: string }>,
});

export const MetricKind = builder.enumType("MetricKind", {
  description: "How a metric is computed.",
  values: METRIC_KINDS,
});

export const SyncMode = builder.enumType("SyncMode", {
  description: "Crawl everything, or only what changed.",
  values: SYNC_MODES,
});

export const SyncStatus = builder.enumType("SyncStatus", {
  description: "Where a sync stands. One that finished with some errors is `completed`, and lists them.",
  values: SYNC_STATUSES,
});

export const ConnectorHealth = builder.enumType("ConnectorHealth", {
  description: "How a connector's last finished run went.",
  values: {
    healthy: { description: "It completed without errors; there may be warnings." },
    degraded: { description: "It completed with at least one error; warnings alone do not count." },
    unhealthy: { description: "It failed." },
    unknown: { description: "It never ran." },
    disabled: { description: "It is switched off." },
  },
});

export const WorkspaceKind = builder.enumType("WorkspaceKind", {
  description: "Production, or a place to try things in.",
  values: WORKSPACE_KINDS,
});

export const Scope = builder.enumType("Scope", {
  description: "What a token may do. Scopes do not imply each other.",
  values: SCOPES,
});

export const Role = builder.enumType("Role", {
  description: "What a user or service account may do.",
  values: {
    analyst: { description: "Reads." },
    engineer: { description: "Reads and writes." },
    admin: { description: "Reads, writes and administers." },
  } satisfies Record<RoleWord, { description: string }>,
});

export const Permission = builder.enumType("Permission", {
  description: "What can be granted to a user beside the role.",
  values: {
    // A colon cannot stand in a name of GraphQL.
    api_manage: {
      value: "api:manage",
      description: "`api:manage`: to make keys within one's own permissions, and to list and revoke one's own.",
    },
    metrics_certify: {
      value: "metrics:certify",
      description: "`metrics:certify`: to certify metrics and to withdraw that, by a token with the scope `write`.",
    },
  },
});

export const ActorKind = builder.enumType("ActorKind", {
  description: "Who can stand behind a token.",
  values: {
    user: { description: "A person." },
    account: { description: "A service account." },
  },
});

export const AuditAction = builder.enumType("AuditAction", {
  description: "What the audit trail records.",
  values: AUDIT_ACTIONS,
});
