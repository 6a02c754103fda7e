/** What a change would do to what depends on the changed asset: the rules by which its risk is derived. */
import type { ConnectorId, NodeId } from "../ids.ts";
import type { CatalogNode } from "./asset.ts";
import type { Coverage } from "./coverage.ts";
import type { Check } from "./check.ts";
import { type Edge, type Level, TRANSFORMATIONS } from "./edge.ts";
import type { UnrefreshedAssets } from "./impact/unrefreshed-assets.ts";
import { isDataset, type NodeType } from "./node-types.ts";

/** The changes that the specification of REST knows. */
export const SPECIFIED_CHANGE_TYPES = ["column_rename", "column_drop", "type_change", "deprecate"] as const;
/** `asset_drop`: the asset itself goes away, so whatever reads it fails, whichever columns it uses. */
export const CHANGE_TYPES = [...SPECIFIED_CHANGE_TYPES, "asset_drop"] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The worst first. */
export const RISKS = ["high", "medium", "low"] as const;
export type Risk = (typeof RISKS)[number];

/** How surely a hop carries a change, the strongest first. A path is as strong as its weakest hop. */
export const EVIDENCE_KINDS = ["DIRECT", "INDIRECT", "UNKNOWN", "NONE"] as const;
/**
 * DIRECT: values go from one end into the other. INDIRECT: the upstream end decides which values or rows there are.
 * UNKNOWN: the assets are connected, and which columns are used is not known.
 * NONE: it is known that no changed column is used, but the path has hops of which this is not known.
 */
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/**
 * The kind of a path in the rules of risk: that of its weakest hop, or NAMED. NAMED is a path to an asset whose own SQL names
 * the column that goes away, or an unchanged copy of it. Its last hop may be INDIRECT; the SQL fails all the same.
 */
export type PathKind = EvidenceKind | "NAMED";

/** REFERENCE: the SQL names the column, and nothing more is known of what it does with it. */
export const EVIDENCE_TRANSFORMATIONS = [...TRANSFORMATIONS, "REFERENCE"] as const;
export type EvidenceTransformation = (typeof EVIDENCE_TRANSFORMATIONS)[number];

/** What a change does to the readers of what is changed. A type change whose new type is not known narrows. */
export const EFFECTS = ["breaks", "narrows", "widens", "deprecates"] as const;
export type Effect = (typeof EFFECTS)[number];

interface Rule {
  effect: readonly Effect[];
  path: readonly PathKind[];
  affected: keyof typeof AFFECTED;
  risk: Risk;
  /** In words, for the documentation. */
  because: string;
}

type Affected = Pick<CatalogNode, "type" | "certification">;

function isCertifiedMetric({ type, certification }: Affected): boolean {
  return type === "metric" && certification === "certified";
}

/** What a rule is about. */
const AFFECTED = {
  anything: () => true,
  "a certified metric": isCertifiedMetric,
  "a certified metric or a dashboard": (node: Affected) => node.type === "dashboard" || isCertifiedMetric(node),
} as const satisfies Record<string, (node: Affected) => boolean>;

/** The rules of risk: the first one that fits decides. How many hops away the affected thing is plays no part. */
export const RISK_RULES: readonly Rule[] = [
  {
    effect: ["widens"],
    path: EVIDENCE_KINDS,
    affected: "anything",
    risk: "low",
    because: "every value still fits",
  },
  {
    effect: ["breaks", "narrows", "deprecates"],
    path: ["NONE"],
    affected: "anything",
    risk: "low",
    because: "no changed column is used, though the way there is not all known",
  },
  {
    effect: ["breaks"],
    path: ["DIRECT"],
    affected: "anything",
    risk: "high",
    because: "its values come from what goes away",
  },
  {
    effect: ["breaks"],
    path: ["NAMED"],
    affected: "anything",
    risk: "high",
    because: "its SQL names what goes away, and fails without it",
  },
  {
    effect: ["breaks"],
    path: ["INDIRECT"],
    affected: "a certified metric or a dashboard",
    risk: "high",
    because: "people decide by it, and which rows it counts would change",
  },
  {
    effect: ["breaks"],
    path: ["UNKNOWN"],
    affected: "a certified metric",
    risk: "high",
    because: "it was vouched for, and not knowing is no reason to worry less",
  },
  {
    effect: ["breaks"],
    path: ["INDIRECT", "UNKNOWN"],
    affected: "anything",
    risk: "medium",
    because: "its rows may change, or it may use what goes away",
  },
  {
    effect: ["narrows"],
    path: ["DIRECT", "INDIRECT", "UNKNOWN"],
    affected: "anything",
    risk: "medium",
    because: "values may no longer fit, or need a cast",
  },
  {
    effect: ["deprecates"],
    path: ["DIRECT"],
    affected: "anything",
    risk: "medium",
    because: "it works until what it comes from goes",
  },
  {
    effect: ["deprecates"],
    path: ["INDIRECT"],
    affected: "a certified metric or a dashboard",
    risk: "medium",
    because: "people decide by it, and it works until what it counts by goes",
  },
  {
    effect: ["deprecates"],
    path: ["UNKNOWN"],
    affected: "a certified metric",
    risk: "medium",
    because: "it was vouched for, and may use what is to go",
  },
  {
    effect: ["deprecates"],
    path: ["INDIRECT", "UNKNOWN"],
    affected: "anything",
    risk: "low",
    because: "it works for now, and may not use what is to go",
  },
];

/** @param path NAMED only for a change that breaks: every other change keeps the name */
export function riskOf(effect: Effect, path: PathKind, affected: Affected): Risk {
  const rule = RISK_RULES.find(
    (each) => each.effect.includes(effect) && each.path.includes(path) && AFFECTED[each.affected](affected),
  );
  if (rule === undefined) throw new Error(`no rule for ${effect}, ${path}`);
  return rule.risk;
}

