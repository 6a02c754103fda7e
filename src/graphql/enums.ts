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
import { builder, wordsType } from "./builder.ts";

export const AssetType = builder.enumType("AssetType", {
  description: "The types of assets.",
  values: ASSET_TYPE_TABLE,
});

export const NodeType = builder.enumType("NodeType", {
  description: "The types of what lineage connects: assets and metrics.",
  values: NODE_TYPE_TABLE,
});

export const Certification = wordsType<CertificationWord>(
  "Certification",
  "How much it can be trusted. A metric is `certified` or `pending`.",
  {
    certified: "Somebody has confirmed it as it is now.",
    pending: "Nobody has confirmed it yet, or it has changed since.",
    deprecated: "It will be removed; do not use it for anything new.",
    none: "No source says anything about it.",
  },
);

export const CertificationAction = wordsType<CertificationStep["action"]>(
  "CertificationAction",
  "What was done to a metric's certification.",
  {
    certify: "A person certified it.",
    withdraw: "A person withdrew the certification.",
    lapse: "Its definition, or something that feeds it, changed.",
    state: "Its own source states that it is certified.",
    retract: "Its own source no longer states that.",
  },
);

export const NodeOrder = wordsType<NodeOrderWord>(
  "NodeOrder",
  "Orders of a list. A node that changes between two pages may be on both or on neither; without an order, this cannot happen.",
  {
    name: "By their own names, in any case.",
    updated: "The last change first.",
    downstream: "The most direct consumers first, as `lineageSummary` counts them.",
    usage:
      "The most used first: by people, then by queries and views together. What no source tells the usage of comes last. It cannot be given with `asOf`.",
  },
);

export const Direction = wordsType<DirectionWord>(
  "Direction",
  "The direction of a walk: against the flow of data, or with it.",
  { upstream: "Towards what it is made from.", downstream: "Towards what is made from it." },
);

export const EdgeKind = wordsType<EdgeKindWord>("EdgeKind", "What an edge means, read from its upstream end.", {
  materializes: "A pipeline or model builds a table.",
  derives: "A dataset is made from a dataset, or a column from a column.",
  powers: "A dashboard or question shows a dataset, a column, a metric, or another question.",
  defines: "A metric measures a dataset or column, or is computed from another metric.",
  reads: "A pipeline reads a dataset.",
  exports: "A pipeline carries a dataset out of the warehouse.",
});

export const ColumnLineageStatus = wordsType<ColumnLineage["status"]>(
  "ColumnLineageStatus",
  "How much is known about which columns come from which.",
  {
    known: "All of it.",
    partial: "A part of it. Some sources may be missing.",
    unknown: "Nothing. That does not mean that there is no lineage.",
  },
);

export const UseKind = wordsType<ColumnUse["kind"]>(
  "UseKind",
  "How a column's values affect another column, in OpenLineage's words.",
  { DIRECT: "Its values go into the other column.", INDIRECT: "It decides which values or rows the other column has." },
);

export const FollowedUses = wordsType<"direct" | "all">(
  "FollowedUses",
  "Which uses of a column a walk follows. This makes a difference only if the walk starts at a column.",
  { direct: "Only uses that pass values on.", all: "Also joins, filters, groupings and conditions." },
);

export const Transformation = wordsType<ColumnUse["transformation"]>(
  "Transformation",
  "What is done with a column's values, in OpenLineage's words.",
  {
    IDENTITY: "They are passed on as they are.",
    TRANSFORMATION: "They are used in a computation, row by row.",
    AGGREGATION: "The values of many rows become one value.",
    JOIN: "They decide which rows are joined.",
    GROUP_BY: "They decide which rows are aggregated together.",
    FILTER: "They decide which rows there are.",
    SORT: "They decide the order, and so which rows are kept.",
    WINDOW: "They partition or order a window.",
    CONDITIONAL: "They decide which of several values is taken.",
  },
);

