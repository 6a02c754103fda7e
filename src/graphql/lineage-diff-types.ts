/** What differs between two states of the lineage, as the schema shows it. */
import type { DifferenceWord, EdgeDifference, NodeDifference } from "../catalog/changes/lineage-diff.ts";
import { type LineageChanges, MAX_LINEAGE_CHANGES } from "../what-if/lineage-changes.ts";
import { builder, listOf, objectType, typed } from "./builder.ts";
import { ChangedAssetType, ChangePartType } from "./change-types.ts";
import { EdgeKind } from "./enums.ts";

/** The assumed length of a list in a query's cost. */
export const ASSUMED_LENGTH = 100;

const Difference = builder.enumType("LineageDifference", {
  description: "How a node or an edge differs between two states of the lineage.",
  values: {
    added: { description: "It is only there afterwards." },
    removed: { description: "It is only there before." },
    changed: { description: "It is there before and afterwards, and is not the same." },
  } satisfies Record<DifferenceWord, { description: string }>,
});

export const NodeDifferenceType = objectType<NodeDifference>(
  "LineageNodeDifference",
  "An asset or metric that differs.",
).with({
  difference: typed(Difference, "How it differs."),
  asset: (t) =>
    t.expose("node", { type: ChangedAssetType, description: "The asset, as it is afterwards; or as it was." }),
  details: listOf(ChangePartType, "What changed if it stays: SQL, a metric's expression, and columns.", 5),
});

export const EdgeDifferenceType = objectType<EdgeDifference>("LineageEdgeDifference", "An edge that differs.").with({
  difference: typed(Difference, "How it differs."),
  from: typed(ChangedAssetType, "The upstream end."),
  to: typed(ChangedAssetType, "The downstream end."),
  before: typed([EdgeKind], "What it meant before; empty if it was not there."),
  after: typed([EdgeKind], "What it means afterwards; empty if it is gone."),
});

export const LineageChangesType = objectType<LineageChanges>(
  "LineageChanges",
  "How a new manifest changes the lineage of its project. What is not new has its present id and name.",
).with({
  nodes: listOf(
    NodeDifferenceType,
    "What is added, then what is removed, then what changes, each by name.",
    ASSUMED_LENGTH,
  ),
  edges: listOf(
    EdgeDifferenceType,
    "The edges between assets that are not removed, in the same order.",
    ASSUMED_LENGTH,
  ),
  truncated: typed("Boolean", `True if there are more than ${MAX_LINEAGE_CHANGES} of either, or very many details.`),
});
