/** The service's fixed words as GraphQL enums. Their values are in lower case, as in the specification. */
import type { Certification as CertificationWord, ColumnLineage } from "../catalog/asset.ts";
import type { CertificationStep } from "../catalog/certification.ts";
import type {
  ColumnUse,
  Direction as DirectionWord,
  EdgeKind as EdgeKindWord,
  Level as LevelWord,
} from "../catalog/edge.ts";
import type { ChangeKind as ChangeKindWord } from "../catalog/change-set/change.ts";
import type { AffectedState as AffectedStateWord } from "../catalog/change-set/join-impact.ts";
import type {
  ChangeType as ChangeTypeWord,
  Effect as EffectWord,
  EvidenceKind as EvidenceKindWord,
  Risk as RiskWord,
} from "../catalog/impact.ts";
import type { NodeOrder as NodeOrderWord } from "../catalog/node-order.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { ASSET_TYPE_TABLE, NODE_TYPE_TABLE } from "../catalog/node-types.ts";
import type { Role as RoleWord, Scope as ScopeWord, WorkspaceKind as WorkspaceKindWord } from "../metadata/records.ts";
import { builder } from "./builder.ts";

export const AssetType = builder.enumType("AssetType", {
  description: "The types of assets.",
  values: ASSET_TYPE_TABLE,
});

export const NodeType = builder.enumType("NodeType", {
  description: "The types of what lineage connects: assets and metrics.",
  values: NODE_TYPE_TABLE,
});

export const Certification = builder.enumType("Certification", {
  description: "How much it can be trusted. A metric is `certified` or `pending`.",
  values: {
    certified: { description: "Somebody has confirmed it as it is now." },
    pending: { description: "Nobody has confirmed it yet, or it has changed since." },
    deprecated: { description: "It will be removed; do not use it for anything new." },
    none: { description: "No source says anything about it." },
  } satisfies Record<CertificationWord, { description: string }>,
});

export const CertificationAction = builder.enumType("CertificationAction", {
  description: "What was done to a metric's certification.",
  values: {
    certify: { description: "A person certified it." },
    withdraw: { description: "A person withdrew the certification." },
    lapse: { description: "Its definition, or something that feeds it, changed." },
    state: { description: "Its own source states that it is certified." },
    retract: { description: "Its own source no longer states that." },
  } satisfies Record<CertificationStep["action"], { description: string }>,
});

export const NodeOrder = builder.enumType("NodeOrder", {
  description:
    "Orders of a list. A node that changes between two pages may be on both or on neither; without an order, this cannot happen.",
  values: {
    name: { description: "By their own names, in any case." },
    updated: { description: "The last change first." },
    downstream: { description: "The most direct consumers first, as `lineageSummary` counts them." },
    usage: {
      description:
        "The most used first: by people, then by queries and views together. What no source tells the usage of comes last. It cannot be given with `asOf`.",
    },
  } satisfies Record<NodeOrderWord, { description: string }>,
});

export const Direction = builder.enumType("Direction", {
  description: "The direction of a walk: against the flow of data, or with it.",
  values: {
    upstream: { description: "Towards what it is made from." },
    downstream: { description: "Towards what is made from it." },
  } satisfies Record<DirectionWord, { description: string }>,
});

export const EdgeKind = builder.enumType("EdgeKind", {
  description: "What an edge means, read from its upstream end.",
  values: {
    materializes: { description: "A pipeline or model builds a table." },
    derives: { description: "A dataset is made from a dataset, or a column from a column." },
    powers: { description: "A dashboard or question shows a dataset, a column, a metric, or another question." },
    defines: { description: "A metric measures a dataset or column, or is computed from another metric." },
    reads: { description: "A pipeline reads a dataset." },
    exports: { description: "A pipeline carries a dataset out of the warehouse." },
  } satisfies Record<EdgeKindWord, { description: string }>,
});

export const ColumnLineageStatus = builder.enumType("ColumnLineageStatus", {
  description: "How much is known about which columns come from which.",
  values: {
    known: { description: "All of it." },
    partial: { description: "A part of it. Some sources may be missing." },
    unknown: { description: "Nothing. That does not mean that there is no lineage." },
  } satisfies Record<ColumnLineage["status"], { description: string }>,
});

export const UseKind = builder.enumType("UseKind", {
  description: "How a column's values affect another column, in OpenLineage's words.",
  values: {
    DIRECT: { description: "Its values go into the other column." },
    INDIRECT: { description: "It decides which values or rows the other column has." },
  } satisfies Record<ColumnUse["kind"], { description: string }>,
});

export const FollowedUses = builder.enumType("FollowedUses", {
  description: "Which uses of a column a walk follows. This makes a difference only if the walk starts at a column.",
  values: {
    direct: { description: "Only uses that pass values on." },
    all: { description: "Also joins, filters, groupings and conditions." },
  },
});

export const Transformation = builder.enumType("Transformation", {
  description: "What is done with a column's values, in OpenLineage's words.",
  values: {
    IDENTITY: { description: "They are passed on as they are." },
    TRANSFORMATION: { description: "They are used in a computation, row by row." },
    AGGREGATION: { description: "The values of many rows become one value." },
    JOIN: { description: "They decide which rows are joined." },
    GROUP_BY: { description: "They decide which rows are aggregated together." },
    FILTER: { description: "They decide which rows there are." },
    SORT: { description: "They decide the order, and so which rows are kept." },
    WINDOW: { description: "They partition or order a window." },
    CONDITIONAL: { description: "They decide which of several values is taken." },
  } satisfies Record<ColumnUse["transformation"], { description: string }>,
});

