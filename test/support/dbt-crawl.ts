/** Crawls dbt artifacts as the service does, with SQLite and the real reader of SQL, and finds columns by their names. */
import { join } from "node:path";

import { onTestFinished } from "vitest";

import type { CatalogNode } from "../../src/catalog/asset.ts";
import type { Direction } from "../../src/catalog/edge.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { createCrawlRunner } from "../../src/ingest/run-crawl.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import type { CrawlOutcome } from "../../src/metadata/records.ts";
import { createSqlLineage } from "../../src/sql-lineage/thread.ts";
import { MINUTE_MS } from "./clock.ts";
import { makeTemporaryFolder, openTestMetadata } from "./metadata-store.ts";
import { present } from "./present.ts";

/** @param folder holds manifest.json, and the other artifacts that are named */
export async function openDbtCrawl(folder: string, artifacts: readonly string[] = ["manifest", "catalog"]) {
  const { store, workspace, clock } = await openTestMetadata();
  const graph = await openSqliteGraph({ path: join(await makeTemporaryFolder(), "graph.db") });
  const sqlLineage = createSqlLineage();
  onTestFinished(() => graph.close());
  onTestFinished(() => sqlLineage.close());
  const connector = await store.connectors.create({
    workspaceId: workspace.id,
    type: "dbt",
    name: "shop",
    options: Object.fromEntries(artifacts.map((artifact) => [artifact, join(folder, `${artifact}.json`)])),
    secretOptions: [],
  });
  let read = 0;
  const counting = {
    resolve: (...args: Parameters<typeof sqlLineage.resolve>) => {
      read += 1;
      return sqlLineage.resolve(...args);
    },
  };
  const log = { error: console.error, warn: console.warn, info: () => {} };
  const run = createCrawlRunner({ graph, store, sqlLineage: counting, findConnectorType, clock, log });

  /** A full crawl from start to end, and how many texts were read for it. */
  async function crawl(): Promise<CrawlOutcome & { read: number }> {
    clock.advance(MINUTE_MS);
    read = 0;
    const { id: workspaceId } = workspace;
    const request = { workspaceId, connectorId: connector.id, mode: "full", repeatOf: null } as const;
    await store.syncs.enqueue({ ...request, queuedAt: clock.now(), estimatedDurationSeconds: 1 });
    const sync = present(await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() }));
    const outcome = await run(sync, new AbortController().signal, () => {});
    await store.leases.finish(sync.id, "w", outcome, clock.now());
    return { ...outcome, read };
  }

  const findNode = async (fqn: string, type: CatalogNode["type"]): Promise<CatalogNode> =>
    present(await graph.findByFqn(workspace.id, fqn, { type }));

  /** In the order of their names. */
  async function list(type: CatalogNode["type"]): Promise<CatalogNode[]> {
    return (await graph.listNodes(workspace.id, { types: [type] }, { after: null, limit: 100_000 })).items;
  }

  /** What a walk of ten hops reaches, as `type fqn`. */
  async function reach(root: CatalogNode, direction: Direction): Promise<string[]> {
    const walk = present(await graph.walk(workspace.id, { root: root.id, direction, depth: 10, maxNodes: 10_000 }));
    const nodes = await graph.loadNodes(
      workspace.id,
      walk.nodes.map(({ id }) => id),
    );
    return nodes.map((node) => `${node?.type} ${node?.fqn}`);
  }

  /** The direct sources of a column, each with its uses. */
  async function sourcesOf(column: CatalogNode): Promise<string[]> {
    const query = { id: column.id, direction: "upstream", first: 1_000, after: null } as const;
    const [found] = await graph.loadNeighbours(workspace.id, [query]);
    return (found?.items ?? []).flatMap(({ node, uses }) =>
      uses.map(({ transformation, expression }) => `${node.fqn} ${transformation} ${expression}`),
    );
  }

  return { graph, workspace, crawl, findNode, list, reach, sourcesOf };
}