/** Whether an asset of this type can be changed so. Everything can be deprecated or dropped; other changes are of columns. */
export function canChange(type: NodeType, change: ChangeType): boolean {
  return change === "deprecate" || change === "asset_drop" || type === "column" || isDataset(type);
}

/** One hop of a path. */
export interface Evidence {
  kind: EvidenceKind;
  /** Whether the hop is between columns, or only known between assets. */
  level: Level;
  /** The strongest way in which the upstream end is used; "" if that is not known. */
  transformation: EvidenceTransformation | "";
  /** The SQL that uses it; the column's name for a REFERENCE; "" if that is not known. */
  expression: string;
  /** The ids of both ends: of columns if these are known, else of assets. */
  from: NodeId;
  to: NodeId;
}

/** How the lineage would differ from the catalog's once the rest of a change set is applied. */
export interface Supposition {
  /** These edges are gone at both levels, and so are references between the same two nodes. */
  gone: readonly Pick<Edge, "from" | "to">[];
  /** The column lineage of these assets is known: their columns come only from columns that have an edge into them. */
  known: readonly string[];
}

export interface ImpactQuery {
  /** The changed asset. */
  root: NodeId;
  change: ChangeType;
  /** The column's new data type; null for other changes, and if it is not known. */
  newType: string | null;
  /** Whether the table or model itself is dropped or renamed, and not only a column of it. The default is false. */
  asWhole?: boolean;
  /** Whether it gets other rows, so that what only counts them is affected, too, or as a metric other values. Default: false. */
  otherRows?: boolean;
  /** The answer then has only what is affected under this supposition. */
  supposing?: Supposition;
  /** The answer then has only assets that may use what changes, where what is known of columns ends within so many hops. */
  unclearWithin?: number;
  /** Keep at most this many of the affected, the first in the order of `Impact.affected`, and of what is not refreshed. */
  maxAffected: number;
  /** Look for the checks that would fail, and keep at most this many; if left out, they are not looked for. */
  maxChecks?: number;
}

/** A check that would fail if the change were made. */
export interface FailingCheck {
  check: Check;
  /** The id of the asset or column that the check needs, and because of which it fails. */
  on: NodeId;
  /**
   * changed: what it needs goes away, or gets another name. derived: the column is made from what goes away.
   * retyped: a contract promises the column's present type. unbuilt: the table or model cannot be built any more.
   */
  why: "changed" | "derived" | "retyped" | "unbuilt";
  /** In one sentence that a person can check. */
  reason: string;
  /** The connectors that state the check. */
  connectorIds: ConnectorId[];
}

/** A table or model whose own SQL needs what goes away. */
export type Unbuilt = Pick<CatalogNode, "id" | "name" | "fqn" | "type" | "owner" | "ownerName">;

export interface FailingChecks {
  /** What must be edited first, because it cannot be built any more. The nearest to the change come first. */
  unbuilt: Unbuilt[];
  /** The models that are built from those, by their ids, and the checks of all of them that are not listed as failing. dbt skips both. */
  skipped: { models: NodeId[]; checks: string[] };
  /** Everything downstream of those that is not affected. */
  unrefreshed: UnrefreshedAssets;
  /** How many would fail, kept or not. */
  total: number;
  /** In the order of their causes; then the nearest to the change come first. */
  failing: FailingCheck[];
  /** True when not all of them were kept. */
  truncated: boolean;
}

/** Its usage is null if no source tells it. */
export interface AffectedNode extends Pick<CatalogNode, "id" | "name" | "fqn" | "type" | "certification" | "usage"> {
  /** The table or model of a column; null for everything else, and if it is not in the catalog. */
  parentId: NodeId | null;
  risk: Risk;
  /** The path and its evidence in one sentence that a person can check. */
  reason: string;
  /** Hops from the changed asset, along the path: `path.length - 1`. */
  hops: number;
  /** Ids from the changed asset to this one: the strongest path, and of these the shortest. */
  path: NodeId[];
  /** One for each hop of the path. */
  evidence: Evidence[];
  /** The owner's e-mail address; a column without an owner has its table's. "" if unknown. */
  owner: string;
  /** The owner's name, or an owner that is no e-mail address. "" if unknown. */
  ownerName: string;
}

export interface RiskCounts {
  total: number;
  high: number;
  medium: number;
  low: number;
}

export type OwnerImpact = RiskCounts & Pick<CatalogNode, "owner" | "ownerName">;

/** Affected assets and metrics that have the type, the risk and the owner in common. */
export interface AssetGroup extends Pick<AffectedNode, "type" | "risk" | "owner" | "ownerName"> {
  count: number;
  /** How many of their columns are affected. */
  columns: number;
  /** True for columns that belong to an affected asset, and count with it. */
  isFolded: boolean;
}

export interface Impact {
  root: NodeId;
  change: ChangeType;
  newType: string | null;
  effect: Effect;
  /** Over all that is affected, kept or not: assets, metrics and columns. */
  summary: RiskCounts;
  /** All that is affected, kept or not, counted as `affected-assets.ts` tells it. */
  groups: AssetGroup[];
  /** The first by risk, hops and key, in the order of risk, hops, use and key. */
  affected: AffectedNode[];
  /** All owners of something affected, kept or not. Those at the highest risk come first, what nobody owns comes last. */
  owners: OwnerImpact[];
  /** True when not all that is affected was kept. */
  truncated: boolean;
  /** Of the root and all that is affected, kept or not. */
  coverage: Coverage;
  /** Present where checks were looked for. */
  checks?: FailingChecks;
}
