/** Crawls sources of several types as the service does, with SQLite, and returns what the catalog then contains. */
import type { CatalogNode } from "../../src/catalog/asset.ts";
import { NODE_TYPES } from "../../src/catalog/node-types.ts";
import { createAirflowConnector } from "../../src/connectors/airflow/connector.ts";
import type { ConnectorType } from "../../src/connectors/connector.ts";
import { createDbtConnector } from "../../src/connectors/dbt/connector.ts";
import { type ApiNetwork, DEFAULT_API_NETWORK } from "../../src/connectors/http/api-client.ts";
import { createCrawlRunner } from "../../src/ingest/run-crawl.ts";
import type { CrawlOutcome } from "../../src/metadata/records.ts";
import { MINUTE_MS } from "./clock.ts";
import { openTestMetadata } from "./metadata-store.ts";
import { present } from "./present.ts";
import { getSharedGraph } from "./shared-graph.ts";
import { sqlLineage } from "./sql-lineage.ts";

/** Reads from this machine, and does not wait before it tries again. */
export const LOCAL: ApiNetwork = {
  ...DEFAULT_API_NETWORK,
  privateSources: ["127.0.0.1/32"],
  timeoutMs: 20_000,
  sleep: () => Promise.resolve(),
};

export async function openCrawls(network: ApiNetwork = LOCAL) {
  const { store, workspace, clock } = await openTestMetadata();
  const graph = await getSharedGraph();
  const types: ConnectorType[] = [createAirflowConnector(network), createDbtConnector()];
  const findConnectorType = (name: string): ConnectorType | null => types.find(({ type }) => type === name) ?? null;
  const logged: unknown[] = [];
  const log = { error: (told: unknown) => void logged.push(told), warn: () => {}, info: () => {} };
  const run = createCrawlRunner({ graph, store, sqlLineage, findConnectorType, clock, log });
  const { id: workspaceId } = workspace;

  /** A full crawl by the connector of that type, which is created at the first crawl. */
  async function crawl(type: string, options: Record<string, string>): Promise<CrawlOutcome> {
    const known = await store.connectors.findByName(workspaceId, type);
    const { id } =
      known ?? (await store.connectors.create({ workspaceId, type, name: type, options, secretOptions: [] }));
    // Small crawls remove large shares.
    await store.connectors.setRemovalShare(workspaceId, id, 100);
    clock.advance(MINUTE_MS);
    const request = { workspaceId, connectorId: id, mode: "full", repeatOf: null } as const;
    await store.syncs.enqueue({ ...request, queuedAt: clock.now(), estimatedDurationSeconds: 1 });
    const sync = present(await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() }));
    const outcome = await run(sync, new AbortController().signal, () => {});
    await store.leases.finish(sync.id, "w", outcome, clock.now());
    return outcome;
  }

  /** All nodes that a connector states, as `type platform fqn`, sorted. */
  async function held(): Promise<string[]> {
    const shown = NODE_TYPES.filter((type) => type !== "column");
    const { items } = await graph.listNodes(workspaceId, { types: shown }, { after: null, limit: 100_000 });
    return items.map(({ type, platform, fqn }) => `${type} ${platform} ${fqn}`).toSorted();
  }

  async function find(fqn: string): Promise<CatalogNode | null> {
    return (await graph.loadByFqn(workspaceId, fqn, {}))[0] ?? null;
  }

  /** The edges below a node, up to ten hops, as `from kind to`. */
  async function below(fqn: string): Promise<string[]> {
    const root = present(await find(fqn));
    const query = { root: root.id, direction: "downstream", depth: 10, maxNodes: 10_000 } as const;
    const walk = present(await graph.walk(workspaceId, query));
    const ids = [...new Set(walk.edges.flatMap(({ from, to }) => [from, to]))];
    const nodes = await graph.loadNodes(workspaceId, ids);
    const names = new Map(nodes.flatMap((node) => (node === null ? [] : [[node.id, node.fqn] as const])));
    return walk.edges.map(({ from, kind, to }) => `${names.get(from)} ${kind} ${names.get(to)}`).toSorted();
  }

  return { crawl, held, find, below, graph, workspaceId, logged, clock };
}
