/** Gathers everything that a connector would state about a new version of its source, without storing it. */
import { nodeId } from "../catalog/identity.ts";
import type { CheckStatement } from "../catalog/check.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";
import { type CrawlEvent, CrawlFailure } from "../connectors/connector.ts";
import type { CrawlError } from "../catalog/crawl.ts";
import { boundCheck } from "../ingest/bound-check.ts";
import { boundStatement } from "../ingest/bound-statement.ts";
import { badField } from "../errors.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { Slicer } from "../work/slicer.ts";

export interface NewStatements {
  /** By their ids. */
  assets: ReadonlyMap<NodeId, AssetStatement>;
  edges: EdgeStatement[];
  checks: CheckStatement[];
  errors: CrawlError[];
}

/**
 * @param workspace the workspace's name, which is part of ids
 * @throws AppError `bad_request` if the manifest cannot be read
 */
export async function gatherStatements(
  events: AsyncIterable<CrawlEvent>,
  { workspace, slicer }: { workspace: WorkspaceName; slicer: Slicer },
): Promise<NewStatements> {
  const assets = new Map<NodeId, AssetStatement>();
  const edges: EdgeStatement[] = [];
  const checks: CheckStatement[] = [];
  const errors: CrawlError[] = [];
  try {
    for await (const event of events) {
      if (slicer.isDue()) await slicer.next();
      if (event.kind === "asset") {
        const { statement, errors: cut } = boundStatement(event.asset);
        for (const error of cut) errors.push(error);
        // Copied, because a slice would keep the file's whole chunk in memory.
        assets.set(nodeId(workspace, statement.ref), structuredClone(statement));
      }
      if (event.kind === "edge") edges.push(event.edge);
      if (event.kind === "check") {
        const { check, errors: cut } = boundCheck(event.check);
        for (const error of cut) errors.push(error);
        checks.push(check);
      }
      if (event.kind === "error") errors.push(event.error);
    }
  } catch (error) {
    if (error instanceof CrawlFailure) throw badField("manifest", error.message, error);
    throw error;
  }
  return { assets, edges, checks, errors };
}
