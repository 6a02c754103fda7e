/** What differs between two states of the lineage, as the schema shows it. */
import type { DifferenceWord, EdgeDifference, NodeDifference } from "../catalog/changes/lineage-diff.ts";
import { type LineageChanges, MAX_LINEAGE_CHANGES } from "../what-if/lineage-changes.ts";
import { builder } from "./builder.ts";
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

export const NodeDifferenceType = builder.objectRef<NodeDifference>("LineageNodeDifference").implement({
  description: "An asset or metric that differs.",
  fields: (t) => ({
    difference: t.expose("difference", { type: Difference, description: "How it differs." }),
    asset: t.expose("node", { type: ChangedAssetType, description: "The asset, as it is afterwards; or as it was." }),
    details: t.expose("details", {
      type: [ChangePartType],
      description: "What changed if it stays: SQL, a metric's expression, and columns.",
      complexity: { field: 1, multiplier: 5 },
    }),
  }),
});

export const EdgeDifferenceType = builder.objectRef<EdgeDifference>("LineageEdgeDifference").implement({
  description: "An edge that differs.",
  fields: (t) => ({
    difference: t.expose("difference", { type: Difference, description: "How it differs." }),
    from: t.expose("from", { type: ChangedAssetType, description: "The upstream end." }),
    to: t.expose("to", { type: ChangedAssetType, description: "The downstream end." }),
    before: t.expose("before", { type: [EdgeKind], description: "What it meant before; empty if it was not there." }),
    after: t.expose("after", { type: [EdgeKind], description: "What it means afterwards; empty if it is gone." }),
  }),
});

export const LineageChangesType = builder.objectRef<LineageChanges>("LineageChanges").implement({
  description: "How a new manifest changes the lineage of its project. What is not new has its present id and name.",
  fields: (t) => ({
    nodes: t.expose("nodes", {
      type: [NodeDifferenceType],
      description: "What is added, then what is removed, then what changes, each by name.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    edges: t.expose("edges", {
      type: [EdgeDifferenceType],
      description: "The edges between assets that are not removed, in the same order.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    truncated: t.exposeBoolean("truncated", {
      description: `True if there are more than ${MAX_LINEAGE_CHANGES} of either, or very many details.`,
    }),
  }),
});