export const ChangeType = wordsType<ChangeTypeWord>("ChangeType", "The changes whose impact can be asked for.", {
  column_rename: "A column gets another name. For a table or model: any of its columns.",
  column_drop: "A column is removed. For a table or model: any of its columns.",
  type_change: "A column gets another data type. For a table or model: any of its columns.",
  deprecate: "It still exists, but will be removed. This change is possible for everything.",
  asset_drop: "The asset itself is removed: whatever reads it fails. This change is possible for everything.",
});

export const ChangeKind = wordsType<ChangeKindWord>("ChangeKind", "What happens to something in a change set.", {
  asset_dropped: "A table or model no longer exists.",
  asset_moved: "A table or model has another name, or another place.",
  column_dropped: "A column no longer exists.",
  column_renamed: "A column has another name.",
  column_retyped: "A column has another data type.",
  named: "Nothing was compared. The change was named in the request, by its `changeType`.",
});

export const AffectedState = wordsType<AffectedStateWord>(
  "AffectedState",
  "What happens to something that depends on what changes.",
  {
    affected: "A change reaches it, and the change set neither adapts nor drops it.",
    adapted: "In the change set, it no longer depends on what changes.",
    dropped: "The change set drops it.",
  },
);

export const ChangeEffect = wordsType<EffectWord>(
  "ChangeEffect",
  "What a change means for everything that reads the changed data.",
  {
    breaks: "What they read no longer exists.",
    narrows: "Values may no longer fit, or need a cast.",
    widens: "Every value still fits.",
    deprecates: "They work until what they read is removed.",
  },
);

export const Risk = wordsType<RiskWord>("Risk", "How likely and how severe the effect is, the worst first.", {
  high: "It breaks, or people who trust it are misled.",
  medium: "It may break, or show other rows.",
  low: "It continues to work.",
});

export const FailOn = wordsType<RiskWord | "none">("FailOn", "The lowest risk at which a change set fails.", {
  high: "Fails if anything is at high risk.",
  medium: "Fails if anything is at medium or high risk.",
  low: "Fails if anything is affected.",
  none: "Never fails.",
});

export const EvidenceKind = wordsType<EvidenceKindWord>(
  "EvidenceKind",
  "How certain it is that a change passes over a hop, the strongest first.",
  {
    DIRECT: "Values go from the upstream end into the downstream end.",
    INDIRECT: "The upstream end decides which values or rows there are.",
    UNKNOWN: "The two are connected, but it is not known which columns are used.",
    NONE: "No changed column is used here, but the path leads through unknown column lineage.",
  },
);

export const LineageLevel = wordsType<LevelWord>("LineageLevel", "What a piece of evidence is about.", {
  asset: "Assets as a whole.",
  column: "The columns themselves.",
});

export const MetricKind = wordsType<MetricDefinition["kind"]>("MetricKind", "How a metric is computed.", {
  simple: "One aggregate over its sources.",
  ratio: "One value divided by another.",
  derived: "A formula over other metrics.",
  cumulative: "An aggregate that adds up over time.",
  conversion: "The share of one event that is followed by another.",
});

export const WorkspaceKind = wordsType<WorkspaceKindWord>(
  "WorkspaceKind",
  "Whether a workspace is for production or for trials.",
  { live: "For production.", sandbox: "For trials. It accepts test keys." },
);

export const Scope = wordsType<ScopeWord>("Scope", "What a token may do. Scopes do not imply each other.", {
  read: "To read the catalog.",
  write: "To trigger syncs and to define and certify metrics.",
  admin: "To manage users, service accounts, keys and settings.",
});

export const Role = wordsType<RoleWord>("Role", "What a user or service account may do.", {
  analyst: "May read.",
  engineer: "May read and write.",
  admin: "May read, write and administer.",
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

export const ActorKind = wordsType<"user" | "account">("ActorKind", "What a token can belong to.", {
  user: "A person.",
  account: "A service account.",
});
