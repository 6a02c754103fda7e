/**
 * The steps of everything that a connector states, on its way into the graph. To add a step, write a function in a file of its
 * own, and name it here where it comes.
 */
import type { AssetStatement } from "../catalog/statement.ts";
import { keepOrWrite, limitSize, registerAsset } from "./asset-steps.ts";
import { writeChecks } from "./checks.ts";
import { writeInferred } from "./inferred-lineage.ts";
import { nameEnds } from "./name-ends.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";
import { readSql } from "./read-sql.ts";
import { reportHiddenLineage } from "./report-hidden-lineage.ts";
import { readStatedQueries } from "./stated-queries.ts";

/** Returns the asset for the next step. */
type AssetStep = (
  asset: AssetStatement,
  scope: OpenScope,
  crawl: CrawlParts,
) => AssetStatement | Promise<AssetStatement>;

type ScopeStep = (scope: OpenScope, crawl: CrawlParts) => Promise<void>;

/** The steps of an asset when it is stated. */
export const ASSET_STEPS: readonly AssetStep[] = [
  // Cuts what is too long.
  limitSize,
  // Notes the relation, so that the SQL of other assets can name its columns.
  registerAsset,
  // Writes the asset, unless SQL must be read first.
  keepOrWrite,
];

/** The steps of a scope when it ends. Each uses what the steps before it left in the scope. */
export const SCOPE_STEPS: readonly ScopeStep[] = [
  // Assets with SQL: finds the relations that the SQL names, then the columns and their lineage.
  readSql,
  // Metrics, dashboards and pipelines: finds the columns that their queries read.
  readStatedQueries,
  // Ends of edges that nobody states: they become nodes that are only referenced.
  nameEnds,
  // Columns that only SQL names, and the relations that waited for them.
  writeInferred,
  // Everything that still waits for its batch, above all edges.
  (scope) => scope.writeAll(),
  // Assets that show the lineage of another connector.
  reportHiddenLineage,
  // Checks, whose columns are known by now.
  writeChecks,
];
