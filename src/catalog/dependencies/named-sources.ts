import type { CatalogNode } from "../asset.ts";
import { PEOPLE } from "../layers.ts";
import { type NodeId, toNodeId } from "../../ids.ts";

/**
 * The ids of the sources that people named when they defined the metric; an empty list for a metric that a connector
 * states. Its edges also come from the tables of columns.
 */
export function namedSources({ platform, meta }: Pick<CatalogNode, "platform" | "meta">): NodeId[] {
  const { sources } = meta;
  if (platform !== PEOPLE || !Array.isArray(sources)) return [];
  return sources.filter((id) => typeof id === "string").map(toNodeId);
}