export const ChangeType = builder.enumType("ChangeType", {
  description: "The changes whose impact can be asked for.",
  values: {
    column_rename: { description: "A column gets another name. For a table or model: any of its columns." },
    column_drop: { description: "A column is removed. For a table or model: any of its columns." },
    type_change: { description: "A column gets another data type. For a table or model: any of its columns." },
    deprecate: { description: "It still exists, but will be removed. This change is possible for everything." },
    asset_drop: {
      description: "The asset itself is removed: whatever reads it fails. This change is possible for everything.",
    },
  } satisfies Record<ChangeTypeWord, { description: string }>,
});

export const ChangeKind = builder.enumType("ChangeKind", {
  description: "What happens to something in a change set.",
  values: {
    asset_dropped: { description: "A table or model no longer exists." },
    asset_moved: { description: "A table or model has another name, or another place." },
    column_dropped: { description: "A column no longer exists." },
    column_renamed: { description: "A column has another name." },
    column_retyped: { description: "A column has another data type." },
    named: { description: "Nothing was compared. The change was named in the request, by its `changeType`." },
  } satisfies Record<ChangeKindWord, { description: string }>,
});

export const AffectedState = builder.enumType("AffectedState", {
  description: "What happens to something that depends on what changes.",
  values: {
    affected: { description: "A change reaches it, and the change set neither adapts nor drops it." },
    adapted: { description: "In the change set, it no longer depends on what changes." },
    dropped: { description: "The change set drops it." },
  } satisfies Record<AffectedStateWord, { description: string }>,
});

export const ChangeEffect = builder.enumType("ChangeEffect", {
  description: "What a change means for everything that reads the changed data.",
  values: {
    breaks: { description: "What they read no longer exists." },
    narrows: { description: "Values may no longer fit, or need a cast." },
    widens: { description: "Every value still fits." },
    deprecates: { description: "They work until what they read is removed." },
  } satisfies Record<EffectWord, { description: string }>,
});

export const Risk = builder.enumType("Risk", {
  description: "How likely and how severe the effect is, the worst first.",
  values: {
    high: { description: "It breaks, or people who trust it are misled." },
    medium: { description: "It may break, or show other rows." },
    low: { description: "It continues to work." },
  } satisfies Record<RiskWord, { description: string }>,
});

export const FailOn = builder.enumType("FailOn", {
  description: "The lowest risk at which a change set fails.",
  values: {
    high: { description: "Fails if anything is at high risk." },
    medium: { description: "Fails if anything is at medium or high risk." },
    low: { description: "Fails if anything is affected." },
    none: { description: "Never fails." },
  } satisfies Record<RiskWord | "none", { description: string }>,
});

export const EvidenceKind = builder.enumType("EvidenceKind", {
  description: "How certain it is that a change passes over a hop, the strongest first.",
  values: {
    DIRECT: { description: "Values go from the upstream end into the downstream end." },
    INDIRECT: { description: "The upstream end decides which values or rows there are." },
    UNKNOWN: { description: "The two are connected, but it is not known which columns are used." },
    NONE: { description: "No changed column is used here, but the path leads through unknown column lineage." },
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
  values: {
    simple: { description: "One aggregate over its sources." },
    ratio: { description: "One value divided by another." },
    derived: { description: "A formula over other metrics." },
    cumulative: { description: "An aggregate that adds up over time." },
    conversion: { description: "The share of one event that is followed by another." },
  } satisfies Record<MetricDefinition["kind"], { description: string }>,
});

export const WorkspaceKind = builder.enumType("WorkspaceKind", {
  description: "Whether a workspace is for production or for trials.",
  values: {
    live: { description: "For production." },
    sandbox: { description: "For trials. It accepts test keys." },
  } satisfies Record<WorkspaceKindWord, { description: string }>,
});

export const Scope = builder.enumType("Scope", {
  description: "What a token may do. Scopes do not imply each other.",
  values: {
    read: { description: "To read the catalog." },
    write: { description: "To trigger syncs and to define and certify metrics." },
    admin: { description: "To manage users, service accounts, keys and settings." },
  } satisfies Record<ScopeWord, { description: string }>,
});

export const Role = builder.enumType("Role", {
  description: "What a user or service account may do.",
  values: {
    analyst: { description: "May read." },
    engineer: { description: "May read and write." },
    admin: { description: "May read, write and administer." },
  } satisfies Record<RoleWord, { description: string }>,
});

export const Permission = builder.enumType("Permission", {
  description: "What can be granted to a user in addition to the role.",
  values: {
    // A GraphQL name cannot contain a colon.
    api_manage: {
      value: "api:manage",
      description: "`api:manage`: to make API keys within the user's own permissions, and to list and revoke them.",
    },
    metrics_certify: {
      value: "metrics:certify",
      description:
        "`metrics:certify`: to certify metrics and withdraw certifications. The token also needs the scope `write`.",
    },
  },
});

export const ActorKind = builder.enumType("ActorKind", {
  description: "What a token can belong to.",
  values: {
    user: { description: "A person." },
    account: { description: "A service account." },
  },
});
