/** What the agent may ask of the stores, all within one workspace. It can change nothing. */
import type { CatalogNode, NodeType } from "../catalog/asset.ts";
import type { Direction } from "../catalog/edge.ts";
import type { Impact, ImpactQuery } from "../catalog/impact.ts";
import { type Lineage, MAX_DEPTH } from "../catalog/lineage.ts";
import { parseSearch } from "../catalog/search.ts";
import type { CatalogGraph, Neighbours, NodeCounts, NodeFilter, Page } from "../graph/catalog-graph.ts";
import type { Connector, Sync } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";

/** Tags, owners and connectors that a question is compared with; a workspace with more is answered by the first of them. */
const MAX_VALUES = 1_000;
const MAX_CONNECTORS = 200;
/** More than an answer tells; their number is exact whatever is kept. */
const MAX_AFFECTED = 200;

export interface ConnectorRun {
  connector: Connector;
  lastSync: Sync | null;
}

export interface AgentCatalog {
  load(ids: readonly string[]): Promise<(CatalogNode | null)[]>;
  findByFqn(fqn: string): Promise<CatalogNode | null>;
  /** Nodes that have all the words, the last as a prefix, the best first; never those that have some of them. */
  search(text: string, types: NodeFilter["types"], limit: number): Promise<CatalogNode[]>;
  columnsOf(parentId: string): Promise<CatalogNode[]>;
  list(filter: NodeFilter, limit: number, after?: string | null): Promise<Page<CatalogNode>>;
  count(filter: NodeFilter): Promise<NodeCounts>;
  neighbours(id: string, direction: Direction, first: number): Promise<Neighbours>;
  /** As far as a walk may go; null where there is no such node. */
  walk(id: string, direction: Direction): Promise<Lineage | null>;
  impact(query: Pick<ImpactQuery, "root" | "change" | "newType">): Promise<Impact | null>;
  tags(): Promise<string[]>;
  /** E-mail addresses, folded, and the names of owners without one. */
  owners(): Promise<string[]>;
  connectors(): Promise<ConnectorRun[]>;
}

export interface AgentStores {
  graph: CatalogGraph;
  metadata: MetadataStore;
  maxLineageNodes: number;
}

export function createAgentCatalog({ graph, metadata, maxLineageNodes }: AgentStores, workspace: string): AgentCatalog {
  return {
    load: (ids) => graph.loadNodes(workspace, ids),
    findByFqn: (fqn) => graph.findByFqn(workspace, fqn, {}),
    async search(text, types, limit) {
      const query = parseSearch(text);
      if (query === null) return [];
      // A position carries its mode on: behind the first one of mode `all`, nothing falls back to `any`.
      const after = { mode: "all", tier: 1, certification: 0, matched: query.terms.length, key: "" } as const;
      const found = await graph.searchNodes(workspace, { types }, query, { after, limit });
      return found.items.map(({ node }) => node);
    },
    async columnsOf(parentId) {
      const [columns] = await graph.loadColumns(workspace, [parentId]);
      return columns ?? [];
    },
    list: (filter, limit, after = null) => graph.listNodes(workspace, filter, { after, limit }),
    count: (filter) => graph.countNodes(workspace, filter),
    async neighbours(id, direction, first) {
      const [found] = await graph.loadNeighbours(workspace, [{ id, direction, first, after: null }]);
      return found ?? { items: [], total: 0, hasMore: false };
    },
    walk: (root, direction) => graph.walk(workspace, { root, direction, depth: MAX_DEPTH, maxNodes: maxLineageNodes }),
    impact: (query) => graph.assessImpact(workspace, { ...query, maxAffected: MAX_AFFECTED }),
    tags: () => graph.listValues(workspace, "tag", MAX_VALUES),
    async owners() {
      const page = { after: null, limit: MAX_VALUES };
      const [addresses, others] = await Promise.all([
        graph.listValues(workspace, "owner", MAX_VALUES),
        graph.listNodes(workspace, { types: NAMED_TYPES, owner: "" }, page),
      ]);
      return [...addresses, ...new Set(others.items.map(({ ownerName }) => ownerName).filter((name) => name !== ""))];
    },
    async connectors() {
      const { items } = await metadata.connectors.list(workspace, { after: null, limit: MAX_CONNECTORS });
      const syncs = await metadata.syncs.loadLatest(
        workspace,
        items.map(({ id }) => id),
      );
      return items.map((connector, i) => ({ connector, lastSync: syncs[i] ?? null }));
    },
  };
}

/** What has a name that people say: everything but columns, which are many. */
export const NAMED_TYPES: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table"];
