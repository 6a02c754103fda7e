/** Types that refer to each other, declared apart from their fields. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { Lineage } from "../catalog/lineage.ts";
import type { ImpactAnswer } from "./assess-impact.ts";
import { builder } from "./builder.ts";

export const CatalogNodeType = builder.interfaceRef<CatalogNode>("CatalogNode");

export const LineageType = builder.objectRef<Lineage>("Lineage");

export const ImpactType = builder.objectRef<ImpactAnswer>("Impact");
