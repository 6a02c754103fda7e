/** Crawls as the service does, with SQLite and the real reader of SQL, and finds the results by their names. */
import type { CatalogNode } from "../../src/catalog/asset.ts";
import type { Direction } from "../../src/catalog/edge.ts";
import type { FindConnectorType } from "../../src/ingest/connector-types.ts";
import { createCrawlRunner } from "../../src/ingest/run-crawl.ts";
import type { CrawlOutcome, CrawlProgress } from "../../src/metadata/records.ts";
import { MINUTE_MS } from "./clock.ts";
import { openTestMetadata } from "./metadata-store.ts";
import { present } from "./present.ts";
import { getSharedGraph } from "./shared-graph.ts";
import { sqlLineage } from "./sql-lineage.ts";

export interface CrawlOptions {
  signal?: AbortSignal;
  onProgress?: (progress: CrawlProgress) => void;
}

export interface NewConnector {
  type: string;
  name: string;
  options: Record<string, string>;
  secretOptions?: readonly string[];
}

/** @param log gets each line of the log; by default only warnings and errors are printed */
export async function openCrawls(findConnectorType: FindConnectorType, log = printed) {
  const { store, workspace, admin, clock } = await openTestMetadata();
  const graph = await getSharedGraph();
  let read = 0;
  const counting = {
    resolve: (...args: Parameters<typeof sqlLineage.resolve>) => {
      read += 1;
      return sqlLineage.resolve(...args);
    },
  };
  const run = createCrawlRunner({ graph, store, sqlLineage: counting, findConnectorType, clock, log });

  /** @returns a function for full crawls, which also returns how many texts were read */
  async function add({ type, name, options, secretOptions = [] }: NewConnector) {
    const connector = await store.connectors.create({ workspaceId: workspace.id, type, name, options, secretOptions });
    return async (given: CrawlOptions = {}): Promise<CrawlOutcome & { read: number }> => {
      clock.advance(MINUTE_MS);
      read = 0;
      const { id: workspaceId } = workspace;
      const request = { workspaceId, connectorId: connector.id, mode: "full", repeatOf: null } as const;
      await store.syncs.enqueue({ ...request, queuedAt: clock.now(), estimatedDurationSeconds: 1 });
      const sync = present(await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() }));
      const { signal = new AbortController().signal, onProgress = () => {} } = given;
      const outcome = await run(sync, signal, onProgress);
      await store.leases.finish(sync.id, "w", outcome, clock.now());
      return { ...outcome, read };
    };
  }

  const findNode = async (fqn: string, type: CatalogNode["type"]): Promise<CatalogNode> =>
    present((await graph.loadByFqn(workspace.id, fqn, { type }))[0]);

  /** The nodes of a type, sorted by name. */
  async function list(type: CatalogNode["type"]): Promise<CatalogNode[]> {
    return (await graph.listNodes(workspace.id, { types: [type] }, { after: null, limit: 100_000 })).items;
  }

  /** The nodes that a walk of ten hops reaches, as `type fqn`. */
  async function reach(root: CatalogNode, direction: Direction): Promise<string[]> {
    const walk = present(await graph.walk(workspace.id, { root: root.id, direction, depth: 10, maxNodes: 10_000 }));
    const nodes = await graph.loadNodes(
      workspace.id,
      walk.nodes.map(({ id }) => id),
    );
    return nodes.map((node) => `${node?.type} ${node?.fqn}`);
  }

  /** The direct sources of an asset or column, each with its uses. */
  async function sourcesOf(node: CatalogNode): Promise<string[]> {
    const query = { id: node.id, direction: "upstream", first: 1_000, after: null } as const;
    const [found] = await graph.loadNeighbours(workspace.id, [query]);
    return (found?.items ?? []).flatMap(({ node: source, uses }) =>
      (uses.length === 0 ? [null] : uses).map((use) =>
        use === null ? source.fqn : `${source.fqn} ${use.transformation} ${use.expression}`,
      ),
    );
  }

  return { graph, store, clock, sqlLineage, workspace, admin, add, findNode, list, reach, sourcesOf };
}

const printed: Parameters<typeof createCrawlRunner>[0]["log"] = {
  error: console.error,
  warn: console.warn,
  info: () => {},
};
