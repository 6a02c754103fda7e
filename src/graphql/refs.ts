/** Types that refer to each other, declared apart from their fields. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { ColumnUse } from "../catalog/edge.ts";
import type { Lineage } from "../catalog/lineage.ts";
import type { ImpactAnswer } from "./assess-impact.ts";
import type { NodeId } from "../ids.ts";
import { builder } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { createLoader, findById, loadEach } from "./loaders.ts";

export interface Identified {
  id: string;
}

export const NodeInterface = builder.interfaceRef<Identified>("Node");

export const CatalogNodeType = builder.loadableInterfaceRef<CatalogNode, NodeId>(
  "CatalogNode",
  loadEach(({ graph }, ws, ids) => graph.loadNodes(ws, ids)),
);

/** Finds an asset or metric; null if there is none. All types of catalog nodes share this loader. */
export function findNode(id: NodeId, context: GraphqlContext): Promise<CatalogNode | null> {
  return findById(CatalogNodeType, id, context);
}

/** The expected number of columns of a table. */
const COLUMNS_AS_A_RULE = 50;

/** The columns of assets, in their own order. */
export const columnsOf = createLoader(({ graph }, ws, assets: readonly NodeId[]) => graph.loadColumns(ws, assets), {
  expect: () => COLUMNS_AS_A_RULE,
  weigh: (columns) => columns.length,
});

export const AssetObject = builder.objectRef<CatalogNode>("Asset");

/** A walk, and whether it followed only edges that carry values. */
export interface WalkedLineage extends Lineage {
  directOnly: boolean;
}

export const LineageType = builder.objectRef<WalkedLineage>("Lineage");

export const ColumnUseType = builder.objectRef<ColumnUse>("ColumnUse");

export const MetricType = builder.objectRef<CatalogNode>("Metric");

export const ImpactType = builder.objectRef<ImpactAnswer>("Impact");
