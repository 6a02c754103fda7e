/** All tools, in the order in which they are listed. */
import { ask } from "./ask.ts";
import { assessImpact } from "./assess-impact.ts";
import { findCauses } from "./find-causes.ts";
import { findPaths } from "./find-paths.ts";
import { getAssets } from "./get-assets.ts";
import { getChanges } from "./get-changes.ts";
import { listColumns } from "./list-columns.ts";
import { listMetrics } from "./list-metrics.ts";
import { searchAssets } from "./search-assets.ts";
import type { Tool } from "./tool.ts";
import { walkLineage } from "./walk-lineage.ts";

export const TOOLS: readonly Tool[] = [
  searchAssets,
  getAssets,
  listColumns,
  walkLineage,
  findPaths,
  assessImpact,
  findCauses,
  listMetrics,
  getChanges,
  ask,
];
