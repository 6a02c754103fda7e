/** Types that refer to each other, declared apart from their fields. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { ColumnUse } from "../catalog/edge.ts";
import type { Lineage } from "../catalog/lineage.ts";
import type { ImpactAnswer } from "./assess-impact.ts";
import { builder } from "./builder.ts";

export interface Identified {
  id: string;
}

export const NodeInterface = builder.interfaceRef<Identified>("Node");

export const CatalogNodeType = builder.interfaceRef<CatalogNode>("CatalogNode");

export const AssetObject = builder.objectRef<CatalogNode>("Asset");

export const LineageType = builder.objectRef<Lineage>("Lineage");

export const ColumnUseType = builder.objectRef<ColumnUse>("ColumnUse");

export const MetricType = builder.objectRef<CatalogNode>("Metric");

export const ImpactType = builder.objectRef<ImpactAnswer>("Impact");
